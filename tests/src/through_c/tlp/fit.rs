//! What needs no machine.

use gpusched::tlp::{Category, StaticTlp, TlpConfig};
use gpusched_abi::status::gpusched_status as Status;
use gpusched_abi::tlp::fit::*;
use gpusched_abi::tlp::records::*;

use super::records::{MODE, TYPE, c_kernel, id};
use super::{c_config, foreign};
use crate::through_c::object::done;
use crate::through_c::records::{narrow, one_of};
use crate::tlp::{Answer, Event};

pub(super) fn call(config: &TlpConfig, event: &Event) -> Result<Answer, Status> {
    let config = &c_config(config);
    // SAFETY: all pointers are of living values.
    unsafe {
        Ok(match *event {
            Event::Categorise(ref profile) => {
                let mut c = gpusched_tlp_category::default();
                done(gpusched_tlp_categorise(config, profile.as_ptr(), profile.len(), &mut c))?;
                Answer::Category(Category { kind: one_of(c.kind, &TYPE), opt: narrow(c.opt) })
            }
            Event::Static { ref k0, ref k1, first } => {
                let mut c = gpusched_tlp_targets::default();
                done(gpusched_tlp_static(config, &c_kernel(k0), &c_kernel(k1), first, &mut c))?;
                Answer::Static(StaticTlp { tb: c.tb, mode: one_of(c.mode, &MODE), a: id(c.a) })
            }
            Event::Max(ref k) => {
                let mut most = 0;
                done(gpusched_tlp_max(config, &c_kernel(k), &mut most))?;
                Answer::Max(most)
            }
            Event::Remain { ref k, ref other, n } => {
                let mut room = 0;
                done(gpusched_tlp_remain(config, &c_kernel(k), &c_kernel(other), n, &mut room))?;
                Answer::Remain(room)
            }
            ref event => foreign(event),
        })
    }
}
