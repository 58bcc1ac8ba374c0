//! The seam at which the host decides which thread block (TB) goes to which SMX (sheet [`policy`](crate::sheets::policy)): what is
//! offered, what is seen beside it, and what is answered.
//!
//! A cycle has two halves. Between them the front end offers units with TBs to send ([`offer`]), and the host sends, loads or declines
//! ([`told`]). Launch, coalescing, gates and residency stay the front end's; whatever the host answers, no TB is lost, sent twice or put where
//! a gate forbids. A guard names a host that lets work lie, and can send for it (policy-P11).
//!
//! In Rust a host need not write the two halves: [`Policy`] is asked, and [`Decided`](crate::Decided) is the machine around it. The front
//! end's own policies are there in this form, too, to start from: [`FcfsRr`], with the nodes of a graph, and [`LaPerm`] with its four.

pub mod fcfs_rr;
pub mod laperm;
pub mod offer;
pub mod pieces;
pub mod policy;
pub(crate) mod rescue;
pub(crate) mod seat;
pub mod told;
pub mod units;

pub use fcfs_rr::FcfsRr;
pub use laperm::LaPerm;
pub use offer::View;
pub use policy::{Answer, Policy, Sendable, ask};
