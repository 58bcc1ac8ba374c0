//! LaPerm alone: what its tests share.

pub mod event;
pub mod heap;
pub mod view;
