#!/usr/bin/env bash
# Counts the instructions of the front end's operations and compares them with tests/budget.txt. The cost of an operation
# must not grow with the launches that are pending. dispatch_132 is a dispatch on 132 SMXs instead of 13; dispatch_ruled is
# one of those where clusters, priorities, contexts and drains may rule the line; idle is a cycle in which nothing can
# happen. told_dispatch is a dispatch of a host that decides: it looks at the first offer, sends it round robin and ends the
# cycle, so that it makes three calls more in C. cdp_mixed keeps launches of 32 lane counts waiting. Those of lap are of the
# front end under LaPerm's Adaptive-Bind, lap_capped behind groups that gate K hides from every SMX; those of laperm are of
# that machine alone: a TB sent and another one ended, in the SMX's own unit and as a backup; and with a push besides. Those
# of dats are of the DGB alone: a TB of a wavefront ends, memory is asked and answers, another TB is dispatched; _calls
# counts the end and the dispatch without memory's part. Here "pending" is the side of the wavefront, on which the cost must
# not depend. Those of apogee are of a prefetcher alone: a load, of a full warp in steps of 4 bytes or of one address, told
# by a stride, or in _dense by all addresses; and _serve, what follows from the first: four requests popped, answered and
# filled. "pending" says nothing. Those of equalizer are samples, and samples that end an epoch and pause or wake a block;
# nothing is pending there either. Those of mascar are of one SM of 48 warps: a cycle in either mode, and a request
# presented and answered, new or from the queue. Those of tlp are of one SM with eight TBs of two kernels: a TB that ends
# and its successor, a dispatch that stalls, and a period: eight ends, the sample, eight dispatches. Those of SIMT execution
# and of the models are described in tests/src/{simt,models}/steady.rs.
#
# Each operation is counted for three drivers (see tests/src/driver.rs): plain, the core in Rust; recording, the core in Rust on
# slices with decisions written as C's records; c, the same through the C ABI. A step is three calls in C (a launch or a
# completion, tick, take) or four, so the difference of the last two is what C calls cost.
#
#   tests/scripts/instruction-budget.sh            fails if a count exceeds its budget by more than the tolerance
#   tests/scripts/instruction-budget.sh --record   writes the counts of this build as the new budget
#
# Needs valgrind. Counts are of user instructions in a release build, whatever the machine's load.
set -euo pipefail
shopt -s inherit_errexit # A count that fails counts nothing.
cd "$(dirname "$0")/../.."

tolerance=3 # percent
budget=tests/budget.txt
mode=${1:-check}
# Repetitions, before an operation is counted and while it is.
before=500
counted=1000

command -v valgrind >/dev/null || { echo "valgrind is not installed" >&2; exit 2; }
# Lines for backtraces make no instruction.
CARGO_PROFILE_RELEASE_DEBUG=false cargo build --quiet --release -p gpusched-tests --no-default-features --features count --bin count

# Driver, operation, pending. Of an operation with the name of a call behind it, that call alone is counted.
rows() {
    for operation in dispatch idle told_dispatch dtbl cdp cdp_mixed; do
        for pending in 16 1024; do
            echo plain "$operation" "$pending"
        done
        for driver in recording c; do
            echo "$driver" "$operation" 16
        done
    done
    for operation in dispatch_132 dispatch_ruled idle_132; do
        echo recording "$operation" 16
    done
    for operation in lap_dispatch lap_capped lap_dtbl laperm_own laperm_backup laperm_child; do
        for pending in 16 1024; do
            echo plain "$operation" "$pending"
        done
    done
    for operation in apogee_{foa,foa_dense,tia,tia_dense}_load apogee_foa_serve equalizer_sample equalizer_epoch_sample \
        mascar_{ep,mp}_pick mascar_{new,rexq}_port tlp_{turn,stall,period}; do
        for driver in plain c; do
            echo "$driver" "$operation" 16
        done
    done
    for operation in coalesce_{unit,scatter} stack_diverge scoreboard_use exec_model monte_run; do
        echo plain "$operation" 16
    done
    for operation in dats_lrr dats_lrr_calls dats_lvl dats_lvl_calls; do
        for side in 32 250; do
            echo plain "$operation" "$side"
        done
    done
}

out=$(mktemp -d)
trap 'rm -r "$out"' EXIT
rows >"$out/rows"

# One process counts all rows. What it writes at its marks are by turns the instructions before a row is counted, and the row's.
sed -E 's/_(calls|load|serve|pick|port) / /; s/ equalizer_epoch_sample / equalizer_epoch /' "$out/rows" |
    valgrind --quiet --tool=callgrind --dump-before=count::mark --combine-dumps=yes --compress-strings=no \
        --callgrind-out-file="$out/counts" "${CARGO_TARGET_DIR:-target}/release/count" "$before" "$counted"

# Instructions in a call are those of the function in tests/src/*/steady.rs that makes it, and of what it calls.
measured=$(awk -v counted="$counted" '
    function steady(name) { calls["gpusched_tests::" name] }
    # The functions that a row counts; without one, all is counted.
    function begin(row,    name) {
        split(row, name, " ")
        split("", calls)
        if (match(name[2], /_calls$/)) {
            steady("dats::steady::complete")
            steady("dats::steady::select")
        } else if (match(name[2], /^(apogee|equalizer|mascar)_/)) {
            call = name[2]
            sub(/.*_/, "", call)
            steady(substr(name[2], 1, RLENGTH - 1) "::steady::" call (name[1] == "c" ? "_through_c" : ""))
        }
    }
    function end() { if (part % 2 == 0 && part / 2 in rows) print rows[part / 2], int(sum / counted + 0.5) }
    NR == FNR { rows[NR] = $0; next }
    /^part: / { end(); part++; sum = 0; begin(rows[part / 2]) }
    /^totals: / && length(calls) == 0 { sum = $2 }
    /^cfn=/ { callee = substr($0, 5) }
    is_call && callee in calls { sum += $2 }
    { is_call = /^calls=/ }
' "$out/rows" "$out/counts")
[[ $(wc -l <<<"$measured") == $(wc -l <"$out/rows") ]] || { echo "not every row was counted" >&2; exit 1; }

if [[ $mode == --record ]]; then
    { echo "# driver, operation, launch records in use, instructions. Written by instruction-budget.sh --record."; echo "$measured"; } >"$budget"
    cat "$budget"
    exit
fi

# What an operation may cost more with 1024 launches pending than with 16, or in the larger graph, percent.
growth() {
    case $1 in
    laperm_child) echo 5 ;; # A short operation, in which the map of free rows touches one level more.
    cdp_mixed) echo 5 ;; # The same map, and a heap of as many FIFOs as there are lane counts.
    *) echo "$tolerance" ;;
    esac
}

# budget_of DRIVER OPERATION PENDING
budget_of() { awk -v d="$1" -v o="$2" -v p="$3" '$1 == d && $2 == o && $3 == p { print $4 }' "$budget"; }

failed=0
few=0
while read -r driver operation pending got; do
    allowed=$(budget_of "$driver" "$operation" "$pending")
    if [[ -z $allowed ]]; then
        echo "$driver $operation $pending: $got instructions, no budget"
        failed=1
    elif ((got == 0)); then
        echo "$driver $operation $pending: no instruction was counted"
        failed=1
    elif ((got * 100 > allowed * (100 + tolerance))); then
        echo "$driver $operation $pending: $got instructions, over its budget of $allowed"
        failed=1
    else
        echo "$driver $operation $pending: $got instructions, budget $allowed"
    fi
    if [[ $pending == 16 || $pending == 32 ]]; then
        few=$got
    elif ((got * 100 > few * (100 + $(growth "$operation")))); then
        echo "$operation: grows from $few instructions to $got with what is pending"
        failed=1
    fi
done <<<"$measured"

# README says what a dispatch costs.
costs="take $(budget_of plain dispatch 16) instructions on x86-64" in_c="$(budget_of c dispatch 16) through C"
if [[ $(tr -s ' \n' ' ' <README.md) != *"$costs"*"; $in_c"* ]]; then
    echo "README.md does not say that a completion and a dispatch $costs; $in_c, as $budget has it"
    failed=1
fi
exit "$failed"
