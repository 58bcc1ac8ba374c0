//! The image of the dependency-graph buffer. The form is described in `image.rs` of the crate.
//!
//! The states of the nodes say which sets they are in. What a graph's memory may get wrong is not checked again: the buffer meets it
//! as it would have before.

use crate::base::image::{Form, ImageError, Reader, Writer};
use crate::base::invariant::Violation;
use crate::base::saved::{Saved, image_verbs, saved};
use crate::base::table::Rows;
use crate::dats::Dgb;
use crate::dats::buffer::Buffer;
use crate::dats::config::DgbConfig;
use crate::dats::graph::{Node, NodeId};
use crate::dats::tables::{TableSet, TableSizes, Tables};
use crate::dats::window::{LocalNode, NodeState};

const FORM: Form = Form { kind: 4, version: 2 };

image_verbs!(FORM, Dgb<T>, DgbConfig, dgb_image_config, rebuild);
saved!([T: Tables] Dgb<T> { buffer });
saved!([N: Rows<LocalNode>, E: Rows<NodeId>, P: Rows<NodeId>, I: Rows<Node>, W: Rows<u64>] Buffer<N, E, P, I, W> {
    next_smx, next_tag, phase, regs, local_nodes, local_edges, pub_len, pending_updates, insertions
} but { config, rings, sets });

impl<T: Tables> Dgb<T> {
    fn rebuild(&mut self) -> Result<(), Violation> {
        self.buffer.rebuild()
    }
}

impl<N, E, P, I, W> Buffer<N, E, P, I, W>
where
    N: Rows<LocalNode>,
    E: Rows<NodeId>,
    P: Rows<NodeId>,
    I: Rows<Node>,
    W: Rows<u64>,
{
    /// Finds the sets of resident nodes.
    fn rebuild(&mut self) -> Result<(), Violation> {
        self.validate_registers()?;
        for vid in self.regs.tail..self.regs.head {
            let slot = self.slot(vid);
            self.change(vid, slot, NodeState::Waiting, self.local_nodes[slot].state);
        }
        Ok(())
    }

    pub(crate) fn save_state(&self, w: &mut Writer<'_>) {
        self.save(w);
    }

    /// Loads the state into a fresh buffer, which its owner validates.
    pub(crate) fn load_state(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        self.load(r)?;
        Ok(self.rebuild()?)
    }
}
