//! LaPerm alone: what its tests share.

#[cfg(feature = "tools")]
pub mod explore;
#[cfg(feature = "tools")]
pub mod host;
pub mod invariants;
#[cfg(feature = "tools")]
pub mod model;
pub mod steady;
pub mod view;

pub use crate::calls::laperm as event;
pub use gpusched_heap::laperm as heap;

use gpusched::Fault;
use gpusched::laperm::{Config, LaPerm, Tables, image_config};

use crate::machine;
use crate::through_c::laperm::ThroughC;
use event::{Answer, Event};
use view::View;

machine::in_rust! { LaPerm<T>: Event => Result<Answer, Fault>, View = View::of; T: Tables }
machine::through_c! { ThroughC: Event => Result<Answer, Fault>, View = View::of }
machine::family! {
    /// Schedulers.
    LaPerms: Config, Event => Answer, View;
    LaPerm<heap::HeapTables> = heap::machine, image_config; ThroughC; model::Model
}
