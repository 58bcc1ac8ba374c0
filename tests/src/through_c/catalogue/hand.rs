//! The lists of a configuration, and choices as a C program asks for them.

use std::ptr;

use gpusched::catalogue::{CatalogueConfig, List, Snapshot};
use gpusched::policy::seam::offer::{Choice, Completion};
use gpusched::{Fault, SmxId};
use gpusched_abi::GPUSCHED_NONE;
use gpusched_abi::catalogue::*;
use gpusched_abi::convert::ToC;

use super::ThroughC;
use crate::calls::catalogue::Event;
use crate::catalogue::Chooses;
use crate::through_c::object::{done, fault};

fn smxs(list: &List<GPUSCHED_CATALOGUE_SMXS>) -> gpusched_catalogue_smxs {
    let mut c = gpusched_catalogue_smxs { count: list.numbers().len() as u32, ..Default::default() };
    c.numbers[..list.numbers().len()].copy_from_slice(list.numbers());
    c
}

fn list<const N: usize>(numbers: &[u8; N], count: u32) -> List<N> {
    List::new(&numbers[..count as usize]).expect("a list that was told")
}

/// The lists and the seed, as a C program writes them.
pub(super) fn put_by_hand(c: &mut gpusched_catalogue_config, config: &CatalogueConfig) {
    [c.tpc, c.gpc, c.listed] = [config.tpc, config.gpc, config.listed].map(|list| smxs(&list));
    let weights = config.weights.numbers();
    c.weights.count = weights.len() as u32;
    c.weights.numbers[..weights.len()].copy_from_slice(weights);
    c.seed = config.seed;
}

/// The lists and the seed that C tells.
pub(super) fn get_by_hand(c: &gpusched_catalogue_config, config: CatalogueConfig) -> CatalogueConfig {
    let [tpc, gpc, listed] = [&c.tpc, &c.gpc, &c.listed].map(|c| list(&c.numbers, c.count));
    CatalogueConfig { tpc, gpc, listed, weights: list(&c.weights.numbers, c.weights.count), seed: c.seed, ..config }
}

impl Chooses for ThroughC {
    fn done(&mut self, ended: &Completion) -> Result<(), Fault> {
        self.take(&Event::Done { ended: *ended }).map(drop)
    }

    fn choose(&mut self, view: &Snapshot<'_>) -> Result<Option<Choice>, Fault> {
        let offers: Vec<_> = view.offers.iter().map(ToC::to_c).collect();
        let free: Vec<_> = view.free.iter().map(ToC::to_c).collect();
        let residents: Vec<_> = view.residents.iter().map(ToC::to_c).collect();
        let seen = gpusched_catalogue_view {
            now: view.now.0,
            offers: if offers.is_empty() { ptr::null() } else { offers.as_ptr() },
            offer_count: offers.len(),
            free: free.as_ptr(),
            counts: view.counts.as_ptr(),
            residents: if residents.is_empty() { ptr::null() } else { residents.as_ptr() },
            resident_count: residents.len(),
        };
        let (mut choice, mut chosen) = (gpusched_catalogue_choice::default(), 7);
        // SAFETY: all pointers are of living values.
        done(unsafe { gpusched_catalogue_choose(self.object.c(), &seen, &mut choice, &mut chosen) }).map_err(fault)?;
        let gpusched_catalogue_choice { offer, smx, blkid } = choice;
        if chosen == 0 {
            assert_eq!((offer, smx, blkid), (0, 0, 0));
            return Ok(None);
        }
        let of = &view.offers[offer as usize];
        let blkid = Some(blkid).filter(|&blkid| blkid != GPUSCHED_NONE && of.blkid != Some(blkid));
        Ok(Some(Choice { id: of.id, smx: SmxId(smx as u16), blkid }))
    }
}
