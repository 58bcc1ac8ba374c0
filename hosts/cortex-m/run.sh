# What the scripts of the boards have in common; each sets what is its own and sources this one.

# The board's parts, in order; most boards have all of these.
[[ -v parts ]] || parts=(install build replay workload minimal measure)
[[ ! -v frameworks ]] || parts+=(frameworks)

declare -A about=(
    [install]="what is missing: Debian packages, the Rust target"
    [build]="the packed vectors, the Rust firmware, libgpusched and the C firmware around it, the decoder of the log"
    [replay]="the golden vectors, through Rust and through C"
    [workload]="the built-in workload, through Rust (with its defmt log) and through C; both must end alike"
    [minimal]="the smallest firmware: within 32 KiB of RAM, and in Rust within ${minimal_flash:-} KiB of flash"
    [measure]="memory, and instructions per call"
    [frameworks]="the smallest firmware's machine under each framework (${frameworks[*]-}), with its defmt log"
    [sizes]="the table of what the smallest firmware takes with other sets of parts; not one of those in order"
    [c]="of build, replay and workload what concerns C, without the others; not one of those in order"
)
# Parts that are only done when they are named.
more=()
[[ " ${parts[*]} " != *" build "* ]] || more=(sizes c)

usage() {
    local part
    cat <<EOF
usage: hosts/cortex-m/$board [PART...]

Builds the firmware for QEMU's board, runs all of it and prints a report. Without a part it does everything; the parts, in order:

EOF
    for part in "${parts[@]}" "${more[@]}"; do printf '  %-11s %s\n' "$part" "${about[$part]}"; done
    cat <<EOF

GPUSCHED_SMXS=4..16, by default 8, says how many SMXs the machines of the built-in workload have. GPUSCHED_LTO=off builds all but the smallest firmware
in a third less time; their calls then take up to 69 % more instructions: a tick with joins 2,919 instead of 1,726, a tick that sends a TB
796 instead of 489. GPUSCHED_SETS="none dtbl,laperm" are the sets of parts that sizes measures, each the features of firmware/minimal or
none. What is built and logged lies in \${CARGO_TARGET_DIR:-target}/firmware.
EOF
}

trap 'echo "$board: line $LINENO failed: $BASH_COMMAND" >&2' ERR
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
source hosts/cortex-m/sizes.sh

smxs=${GPUSCHED_SMXS:-8}
target_dir=$(realpath -m "${CARGO_TARGET_DIR:-target}")
out=$target_dir/firmware
here=$PWD/hosts/cortex-m
programs=$out/$target
built=$out/$board
# Seconds after which a program has gone astray. The longest takes a few.
limit=100
mkdir -p "$built"

fail() {
    echo "$board: $*" >&2
    exit 1
}

[[ $smxs =~ ^([4-9]|1[0-6])$ ]] || fail "GPUSCHED_SMXS is \`$smxs\`: expected a number from 4 to 16"

# ---- the parts

install() {
    tests/scripts/packages.sh "${packages[@]}"
    if has_target; then return; fi
    if command -v rustup >/dev/null && rustup --quiet target add "$target"; then return; fi
    # Debian's compiler comes with the sources of the core library, so that they can be built for any target.
    tests/scripts/packages.sh rustc-web rust-web-src
}

has_target() { [[ -d $(rustc --print target-libdir --target "$target") ]]; }

# `cargo` for the target, by the toolchain's own core library or by Debian's sources of it.
cargo_for_target() {
    if has_target; then
        cargo "$@" --target "$target"
    else
        local linker triple=${target^^}
        linker=$(find "$(rustc --print sysroot)/lib/rustlib" -name rust-lld | head -n 1)
        [[ -x /usr/bin/rustc && -n $linker ]] || fail "neither rustup's $target nor Debian's rustc-web is installed"
        env RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 "CARGO_TARGET_${triple//-/_}_LINKER=$linker" \
            cargo "$@" --target "$target" -Z build-std=core,alloc,compiler_builtins \
            -Z build-std-features=compiler-builtins-mem
    fi
}

build_decoder() { (cd "$here/firmware" && CARGO_TARGET_DIR=$out cargo build --quiet --locked -p gpusched-decode); }

# -p PACKAGE...: programs in Rust
build_rust() { (cd "$here/firmware" && CARGO_TARGET_DIR=$out cargo_for_target build --quiet --locked --release "$@"); }

pack() {
    # A test of its package brings it, as `cargo test` has built it: built alone, its dependencies have other features, all anew.
    cargo test --quiet --no-run --test vectors
    "$target_dir/debug/pack" "$out/new.bin" --header "$out/packed_numbers.h" | tee "$out/packed.txt"
    # What has not changed keeps its time, so that nothing is built around it again.
    cmp --silent "$out/new.bin" "$out/vectors.bin" || mv "$out/new.bin" "$out/vectors.bin"
}

build_library() { cargo_for_target rustc --quiet --release -p gpusched-ffi --crate-type staticlib; }

build() {
    pack
    # Linking the library for C keeps one core busy, so the firmware is built beside it.
    build_library &
    local library=$!
    export GPUSCHED_VECTORS=$out/vectors.bin GPUSCHED_SMXS=$smxs
    build_decoder
    quickly build_rust -p gpusched-firmware
    build_rust -p gpusched-minimal
    wait "$library"
    build_c
}

build_c() {
    local c=$here/c
    compile replay 4096 4096 "$c"/replay/*.c "$c/replay/vectors.S"
    compile workload 4096 4096 "$c/toy.c" "$c/workload.c"
    # The library was built for speed and for every mechanism: only RAM keeps to the limit.
    compile minimal 256 32 "$c/minimal.c"
}

# NAME, KiB of flash, KiB of RAM, sources: a C program with the library
compile() {
    local name=$1 flash=$2 ram=$3
    shift 3
    "${cc[@]}" -std=c11 -Os -Wall -Wextra -Werror -ffreestanding -ffunction-sections -fdata-sections -nostdlib \
        -Iinclude -I"$out" "-DTOY_SMXS=${smxs}u" "-DVECTORS=\"$out/vectors.bin\"" \
        "$here/c/board.c" "$here/c/$start" "$@" "$target_dir/$target/release/libgpusched.a" \
        -Wl,--gc-sections,--no-warn-rwx-segments,-z,noexecstack \
        -Wl,--defsym=flash_origin="$flash_origin",--defsym=flash_length="${flash}K" \
        -Wl,--defsym=ram_origin="$ram_origin",--defsym=ram_length="${ram}K" \
        -T "$here/c/link.ld" -lgcc -o "$built/$name-c"
}

# PROGRAM, options of QEMU: runs it, and ends as it does
run() {
    local program=$1
    shift
    timeout "$limit" "${qemu[@]}" "$@" -display none -monitor none -serial none \
        -semihosting-config enable=on,target=native -kernel "$program"
}

# COMMAND...: builds in the quick way, if that was asked for
quickly() {
    if [[ ${GPUSCHED_LTO:-} == off ]]; then
        CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 "$@"
    else
        "$@"
    fi
}

replay() { replay_with "$programs/release/replay" "$built/replay-c"; }

# Vectors whose machines may take more than the boards' 4 MB: GPUs of today, and kernel graphs of the largest sizes.
largest=16

# PROGRAM...: each replays all that was packed and fits the board
replay_with() {
    local vectors skipped large expected program seen
    read -r vectors _ _ _ _ _ _ _ skipped _ < <(tail -n 1 "$out/packed.txt")
    for program in "$@"; do
        seen=$(run "$program" 2>&1) || fail "vectors failed: $seen"
        echo "$seen"
        large=$(grep -c "its machine takes more memory than there is" <<<"$seen" || true)
        ((large <= largest)) || fail "$large machines take more memory than there is: expected at most $largest"
        expected="$((vectors - large)) passed .*, 0 failed, $((skipped + large)) skipped"
        grep -q "$expected" <<<"$seen" || fail "not all that was packed was replayed: expected $expected"
    done
}

# PROGRAM, options of QEMU: runs one that logs; the decoded log is PROGRAM.log
run_logged() {
    local name=$1
    shift
    log=$built/$name.log
    run "$programs/release/$name" "$@" >"$log.defmt" || fail "$name failed; its log: $log.defmt"
    "$out/debug/decode" "$programs/release/$name" <"$log.defmt" >"$log" || fail "the log has errors: $log"
}

workload() {
    run_logged workload
    workload_in_c
    local c=$built/workload-c.txt seen
    # The log shows what each run is there for.
    local lines
    for seen in "Join {" "TB .* -> SMX" "Lap {" "GraphDone {" "Sample {" "order: P-state low" "order: P-state high"; do
        lines=$(grep -c "$seen" "$log") || fail "no line of $log has \"$seen\""
        echo "$lines lines of the log have \"$seen\""
    done
    grep -o "end of .*" "$log"
    diff <(grep -o "end of .*" "$log") <(grep -o "end of .*" "$c") || fail "the workload does not end alike in Rust and in C"
    echo "the same in C; the whole log: $log"
}

workload_in_c() {
    run "$built/workload-c" >"$built/workload-c.txt" 2>&1 || fail "the workload in C failed: $(<"$built/workload-c.txt")"
}

c() {
    pack
    build_library
    build_c
    replay_with "$built/replay-c"
    workload_in_c
    grep "end of " "$built/workload-c.txt"
}

# Cycles after which the loop of firmware/minimal has run all that its host launches.
loop_cycles=17694

minimal() {
    local which program report flash data stack
    for which in Rust C; do
        program=$programs/release/minimal
        [[ $which == Rust ]] || program=$built/minimal-c
        report=$(run "$program" 2>&1) || fail "the smallest firmware in $which failed: $report"
        flash=$(flash_of "$program") data=$(data_of "$program")
        stack=$(sed 's/.*stack \([0-9]*\) of.*/\1/' <<<"$report")
        data=$((data + stack))
        echo "$report"
        [[ $which == C || $report == *", cycles $loop_cycles,"* ]] || fail "not over after $loop_cycles cycles: $report"
        echo "minimal in $which: $flash bytes of flash, $data of RAM with the stack"
        [[ $which == C ]] || ((flash < minimal_flash * 1024)) ||
            fail "$flash bytes of flash are not below $minimal_flash KiB"
        ((data < 32 * 1024)) || fail "$data bytes of RAM are not below 32 KiB"
    done
}

# 16 ns of QEMU's time per instruction: a tick of the frameworks' clock is 6,250 instructions, and every run the same.
frameworks() {
    build_decoder
    quickly build_rust "${frameworks[@]/#/-pgpusched-}"
    local program cycles
    for program in "${frameworks[@]}"; do
        run_logged "$program" -icount shift=4,sleep=off
        tail -n 2 "$log"
        [[ $(grep -c "TB .* -> SMX" "$log") == 96 ]] || fail "not every TB is in the log: $log"
        # A task may see an end a cycle later than the loop.
        cycles=$(sed -n "s/.*end of $program: \([0-9]*\) cycles.*/\1/p" "$log")
        ((cycles >= loop_cycles && cycles < loop_cycles + 10)) || fail "over after $cycles cycles, in a loop after $loop_cycles"
        printf '%7d bytes of flash, %d of RAM without the stack: %s\n' "$(flash_of "$programs/release/$program")" \
            "$(data_of "$programs/release/$program")" "$program"
    done
}

measure() {
    # 256 ns of QEMU's time per instruction, so that a timer of 25 MHz tells instructions apart.
    run "$programs/release/measure" -icount shift=8,sleep=off
    local program
    echo "  flash     RAM  program, without its stack"
    for program in "$programs"/release/{workload,replay,measure,minimal} "$built"/{workload,replay,minimal}-c; do
        printf '%7d %7d  %s\n' "$(flash_of "$program")" "$(data_of "$program")" "$(basename "$program")"
    done
}

# Bytes of code, constants, and what is copied into RAM at the start.
flash_of() { size "$1" | awk 'NR == 2 { print $1 + $2 }'; }

# Bytes of RAM without the stack.
data_of() { size -A "$1" | awk '$1 ~ /^[.](data|bss|uninit)$/ { sum += $2 } END { print sum + 0 }'; }

# ---- which

for part in "$@"; do
    if [[ $part == --help || $part == -h ]]; then
        usage
        exit
    fi
    [[ " ${parts[*]} ${more[*]} " == *" $part "* ]] || fail "no part \`$part\`; there are: ${parts[*]} ${more[*]}"
done
(($# == 0)) || parts=("$@")
for part in "${parts[@]}"; do
    echo "-- $board: $part"
    "$part"
done
