#!/usr/bin/env bash
# fuzz.sh [SECONDS]: runs every fuzz target for so long (30), from one seed, and fails with the input that fails. Needs a nightly
# toolchain and cargo-fuzz. What the targets find interesting is kept in the target folder, so the next run begins where this ends.
set -euo pipefail
cd "$(dirname "$0")/../.."

seconds=${1:-30}
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")/fuzz
fuzz=(cargo +nightly fuzz)

"${fuzz[@]}" build --fuzz-dir tests/fuzz --target-dir "$target"
for name in $("${fuzz[@]}" list --fuzz-dir tests/fuzz); do
    printf '\n-- %s, %s s\n' "$name" "$seconds"
    mkdir -p "$target/corpus/$name" "$target/artifacts/$name"
    "${fuzz[@]}" run --fuzz-dir tests/fuzz --target-dir "$target" "$name" "$target/corpus/$name" -- \
        -seed=1 -max_total_time="$seconds" -max_len=4000 -len_control=0 -timeout=20 -verbosity=0 -print_funcs=0 -print_final_stats=1 \
        -artifact_prefix="$target/artifacts/$name/"
done
