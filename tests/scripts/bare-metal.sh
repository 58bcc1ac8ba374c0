#!/usr/bin/env bash
# Builds the static libgpusched for machines without an operating system, holds it to needing nothing, and links and runs the
# smallest host with it: no libc, no start-up files, no other library. Prints what that takes: bytes of code and constants (text),
# and bytes of the front end's state. Then has the analytical models compute there, bit for bit as on x86-64.
#
#   tests/scripts/bare-metal.sh      needs clang, size, QEMU's user mode and the two Rust targets (see .ci/install)
set -eEuo pipefail
trap 'echo "bare-metal: line $LINENO failed: $BASH_COMMAND" >&2' ERR
cd "$(dirname "$0")/../.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
target_dir=${CARGO_TARGET_DIR:-target}
linker=$(find "$(rustc --print sysroot)/lib/rustlib" -name rust-lld | head -n 1)
flags="-std=c11 -Os -Wall -Wextra -Werror -ffreestanding -fomit-frame-pointer -ffunction-sections -fdata-sections -Iinclude"

# `cargo test` has built it, as a rule.
symbols=$target_dir/debug/symbols
[[ -x $symbols ]] || cargo build --quiet --profile test -p gpusched-tests --bin symbols

# TARGET, as clang names it and its options, and the emulator
check() {
    local target=$1 clang=$2 emulator=$3 archive=$target_dir/$1/release/libgpusched.a program=$scratch/$1 state
    echo "$target"
    cargo rustc --quiet --release -p gpusched-ffi --target "$target" --crate-type staticlib
    "$symbols" "$archive"

    for file in tests/cmake/smallest.c tests/bare-metal/start.c; do
        clang $clang $flags -c "$file" -o "$scratch/$(basename "$file" .c).o"
    done
    "$linker" -flavor gnu --gc-sections "$scratch/smallest.o" "$scratch/start.o" "$archive" -o "$program"
    (cd "$scratch" && size "$target")
    state=$($emulator "$program")
    echo "state of a front end of 8 SMXs: $state bytes"

    # The models: it ends with 0 if their doubles have the bits of x86-64.
    clang $clang $flags -c tests/c/models_bits.c -o "$scratch/models_bits.o"
    "$linker" -flavor gnu --gc-sections "$scratch/models_bits.o" "$scratch/start.o" "$archive" -o "$program-bits"
    $emulator "$program-bits" >"$scratch/bits"
    echo "the models' answers have the bits of x86-64"
}

check thumbv7em-none-eabihf "--target=thumbv7em-none-eabihf -mcpu=cortex-m4" qemu-arm
check riscv32imac-unknown-none-elf "--target=riscv32-unknown-elf -march=rv32imac -mabi=ilp32" qemu-riscv32
