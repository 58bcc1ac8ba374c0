//! The kernels that wait to be run in pairs.

use gpusched::tlp::{KernelId, Next, Pending, Picked};
use gpusched_abi::status::gpusched_status as Status;
use gpusched_abi::tlp::pool::*;

use super::foreign;
use super::records::{PREF, TYPE, id};
use crate::through_c::config::code;
use crate::through_c::look::unless;
use crate::through_c::object::{Object, done};
use crate::through_c::records::{flag, number, one_of};
use crate::tlp::{Answer, Event, View};

pub(super) fn call(object: &Object<gpusched_tlp_pool>, event: &Event) -> Result<Answer, Status> {
    let pool = object.c();
    // SAFETY: all pointers are of living values.
    unsafe {
        Ok(match *event {
            Event::Add { kind, pref, ready } => {
                let (kind, pref, mut i) = (code(kind, &TYPE), code(pref, &PREF), 0);
                done(gpusched_tlp_pool_add(pool, kind, pref, ready.into(), &mut i))?;
                Answer::Added(id(i))
            }
            Event::Ready(i) => {
                done(gpusched_tlp_pool_ready(pool, i))?;
                Answer::Ready
            }
            Event::PickPair => {
                let mut c = gpusched_tlp_picked::default();
                done(gpusched_tlp_pool_pick_pair(pool, &mut c))?;
                let b = number(c.b).map(KernelId);
                let a = number(c.a).map(KernelId);
                assert!(a.is_some() || b.is_none());
                Answer::PickedPair(a.map(|a| Picked { a, b }))
            }
            Event::PickNext { kind, pref } => {
                let mut c = gpusched_tlp_next::default();
                done(gpusched_tlp_pool_pick_next(pool, code(kind, &TYPE), code(pref, &PREF), &mut c))?;
                let complementary = flag(c.complementary);
                Answer::PickedNext(number(c.i).map(|i| Next { i: KernelId(i), complementary }))
            }
            ref event => foreign(event),
        })
    }
}

pub(super) fn view(object: &Object<gpusched_tlp_pool>, pool_cap: u32) -> View {
    let pending = |i| {
        let c: gpusched_tlp_pending = unless(Status::BadPoolIndex, object.row(gpusched_tlp_pool_get_pending, i))?;
        let (kind, pref) = (one_of(c.kind, &TYPE), one_of(c.pref, &PREF));
        Some(Pending { kind, pref, ready: flag(c.ready), seq: c.seq })
    };
    let entries = (0..pool_cap).map(pending).collect();
    View::Pool { entries, added: object.ask(gpusched_tlp_pool_added) }
}
