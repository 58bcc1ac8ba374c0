//! The graph builder as a C program has it.

use std::ptr;

use gpusched::Dim3;
use gpusched::dats::{DepLinksError, GraphHeader, Node, NodeId};
use gpusched_abi::GPUSCHED_NONE;
use gpusched_abi::dats::builder::*;
use gpusched_abi::dats::graph::*;
use gpusched_abi::object::gpusched_layout;
use gpusched_abi::smx::gpusched_dim3;
use gpusched_abi::status::gpusched_status as Status;

use super::records::{c_header, core_header};
use crate::dats::deplinks::{Built, Link};
use crate::through_c::object::{Block, done};

/// A builder in a block of its own.
pub(super) struct Builder {
    block: Block,
}

impl Builder {
    pub(super) fn new(grid: Dim3, max_edges: u32) -> Result<Self, Status> {
        let grid = gpusched_dim3 { x: grid.x, y: grid.y, z: grid.z };
        let (mut need, mut object) = (gpusched_layout::default(), ptr::null_mut());
        // SAFETY: all pointers are of living values; the block is kept as long as the object is used.
        unsafe {
            done(gpusched_graph_builder_layout(&grid, max_edges, &mut need))?;
            let block = Block::new(need);
            let storage = block.start().cast();
            done(gpusched_graph_builder_init(storage, block.size(), &grid, max_edges, &mut object))?;
            assert_eq!(object.cast(), block.start());
            Ok(Self { block })
        }
    }

    fn c(&self) -> *mut gpusched_graph_builder {
        self.block.start().cast()
    }

    /// Goes through the grid as a C program does.
    pub(super) fn build(self, links: &dyn Fn(Dim3) -> Vec<Link>) -> Result<Built, DepLinksError> {
        let mut block = gpusched_dim3::default();
        // SAFETY: the object and all values live; the arrays of the graph have the lengths that are told.
        unsafe {
            while gpusched_graph_builder_block(self.c(), &mut block) == Status::Ok {
                for link in links(Dim3 { x: block.x, y: block.y, z: block.z }) {
                    self.link(link)?;
                }
                assert_eq!(gpusched_graph_builder_advance(self.c()), Status::Ok);
            }
            let (mut graph, mut wrong) = (std::mem::MaybeUninit::uninit(), gpusched_graph_error::default());
            match gpusched_graph_builder_finish(self.c(), graph.as_mut_ptr(), &mut wrong) {
                Status::Ok => {}
                Status::Cycle => return Err(DepLinksError::Cycle { tb: wrong.tb }),
                other => panic!("{other:?}"),
            }
            assert_eq!(wrong, gpusched_graph_error::default());
            let gpusched_graph { nodes, edges, order, header, levels } = graph.assume_init();
            let GraphHeader { v, e, node_base, edge_base, policy } = core_header(&header);
            assert_eq!((node_base, edge_base), (0, 0));
            let nodes = std::slice::from_raw_parts(nodes, v as usize).iter();
            Ok(Built {
                nodes: nodes.map(|&bits| Node::from_bits(bits)).collect(),
                edges: std::slice::from_raw_parts(edges, e as usize).iter().copied().map(NodeId).collect(),
                order: std::slice::from_raw_parts(order, v as usize).to_vec(),
                policy,
                levels,
            })
        }
    }

    fn link(&self, link: Link) -> Result<(), DepLinksError> {
        let mut tb = GPUSCHED_NONE;
        // SAFETY: the object and the number live.
        let status = unsafe {
            assert_eq!(gpusched_graph_builder_tb(self.c(), &mut tb), Status::Ok);
            match link {
                Link::Parent(x, y, z) => gpusched_graph_builder_add_dependency(self.c(), x, y, z),
                Link::Policy(policy) => {
                    let gpusched_graph_header { policy, bound, .. } =
                        c_header(&GraphHeader { policy, ..GraphHeader::default() });
                    gpusched_graph_builder_set_policy(self.c(), policy, bound)
                }
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
