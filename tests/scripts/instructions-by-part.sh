#!/usr/bin/env bash
# Says what the instructions of the front end's operations do: how many are of which part of the source, whatever function they were
# inlined into. What it prints is tests/benches/PARTS.md.
#
#   tests/scripts/instructions-by-part.sh            prints the page
#   tests/scripts/instructions-by-part.sh --record   writes it
#
# Needs valgrind. The operations are those of instruction-budget.sh, which says what they are and how they are counted.
set -euo pipefail
shopt -s inherit_errexit
cd "$(dirname "$0")/../.."

command -v valgrind >/dev/null || { echo "valgrind is not installed" >&2; exit 2; }
# What is inlined is told apart by its lines.
CARGO_PROFILE_RELEASE_DEBUG=line-tables-only cargo build --quiet --release -p gpusched-tests --no-default-features --features count --bin count
out=$(mktemp -d)
trap 'rm -r "$out"' EXIT

before=500 counted=1000 rows=()
for operation in dispatch idle dtbl told_dispatch; do
    for driver in plain c; do
        rows+=("$driver $operation")
    done
done

for row in "${rows[@]}"; do
    valgrind --quiet --tool=callgrind --dump-before=count::mark --compress-strings=no --compress-pos=no \
        --callgrind-out-file="$out/counts" "${CARGO_TARGET_DIR:-target}/release/count" "$before" "$counted" <<<"$row 16"
    # The part between the two marks.
    awk -v row="$row" -v counted="$counted" '
        function part_of(file) {
            if (file ~ /\/tests\/src\//) return "the caller"
            if (file ~ /\/ffi\/abi\//) return "the C boundary: handle, room for decisions, record, status"
            if (file ~ /slice\/index|base\/(table|home)/) return "rows: address and bounds"
            if (file ~ /smx\/residency/) return "residency: room, slot, control register"
            if (file ~ /smx\/gates/) return "gates"
            if (file ~ /base\/(set|id)\./) return "sets: the choice of the SMX"
            if (file ~ /core\/src\/policy\//) return "the policy, and the seam of a host that decides"
            if (file ~ /core\/src\/launch\/|base\/free_map|base\/dim3|config\//) return "launches: checks, records, entries, groups"
            if (file ~ /core\/src\//) return "the front end: verbs, what is due, statistics"
            return "the standard library: options, integers, copies"
        }
        /^f[lie]=/ { file = substr($0, 4) }
        /^calls=/ { called = 1; next }
        /^[0-9]/ { if (!called) sum[part_of(file)] += $2; called = 0 }
        END { for (part in sum) printf "%s\t%s\t%.0f\n", row, part, sum[part] / counted }
    ' "$out/counts.2" >>"$out/parts"
done

page() {
    cat <<'PAGE'
# What the instructions do

Written by `tests/scripts/instructions-by-part.sh`: the instructions of one operation of `tests/budget.txt`, with 16 launches pending, by the part of the
source that they are of. A part that is inlined into another one counts for itself. The standard library's are those of this source that it
is asked for: whether there is a value, sums that saturate, copies of what is larger than a register.

PAGE
    awk -F'\t' '
        !($1 in column) { column[$1] = ++columns; name[columns] = $1 }
        { n[$2, $1] = $3; all[$1] += $3; weight[$2] += $3 }
        END {
            printf "| |"; for (c = 1; c <= columns; c++) printf " %s |", name[c]
            printf "\n|---|"; for (c = 1; c <= columns; c++) printf "--:|"
            print ""
            while (1) {
                most = ""
                for (part in weight) if (most == "" || weight[part] > weight[most]) most = part
                if (most == "") break
                printf "| %s |", most; for (c = 1; c <= columns; c++) printf " %d |", n[most, name[c]]
                print ""; delete weight[most]
            }
            printf "| all |"; for (c = 1; c <= columns; c++) printf " %d |", all[name[c]]
            print ""
        }
    ' "$out/parts"
}

if [[ ${1:-} == --record ]]; then
    page >tests/benches/PARTS.md
else
    page
fi
