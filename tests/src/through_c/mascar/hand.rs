//! The caches of a configuration, the state, and calls that are only measured.

use gpusched::mascar::{CacheConfig, Lookup, MascarConfig, Offsets, Pick, Sources};
use gpusched_abi::mascar::*;

use super::{LOOKUP, ThroughC};
use crate::mascar::{Machine, View};
use crate::through_c::config::{code, field, fields};
use crate::through_c::look::expect;
use crate::through_c::object::done;
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
        View::of(self)
    }

    fn mark(&self) -> Self::Mark {
        (self.view(), self.image())
    }
}
