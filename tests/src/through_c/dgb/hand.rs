//! What comes with the buffer, as a C program has it: the builder, the admission check, the storage.

use std::ffi::CStr;

use gpusched::dats::{Admission, DepLinksError, DgbConfig, MAX_EDGES, Node, NodeId};
use gpusched::{Dim3, Fault};
use gpusched_abi::config::gpusched_parameter;
use gpusched_abi::object::gpusched_layout;
use gpusched_abi::smx::gpusched_dim3;

use super::*;
use crate::dats::deplinks::{Built, Link};
use crate::dats::view::View;
use crate::dats::{Answered, Machine, Parts};
use crate::through_c::object::Block;

impl Machine for ThroughC {
    type Event = Event;
    type Answered = Answered;
    type View = View;
    /// What is seen and what is saved.
    type Mark = (View, Vec<u8>);

    fn take(&mut self, event: &Event) -> Answered {
        Self::take(self, event)
    }

    fn view(&self) -> View {
        View::of(self)
    }

    fn mark(&self) -> Self::Mark {
        (self.view(), self.image())
    }
}

/// The parts as a C program has them.
pub struct OfC;

impl Parts for OfC {
    type Machine = ThroughC;

    fn machine(config: &DgbConfig) -> Result<ThroughC, &'static str> {
        ThroughC::new(config).map_err(|status| {
            assert_eq!(status, Status::BadConfig);
            let (c, mut wrong) = (c_config(config), std::mem::MaybeUninit::<gpusched_parameter>::uninit());
            // SAFETY: both live; what is wrong has a static name.
            let name = unsafe {
                assert_eq!(gpusched_dgb_config_check(&c, wrong.as_mut_ptr()), status);
                CStr::from_ptr::<'static>(wrong.assume_init().name).to_str().expect("a name")
            };
            if name == "pub_entries" { "pub" } else { name }
        })
    }

    fn storage_bits(config: &DgbConfig) -> u64 {
        let mut bits = gpusched_dgb_storage::default();
        // SAFETY: both live.
        let status = unsafe { gpusched_dgb_storage_bits(&c_config(config), &mut bits) };
        assert_eq!(status, Status::Ok);
        let gpusched_dgb_storage { lna, lea, pub_entries, nib, total } = bits;
        assert_eq!(lna + lea + pub_entries + nib, total);
        total
    }

    fn admit(config: &DgbConfig, nodes: &[Node], edges: &[NodeId]) -> Admission {
        let (config, mut scratch) = (c_config(config), vec![7; nodes.len()]);
        let (v, e, counters) = (nodes.len() as u32, edges.len() as u32, scratch.as_mut_ptr());
        let (nodes, edges) = (nodes.as_ptr().cast(), edges.as_ptr().cast());
        // SAFETY: all live; the arrays have these lengths.
        expect(answer(|out| unsafe { gpusched_admit(&config, nodes, v, edges, e, counters, out) }))
    }

    fn build(grid: Dim3, edge_cap: usize, links: &dyn Fn(Dim3) -> Vec<Link>) -> Result<Built, DepLinksError> {
        let max_edges = edge_cap.min(MAX_EDGES as usize) as u32;
        let builder = Builder::new(grid, max_edges).map_err(|status| match fault(status) {
            Fault::EmptyGrid => DepLinksError::EmptyGrid,
            Fault::TooManyNodes => DepLinksError::TooManyNodes,
            other => panic!("{other:?}"),
        })?;
        builder.build(grid, links)
    }
}

/// A builder in a block of its own.
struct Builder(Block);

impl Builder {
    fn new(grid: Dim3, max_edges: u32) -> Result<Self, Status> {
        let grid = gpusched_dim3 { x: grid.x, y: grid.y, z: grid.z };
        let (mut need, mut object) = (gpusched_layout::default(), ptr::null_mut());
        // SAFETY: all pointers are of living values; the block is kept as long as the object is used.
        unsafe {
            done(gpusched_graph_builder_layout(&grid, max_edges, &mut need))?;
            let block = Block::new(need);
            let storage = block.start().cast();
            done(gpusched_graph_builder_init(storage, block.size(), &grid, max_edges, &mut object))?;
            assert_eq!(object.cast(), block.start());
            Ok(Self(block))
        }
    }

    fn c(&self) -> *mut gpusched_graph_builder {
        self.0.start().cast()
    }

    /// Goes through the grid as a C program does.
    fn build(self, grid: Dim3, links: &dyn Fn(Dim3) -> Vec<Link>) -> Result<Built, DepLinksError> {
        let mut at = gpusched_dim3::default();
        // SAFETY: the object and all values live; the arrays of the graph have the lengths that are told.
        unsafe {
            while gpusched_graph_builder_block(self.c(), &mut at) == Status::Ok {
                let tb = at.x + grid.x * (at.y + grid.y * at.z);
                for link in links(Dim3 { x: at.x, y: at.y, z: at.z }) {
                    self.link(link, tb)?;
                }
                assert_eq!(gpusched_graph_builder_advance(self.c()), Status::Ok);
            }
            let (mut graph, mut tb) = (std::mem::MaybeUninit::uninit(), 9);
            match gpusched_graph_builder_finish(self.c(), graph.as_mut_ptr(), &mut tb) {
                Status::Ok => assert_eq!(tb, 9),
                Status::Cycle => return Err(DepLinksError::Cycle { tb }),
                other => panic!("{other:?}"),
            }
            let gpusched_graph { nodes, edges, order, header, levels } = graph.assume_init();
            let GraphHeader { v, e, node_base, edge_base, policy } = told(&header);
            assert_eq!((node_base, edge_base), (0, 0));
            Ok(Built {
                nodes: std::slice::from_raw_parts(nodes.cast(), v as usize).to_vec(),
                edges: std::slice::from_raw_parts(edges.cast(), e as usize).to_vec(),
                order: std::slice::from_raw_parts(order, v as usize).to_vec(),
                policy,
                levels,
            })
        }
    }

    fn link(&self, link: Link, tb: u32) -> Result<(), DepLinksError> {
        // SAFETY: the object lives.
        let status = unsafe {
            match link {
                Link::Parent(x, y, z) => gpusched_graph_builder_add_dependency(self.c(), x, y, z),
                Link::Policy(policy) => gpusched_graph_builder_set_policy(self.c(), policy.to_c()),
            }
        };
        match status {
            Status::Ok => Ok(()),
            Status::SelfDependency => Err(DepLinksError::SelfDependency { tb }),
            Status::EdgeStorageFull => Err(DepLinksError::EdgeStorageFull { tb }),
            Status::PolicyConflict => Err(DepLinksError::PolicyConflict { tb }),
            other => panic!("{other:?}"),
        }
    }
}
