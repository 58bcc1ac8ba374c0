//! The parts of the sheet as the tests have them.

use gpusched::Dim3;
use gpusched::dats::{Admission, DepLinksError, DgbConfig, Node, NodeId, Prefetch};

use super::deplinks::{self, Built, Link};
use super::model::Model;
use super::view::View;
use super::{Answered, Event, Machine, Parts, admit};

/// The parts as the tests have them.
pub struct OfModel;

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
