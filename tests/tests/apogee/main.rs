//! APOGEE, sheet `apogee`: which test holds which rule is listed in `tests/README.md`.

mod vectors;
