//! What the tests of `dats` share: its events and answers, its visible state, and the sheet's model.

pub mod admit;
pub mod deplinks;
#[cfg(feature = "tools")]
pub mod explore;
pub mod heap;
#[cfg(feature = "tools")]
pub mod in_front_end;
pub mod invariants;
pub mod memory;
#[cfg(feature = "tools")]
pub mod model;
#[cfg(feature = "tools")]
mod of_model;
pub mod steady;
pub mod view;

use gpusched::dats::{
    Admission, DepLinksError, Dgb, DgbConfig, GraphError, Node, NodeId, Tables, dgb_image_config, dgb_storage_bits,
};
use gpusched::{BuildError, Dim3, Fault, ImageError, Violation};

pub use crate::calls::dgb::{Answer, Event, Queries};
pub use crate::machine::Machine;
use crate::machine::{Family, Of, unbuilt};
pub use crate::through_c::dgb::{ThroughC, hand::OfC, image_config};

use deplinks::{Built, Link};
use heap::HeapTables;
#[cfg(feature = "tools")]
use model::Model;
#[cfg(feature = "tools")]
pub use of_model::OfModel;
use view::View;

/// What a call answers.
pub type Answered = Result<Answer, GraphError>;

/// The three parts of the sheet, by one hand. Those that it does not bring are the core's.
pub trait Parts {
    /// The hardware.
    type Machine: Of<Dgbs>;

    /// A DGB.
    ///
    /// # Errors
    /// The first field that is out of its range.
    fn machine(config: &DgbConfig) -> Result<Self::Machine, &'static str>;
    /// Modelled storage in bits, of a configuration within its ranges.
    fn storage_bits(config: &DgbConfig) -> u64 {
        dgb_storage_bits(config).total()
    }
    /// Whether a good graph can deadlock.
    fn admit(config: &DgbConfig, nodes: &[Node], edges: &[NodeId]) -> Admission {
        gpusched::dats::admit(config, nodes, edges, &mut vec![7; nodes.len()]).expect("a counter per node")
    }
    /// The graph of a mapping.
    ///
    /// # Errors
    /// The sheet's named errors.
    fn build(grid: Dim3, edge_cap: usize, links: &dyn Fn(Dim3) -> Vec<Link>) -> Result<Built, DepLinksError> {
        heap::build(grid, edge_cap, links)
    }
}

/// The parts as the core has them.
pub struct OfCore;

impl<T: Tables> Machine for Dgb<T>
where
    Self: Clone + PartialEq,
{
    type Event = Event;
    type Answered = Answered;
    type View = View;
    type Mark = Self;

    fn take(&mut self, event: &Event) -> Answered {
        event.apply(self)
    }

    fn view(&self) -> View {
        View::of(self)
    }

    fn mark(&self) -> Self {
        self.clone()
    }

    fn validate(&self) -> Result<(), Violation> {
        (**self).validate()
    }
}

/// The field for which the core builds no machine.
///
/// # Panics
/// If it is not for a field, but for a home that is too small.
#[must_use]
pub fn refused_field(error: BuildError) -> &'static str {
    match error {
        BuildError::Config(error) if error.parameter.name == "pub_entries" => "pub",
        BuildError::Config(error) => error.parameter.name,
        BuildError::Tables(small) => panic!("{small}"),
    }
}

impl Parts for OfCore {
    type Machine = Dgb<HeapTables>;

    fn machine(config: &DgbConfig) -> Result<Self::Machine, &'static str> {
        heap::machine(config).map_err(refused_field)
    }
}

/// Buffers of dependency graphs.
#[derive(Clone, Copy, Debug)]
pub struct Dgbs;

impl Family for Dgbs {
    type Config = DgbConfig;
    type Event = Event;
    type Answer = Answer;
    type Refused = GraphError;
    type View = View;
    type Core = Dgb<HeapTables>;
    type C = ThroughC;
    #[cfg(feature = "tools")]
    type Model = Model;

    fn core(config: &DgbConfig) -> Result<Self::Core, Fault> {
        heap::machine(config).map_err(unbuilt)
    }

    #[cfg(feature = "tools")]
    fn model(config: &DgbConfig) -> Result<Model, Fault> {
        config.check()?;
        Ok(Model::new(config))
    }

    fn image_config(_: &Self::Core, image: &[u8]) -> Result<DgbConfig, ImageError> {
        dgb_image_config(image)
    }
}
