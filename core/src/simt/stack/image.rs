//! The image of a warp's stack. The form is described in `image.rs` of the crate.

use super::config::StackConfig;
use super::tables::{TableSet, TableSizes, Tables};
use super::{Entry, EntryId, NO_PC, Stack};
use crate::base::image::{Form, ImageError, Reader, Writer, image_verbs, possible};

const FORM: Form = Form { kind: 19, version: 1 };

image_verbs!(Stack, StackConfig, stack_image_config);

impl<T: Tables> Stack<T> {
    fn write_image(&self, w: &mut Writer<'_>) {
        let Self { config, entries: _, depth: _, pc, mask } = self;
        w.put(config);
        w.put((pc, mask));
        w.list(self.entries());
    }

    /// Loads the state into a fresh machine.
    fn read_image(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        (self.pc, self.mask) = r.get()?;
        let all = self.config.all_lanes();
        possible(self.pc != NO_PC && self.mask & !all == 0)?;
        while let Some(entry) = r.next::<Entry>()? {
            possible(u32::from(self.depth) < self.config.depth && entry.mask & !all == 0)?;
            possible(entry.next != NO_PC && entry.reconv != Some(NO_PC))?;
            self.push(entry);
        }
        // A warp that is done has popped all; one that is live has settled.
        possible(self.is_live() || self.depth == 0)?;
        possible(self.top().is_none_or(|top| top.reconv != Some(self.pc)))?;
        self.check_nesting()
    }

    /// models-I4: a join covers the lanes of all above it, another path has lanes of its own, and each fork took a lane, so that what
    /// runs above many entries has few.
    fn check_nesting(&self) -> Result<(), ImageError> {
        let fits = |depth: u8, mask: u64| u32::from(depth) <= 2 * (self.config.lanes - mask.count_ones());
        possible(fits(self.depth, self.mask))?;
        let mut above = self.mask;
        for at in (0..self.depth).rev() {
            let Entry { reconv, mask, next } = self.entries[EntryId(at)];
            let is_join = reconv == Some(next) && above & !mask == 0;
            possible(fits(at, mask) && (is_join || above & mask == 0))?;
            above |= mask;
        }
        Ok(())
    }
}
