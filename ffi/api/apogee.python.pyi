    def load(self, now: int, pc: int, warp: int, verdict: str, lanes: Sequence[tuple[int, int]]) -> Any:
        """A warp has loaded: the instruction, what the cache said ("hit", "pending" or "absent"), and for each active lane, ascending, a pair of its number and its address."""
