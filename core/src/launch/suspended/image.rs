//! Suspended kernels in an image.

use super::{Suspended, SuspendedList};
use crate::base::id::{SuspId, rows_in};
use crate::base::image::{ImageError, Reader, Writer, possible};
use crate::base::table::Rows;
use crate::config::Config;

impl<S: Rows<Suspended>> SuspendedList<S> {
    pub(crate) fn save(&self, w: &mut Writer<'_>) {
        let Self { entries, taken, resumed: _, cap: _ } = self;
        w.list(rows_in(*taken).map(|i: SuspId| (i, &entries[i])));
    }

    pub(crate) fn load(&mut self, r: &mut Reader<'_>, config: &Config) -> Result<(), ImageError> {
        while let Some((i, entry)) = r.next::<(SuspId, Suspended)>()? {
            possible(u32::from(i.0) < self.cap && self.taken >> i.0 & 1 == 0)?;
            possible(entry.kernel.owner.validate(config).is_ok())?;
            self.taken |= 1 << i.0;
            self.entries[i] = entry;
            if let Some(key) = entry.resumed {
                self.resume(i, key);
            }
        }
        Ok(())
    }
}
