//! The image of a warp's stack. The form is described in `image.rs` of the crate.

use super::config::StackConfig;
use super::tables::{TableSet, TableSizes, Tables};
use super::{Entry, NO_PC, Stack};
use crate::image::{Form, ImageError, Reader, Writer, image_verbs, possible};

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
        possible(self.top().is_none_or(|top| top.reconv != Some(self.pc)))
    }
}
