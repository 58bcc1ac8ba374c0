#!/usr/bin/env bash
# Measures gpusched beside schedulers written by hand in C++ (tests/benches/comparator): plain, recording, through C, and with policies in
# C++ and Rust; time and instructions, on 13 and 132 SMXs, with up to a million launches pending. What it prints is
# tests/benches/RESULTS.md.
#
#   tests/scripts/compare-speed.sh            prints the page
#   tests/scripts/compare-speed.sh --record   writes it
#
# Both sides are built for this processor, without AVX-512 and SSE4a, which valgrind does not know: C++ with -O3, gpusched as it is released.
# Needs a C++ compiler and valgrind; it takes as long as two release builds and a quarter of an hour.
set -euo pipefail
cd "$(dirname "$0")/../.."

command -v valgrind >/dev/null || { echo "valgrind is not installed" >&2; exit 2; }

# Not where other builds are: they have other flags.
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")/native
export CARGO_TARGET_DIR=$target RUSTFLAGS="-C target-cpu=native" CARGO_PROFILE_RELEASE_DEBUG=false
flags=(-std=c++17 -O3 -march=native)
if [[ $(uname -m) == x86_64 ]]; then
    RUSTFLAGS+=" -C target-feature=-avx512f,-sse4a"
    flags+=(-mno-avx512f -mno-sse4a)
fi

cargo build --quiet --release -p gpusched-ffi
cargo build --quiet --release -p gpusched-tests --no-default-features --features compare --bin compare
"${CXX:-c++}" "${flags[@]}" tests/benches/comparator/comparator.cpp -o "$target/comparator"
"${CXX:-c++}" "${flags[@]}" -Iinclude tests/benches/comparator/through_c.cpp "$target/release/libgpusched.a" -o "$target/through_c"

if [[ ${1:-} == --record ]]; then
    "$target/release/compare" "$target/comparator" "$target/through_c" >"$target/RESULTS.md"
    mv "$target/RESULTS.md" tests/benches/RESULTS.md
else
    exec "$target/release/compare" "$target/comparator" "$target/through_c"
fi
