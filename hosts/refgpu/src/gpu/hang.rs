//! Why a machine makes no progress: what everything waits for.

use std::collections::BTreeMap;
use std::fmt;

use gpusched::State;

use crate::front::FullPool;
use crate::sm::Wait;

/// What everything waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Launch calls wait for launch records, and what holds these waits for room on SMs, which the callers' TBs take.
    LaunchPool(FullPool),
    /// Warps, none of which can go on: SM, warp slot, and what the warp waits for.
    Warps(Vec<(u16, u32, Wait)>),
    /// No warp is resident, and this policy, which decides from outside, sends none of the TBs that it could.
    Policy {
        /// The policy.
        name: String,
        /// Its answers that were refused in the run, by the name of the fault.
        wrong: BTreeMap<String, u64>,
    },
    /// No warp is resident; what the front end says of itself.
    FrontEnd(State),
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::LaunchPool(pool) => {
                write!(
                    f,
                    "launch calls wait for the launch pool, and launches in the pool for room on the SMs, which the callers \
                     take: {pool}; {}",
                    pool.advice(false)
                )
            }
            Self::Warps(waits) => {
                let mut kinds = BTreeMap::<&str, (u32, u16, u32)>::new();
                for &(sm, warp, wait) in waits {
                    kinds.entry(words(wait)).or_insert((0, sm, warp)).0 += 1;
                }
                let kinds = kinds.iter().map(|(words, (n, sm, warp))| match n {
                    1 => format!("warp {warp} of SM {sm} {words}"),
                    _ => format!("warp {warp} of SM {sm} {words}, and {} more do", n - 1),
                });
                write!(f, "no resident warp can go on: {}", kinds.collect::<Vec<_>>().join("; "))
            }
            Self::Policy { name, wrong } => {
                write!(f, "no warp is resident, and the policy {name} sends none of the TBs that it could")?;
                for (i, (fault, times)) in wrong.iter().enumerate() {
                    write!(f, "{} {fault} {times}", if i == 0 { "; answers that were refused:" } else { "," })?;
                }
                f.write_str("; told.stall_limit and told.rescue = rr have round robin send for it")
            }
            Self::FrontEnd(status) => write!(f, "no warp is resident, and {}", of_front_end(*status)),
        }
    }
}

const fn words(wait: Wait) -> &'static str {
    match wait {
        Wait::Memory => "waits for a load",
        Wait::Operand => "waits for a functional unit's result",
        Wait::Barrier => "waits at a barrier that not all of the TB's warps reach",
        Wait::Launch => "waits for the front end to take a launch call, or for children to end",
        Wait::Time => "waits for a time that has not come",
        Wait::Unit => "waits for a free unit",
        Wait::Paused => "waits for its block to be woken",
    }
}

const fn of_front_end(status: State) -> &'static str {
    match status {
        State::Running => "the front end sends none of the TBs that it has",
        State::GraphStuck => "the dependency graph can never go on",
        State::GraphWait => "the dependency-graph buffer waits for memory",
        State::Gated => "caps or diverted SMs keep back every TB that waits",
        State::KdBlocked => "a kernel waits for an entry of the kernel distributor, and none will become free",
        State::Suspended => "a suspended kernel waits to be resumed",
        State::HwqBlocked => "a kernel waits in a queue that a retained kernel holds",
        State::Retained => "only retained kernels are left",
        State::Drained => "the front end has no work",
        State::WaitStuck => "every TB waits for the kernel in front of its own",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warps_are_told_by_what_they_wait_for() {
        let waits = vec![(0, 3, Wait::Barrier), (1, 0, Wait::Launch), (2, 5, Wait::Barrier)];
        assert_eq!(
            Cause::Warps(waits).to_string(),
            "no resident warp can go on: warp 3 of SM 0 waits at a barrier that not all of the TB's warps reach, and 1 more do; \
             warp 0 of SM 1 waits for the front end to take a launch call, or for children to end"
        );
    }
}
