//! The caches of a configuration, the state, and calls that are only measured.

use gpusched::mascar::{CacheConfig, Head, Lookup, MascarConfig, Offsets, Pick, Presented, Sources, WarpId};
use gpusched_abi::mascar::*;
use gpusched_abi::status::gpusched_status as Status;

use super::{LOOKUP, ThroughC};
use crate::calls::mascar::Queries;
use crate::mascar::{LsuState, LsuView, Machine, View, warps};
use crate::through_c::config::{code, field, fields};
use crate::through_c::look::expect;
use crate::through_c::object::done;
use crate::through_c::records::one_of;
use crate::through_c::told::{Told, told};

fields! {
    gpusched_mascar_cache: put_cache, get_cache = CacheConfig;
    numbers mshr missq mshr_sat missq_sat mshr_clear missq_clear;
    choices;
    flags
}

/// The caches, as a C program writes them.
pub(super) fn put_by_hand(c: &mut gpusched_mascar_config, config: &MascarConfig) {
    let caches = config.sources.caches();
    c.sources = caches.len() as u32;
    for (to, from) in c.caches.iter_mut().zip(caches.iter().chain(std::iter::repeat(&CacheConfig::FERMI))) {
        put_cache(to, from);
    }
}

/// The caches that C tells.
pub(super) fn get_by_hand(c: &gpusched_mascar_config, config: MascarConfig) -> MascarConfig {
    let caches = c.caches[..c.sources as usize].iter().map(get_cache).collect::<Vec<_>>();
    MascarConfig { sources: Sources::new(&caches).expect("one to three"), ..config }
}

/// The decision that C's record tells.
pub(crate) fn decided(decision: &gpusched_mascar_decision) -> Pick {
    told(decision)
}

impl Told for Offsets {
    fn told(c: &Self::C) -> Self {
        Self(*c)
    }
}

impl ThroughC {
    /// A cycle, for measurements.
    pub fn pick(&mut self, now: u64, decision: &mut gpusched_mascar_decision) {
        // SAFETY: object and decision live.
        expect(done(unsafe { gpusched_mascar_pick(self.object.c(), now, 1, GPUSCHED_MASCAR_ALL, decision) }));
    }

    /// A request and its answer that nobody reads, for measurements.
    pub fn port(&mut self, result: Lookup, request: &gpusched_mascar_request) {
        let (mut next, mut reply) = (gpusched_mascar_next::default(), gpusched_mascar_reply::default());
        // SAFETY: all live.
        expect(done(unsafe { gpusched_mascar_lsu_next(self.object.c(), &mut next) }));
        // SAFETY: all live.
        let status =
            unsafe { gpusched_mascar_lsu_reply(self.object.c(), code(result, &LOOKUP), 0, request, &mut reply) };
        expect(done(status));
        std::hint::black_box((&next, &reply));
    }
}

impl Machine for ThroughC {
    type Event = crate::mascar::Event;
    type Answered = crate::mascar::Answered;
    type View = View;
    /// What is seen and what is saved.
    type Mark = (View, Vec<u8>);

    fn take(&mut self, event: &crate::mascar::Event) -> Result<crate::mascar::Answer, gpusched::Fault> {
        Self::take(self, event)
    }

    fn view(&self) -> View {
        let state: gpusched_mascar_state = self.object.ask(gpusched_mascar_get_state);
        let rexq: Vec<_> = (0..state.rexq).map(|i| expect(self.rexq_at(i).ok_or(Status::BadIndex))).collect();
        assert_eq!(self.rexq_at(state.rexq), None);
        let lsu_warp = told::<Option<WarpId>>(&state.lsu_warp);
        let head = |w: WarpId| {
            let warp = expect(self.warp(w).ok_or(Status::WarpNotResident));
            assert_eq!(warp.has_requests, rexq.iter().any(|entry| entry.warp == w) || lsu_warp == Some(w));
            (w, Head { kind: warp.kind, ready: warp.ready, dep_load: warp.dep_load })
        };
        let states = [
            (gpusched_mascar_lsu::Idle as u32, LsuState::Idle),
            (gpusched_mascar_lsu::Await as u32, LsuState::Await),
            (gpusched_mascar_lsu::Busy as u32, LsuState::Busy),
            (gpusched_mascar_lsu::Blocked as u32, LsuState::Blocked),
        ];
        let sources = [
            (gpusched_mascar_src::Idle as u32, None),
            (gpusched_mascar_src::New as u32, Some(Presented::New)),
            (gpusched_mascar_src::Blocked as u32, Some(Presented::Blocked)),
            (gpusched_mascar_src::Rexq as u32, Some(Presented::Rexq)),
        ];
        View {
            mode: told(&state.mode),
            flags: (0..self.config.sources.caches().len()).map(|s| state.flags >> s & 1 == 1).collect(),
            owner: told(&state.owner),
            acquired: told(&state.acquired),
            barred: told(&state.barred),
            resident: state.resident,
            wst_mem: state.wst_mem,
            wst_stall: state.wst_stall,
            leftover: state.leftover,
            last: state.last[..self.config.schedulers as usize].iter().map(told).collect(),
            lsu: LsuView { state: one_of(state.lsu, &states), warp: lsu_warp, left: told(&state.lsu_left) },
            presented: one_of(state.presented, &sources),
            heads: warps(state.resident).map(head).collect(),
            by_age: self.by_age(),
            picked: told(&state.picked),
            next_event: self.next_event(),
            rexq,
        }
    }

    fn mark(&self) -> Self::Mark {
        (self.view(), self.image())
    }
}
