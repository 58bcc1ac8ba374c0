//! Launch records in an image: those that wait, in the order in which they wait.

use super::{FifoId, LaunchFifo, Line, Record, RecordState, Records, Waiting};
use crate::base::id::RecordId;
use crate::base::image::{ImageError, Reader, Writer, possible};
use crate::base::table::Rows;
use crate::config::Config;

impl<R: Rows<Record>, M: Rows<u64>, F: Rows<LaunchFifo>, W: Rows<Waiting>> Records<R, M, F, W> {
    /// Writes what waits; groups are written with the kernels that they joined.
    pub(crate) fn save(&self, w: &mut Writer<'_>) {
        let Self { records, free: _, fifos, warp: _, n_level: _, n_owner: _, agg, devs, dev: _, dev_ready: _ } = self;
        // FIFO by FIFO in the order of the heap, so that appending one after the other builds the same heap.
        let heap = |set: Waiting| (0..set.len).map(move |at| FifoId(fifos[set.place(at)].heap));
        let fifo = |f| core::iter::successors(fifos[f].head, |&r| records[r].behind).map(move |r| (f, r, &records[r]));
        let of_owners = self.owners().flat_map(|owner| heap(devs[owner]));
        w.list(heap(*agg).chain(of_owners).flat_map(fifo));
    }

    /// Loads what waits.
    pub(crate) fn load(&mut self, r: &mut Reader<'_>, config: &Config) -> Result<(), ImageError> {
        while let Some((fifo, id, record)) = r.next::<(FifoId, RecordId, Record)>()? {
            self.put_back(id, record, config)?;
            let (n, f) = (self.warp, fifo.0);
            let first = self.devs[self.owner_of(id)].base;
            match record.state {
                RecordState::Agg { .. } if f < n => self.append(Line::Agg, id, f),
                RecordState::Dev if (first..first + 2 * n).contains(&f) => self.append_dev(id, f - first),
                _ => return Err(ImageError::Content),
            }
        }
        Ok(())
    }

    /// Puts a launch that was read back into its record.
    pub(crate) fn put_back(&mut self, r: RecordId, record: Record, config: &Config) -> Result<(), ImageError> {
        possible(r.0 < config.pend_limit && self.records[r].state == RecordState::Free)?;
        possible(record.owner.validate(config).is_ok())?;
        let shape = record.descriptor.shape(config).map_err(|_| ImageError::Content)?;
        self.free.claim(r);
        self.records[r] = Record { shape, ..record };
        Ok(())
    }
}
