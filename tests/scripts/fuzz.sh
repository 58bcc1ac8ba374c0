#!/usr/bin/env bash
# Runs fuzz targets, and fails with the input that fails. Needs a nightly toolchain.
#
#   fuzz.sh [SECONDS [TARGET...]]     every target, or these, for so long each (30)
#   fuzz.sh --keep                    puts what was found since the last time into tests/fuzz/corpora: for each target the smallest set
#                                     of inputs that reaches all that was reached, and how long it has run by now
#
# What the targets find interesting lies in the target folder, so the next run begins where this ends. One of a minute or more begins
# where the corpora in the project end; reading those takes longer than a shorter one has.
#
# `cargo fuzz` runs the targets as well; installing it takes longer than this takes, so the compiler's options stand here.
set -euo pipefail
cd "$(dirname "$0")/../.."

kept=tests/fuzz/corpora
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")/fuzz
triple=$(rustc +nightly -vV | sed -n 's/^host: //p')
export ASAN_OPTIONS=detect_odr_violation=0
# Of inputs that reach as much as these do, the default schedule keeps books that take five times as long as running them.
options=(-max_len=4000 -len_control=0 -entropic=0 -timeout=60 -verbosity=0 -print_funcs=0)

build() {
    local flags="--cfg fuzzing -Zsanitizer=address -Cpasses=sancov-module" option
    for option in level=4 inline-8bit-counters pc-table trace-compares stack-depth; do
        flags+=" -Cllvm-args=-sanitizer-coverage-$option"
    done
    # Comparisons stay apart, so that the fuzzer sees each.
    flags+=" -Cllvm-args=-simplifycfg-branch-fold-threshold=0"
    # Clang brings libFuzzer built; without clang its sources are compiled.
    local fuzzer
    fuzzer=$(clang --print-runtime-dir 2>/dev/null || true)/libclang_rt.fuzzer-${triple%%-*}.a
    [[ ! -f $fuzzer ]] || export CUSTOM_LIBFUZZER_PATH=$fuzzer
    RUSTFLAGS=$flags cargo +nightly build --quiet --locked --release --manifest-path tests/fuzz/Cargo.toml --target "$triple" --target-dir "$target"
}

# fuzzer NAME ARGUMENT...
fuzzer() { "$target/$triple/release/$1" "${options[@]}" -artifact_prefix="$target/artifacts/$1/" "${@:2}"; }

# unpack NAME: adds the kept corpus to the one in the target folder
unpack() { [[ ! -f $kept/$1.tar.xz ]] || tar -xJf "$kept/$1.tar.xz" --skip-old-files -C "$target/corpus/$1"; }

# run SECONDS NAME: notes minutes, by the clock and of the processor, and executions of a run that found nothing wrong
run() {
    local seconds=$1 name=$2 corpus=$target/corpus/$2 stats
    printf '\n-- %s, %s s\n' "$name" "$seconds"
    mkdir -p "$corpus" "$target/artifacts/$name"
    if ((seconds >= 60)); then unpack "$name"; fi
    stats=$(mktemp)
    { TIMEFORMAT='took %R %U'; time fuzzer "$name" "$corpus" -seed=1 -max_total_time="$seconds" -print_final_stats=1; } 2>&1 | tee "$stats"
    awk -v OFS='\t' -v name="$name" '
        /^took/ { clock = $2; processor = $3 }
        /number_of_executed/ { n = $2 }
        END { print name, clock / 60, processor / 60, n }' "$stats" >>"$target/spent"
    rm "$stats"
}

# keep NAME: adds to its line of the table what was spent, and minimises its corpus
keep() {
    local name=$1 corpus=$target/corpus/$1 least
    unpack "$name"
    least=$(mktemp -d)
    fuzzer "$name" -merge=1 "$least" "$corpus" >"$target/merge-$name.log" 2>&1
    tar --sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner -C "$least" -cJf "$kept/$name.tar.xz" .
    awk -F '\t' -v OFS='\t' -v name="$name" -v inputs="$(find "$least" -type f | wc -l)" '
        $1 == name { clock += $2; processor += $3; runs += $4 }
        END { print name, sprintf("%.1f", clock), sprintf("%.1f", processor), runs, inputs }' "$kept/spent.tsv" "$target/spent"
    rm -r "$least"
}

names() { for source in tests/fuzz/fuzz_targets/*.rs; do basename "$source" .rs; done; }

if [[ ${1:-} == --keep ]]; then
    [[ -s $target/spent ]] || { echo "fuzz: nothing was run since the last time" >&2; exit 2; }
    build
    mkdir -p "$kept"
    touch "$kept/spent.tsv"
    {
        printf 'target\tminutes\tof the processor\texecutions\tinputs kept\n'
        for name in $(names); do
            if [[ -d $target/corpus/$name ]]; then keep "$name"; else grep -P "^$name\t" "$kept/spent.tsv" || true; fi
        done
    } >"$target/spent.tsv"
    mv "$target/spent.tsv" "$kept/spent.tsv"
    rm "$target/spent"
    column -t -s $'\t' "$kept/spent.tsv"
    exit
fi
seconds=${1:-30}
[[ $seconds =~ ^[1-9][0-9]*$ ]] || { sed -n '2,12s/^# \{0,1\}//p' "$0" >&2; exit 2; }
shift || true
build
mkdir -p "$target"
for name in ${*:-$(names)}; do
    [[ -f tests/fuzz/fuzz_targets/$name.rs ]] || { echo "fuzz: no target $name; there are $(names | xargs)" >&2; exit 2; }
    run "$seconds" "$name"
done
