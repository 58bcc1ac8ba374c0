#!/usr/bin/env bash
# fuzz.sh [SECONDS]: runs every fuzz target for so long (30), from one seed, and fails with the input that fails. Needs a nightly
# toolchain. What the targets find interesting is kept in the target folder, so the next run begins where this ends.
#
# `cargo fuzz` runs them as well; installing it takes longer than this takes, so the compiler's options stand here.
set -euo pipefail
cd "$(dirname "$0")/../.."

seconds=${1:-30}
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")/fuzz
triple=$(rustc +nightly -vV | sed -n 's/^host: //p')
flags="--cfg fuzzing -Zsanitizer=address -Cpasses=sancov-module"
for option in level=4 inline-8bit-counters pc-table trace-compares stack-depth; do
    flags+=" -Cllvm-args=-sanitizer-coverage-$option"
done
# Comparisons stay apart, so that the fuzzer sees each.
flags+=" -Cllvm-args=-simplifycfg-branch-fold-threshold=0"
# Clang brings libFuzzer built; without clang its sources are compiled.
fuzzer=$(clang --print-runtime-dir 2>/dev/null || true)/libclang_rt.fuzzer-${triple%%-*}.a
[[ ! -f $fuzzer ]] || export CUSTOM_LIBFUZZER_PATH=$fuzzer

RUSTFLAGS=$flags cargo +nightly build --quiet --locked --release --manifest-path tests/fuzz/Cargo.toml --target "$triple" --target-dir "$target"
for source in tests/fuzz/fuzz_targets/*.rs; do
    name=$(basename "$source" .rs)
    printf '\n-- %s, %s s\n' "$name" "$seconds"
    mkdir -p "$target/corpus/$name" "$target/artifacts/$name"
    ASAN_OPTIONS=detect_odr_violation=0 "$target/$triple/release/$name" "$target/corpus/$name" \
        -seed=1 -max_total_time="$seconds" -max_len=4000 -len_control=0 -timeout=20 -verbosity=0 -print_funcs=0 -print_final_stats=1 \
        -artifact_prefix="$target/artifacts/$name/"
done
