//! Exact cycle skipping: spans in which nothing is decided go by at once (frontend-O4).

use core::ops::AddAssign;

use crate::base::cycle::{Cycle, first_of};
use crate::base::error::Fault;
use crate::frontend::tables::Tables;
use crate::frontend::{FrontEnd, Tick};
use crate::launch::cursor::Load;
use crate::launch::kmu::Kmu;
use crate::policy::Sched;
use crate::policy::doors::Doors;
use crate::probe::Probe;

/// How often each word was the answer in a run of cycles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Words {
    /// Cycles that sent a TB.
    pub tb: u64,
    /// Cycles without a marked kernel.
    pub idle: u64,
    /// Cycles that waited for a load.
    pub load: u64,
    /// Cycles without room.
    pub noroom: u64,
    /// Cycles in which a gate other than K was closed.
    pub gated: u64,
    /// Cycles in which no SMX took a TB whose class had its share of some (gate K).
    pub capped: u64,
    /// LaPerm: cycles whose candidate did not fit.
    pub no_fit: u64,
    /// LaPerm: cycles without a candidate for the visited SMX.
    pub no_candidate: u64,
    /// LaPerm: cycles that visited a masked SMX.
    pub masked: u64,
    /// Cycles in which a dependency graph had no node that was ready.
    pub g_no_ready: u64,
    /// Cycles in which the ready nodes waited for their successor's entry or for edges.
    pub g_head: u64,
    /// Cycles in which the ready node was too many levels ahead.
    pub g_level_bound: u64,
    /// Cycles in which the window could never move again.
    pub g_deadlock: u64,
    /// Cycles with a graph whose memory contradicts itself.
    pub g_fault: u64,
    /// Cycles in which the host decided to send nothing although it could.
    pub told: u64,
    /// KMU: cycles that issued a kernel.
    pub issue: u64,
    /// KMU: cycles without a waiting kernel.
    pub empty: u64,
    /// KMU: cycles in which its last dispatch was under way.
    pub busy: u64,
    /// KMU: cycles in which every entry was taken, or all that the contexts of those that wait may hold.
    pub kdfull: u64,
    /// KMU: cycles in which graphs waited for the dependency-graph buffer.
    pub dgbusy: u64,
    /// Cycles in which no GPC could take all TBs of a cluster, though an SMX could take one.
    pub frag: u64,
    /// Cycles in which a context had as many threads as its share allows.
    pub quota: u64,
}

impl Words {
    /// Counts `n` cycles that answered `tick`.
    pub fn count(&mut self, tick: &Tick, n: u64) {
        *match tick.sched {
            Sched::Tb(_) => &mut self.tb,
            Sched::Idle => &mut self.idle,
            Sched::Load => &mut self.load,
            Sched::NoRoom => &mut self.noroom,
            Sched::Gated => &mut self.gated,
            Sched::Capped => &mut self.capped,
            Sched::NoFit => &mut self.no_fit,
            Sched::NoCandidate => &mut self.no_candidate,
            Sched::Masked => &mut self.masked,
            Sched::GraphNoReady => &mut self.g_no_ready,
            Sched::GraphHead => &mut self.g_head,
            Sched::GraphLevelBound => &mut self.g_level_bound,
            Sched::GraphDeadlock => &mut self.g_deadlock,
            Sched::GraphFault => &mut self.g_fault,
            Sched::Told => &mut self.told,
            Sched::Frag => &mut self.frag,
            Sched::Quota => &mut self.quota,
        } += n;
        *match tick.kmu {
            Kmu::Issue => &mut self.issue,
            Kmu::Empty => &mut self.empty,
            Kmu::Busy => &mut self.busy,
            Kmu::KdFull => &mut self.kdfull,
            Kmu::DgBusy => &mut self.dgbusy,
        } += n;
    }
}

/// Every count, to be changed: a field that is not named here does not compile.
macro_rules! counts {
    ($words:ident: $($count:ident)+) => {{
        let Self { $($count),+ } = $words;
        [$($count),+]
    }};
}

impl Words {
    fn counts(&mut self) -> [&mut u64; 22] {
        counts!(self: tb idle load noroom gated capped no_fit no_candidate masked g_no_ready g_head g_level_bound g_deadlock g_fault told
            issue empty busy kdfull dgbusy frag quota)
    }

    /// Those of `n` runs like this one.
    fn times(mut self, n: u64) -> Self {
        self.counts().into_iter().for_each(|count| *count = count.saturating_mul(n));
        self
    }
}

/// Of one run behind another.
impl AddAssign for Words {
    fn add_assign(&mut self, mut more: Self) {
        self.counts().into_iter().zip(more.counts()).for_each(|(sum, more)| *sum = sum.saturating_add(*more));
    }
}

impl<T: Tables> FrontEnd<T> {
    /// Carries out `n` cycles without any event between them. Decisions, state, statistics and words are those of `n` calls of
    /// [`FrontEnd::tick`]; the work grows with what is decided, not with `n`.
    ///
    /// # Errors
    /// `Told` if the host decides; `TimeOverflow` if the span reaches the last cycle; then none is carried out.
    pub fn run(&mut self, n: u64, probe: &mut impl Probe) -> Result<Words, Fault> {
        if self.told.is_some() {
            return Err(Fault::Told);
        }
        if n > Cycle::MAX.since(self.board.now) {
            return Err(Fault::TimeOverflow);
        }
        let end = self.board.now.after(n);
        let mut words = Words::default();
        while self.board.now < end {
            if self.laperm.as_ref().is_some_and(|line| line.is_visiting(self.board.now)) {
                words += self.run_round(end, probe)?;
                continue;
            }
            let quiet_before = self.next_change().is_none_or(|t| t > self.board.now);
            let tick = self.tick(probe)?;
            words.count(&tick, 1);
            if quiet_before {
                // A cycle that decided nothing is followed by equal ones until something falls due.
                let until = self.next_change().map_or(end, |t| t.min(end).max(self.board.now));
                let skipped = until.since(self.board.now);
                words.count(&tick, skipped);
                self.pass(&tick.sched, skipped);
            }
        }
        Ok(words)
    }

    /// LaPerm visits another SMX in each cycle: one round of visits, cut short by a dispatch or by what falls due. A round in which
    /// nothing happened is followed by equal ones.
    fn run_round(&mut self, end: Cycle, probe: &mut impl Probe) -> Result<Words, Fault> {
        let n = u64::from(self.board.config.n_smx);
        let due = self.next_due().map_or(end, |t| t.min(end).max(self.board.now));
        let mut words = Words::default();
        for _ in 0..due.since(self.board.now).min(n).max(1) {
            let tick = self.tick(probe)?;
            words.count(&tick, 1);
            if matches!(tick.sched, Sched::Tb(_)) {
                return Ok(words);
            }
        }
        if due > self.board.now {
            let rounds = due.since(self.board.now).checked_div(n).unwrap_or(0);
            words += words.times(rounds);
            // None of their words is counted one by one.
            self.pass(&Sched::NoFit, rounds * n);
        }
        Ok(words)
    }

    /// Carries out cycles until one has decided something or `until` is the next one, whichever comes first: what
    /// [`FrontEnd::run`] would have done for them. Under LaPerm a cycle that [`FrontEnd::next_event`] announces because a unit is
    /// loaded in it may turn out to decide nothing; it ends the span, too.
    ///
    /// # Errors
    /// `Told` if the host decides; `TimeOverflow` if nothing is due and `until` is [`Cycle::MAX`]: time would end. Nothing is carried out then.
    pub fn advance(&mut self, until: Cycle, probe: &mut impl Probe) -> Result<Words, Fault> {
        if self.told.is_some() {
            return Err(Fault::Told);
        }
        let due = self.next_event().unwrap_or(Cycle::MAX);
        if due.min(until) == Cycle::MAX {
            return Err(Fault::TimeOverflow);
        }
        let mut words = self.run(due.min(until).since(self.board.now), probe)?;
        if self.board.now < until {
            words.count(&self.tick(probe)?, 1);
        }
        Ok(words)
    }

    /// The next cycle, `now` or later, whose `tick` decides something if no event comes before it; `None` if only an event can
    /// change anything. A host may call [`FrontEnd::run`] up to that cycle and obey the same decisions as one that steps.
    /// LaPerm's `refill_cycles` and `charge_insert` make cycles in which a unit is loaded; those are announced as well, since only
    /// a visit can tell whether it is sent (frontend-O4).
    #[must_use]
    pub fn next_event(&self) -> Option<Cycle> {
        if self.told.is_some() {
            return self.next_told();
        }
        let Self { board, fcfs_rr, laperm, graphs, .. } = self;
        let dispatch = match laperm.as_ref() {
            Some(line) => {
                let doors = Doors::of(board);
                let sends_node = graphs.as_ref().is_some_and(|graphs| graphs.sends_node(&doors));
                let visits = if sends_node { Some(0) } else { line.until_dispatch(&doors) };
                visits.map(|visits| board.now.after(visits.into()))
            }
            None => match self.ruled_line() {
                Some(modern) => modern.next_dispatch(board, fcfs_rr, graphs),
                None => fcfs_rr.next_dispatch(board, graphs),
            },
        };
        first_of([dispatch, self.next_of_time()])
    }

    /// When the next thing falls due that does not wait for the scheduler.
    pub(super) fn next_of_time(&self) -> Option<Cycle> {
        let is_pending = self.laperm.as_ref().is_some_and(|line| line.any_pending());
        let waiting = if is_pending { Some(self.board.now) } else { self.next_candidate() };
        let issue = waiting
            .filter(|_| self.board.kd.has_free())
            .map(|ready| ready.max(self.kmu.next_issue()).max(self.board.now));
        first_of([
            issue,
            self.next_arrival(),
            self.next_join(),
            self.next_visible(self.board.now.after(1)),
            self.bubble.as_ref().map(|bubble| bubble.at),
            self.next_saved(),
            self.grids.as_ref().and_then(|grids| grids.next_decision()),
            self.grids.as_ref().and_then(|grids| grids.next_start(&self.board)),
        ])
    }

    /// When a kernel waits that may be issued, were an entry free.
    pub(super) fn next_candidate(&self) -> Option<Cycle> {
        let held = self.held_contexts();
        let node = self.grids.as_ref().and_then(|grids| grids.next_candidate(held));
        first_of([self.board.next_candidate(held), node.map(|ready| ready.max(self.board.now))])
    }

    /// As [`FrontEnd::next_event`], and also when only a word or the progress of a load changes.
    fn next_change(&self) -> Option<Cycle> {
        self.next_due().into_iter().chain(self.next_event()).min()
    }

    /// When the next thing falls due that does not wait for the scheduler, or a word or the progress of a load changes.
    fn next_due(&self) -> Option<Cycle> {
        let dev = self.board.records.first_dev().map(|_| self.board.records.dev_ready());
        let loads = self.board.kd.fifo().filter_map(|k| match self.board.kd.get(k).cursor()?.load {
            Load::Waiting(until) => Some(until),
            _ => None,
        });
        // A unit that becomes visible in this cycle changes its word, even if no SMX takes it.
        let flush = self.grids.as_ref().and_then(|grids| grids.next_flush());
        let node = self.grids.as_ref().and_then(|grids| grids.next_candidate(0));
        let kmu = [dev, node, self.board.next_head(self.board.now), Some(self.kmu.next_issue())];
        let times = kmu.into_iter().chain([self.next_visible(self.board.now), flush]).flatten();
        let words = times.chain(loads).filter(|&t| t >= self.board.now);
        words.chain(self.next_of_time()).min()
    }

    /// LaPerm: when a unit on chip is loaded, from this cycle on.
    pub(super) fn next_visible(&self, from: Cycle) -> Option<Cycle> {
        self.laperm.as_ref()?.next_visible(from)
    }

    fn next_arrival(&self) -> Option<Cycle> {
        self.board.kd.next_arrival().map(|at| at.max(self.board.now))
    }

    fn next_join(&self) -> Option<Cycle> {
        self.board.records.first_agg().map(|_| self.board.records.agg_ready().max(self.board.now))
    }
}
