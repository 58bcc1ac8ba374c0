//! LaPerm alone: what its tests share.

pub mod explore;
pub mod host;
pub mod invariants;
pub mod machine;
pub mod model;
pub mod steady;
pub mod view;

pub use crate::calls::laperm as event;
pub use gpusched_heap::laperm as heap;
