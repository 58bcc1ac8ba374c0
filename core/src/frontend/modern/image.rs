//! What a front end's image has of sheet `modern`.

use crate::base::image::{ImageError, Reader, Writer};
use crate::base::saved::Saved;
use crate::frontend::FrontEnd;
use crate::frontend::tables::Tables;

impl<T: Tables> FrontEnd<T> {
    pub(crate) fn save_modern(&self, w: &mut Writer<'_>) {
        if let Some(modern) = self.modern.as_ref() {
            modern.save(w);
        }
    }

    /// Loads it into a machine that has its kernels and TBs.
    pub(crate) fn load_modern(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        let Self { board, modern, .. } = self;
        match modern.as_mut() {
            Some(modern) => {
                modern.load(r)?;
                modern.rebuild(board)
            }
            None => Ok(()),
        }
    }
}
