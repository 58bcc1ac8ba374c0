    def save(self) -> bytes:
        """The whole state as bytes, for restore. Another version of gpusched may refuse them."""
    @staticmethod
    def restore(image: bytes) -> {class}:
        """A machine that goes on exactly where the saved one stood."""
