//! Suspended kernels in an image.

use super::{Suspended, SuspendedList};
use crate::base::id::{SuspId, rows_in};
use crate::base::image::{ImageError, Reader, Writer, possible};
use crate::base::table::Rows;
use crate::config::Config;
use crate::launch::distributor::Kernel;
use crate::launch::hwq::Key;

impl<S: Rows<Suspended>> SuspendedList<S> {
    pub(crate) fn save(&self, w: &mut Writer<'_>) {
        let Self { entries, taken, resumed: _, cap: _ } = self;
        w.list(rows_in(*taken).map(|i: SuspId| (i, &entries[i])));
    }

    /// Loads kernels, the resumed ones of which were so before anybody who would get the key `next`.
    pub(crate) fn load(&mut self, r: &mut Reader<'_>, config: &Config, next: Key) -> Result<(), ImageError> {
        while let Some((i, entry)) = r.next::<(SuspId, Suspended)>()? {
            let Suspended { kernel, resumed } = entry;
            possible(u32::from(i.0) < self.cap && self.taken >> i.0 & 1 == 0)?;
            possible(kernel.saved > 0 && resumed.is_none_or(|key| key.was_before(next)))?;
            kernel.checked_shape(config)?;
            self.taken |= 1 << i.0;
            self.entries[i] = entry;
            if let Some(key) = resumed {
                self.resume(i, key);
            }
        }
        Ok(())
    }

    /// Suspended kernels.
    pub(crate) fn kernels(&self) -> impl Iterator<Item = &Kernel> {
        rows_in(self.taken).map(|i: SuspId| &self.entries[i].kernel)
    }
}
