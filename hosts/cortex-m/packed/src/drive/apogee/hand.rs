//! Loads, with what they list.

use alloc::vec::Vec;

use gpusched::Fault;
use gpusched::apogee::{Access, Apogee, Lanes, LoadProbe, Tables, Triggered, Verdict};
use gpusched_abi::apogee::{gpusched_apogee_lane, gpusched_apogee_triggered};
use gpusched_abi::convert::{ToC, from_c};

use crate::drive::Refused;
use crate::read::{Damaged, Item};
use crate::record::records;
use crate::{Bytes, Reader, Record, Sink};

records! {
    gpusched_apogee_lane { address lane reserved }
}

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
        self.rows.push(row.to_c());
    }
}

/// A load, whose threads are listed.
pub(super) fn load<T: Tables>(apogee: &mut Apogee<T>, from: &mut Reader<'_>, to: &mut Bytes) -> Result<(), Refused> {
    let (now, pc, warp, verdict) = (from_c(from.get()?), from.get()?, from_c(from.get()?), from.get::<u32>()?);
    let lane = |of: &gpusched_apogee_lane| (from_c(of.lane), of.address);
    let lanes: Vec<_> = from.get::<Vec<_>>()?.iter().map(lane).collect();
    let verdicts = [Verdict::Hit, Verdict::Pending, Verdict::Absent];
    let verdict = verdicts.get(verdict as usize).copied();
    let access = Access { pc, warp, verdict: verdict.unwrap_or(Verdict::Hit), lanes: Lanes::List(&lanes) };
    if verdict.is_none() {
        apogee.check_load(now, &access).and(Err(Fault::BadResult))?;
    }
    let mut lists = Lists::default();
    apogee.load(now, &access, &mut lists)?.to_c().put(to);
    lists.lines[..].put(to);
    lists.rows[..].put(to);
    Ok(())
}
