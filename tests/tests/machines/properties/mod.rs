//! Properties of random runs on tiny machines, where every table is soon full and every race soon happens.

/// Random tests: how many runs of which composition, with what else is random, and what each must show.
macro_rules! on_each {
    ($($(#[$doc:meta])* $name:ident: $runs:literal of $composition:ident $(, $more:expr)* => $test:expr;)*) => {
        $(
            $(#[$doc])*
            #[test]
            fn $name() {
                crate::every::check($runs, (crate::properties::compositions::$composition(), $($more,)*), $test);
            }
        )*
    };
}

mod against_model;
mod compositions;
pub mod configs;
mod cross;
mod gates;
mod graphs;
mod grids;
mod images;
mod invariants;
mod modern;
mod overlap;
mod parts;
mod reach;
pub mod script;
mod skipping;
mod through_c;
mod timed;
