//! Arguments of `gpusched microbench`.

use super::{Machine, Pictures, Results};
use clap::Args;
use std::num::NonZeroUsize;

/// The machine that is measured.
#[derive(Debug, Args)]
pub struct Microbench {
    /// The machine.
    #[command(flatten)]
    pub machine: Machine,
    /// Simulations at a time; results do not depend on it [default: the machine's cores]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
    /// Where the results go.
    #[command(flatten)]
    pub results: Results,
    /// In which forms pictures go there.
    #[command(flatten)]
    pub pictures: Pictures,
}
