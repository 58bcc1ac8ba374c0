"""Workloads on the reference GPU."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy
from numpy.typing import NDArray

from . import _native
from .errors import Error
from .options import Option, words
from .policy import Policy, expect_policy

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class Timeline:
    """What went on in a run, sample by sample; the last sample ends with the run."""

    sample_cycles: int
    """Cycles that a sample covers."""
    warp_cycles: NDArray[numpy.uint64]
    """Resident warps summed over the cycles of a sample: a row per sample, a column per SMX."""
    pending_cycles: NDArray[numpy.uint64]
    """Pending launches summed over the cycles of a sample."""


class Run:
    """A run whose result was verified."""

    def __init__(self, document: dict[str, Any], timeline: Timeline) -> None:
        self.document = document
        """All that ``gpusched run --json`` says of it."""
        self.timeline = timeline

    @property
    def scheduler(self) -> str:
        """Who sent its TBs."""
        return str(self.document["scheduler"])

    @property
    def checksum(self) -> str:
        """FNV-1a 64 of the verified result."""
        return str(self.document["checksum"])

    @property
    def metrics(self) -> dict[str, Any]:
        """Its figures by their names: ``cycles``, ``smx_occupancy``, ..."""
        return dict(self.document["metrics"])

    @property
    def counts(self) -> dict[str, Any]:
        """All that the machine counted."""
        return dict(self.document["counts"])

    def __repr__(self) -> str:
        return f"<Run: {self.scheduler}, {self.metrics['cycles']} cycles>"


class Result:
    """What came out of :func:`run`. The figures of the run are its own; with ``power="bubble"`` there are two runs."""

    def __init__(self, text: str, timelines: list[tuple[NDArray[numpy.uint64], NDArray[numpy.uint64]]], files: list[Path]) -> None:
        self.document: dict[str, Any] = json.loads(text)
        """The document that ``gpusched run --json`` prints."""
        self.files = files
        """The files that were asked for."""
        self.runs = [
            Run(run, Timeline(run["timeline"]["sample_cycles"], *arrays))
            for run, arrays in zip(self.document["runs"], timelines)
        ]

    @property
    def run(self) -> Run:
        """The only run."""
        if len(self.runs) != 1:
            raise Error(f"there are {len(self.runs)} runs: take one of them from .runs")
        return self.runs[0]

    @property
    def metrics(self) -> dict[str, Any]:
        """Those of the only run."""
        return self.run.metrics

    @property
    def counts(self) -> dict[str, Any]:
        """Those of the only run."""
        return self.run.counts

    @property
    def timeline(self) -> Timeline:
        """That of the only run."""
        return self.run.timeline

    def to_pandas(self) -> pandas.DataFrame:
        """The figures, a row per run."""
        import pandas

        return pandas.DataFrame([run.metrics for run in self.runs])

    def __repr__(self) -> str:
        workload, gpu = self.document["workload"]["name"], self.document["gpu"]["name"]
        return f"<Result: {workload} on {gpu}, {self.runs!r}>"


def run(
    workload: str | PathLike[str] | None = None,
    *,
    gpu: str | PathLike[str] | None = None,
    set: Mapping[str, Option] | None = None,
    policy: Policy | type[Policy] | None = None,
    out: str | PathLike[str] | None = None,
    **options: Option,
) -> Result:
    """Runs a workload on the reference GPU, and verifies its result.

    It is the command ``gpusched run``, with its options under its names: ``graph="kron:12"``, ``mode="dtbl"``, ``sched="bcs:block=4"``,
    ``export_trace="folder"``; ``gpusched run --help`` and ``gpusched config show`` list them. ``set`` changes parameters of the machine and
    options of the workload: ``set={"dtbl.agt_size": 64}``. ``policy`` is a policy in Python, which takes the place of ``sched``. Files are
    written only if they are asked for; with ``out``, pictures and the document are put in that folder, with ``png=True`` pictures as PNG, too.

    :raises UsageError: what was asked for makes no sense.
    :raises Error: an answer of the policy that cannot be, an input that cannot be read, a run that failed.
    """
    if policy is not None:
        expect_policy(policy)
    given: dict[str, Option] = {"workload": workload, "gpu": gpu, **options}
    text, timelines, files = _native.run(words(given, set), policy, None if out is None else Path(out))
    return Result(text, timelines, [Path(file) for file in files])
