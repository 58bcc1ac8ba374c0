//! The catalogue of policies, sheet `catalogue`. Its vectors hold what each policy decides; here is what holds of all of them.

mod about;
mod cases;
mod equalities;
mod faults;
mod images;
mod invariants;
mod through_c;
