//! TLP modulation on one SM.

use gpusched::tlp::{
    Action, Attached, Detached, Dispatch, Finished, History, KernelCode, KernelId, Learn, Load, Metrics, Overridden,
    Phase, Pipe, Placed, ResidentTb, Sampled, Stall,
};
use gpusched::{Cycle, SlotId};
use gpusched_abi::status::gpusched_status as Status;
use gpusched_abi::tlp::records::*;
use gpusched_abi::tlp::sm::{gpusched_tlp_sm, query::*, verbs::*};

use super::foreign;
use super::records::{MODE, c_kernel, id, needs};
use crate::through_c::look::unless;
use crate::through_c::object::{Object, done};
use crate::through_c::records::{flag, narrow, number, one_of, time};
use crate::tlp::{Answer, Event, SmView};

const PHASE: [(u32, Phase); 3] = [
    (gpusched_tlp_phase::Waiting as u32, Phase::Waiting),
    (gpusched_tlp_phase::Sampling as u32, Phase::Sampling),
    (gpusched_tlp_phase::Await as u32, Phase::Await),
];
const LEARN: [(u32, Learn); 6] = [
    (gpusched_tlp_learn::Off as u32, Learn::Off),
    (gpusched_tlp_learn::S1 as u32, Learn::S1),
    (gpusched_tlp_learn::S2 as u32, Learn::S2),
    (gpusched_tlp_learn::S3 as u32, Learn::S3),
    (gpusched_tlp_learn::S4 as u32, Learn::S4),
    (gpusched_tlp_learn::Done as u32, Learn::Done),
];
const PIPE: [(u32, Pipe); 2] = [(gpusched_tlp_pipe::Sp as u32, Pipe::Sp), (gpusched_tlp_pipe::Ldst as u32, Pipe::Ldst)];
const ACTION: [(u32, Action); 9] = [
    (gpusched_tlp_action::Void as u32, Action::Void),
    (gpusched_tlp_action::Off as u32, Action::Off),
    (gpusched_tlp_action::Frozen as u32, Action::Frozen),
    (gpusched_tlp_action::First as u32, Action::First),
    (gpusched_tlp_action::Hold as u32, Action::Hold),
    (gpusched_tlp_action::Tie as u32, Action::Tie),
    (gpusched_tlp_action::NoWork as u32, Action::NoWork),
    (gpusched_tlp_action::Blocked as u32, Action::Blocked),
    (gpusched_tlp_action::Moved as u32, Action::Moved),
];
const STALL: [(u32, Stall); 4] = [
    (gpusched_tlp_stall::Idle as u32, Stall::Idle),
    (gpusched_tlp_stall::AtTarget as u32, Stall::AtTarget),
    (gpusched_tlp_stall::NoWork as u32, Stall::NoWork),
    (gpusched_tlp_stall::NoRoom as u32, Stall::NoRoom),
];

fn dispatched(c: &gpusched_tlp_dispatched) -> Dispatch {
    let &gpusched_tlp_dispatched { stall, slot, k, bypass } = c;
    if stall == gpusched_tlp_stall::None as u32 {
        return Dispatch::Placed(Placed { slot: SlotId(narrow(slot)), k: id(k), bypass: flag(bypass) });
    }
    assert_eq!((number::<u8>(slot), number::<u8>(k), bypass), (None, None, 0));
    Dispatch::Stall(one_of(stall, &STALL))
}

/// Counters as a C program writes them.
#[must_use]
pub fn c_metrics(metrics: &Metrics) -> gpusched_tlp_metrics {
    let &Metrics { sp, ldst, stall_mem, stall_struct, avail } = metrics;
    gpusched_tlp_metrics { sp, ldst, stall_mem, stall_struct, avail: avail.map(u32::from) }
}

pub(super) fn call(object: &Object<gpusched_tlp_sm>, event: &Event) -> Result<Answer, Status> {
    let sm = object.c();
    // SAFETY: all pointers are of living values.
    unsafe {
        Ok(match *event {
            Event::Attach { now, k, ref kernel } => {
                let mut c = gpusched_tlp_attached::default();
                done(gpusched_tlp_sm_attach(sm, now.0, k, &c_kernel(kernel), &mut c))?;
                Answer::Attached(Attached { mode: one_of(c.mode, &MODE), tb: c.tb })
            }
            Event::Done { now, k } => {
                let mut c = gpusched_tlp_detached::default();
                done(gpusched_tlp_sm_done(sm, now.0, k, &mut c))?;
                Answer::Detached(Detached { mode: one_of(c.mode, &MODE), tb: c.tb, aborted: flag(c.aborted) })
            }
            Event::Dispatch { now, avail: [k0, k1] } => {
                let mut c = gpusched_tlp_dispatched::default();
                done(gpusched_tlp_sm_dispatch(sm, now.0, k0.into(), k1.into(), &mut c))?;
                Answer::Dispatch(dispatched(&c))
            }
            Event::Finish { now, slot } => {
                let mut c = gpusched_tlp_finished::default();
                done(gpusched_tlp_sm_finish(sm, now.0, slot, &mut c))?;
                let (bypass, period_end) = (flag(c.bypass), flag(c.period_end));
                Answer::Finished(Finished { k: id(c.k), bypass, period_end })
            }
            Event::Sample { now, ref metrics } => {
                let mut c = gpusched_tlp_sampled::default();
                done(gpusched_tlp_sm_sample(sm, now.0, &c_metrics(metrics), &mut c))?;
                Answer::Sampled(Sampled {
                    action: one_of(c.action, &ACTION),
                    critical: number(c.critical).map(|pipe: u32| one_of(pipe, &PIPE)),
                    grow: number(c.grow).map(KernelId),
                    tb: c.tb,
                    by: c.by,
                    learn: one_of(c.learn, &LEARN),
                    cost: c.cost,
                })
            }
            Event::Override { now, tb: [k0, k1] } => {
                let mut c = gpusched_tlp_overridden::default();
                done(gpusched_tlp_sm_override(sm, now.0, k0, k1, &mut c))?;
                Answer::Overridden(Overridden { aborted: flag(c.aborted), by: c.by })
            }
            ref event => foreign(event),
        })
    }
}

pub(super) fn view(object: &Object<gpusched_tlp_sm>, slots: u32) -> SmView {
    let state: gpusched_tlp_sm_state = object.ask(gpusched_tlp_sm_get_state);
    let kernel = |k| {
        let c: gpusched_tlp_kernel = unless(Status::NotLive, object.row(gpusched_tlp_sm_get_kernel, k))?;
        Some(KernelCode { needs: needs(&c.needs), kind: c.category.kind, opt: c.category.opt })
    };
    let slot = |slot| {
        let c: gpusched_tlp_resident = unless(Status::SlotEmpty, object.row(gpusched_tlp_sm_get_slot, slot))?;
        Some(ResidentTb { k: id(c.k), bypass: flag(c.bypass) })
    };
    assert_eq!(object.row(gpusched_tlp_sm_get_slot, slots).err(), Some(Status::BadSlot));
    SmView {
        now: Cycle(object.ask(gpusched_tlp_sm_now)),
        kernels: [kernel(0), kernel(1)],
        first: state.first,
        mode: one_of(state.mode, &MODE),
        phase: one_of(state.phase, &PHASE),
        tb: state.tb,
        by: state.by,
        bycur: state.bypassing,
        res: state.resident,
        learn: one_of(state.learn, &LEARN),
        history: History {
            load: Load { sp: state.sp, ldst: state.ldst, sp_of: state.sp_of, ldst_of: state.ldst_of },
            periods: narrow(state.periods),
        },
        cohort: state.cohort,
        period: (time(state.start).map(Cycle), time(state.end).map(Cycle)),
        slots: (0..slots).map(slot).collect(),
    }
}
