"""Studies: runs over every combination of what a file varies."""

from __future__ import annotations

import json
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from . import _native

if TYPE_CHECKING:
    import pandas


class Rows(list[dict[str, Any]]):
    """The runs of a study, each with its ``options``, ``metrics``, ``command`` and ``key``, as ``gpusched study run --json`` prints them."""

    def to_pandas(self) -> pandas.DataFrame:
        """A row per run: its options, ``command`` and ``key``, its figures, and, if the study compares, its ``ratio``.

        An option is a column of numbers where all its values are, of words otherwise.
        """
        import pandas

        def cells(row: dict[str, Any]) -> dict[str, Any]:
            told = {name: row[name] for name in ("command", "key", "ratio") if name in row}
            return {**row["options"], **told, **row["metrics"]}

        frame = pandas.DataFrame([cells(row) for row in self])
        for option in {option for row in self for option in row["options"]}:
            try:
                frame[option] = pandas.to_numeric(frame[option])
            except ValueError:
                pass
        return frame


def study(
    file: str | PathLike[str], *, out: str | PathLike[str] = "out", threads: int | None = None, quiet: bool = True
) -> Rows:
    """Runs what of a study has not been run so far, and gives all of its runs.

    It is the command ``gpusched study run``: results are kept in the folder ``out``, and a study that was ended goes on where it was.
    """
    text = _native.study(Path(file), Path(out), threads, quiet, Path(_native.__file__))
    return Rows(json.loads(line) for line in text.splitlines())
