//! What the tests of `dats` share: its events and answers, its visible state, and the sheet's model.

pub mod admit;
pub mod deplinks;
pub mod explore;
pub mod heap;
pub mod in_front_end;
pub mod invariants;
pub mod memory;
pub mod model;
pub mod steady;
pub mod view;

use gpusched::dats::{
    Admission, DepLinksError, Dgb, DgbConfig, GraphError, Node, NodeId, Prefetch, Tables, dgb_image_config,
    dgb_storage_bits,
};
use gpusched::{BuildError, Dim3, Fault, ImageError, Violation};

pub use crate::calls::dgb::{Answer, Event, Queries};
pub use crate::machine::Machine;
use crate::machine::{Family, Of, unbuilt};
pub use crate::through_c::dgb::{ThroughC, hand::OfC, image_config};

use deplinks::{Built, Link};
use heap::HeapTables;
use model::Model;
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

/// The parts as the tests have them.
pub struct OfModel;

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

impl Machine for Model {
    type Event = Event;
    type Answered = Answered;
    type View = View;
    type Mark = Self;

    fn take(&mut self, event: &Event) -> Answered {
        self.take(event)
    }

    fn view(&self) -> View {
        self.view()
    }

    fn mark(&self) -> Self {
        self.clone()
    }
}

impl Parts for OfModel {
    type Machine = Model;

    fn machine(c: &DgbConfig) -> Result<Model, &'static str> {
        let good = |n: u32, least: u32, most: u32| (least..=most).contains(&n);
        let chunk = good(c.chunk_bytes, 8, 1024) && c.chunk_bytes.is_multiple_of(8);
        let fields = [
            ("smxs", good(c.smxs, 1, 256)),
            ("lna", good(c.lna, 1, 65535)),
            ("lea", good(c.lea, 1, 65535)),
            ("pub", good(c.pub_entries, 0, 65535)),
            ("chunk_bytes", chunk),
            ("lna", c.prefetch == Prefetch::Eager || c.lna > c.chunk_bytes / 8),
        ];
        match fields.iter().find(|(_, good)| !good) {
            Some((field, _)) => Err(field),
            None => Ok(Model::new(c)),
        }
    }

    fn storage_bits(c: &DgbConfig) -> u64 {
        let [lna, lea, updates, chunk] = [c.lna, c.lea, c.pub_entries, c.chunk_bytes].map(u64::from);
        let entry = if lea <= 4096 { 64 } else { 128 };
        entry * lna + 16 * lea + 16 * updates + 8 * chunk
    }

    fn admit(config: &DgbConfig, nodes: &[Node], edges: &[NodeId]) -> Admission {
        admit::admit(config, nodes, edges)
    }

    fn build(grid: Dim3, edge_cap: usize, links: &dyn Fn(Dim3) -> Vec<Link>) -> Result<Built, DepLinksError> {
        deplinks::build(grid, edge_cap, links)
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
    type Model = Model;

    fn core(config: &DgbConfig) -> Result<Self::Core, Fault> {
        heap::machine(config).map_err(unbuilt)
    }

    fn model(config: &DgbConfig) -> Result<Model, Fault> {
        config.check()?;
        Ok(Model::new(config))
    }

    fn image_config(_: &Self::Core, image: &[u8]) -> Result<DgbConfig, ImageError> {
        dgb_image_config(image)
    }
}
