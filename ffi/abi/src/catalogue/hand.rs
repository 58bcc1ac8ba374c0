//! What no rule expresses: lists in a configuration, and the choice, for which a host lays what it sees in arrays.

use core::ffi::CStr;

use gpusched::catalogue::{CatalogueConfig, List, MAX_SMXS, MAX_STREAMS};
use gpusched::policy::seam::offer::{Completion, Offer, OfferId, OfferKind, Resident, View};
use gpusched::{Cycle, RecordId, Resources, SmxId};

use super::{Object, gpusched_catalogue, gpusched_catalogue_config};
use crate::GPUSCHED_NONE;
use crate::config::Wrong;
use crate::convert::{FromC, ToC, from_c};
use crate::frontend::{gpusched_completion, gpusched_offer, gpusched_resident};
use crate::object::enter;
use crate::pointer::{array, get, writable};
use crate::smx::gpusched_resources;
use crate::status::{gpusched_status, gpusched_status as Status, status};

/// The most SMXs.
pub const GPUSCHED_CATALOGUE_SMXS: usize = 256;
const _: () = assert!(GPUSCHED_CATALOGUE_SMXS == MAX_SMXS);

/// The most slots of streams.
pub const GPUSCHED_CATALOGUE_STREAMS: usize = 64;
const _: () = assert!(GPUSCHED_CATALOGUE_STREAMS == MAX_STREAMS);

/// A number for each SMX, or for none.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct gpusched_catalogue_smxs {
    /// SMXs that have one: all, or 0.
    pub count: u32,
    /// The numbers; those behind the last SMX do not matter.
    pub numbers: [u8; GPUSCHED_CATALOGUE_SMXS],
}

/// A weight for each slot of streams, or for none.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct gpusched_catalogue_weights {
    /// Slots that have one: all, or 0.
    pub count: u32,
    /// The weights; those behind the last slot do not matter.
    pub numbers: [u8; GPUSCHED_CATALOGUE_STREAMS],
}

macro_rules! lists {
    ($($List:ident[$N:ident])*) => {
        $(impl Default for $List {
            fn default() -> Self {
                Self { count: 0, numbers: [0; $N] }
            }
        }

        impl $List {
            fn of(list: &List<$N>) -> Self {
                let mut of = Self { count: list.numbers().len() as u32, ..Self::default() };
                of.numbers.iter_mut().zip(list.numbers()).for_each(|(to, number)| *to = *number);
                of
            }

            fn get(&self, name: &'static CStr) -> Result<List<$N>, Wrong> {
                let numbers = self.numbers.get(..self.count as usize).and_then(List::new);
                numbers.ok_or_else(|| Wrong::beyond(name, self.count, $N as u32))
            }
        })*
    };
}
lists!(gpusched_catalogue_smxs[GPUSCHED_CATALOGUE_SMXS] gpusched_catalogue_weights[GPUSCHED_CATALOGUE_STREAMS]);

impl gpusched_catalogue_config {
    /// The lists and the seed.
    pub(super) fn put_by_hand(&mut self, config: &CatalogueConfig) {
        let CatalogueConfig { tpc, gpc, listed, weights, seed, .. } = config;
        [self.tpc, self.gpc, self.listed] = [tpc, gpc, listed].map(gpusched_catalogue_smxs::of);
        self.weights = gpusched_catalogue_weights::of(weights);
        self.seed = *seed;
    }

    /// The lists, unchecked but for their lengths, and the seed.
    pub(super) fn get_by_hand(&self, config: &mut CatalogueConfig) -> Result<(), Wrong> {
        config.tpc = self.tpc.get(c"tpc")?;
        config.gpc = self.gpc.get(c"gpc")?;
        config.listed = self.listed.get(c"listed")?;
        config.weights = self.weights.get(c"weights")?;
        config.seed = self.seed;
        Ok(())
    }
}

/// What a policy sees of its host in a cycle.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct gpusched_catalogue_view {
    /// The cycle.
    pub now: u64,
    /// The units with TBs to send, in the host's order, as a front end offers them; of each at least one TB is left. Their `id`, `class_id`,
    /// `load` and `reserved` are not looked at.
    pub offers: *const gpusched_offer,
    /// How many there are.
    pub offer_count: usize,
    /// What is free on each SMX, `n_smx` of them.
    pub free: *const gpusched_resources,
    /// How many TBs run on each SMX, `n_smx` of them. Null: nobody says, and policies that ask for it see none.
    pub counts: *const u32,
    /// Those TBs, SMX by SMX.
    pub residents: *const gpusched_resident,
    /// How many there are, the sum of `counts`.
    pub resident_count: usize,
}

/// The TB that the host sends now.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct gpusched_catalogue_choice {
    /// Which of the offers, from 0.
    pub offer: u32,
    /// Where to.
    pub smx: u32,
    /// The TB: `blkid` of the offer, GPUSCHED_NONE included, or under order OWN and STEAL another one that has not been sent.
    pub blkid: u32,
}

/// What is seen, in the arrays of the caller.
struct Seen<'a> {
    now: Cycle,
    offers: &'a [gpusched_offer],
    free: &'a [gpusched_resources],
    counts: &'a [u32],
    residents: &'a [gpusched_resident],
}

impl View for Seen<'_> {
    fn now(&self) -> Cycle {
        self.now
    }

    fn offers(&self) -> impl Iterator<Item = Offer> {
        // An offer is named after its place.
        (0..).map(RecordId).zip(self.offers).map(|(id, of)| Offer {
            row: of.row,
            // Of no kind is none: it was refused before.
            kind: kind(of.kind).unwrap_or(OfferKind::Node),
            tag: of.tag,
            res: from_c(of.res),
            blkid: from_c(of.blkid),
            left: of.left,
            total: of.total,
            prio: from_c(of.prio),
            psmx: from_c(of.psmx),
            stream: of.stream,
            key: from_c(of.key),
            parent: from_c(of.parent),
            open: from_c(of.open),
            capped: from_c(of.capped),
            ..Offer::of(OfferId::Record(id))
        })
    }

    fn free(&self, smx: SmxId) -> Resources {
        self.free.get(usize::from(smx.0)).map(|free| from_c(*free)).unwrap_or_default()
    }

    fn residents(&self, smx: SmxId) -> impl Iterator<Item = Resident> {
        let at = usize::from(smx.0);
        let before = self.counts.iter().take(at).map(|count| *count as usize).sum();
        let count = self.counts.get(at).map_or(0, |count| *count as usize);
        let of = self.residents.iter().skip(before).take(count);
        of.map(|&gpusched_resident { unit, stream, threads }| Resident { unit, stream, threads })
    }
}

/// Which TB goes where, if any does; at most one in a cycle, which the host sends. Behind gpusched_catalogue_done of those that have ended.
///
/// @param catalogue  The policy.
/// @param view       What it sees.
/// @param choice     Receives what is sent; all 0 if nothing is.
/// @param chosen     Receives 1 if something is sent, else 0.
/// @return BadUnit: a row is beyond `units`; EmptyGroup: an offer has nothing left; BadIndex: it is of no kind; BadLength: `counts` do not
/// add up to `resident_count`; Null, Misaligned, Capacity; those of the object.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn gpusched_catalogue_choose(
    catalogue: *mut gpusched_catalogue,
    view: *const gpusched_catalogue_view,
    choice: *mut gpusched_catalogue_choice,
    chosen: *mut u32,
) -> gpusched_status {
    // SAFETY: the caller's contract.
    status(unsafe {
        enter::<Object>(catalogue).and_then(|policy| {
            let (view, choice, chosen) = (get(view)?, writable(choice)?, writable(chosen)?);
            let seen = seen(policy, view)?;
            let sent = policy.choose(&seen);
            let told = sent.map(|sent| {
                let OfferId::Record(RecordId(offer)) = sent.id else { return gpusched_catalogue_choice::default() };
                let next = seen.offers.get(offer as usize).map_or(GPUSCHED_NONE, |offer| offer.blkid);
                gpusched_catalogue_choice { offer, smx: sent.smx.to_c(), blkid: sent.blkid.unwrap_or(next) }
            });
            choice.write(told.unwrap_or_default());
            chosen.write(told.is_some().into());
            Ok(())
        })
    })
}

/// A gpusched_offer_kind.
fn kind(number: u32) -> Option<OfferKind> {
    let kinds = [OfferKind::Native, OfferKind::Restored, OfferKind::Group, OfferKind::Node];
    kinds.into_iter().find(|kind| kind.to_c() == number)
}

/// The arrays of the caller, if they are what they should be.
///
/// # Safety
/// As of [`array`].
unsafe fn seen<'a>(policy: &Object, view: &gpusched_catalogue_view) -> Result<Seen<'a>, Status> {
    let n_smx = policy.config().n_smx as usize;
    // SAFETY: the caller's contract.
    let seen: Seen<'a> = unsafe {
        Seen {
            now: Cycle(view.now),
            offers: array(view.offers, view.offer_count)?,
            free: array(view.free, n_smx)?,
            counts: if view.counts.is_null() { &[] } else { array(view.counts, n_smx)? },
            residents: array(view.residents, view.resident_count)?,
        }
    };
    if seen.offers.iter().any(|offer| offer.row >= policy.config().units) {
        return Err(Status::BadUnit);
    }
    if seen.offers.iter().any(|offer| offer.left == 0) {
        return Err(Status::EmptyGroup);
    }
    if seen.offers.iter().any(|offer| kind(offer.kind).is_none()) {
        return Err(Status::BadIndex);
    }
    let resident = seen.counts.iter().fold(0_u64, |sum, count| sum.saturating_add((*count).into()));
    if resident != seen.residents.len() as u64 {
        return Err(Status::BadLength);
    }
    Ok(seen)
}

/// What a front end has told of a TB, or another host says.
impl FromC for Completion {
    type C = gpusched_completion;

    fn from_c(c: gpusched_completion) -> Self {
        let gpusched_completion { unit, start, end, issued, all, row, blkid, smx } = c;
        Self { unit, row, blkid, smx: from_c(smx), start: from_c(start), end: from_c(end), issued, all }
    }
}
