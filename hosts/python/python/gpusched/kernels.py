"""Kernels as launch calls take them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import index
from typing import Any, SupportsIndex, Union

from .errors import UsageError
from .record import Record

#: An extent: one whole number, of Python or of numpy, or up to three, x first.
Extent = Union[SupportsIndex, Sequence[SupportsIndex]]


def dim3(name: str, extent: Extent) -> Record:
    """An extent in three dimensions."""
    given: Iterable[Any] = extent if isinstance(extent, Iterable) else [extent]
    try:
        numbers = [index(number) for number in given]
    except TypeError:
        numbers = []
    if not 1 <= len(numbers) <= 3:
        raise UsageError(f"{name}: expected one to three whole numbers, not {extent!r}")
    return Record(zip("xyz", numbers + [1, 1]))


def kernel(grid: Extent, tb: Extent, **fields: Any) -> Record:
    """A kernel of ``grid`` TBs of ``tb`` threads each; besides ``regs`` and ``smem`` (bytes) of a TB, ``pc``, ``param``, ``cluster``, and
    ``tag``, which decisions tell back."""
    return Record(grid=dim3("grid", grid), tb=dim3("tb", tb), **fields)
