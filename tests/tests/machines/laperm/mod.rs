//! LaPerm alone: golden vectors, rules, faults, random runs, every order of a few calls, images, the C ABI.

mod exhaustive;
mod faults;
mod images;
mod properties;
mod rules;
mod script;
