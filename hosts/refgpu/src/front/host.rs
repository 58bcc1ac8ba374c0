//! What the host tells the front end: its streams, and the kernels that they launch.

use gpusched::Descriptor;
use gpusched::dats::{Admission, admit};

use super::sharing::Pipes;
use super::{Front, Refusal};
use crate::program::TbGraph;

impl Front {
    /// A stream is about to launch a kernel.
    ///
    /// # Errors
    /// What the policy refuses.
    pub fn announce(&mut self, now: u64, stream: usize, kernel: &Descriptor) -> Result<(), Refusal> {
        self.catch_up(now)?;
        let Self { core, watch, own, share, .. } = self;
        if let Some(own) = own {
            own.announce(stream, kernel, core, watch)?;
        }
        match share {
            Some(share) => Ok(share.announce(now, stream, kernel, core)?),
            None => Ok(()),
        }
    }

    /// A stream has no more kernels.
    ///
    /// # Errors
    /// What the policy refuses.
    pub fn end_stream(&mut self, now: u64, stream: usize) -> Result<(), Refusal> {
        match &mut self.share {
            Some(share) => Ok(share.end_stream(now, stream, &mut self.core)?),
            None => Ok(()),
        }
    }

    /// The counters of an SM that the policy wants to know.
    ///
    /// # Errors
    /// What the policy refuses.
    pub fn observe(&mut self, now: u64, sm: u16, pipes: &Pipes) -> Result<(), Refusal> {
        match &mut self.share {
            Some(share) => Ok(share.observe(now, sm, pipes, &self.core)?),
            None => Ok(()),
        }
    }

    /// The host launches a kernel, perhaps with a dependency graph.
    ///
    /// # Errors
    /// What the front end refuses; `TbTooBig` for a TB that fits no SM. A graph that is certain to deadlock the buffer, if that
    /// does not spill (refgpu-D2).
    pub fn host_launch(
        &mut self,
        now: u64,
        stream: usize,
        kernel: &Descriptor,
        graph: Option<&TbGraph>,
    ) -> Result<(), Refusal> {
        self.catch_up(now)?;
        self.matures = self.matures.max(now + u64::from(self.core.config().lat_dispatch));
        let Some(graph) = graph else {
            self.core.host_launch(stream as u32, kernel, false)?;
            self.watch.depths.host_launch();
            return Ok(());
        };
        self.core.host_launch_graph(stream as u32, kernel, false, &graph.header)?;
        self.watch.depths.host_launch();
        if let Some(part) = self.core.config().dats {
            let dgb = part.machine(self.core.config());
            let mut scratch = vec![0; graph.nodes.len()];
            let Ok(admission) = admit(&dgb, &graph.nodes, &graph.edges, &mut scratch) else { return Ok(()) };
            let is_hopeless = matches!(admission, Admission::Deadlocks { .. } | Admission::Oversize { .. });
            if is_hopeless && !dgb.spill {
                return Err(Refusal::Admission(admission));
            }
            self.graph.launch(graph, admission);
        }
        Ok(())
    }
}
