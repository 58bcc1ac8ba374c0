    def take(self) -> list[tuple[int, Any]]:
        """The decisions since they were last taken, each with its cycle."""
    def offers(self) -> list[Record]:
        """The units with TBs to send, in the order in which they became visible; between begin and end."""
    def end(self, wake: int | None = None) -> Any:
        """Ends a cycle, in which the host sends nothing more, and nothing before the cycle wake unless something happens. What was done in it."""
    def run(self, n: int) -> Record:
        """So many cycles without an event between them, unless the host decides. How many of them had which words."""
