//! SMC.

use gpusched::tlp::{Proposal, Reported, SmcPhase};
use gpusched_abi::status::gpusched_status as Status;
use gpusched_abi::tlp::records::*;
use gpusched_abi::tlp::smc::*;

use super::foreign;
use crate::through_c::object::{Object, done};
use crate::through_c::records::{flag, one_of};
use crate::tlp::{Answer, Event, View};

const SMC_PHASE: [(u32, SmcPhase); 7] = [
    (gpusched_tlp_smc_phase::Idle as u32, SmcPhase::Idle),
    (gpusched_tlp_smc_phase::Base as u32, SmcPhase::Base),
    (gpusched_tlp_smc_phase::B0 as u32, SmcPhase::B0),
    (gpusched_tlp_smc_phase::B1 as u32, SmcPhase::B1),
    (gpusched_tlp_smc_phase::More as u32, SmcPhase::More),
    (gpusched_tlp_smc_phase::EvenMore as u32, SmcPhase::EvenMore),
    (gpusched_tlp_smc_phase::Less as u32, SmcPhase::Less),
];

fn proposal(&gpusched_tlp_proposal { sm, b }: &gpusched_tlp_proposal) -> Proposal {
    Proposal { sm, b }
}

pub(super) fn call(object: &Object<gpusched_tlp_smc>, event: &Event) -> Result<Answer, Status> {
    let search = object.c();
    // SAFETY: all pointers are of living values.
    unsafe {
        Ok(match *event {
            Event::Search([k0, k1]) => {
                let mut c = gpusched_tlp_proposal::default();
                done(gpusched_tlp_smc_start(search, k0, k1, &mut c))?;
                Answer::Proposed(proposal(&c))
            }
            Event::Report(perf) => {
                let mut c = gpusched_tlp_reported::default();
                done(gpusched_tlp_smc_report(search, perf, &mut c))?;
                Answer::Reported(Reported { proposal: proposal(&c.proposal), done: flag(c.done) })
            }
            ref event => foreign(event),
        })
    }
}

pub(super) fn view(object: &Object<gpusched_tlp_smc>) -> View {
    let state: gpusched_tlp_smc_state = object.ask(gpusched_tlp_smc_get_state);
    View::Smc {
        phase: one_of(state.phase, &SMC_PHASE),
        current: proposal(&state.current),
        saved: proposal(&state.saved),
        best: state.best,
    }
}
