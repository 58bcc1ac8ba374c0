//! Queues in an image: those in which kernels wait.

use super::{HostKernel, Hwq, Hwqs};
use crate::base::id::HwqId;
use crate::base::image::{ImageError, Reader, Writer, possible};
use crate::base::table::Rows;
use crate::config::Config;
use crate::launch::distributor::Source;

impl<Q: Rows<Hwq>, C: Rows<HostKernel>> Hwqs<Q, C> {
    pub(crate) fn save(&self, w: &mut Writer<'_>) {
        // Who has the buffer is told with it. Which queues are busy follows from the kernels that hold them.
        let Self {
            queues,
            cells,
            depth: _,
            waiting,
            graphs: _,
            held: _,
            is_dgb_taken: _,
            busy: _,
            may_follow: _,
            kgraphs: _,
            blocked: _,
            has_candidate: _,
        } = self;
        for q in waiting.iter() {
            let Hwq { head, len } = queues[q];
            w.put(Some((q, head)));
            w.list((0..len).map(|position| &cells[self.cell(q, head + position)]));
        }
        w.put(None::<()>);
    }

    pub(crate) fn load(&mut self, r: &mut Reader<'_>, config: &Config) -> Result<(), ImageError> {
        while let Some((q, head)) = r.next::<(HwqId, u32)>()? {
            possible(u32::from(q.0) < config.n_queue() && self.queues[q].len == 0 && head < self.depth)?;
            self.queues[q].head = head;
            while let Some(kernel) = r.next::<HostKernel>()? {
                possible(!self.is_full(q))?;
                self.push(q, kernel);
            }
            possible(self.queues[q].len > 0)?;
        }
        Ok(())
    }

    /// Holds the queue of a kernel that has left it.
    pub(crate) fn hold(&mut self, source: Source, config: &Config) -> Result<(), ImageError> {
        if let Source::Hwq(q) = source {
            possible(u32::from(q.0) < config.n_queue() && (!self.is_busy(q) || config.pdl.is_some()))?;
            self.busy.set(q, true);
            self.look_at(q);
        }
        Ok(())
    }
}
