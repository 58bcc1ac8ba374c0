//! The C ABI over `gpusched`.
