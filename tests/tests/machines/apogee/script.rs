//! Random runs of small machines: what a host that makes mistakes may do.

use gpusched::Cycle;
use gpusched::apogee::{ApogeeConfig, Early, LalScope, LaneSet, Merge, Request, RowId, SlowRule, Verdict, WarpId};
use gpusched_tests::apogee::{Answer, Event, Form, Load};
use proptest::prelude::*;

prop_compose! {
    fn widths()(
        pc_bits in prop_oneof![3 => 3..=10u32, 1 => Just(32u32)],
        addr_bits in prop_oneof![3 => 8..=14u32, 1 => Just(28u32), 1 => Just(48u32)],
        offset_bits in prop_oneof![1 => 2..=4u32, 3 => Just(8u32), 1 => Just(32u32)],
        conf_bits in prop_oneof![3 => 3..=8u32, 1 => Just(16u32)],
        dist_bits in prop_oneof![3 => 1..=3u32, 1 => Just(16u32)],
        tidx_bits in 4..=8u32,
    ) -> ApogeeConfig {
        ApogeeConfig { pc_bits, addr_bits, offset_bits, conf_bits, dist_bits, tidx_bits, ..ApogeeConfig::APOGEE_4 }
    }
}

prop_compose! {
    fn choices()(
        base in widths(),
        lanes in prop_oneof![3 => Just(LaneSet::All), 1 => Just(LaneSet::Active)],
        lal in prop_oneof![3 => Just(LalScope::Warp), 1 => Just(LalScope::Sm)],
        early in prop_oneof![3 => Just(Early::Pattern), 1 => Just(Early::Literal)],
        slow_rule in prop_oneof![3 => Just(SlowRule::Any), 1 => Just(SlowRule::Miss)],
        merge in prop_oneof![3 => Just(Merge::Queue), 1 => Just(Merge::Group)],
        gap_fill: bool,
    ) -> ApogeeConfig {
        ApogeeConfig { lanes, lal, early, slow_rule, merge, gap_fill, ..base }
    }
}

prop_compose! {
    /// Configurations of small machines.
    pub fn configs()(
        base in choices(),
        entries in prop_oneof![1 => Just(1u32), 6 => 2..=6u32, 1 => Just(64u32), 1 => Just(256u32)],
        warps in prop_oneof![6 => 1..=3u32, 1 => Just(64u32)],
        warp_size in prop_oneof![4 => 2..=9u32, 1 => Just(32u32), 1 => Just(64u32)],
        threads in prop_oneof![4 => 1..=40u32, 1 => Just(65535u32)],
        line_shift in prop_oneof![1 => Just(0u32), 4 => 2..=6u32, 1 => Just(12u32)],
        pfq in prop_oneof![3 => 1..=9u32, 2 => Just(64u32), 1 => Just(1024u32)],
        issue_latency in prop_oneof![3 => 0..=3u32, 1 => Just(65535u32)],
        (init, least, min_conf) in (1..=4u32, 1..=4u32, prop_oneof![4 => Just(0u32), 1 => 1..=9u32]),
    ) -> ApogeeConfig {
        let warp_size = warp_size.min(base.scalar()).min(base.max_confidence() + 2);
        let init_distance = init.min(base.max_distance());
        let min_distance = least.min(init_distance);
        let (line_bytes, min_conf) = (1 << line_shift, min_conf.min(base.max_confidence()));
        ApogeeConfig {
            entries, warps, warp_size, threads, line_bytes, pfq, issue_latency, init_distance, min_distance, min_conf,
            ..base
        }
    }
}

/// Something that a host does; numbers are taken modulo what there is.
#[derive(Clone, Debug)]
pub enum Step {
    /// A warp loads.
    Load(Loading),
    /// Time passes, and a request is popped and answered.
    Pop { wait: u8, answered: bool, sent: bool },
    /// A request that was sent comes back.
    Fill(u16),
    /// A fill that nobody asked for.
    Surprise(u8, u8, u8),
    /// The number of threads changes.
    Threads(u32),
    /// A kernel ends.
    Flush,
    /// A mistake.
    Mistake(u8),
}

/// A load: a loop's PC, and where its threads are.
#[derive(Clone, Debug)]
pub struct Loading {
    pub wait: u8,
    pub pc: u8,
    pub warp: u8,
    pub verdict: u8,
    pub mask: u64,
    pub shape: Shape,
    pub form: Form,
}

/// Where the threads of a load are.
#[derive(Clone, Debug)]
pub enum Shape {
    /// The next iteration of the PC's own walk, with its own stride.
    Walk,
    /// A sequence from anywhere.
    Sequence(u64, i64),
    /// All at one place, the PC's own.
    Scalar,
    /// Anywhere.
    Scattered(u64),
    /// At the ends of the address space.
    Edge(bool, i64),
}

/// Scripts of some length.
pub fn script() -> impl Strategy<Value = Vec<Step>> {
    let shape = prop_oneof![
        8 => Just(Shape::Walk),
        3 => (any::<u64>(), -9..=9i64).prop_map(|(a, s)| Shape::Sequence(a, s)),
        1 => (any::<u64>(), any::<i32>()).prop_map(|(a, s)| Shape::Sequence(a, s.into())),
        5 => Just(Shape::Scalar),
        2 => any::<u64>().prop_map(Shape::Scattered),
        2 => (any::<bool>(), -40..=40i64).prop_map(|(e, s)| Shape::Edge(e, s)),
    ];
    let mask = prop_oneof![5 => Just(u64::MAX), 1 => any::<u64>(), 1 => (0..64u32).prop_map(|l| 1 << l),
        1 => (0..64u32, 0..64u32).prop_map(|(a, b)| u64::MAX >> a << b)];
    let load = (0..=3u8, 0..=5u8, any::<u8>(), 0..=2u8, mask, shape, prop::sample::select(&Form::ALL));
    let load = load.prop_map(|(wait, pc, warp, verdict, mask, shape, form)| {
        Step::Load(Loading { wait, pc, warp, verdict, mask, shape, form })
    });
    let step = prop_oneof![
        20 => load,
        10 => (0..=4u8, prop::bool::weighted(0.9), any::<bool>())
            .prop_map(|(wait, answered, sent)| Step::Pop { wait, answered, sent }),
        6 => any::<u16>().prop_map(Step::Fill),
        1 => any::<(u8, u8, u8)>().prop_map(|(e, g, w)| Step::Surprise(e, g, w)),
        1 => prop_oneof![3 => 1..=64u32, 1 => Just(65535u32)].prop_map(Step::Threads),
        1 => Just(Step::Flush),
        1 => (0..=11u8).prop_map(Step::Mistake),
    ];
    prop::collection::vec(step, 1..120)
}

/// A host's memory.
#[derive(Clone, Debug)]
pub struct Host {
    config: ApogeeConfig,
    now: u64,
    /// Iterations of each PC.
    walked: [u64; 6],
    popped: Option<Request>,
    sent: Vec<Request>,
}

impl Host {
    pub fn new(config: &ApogeeConfig) -> Self {
        Self { config: *config, now: 0, walked: [0; 6], popped: None, sent: Vec::new() }
    }

    fn space(&self) -> u64 {
        1 << self.config.addr_bits
    }

    fn addresses(&mut self, loading: &Loading) -> Vec<u64> {
        let (lanes, space, pc) = (u64::from(self.config.warp_size), self.space(), u64::from(loading.pc));
        let from = |base: u64, step: i64| -> Vec<u64> {
            (0..lanes).map(|i| base.wrapping_add_signed(step.wrapping_mul(i as i64)) % space).collect()
        };
        match loading.shape {
            Shape::Walk => {
                let step = [4, 1, -2, 8, 3, 0][usize::from(loading.pc)];
                let walked = &mut self.walked[usize::from(loading.pc)];
                let place = *walked * u64::from(self.config.threads) + u64::from(loading.warp % 3) * lanes;
                *walked += u64::from(loading.warp.is_multiple_of(2));
                from((pc * 64 + space / 2).wrapping_add_signed(step * place as i64), step)
            }
            Shape::Sequence(base, step) => from(base % space, step),
            Shape::Scalar => from((pc * 192) % space, 0),
            Shape::Scattered(seed) => {
                (0..lanes).map(|i| seed.rotate_left(7 * i as u32).wrapping_mul(i + 3) % space).collect()
            }
            Shape::Edge(high, step) => from(if high { space - 1 } else { 0 }, step),
        }
    }

    /// What a step is now.
    pub fn events(&mut self, step: &Step) -> Vec<Event> {
        let now = |host: &Self| Cycle(host.now);
        match step {
            Step::Load(loading) => {
                self.now += u64::from(loading.wait);
                let addresses = self.addresses(loading);
                let mask = loading.mask & (u64::MAX >> (64 - self.config.warp_size));
                let active = addresses.into_iter().enumerate().filter(|(i, _)| mask >> i & 1 == 1);
                let verdicts = [Verdict::Hit, Verdict::Pending, Verdict::Absent];
                vec![Event::Load(Load {
                    now: now(self),
                    pc: loading.pc.into(),
                    warp: WarpId(u16::from(loading.warp) % self.config.warps as u16),
                    result: Some(verdicts[usize::from(loading.verdict)]),
                    lanes: active.map(|(i, address)| (i as u8, address)).collect(),
                    form: loading.form,
                })]
            }
            Step::Pop { wait, answered, sent } => {
                self.now += if *wait == 4 { u64::from(self.config.issue_latency) } else { u64::from(*wait) };
                let pop = Event::PfPop { now: now(self) };
                if *answered { vec![pop, Event::PfReply { sent: *sent }] } else { vec![pop] }
            }
            Step::Fill(pick) => {
                let Some(pick) = usize::from(*pick).checked_rem(self.sent.len()) else { return Vec::new() };
                let Request { entry, generation, warp, .. } = self.sent.swap_remove(pick);
                vec![Event::PfFill { entry, generation, warp }]
            }
            Step::Surprise(entry, generation, warp) => vec![Event::PfFill {
                entry: RowId(u16::from(*entry) % (self.config.entries as u16 + 1)),
                generation: u32::from(generation % 4),
                warp: WarpId(u16::from(*warp) % (self.config.warps as u16 + 1)),
            }],
            Step::Threads(n) => vec![Event::SetThreads { n: *n }],
            Step::Flush => vec![Event::Flush],
            Step::Mistake(kind) => vec![self.mistake(*kind)],
        }
    }

    fn mistake(&self, kind: u8) -> Event {
        let good = Load {
            now: Cycle(self.now),
            pc: 1,
            warp: WarpId(0),
            result: Some(Verdict::Hit),
            lanes: vec![(0, 0), (1, 4)],
            form: Form::ALL[usize::from(kind % 3)],
        };
        let past = Cycle(self.now.wrapping_sub(1));
        Event::Load(match kind {
            0 => Load { now: past, ..good },
            1 => Load { warp: WarpId(self.config.warps as u16), ..good },
            2 => Load { pc: 1 << self.config.pc_bits, ..good },
            3 => Load { lanes: Vec::new(), ..good },
            4 => Load { lanes: vec![(1, 0), (1, 4)], ..good },
            5 | 6 => Load { lanes: vec![(0, 0), (self.config.warp_size as u8, 4)], ..good },
            7 | 8 => Load { lanes: vec![(0, self.space()), (1, 4)], ..good },
            9 => Load { result: None, ..good },
            10 => return Event::PfPop { now: past },
            _ => return Event::SetThreads { n: 0 },
        })
    }

    /// An event was answered.
    pub fn answered(&mut self, event: &Event, answer: &Answer) {
        match (event, answer) {
            (_, Answer::Request(request)) => self.popped = *request,
            (Event::PfReply { sent: true }, _) => self.sent.extend(self.popped.take()),
            _ => {}
        }
    }
}
