//! What an SMX has room for, and what keeps a TB off it.

pub mod residency;
