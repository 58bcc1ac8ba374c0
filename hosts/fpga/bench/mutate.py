#!/usr/bin/env python3
"""Builds the mistakes of mutants.toml into copies of the sources, all of them at once: which of them is active, the variable MUTANT of
the environment says when the program runs, a number from 1; 0 for none.

    mutate.py OUT           writes the copies to OUT, and mutant.c, which reads the variable
    mutate.py --names       the names, one in a line, in the order of their numbers
"""
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
SOURCES = ("host.c", "events.c", "rtl/axi_lite.sv", "rtl/event_ring.sv", "rtl/decision_ring.sv", "rtl/gpusched_fpga.sv")
PACKAGE = "generated/gpusched_fpga_regs_pkg.sv"
CHOICE = 'package mutants_pkg;\nimport "DPI-C" pure function int bench_mutant();\nendpackage\n'
SWITCH = """#include <stdlib.h>

int bench_mutant(void);
int bench_mutant(void) {
    static int mutant = -1;
    if (mutant < 0) mutant = atoi(getenv("MUTANT") != NULL ? getenv("MUTANT") : "0");
    return mutant;
}
"""


def mutated(number, mutant, verilog):
    """What stands for `find`."""
    find, other = mutant["find"], mutant["with"]
    if verilog:
        active = f"(mutants_pkg::bench_mutant() == {number})"
        return f"if {active} begin {other} end else begin {find} end" if mutant.get("statement") else f"({active} ? ({other}) : ({find}))"
    active = f"(bench_mutant() == {number})"
    return f"if {active} {{ {other} }} else {{ {find} }}" if mutant.get("statement") else f"({active} ? ({other}) : ({find}))"


def main():
    mutants = tomllib.loads((HERE / "mutants.toml").read_text())["mutant"]
    if sys.argv[1:] == ["--names"]:
        print("\n".join(mutant["name"] for mutant in mutants))
        return 0
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    texts = {name: (ROOT / name).read_text() for name in SOURCES}
    for number, mutant in enumerate(mutants, 1):
        name, find = mutant["file"], mutant["find"]
        if name not in texts or texts[name].count(find) != 1:
            print(f"mutate.py: {mutant['name']}: '{find}' does not occur once in {name}", file=sys.stderr)
            return 1
        texts[name] = texts[name].replace(find, mutated(number, mutant, name.endswith(".sv")))
    out = Path(sys.argv[1])
    for name, text in texts.items():
        path = out / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text if name.endswith(".sv") else f"int bench_mutant(void);\n{text}")
    (out / PACKAGE).parent.mkdir(parents=True, exist_ok=True)
    (out / PACKAGE).write_text(CHOICE + (ROOT / PACKAGE).read_text())
    (out / "mutant.c").write_text(SWITCH)
    return 0


if __name__ == "__main__":
    sys.exit(main())
