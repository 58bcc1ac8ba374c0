from collections.abc import Sequence
from os import PathLike
from types import ModuleType
from typing import final

import numpy
from numpy.typing import NDArray

from .policy import Policy
from .record import Record

@final
class View:
    """How things stand when a policy is asked."""

    @property
    def now(self) -> int:
        """The cycle."""

    @property
    def offers(self) -> list[Record]:
        """Units with TBs to send, in the order in which they became visible."""

    def free(self, smx: int) -> Record:
        """What is free on an SMX: ``threads``, ``regs``, ``smem``, ``slots``."""

    def residents(self, smx: int) -> list[Record]:
        """The TBs that run on an SMX: ``unit``, ``stream``, ``threads``."""

def run(
    options: Sequence[tuple[str, str]],
    policy: Policy | type[Policy] | None,
    out: PathLike[str] | None,
) -> tuple[str, list[tuple[NDArray[numpy.uint64], NDArray[numpy.uint64]]], list[PathLike[str]]]: ...
def study(
    file: PathLike[str], out: PathLike[str], threads: int | None, quiet: bool, library: PathLike[str]
) -> str: ...
def missing(
    file: PathLike[str], out: PathLike[str], library: PathLike[str]
) -> list[tuple[str, list[tuple[str, str]]]]: ...
def simulate(
    tasks: Sequence[tuple[str, Sequence[tuple[str, str]]]], threads: int | None, library: PathLike[str]
) -> tuple[dict[str, str], str | None]: ...
def take(key: str, text: str, out: PathLike[str], library: PathLike[str]) -> None: ...

machines: ModuleType
__all__ = ["View", "machines", "missing", "run", "simulate", "study", "take"]
