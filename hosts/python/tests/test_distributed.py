"""What studies on many machines promise. Ray itself is needed by one test only, which is skipped without it."""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from pathlib import Path

import gpusched
import pytest
from gpusched.distributed import Outcome, merge, missing, simulate

STUDY = """
base = { mode = "cdp" }
mean_over = ["graph"]
[[runs]]
workload = "bfs"
graph = ["kron:6", "cit:128"]
mode = ["cdp", "dtbl"]
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "modes.toml"
    path.write_text(STUDY)
    return path


def content(out: Path) -> dict[str, bytes]:
    """All files of a folder."""
    return {str(path.relative_to(out)): path.read_bytes() for path in sorted(out.rglob("*")) if path.is_file()}


@pytest.mark.parametrize("batch", [1, 3])
def test_batches_run_apart_and_merged_are_the_whole_study_byte_for_byte(file: Path, tmp_path: Path, batch: int) -> None:
    apart, whole = tmp_path / "apart", tmp_path / "whole"
    batches = missing(file, apart, batch)
    assert [len(part) for part in batches] == {1: [1, 1, 1, 1], 3: [3, 1]}[batch]
    # Not in order, as engines do.
    merge(apart, ((part, simulate(part)) for part in reversed(batches)))
    assert missing(file, apart) == []
    assert gpusched.study(file, out=apart) == gpusched.study(file, out=whole)
    assert content(apart) == content(whole)
    assert {path.rpartition(".")[2] for path in content(whole)} == {"json", "jsonl", "csv", "parquet", "svg"}


def test_a_batch_that_is_lost_is_named_and_is_all_that_is_left(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    lost, *others = missing(file, out)
    ended = [(lost, Outcome({}, None)), *((part, simulate(part)) for part in others)]
    with pytest.raises(gpusched.Error, match="workload = bfs, graph = kron:6, mode = cdp: no result came back"):
        merge(out, ended)
    assert missing(file, out) == [lost]


def test_a_result_of_another_build_or_of_another_run_is_not_kept(file: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    [(key, options)], [(other, _)], *_ = missing(file, out)
    text = simulate([(key, options)]).results[key]
    built = text.replace('"code": "', '"code": "0')
    for results, told in [({key: built}, "it is of build 0"), ({other: text}, "it is that of another run")]:
        with pytest.raises(gpusched.Error, match=told):
            merge(out, [([(key, options)], Outcome(results, None))])
    assert len(missing(file, out)) == 4


def test_a_batch_without_runs_is_refused(file: Path, tmp_path: Path) -> None:
    with pytest.raises(gpusched.UsageError, match="batch 0: expected at least one run"):
        missing(file, tmp_path / "out", 0)


def test_a_run_that_is_another_one_on_a_worker_is_not_simulated(file: Path, tmp_path: Path) -> None:
    [(key, options)], *_ = missing(file, tmp_path / "out")
    results, failure = simulate([(key, [*options, ("scale", "2")])])
    assert results == {} and failure is not None and "another one here" in failure


def test_a_run_that_fails_is_told_and_the_others_of_its_batch_are_kept(file: Path, tmp_path: Path) -> None:
    graph = tmp_path / "own.txt"
    graph.write_text("not a graph\n")
    file.write_text(STUDY.replace("cit:128", str(graph)))
    out = tmp_path / "out"
    [batch] = missing(file, out, 4)
    with pytest.raises(gpusched.Error, match="(?s)2 runs of 4 failed.*--graph=[^ ]*own.txt --mode=cdp"):
        merge(out, [(batch, simulate(batch))])
    assert missing(file, out, 4) == [batch[2:]]


def test_without_ray_it_is_said_how_to_install_it(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(gpusched.Error, match="pip install ray"):
        gpusched.ray_study(file)


def busy_worker() -> int:
    """A worker of this process's own Ray that simulates."""
    while True:
        for process in Path("/proc").glob("[0-9]*"):
            try:
                title = (process / "cmdline").read_bytes()
                parent = (process / "stat").read_text().rpartition(")")[2].split()[1]
                above = Path("/proc", parent, "stat").read_text().rpartition(")")[2].split()[1]
            except OSError:  # It has ended.
                continue
            if title.startswith(b"ray::simulate") and int(above) == os.getpid():
                return int(process.name)
        time.sleep(0.01)


def test_a_worker_that_is_killed_costs_nothing_but_its_run(file: Path, tmp_path: Path) -> None:
    ray = pytest.importorskip("ray")
    on_ray, here = tmp_path / "on-ray", tmp_path / "here"
    file.write_text(STUDY.replace("kron:6", "kron:9"))  # Long enough to be met.
    killed = []

    def kill() -> None:
        killed.append(busy_worker())
        os.kill(killed[0], signal.SIGKILL)

    with ray.init(address="local", num_cpus=3, include_dashboard=False):
        killer = threading.Thread(target=kill, daemon=True)
        killer.start()
        rows = gpusched.ray_study(file, out=on_ray)
    assert killed and rows == gpusched.study(file, out=here)
    assert content(on_ray) == content(here)
