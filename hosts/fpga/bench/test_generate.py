#!/usr/bin/env python3
"""Descriptions that are wrong must be refused with a message that says where and what: each case changes registers.toml in one place."""
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CASES = (
    ("offset = 0x004", "offset = 0x006", "register VERSION: offset 0x6 is not a multiple of 4"),
    ("offset = 0x004", "offset = 0x000", "register VERSION: overlaps register ID at 0x0"),
    ("offset = 0x050", "offset = 0x4000", "register STALE_WRITES: offset 0x4000 is beyond the map"),
    ("offset = 0x050", "offset = 0x1000", "memory EVENTS: overlaps register STALE_WRITES at 0x1000"),
    ("offset = 0x2000", "offset = 0x2800", "memory DECISIONS: does not begin at a multiple of its size"),
    ('name = "GEOMETRY"', 'name = "CAPACITY"', "register CAPACITY: the name is taken"),
    ('{ name = "SLOTS", lsb = 16', '{ name = "SMXS", lsb = 16', "register GEOMETRY, field SMXS: the name is taken"),
    ('{ name = "SLOTS", lsb = 16', '{ name = "SLOTS", lsb = 15',
     "register GEOMETRY, field SLOTS: overlaps register GEOMETRY, field SMXS in bit 15"),
    ('{ name = "SLOTS", lsb = 16', '{ name = "SLOTS", lsb = 20', "register GEOMETRY, field SLOTS: 16 bits from bit 20 do not lie in 32"),
    ('lsb = 0, width = 1, access = "wo"', 'lsb = 0, width = 1, access = "w0"',
     "register DOORBELL, field DECISION: access 'w0' is none of ro, rw, wo, w1c"),
    ('width = 1, access = "wo", reset = 0', 'width = 1, access = "wo", reset = 2', "register DOORBELL, field DECISION: reset 2 is neither"),
    ('width = 1, access = "wo", reset = 0', 'width = 1, access = "wo", rest = 0', "register DOORBELL, field DECISION: has no 'reset'"),
    ('name = "ORIGIN"', 'name = "Origin"', "register Origin: a name is of capital letters"),
    ("code = 2\n", "code = 1\n", "event TB_DONE: code 1 is that of TIME"),
    ("code = 65", "code = 20", "decision REPLY: code 20 is not 64 to 255"),
    ("words = 27", "words = 26", "event GRAPH_LAUNCH, field GRAPH: ends beyond word 26"),
    ("words = 28", "words = 33", "decision SAMPLE: words 33 are not 4 to 32"),
    ('name = "GRAPH", word = 19', 'name = "GRAPH", word = 18',
     "event GRAPH_LAUNCH, field GRAPH: overlaps event GRAPH_LAUNCH, field KERNEL in bit 0"),
    ('name = "STREAM", word = 4, meaning = "The stream." },\n    { name = "RETAIN", word = 5, lsb = 0, width = 1, meaning = "The',
     'name = "STREAM", word = 3, meaning = "The stream." },\n    { name = "RETAIN", word = 5, lsb = 0, width = 1, meaning = "The',
     "event HOST_LAUNCH, field STREAM: overlaps record EVENT"),
    ('record = "GRAPH"', 'record = "GRAPHS"', "event GRAPH_LAUNCH, field GRAPH: no record 'GRAPHS'"),
    ("code = 2014", "code = 2013", "status WRONG_GEOMETRY: code 2013 is taken"),
    ("code = 2014", "code = 14", "status GAP: those below 2000"),
    ("span = 0x4000", "span = ", "Invalid value"),
    ("offset = 0x04c", "offset = 0x054", "register VERSION: says 1.0, as before the map changed: raise it"),
    ('name = "SMXS", lsb = 0, width = 16', 'name = "SMXS", lsb = 0, width = 12', "register VERSION: says 1.0, as before the map changed"),
    ('"MINOR", lsb = 0, width = 16, access = "ro", reset = 0', '"MINOR", lsb = 0, width = 16, access = "ro", reset = 1',
     'layout: the map is another one: write version = "1.1", digest = "'),
    ('layout = { version = "1.0"', 'layout = { version = "2.0"', "layout: is that of version 2.0, and VERSION says 1.0"),
)


def check_finds_what_is_stale(folder):
    """How many of these go wrong: files that are fresh pass, each that is not fails by its name."""
    wrong = 0
    for name in ("generate.py", "registers.toml", "README.md"):
        shutil.copy(ROOT / name, folder)
    shutil.copytree(ROOT / "generated", folder / "generated")
    for name in (None, "generated/gpusched_fpga_regs.h", "generated/gpusched_fpga_regs_pkg.sv", "README.md"):
        path = folder / (name or "README.md")
        fresh = path.read_text()
        path.write_text(fresh if name is None else fresh.replace("HOST_FAULT", "HOST_FAUL"))
        run = subprocess.run([folder / "generate.py", "--check"], capture_output=True, text=True)
        path.write_text(fresh)
        if run.returncode != (name is not None) or (name or "") not in run.stderr:
            print(f"test_generate.py: --check with {name or 'nothing'} stale gives {run.returncode}, {run.stderr.strip()}")
            wrong += 1
    return wrong


def main():
    text, wrong = (ROOT / "registers.toml").read_text(), 0
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "registers.toml"
        for old, new, message in ((None, None, ""), *CASES):
            if old is not None and text.count(old) < 1:
                print(f"test_generate.py: '{old}' is not in registers.toml")
                wrong += 1
                continue
            path.write_text(text if old is None else text.replace(old, new, 1))
            run = subprocess.run([ROOT / "generate.py", "--of", path], capture_output=True, text=True)
            if run.returncode != (0 if old is None else 1) or message not in run.stderr:
                print(f"test_generate.py: '{new}' gives {run.returncode}, {run.stderr.strip() or 'no message'}; not: {message}")
                wrong += 1
        wrong += check_finds_what_is_stale(Path(folder))
    print(f"  {len(CASES)} wrong descriptions are refused, each with its reason" if wrong == 0 else f"  {wrong} cases are wrong")
    return wrong != 0


if __name__ == "__main__":
    sys.exit(main())
