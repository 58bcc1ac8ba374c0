//! LeftOver.

use gpusched::tlp::Submitted;
use gpusched_abi::status::gpusched_status as Status;
use gpusched_abi::tlp::leftover::*;
use gpusched_abi::tlp::records::*;

use super::foreign;
use super::records::{c_needs, id, needs, sent};
use crate::through_c::look::{expect, unless};
use crate::through_c::object::{Object, done};
use crate::through_c::records::flag;
use crate::tlp::{Answer, Event, View};

pub(super) fn call(object: &Object<gpusched_tlp_leftover>, event: &Event) -> Result<Answer, Status> {
    let gpu = object.c();
    // SAFETY: all pointers are of living values.
    unsafe {
        Ok(match *event {
            Event::Submit { ref needs, n_tb } => {
                let mut k = 0;
                done(gpusched_tlp_leftover_submit(gpu, &c_needs(needs), n_tb, &mut k))?;
                Answer::Submitted(id(k))
            }
            Event::Send => {
                let mut c = gpusched_tlp_sent::default();
                done(gpusched_tlp_leftover_dispatch(gpu, &mut c))?;
                Answer::Sent(sent(&c))
            }
            Event::LeftOverFinish { sm, k } => {
                let mut last = 0;
                done(gpusched_tlp_leftover_finish(gpu, sm, k, &mut last))?;
                Answer::LeftOverFinished { done: flag(last) }
            }
            ref event => foreign(event),
        })
    }
}

pub(super) fn view(object: &Object<gpusched_tlp_leftover>, sms: u32, qcap: u32) -> View {
    let kernel = |k| {
        let c: gpusched_tlp_submitted = unless(Status::NotLive, object.row(gpusched_tlp_leftover_get_kernel, k))?;
        let gpusched_tlp_submitted { seq, needs: ref of, n_tb, next, finished } = c;
        Some(Submitted { needs: needs(of), n_tb, next, finished, seq })
    };
    let resident =
        |sm| (0..qcap).map(|k| expect(object.cell(gpusched_tlp_leftover_resident, sm, k))).collect::<Vec<u32>>();
    let state: gpusched_tlp_leftover_state = object.ask(gpusched_tlp_leftover_get_state);
    View::LeftOver {
        entries: (0..qcap).map(kernel).collect(),
        resident: (0..sms).map(resident).collect(),
        pointer: state.pointer,
        submitted: state.submitted,
    }
}
