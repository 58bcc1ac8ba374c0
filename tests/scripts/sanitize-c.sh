#!/usr/bin/env bash
# Runs the C and C++ programs of the tests under sanitizers and valgrind. Needs clang with its runtime libraries, and valgrind. With
# a nightly Rust toolchain the library is instrumented, too; without one its memory accesses are checked by valgrind only, which
# looks at machine code and so at the library's as well.
set -euo pipefail
cd "$(dirname "$0")/../.."
target=${CARGO_TARGET_DIR:-target}
out=$target/sanitize-c
mkdir -p "$out"

examples=(quickstart bubble equalizer tlp laperm mascar wavefront)
misuses=(tests/c/misuse*.c)
misuses=("${misuses[@]#tests/c/}")
programs=(c/{quickstart,bubble,equalizer,tlp,wavefront,two_threads}.c cpp/{laperm,mascar,mini_simulator}.cpp)
with_misuses=("${programs[@]}" "${misuses[@]/#/c/}")
misuses=("${misuses[@]%.c}")
plain=$(tests/scripts/library.sh)
nightly=$(cargo +nightly --version 2>/dev/null || true)

# The library, instrumented if it can be.
instrumented() {
    local triple
    if [[ -z $nightly ]]; then
        echo "$plain"
        return
    fi
    triple=$(rustc +nightly -vV | sed -n 's/^host: //p')
    # The library is freestanding, so there is no std that would have to be instrumented with it.
    RUSTFLAGS="-Zsanitizer=address -Cunsafe-allow-abi-mismatch=sanitizer" CARGO_TARGET_DIR=$out/address \
        cargo +nightly rustc --quiet --release --target "$triple" -p gpusched-ffi --crate-type staticlib
    echo "$out/address/$triple/release/libgpusched.a"
}

# build NAME COMPILER_OPTIONS LIBRARY PROGRAM...: them, in a folder of that name.
build() {
    local program compiler
    mkdir -p "$out/bin/$1"
    for program in "${@:4}"; do
        compiler=(clang -std=c11)
        [[ $program == *.cpp ]] && compiler=(clang++ -std=c++17)
        # Word splitting is what separates the options.
        # shellcheck disable=SC2086
        "${compiler[@]}" -g -O1 $2 -Wall -Wextra -Wpedantic -Wconversion -Werror -pthread -Iinclude "tests/$program" "$3" \
            -o "$out/bin/$1/$(basename "${program%.*}")"
    done
}

# check COMMAND...: must succeed; says what it printed if it does not.
check() {
    echo "$*"
    "$@" >"$out/log" 2>&1 || {
        cat "$out/log"
        exit 1
    }
}

export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
bin=$out/bin/address
build address "-fsanitize=address,undefined -fno-sanitize-recover=all" "$(instrumented)" "${with_misuses[@]}"
for program in "${examples[@]}" two_threads "${misuses[@]}"; do check "$bin/$program"; done
check "$bin/mini_simulator" 0 200

# Values that were never written, which only valgrind sees; and, with two threads, whether objects share anything. Those that misuse the
# library compare whole objects, and so the padding between fields; their accesses have been checked above, if the library could be
# instrumented.
bin=$out/bin/plain
memcheck=(valgrind --quiet --error-exitcode=1 --leak-check=full)
if [[ $nightly ]]; then
    build plain "" "$plain" "${programs[@]}"
else
    build plain "" "$plain" "${with_misuses[@]}"
    for program in "${misuses[@]}"; do check "${memcheck[@]}" --undef-value-errors=no "$bin/$program"; done
fi
for program in "${examples[@]}"; do check "${memcheck[@]}" "$bin/$program"; done
check "${memcheck[@]}" "$bin/mini_simulator" 0 10
check valgrind --quiet --tool=helgrind --error-exitcode=1 "$bin/two_threads"
echo "no complaints"
