#!/usr/bin/env bash
# Runs the C and C++ programs of the tests under sanitizers and valgrind. Needs clang with its runtime libraries, and valgrind. With
# a nightly Rust toolchain the library is instrumented, too; without one its memory accesses are checked by valgrind only, which
# looks at machine code and so at the library's as well.
set -euo pipefail
cd "$(dirname "$0")/../.."
target=${CARGO_TARGET_DIR:-target}
out=$target/sanitize-c
mkdir -p "$out"

misuses=(misuse misuse_config misuse_decisions misuse_frontend_graph misuse_laperm misuse_bubble misuse_graph misuse_dgb misuse_equalizer_sm misuse_equalizer_fm misuse_apogee misuse_mascar misuse_tlp_sm misuse_tlp_pool misuse_tlp_leftover misuse_tlp_smart_even misuse_tlp_smc misuse_stack misuse_scoreboard misuse_models misuse_monte)
all=(c/{quickstart,bubble,equalizer,tlp,wavefront,two_threads}.c cpp/{laperm,mascar,mini_simulator}.cpp)
for program in "${misuses[@]}"; do all+=("c/$program.c"); done
programs=("${all[@]}")
plain=$(tests/scripts/library.sh)

# library SANITIZER: the library, instrumented if it can be.
library() {
    local triple
    if ! cargo +nightly --version >/dev/null 2>&1; then
        echo "$plain"
        return
    fi
    triple=$(rustc +nightly -vV | sed -n 's/^host: //p')
    # The library is freestanding, so there is no std that would have to be instrumented with it.
    RUSTFLAGS="-Zsanitizer=$1 -Cunsafe-allow-abi-mismatch=sanitizer" CARGO_TARGET_DIR=$out/$1 \
        cargo +nightly rustc --quiet --release --target "$triple" -p gpusched-ffi --crate-type staticlib
    echo "$out/$1/$triple/release/libgpusched.a"
}

# build NAME COMPILER_OPTIONS LIBRARY: all programs, in a folder of that name.
build() {
    local program compiler
    mkdir -p "$out/bin/$1"
    for program in "${programs[@]}"; do
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
build address "-fsanitize=address,undefined -fno-sanitize-recover=all" "$(library address)"
for program in quickstart "${misuses[@]}" bubble equalizer tlp laperm mascar wavefront two_threads; do check "$bin/$program"; done
check "$bin/mini_simulator" 0 200

# The run-time library must be as new as what was instrumented last, so Rust's is taken.
bin=$out/bin/thread
runtime=$(find "$(rustc +nightly --print sysroot 2>/dev/null)" -name 'librustc*_rt.tsan.a' 2>/dev/null | head -n 1 || true)
options="-fsanitize=thread"
[[ -n $runtime ]] && options+=" -fno-sanitize-link-runtime -Wl,--whole-archive $runtime -Wl,--no-whole-archive -ldl -lm"
programs=(c/two_threads.c)
build thread "$options" "$(library thread)"
check "$bin/two_threads"
programs=("${all[@]}")

bin=$out/bin/plain
memcheck=(valgrind --quiet --error-exitcode=1 --leak-check=full)
build plain "" "$plain"
for program in quickstart bubble equalizer tlp laperm mascar wavefront; do check "${memcheck[@]}" "$bin/$program"; done
check "${memcheck[@]}" "$bin/mini_simulator" 0 10
# It compares whole objects, and so the padding between fields.
for program in "${misuses[@]}"; do check "${memcheck[@]}" --undef-value-errors=no "$bin/$program"; done
check valgrind --quiet --tool=helgrind --error-exitcode=1 "$bin/two_threads"
echo "no complaints"
