//! The front end whose host decides which TB goes where (sheet `policy`): beside the model, by the sheet's equalities, in every order
//! of events, and with every fault.

mod configs;
mod decided;
mod equalities;
mod exhaustive;
mod faults;
mod hosts;
mod named;
mod pair;
mod random;
mod script;
