//! APOGEE.

use alloc::vec::Vec;

use gpusched::Fault;
use gpusched::apogee::{Access, Apogee, Lanes, LoadProbe, Tables, Triggered, Verdict};
use gpusched_abi::apogee::verbs::*;

use super::{Driven, Refused, image, put};
use crate::{Bytes, Op, Reader, Record};

/// What a load decides beside its record.
#[derive(Default)]
struct Lists {
    lines: Vec<u64>,
    rows: Vec<gpusched_apogee_triggered>,
}

impl LoadProbe for Lists {
    fn pushed(&mut self, line: u64) {
        self.lines.push(line);
    }

    fn triggered(&mut self, row: Triggered) {
        self.rows.push(row.into());
    }
}

impl<T: Tables> Driven for Apogee<T> {
    image!();

    fn event(&mut self, op: Op, from: &mut Reader<'_>, to: &mut Bytes) -> Result<(), Refused> {
        match op {
            Op::ApogeeLoad => {
                let (now, pc, warp, verdict) = (from.get()?, from.get()?, from.row()?, from.get::<u32>()?);
                // What no lane can be called is beyond every warp.
                let lane = |of: &gpusched_apogee_lane| (u8::try_from(of.lane).unwrap_or(u8::MAX), of.address);
                let lanes: Vec<_> = from.get::<Vec<_>>()?.iter().map(lane).collect();
                let verdicts = [Verdict::Hit, Verdict::Pending, Verdict::Absent];
                let verdict = verdicts.get(verdict as usize).copied();
                let access = Access { pc, warp, verdict: verdict.unwrap_or(Verdict::Hit), lanes: Lanes::List(&lanes) };
                if verdict.is_none() {
                    self.check_load(now, &access).and(Err(Fault::BadResult))?;
                }
                let mut lists = Lists::default();
                put::<gpusched_apogee_loaded>(&self.load(now, &access, &mut lists)?, to);
                lists.lines[..].put(to);
                lists.rows[..].put(to);
            }
            Op::ApogeePfPop => {
                let request = self.pf_pop(from.get()?)?;
                request.is_some().put(to);
                if let Some(request) = request {
                    put::<gpusched_apogee_request>(request, to);
                }
            }
            Op::ApogeePfReply => self.pf_reply(from.get()?)?.put(to),
            Op::ApogeePfFill => self.pf_fill(from.row()?, from.get()?, from.row()?)?.put(to),
            Op::ApogeeSetThreads => self.set_threads(from.get()?)?,
            Op::ApogeeFlush => self.flush()?.put(to),
            _ => return Err(Refused::Damaged),
        }
        Ok(())
    }
}
