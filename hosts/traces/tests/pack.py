#!/usr/bin/env python3
"""Packs a trace as tracers of version 6 do, with the command `zstd`: to have files of that form that do not come from the reader's own code.

    pack.py TRACEG TRACEZ [--piece INSTRUCTIONS] [--dictionary BYTES]

src/tracez.rs has the form. Clusters are left at zero where the text has none; `--dictionary 0` packs without one.
"""
import argparse
import pathlib
import re
import struct
import subprocess
import tempfile


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("text", type=pathlib.Path)
    parser.add_argument("packed", type=pathlib.Path)
    parser.add_argument("--piece", type=int, default=2048)
    parser.add_argument("--dictionary", type=int, default=64 * 1024)
    asked = parser.parse_args()
    head, *tbs = re.split(r"^#BEGIN_TB$", asked.text.read_text(), flags=re.M)
    lines = [line for tb in tbs for line in tb.splitlines() if re.match(r"[0-9a-f]+ [0-9a-f]+ ", line)]
    with tempfile.TemporaryDirectory() as folder:
        folder, using, dictionary = pathlib.Path(folder), [], b""
        if asked.dictionary:
            for i, line in enumerate(lines[::8]):
                (folder / f"{i}").write_text(line)
            command = ["zstd", "-q", "--train", *[str(folder / f"{i}") for i in range(len(lines[::8]))], f"--maxdict={asked.dictionary}", "-o", str(folder / "d")]
            subprocess.run(command, check=True)
            dictionary, using = (folder / "d").read_bytes(), ["-D", str(folder / "d")]
        out = bytearray(head.encode() + b"\0" + struct.pack("<2I", len(dictionary), asked.piece) + dictionary)
        index = bytearray(struct.pack("<I", len(tbs)))
        for tb in tbs:
            def three(key):
                found = re.search(rf"^{key} = (\d+),(\d+),(\d+)$", tb, re.M)
                return [int(n) for n in found.groups()] if found else [0, 0, 0]
            rank = re.search(r"^cluster rank = (\d+)$", tb, re.M)
            warps = re.split(r"^warp = (\d+)\ninsts = \d+\n", tb, flags=re.M)[1:]
            of = {int(warp): body.split("#END_TB")[0].strip().splitlines() for warp, body in zip(warps[::2], warps[1::2])}
            index += struct.pack("<11I", *three("thread block"), *three("cluster id"), *three("cluster cta"), int(rank.group(1)) if rank else 0, max(of) + 1)
            for warp in range(max(of) + 1):
                all_of = of.get(warp, [])
                pieces = [all_of[at:at + asked.piece] for at in range(0, len(all_of), asked.piece)]
                index += struct.pack("<2IQ", len(all_of), len(pieces), len(out)) + b"".join(struct.pack("<I", len(piece)) for piece in pieces)
                out += struct.pack("<2I", len(all_of), len(pieces))
                for piece in pieces:
                    text = "\n".join(piece).encode()
                    frame = subprocess.run(["zstd", "-q", "-3", "--no-check", f"--stream-size={len(text)}", *using, "-c"], input=text, check=True, capture_output=True).stdout
                    out += struct.pack("<I", len(frame)) + frame
        asked.packed.write_bytes(out + index + struct.pack("<Q", len(out)))


if __name__ == "__main__":
    main()
