//! The occupancy-bubble controller's part of a front end's image.

use super::Sampler;
use crate::base::image::{ImageError, Reader, Writer};
use crate::frontend::FrontEnd;
use crate::frontend::tables::Tables;

impl<T: Tables> FrontEnd<T> {
    pub(crate) fn save_bubble(&self, w: &mut Writer<'_>) {
        let Some(Sampler { controller, at, activity, is_active }) = self.bubble.as_ref() else { return };
        controller.save(w);
        w.put((at, is_active));
        if *is_active {
            self.board.all_smxs().iter().for_each(|s| w.put(activity[s]));
        }
    }

    /// Loads the controller of a machine that has its TBs.
    pub(crate) fn load_bubble(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        let smxs = self.board.all_smxs();
        let Some(bubble) = self.bubble.as_mut() else { return Ok(()) };
        bubble.controller.load(r)?;
        (bubble.at, bubble.is_active) = r.get()?;
        if bubble.is_active {
            for s in smxs.iter() {
                bubble.activity[s] = r.get()?;
            }
        }
        Ok(())
    }
}
