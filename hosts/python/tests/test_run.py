"""What ``gpusched.run`` promises."""

from __future__ import annotations

import _thread
import signal
import threading
from collections.abc import Iterator
from pathlib import Path

import gpusched
import numpy
import pytest
from gpusched.options import words


def test_a_run_says_what_the_command_says() -> None:
    result = gpusched.run("bfs", graph="kron:6", mode="dtbl", set={"dtbl.agt_size": 64}, sched="most-room")
    assert result.document["schema"] == "gpusched.result/1"
    assert result.document["gpu"]["set"] == ["dtbl.agt_size"]
    assert (result.run.document["mode"], result.run.scheduler) == ("dtbl", "most-room")
    assert result.metrics["cycles"] == result.counts["cycles"] > 0
    assert result.files == []
    assert list(result.to_pandas()["cycles"]) == [result.metrics["cycles"]]


def test_numbers_of_numpy_are_taken_as_those_of_python() -> None:
    own: dict[str, gpusched.Option] = {"dtbl.agt_size": 64, "l1.pending_as_hit": True}
    of_numpy: dict[str, gpusched.Option] = {"dtbl.agt_size": numpy.int64(64), "l1.pending_as_hit": numpy.bool_(True)}
    results = [gpusched.run("bfs", graph="kron:6", mode="dtbl", set=settings) for settings in (own, of_numpy)]
    assert results[0].document["gpu"] == results[1].document["gpu"] and results[0].counts == results[1].counts
    given = {"a": numpy.uint8(3), "b": numpy.float32(0.1), "c": numpy.float64(2.5), "d": numpy.bool_(False)}
    assert words(given, None) == [("a", "3"), ("b", "0.1"), ("c", "2.5"), ("d", "false")]


def test_pictures_are_put_into_a_folder(tmp_path: Path) -> None:
    files = gpusched.run("bfs", graph="kron:6", out=tmp_path, png=True).files
    assert sorted(file.suffix for file in files) == [".json", ".png", ".svg"]
    assert all(file.parent == tmp_path for file in files)


def test_timelines_are_arrays_of_what_the_document_lists() -> None:
    result = gpusched.run("bfs", graph="kron:6")
    listed, timeline = result.run.document["timeline"], result.timeline
    assert timeline.warp_cycles.dtype == numpy.uint64
    assert timeline.warp_cycles.shape == (len(listed["pending_cycles"]), 13)
    assert timeline.warp_cycles.ravel().tolist() == listed["warp_cycles"]
    assert timeline.pending_cycles.tolist() == listed["pending_cycles"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"mode": "flatt"}, "did you mean `flat`?"),
        ({"colour": "red"}, "unexpected argument '--colour'"),
        ({"colour": False}, "unexpected argument '--colour"),
        ({"mode": False}, "invalid value 'false'"),
        ({"help": True}, "unexpected argument '--help"),
        ({"set": {"l1.mshr": 3}}, "did you mean `l1.mshrs`?"),
        ({"set": {"l1.ways": [3]}}, "set.l1.ways: expected a word, a number"),
        ({"json": True}, "json: no option here"),
        ({"sched": "rr,fcfs"}, "a run takes one scheduler"),
        ({"png": True}, "--png: a run without a folder has no pictures"),
    ],
)
def test_what_makes_no_sense_is_said_as_the_command_says_it(options: dict[str, object], told: str) -> None:
    with pytest.raises(gpusched.UsageError, match="(?s).*" + told.replace("?", r"\?").replace("'", ".")) as raised:
        gpusched.run("bfs", graph="kron:6", **options)  # type: ignore[arg-type]
    assert isinstance(raised.value, ValueError)


def test_what_cannot_be_read_is_an_error_and_no_wrong_question() -> None:
    with pytest.raises(gpusched.Error, match="/nowhere.mtx") as raised:
        gpusched.run("bfs", graph="/nowhere.mtx")
    assert not isinstance(raised.value, gpusched.UsageError)


@pytest.fixture
def ctrl_c() -> Iterator[None]:
    """Ctrl-C has its usual effect, also where a shell has started the tests in the background and so has it ignored."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("ctrl_c")
def test_other_threads_run_meanwhile_and_ctrl_c_ends_a_run() -> None:
    meanwhile = threading.Timer(0.3, _thread.interrupt_main)
    meanwhile.start()
    with pytest.raises(KeyboardInterrupt):
        gpusched.run("lbm", set={"sm.count": 1})
    assert not meanwhile.is_alive()
    assert gpusched.run("bfs", graph="kron:6").metrics["cycles"] > 0
