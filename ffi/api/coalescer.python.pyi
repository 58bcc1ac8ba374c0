    def access(self, mask: int, addresses: Sequence[int], size: int) -> tuple[bool, list[Record]]:
        """The transactions of an access of size bytes for each lane of mask, an address per lane; whether it is coalesced, and the segments."""
