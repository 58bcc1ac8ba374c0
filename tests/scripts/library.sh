#!/usr/bin/env bash
# Builds libgpusched where `cargo test` builds it, too, and prints the path of the static library.
set -euo pipefail
cd "$(dirname "$0")/../.."
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")/tmp/libgpusched
CARGO_TARGET_DIR=$target cargo build --quiet --release -p gpusched-ffi
echo "$target/release/libgpusched.a"
