//! A policy of the catalogue: configurations, views that no honest host would show, ends of TBs.

use arbitrary::Result;
use gpusched::catalogue::{
    About, Amount, CatalogueConfig, Cost, Domain, List, Metric, Order, Pass, Place, Policy, Snapshot, Tie, What,
};
use gpusched::policy::seam::offer::{Completion, Offer, OfferId, OfferKind, Resident, UnitKey};
use gpusched::{Cycle, RecordId, Resources, SmxId, SmxSet};
use gpusched_tests::catalogue::Chooses;

use crate::bytes::{Bytes, number};

/// A small policy within its ranges, with any parameters that it has.
pub fn config(u: Bytes) -> Result<CatalogueConfig> {
    let about = *u.choose(About::ALL)?;
    let of = CatalogueConfig::of(about.policy);
    let n_smx = u.int_in_range(1..=6)?;
    let (tpc, gpc) = if u.arbitrary()? { topology(u, n_smx)? } else { (List::EMPTY, List::EMPTY) };
    let order = match about.policy {
        Policy::MostRoom => *u.choose(&[Order::Asc, Order::EvenOdd, Order::Listed])?,
        _ => *u.choose(&[Order::Ascending, Order::Own])?,
    };
    let order = if about.has("order") { order } else { of.order };
    let first = u.int_in_range(0..=n_smx - 1)?;
    let listed: Vec<u8> = (0..n_smx).map(|i| ((i + first) % n_smx) as u8).collect();
    let listed = if order == Order::Listed { List::new(&listed).expect("it is short") } else { List::EMPTY };
    let places = [Place::Rr, Place::Lowest, Place::Parent];
    let places = if about.policy == Policy::Leftover { &places[..2] } else { &places };
    let (threads, streams) = (u.int_in_range(1..=6)?, u.int_in_range(1..=4)?);
    let weights: Vec<u8> = (0..streams).map(|_| u.int_in_range(1..=3)).collect::<Result<_>>()?;
    let weights = if u.arbitrary()? { List::new(&weights).expect("it is short") } else { List::EMPTY };
    let cost = *u.choose(&[Cost::Tbs, Cost::Threads])?;
    let quantum = u.int_in_range(if cost == Cost::Threads { threads } else { 1 }..=8)?;
    // What a policy does not have stays as it is.
    macro_rules! with {
        ($($name:ident = $value:expr;)*) => {
            CatalogueConfig {
                n_smx,
                units: u.int_in_range(1..=6)?,
                slots: u.int_in_range(1..=4)?,
                threads,
                regs: u.int_in_range(0..=4)?,
                smem: u.int_in_range(0..=4)?,
                tpc,
                gpc,
                order,
                listed,
                $($name: if about.has(stringify!($name)) { $value } else { of.$name },)*
                ..of
            }
        };
    }
    Ok(with! {
        pass = *u.choose(&[Pass::Head, Pass::Capped, Pass::Any])?;
        place = *u.choose(places)?;
        prio_first = u.arbitrary()?;
        warp = u.int_in_range(1..=4)?;
        block = u.int_in_range(1..=4)?;
        samples = u.int_in_range(1..=3)?;
        domain = *u.choose(&[Domain::Smx, Domain::Tpc, Domain::Gpc])?;
        chunk = u.int_in_range(0..=4)?;
        spill = order == Order::Ascending && u.arbitrary()?;
        seed = u.arbitrary()?;
        grain = u.int_in_range(0..=3)?;
        probe = u.int_in_range(0..=3)?;
        metric = *u.choose(&[Metric::Tbs, Metric::Threads, Metric::Time])?;
        streams = streams;
        weights = weights;
        cost = cost;
        quantum = quantum;
        what = *u.choose(&[What::Smx, What::Offer, What::Both])?;
        amount = *u.choose(&[Amount::Half, Amount::One])?;
        min_steal = u.int_in_range(1..=3)?;
        tie = *u.choose(&[Tie::Newest, Tie::Oldest])?;
    })
}

/// Neighbours share TPCs, and those share GPCs.
fn topology<const N: usize>(u: Bytes, n_smx: u32) -> Result<(List<N>, List<N>)> {
    let (mut tpcs, mut gpcs) = (vec![0_u8], vec![0_u8]);
    for i in 1..n_smx as usize {
        let (next_tpc, next_gpc): (bool, bool) = (u.arbitrary()?, u.arbitrary()?);
        tpcs.push(tpcs[i - 1] + u8::from(next_tpc));
        gpcs.push(gpcs[i - 1] + u8::from(next_tpc && next_gpc));
    }
    Ok((List::new(&tpcs).expect("it is short"), List::new(&gpcs).expect("it is short")))
}

/// What is shown.
#[derive(Debug)]
pub struct Seen {
    now: Cycle,
    offers: Vec<Offer>,
    free: Vec<Resources>,
    counts: Vec<u32>,
    residents: Vec<Resident>,
}

impl Seen {
    /// Anything that a host could lay in arrays, of rows that there are.
    pub fn any(u: Bytes, config: &CatalogueConfig) -> Result<Self> {
        let smxs = 0..config.n_smx;
        let n = u.int_in_range(0..=4)?;
        let offers = (0..n).map(|place| offer(u, config, place)).collect::<Result<_>>()?;
        let counts: Vec<u32> = smxs.clone().map(|_| u.int_in_range(0..=2)).collect::<Result<_>>()?;
        let resident = |u: Bytes| Ok(Resident { unit: unit(u)?, stream: number(u)?, threads: number(u)? });
        Ok(Self {
            now: Cycle(u.arbitrary()?),
            offers,
            free: smxs.map(|_| resources(u)).collect::<Result<_>>()?,
            residents: (0..counts.iter().sum()).map(|_| resident(u)).collect::<Result<_>>()?,
            counts,
        })
    }

    /// Shows it to both. What is answered is an SMX that is open to an offer.
    ///
    /// # Panics
    /// If they differ, or answer something else.
    pub fn show(&self, c: &mut impl Chooses, core: &mut impl Chooses) {
        let Self { now, offers, free, counts, residents } = self;
        let view = Snapshot { now: *now, offers, free, counts, residents };
        let answer = core.choose(&view);
        assert_eq!(c.choose(&view), answer, "{self:?}");
        let Some(choice) = answer.expect("all rows are there") else { return };
        let offer = offers.iter().find(|offer| offer.id == choice.id).expect("it is offered");
        let config = core.config();
        let is_open = offer.open.contains(choice.smx) && u32::from(choice.smx) < config.n_smx;
        assert!(is_open, "{choice:?} of {self:?} under {config:?}");
        let splits = config.is_own() || config.policy == Policy::Steal;
        assert!(choice.blkid.is_none() || splits, "{choice:?} of {self:?} under {config:?}");
    }
}

/// A number of a unit, mostly one of few.
fn unit(u: Bytes) -> Result<u64> {
    if u.ratio(1, 16)? { u.arbitrary() } else { u.int_in_range(0..=5) }
}

fn resources(u: Bytes) -> Result<Resources> {
    Ok(Resources { threads: number(u)?, regs: number(u)?, smem: number(u)?, slots: number(u)? })
}

/// Of SMXs that there are, mostly.
fn smxs(u: Bytes, config: &CatalogueConfig) -> Result<SmxSet> {
    let words = [u.arbitrary()?, u.arbitrary::<bool>()?.into(), 0, 0];
    let set = SmxSet::from_words(words);
    Ok(if u.ratio(1, 8)? { set } else { set.and(&SmxSet::first(config.n_smx)) })
}

fn offer(u: Bytes, config: &CatalogueConfig, place: u32) -> Result<Offer> {
    let key = |u: Bytes| Ok::<_, arbitrary::Error>(UnitKey { ready: Cycle(u.int_in_range(0..=3)?), no: unit(u)? });
    Ok(Offer {
        row: u.int_in_range(0..=config.units - 1)?,
        kind: *u.choose(&[OfferKind::Native, OfferKind::Restored, OfferKind::Group, OfferKind::Node])?,
        tag: unit(u)?,
        res: resources(u)?,
        // All ones are C's word for none, here and below.
        blkid: Some(number(u)?).filter(|blkid| *blkid != u32::MAX),
        left: number(u)?.max(1),
        total: number(u)?,
        prio: u.arbitrary()?,
        psmx: if u.arbitrary()? { Some(SmxId(number(u)? as u16)) } else { None },
        stream: number(u)?,
        key: key(u)?,
        parent: if u.arbitrary()? { Some(key(u)?).filter(|parent| parent.no != u64::MAX) } else { None },
        open: smxs(u, config)?,
        capped: smxs(u, config)?,
        ..Offer::of(OfferId::Record(RecordId(place)))
    })
}

/// A TB ends, now and then one that cannot be.
pub fn ended(u: Bytes) -> Result<Completion> {
    let start = if u.ratio(1, 16)? { u.arbitrary()? } else { u.int_in_range(0..=9)? };
    let end = if u.ratio(1, 8)? { u.arbitrary()? } else { u64::saturating_add(start, u.int_in_range(0..=9)?) };
    Ok(Completion {
        unit: unit(u)?,
        row: number(u)?,
        blkid: number(u)?,
        smx: SmxId(number(u)? as u16),
        start: Cycle(start),
        end: Cycle(end),
        issued: if u.arbitrary()? { u.arbitrary()? } else { u.int_in_range(0..=3)? },
        all: if u.arbitrary()? { u.arbitrary()? } else { u.int_in_range(0..=9)? },
    })
}
