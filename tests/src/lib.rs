//! What the workspace's tests share: the replay of golden vectors.
//!
//! A vector is a JSON file that says which events a machine gets and what it must answer. [`replay`] drives a machine with one
//! and reports the first difference. Each mechanism has its own form, described in the README beside its vectors.

pub mod apogee;
pub mod bubble;
pub mod calls;
pub mod catalogue;
pub mod dats;
pub mod drain;
pub mod driver;
pub mod equalizer;
pub mod events;
#[cfg(feature = "tools")]
pub mod explore;
pub mod images;
pub mod invariants;
pub mod laperm;
pub mod machine;
pub mod mascar;
#[cfg(feature = "tools")]
pub mod mini_simulator;
#[cfg(feature = "tools")]
pub mod model;
pub mod models;
pub mod operation;
#[cfg(feature = "tools")]
pub mod pack;
#[cfg(feature = "tools")]
pub mod replay;
#[cfg(feature = "tools")]
pub mod seen;
pub mod simt;
pub mod stepping;
#[cfg(feature = "tools")]
pub mod symbols;
pub mod through_c;
pub mod tlp;
pub mod view;

/// The README's Rust is compiled and run with the documentation tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
