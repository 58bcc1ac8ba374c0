"""Options as the command line and the files of studies have them."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike, fspath
from typing import Any, Union

import numpy

from .errors import UsageError

#: What an option can be: a word, a number, whether it is there, a path; ``None``, as if it was not given.
Option = Union[
    str, int, float, bool, "numpy.integer[Any]", "numpy.floating[Any]", numpy.bool_, "PathLike[str]", None
]

#: Options that say how a command shows its result, which here is a value.
OF_THE_COMMAND = ("json", "quiet", "out")


def word(name: str, value: object) -> str:
    """A value as it stands on a command line."""
    if isinstance(value, (bool, numpy.bool_)):
        return "true" if value else "false"
    if isinstance(value, (str, int, float, numpy.integer, numpy.floating)):
        return str(value)
    if isinstance(value, PathLike):
        return str(fspath(value))
    raise UsageError(f"{name}: expected a word, a number, True, False or a path, not {value!r}")


def words(options: Mapping[str, Option], settings: Mapping[str, Option] | None) -> list[tuple[str, str]]:
    """The names and words of options, ``export_trace`` for ``--export-trace``, and of what ``--set`` changes."""
    given = [(name.replace("_", "-"), value) for name, value in options.items()]
    for name, _ in given:
        if name in OF_THE_COMMAND:
            raise UsageError(f"{name}: no option here: the result is a value")
    given += [(f"set.{key}", value) for key, value in (settings or {}).items()]
    return [(name, word(name, value)) for name, value in given if value is not None]
