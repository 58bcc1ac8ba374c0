"""Studies on many machines, which need not see a folder together: runs go out as words, and results come back as text.

:func:`missing` cuts what is to be run into batches, :func:`simulate` runs one wherever it is called, and :func:`merge` keeps what comes
back. Ray carries both; another engine would take the place of :func:`_on_ray`.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import ExitStack, closing
from itertools import islice
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

from . import _native
from .errors import Error, UsageError
from .studies import Rows, study

Task = tuple[str, list[tuple[str, str]]]
"""A run by the name of its result, and its options."""

LIBRARY = Path(_native.__file__)
SUBMITTED = 1000
"""How many batches are with the engine at a time: enough for it to see what it could grow for, few enough to look through."""


class Outcome(NamedTuple):
    """What has come of a batch."""

    results: dict[str, str]
    """The text of each result, by its name."""
    failure: str | None
    """What went wrong with the others."""


def missing(file: str | PathLike[str], out: str | PathLike[str], batch: int = 1) -> list[list[Task]]:
    """The runs of a study that ``out`` has no result of, so many in a batch."""
    if batch < 1:
        raise UsageError(f"batch {batch}: expected at least one run")
    tasks = _native.missing(Path(file), Path(out), LIBRARY)
    return [tasks[first : first + batch] for first in range(0, len(tasks), batch)]


def simulate(batch: Sequence[Task], threads: int = 1) -> Outcome:
    """Runs a batch, on any machine with this build of the package."""
    try:
        return Outcome(*_native.simulate(batch, threads, LIBRARY))
    except UsageError as error:
        return Outcome({}, str(error))


def merge(out: str | PathLike[str], ended: Iterable[tuple[Sequence[Task], Outcome]]) -> None:
    """Keeps in ``out`` what comes of batches, as it comes. Runs without a result are told when all have ended."""
    failures = []
    for batch, (results, failure) in ended:
        for key, text in results.items():
            _native.take(key, text, Path(out), LIBRARY)
        lost = [task for task in batch if task[0] not in results]
        if lost:
            failures.append(failure or f"{_told(lost)}: no result came back")
    if failures:
        raise Error("\n".join(["runs without a result; the others are kept", *failures]))


def _told(batch: Sequence[Task]) -> str:
    return "; ".join(", ".join(f"{key} = {value}" for key, value in options) for _, options in batch)


def ray_study(
    file: str | PathLike[str],
    *,
    out: str | PathLike[str] = "out",
    batch: int = 1,
    threads: int = 1,
    retries: int = 3,
    address: str | None = None,
) -> Rows:
    """As :func:`gpusched.study`, on the machines of a Ray cluster, which need not see the folder ``out``; what it holds is the same.

    A task of Ray is a ``batch`` of runs, with so many ``threads``; a worker that dies loses its batch, which runs again up to ``retries``
    times, -1 for any number. The cluster is the one that this program is connected to, else that of ``address``, which means what it
    does in ``ray.init``. Its machines need this build of the package, and the files that the study reads under the same paths.
    """
    try:
        import ray
    except ModuleNotFoundError as error:
        raise Error("ray_study needs Ray: pip install ray, or this package with the extra [ray]") from error

    if batches := missing(file, out, batch):
        with ExitStack() as ending:
            if not ray.is_initialized():
                ending.enter_context(ray.init(address=address))
            merge(out, ending.enter_context(closing(_on_ray(ray, batches, threads, retries))))
    return study(file, out=out)


def _on_ray(ray: Any, batches: Iterable[list[Task]], threads: int, retries: int) -> Generator[tuple[list[Task], Outcome]]:
    """The batches as they end, with what has come of them."""
    work = ray.remote(num_cpus=threads, max_retries=retries)(simulate)
    waiting = iter(batches)
    under_way: dict[Any, list[Task]] = {}
    try:
        while True:
            for batch in islice(waiting, SUBMITTED - len(under_way)):
                under_way[work.remote(batch, threads)] = batch
            if not under_way:
                return
            [ended], _ = ray.wait(list(under_way), num_returns=1)
            batch = under_way.pop(ended)
            try:
                yield batch, ray.get(ended)
            except ray.exceptions.RayError as error:
                yield batch, Outcome({}, f"{_told(batch)}: {error}")
    finally:
        for task in under_way:
            ray.cancel(task)
