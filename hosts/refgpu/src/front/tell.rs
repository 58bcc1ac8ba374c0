//! What the front end tells: what has become of what it was told, how full it is, what it waits for, what it has counted.

use gpusched::dats::NodeId;
use gpusched::power::{BubbleStats, PState};
use gpusched::{Fault, KernelSlot, Sched, SmxId, State, Words};

use super::decide::{DecideStats, Deciding};
use super::{Arrival, Depths, Front};
use crate::power::SmxState;
use crate::stats::{DatsStats, LaPermStats, PendingStats, RecordStats};

/// What the front end and its parts counted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FrontStats {
    /// The front end.
    pub front: gpusched::Stats,
    /// Waiting launches.
    pub pending: PendingStats,
    /// Who decided which TB goes where, if it was not the front end.
    pub decide: Option<DecideStats>,
    /// LaPerm, if that is the policy.
    pub laperm: Option<LaPermStats>,
    /// The bubble controller, if there is one.
    pub bubble: Option<BubbleStats>,
    /// The dependency-graph buffer, if there is one.
    pub dats: Option<DatsStats>,
    /// Launch records, if kernels launch and they lie in memory.
    pub records: Option<RecordStats>,
}

impl Front {
    /// What the scheduler has come to see since the last call.
    pub fn take_arrived(&mut self) -> std::vec::Drain<'_, Arrival> {
        self.watch.arrived.drain(..)
    }

    /// The entries that kernels have left since the last call, each with whether its kernel is suspended.
    pub fn take_left(&mut self) -> std::vec::Drain<'_, (KernelSlot, bool)> {
        self.watch.left.drain(..)
    }

    /// The tags of kernels that have ended since the last call.
    pub fn take_ended(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.watch.ended)
    }

    /// How full queues and tables are.
    #[must_use]
    pub fn depths(&self) -> Depths {
        Depths { pending: self.watch.pending() as u32, ..self.watch.depths }
    }

    /// What the scheduler's and the KMU's words were before cycle `until`.
    ///
    /// # Errors
    /// `TimeOverflow`.
    pub fn words(&mut self, until: u64) -> Result<Words, Fault> {
        self.catch_up(until)?;
        Ok(self.words)
    }

    /// Pending launches, summed over the cycles before `until`.
    pub fn pending_cycles(&mut self, until: u64) -> u64 {
        self.watch.count_until(until);
        self.watch.stats.cycles
    }

    /// Statistics before cycle `until`.
    ///
    /// # Errors
    /// `TimeOverflow`.
    pub fn stats(&mut self, until: u64) -> Result<FrontStats, Fault> {
        self.catch_up(until)?;
        self.watch.count_until(until);
        Ok(FrontStats {
            front: self.core.stats(),
            pending: self.watch.stats,
            decide: self.deciding.as_ref().map(|deciding| deciding.stats(&self.core.stats())),
            laperm: self.core.config().laperm().map(|_| self.watch.laperm),
            bubble: self.core.bubble().map(|controller| controller.stats()),
            dats: self.core.config().dats.map(|_| self.graph.stats().with_words(&self.words)),
            records: self
                .records
                .as_ref()
                .map(|records| RecordStats { wait_cycles: self.words.load, ..records.stats() }),
        })
    }

    /// The states of the SMXs, if a sample of the bubble controller was among the decisions since the last call.
    pub fn new_states(&mut self) -> Option<impl Iterator<Item = SmxState>> {
        if !std::mem::take(&mut self.watch.sampled) {
            return None;
        }
        let controller = self.core.bubble()?;
        let draining = controller.registers().drn;
        let state = move |s| SmxState::of(controller.pstate(s).unwrap_or(PState::High), draining.contains(s));
        Some(self.smxs().map(state))
    }

    /// Samples in which the bubble controller found each SMX in a bubble, if there is a controller.
    pub fn bubble_samples(&self) -> Option<impl Iterator<Item = u64>> {
        let controller = self.core.bubble()?;
        Some(self.smxs().map(move |s| controller.smx(s).map_or(0, |smx| smx.bubble)))
    }

    fn smxs(&self) -> impl Iterator<Item = SmxId> + use<> {
        (0..self.core.config().n_smx as u16).map(SmxId)
    }

    /// Whether time alone will bring the front end on: a launch is under way, or a transition to another P-state. A sample of the
    /// bubble controller is always to come and does not count, nor does the wish to be asked again of a policy that sends nothing although
    /// it could.
    #[must_use]
    pub fn is_under_way(&self, now: u64) -> bool {
        let samples = self.core.config().bubble.map(|part| u64::from(part.sample_cycles));
        let other = self.next != u64::MAX
            && self.declines().is_none()
            && samples.is_none_or(|period| !self.next.is_multiple_of(period));
        let moves = self.core.bubble().is_some_and(|controller| {
            self.smxs().any(|s| matches!(controller.pstate(s), Some(PState::Down | PState::Up)))
        });
        other || now < self.matures || moves
    }

    /// What the front end waits for.
    #[must_use]
    pub fn status(&self) -> State {
        self.core.status()
    }

    /// The policy that decides from outside, and its answers, if it sends nothing although it could.
    #[must_use]
    pub fn declines(&self) -> Option<&DecideStats> {
        let is_its = self.core.word() == Ok(Sched::Told);
        self.deciding.as_ref().filter(|_| is_its).map(Deciding::answers)
    }

    /// The node at which the dependency graph can never go on, if there is one.
    #[must_use]
    pub fn stuck_node(&self) -> Option<NodeId> {
        self.core.dgb().and_then(|dgb| dgb.deadlock())
    }
}
