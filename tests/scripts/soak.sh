#!/usr/bin/env bash
# soak.sh [EVENTS [SEED]]: so many random events (1,000,000,000) on front ends of every composition, on all cores, from this seed (1):
# invariants, images, skipped cycles, everything's end, constant memory; see tests/fuzz/examples/soak.rs. A billion takes about half
# an hour of one core.
set -euo pipefail
cd "$(dirname "$0")/../.."
target=$(realpath -m "${CARGO_TARGET_DIR:-target}")/soak
CARGO_PROFILE_RELEASE_CODEGEN_UNITS=8 cargo run --quiet --locked --release --manifest-path tests/fuzz/Cargo.toml --target-dir "$target" \
    --example soak -- "${1:-1_000_000_000}" "${2:-1}" "$(nproc)"
