//! Random runs of tiny machines: what a host that makes mistakes may do.

use gpusched::Cycle;
use gpusched::mascar::{CacheConfig, Kind, Lookup, MascarConfig, Offsets, Order, Priority, Request, Sources, WarpId};
use gpusched_tests::mascar::{Event, LsuState, View};
use proptest::prelude::*;

fn priority() -> impl Strategy<Value = Priority> {
    prop_oneof![Just(Priority::Mem), Just(Priority::Comp), Just(Priority::Merged)]
}

fn order() -> impl Strategy<Value = Order> {
    prop_oneof![Just(Order::Gto), Just(Order::Oldest), Just(Order::Rr)]
}

prop_compose! {
    fn cache()(mshr in 1..=4u32, missq in 1..=3u32, marks in any::<[u32; 4]>()) -> CacheConfig {
        let [a, b, c, d] = marks;
        let (mshr_sat, missq_sat) = (1 + a % mshr, 1 + b % missq);
        let (mshr_clear, missq_clear) = (1 + c % mshr_sat, 1 + d % missq_sat);
        CacheConfig { mshr, missq, mshr_sat, missq_sat, mshr_clear, missq_clear }
    }
}

prop_compose! {
    fn orders()(
        (ep_priority, ep_mem_order, ep_comp_order) in (priority(), order(), order()),
        (mp_priority, mp_mem_order, mp_comp_order) in (priority(), order(), order()),
        sources in prop::collection::vec(cache(), 1..=3),
    ) -> MascarConfig {
        let sources = Sources::new(&sources).expect("one to three");
        MascarConfig {
            ep_priority, ep_mem_order, ep_comp_order, mp_priority, mp_mem_order, mp_comp_order, sources,
            ..MascarConfig::GTX480
        }
    }
}

prop_compose! {
    /// Configurations of small SMs, and of one that is as large as can be.
    pub fn configs()(
        base in orders(),
        sizes in prop_oneof![9 => (1..=6u32, 1..=3u32), 1 => Just((63, 8))],
        rexq in prop_oneof![8 => 0..=4u32, 1 => Just(255)],
        warp_size in prop_oneof![8 => 1..=4u32, 1 => Just(64)],
        owner_timeout in prop_oneof![Just(0u32), 1..=6u32],
        starve_limit in prop_oneof![2 => Just(0u32), 1 => 1..=3u32],
        (per_pipe, enable, owner_first, nonowner_merge) in
            (any::<bool>(), prop::bool::weighted(0.9), any::<bool>(), any::<bool>()),
        (relinquish_waits, relinquish_sync, rescue, retry_owner) in any::<(bool, bool, bool, bool)>(),
    ) -> MascarConfig {
        let (warps, schedulers) = sizes;
        MascarConfig {
            warps, schedulers, rexq, warp_size, owner_timeout, starve_limit, per_pipe, enable, owner_first,
            nonowner_merge, relinquish_waits, relinquish_sync, rescue, retry_owner,
            ..base
        }
    }
}

/// Something that a host does; numbers are taken modulo what there is.
#[derive(Clone, Debug)]
pub enum Step {
    /// A warp starts, another one exits.
    Start(u8),
    Exit(u8),
    /// A head: kind, and operands: 0 ready, 1 outstanding load, 2 neither.
    Head(u8, u8, u8),
    /// Fills and misses.
    L1(u8, u32, u32),
    /// The flag is forced up, or down.
    Force(bool),
    /// A cycle, some cycles later; whether the pipes take what comes.
    Pick {
        later: u8,
        lsu: bool,
        comp: Option<u8>,
    },
    /// What issued begins.
    Begin(u32, u8),
    /// A presentation and its answer.
    Port {
        result: u8,
        room: bool,
        base: u8,
        mask: u64,
        thread: u8,
    },
    /// A mistake: an event with any numbers at any time.
    Surprise(u8, [u8; 3]),
}

/// Scripts of some length.
pub fn script() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => any::<u8>().prop_map(Step::Start),
        1 => any::<u8>().prop_map(Step::Exit),
        14 => (any::<u8>(), 0..8u8, 0..3u8).prop_map(|(w, kind, operands)| Step::Head(w, kind, operands)),
        2 => (any::<u8>(), any::<u32>(), any::<u32>()).prop_map(|(src, mshr, missq)| Step::L1(src, mshr, missq)),
        2 => prop::bool::weighted(0.6).prop_map(Step::Force),
        10 => (prop_oneof![8 => Just(1u8), 1 => 1..=9u8], prop::bool::weighted(0.9), prop::option::weighted(0.2, any::<u8>()))
            .prop_map(|(later, lsu, comp)| Step::Pick { later, lsu, comp }),
        9 => (any::<u32>(), 0..=127u8).prop_map(|(nreq, dst)| Step::Begin(nreq, dst)),
        14 => (0..6u8, prop::bool::weighted(0.3), any::<u8>(), any::<u64>(), any::<u8>())
            .prop_map(|(result, room, base, mask, thread)| Step::Port { result, room, base, mask, thread }),
        2 => (any::<u8>(), any::<[u8; 3]>()).prop_map(|(what, numbers)| Step::Surprise(what, numbers)),
    ];
    prop::collection::vec(step, 1..160)
}

/// What a script is for a machine of this configuration.
#[derive(Clone)]
pub struct Host {
    config: MascarConfig,
}

impl Host {
    pub fn new(config: &MascarConfig) -> Self {
        Self { config: *config }
    }

    fn warp(&self, w: u8) -> WarpId {
        WarpId(w % self.config.warps as u8)
    }

    /// A request of the threads that there are.
    fn request(&self, base: u8, mask: u64, thread: u8) -> Request {
        let size = self.config.warp_size;
        let mask = if size < 64 { mask % (1 << size) } else { mask };
        let mut offs = Offsets::default();
        offs.set(usize::from(thread) % size as usize, base);
        Request { base: u64::from(base) << 7, mask: mask.max(1), offs }
    }

    /// The events of a step, for a machine that shows this.
    pub fn events(&self, step: &Step, view: &View) -> Vec<Event> {
        let next = view.picked.map_or(0, |picked| picked.0 + 1);
        let caches = self.config.sources.caches();
        match *step {
            Step::Start(w) => vec![Event::WarpStart { w: self.warp(w) }],
            Step::Exit(w) => vec![Event::WarpExit { w: self.warp(w) }],
            Step::Head(w, kind, operands) => {
                let kind = [Kind::None, Kind::Sync, Kind::Alu, Kind::Alu, Kind::Alu, Kind::Mem, Kind::Mem, Kind::Mem]
                    [usize::from(kind)];
                let instruction = matches!(kind, Kind::Alu | Kind::Mem);
                let (ready, dep_load) = (instruction && operands == 0, instruction && operands == 1);
                let w = self.warp(w);
                let start =
                    if view.heads.iter().any(|(there, _)| *there == w) { vec![] } else { vec![Event::WarpStart { w }] };
                [start, vec![Event::SetHead { w, kind: Some(kind), ready, dep_load }]].concat()
            }
            Step::L1(src, mshr, missq) => {
                let src = u32::from(src) % caches.len() as u32;
                let cache = caches[src as usize];
                vec![Event::L1State { src, mshr: mshr % (cache.mshr + 1), missq: missq % (cache.missq + 1) }]
            }
            Step::Force(up) => {
                let state = |(src, cache): (u32, &CacheConfig)| Event::L1State {
                    src,
                    mshr: if up { cache.mshr } else { 0 },
                    missq: 0,
                };
                (0..).zip(caches).map(state).collect()
            }
            Step::Pick { later, lsu, comp } => {
                let comp_accept = comp.map(|mask| u32::from(mask) & self.config.all_schedulers());
                vec![Event::Pick { now: Cycle(next + u64::from(later) - 1), lsu_accept: lsu, comp_accept }]
            }
            Step::Begin(nreq, dst) => {
                let nreq = if self.config.warp_size == 64 && nreq % 5 == 0 { 64 } else { nreq % 5 };
                let w = view.lsu.warp.unwrap_or_default();
                vec![Event::LsuBegin { w, nreq: nreq.min(self.config.warp_size), dst: dst.into() }]
            }
            Step::Port { result, room, base, mask, thread } => {
                let result = [Lookup::Miss, Lookup::Miss, Lookup::Miss, Lookup::Miss, Lookup::Hit, Lookup::Merge]
                    [usize::from(result)];
                let request = Some(self.request(base, mask, thread));
                let begin = match (view.lsu.state, view.lsu.warp) {
                    (LsuState::Await, Some(w)) if base % 4 > 0 => {
                        let nreq = u32::from(base % 4).min(self.config.warp_size);
                        vec![Event::LsuBegin { w, nreq, dst: u32::from(w.0) }]
                    }
                    _ => vec![],
                };
                let good = Event::LsuReply { result: Some(result), room, request };
                let mistake = Event::LsuReply { result: Some(result), room, request: None };
                let replies = if thread.is_multiple_of(16) { vec![mistake, good] } else { vec![good] };
                [begin, vec![Event::LsuNext], replies].concat()
            }
            Step::Surprise(what, [a, b, c]) => vec![self.surprise(what, a, b, c, next)],
        }
    }

    fn surprise(&self, what: u8, a: u8, b: u8, c: u8, next: u64) -> Event {
        let (w, flag) = (WarpId(a), c & 1 == 1);
        let kinds = [None, Some(Kind::None), Some(Kind::Alu), Some(Kind::Mem), Some(Kind::Sync)];
        let results = [None, Some(Lookup::Hit), Some(Lookup::Merge), Some(Lookup::Miss)];
        match what % 8 {
            0 => Event::WarpStart { w },
            1 => Event::WarpExit { w },
            2 => Event::SetHead { w, kind: kinds[usize::from(b) % 5], ready: flag, dep_load: c & 2 == 2 },
            3 => Event::L1State { src: (a % 4).into(), mshr: (b % 8).into(), missq: (c % 8).into() },
            4 => {
                let now = [next, next.wrapping_sub(1), 1 << 63, u64::MAX][usize::from(a) % 4];
                Event::Pick { now: Cycle(now), lsu_accept: flag, comp_accept: Some(u32::from(b) << (c % 3)) }
            }
            5 => Event::LsuBegin { w: self.warp(a), nreq: (b % 66).into(), dst: u32::from(c) },
            6 => Event::LsuNext,
            _ => {
                let mut offs = Offsets::default();
                offs.set(usize::from(a) % 65, b);
                let request = Request { base: 0, mask: u64::from(c).rotate_left(a.into()), offs };
                let result = results[usize::from(b) % 4];
                Event::LsuReply { result, room: flag, request: (!b.is_multiple_of(5)).then_some(request) }
            }
        }
    }
}
