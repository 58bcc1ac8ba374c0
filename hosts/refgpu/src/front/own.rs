//! Host streams with contexts and priorities of their own (refgpu-G6): the front end does all by itself, once it is told whose a stream
//! is; and SMs are drained for a stream that goes before others.

use gpusched::{ContextId, Descriptor, DrainId, Fault, FrontEnd, Id, KernelSlot, Probe, SmxSet, Victim};
use gpusched_heap::HeapTables;

use crate::config::{ConfigError, GpuConfig};

type Core = FrontEnd<HeapTables>;

/// A request to drain SMs of a kernel.
#[derive(Clone, Copy, Debug)]
struct Request {
    id: DrainId,
    victim: Victim,
}

/// A kernel that others make room for.
#[derive(Clone, Debug)]
struct Urgent {
    tag: u64,
    /// TBs that it has not sent.
    unsent: u32,
    requests: Vec<Request>,
}

/// What is done for streams that have a rank.
#[derive(Debug)]
pub struct Own {
    ranks: Vec<Option<u32>>,
    drained: SmxSet,
    urgent: Vec<Urgent>,
}

impl Own {
    /// The run begins with so many streams: they get their contexts and priorities.
    pub fn new(gpu: &GpuConfig, streams: usize, core: &mut Core) -> Result<Self, ConfigError> {
        let refused = |fault: Fault| ConfigError::Syntax(format!("section streams: {fault}"));
        let contexts = gpu.contexts_of(streams)?;
        if !contexts.is_empty() {
            // Context 0 begins with all SMs, which nobody else could have with whole GPCs.
            let order = contexts.iter().enumerate();
            order.clone().try_for_each(|(c, spec)| core.set_context(context(c), spec)).map_err(refused)?;
        }
        let ranks: Vec<_> = (0..streams).map(|stream| gpu.rank_of(stream, streams)).collect();
        for (stream, &rank) in ranks.iter().enumerate() {
            let context = (!contexts.is_empty()).then(|| context(stream));
            if context.is_some() || rank.is_some() {
                core.set_stream(stream as u32, context, rank).map_err(refused)?;
            }
        }
        Ok(Self { ranks, drained: gpu.drained(), urgent: Vec::new() })
    }

    /// A stream is about to launch a kernel: SMs are drained of those that are there and rank below it.
    pub fn announce(
        &mut self,
        stream: usize,
        kernel: &Descriptor,
        core: &mut Core,
        probe: &mut impl Probe,
    ) -> Result<(), Fault> {
        let Some(rank) = self.ranks.get(stream).copied().flatten().filter(|_| !self.drained.is_empty()) else {
            return Ok(());
        };
        let mut requests = Vec::new();
        for kde in (0..core.config().n_kde as usize).map(KernelSlot::from_index) {
            let is_lower = core.kde(kde).is_some_and(|view| u32::from(view.kernel.owner.priority) < rank);
            let victim = Victim::Kernel { kde };
            if is_lower {
                match core.drain(self.drained, &victim, probe) {
                    Ok(id) => requests.push(Request { id, victim }),
                    // One that arrives, and more than there is room to ask for, stay.
                    Err(Fault::NoKernel | Fault::DrainFull) => {}
                    Err(fault) => return Err(fault),
                }
            }
        }
        let unsent = kernel.grid.x.saturating_mul(kernel.grid.y).saturating_mul(kernel.grid.z);
        self.urgent.push(Urgent { tag: kernel.tag, unsent, requests });
        Ok(())
    }

    /// A TB was sent: with a kernel's last one the SMs that were drained for it are open again.
    pub fn placed(&mut self, tag: u64, core: &mut Core) -> Result<(), Fault> {
        let Some(at) = self.urgent.iter().position(|urgent| urgent.tag == tag) else { return Ok(()) };
        self.urgent[at].unsent = self.urgent[at].unsent.saturating_sub(1);
        if self.urgent[at].unsent > 0 {
            return Ok(());
        }
        for Request { id, victim } in self.urgent.swap_remove(at).requests {
            // One whose kernel has left has ended by itself (modern-D4), and its number may be another's.
            if core.drain_request(id).is_some_and(|view| view.victim == victim && view.smxs == self.drained) {
                core.release_drain(id)?;
            }
        }
        Ok(())
    }
}

fn context(number: usize) -> ContextId {
    ContextId::from_index(number)
}
