//! Mascar, sheet `mascar`: which test holds which rule is listed in `tests/README.md`.

mod vectors;
