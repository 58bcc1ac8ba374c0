//! Launch records in an image: those that wait, in the order in which they wait.

use super::{FifoId, LaunchFifo, Record, RecordState, Records, Waiting};
use crate::base::id::RecordId;
use crate::base::image::{ImageError, Reader, Writer, possible};
use crate::base::table::Rows;
use crate::config::{Config, Fallback};
use crate::launch::hwq::Key;
use crate::policy::laperm::Model;

impl<R: Rows<Record>, M: Rows<u64>, F: Rows<LaunchFifo>> Records<R, M, F> {
    /// Writes what waits; groups are written with the kernels that they joined.
    pub(crate) fn save(&self, w: &mut Writer<'_>) {
        let Self { records, free: _, fifos, warp: _, agg, dev } = self;
        // FIFO by FIFO in the order of the heap, so that appending one after the other builds the same heap.
        let heap = |set: Waiting| (0..set.len).map(move |at| FifoId(fifos[set.place(at)].heap));
        let fifo = |f| core::iter::successors(fifos[f].head, |&r| records[r].behind).map(move |r| (f, r, &records[r]));
        w.list(heap(*agg).chain(heap(*dev)).flat_map(fifo));
    }

    /// Loads what waits, all launched before anybody who would get the key `next`.
    pub(crate) fn load(&mut self, r: &mut Reader<'_>, config: &Config, next: Key) -> Result<(), ImageError> {
        let is_cdp = config.laperm().is_some_and(|part| part.model == Model::Cdp);
        while let Some((fifo, id, record)) = r.next::<(FifoId, RecordId, Record)>()? {
            self.put_back(id, record, config)?;
            let (n, f, fallback) = (self.warp, u32::from(fifo.0), config.fallback);
            // What joins a FIFO becomes ready after the same time as all that is in it, so it stays sorted (dtbl-L2, dtbl-L3, dtbl-T3).
            let latency = match record.state {
                RecordState::Agg { .. } if f < n => config.lat_dtbl(f + 1),
                RecordState::Dev if (n..2 * n).contains(&f) => config.lat_cdp(f - n + 1),
                RecordState::Dev if (2 * n..3 * n).contains(&f) && fallback == Fallback::Direct => 0,
                RecordState::Dev if (2 * n..3 * n).contains(&f) => config.lat_launch_call(f - 2 * n + 1),
                _ => return Err(ImageError::Content),
            };
            // Lanes fall in their order, which their commands tell.
            let has_fallen = f >= 2 * n;
            let sorted = self.fifos[fifo].tail.is_none_or(|last| {
                let last = self.records[last].key;
                last < record.key || (has_fallen && last.ready <= record.key.ready)
            });
            // Under LaPerm's model cdp what is ready went to its lists in the cycle before.
            let waits = !is_cdp || record.key.ready >= next.ready;
            possible(waits && sorted && record.key.was_before(Key { ready: next.ready.after(latency), ..next }))?;
            match record.state {
                RecordState::Agg { .. } => self.agg = self.append(self.agg, id, f),
                _ => self.dev = self.append(self.dev, id, f - n),
            }
        }
        Ok(())
    }

    /// Puts a launch that was read back into its record.
    pub(crate) fn put_back(&mut self, r: RecordId, record: Record, config: &Config) -> Result<(), ImageError> {
        possible(r.0 < config.pend_limit && self.records[r].state == RecordState::Free)?;
        possible(u32::from(record.psmx.0) < config.n_smx && record.hw_tid < config.threads && record.depth > 0)?;
        possible((record.prio > 0) == config.laperm().is_some() && record.prio <= config.deepest_prio())?;
        let shape = record.descriptor.shape(config).map_err(|_| ImageError::Content)?;
        self.free.claim(r);
        self.records[r] = Record { shape, ..record };
        Ok(())
    }
}
