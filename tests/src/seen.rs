//! The states that an exploration has seen.

use std::collections::HashSet;

/// A set of states. Nobody chooses them so that they collide, which is what the standard library's hash guards against; explorations spent
/// a fifth of their time in it.
pub type Seen<S> = HashSet<S, foldhash::fast::FixedState>;
