"""What ``gpusched.study`` promises."""

from __future__ import annotations

from pathlib import Path

import gpusched
import pytest


def test_a_study_is_rows_and_a_frame_and_nothing_is_run_twice(tmp_path: Path) -> None:
    file = tmp_path / "modes.toml"
    file.write_text("base = { mode = 'cdp' }\n[[runs]]\nworkload = 'bfs'\ngraph = 'kron:6'\nmode = ['cdp', 'dtbl']\n")
    rows = gpusched.study(file, out=tmp_path / "out")
    assert [row["options"]["mode"] for row in rows] == ["cdp", "dtbl"]
    assert rows[1]["metrics"]["cycles"] == gpusched.run("bfs", graph="kron:6", mode="dtbl").metrics["cycles"]
    frame = rows.to_pandas()
    assert list(frame["ratio"]) == [row["ratio"] for row in rows]
    assert list(frame["command"]) == [row["command"] for row in rows]
    kept = sorted((tmp_path / "out" / "runs").rglob("*.json"))
    times = [path.stat().st_mtime_ns for path in kept]
    assert len(kept) == 2 and gpusched.study(file, out=tmp_path / "out") == rows
    assert [path.stat().st_mtime_ns for path in kept] == times


def test_an_option_whose_values_are_numbers_is_a_column_of_numbers(tmp_path: Path) -> None:
    file = tmp_path / "sizes.toml"
    file.write_text("[[runs]]\nworkload = 'bfs'\ngraph = 'kron:6'\nset = { 'dtbl.agt_size' = [64, 256, 1024] }\n")
    frame = gpusched.study(file, out=tmp_path / "out").to_pandas()
    assert list(frame[frame["set.dtbl.agt_size"] >= 256]["set.dtbl.agt_size"]) == [256, 1024]
    assert list(frame["graph"]) == ["kron:6"] * 3


def test_what_is_wrong_in_a_study_is_said_with_its_place(tmp_path: Path) -> None:
    file = tmp_path / "wrong.toml"
    file.write_text("[[runs]]\nworkload = 'bfs'\nmode = 'flatt'\n")
    with pytest.raises(gpusched.UsageError, match="(?s)wrong.toml.*runs 1.*did you mean `flat`"):
        gpusched.study(file, out=tmp_path / "out")
