//! `replay-log LOG --against SCHED`: where a policy's decisions and a log's part, TB by TB.
//!
//! The log is followed: its kernels come, its TBs run and end as it says. At each TB that it places the policy is asked, of that state,
//! which one it would send next and where to; then it is made to send what the log sent. So each answer stands by itself: one parting is
//! not told again in all that follow from it. The policy's own host is not a front end but the log, through the seam (`core/spec/policy.md`).
//!
//! `machine.rs` says what is known, `floor.rs` and `unit.rs` hold the state, `asked.rs` the policy, `report.rs` tells.

mod asked;
mod floor;
mod machine;
mod report;
mod unit;

use super::catalogue::Catalogue;
use super::line::{Event, Wrong};
use super::log::{Log, Step};
use super::run::Run;
use crate::failure::Failure;
use crate::scheduler::Sched;
use asked::Asked;
use floor::{Floor, Placement, Shown};
use gpusched_refgpu::config::GpuConfig;
use machine::Known;

pub use report::{document, text};

/// Decisions after which a log's TBs are not where, or not what, this can follow.
const UNFOLLOWED: [&str; 5] = ["suspend", "save", "divert", "saved", "restore"];

/// What a policy says to each TB of a log.
#[derive(Debug, Default)]
pub struct Answers {
    /// TBs that the log places, and about which it was asked.
    pub placements: u64,
    /// TBs of clusters, about which it was not.
    pub of_clusters: u64,
    /// Times that it would send a TB of the same kernel or group.
    pub same_unit: u64,
    /// The same TB.
    pub same_tb: u64,
    /// Times that it would send the log's kernel or group to the same SMX.
    pub same_smx: u64,
    /// The same TB to the same SMX.
    pub same: u64,
    /// Times that it would send nothing.
    pub waits: u64,
    /// The first times that it would do something else.
    pub partings: Vec<Parting>,
}

/// A TB of the log for which the policy would do something else.
#[derive(Debug)]
pub struct Parting {
    /// Number of its line.
    pub line: u64,
    pub cycle: u64,
    pub log: Placement,
    /// What the policy would send; `None`: nothing.
    pub policy: Option<Placement>,
    /// The SMX to which it would send the log's kernel or group, if that were the only one.
    pub smx: Option<u32>,
}

impl Answers {
    /// Whether the policy would have decided all that the log did.
    pub fn agree(&self) -> bool {
        self.same == self.placements
    }
}

/// Reads a log to its end, and asks the policy about each TB; keeps so many partings.
pub fn ask(log: &mut Log, sched: &Sched, gpu: Option<&GpuConfig>, most: usize) -> Result<Answers, Failure> {
    let mut replay: Option<Replay> = None;
    let mut answers = Answers::default();
    log.each(&mut Catalogue::default(), |run, step| {
        let replay = match &mut replay {
            Some(replay) => replay,
            None => replay.insert(Replay::of(run, sched, gpu)?),
        };
        replay.take(step, &mut answers, most)
    })?;
    Ok(answers)
}

/// A log on its way.
#[derive(Debug)]
struct Replay {
    floor: Floor,
    policy: Asked,
}

impl Replay {
    fn of(run: &Run, sched: &Sched, gpu: Option<&GpuConfig>) -> Result<Self, Wrong> {
        let known = Known::of(&run.headers, gpu, sched)?;
        let policy = Asked::new(sched, &known.machine)
            .map_err(|why| Wrong::new("a policy that can be asked about this machine", format!("{sched}: {why}")))?;
        // The front end's own line has the higher priority first (modern-R2); policies of the catalogue sort for themselves.
        Ok(Self { floor: Floor::new(known, *sched == Sched::Fcfs), policy })
    }

    fn take(&mut self, step: &Step<'_>, answers: &mut Answers, most: usize) -> Result<(), Wrong> {
        let event @ Event { cycle, kind, uid, tb, smx, .. } = step.event;
        if UNFOLLOWED.contains(&kind) {
            let expected = "a log that a policy can be held against";
            return Err(Wrong::new(expected, format!("`{kind}`, whose effects a log does not tell in full")));
        }
        let placement = uid.zip(tb).zip(smx).map(|((uid, tb), smx)| Placement { uid, tb, smx });
        match (kind, uid, placement) {
            ("kernel" | "launch", Some(uid), _) => self.floor.launch(uid, &event),
            ("join", ..) if matches!(self.policy, Asked::Fcfs(_)) => {
                let found = "`join`: fcfs sends groups in the chain of their kernel; round-robin takes each by itself";
                Err(Wrong::new("a log without groups", found))
            }
            ("arrive" | "join", Some(uid), _) => self.floor.come(uid, cycle),
            ("tb", _, Some(at)) => {
                self.floor.check(at)?;
                if self.floor.is_asked_about(at.uid) {
                    self.ask(step.line, cycle, at, answers, most);
                } else {
                    answers.of_clusters += 1;
                }
                self.floor.send(at, cycle);
                Ok(())
            }
            ("end", _, Some(at)) => {
                let completion = self.floor.end(at, cycle)?;
                completion.iter().for_each(|completion| self.policy.done(completion));
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// What the policy would do where the log places this TB; then it follows.
    fn ask(&mut self, line: u64, cycle: u64, log: Placement, answers: &mut Answers, most: usize) {
        let policy = self.would(cycle, Shown::All);
        let smx = match policy {
            Some(policy) if policy.uid == log.uid => Some(policy.smx),
            _ => self.would(cycle, Shown::Only(log.uid)).map(|alone| alone.smx),
        };
        answers.placements += 1;
        answers.waits += u64::from(policy.is_none());
        answers.same_unit += u64::from(policy.is_some_and(|policy| policy.uid == log.uid));
        answers.same_tb += u64::from(policy.is_some_and(|policy| (policy.uid, policy.tb) == (log.uid, log.tb)));
        answers.same_smx += u64::from(smx == Some(log.smx));
        if policy == Some(log) {
            answers.same += 1;
        } else if answers.partings.len() < most {
            answers.partings.push(Parting { line, cycle, log, policy, smx });
        }
        if policy == Some(log) && self.policy.is_moved_by_questions() {
            return;
        }
        // A policy that would never send this stays as it is.
        let shown = [Shown::Forced(log.uid, log.smx), Shown::Alone(log.uid, log.smx)];
        let _ = shown.into_iter().any(|shown| self.policy.follow(&self.floor.sight(cycle, shown).view()));
    }

    fn would(&mut self, cycle: u64, shown: Shown) -> Option<Placement> {
        let sight = self.floor.sight(cycle, shown);
        let choice = self.policy.would(&sight.view())?;
        sight.meant(&choice)
    }
}
