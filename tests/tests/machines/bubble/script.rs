//! Random runs of tiny machines: what a host that makes mistakes may do.

use gpusched::power::{BubbleConfig, Retrigger, Waiting};
use gpusched::{Cycle, Resources, SmxId, SmxSet};
use gpusched_tests::bubble::Event;
use proptest::prelude::*;

prop_compose! {
    fn timing()(
        sample_cycles in 1..=4u32,
        drain_samples in 1..=3u32,
        transition_samples in 1..=3u32,
        gpu_idle_samples in 1..=3u32,
        smxs in prop_oneof![8 => 1..=4u32, 1 => 63..=66u32, 1 => Just(256)],
    ) -> BubbleConfig {
        let base = BubbleConfig::K20C;
        BubbleConfig { sample_cycles, drain_samples, transition_samples, gpu_idle_samples, smxs, ..base }
    }
}

prop_compose! {
    fn choices()(
        base in timing(),
        enabled in prop::bool::weighted(0.95),
        inclusive: bool,
        draining in prop::bool::weighted(0.8),
        gpu_level in prop::bool::weighted(0.8),
        resume_draining: bool,
        resume_hold: bool,
        retrigger in prop_oneof![Just(Retrigger::Level), Just(Retrigger::Rearm), Just(Retrigger::Once)],
    ) -> BubbleConfig {
        BubbleConfig { enabled, inclusive, draining, gpu_level, resume_draining, resume_hold, retrigger, ..base }
    }
}

prop_compose! {
    /// Configurations of small SMXs.
    pub fn configs()(
        base in choices(),
        t in prop_oneof![6 => (Just(1u32), 2..=4u32), 2 => Just((2, 3)), 1 => Just((1, 1)), 1 => Just((0, 1))],
        warp_size in prop_oneof![Just(1u32), Just(2), Just(4)],
        warps in prop_oneof![1 => Just(1u32), 5 => 2..=8u32],
        (smx_regs, smx_smem, smx_slots) in (1..=8u32, 0..=4u32, 1..=6u32),
        (v, f) in ((1..=5000u32, 1..=5000u32), (1..=5000u32, 1..=5000u32)),
        leak_exp in 0..=3u32,
        (p_leak_mw, p_idle_mw, p_dyn_mw) in (0..=1_000_000u32, 0..=1_000_000u32, 0..=1_000_000u32),
    ) -> BubbleConfig {
        BubbleConfig {
            t_num: t.0,
            t_den: t.1,
            warp_size,
            smx_threads: warps * warp_size,
            smx_regs,
            smx_smem,
            smx_slots,
            v_low_mv: v.0.min(v.1),
            v_high_mv: v.0.max(v.1),
            f_low_mhz: f.0.min(f.1),
            f_high_mhz: f.0.max(f.1),
            leak_exp,
            p_leak_mw,
            p_idle_mw,
            p_dyn_mw,
            ..base
        }
    }
}

/// Something that a host does; numbers are taken modulo what there is.
#[derive(Clone, Debug)]
pub enum Step {
    /// A TB starts.
    Start(u16, Shape),
    /// One of the resident TBs ends.
    End(u16),
    /// All TBs of an SMX end.
    Clear(u16),
    /// A sample, at its time.
    Sample(Option<(Shape, Mask)>, Activity),
    /// Time passes, but not beyond the next sample.
    Wait(u8),
    /// The end of a run.
    Account(Activity),
    /// A mistake: an end of a TB that nobody started.
    Surprise(u16, Shape),
    /// A mistake: an event in the past, or a sample at the wrong time.
    Late(bool),
}

/// Four numbers for the resources of a TB.
pub type Shape = (u8, u8, u8, u8);

/// SMXs that a TB may run on.
#[derive(Clone, Copy, Debug)]
pub enum Mask {
    All,
    One(u16),
    Words([u64; 4]),
}

/// Activities: none, one number for all SMXs, too few.
#[derive(Clone, Copy, Debug)]
pub enum Activity {
    None,
    All(u16),
    TooFew,
}

/// Scripts of some length.
pub fn script() -> impl Strategy<Value = Vec<Step>> {
    let shape = || (0..=9u8, 0..=9u8, 0..=9u8, 0..=9u8);
    let mask = prop_oneof![
        6 => Just(Mask::All),
        4 => any::<u16>().prop_map(Mask::One),
        1 => any::<[u8; 4]>().prop_map(|w| Mask::Words(w.map(|w| u64::from(w % 4)))),
    ];
    let activity = || {
        prop_oneof![
            6 => Just(Activity::None),
            3 => (0..=1000u16).prop_map(Activity::All),
            1 => Just(Activity::All(1001)),
            1 => Just(Activity::TooFew),
        ]
    };
    let waiting = prop::option::of((shape(), mask));
    let step = prop_oneof![
        8 => (any::<u16>(), shape()).prop_map(|(s, r)| Step::Start(s, r)),
        5 => any::<u16>().prop_map(Step::End),
        2 => any::<u16>().prop_map(Step::Clear),
        12 => (waiting, activity()).prop_map(|(w, a)| Step::Sample(w, a)),
        2 => any::<u8>().prop_map(Step::Wait),
        1 => activity().prop_map(Step::Account),
        1 => (any::<u16>(), shape()).prop_map(|(s, r)| Step::Surprise(s, r)),
        1 => any::<bool>().prop_map(Step::Late),
    ];
    prop::collection::vec(step, 1..150)
}

/// A host's memory.
#[derive(Clone, Debug)]
pub struct Host {
    config: BubbleConfig,
    now: u64,
    /// The time of the next sample.
    pub due: u64,
    resident: Vec<(SmxId, Resources)>,
}

impl Host {
    pub fn new(config: &BubbleConfig) -> Self {
        Self { config: *config, now: 0, due: 0, resident: Vec::new() }
    }

    fn smx(&self, s: u16) -> SmxId {
        // Now and then one that does not exist.
        SmxId(s % (self.config.smxs as u16 + u16::from(s.is_multiple_of(16))))
    }

    pub fn resources(&self, (t, r, m, s): Shape) -> Resources {
        // 9 is now and then too much, or nothing.
        let part = |n: u8, most: u32, least: u32| match n {
            0..=5 => least,
            6..=7 => (most / 2).max(least),
            8 => most,
            _ if n == t => most + 1,
            _ => 0,
        };
        Resources {
            threads: if t < 8 {
                (1 + u32::from(t) % 3).min(self.config.smx_threads)
            } else {
                part(t, self.config.smx_threads, 1)
            },
            regs: part(r, self.config.smx_regs, 0),
            smem: part(m, self.config.smx_smem, 0),
            slots: part(s, self.config.smx_slots, 1),
        }
    }

    fn activity(&self, activity: Activity) -> Option<Vec<u16>> {
        let smxs = self.config.smxs as usize;
        match activity {
            Activity::None => None,
            Activity::All(a) => Some((0..smxs).map(|s| if s % 2 == 0 { a } else { a / 2 }).collect()),
            Activity::TooFew => Some(vec![0; smxs - 1]),
        }
    }

    /// What a step is now.
    pub fn events(&self, step: &Step) -> Vec<Event> {
        let now = Cycle(self.now);
        let end = |&(smx, res): &(SmxId, Resources)| Event::Completed { now, smx, res };
        match *step {
            Step::Start(s, shape) => vec![Event::Dispatched { now, smx: self.smx(s), res: self.resources(shape) }],
            Step::End(pick) => {
                let pick = usize::from(pick).checked_rem(self.resident.len());
                pick.map(|pick| end(&self.resident[pick])).into_iter().collect()
            }
            Step::Clear(s) => self.resident.iter().filter(|(smx, _)| *smx == self.smx(s)).map(end).collect(),
            Step::Sample(waiting, activity) => {
                let waiting = waiting.map(|(shape, mask)| {
                    let allowed = match mask {
                        Mask::All => None,
                        Mask::One(s) => {
                            let mut set = SmxSet::EMPTY;
                            set.set(self.smx(s), true);
                            Some(set)
                        }
                        Mask::Words(words) => Some(SmxSet::from_words(words)),
                    };
                    Waiting { res: self.resources(shape), allowed }
                });
                vec![Event::Sample { now: Cycle(self.due), waiting, activity: self.activity(activity) }]
            }
            Step::Account(activity) => vec![Event::Account { now, activity: self.activity(activity) }],
            Step::Surprise(s, shape) => {
                vec![Event::Completed { now, smx: self.smx(s), res: self.resources(shape) }]
            }
            Step::Late(past) if past => vec![Event::Account { now: Cycle(self.now.saturating_sub(1)), activity: None }],
            Step::Late(_) => vec![Event::Sample { now: Cycle(self.due + 1), waiting: None, activity: None }],
            Step::Wait(_) => Vec::new(),
        }
    }

    /// Time passes.
    pub fn wait(&mut self, step: &Step) {
        if let Step::Wait(cycles) = step {
            self.now = (self.now + u64::from(cycles % 4)).min(self.due);
        }
    }

    /// An event was accepted.
    pub fn accepted(&mut self, event: &Event) {
        match *event {
            Event::Dispatched { smx, res, .. } => self.resident.push((smx, res)),
            Event::Completed { smx, res, .. } => {
                if let Some(at) = self.resident.iter().position(|tb| *tb == (smx, res)) {
                    self.resident.swap_remove(at);
                }
            }
            Event::Sample { now, .. } => {
                self.now = now.0;
                self.due = now.0 + u64::from(self.config.sample_cycles);
            }
            Event::Account { .. } => {}
        }
    }
}
