//! Properties of random runs on tiny machines, where every table is soon full and every race soon happens.

mod against_model;
mod invariants;
mod script;
