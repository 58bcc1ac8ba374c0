//! Smart-Even.

use gpusched::tlp::{Job, KernelId, Sharer, SharerTbEnded};
use gpusched_abi::status::gpusched_status as Status;
use gpusched_abi::tlp::records::*;
use gpusched_abi::tlp::smart_even::*;

use super::foreign;
use super::records::{c_needs, id, sent};
use crate::through_c::look::{expect, unless};
use crate::through_c::object::{Object, done};
use crate::through_c::records::{flag, number};
use crate::tlp::{Answer, Event, View};

fn owned(object: &Object<gpusched_tlp_smart_even>, sms: u32) -> Vec<gpusched_tlp_owned_sm> {
    assert_eq!(object.row(gpusched_tlp_smart_even_get_sm, sms).err(), Some(Status::BadSm));
    (0..sms).map(|sm| expect(object.row(gpusched_tlp_smart_even_get_sm, sm))).collect()
}

fn owners(object: &Object<gpusched_tlp_smart_even>, sms: u32) -> Vec<Option<KernelId>> {
    owned(object, sms).iter().map(|sm| number(sm.owner).map(KernelId)).collect()
}

pub(super) fn call(object: &Object<gpusched_tlp_smart_even>, sms: u32, event: &Event) -> Result<Answer, Status> {
    let gpu = object.c();
    // SAFETY: all pointers are of living values.
    unsafe {
        Ok(match *event {
            Event::Share(ref jobs) => {
                let c = |job: &Job| gpusched_tlp_job { needs: c_needs(&job.needs), n_tb: job.n_tb };
                let jobs = jobs.iter().map(c).collect::<Vec<_>>();
                done(gpusched_tlp_smart_even_start(gpu, jobs.as_ptr(), jobs.len()))?;
                Answer::Owners(owners(object, sms))
            }
            Event::Send => {
                let mut c = gpusched_tlp_sent::default();
                done(gpusched_tlp_smart_even_dispatch(gpu, &mut c))?;
                Answer::Sent(sent(&c))
            }
            Event::SharerFinish(sm) => {
                let mut c = gpusched_tlp_sharer_ended::default();
                done(gpusched_tlp_smart_even_finish(gpu, sm, &mut c))?;
                let ended = SharerTbEnded { k: id(c.k), done: flag(c.done) };
                Answer::SharerFinished(ended, owners(object, sms))
            }
            ref event => foreign(event),
        })
    }
}

pub(super) fn view(object: &Object<gpusched_tlp_smart_even>, sms: u32) -> View {
    let state: gpusched_tlp_smart_even_state = object.ask(gpusched_tlp_smart_even_get_state);
    let kernel = |k| {
        let c: gpusched_tlp_sharer = unless(Status::NotLive, object.row(gpusched_tlp_smart_even_get_kernel, k))?;
        let gpusched_tlp_sharer { max, n_tb, next, finished } = c;
        Some(Sharer { max, n_tb, next, finished })
    };
    let kernels = (0..).map_while(kernel).collect::<Vec<_>>();
    assert_eq!(kernels.len(), state.kernels as usize);
    assert_eq!(flag(state.running), kernels.iter().any(|kernel| kernel.finished < kernel.n_tb));
    View::SmartEven {
        kernels,
        owners: owners(object, sms),
        resident: owned(object, sms).iter().map(|sm| sm.resident).collect(),
        pointer: state.pointer,
    }
}
