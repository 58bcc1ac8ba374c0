#!/usr/bin/env python3
"""Turns what `tracer.hpp` wrote into a trace in Accel-Sim's form, version 5, for `gpusched run --trace`.

    convert.py FILE FOLDER

Each instruction of PTX becomes one of Volta, of the class that has its unit; lanes, addresses and dependencies are those of the simulator.
A register of PTX, predicates too, becomes a pair of numbers, so that accesses of several words touch no other one's.
"""
import collections
import itertools
import pathlib
import re
import sys

# By the first word of an opcode of PTX, and what stands for it where the type is one of floating point.
OPCODES = {
    "add": "IADD3", "sub": "IADD3", "min": "IMNMX", "max": "IMNMX", "mul": "IMUL", "mad": "IMAD", "neg": "IADD3", "abs": "IABS",
    "div": "MUFU", "rem": "MUFU", "sqrt": "MUFU", "rsqrt": "MUFU", "rcp": "MUFU", "sin": "MUFU", "cos": "MUFU", "ex2": "MUFU", "lg2": "MUFU",
    "and": "LOP3", "or": "LOP3", "xor": "LOP3", "not": "LOP3", "shl": "SHF", "shr": "SHF", "setp": "ISETP", "selp": "SEL",
    "mov": "MOV", "cvt": "I2I", "cvta": "MOV", "bra": "BRA", "bar": "BAR.SYNC", "ret": "EXIT", "exit": "EXIT", "membar": "MEMBAR",
}
FLOATING = {"add": "ADD", "sub": "ADD", "mul": "MUL", "fma": "FMA", "mad": "FMA", "setp": "SETP", "min": "MNMX", "max": "MNMX"}
UNITS = {"f32": "F", "f64": "D"}
MEMORY = {
    ("ld", "global"): "LDG.E", ("st", "global"): "STG.E", ("ld", "shared"): "LDS", ("st", "shared"): "STS", ("ld", "local"): "LDL",
    ("st", "local"): "STL", ("atom", "global"): "ATOMG", ("red", "global"): "RED", ("atom", "shared"): "ATOMS", ("ld", "const"): "LDC",
    ("ld", "param"): "LDC",
}
REGISTER = re.compile(r"%(?:rd|rs|fd|[rpfh])\d+")
SHARED, LOCAL = 0x7F4000000000, 0x7F2000000000


class Code:
    """An instruction of PTX: what the trace says of it each time it is executed."""

    def __init__(self, text, numbers):
        # The simulator tells an instruction's address and line in front of it.
        found = re.search(r"\) (?:.*:)?\s*(?:@!?(%p\d+)\s+)?([a-z]\w*(?:\.\w+)*)\s*([^;]*);", text)
        if not found:
            sys.exit(f"no instruction of PTX: {text}")
        guard, opcode, operands = found.groups()
        name, *words = opcode.split(".")
        kind = words[-1] if words else ""
        space = next((word for word in words if (name, word) in MEMORY), None)
        bits = int(re.sub(r"\D", "", kind) or 32) if space else 0
        self.width = 0 if space in (None, "const", "param") else max(bits // 8, 1)
        self.offset = {"shared": SHARED, "local": LOCAL}.get(space, 0)
        if space:
            self.opcode = MEMORY[name, space] + (f".{bits}" if bits > 32 else "")
        else:
            unit = next((UNITS[word] for word in words if word in UNITS), None)
            self.opcode = unit + FLOATING[name] if unit and name in FLOATING else OPCODES.get(name)
        if not self.opcode or {"v2", "v4", "f16", "f16x2"} & set(words):
            sys.exit(f"no opcode for {opcode}: {text}")
        first, _, rest = operands.partition(",")
        writes = name not in ("st", "red", "bra", "bar", "ret", "exit", "membar")
        dests = REGISTER.findall(first) if writes else []
        sources = REGISTER.findall(rest if writes else operands)
        number = lambda register: f"R{2 * numbers.setdefault(register, len(numbers))}"
        self.dests = [number(register) for register in dests]
        self.sources = [number(register) for register in sources + ([guard] if guard else [])]

    def line(self, pc, lanes, addresses):
        """The instruction as executed by these lanes."""
        registers = f"{len(self.dests)} {' '.join(self.dests + [self.opcode])} {' '.join([str(len(self.sources))] + self.sources)}"
        where = f"{self.width} 0 {' '.join(hex(self.offset + int(address, 16)) for address in addresses)}" if self.width and addresses else "0"
        return f"{pc} {int(lanes, 16):08x} {registers} {where} 0"


def read(file):
    """Kernels in the order of their numbers: what the tracer says of each, its instructions by TB and warp, its code and registers."""
    kernels, texts = {}, {}
    for line in file:
        first, *words = line.split()
        if first == "kernel":
            uid, name, *numbers = words
            kernels[int(uid)] = name, list(map(int, numbers)), collections.defaultdict(list), {}, {}
        elif first == "code":
            texts[words[0]] = line.split(None, 2)[2]
        else:
            tb, warp, pc, lanes, *addresses = words
            _, _, warps, code, numbers = kernels[int(first)]
            if pc not in code:
                code[pc] = Code(texts[pc], numbers)
            warps[int(tb), int(warp)].append(code[pc].line(pc, lanes, addresses))
    return sorted(kernels.items())


def write(path, uid, name, numbers, warps):
    """A kernel's file."""
    *shape, shared, registers = numbers
    grid, tb = shape[:3], shape[3:]
    bracket = lambda three: "({},{},{})".format(*three)
    with open(path, "w", encoding="ascii") as out:
        out.write(f"-kernel name = {name}\n-kernel id = {uid}\n-grid dim = {bracket(grid)}\n-block dim = {bracket(tb)}\n-shmem = {shared}\n"
                  f"-nregs = {(registers + 3) & ~3}\n-binary version = 70\n-cuda stream id = 0\n-shmem base_addr = {SHARED:#018x}\n"
                  f"-local mem base_addr = {LOCAL:#018x}\n-accelsim tracer version = 5\n-enable lineinfo = 0\n\n#traces format = PC mask dest_num "
                  "[reg_dests] opcode src_num [reg_srcs] mem_width [address_mode mem_addresses] immediate\n")
        for index, group in itertools.groupby(sorted(warps.items()), key=lambda warp: warp[0][0]):
            x, y, z = index % grid[0], index // grid[0] % grid[1], index // grid[0] // grid[1]
            out.write(f"\n#BEGIN_TB\n\nthread block = {x},{y},{z}\n")
            for (_, warp), lines in group:
                out.write(f"\nwarp = {warp}\ninsts = {len(lines)}\n" + "\n".join(lines) + "\n")
            out.write("\n#END_TB\n")


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[2])
    folder.mkdir(parents=True, exist_ok=True)
    with open(sys.argv[1], encoding="ascii") as file:
        kernels = read(file)
    for uid, (name, numbers, warps, _, registers) in kernels:
        if len(registers) > 127:
            sys.exit(f"{name}: {len(registers)} registers of PTX, of which the form of the trace can tell 127")
        write(folder / f"kernel-{uid}.traceg", uid, name, numbers, warps)
    names = [f"kernel-{uid}.traceg\n" for uid, _ in kernels]
    (folder / "kernelslist.g").write_text("".join(names), encoding="ascii")


if __name__ == "__main__":
    main()
