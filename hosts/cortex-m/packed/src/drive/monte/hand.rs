//! Runs over a trace, and what they come to.

use alloc::vec::Vec;

use gpusched::models::monte::{Level, Monte, Request, SiteId, Slot, Tables, WarpTrace};
use gpusched_abi::convert::{ToC, from_c};
use gpusched_abi::monte::gpusched_monte_request;

use crate::drive::Refused;
use crate::{Bytes, Damaged, Reader, Record};

/// So many runs: what they come to is told.
pub(super) fn simulate<T: Tables>(m: &mut Monte<T>, from: &mut Reader<'_>, to: &mut Bytes) -> Result<(), Refused> {
    let (seed, runs, trace) = (from.get()?, from.get()?, from.list::<_, Vec<_>>(warp)?);
    let mut slots = alloc::vec![Slot::default(); trace.iter().map(|(_, requests)| requests.len()).sum()];
    m.simulate(&warps(&trace)[..], runs, seed, &mut slots)?;
    m.seed().put(to);
    m.stores().put(to);
    m.runs().put(to);
    for level in [Level::L1, Level::L2] {
        m.level(level).to_c().put(to);
        m.histogram(level).collect::<Vec<_>>()[..].put(to);
    }
    (0..=u16::MAX).map_while(|site| Some(m.site(SiteId(site))?.to_c())).collect::<Vec<_>>()[..].put(to);
    Ok(())
}

/// One run.
pub(super) fn run<T: Tables>(m: &mut Monte<T>, from: &mut Reader<'_>, _: &mut Bytes) -> Result<(), Refused> {
    let (slots, trace) = (from.get::<u32>()?, from.list::<_, Vec<_>>(warp)?);
    Ok(m.run(&warps(&trace)[..], &mut alloc::vec![Slot::default(); slots as usize])?)
}

fn warps(trace: &[(u32, Vec<Request>)]) -> Vec<WarpTrace<'_>> {
    trace.iter().map(|(sm, requests)| WarpTrace { sm: *sm, requests }).collect()
}

/// The SM of a warp, and what it accesses.
fn warp(from: &mut Reader<'_>) -> Result<(u32, Vec<Request>), Damaged> {
    let request = |from: &mut Reader<'_>| {
        let gpusched_monte_request { address, site, store } = from.get()?;
        Ok(Request { address, site: from_c(site), store: from_c(store) })
    };
    Ok((from.get()?, from.list(request)?))
}
