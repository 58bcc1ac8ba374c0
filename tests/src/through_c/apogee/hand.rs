//! Loads as a C program makes them, rows as it reads them, and what is measured.

use std::ptr;

use gpusched_abi::apogee::*;
use gpusched_abi::convert::ToC;
use gpusched_abi::status::gpusched_status as Status;

use super::ThroughC;
use crate::calls::apogee::hand::{Form, Load, LoadAnswer, affine, dense};
use crate::through_c::object::done;
use crate::through_c::told::told;

impl Load {
    /// Makes the call.
    ///
    /// # Errors
    /// The status of a refused call.
    ///
    /// # Safety
    /// `object` is a machine that nobody else uses.
    pub(super) unsafe fn through_c(&self, object: *mut gpusched_apogee) -> Result<LoadAnswer, Status> {
        let Self { now, pc, warp, result, lanes, form } = self;
        let verdict = result.map_or(3, |verdict| verdict.to_c());
        let list: Vec<_> = lanes
            .iter()
            .map(|&(lane, address)| gpusched_apogee_lane { address, lane: lane.to_c(), reserved: 7 })
            .collect();
        // What is not told in a form must not matter.
        let listed = gpusched_apogee_access {
            pc: *pc,
            mask: u64::MAX,
            addresses: ptr::null(),
            lanes: list.as_ptr(),
            count: list.len(),
            warp: warp.to_c(),
            verdict,
            first: u64::MAX,
            stride: i64::MAX,
        };
        let dense = dense(lanes);
        let access = match (form, &dense, affine(lanes)) {
            (Form::Dense, Some((mask, addresses)), _) => gpusched_apogee_access {
                mask: *mask,
                addresses: addresses.as_ptr(),
                lanes: ptr::null(),
                count: addresses.len(),
                ..listed
            },
            (Form::Affine, _, Some((mask, first, stride))) => {
                gpusched_apogee_access { mask, lanes: ptr::null(), count: 0, first, stride, ..listed }
            }
            _ => listed,
        };
        let mut loaded = gpusched_apogee_loaded::default();
        let (mut lines, mut rows) = ([0; 128], [gpusched_apogee_triggered::default(); 256]);
        let lists = gpusched_apogee_lists {
            lines: lines.as_mut_ptr(),
            line_capacity: lines.len(),
            rows: rows.as_mut_ptr(),
            row_capacity: rows.len(),
        };
        // SAFETY: the caller's contract; all other pointers are of living values.
        done(unsafe { gpusched_apogee_load(object, now.0, &access, &mut loaded, &lists) })?;
        Ok(LoadAnswer {
            pushed: lines[..loaded.pushed as usize].to_vec(),
            trig: rows[..loaded.triggered as usize].iter().map(told).collect(),
            loaded: told(&loaded),
        })
    }
}

impl ThroughC {
    /// A load that is good, without its lists.
    ///
    /// # Panics
    /// If it is refused.
    #[inline(always)]
    pub fn load_access(&mut self, now: u64, access: &gpusched_apogee_access) -> gpusched_apogee_loaded {
        let mut loaded = gpusched_apogee_loaded::default();
        // SAFETY: all pointers are of living values.
        let status = unsafe { gpusched_apogee_load(self.object.c(), now, access, &mut loaded, ptr::null()) };
        assert_eq!(status, Status::Ok);
        loaded
    }

    /// Pops a request, says that it was sent, and lets it come back at once. Whether there was one.
    ///
    /// # Panics
    /// If a call is refused.
    #[inline(always)]
    pub fn serve(&mut self, now: u64) -> bool {
        let apogee = self.object.c();
        let (mut of, mut popped) = (gpusched_apogee_request::default(), 0);
        // SAFETY: all pointers are of living values.
        unsafe {
            assert_eq!(gpusched_apogee_pf_pop(apogee, now, &mut of, &mut popped), Status::Ok);
            if popped == 0 {
                return false;
            }
            assert_eq!(gpusched_apogee_pf_reply(apogee, 1, ptr::null_mut()), Status::Ok);
            let gpusched_apogee_request { entry, generation, warp, .. } = of;
            assert_eq!(gpusched_apogee_pf_fill(apogee, entry, generation, warp, ptr::null_mut()), Status::Ok);
        }
        true
    }
}
