//! Mascar.

use arbitrary::Result;
use gpusched::Cycle;
use gpusched::mascar::{CacheConfig, Kind, Lookup, MascarConfig, Offsets, Order, Priority, Request, Sources, WarpId};
use gpusched_tests::mascar::{Event, Mascars};

use crate::bytes::{Bytes, number};
use crate::twins::Twins;

fn order(u: Bytes) -> Result<Order> {
    Ok(*u.choose(&[Order::Gto, Order::Oldest, Order::Rr])?)
}

fn priority(u: Bytes) -> Result<Priority> {
    Ok(*u.choose(&[Priority::Mem, Priority::Comp, Priority::Merged])?)
}

fn cache(u: Bytes) -> Result<CacheConfig> {
    let (mshr, missq) = (u.int_in_range(1..=3)?, u.int_in_range(1..=3)?);
    let (mshr_sat, missq_sat) = (u.int_in_range(1..=mshr)?, u.int_in_range(1..=missq)?);
    let (mshr_clear, missq_clear) = (u.int_in_range(1..=mshr_sat)?, u.int_in_range(1..=missq_sat)?);
    Ok(CacheConfig { mshr, missq, mshr_sat, missq_sat, mshr_clear, missq_clear })
}

fn request(u: Bytes) -> Result<Request> {
    let mut offs = Offsets::default();
    offs.set(u.int_in_range(0..=3)?, u.arbitrary()?);
    let mask = if u.ratio(1, 16)? { u.arbitrary()? } else { 1 };
    Ok(Request { base: number(u)?.into(), mask, offs })
}

impl Twins for Mascars {
    type Host = ();

    fn config(u: Bytes) -> Result<MascarConfig> {
        let caches = (0..u.int_in_range(1..=3)?).map(|_| cache(u)).collect::<Result<Vec<_>>>()?;
        Ok(MascarConfig {
            warps: u.int_in_range(1..=5)?,
            schedulers: u.int_in_range(1..=3)?,
            rexq: u.int_in_range(0..=3)?,
            warp_size: u.int_in_range(1..=4)?,
            owner_timeout: u.int_in_range(0..=4)?,
            starve_limit: u.int_in_range(0..=2)?,
            per_pipe: u.arbitrary()?,
            enable: !u.ratio(1, 16)?,
            ep_priority: priority(u)?,
            ep_mem_order: order(u)?,
            ep_comp_order: order(u)?,
            mp_priority: priority(u)?,
            mp_mem_order: order(u)?,
            mp_comp_order: order(u)?,
            owner_first: u.arbitrary()?,
            relinquish_waits: u.arbitrary()?,
            relinquish_sync: u.arbitrary()?,
            rescue: u.arbitrary()?,
            retry_owner: u.arbitrary()?,
            nonowner_merge: u.arbitrary()?,
            sources: Sources::new(&caches).expect("one to three"),
        })
    }

    fn event(core: &Self::Core, _: &mut (), u: Bytes) -> Result<Event> {
        // What no warp's number can be in Rust is cut before it is one.
        let w = WarpId(number(u)?.min(255) as u8);
        let next = core.picked().map_or(0, |picked| picked.0.saturating_add(1));
        Ok(match u.int_in_range(0..=31u8)? {
            0..=3 => Event::WarpStart { w },
            4 => Event::WarpExit { w },
            5..=11 => {
                let kinds =
                    [Some(Kind::None), Some(Kind::Alu), Some(Kind::Mem), Some(Kind::Mem), Some(Kind::Sync), None];
                let (ready, dep_load) =
                    *u.choose(&[(true, false), (true, false), (false, true), (false, false), (true, true)])?;
                Event::SetHead { w, kind: *u.choose(&kinds)?, ready, dep_load }
            }
            12..=13 => {
                let src = if u.ratio(1, 8)? { number(u)? } else { 0 };
                Event::L1State { src, mshr: number(u)?, missq: number(u)? }
            }
            14..=18 => {
                let now = match u.int_in_range(0..=31u8)? {
                    0 => next.saturating_sub(1),
                    1 => u.arbitrary()?,
                    later => next.saturating_add(u64::from(later) / 8),
                };
                let comp_accept = if u.ratio(1, 4)? { Some(number(u)?) } else { None };
                Event::Pick { now: Cycle(now), lsu_accept: !u.ratio(1, 8)?, comp_accept }
            }
            19..=22 => {
                let w = if u.ratio(1, 8)? { w } else { core.lsu().warp().unwrap_or(w) };
                let dst = if u.ratio(1, 8)? { number(u)? } else { u32::from(w.0) % 128 };
                Event::LsuBegin { w, nreq: number(u)?, dst }
            }
            23..=26 => Event::LsuNext,
            _ => {
                let results = [Some(Lookup::Hit), Some(Lookup::Merge), Some(Lookup::Miss), Some(Lookup::Miss), None];
                let request = if u.ratio(1, 16)? { None } else { Some(request(u)?) };
                Event::LsuReply { result: *u.choose(&results)?, room: u.arbitrary()?, request }
            }
        })
    }
}
