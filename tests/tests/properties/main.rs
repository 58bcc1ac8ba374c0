//! Properties of random runs on tiny machines, where every table is soon full and every race soon happens.

mod against_model;
mod gates;
mod invariants;
mod reach;
mod script;
mod skipping;
