"""The notebook's code and that of the README run."""

from __future__ import annotations

import json
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

PACKAGE = Path(__file__).parents[1]


def test_the_code_of_the_notebook_runs() -> None:
    cells = json.loads((PACKAGE / "examples" / "tour.ipynb").read_text())["cells"]
    names: dict[str, Any] = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec("".join(cell["source"]), names)  # as a notebook does, in one scope
    assert len({(tb.tag, tb.smx) for tb in names["sent"]}) == 4
    assert list(names["frame"]["ratio"])[0] == 1.0


def test_the_code_of_the_readme_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("agt.toml").write_text(
        "[[runs]]\nworkload = 'bfs'\ngraph = 'kron:6'\nmode = ['dtbl', 'dtbli']\nset.dtbl.agt_size = [16, 64]\n"
    )
    blocks = re.findall(r"^```python\n(.*?)^```", (PACKAGE / "README.md").read_text(), re.MULTILINE | re.DOTALL)
    assert len(blocks) == 5
    if find_spec("ray") is None:
        blocks = [block for block in blocks if "ray_study" not in block]
    names: dict[str, Any] = {}
    for block in blocks:
        exec(block.replace("kron:10", "kron:7"), names)
