"""What can go wrong."""


class Error(Exception):
    """Something went wrong on the way. The text is that of the command line."""


class UsageError(Error, ValueError):
    """What was asked for makes no sense; nothing has been run."""


class Refused(Error):
    """A machine has refused a call, which has changed nothing."""

    def __init__(self, fault: str, text: str) -> None:
        super().__init__(fault, text)  # With these it is made again where it is unpickled.
        self.fault = fault
        """The name of the fault, as the sheets and the C interface have it: ``"HwqFull"``, ``"BadSmx"``, ..."""
        self.text = text
        """What the fault means here."""

    def __str__(self) -> str:
        return f"{self.fault}: {self.text}"
