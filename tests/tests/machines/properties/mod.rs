//! Properties of random runs on tiny machines, where every table is soon full and every race soon happens.

mod against_model;
mod configs;
mod gates;
mod graphs;
mod images;
mod invariants;
mod parts;
mod reach;
mod script;
mod skipping;
mod through_c;
