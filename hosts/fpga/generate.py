#!/usr/bin/env python3
"""Makes of registers.toml the C header, the SystemVerilog package and the tables of README.md.

    generate.py             writes them
    generate.py --check     fails if one of them is not what it would write
    generate.py --of FILE   takes another description and only checks it

The description is checked first: whatever is wrong is said with the name of what it is about, and nothing is written.
"""
import argparse
import hashlib
import json
import sys
import tomllib
from pathlib import Path

HERE = Path(__file__).resolve().parent
HEADER = HERE / "generated/gpusched_fpga_regs.h"
PACKAGE = HERE / "generated/gpusched_fpga_regs_pkg.sv"
README = HERE / "README.md"
BEGIN, END = "<!-- generated from registers.toml: begin -->\n", "<!-- generated from registers.toml: end -->\n"
NOTE = "Generated from registers.toml by generate.py; do not edit."
ACCESS = ("ro", "rw", "wo", "w1c")
KEYS = {
    "register": ({"name", "offset", "fields"}, set()),
    "register field": ({"name", "lsb", "width", "access", "reset", "meaning"}, set()),
    "memory": ({"name", "offset", "bytes", "access", "meaning"}, set()),
    "record": ({"name", "meaning", "fields"}, set()),
    "event": ({"name", "code", "words", "meaning"}, {"parts", "fields"}),
    "decision": ({"name", "words", "meaning"}, {"code", "fields"}),
    "entry field": ({"name", "word", "meaning"}, {"lsb", "width", "count", "record"}),
    "status": ({"name", "code", "meaning"}, set()),
}


class Wrong(Exception):
    """What is wrong with the description, and where."""


def need(condition, where, what):
    if not condition:
        raise Wrong(f"{where}: {what}")


# The description, checked ----------------------------------------------------------------------------------------------------


def check_keys(kind, item, where):
    required, optional = KEYS[kind]
    need(isinstance(item, dict), where, "is not a table")
    for key in sorted(required - item.keys()):
        raise Wrong(f"{where}: has no '{key}'")
    for key in sorted(item.keys() - required - optional):
        raise Wrong(f"{where}: unknown key '{key}'")
    need(isinstance(item["name"], str) and item["name"].replace("_", "").isalnum() and item["name"].isupper(), where,
         "a name is of capital letters, digits and _")
    for key in ("offset", "lsb", "word", "bytes", "code", "width", "count"):
        need(isinstance(item.get(key, 0), int) and item.get(key, 0) >= 0, where, f"'{key}' is not a number from 0")


def check_names(items, where):
    seen = set()
    for item in items:
        need(item["name"] not in seen, f"{where} {item['name']}", "the name is taken")
        seen.add(item["name"])


def check_bits(taken, bits, where):
    """Bits of a register or an entry: `bits` is a range of them, `taken` who has which."""
    for bit in bits:
        need(bit not in taken, where, f"overlaps {taken.get(bit)} in bit {bit % 32}")
        taken[bit] = where


def check_map(d):
    taken = {}
    for r in d["register"]:
        where = f"register {r.get('name', '?')}"
        check_keys("register", r, where)
        need(r["offset"] % 4 == 0, where, f"offset {r['offset']:#x} is not a multiple of 4")
        need(r["offset"] + 4 <= d["span"], where, f"offset {r['offset']:#x} is beyond the map")
        need(r["offset"] not in taken, where, f"overlaps {taken.get(r['offset'])} at {r['offset']:#x}")
        taken[r["offset"]] = where
        bits = {}
        need(r["fields"], where, "has no fields")
        for f in r["fields"]:
            here = f"{where}, field {f.get('name', '?')}"
            check_keys("register field", f, here)
            need(1 <= f["width"] and f["lsb"] + f["width"] <= 32, here, f"{f['width']} bits from bit {f['lsb']} do not lie in 32")
            need(f["access"] in ACCESS, here, f"access '{f['access']}' is none of {', '.join(ACCESS)}")
            check_bits(bits, range(f["lsb"], f["lsb"] + f["width"]), here)
            if f["reset"] != "logic":
                need(isinstance(f["reset"], int) and 0 <= f["reset"] < 1 << f["width"], here,
                     f"reset {f['reset']!r} is neither 'logic' nor a number of {f['width']} bits")
        check_names(r["fields"], f"{where}, field")
    for m in d["memory"]:
        where = f"memory {m.get('name', '?')}"
        check_keys("memory", m, where)
        need(m["access"] in ("ro", "wo"), where, f"access '{m['access']}' is none of ro, wo")
        need(m["bytes"] and m["offset"] % m["bytes"] == 0, where, "does not begin at a multiple of its size")
        need(m["offset"] + m["bytes"] <= d["span"], where, "ends beyond the map")
        for offset in range(m["offset"], m["offset"] + m["bytes"], 4):
            need(offset not in taken, where, f"overlaps {taken.get(offset)} at {offset:#x}")
            taken[offset] = where
    check_names(d["register"] + d["memory"], "register")


def words_of(item):
    """The least and the greatest length of an entry."""
    words = item["words"]
    return tuple(words) if isinstance(words, list) else (words, words)


def size_of(field, records):
    """Bits from the field's first to its last."""
    if "record" in field:
        return 32 * records[field["record"]]
    return field.get("width", 32) * field.get("count", 1)


def check_fields(item, where, records, length, taken):
    for f in item.get("fields", []):
        here = f"{where}, field {f.get('name', '?')}"
        check_keys("entry field", f, here)
        width, lsb = f.get("width", 32), f.get("lsb", 0)
        if "record" in f:
            need(f["record"] in records, here, f"no record '{f['record']}'")
            need(not f.keys() & {"lsb", "width", "count"}, here, "a record has its own width")
        elif width == 64 or "count" in f:
            need(lsb == 0 and width in (16, 32, 64), here, "an element has 16, 32 or 64 bits from bit 0")
        else:
            need(1 <= width and lsb + width <= 32, here, f"{width} bits from bit {lsb} do not lie in a word")
        first = 32 * f["word"] + lsb
        need(first + size_of(f, records) <= 32 * length, here, f"ends beyond word {length}")
        check_bits(taken, range(first, first + size_of(f, records)), here)
    check_names(item.get("fields", []), f"{where}, field")


def check_entries(d):
    records = {}
    for r in d["record"]:
        where = f"record {r.get('name', '?')}"
        check_keys("record", r, where)
        taken = {}
        check_fields(r, where, {}, d["entry_words"], taken)
        records[r["name"]] = max(taken) // 32 + 1
    for kind, codes in (("event", range(1, 256)), ("decision", range(64, 256))):
        head, seen = 4, {}
        for e in d[kind]:
            where = f"{kind} {e.get('name', '?')}"
            check_keys(kind, e, where)
            least, greatest = words_of(e)
            need(head <= least <= greatest <= d["entry_words"], where, f"words {e['words']} are not {head} to {d['entry_words']}")
            check_fields(e, where, records, greatest, {bit: f"record {kind.upper()}" for bit in range(32 * head)})
            if "code" in e:
                need(e["code"] in codes, where, f"code {e['code']} is not {codes.start} to {codes.stop - 1}")
                need(e["code"] not in seen, where, f"code {e['code']} is that of {seen.get(e['code'])}")
                seen[e["code"]] = e["name"]
    for s in d["status"]:
        check_keys("status", s, f"status {s.get('name', '?')}")
        need(s["code"] >= 2000, f"status {s['name']}", "those below 2000 are gpusched_status")
    check_names(d["record"] + d["event"] + d["decision"], "entry")
    check_names(d["status"], "status")
    codes = [s["code"] for s in d["status"]]
    for s in d["status"]:
        need(codes.count(s["code"]) == 1, f"status {s['name']}", f"code {s['code']} is taken")
    return records


def check_version(d):
    """Two programs that call their map by one version mean the same by it."""
    parts = {f["name"]: f["reset"] for r in d["register"] if r["name"] == "VERSION" for f in r["fields"]}
    version = f"{parts.get('MAJOR')}.{parts.get('MINOR')}"
    # Meanings may be put into other words.
    told = {kind: d[kind] for kind in ("span", "entry_words", "register", "memory", "record", "event", "decision", "status")}
    text = json.dumps(told, sort_keys=True, default=str)
    bare = json.loads(text, object_hook=lambda item: {key: value for key, value in item.items() if key != "meaning"})
    digest = hashlib.sha256(json.dumps(bare, sort_keys=True).encode()).hexdigest()[:16]
    have = d["layout"]
    if digest == have.get("digest"):
        need(version == have.get("version"), "layout", f"is that of version {have.get('version')}, and VERSION says {version}")
    need(digest == have.get("digest") or version != have.get("version"), "register VERSION",
         f"says {version}, as before the map changed: raise it")
    need(digest == have.get("digest"), "layout", f'the map is another one: write version = "{version}", digest = "{digest}"')


def load(path):
    try:
        d = tomllib.loads(path.read_text())
    except (OSError, tomllib.TOMLDecodeError) as error:
        raise Wrong(f"{path}: {error}") from error
    for key in ("layout", "span", "entry_words", "register", "memory", "record", "event", "decision", "status"):
        need(key in d, path.name, f"has no '{key}'")
    check_map(d)
    d["lengths"] = check_entries(d)
    seen = set()
    for name in (name for _, lines in constants(d) for name, _ in lines):
        need(name not in seen, f"constant {name}", "two items of the description would both have this name")
        seen.add(name)
    check_version(d)
    return d


# What is made of it ----------------------------------------------------------------------------------------------------------


def constants(d):
    """(group, [(name, value)]): what both languages are told."""
    yield "The map, in bytes", [("SPAN", d["span"]), ("ENTRY_WORDS", d["entry_words"])]
    for r in d["register"]:
        lines = [(r["name"], r["offset"])]
        for f in r["fields"]:
            name = f"{r['name']}_{f['name']}"
            lines += [(f"{name}_LSB", f["lsb"]), (f"{name}_WIDTH", f["width"])]
            if f["reset"] != "logic":
                lines.append((f"{name}_RESET", f["reset"]))
        yield None, lines
    yield "The rings", [(m["name"] + s, v) for m in d["memory"] for s, v in (("", m["offset"]), ("_BYTES", m["bytes"]))]
    for kind in ("record", "event", "decision"):
        for e in d[kind]:
            lines = []
            prefix = e["name"] if kind == "record" else f"{kind.upper()}_{e['name']}"
            if "code" in e:
                lines.append((prefix, e["code"]))
            if kind == "record":
                lines.append((f"{prefix}_RECORD_WORDS", d["lengths"][e["name"]]))
            elif words_of(e)[0] == words_of(e)[1]:
                lines.append((f"{prefix}_LENGTH", words_of(e)[0]))
            for f in e.get("fields", []):
                name = f"{prefix}_{f['name']}"
                lines.append((f"{name}_WORD", f["word"]))
                if "count" in f:
                    lines.append((f"{name}_COUNT", f["count"]))
                elif "record" not in f and f.get("width", 32) <= 32:
                    lines += [(f"{name}_LSB", f.get("lsb", 0)), (f"{name}_WIDTH", f.get("width", 32))]
            yield f"{kind.capitalize()} {e['name']}: {e['meaning']}", lines
    yield "Statuses", [(f"STATUS_{s['name']}", s["code"]) for s in d["status"]]


def header(d):
    out = ["// What the host program and the logic share: offsets in bytes, bits, words of entries.", f"// {NOTE}",
           "#ifndef GPUSCHED_FPGA_REGS_H", "#define GPUSCHED_FPGA_REGS_H"]
    for group, lines in constants(d):
        if group:
            out += ["", f"// {group}"]
        out += [f"#define GPUSCHED_FPGA_{name} {value:#x}u" if value > 255 else f"#define GPUSCHED_FPGA_{name} {value}u"
                for name, value in lines]
    out += ["", "// Events: X(name, code, least words, greatest words, whether it may have parts)",
            "#define GPUSCHED_FPGA_EACH_EVENT(X) \\"]
    out += [f"    X({e['name']}, {e['code']}, {words_of(e)[0]}, {words_of(e)[1]}, {int(e.get('parts', False))}) \\" for e in d["event"]]
    out[-1] = out[-1][:-2]
    out += ["", "// Statuses: X(name, code, meaning)", "#define GPUSCHED_FPGA_EACH_STATUS(X) \\"]
    out += [f"    X({s['name']}, {s['code']}, \"{s['meaning']}\") \\" for s in d["status"]]
    out[-1] = out[-1][:-2]
    out += ["", "// A field of a register's value or of an entry's word, taken out and put in.",
            "#define GPUSCHED_FPGA_GET(value, field) \\",
            "    (((value) >> GPUSCHED_FPGA_##field##_LSB) & (0xffffffffu >> (32u - GPUSCHED_FPGA_##field##_WIDTH)))",
            "#define GPUSCHED_FPGA_PUT(value, field) \\",
            "    (((value) & (0xffffffffu >> (32u - GPUSCHED_FPGA_##field##_WIDTH))) << GPUSCHED_FPGA_##field##_LSB)"]
    return "\n".join(out + ["", "#endif", ""])


def package(d):
    out = ["// What the host program and the logic share: offsets in bytes, bits, words of entries.", f"// {NOTE}",
           "package gpusched_fpga_regs_pkg;", "// Users take what they need.", "/* verilator lint_off UNUSEDPARAM */"]
    for group, lines in constants(d):
        if group:
            out += ["", f"// {group}"]
        out += [f"localparam int unsigned {name} = 32'h{value:x};" for name, value in lines]
    return "\n".join(out + ["", "/* verilator lint_on UNUSEDPARAM */", "endpackage", ""])


def bits_of(f):
    if "record" in f:
        return f["record"]
    width, lsb = f.get("width", 32), f.get("lsb", 0)
    if "count" in f:
        return f"{f['count']} x {width} bits"
    return {32: "whole", 64: "64 bits"}.get(width) or (str(lsb) if width == 1 else f"{lsb + width - 1}:{lsb}")


def tables(d):
    out = ["### Registers", "", "| offset | register | bits | field | access | reset | meaning |", "|---|---|---|---|---|---|---|"]
    for r in sorted(d["register"], key=lambda r: r["offset"]):
        for i, f in enumerate(r["fields"]):
            first = f"`{r['offset']:#05x}` | `{r['name']}`" if i == 0 else " | "
            reset = f["reset"] if isinstance(f["reset"], str) or f["reset"] < 256 else f"{f['reset']:#x}"
            bits = str(f["lsb"]) if f["width"] == 1 else f"{f['lsb'] + f['width'] - 1}:{f['lsb']}"
            out.append(f"| {first} | {bits} | `{f['name']}` | {f['access']} | {reset} | {f['meaning']} |")
    for m in d["memory"]:
        out.append(f"| `{m['offset']:#05x}` | `{m['name']}` | | {m['bytes']} bytes | {m['access']} | logic | {m['meaning']} |")
    for kind, title in (("record", "Parts of entries"), ("event", "Events: from the logic to the host"),
                        ("decision", "Decisions: from the host to the logic")):
        out += ["", f"### {title}", "", "| entry | code | words | field | word | bits | meaning |", "|---|---|---|---|---|---|---|"]
        for e in d[kind]:
            words = str(d["lengths"][e["name"]]) if kind == "record" else "-".join(str(w) for w in sorted(set(words_of(e))))
            words += ", parts" if e.get("parts") else ""
            out.append(f"| `{e['name']}` | {e.get('code', '')} | {words} | | | | {e['meaning']} |")
            out += [f"| | | | `{f['name']}` | {f['word']} | {bits_of(f)} | {f['meaning']} |" for f in e.get("fields", [])]
    out += ["", "### Statuses of the host program", "", "| status | name | meaning |", "|---|---|---|"]
    out += [f"| {s['code']} | `{s['name']}` | {s['meaning']} |" for s in d["status"]]
    return "\n".join(out) + "\n"


def readme(d):
    text = README.read_text() if README.exists() else BEGIN + END
    need(text.count(BEGIN) == 1 and text.count(END) == 1 and text.index(BEGIN) < text.index(END), README.name,
         "the lines between which the tables go are not there, once each")
    return text[: text.index(BEGIN) + len(BEGIN)] + "\n" + tables(d) + "\n" + text[text.index(END):]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--of", type=Path)
    options = parser.parse_args()
    try:
        d = load(options.of or HERE / "registers.toml")
        if options.of:
            return 0
        stale = []
        for path, text in ((HEADER, header(d)), (PACKAGE, package(d)), (README, readme(d))):
            if path.exists() and path.read_text() == text:
                continue
            if options.check:
                stale.append(str(path.relative_to(HERE)))
            else:
                path.write_text(text)
        need(not stale, "stale", f"{', '.join(stale)}: run generate.py")
    except Wrong as wrong:
        print(f"generate.py: {wrong}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
