//! The stochastic memory hierarchy.

use alloc::vec::Vec;

use gpusched::models::monte::{Generator, Monte, Request, SiteId, Slot, Tables, Tally, WarpTrace};
use gpusched_abi::monte::query::{gpusched_monte_site, gpusched_monte_summary, gpusched_monte_tally};
use gpusched_abi::monte::verbs::gpusched_monte_request;

use super::{Driven, Refused, image};
use crate::{Bytes, Damaged, Op, Reader, Record};

impl<T: Tables> Driven for Monte<T> {
    image!();

    fn event(&mut self, op: Op, from: &mut Reader<'_>, to: &mut Bytes) -> Result<(), Refused> {
        match op {
            Op::MonteSimulate => {
                let (seed, runs, trace) = (from.get()?, from.get()?, from.list::<_, Vec<_>>(warp)?);
                let warps: Vec<_> = trace.iter().map(|(sm, requests)| WarpTrace { sm: *sm, requests }).collect();
                let mut slots = alloc::vec![Slot::default(); trace.iter().map(|(_, requests)| requests.len()).sum()];
                self.simulate(&warps[..], runs, seed, &mut slots)?;
                gpusched_monte_summary { seed: self.seed(), stores: self.stores(), runs: self.runs(), reserved: 0 }
                    .put(to);
                let level = |of: &Tally, to: &mut Bytes| {
                    gpusched_monte_tally::of(of, self.config().tol_permille).put(to);
                    of.histogram().put(to);
                };
                level(self.l1(), to);
                level(self.l2(), to);
                self.sites().map(|(_, of)| gpusched_monte_site::from(of)).collect::<Vec<_>>()[..].put(to);
            }
            Op::MonteRng => {
                let (seed, below, run, count) = (from.get()?, from.get()?, from.get()?, from.get::<u32>()?);
                let mut random = Generator::of_run(seed, run);
                let mut next = || if below == 0 { random.next() } else { random.below(below) };
                (0..count).map(|_| next()).collect::<Vec<_>>()[..].put(to);
            }
            _ => return Err(Refused::Damaged),
        }
        Ok(())
    }
}

/// The SM of a warp, and what it accesses.
fn warp(from: &mut Reader<'_>) -> Result<(u32, Vec<Request>), Damaged> {
    let request = |from: &mut Reader<'_>| {
        let gpusched_monte_request { address, site, store } = from.get()?;
        // What no site can be called is beyond all of them.
        Ok(Request { address, site: SiteId(site.try_into().unwrap_or(u16::MAX)), store: store != 0 })
    };
    Ok((from.get()?, from.list(request)?))
}
