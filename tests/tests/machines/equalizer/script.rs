//! Random runs of small machines: what a host that makes mistakes may do.

use gpusched::equalizer::{
    Average, Counts, FmConfig, FmState, HystMode, Idle, Majority, Objective, Pick, SmConfig, Step as Vote, VfMap,
    VfSteps, Votes, Warp, XmemRule,
};
use gpusched::{Cycle, SlotId};
use gpusched_tests::equalizer::{FmEvent, SmEvent, SmView, slot, smx};
use proptest::prelude::*;

fn votes() -> impl Strategy<Value = Votes> {
    let step = || prop_oneof![Just(Vote::Down), Just(Vote::Hold), Just(Vote::Up)];
    (step(), step()).prop_map(|(sm, mem)| Votes { sm, mem })
}

prop_compose! {
    fn numbers()(
        max_warps in prop_oneof![8 => 4..=16u32, 1 => Just(128)],
        max_blocks in prop_oneof![8 => 1..=6u32, 1 => Just(32)],
        sample_interval in 1..=4u32,
        samples in 1..=4u32,
        bw_threshold in 0..=4u32,
        hysteresis in 1..=3u32,
        least in 1..=3u32,
        watchdog in prop_oneof![2 => Just(0u32), 3 => 1..=3u32],
        spare_bits in 0..=1u32,
    ) -> SmConfig {
        SmConfig {
            max_warps,
            max_blocks,
            sample_interval,
            epoch_cycles: sample_interval * samples,
            counter_bits: (32 - (max_warps * samples).leading_zeros()) + spare_bits,
            bw_threshold,
            hysteresis,
            min_blocks: least.min(max_blocks),
            watchdog,
            ..SmConfig::GTX480
        }
    }
}

prop_compose! {
    /// Configurations of small SMs, with every choice.
    pub fn sm_configs()(
        base in numbers(),
        alu_inclusive: bool,
        average in prop_oneof![Just(Average::Exact), Just(Average::Floor)],
        hyst_mode in prop_oneof![Just(HystMode::Same), Just(HystMode::Any)],
        objective in prop_oneof![Just(Objective::Energy), Just(Objective::Performance)],
        vf_map in prop_oneof![
            2 => Just(VfMap::TABLE),
            1 => Just(VfMap::PRINTED),
            1 => (votes(), votes(), votes(), votes()).prop_map(|(a, b, c, d)| VfMap {
                energy: VfSteps { comp: a, mem: b },
                performance: VfSteps { comp: c, mem: d },
            }),
        ],
        (pause_pick, unpause_pick) in (pick(), pick()),
        xmem_rule in prop_oneof![Just(XmemRule::Accept), Just(XmemRule::Any)],
        sync_active: bool,
    ) -> SmConfig {
        SmConfig {
            alu_inclusive, average, hyst_mode, objective, vf_map, pause_pick, unpause_pick, xmem_rule, sync_active, ..base
        }
    }
}

fn pick() -> impl Strategy<Value = Pick> {
    prop_oneof![Just(Pick::Youngest), Just(Pick::Oldest)]
}

prop_compose! {
    /// Configurations of a few SMs, with every choice.
    pub fn fm_configs()(
        sms in prop_oneof![8 => 1..=5u32, 1 => 63..=66u32, 1 => Just(256)],
        (sm_transition, mem_transition) in (0..=6u32, 0..=6u32),
        (step_permille, quorum) in (1..=999u32, 0..=4u32),
        majority in prop_oneof![Just(Majority::Strict), Just(Majority::Plurality)],
        idle in prop_oneof![Just(Idle::Hold), Just(Idle::Relax)],
    ) -> FmConfig {
        FmConfig { sms, sm_transition, mem_transition, quorum, step_permille, majority, idle }
    }
}

/// Something that the host of an SM does.
#[derive(Clone, Debug)]
pub enum SmStep {
    /// A kernel starts, if the SM is free for one; its shape, and whether that is impossible.
    Kernel(u32, u32, bool),
    /// The GWDE grants a request.
    Grant,
    /// The GWDE denies a request.
    Deny,
    Refill,
    /// One of the resident blocks ends.
    End(u8),
    /// A sample: what the active warps do, in shares of 4.
    Sample(u32, [u32; 3]),
    /// Samples up to the end of the epoch, all alike.
    Epoch(u32, [u32; 3]),
    Objective(Option<Objective>),
    Classify(Warp),
    Decide(Counts, u32, u32),
    /// Time passes, up to the next sample.
    Wait(u8),
    /// A mistake: an event at a wrong time, too late or too early.
    WrongTime(u8),
    /// A mistake: of a number.
    WrongNumber(u8),
}

fn warp() -> impl Strategy<Value = Warp> {
    any::<[bool; 8]>().prop_map(|[resident, paused, issued, valid, sync, ready, mem, accept]| Warp {
        resident,
        paused,
        issued,
        valid,
        sync,
        ready,
        mem,
        accept,
    })
}

/// Scripts of some length.
pub fn sm_script() -> impl Strategy<Value = Vec<SmStep>> {
    let shares = || {
        prop_oneof![
            // Waiting, X_alu, X_mem: of each kind of kernel, and any.
            3 => Just([0, 0, 4]),
            3 => Just([4, 0, 0]),
            2 => Just([0, 4, 0]),
            4 => (0..=4u32, 0..=4u32, 0..=4u32).prop_map(|(w, c, m)| [w, c.min(4 - w), m.min(4 - w - c.min(4 - w))]),
        ]
    };
    let active = || prop_oneof![6 => Just(u32::MAX), 2 => 0..=20u32];
    let sums = (0..=40u32, 0..=40u32, 0..=40u32, 0..=40u32).prop_map(|(active, waiting, xalu, xmem)| Counts {
        active,
        waiting,
        xalu,
        xmem,
    });
    let step = prop_oneof![
        4 => (1..=6u32, 1..=6u32, any::<bool>()).prop_map(|(w, l, keep)| SmStep::Kernel(w, l, keep)),
        12 => Just(SmStep::Grant),
        2 => Just(SmStep::Deny),
        2 => Just(SmStep::Refill),
        5 => any::<u8>().prop_map(SmStep::End),
        4 => (active(), shares()).prop_map(|(a, s)| SmStep::Sample(a, s)),
        16 => (active(), shares()).prop_map(|(a, s)| SmStep::Epoch(a, s)),
        1 => prop_oneof![Just(Some(Objective::Energy)), Just(Some(Objective::Performance)), Just(None)].prop_map(SmStep::Objective),
        1 => warp().prop_map(SmStep::Classify),
        2 => (sums, 0..=5u32, 0..=10u32).prop_map(|(sums, n, w)| SmStep::Decide(sums, n, w)),
        2 => any::<u8>().prop_map(SmStep::Wait),
        1 => any::<u8>().prop_map(SmStep::WrongTime),
        1 => any::<u8>().prop_map(SmStep::WrongNumber),
    ];
    prop::collection::vec(step, 1..120)
}

/// A host's memory.
#[derive(Clone, Debug)]
pub struct SmHost {
    config: SmConfig,
    now: u64,
    block: u64,
}

impl SmHost {
    pub fn new(config: &SmConfig) -> Self {
        Self { config: *config, now: 0, block: 0 }
    }

    fn counts(&self, view: &SmView, active: u32, shares: [u32; 3]) -> Counts {
        let warps = (view.state.w_cta * view.state.running).min(self.config.max_warps);
        let active = active.min(warps);
        let [waiting, xalu, xmem] = shares.map(|share| active * share / 4);
        Counts { active, waiting, xalu, xmem }
    }

    /// What a step is in the state that is seen.
    pub fn events(&mut self, step: &SmStep, view: &SmView) -> Vec<SmEvent> {
        let due = view.next_sample.0;
        let now = Cycle(self.now);
        let resident = (0..).map(SlotId).zip(&view.slots).filter(|(_, block)| block.is_some()).map(|(slot, _)| slot);
        vec![match *step {
            SmStep::Kernel(w_cta, limit, keep) => SmEvent::KernelStart { now, w_cta, limit, keep },
            SmStep::Grant => {
                self.block += 1;
                SmEvent::Grant { now, block: self.block }
            }
            SmStep::Deny => SmEvent::Deny { now },
            SmStep::Refill => SmEvent::Refill { now },
            SmStep::End(pick) => {
                let resident = resident.collect::<Vec<_>>();
                let Some(pick) = usize::from(pick).checked_rem(resident.len()) else { return Vec::new() };
                SmEvent::BlockEnd { now, slot: resident[pick] }
            }
            SmStep::Sample(active, shares) => {
                self.now = due;
                SmEvent::Sample { now: Cycle(due), counts: self.counts(view, active, shares) }
            }
            SmStep::Epoch(active, shares) => {
                let (interval, epoch) = (u64::from(self.config.sample_interval), u64::from(self.config.epoch_cycles));
                let end = due.next_multiple_of(epoch);
                self.now = end;
                let counts = self.counts(view, active, shares);
                let times = (due..=end).step_by(interval as usize);
                return times.map(|at| SmEvent::Sample { now: Cycle(at), counts }).collect();
            }
            SmStep::Objective(objective) => SmEvent::SetObjective { now, objective },
            SmStep::Classify(warp) => SmEvent::Classify { warp },
            SmStep::Decide(sums, samples, w_cta) => SmEvent::Decide { sums, samples, w_cta },
            SmStep::Wait(cycles) => {
                self.now = (self.now + u64::from(cycles % 4)).min(due);
                return Vec::new();
            }
            SmStep::WrongTime(kind) => {
                let missed = Cycle(due + 1 + u64::from(kind / 16));
                let counts = Counts::default();
                match kind % 8 {
                    0 => SmEvent::Refill { now: Cycle(self.now.wrapping_sub(1)) },
                    1 => SmEvent::Sample { now, counts },
                    2 => SmEvent::Sample { now: missed, counts },
                    3 => SmEvent::Deny { now: missed },
                    4 => SmEvent::Grant { now: Cycle(1 << 63), block: 0 },
                    5 => SmEvent::Resync { now: Cycle(u64::MAX) },
                    _ => {
                        self.now = missed.0;
                        return vec![
                            SmEvent::SetObjective { now: missed, objective: Some(Objective::Energy) },
                            SmEvent::Resync { now: missed },
                        ];
                    }
                }
            }
            SmStep::WrongNumber(kind) => {
                let due = Cycle(due);
                let warps = self.config.max_warps;
                let of = |active, waiting, xmem| Counts { active, waiting, xalu: 0, xmem };
                match kind % 8 {
                    0 => SmEvent::BlockEnd { now, slot: slot(self.config.max_blocks) },
                    1 => SmEvent::BlockEnd { now, slot: SlotId(kind / 8) },
                    2 => SmEvent::Grant { now, block: self.block },
                    3 => SmEvent::Sample { now: due, counts: of(warps + 1, 0, 0) },
                    4 => SmEvent::Sample { now: due, counts: of(1, 1, 1) },
                    5 => SmEvent::Sample { now: due, counts: of(u32::MAX, u32::MAX, u32::MAX) },
                    6 => SmEvent::KernelStart { now, w_cta: warps + 1, limit: 1, keep: false },
                    _ => SmEvent::KernelStart { now, w_cta: 0, limit: u32::MAX, keep: true },
                }
            }
        }]
    }
}

/// Something that the host of a frequency manager does; SMs are taken modulo what there is.
#[derive(Clone, Debug)]
pub enum FmStep {
    Vote(u16, (i32, i32)),
    /// All enabled SMs that have not voted do, with so many of them for the first vote and the others for the second.
    Round(u8, (i32, i32), (i32, i32)),
    Close,
    Enable(u16, bool),
    Levels,
    Wait(u8),
    WrongTime(bool),
}

/// Scripts of some length.
pub fn fm_script() -> impl Strategy<Value = Vec<FmStep>> {
    let vote = || prop_oneof![8 => -1..=1i32, 1 => -2..=2i32];
    let votes = || (vote(), vote());
    let good = || (-1..=1i32, -1..=1i32);
    let step = prop_oneof![
        4 => (any::<u16>(), votes()).prop_map(|(sm, v)| FmStep::Vote(sm, v)),
        10 => (any::<u8>(), good(), good()).prop_map(|(n, a, b)| FmStep::Round(n, a, b)),
        2 => Just(FmStep::Close),
        3 => (any::<u16>(), any::<bool>()).prop_map(|(sm, on)| FmStep::Enable(sm, on)),
        2 => Just(FmStep::Levels),
        8 => any::<u8>().prop_map(FmStep::Wait),
        1 => any::<bool>().prop_map(FmStep::WrongTime),
    ];
    prop::collection::vec(step, 1..80)
}

/// A host's clock.
#[derive(Clone, Debug)]
pub struct FmHost {
    config: FmConfig,
    now: u64,
}

impl FmHost {
    pub fn new(config: &FmConfig) -> Self {
        Self { config: *config, now: 0 }
    }

    /// What a step is in the state that is seen.
    pub fn events(&mut self, step: &FmStep, view: &FmState) -> Vec<FmEvent> {
        let now = Cycle(self.now);
        // Now and then one that does not exist.
        let sm = |s: u16| smx(u32::from(s) % (self.config.sms + u32::from(s.is_multiple_of(16))));
        vec![match *step {
            FmStep::Vote(s, (sm_vote, mem_vote)) => FmEvent::Vote { now, sm: sm(s), sm_vote, mem_vote },
            FmStep::Round(first, a, b) => {
                let missing = view.enabled.without(&view.voted);
                let vote = |(i, sm)| {
                    let (sm_vote, mem_vote) = if i < usize::from(first % 6) { a } else { b };
                    FmEvent::Vote { now, sm, sm_vote, mem_vote }
                };
                return missing.iter().enumerate().map(vote).collect();
            }
            FmStep::Close => FmEvent::Close { now },
            FmStep::Enable(s, on) => FmEvent::Enable { now, sm: sm(s), on },
            FmStep::Levels => FmEvent::Levels { now },
            FmStep::Wait(cycles) => {
                self.now += u64::from(cycles % 8);
                return Vec::new();
            }
            FmStep::WrongTime(past) => {
                let at = if past { self.now.wrapping_sub(1) } else { 1 << 63 };
                FmEvent::Close { now: Cycle(at) }
            }
        }]
    }
}
