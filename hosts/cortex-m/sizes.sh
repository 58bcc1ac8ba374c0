# What the smallest firmware takes with other sets of the core's parts: a table for README.md.

# Each set is the features of firmware/minimal, separated by commas, or `none`.
sets=(none dtbl dtbl,laperm dtbl,told dtbl,graphs dtbl,bubble dtbl,modern dtbl,launch2 dtbl,graphs,bubble,modern,launch2 dtbl,log)
declare -A set_is=(
    [none]="thread blocks, round robin"
    [dtbl]="DTBL: the smallest firmware"
    [dtbl,laperm]="DTBL, LaPerm instead of round robin"
    [dtbl,told]="DTBL, a policy of one's own instead"
    [dtbl,graphs]="DTBL, dependency-graph buffer"
    [dtbl,bubble]="DTBL, occupancy-bubble controller"
    [dtbl,modern]="DTBL, sheet \`modern\`"
    [dtbl,launch2]="DTBL, sheet \`launch2\`"
    [dtbl,graphs,bubble,modern,launch2]="the last four together"
    [dtbl,log]="DTBL, with a defmt log"
)

sizes() {
    local set chosen=${GPUSCHED_SETS:-${sets[*]}}
    [[ $chosen != *log* ]] || build_decoder
    cat <<EOF
| parts | flash | RAM | machine | stack | a tick that sends a TB | the end of a TB | another tick |
|---|---|---|---|---|---|---|---|
EOF
    # Thousands have a comma.
    for set in $chosen; do row "$set" | sed -E ':more; s/([0-9])([0-9]{3})\b/\1,\2/; t more'; done
    # The smallest firmware again lies where it is looked for.
    build_rust -p gpusched-minimal
}

# SET: its row. Instructions are counted by a second program, so that the first has nothing but the parts.
row() {
    local set=$1 program=$built/minimal-$1 report data machine stack calls
    build_set "${set/#none/}" "$program"
    report=$(run_set "$program")
    read -r machine stack < <(sed 's/.*machine \([0-9]*\), stack \([0-9]*\) of.*/\1 \2/' <<<"$report")
    data=$(data_of "$program")
    build_set "${set/#none/},count" "$program-count"
    # A line per kind of call, whose last numbers are the mean and the most.
    calls=$(run_set "$program-count" | awk 'NR > 1 { printf " %d, %d |", $(NF - 1), $NF }')
    echo "| ${set_is[$set]:-$set} | $(flash_of "$program") | $((data + stack)) | $machine | $stack |$calls"
}

# FEATURES, PROGRAM
build_set() {
    build_rust -p gpusched-minimal --no-default-features --features "$1"
    cp "$programs/release/minimal" "$2"
}

# PROGRAM: runs it, and shows its report. A log goes into a file of its own, and must be whole.
run_set() {
    local program=$1
    run "$program" -icount shift=8,sleep=off 2>&1 >"$program.defmt" || fail "$program ended with $?: 2 is a combination that the core refuses"
    if [[ $program == *log* ]]; then
        "$out/debug/decode" "$program" <"$program.defmt" >"$program.log" || fail "the log has errors: $program.log"
    fi
}
