//! A policy in Rust: what it is told, and what it answers. [`Decided`](crate::Decided) is a front end with one.
//!
//! ```
//! use gpusched::seam::{Answer, Policy, View};
//! use gpusched::{Choice, Config, Decided, Descriptor, Dim3, Sched, SmxId, ToldPart, inline_tables};
//!
//! /// The first unit goes to the SMX with the most free threads; of equals, to the lowest.
//! #[derive(Clone, Debug, PartialEq, Eq, Hash)]
//! struct MostThreads;
//!
//! impl Policy for MostThreads {
//!     fn choose(&mut self, view: &impl View) -> Answer {
//!         let best = |open: gpusched::SmxSet| open.iter().max_by_key(|&smx| (view.free(smx).threads, u16::MAX - smx.0));
//!         let found = view.offers().find_map(|offer| Some(Choice::next_of(offer.id, best(offer.open)?)));
//!         found.map_or(Answer::Wait(None), Answer::Send)
//!     }
//! }
//!
//! const GPU: Config =
//!     Config { n_smx: 4, pend_limit: 16, policy: gpusched::Policy::Told(ToldPart::CHAIN), ..Config::K20C };
//! inline_tables! {
//!     struct Four = GPU;
//! }
//! let mut gpu = Decided::<Four, _>::new(&GPU.ideal(), MostThreads)?;
//! gpu.host_launch(0, &Descriptor { grid: Dim3::linear(6), tb: Dim3::linear(64), ..Descriptor::default() }, false)?;
//! let mut sent = Vec::new();
//! for _ in 0..6 {
//!     let Sched::Tb(tb) = gpu.tick(&mut ())?.sched else { panic!("there is room") };
//!     sent.push(tb.smx);
//! }
//! assert_eq!(sent, [0, 1, 2, 3, 0, 1].map(SmxId));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use crate::base::cycle::Cycle;
use crate::base::id::{ClassId, SmxId};
use crate::base::resources::Resources;
use crate::base::set::SmxSet;
use crate::policy::seam::offer::{Choice, Completion, Offer, OfferId, OfferKind, OfferLoad, Resident, View};
use crate::probe::Decision;

/// What a policy answers when it is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// The next TB of an offer, or another one of its unit, goes to an SMX that is open to it. Where a cycle lets it send more
    /// (`dispatch_per_cycle`), it is asked again.
    Send(Choice),
    /// The information of a spilled group is to be loaded; it is asked again in the same cycle. For policies that say
    /// [`Policy::loads`].
    Load(OfferId),
    /// Nothing more in this cycle, and nothing before this one unless something happens; `None`: only if something happens
    /// (policy-P9).
    Wait(Option<Cycle>),
}

/// What decides which TB goes to which SMX. Its state is its own: where it is a plain value, the machine is one ([`crate::Decided`]).
///
/// Of what happens it is told as it happens, and may keep what it wants of it; in each cycle it is asked.
pub trait Policy {
    /// The front end has decided something: a unit has become visible (`Arrive`, `Join`), a TB was sent, a kernel is suspended, done,
    /// given up.
    fn saw(&mut self, at: Cycle, decision: &Decision) {
        let _ = (at, decision);
    }

    /// A TB has ended. Its resources are free in the view of the same cycle.
    fn done(&mut self, completion: &Completion) {
        let _ = completion;
    }

    /// A gate was set: other SMXs may be open, or classes capped.
    fn regated(&mut self) {}

    /// Whether it asks for the loads of spilled groups itself. Else each is asked for as soon as its group is offered.
    fn loads(&self) -> bool {
        false
    }

    /// What is to be done. A policy that goes by SMX asks the view SMX by SMX, from the one on that it keeps.
    fn choose(&mut self, view: &impl View) -> Answer;
}

/// What a policy answers to how things stand: one that does not load sees only what is [`Sendable`].
pub fn ask(policy: &mut impl Policy, view: &impl View) -> Answer {
    if policy.loads() { policy.choose(view) } else { policy.choose(&Sendable(view)) }
}

/// Of a view those offers whose next TB is known and here: what a policy sees that does not load.
#[derive(Clone, Copy, Debug)]
pub struct Sendable<'v, V>(pub &'v V);

fn is_sendable(offer: &Offer) -> bool {
    let is_here = matches!(offer.load, OfferLoad::None | OfferLoad::Here);
    is_here && (offer.kind != OfferKind::Node || offer.blkid.is_some())
}

impl<V: View> View for Sendable<'_, V> {
    fn now(&self) -> Cycle {
        self.0.now()
    }

    fn offers(&self) -> impl Iterator<Item = Offer> {
        self.0.offers().filter(is_sendable)
    }

    fn offer(&self, id: OfferId) -> Option<Offer> {
        self.0.offer(id).filter(is_sendable)
    }

    fn capped(&self, class: ClassId) -> SmxSet {
        self.0.capped(class)
    }

    fn closed(&self) -> SmxSet {
        self.0.closed()
    }

    fn free(&self, smx: SmxId) -> Resources {
        self.0.free(smx)
    }

    fn residents(&self, smx: SmxId) -> impl Iterator<Item = Resident> {
        self.0.residents(smx)
    }
}
