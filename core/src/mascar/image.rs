//! The image of a Mascar machine. The form is described in `image.rs` of the crate. Of the warps an image holds their order, heads and
//! status; all other sets follow.

use super::Mascar;
use super::config::MascarConfig;
use super::rexq::{Entry, Rexq};
use super::tables::{TableSet, TableSizes, Tables};
use super::warps::Warps;
use crate::base::image::{Form, ImageError, Reader, Writer, possible};
use crate::base::invariant::Violation;
use crate::base::saved::{Saved, image_verbs, saved};
use crate::base::table::Rows;

const FORM: Form = Form { kind: 12, version: 2 };

image_verbs!(FORM, Mascar<T>, MascarConfig, mascar_image_config, rebuild);
saved!([T: Tables] Mascar<T> {
    next_pick, flags, mode, owner, barred, warps, last, lsu, presented, passed, rexq
} but { config, rules, longest, no_offset });
saved!([] Warps { resident, number, head, next_age, sets } but { rank, entries });

impl<T: Tables> Mascar<T> {
    fn rebuild(&mut self) -> Result<(), Violation> {
        self.warps = self.warps_again()?;
        Ok(())
    }
}

/// As its entries wait: where in the ring they are is nobody's business.
impl<S: Rows<Entry>> Saved for Rexq<S> {
    fn save(&self, w: &mut Writer<'_>) {
        w.list(self.iter());
    }

    fn load(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        while let Some(entry) = r.next()? {
            possible(!self.is_full())?;
            self.push(entry);
        }
        Ok(())
    }
}
