//! Vectors of the dependency-graph buffer alone, and of what comes with it: the builder, the admission check, its storage.

use std::cell::RefCell;

use gpusched::dats::{Admission, DepLinksError, Dgb, DgbConfig, Graph, Node, NodeId, dgb_storage_bits};
use gpusched::{Dim3, Fault};
use gpusched_abi::convert::ToC;
use gpusched_packed::{Bytes, Functions, Machine as Kind, Op, Record};

use super::tape::{self, Recorded, packed};
use crate::dats::deplinks::{Built, Link};
use crate::dats::heap::{self, HeapTables};
use crate::dats::{OfCore, Parts};
use crate::through_c::dgb::c_config;

/// The parts of the core; the machine writes down what it is asked and answers, and so does what stands alone.
pub type Parted = Recorded<Dgb<HeapTables>>;

/// A configuration in both forms as the first arguments of an event.
fn of_config((op, rest): (Op, Bytes), config: &DgbConfig) -> (Op, Bytes) {
    let mut to = Bytes::default();
    tape::config(config, &c_config(config), &mut to);
    to.0.extend(rest.0);
    (op, to)
}

impl Parts for Parted {
    type Machine = Self;

    fn machine(config: &DgbConfig) -> Result<Self, &'static str> {
        let built = OfCore::machine(config);
        // A buffer has no other fault of its configuration.
        let known = built.clone().map_err(|_| Fault::BadConfig);
        if tape::has_started() {
            let result = known.map(drop);
            tape::function(&mut Functions, of_config(packed!(DgbNew), config), result, &Bytes::default());
        } else {
            drop(Recorded::new(Kind::Dgb, config, &c_config(config), known));
        }
        built.map(Self)
    }

    fn storage_bits(config: &DgbConfig) -> u64 {
        let (bits, mut expected) = (dgb_storage_bits(config).total(), Bytes::default());
        bits.put(&mut expected);
        tape::function(&mut Functions, of_config(packed!(DgbStorage), config), Ok(()), &expected);
        bits
    }

    fn admit(config: &DgbConfig, nodes: &[Node], edges: &[NodeId]) -> Admission {
        let (admission, mut expected) = (OfCore::admit(config, nodes, edges), Bytes::default());
        admission.to_c().put(&mut expected);
        tape::function(&mut Functions, of_config(packed!(Admit, nodes, edges), config), Ok(()), &expected);
        admission
    }

    fn build(grid: Dim3, edge_cap: usize, links: &dyn Fn(Dim3) -> Vec<Link>) -> Result<Built, DepLinksError> {
        let asked = RefCell::new(Vec::new());
        let built = heap::build(grid, edge_cap, &|block| {
            let links = links(block);
            asked.borrow_mut().push(links.clone());
            links
        });
        let asked = asked.into_inner();
        let parents = asked.iter().flatten().filter(|link| matches!(link, Link::Parent(..))).count();
        // Room for more edges than are named changes nothing.
        let mut packed = packed!(Build, grid, (edge_cap.min(parents) as u32));
        tape::count(asked.len(), &mut packed.1);
        for links in &asked {
            tape::count(links.len(), &mut packed.1);
            links.iter().for_each(|link| write_link(link, &mut packed.1));
        }
        let mut expected = Bytes::default();
        match &built {
            Ok(Built { nodes, edges, order, policy, levels }) => {
                Graph { nodes, edges, order, policy: *policy, levels: *levels }.put(&mut expected);
            }
            Err(error) => error.put(&mut expected),
        }
        let result = built.as_ref().map(drop).map_err(|error| error.fault());
        tape::function(&mut Functions, packed, result, &expected);
        built
    }
}

fn write_link(link: &Link, to: &mut Bytes) {
    match *link {
        Link::Parent(x, y, z) => {
            0_u8.put(to);
            [x, y, z].iter().for_each(|at| at.cast_unsigned().put(to));
        }
        Link::Policy(policy) => {
            1_u8.put(to);
            policy.to_c().put(to);
        }
    }
}
