//! A scheduling policy of your own, in Rust: the youngest unit first, each TB to the SMX of its parent if that is open, else to the one
//! with the fewest TBs.
//!
//! ```sh
//! cargo build --release -p policy-template-rust
//! gpusched compare bfs --sched fcfs,target/release/libmine.so
//! ```

use std::ffi::CStr;

use gpusched::{SmxId, SmxSet};
use gpusched_plugin::export::{Policy, Seen, gpusched_offer};
use gpusched_plugin::{Answer, Machine, export};

/// What the policy keeps from cycle to cycle.
struct Youngest {
    /// Whether it looks at the parent's SMX first: `parent=no` behind the file's name says that it does not.
    asks_parent: bool,
}

impl Policy for Youngest {
    const NAME: &'static CStr = c"youngest";

    fn new(_: &Machine, parameters: &str) -> Result<Self, &'static CStr> {
        match parameters {
            "" | "parent=yes" => Ok(Self { asks_parent: true }),
            "parent=no" => Ok(Self { asks_parent: false }),
            _ => Err(c"its only parameter is parent=yes or parent=no"),
        }
    }

    /// Offers come in the order of the host, the oldest first. Nothing needs to be sent.
    fn choose(&mut self, seen: &Seen<'_>) -> Answer {
        let fits = seen.offers.iter().enumerate().rev().find_map(|(i, offer)| Some((i, self.smx(seen, offer)?)));
        fits.map_or(Answer::Wait(None), |(offer, smx)| Answer::Send { offer, smx })
    }
}

impl Youngest {
    fn smx(&self, seen: &Seen<'_>, offer: &gpusched_offer) -> Option<SmxId> {
        let open: SmxSet = seen.open(offer);
        let parent = u16::try_from(offer.psmx).ok().map(SmxId).filter(|&smx| self.asks_parent && open.contains(smx));
        parent.or_else(|| open.iter().min_by_key(|smx| seen.residents(usize::from(smx.0)).len()))
    }
}

export!(Youngest);
