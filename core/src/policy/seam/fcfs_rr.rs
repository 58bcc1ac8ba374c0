//! The baseline as a policy of the seam: kernels first come, first served; SMXs round robin (policy-E1).
//!
//! It does what the front end's own [`fcfs_rr`](crate::policy::fcfs_rr) does, from what any policy is shown: a place to start from for a
//! policy that is to differ in one thing. The front end's own is cheaper, for it keeps none of the books that offers are made from.
//!
//! ```
//! use gpusched::seam::FcfsRr;
//! use gpusched::{Config, Decided, Descriptor, Dim3, FrontEnd, Policy, ToldPart, inline_tables, presets::K20c};
//!
//! const GPU: Config = Config { policy: Policy::Told(ToldPart::CHAIN), ..Config::K20C };
//! inline_tables! {
//!     struct Told = GPU;
//! }
//! # std::thread::Builder::new().stack_size(64 << 20).spawn(|| {
//! let mut as_policy = Decided::<Told, _>::new(&GPU, FcfsRr::new(&GPU)).unwrap();
//! let mut built_in = FrontEnd::<K20c>::new(&Config::K20C).unwrap();
//! let kernel = Descriptor { grid: Dim3::linear(100), tb: Dim3::linear(640), ..Descriptor::default() };
//! as_policy.host_launch(0, &kernel, false).unwrap();
//! built_in.host_launch(0, &kernel, false).unwrap();
//! for _ in 0..500 {
//!     let (mine, theirs) = (as_policy.tick(&mut ()).unwrap(), built_in.tick(&mut ()).unwrap());
//!     assert_eq!(mine, theirs);
//! }
//! # }).unwrap().join().unwrap();
//! ```

use crate::base::id::{SmxId, next_of};
use crate::base::set::SmxSet;
use crate::config::Config;
use crate::policy::seam::offer::{Choice, Offer, OfferKind, OfferLoad, View};
use crate::policy::seam::policy::{Answer, Policy};

/// First come, first served, with round robin. For offers in chains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct FcfsRr {
    all: SmxSet,
    pass_capped: bool,
    pass_graph: bool,
    turns: Turns,
}

/// Which SMXs are tried first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub(super) struct Turns {
    n_smx: u16,
    tb: SmxId,
    /// Nodes of a graph have a turn of their own (the pointer of the dependency-graph buffer).
    node: SmxId,
}

impl Turns {
    pub(super) const fn of(n_smx: u16) -> Self {
        Self { n_smx, tb: SmxId(0), node: SmxId(0) }
    }

    /// The offer's next TB goes to the first of these SMXs in turn, and the turn passes on; `None` if there is none of them.
    pub(super) fn send(&mut self, offer: &Offer, smxs: &SmxSet) -> Option<Answer> {
        let turn = if offer.kind == OfferKind::Node { &mut self.node } else { &mut self.tb };
        let smx = smxs.first_from(*turn, smxs, &SmxSet::EMPTY)?;
        *turn = next_of(smx, self.n_smx.into());
        Some(Answer::Send(Choice::next_of(offer.id, smx)))
    }
}

impl FcfsRr {
    /// For a front end of this configuration.
    #[must_use]
    pub fn new(config: &Config) -> Self {
        let &Config { n_smx, pass_capped, pass_graph, .. } = config;
        Self { all: SmxSet::first(n_smx), pass_capped, pass_graph, turns: Turns::of(n_smx as u16) }
    }

    fn answer(&mut self, view: &impl View) -> Option<Answer> {
        // What an offer leaves to those behind it (frontend-G6).
        let mut left = self.all;
        for offer in view.offers() {
            match offer.load {
                OfferLoad::Needed => return Some(Answer::Load(offer.id)),
                OfferLoad::Waiting => return None,
                OfferLoad::None | OfferLoad::Here => {}
            }
            if offer.kind == OfferKind::Node && offer.blkid.is_none() {
                if self.pass_graph {
                    continue;
                }
                return None;
            }
            if let Some(answer) = self.turns.send(&offer, &offer.open.and(&left)) {
                return Some(answer);
            }
            left = if self.pass_capped { offer.capped.and(&left) } else { SmxSet::EMPTY };
            if left.is_empty() {
                return None;
            }
        }
        None
    }
}

impl Policy for FcfsRr {
    fn loads(&self) -> bool {
        true
    }

    fn choose(&mut self, view: &impl View) -> Answer {
        self.answer(view).unwrap_or(Answer::Wait(None))
    }
}
