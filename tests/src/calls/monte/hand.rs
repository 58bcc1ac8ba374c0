//! Runs over what warps access.

use gpusched::Fault;
use gpusched::models::monte::{Monte, Request, Slot, Tables, WarpTrace};

/// What warps access: their SM, and their requests in order.
pub type Trace = Vec<(u32, Vec<Request>)>;

/// Slots that a run of a trace needs.
#[must_use]
pub fn slots(trace: &Trace) -> usize {
    trace.iter().map(|(_, requests)| requests.len()).sum()
}

/// So many runs, the former ones forgotten.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub struct Simulate {
    pub trace: Trace,
    pub runs: u32,
    pub seed: u64,
}

/// The next run.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Run {
    /// What warps access.
    pub trace: Trace,
    /// Scratch memory: a slot per request if nothing is said.
    pub slots: Option<usize>,
}

/// Nothing.
pub type SimulateAnswer = ();
/// Nothing.
pub type RunAnswer = ();

fn warps(trace: &Trace) -> Vec<WarpTrace<'_>> {
    trace.iter().map(|(sm, requests)| WarpTrace { sm: *sm, requests }).collect()
}

impl Simulate {
    /// Makes the call.
    ///
    /// # Errors
    /// The machine's fault.
    pub fn apply<T: Tables>(&self, m: &mut Monte<T>) -> Result<(), Fault> {
        let Self { trace, runs, seed } = self;
        m.simulate(&warps(trace)[..], *runs, *seed, &mut vec![Slot::default(); slots(trace)])
    }
}

impl Run {
    /// Makes the call.
    ///
    /// # Errors
    /// The machine's fault.
    pub fn apply<T: Tables>(&self, m: &mut Monte<T>) -> Result<(), Fault> {
        let slots = self.slots.unwrap_or(slots(&self.trace));
        m.run(&warps(&self.trace)[..], &mut vec![Slot::default(); slots])
    }
}

#[cfg(feature = "tools")]
mod written {
    use anyhow::{Context, Result, bail};
    use gpusched::models::monte::{Request, SiteId};
    use gpusched_abi::convert::ToC;
    use gpusched_packed::{Bytes, Op, Record};
    use serde_json::Value;

    use super::{Run, Simulate, Trace, slots};
    use crate::pack::tape::{self, packed};
    use crate::replay::argument::{Argument, given};

    impl Simulate {
        /// The runs that a step of a vector says.
        ///
        /// # Errors
        /// A step that does not have the form of the vectors.
        pub fn read(step: &Value) -> Result<Self> {
            Ok(Self { trace: trace(step)?, runs: given(step, "runs")?, seed: given(step, "seed")? })
        }

        /// The runs as boards get them.
        pub fn packed(&self) -> (Op, Bytes) {
            let Self { trace, runs, seed } = self;
            let mut packed = packed!(MonteSimulate, seed, runs);
            write(trace, &mut packed.1);
            packed
        }
    }

    impl Run {
        /// The run that a step of a vector says.
        ///
        /// # Errors
        /// A step that does not have the form of the vectors.
        pub fn read(step: &Value) -> Result<Self> {
            Ok(Self { trace: trace(step)?, slots: None })
        }

        /// The run as boards get it.
        pub fn packed(&self) -> (Op, Bytes) {
            let slots = self.slots.unwrap_or(slots(&self.trace)) as u32;
            let mut packed = packed!(MonteRun, slots);
            write(&self.trace, &mut packed.1);
            packed
        }
    }

    impl Argument for Request {
        fn read(of: &Value) -> Result<Self> {
            let parts = [0, 1, 2].map(|i| of[i].as_u64().or(of[i].as_bool().map(u64::from)));
            let [Some(address), Some(store), Some(site)] = parts else { bail!("is not three numbers: {of}") };
            Ok(Self { address, site: SiteId(u16::try_from(site).unwrap_or(u16::MAX)), store: store != 0 })
        }
    }

    fn trace(step: &Value) -> Result<Trace> {
        let warps = step["warps"].as_array().context("`warps` is not a list")?;
        warps.iter().map(|warp| Ok((given(warp, "sm")?, given(warp, "reqs")?))).collect()
    }

    fn write(trace: &Trace, to: &mut Bytes) {
        tape::count(trace.len(), to);
        for (sm, requests) in trace {
            sm.put(to);
            requests.iter().map(ToC::to_c).collect::<Vec<_>>()[..].put(to);
        }
    }
}
