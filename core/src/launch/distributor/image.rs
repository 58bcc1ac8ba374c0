//! Kernel distributor entries in an image, in the order of their lists.

use super::{Distributor, Kde, Mark, Phase};
use crate::base::id::{KernelSlot, rows_in};
use crate::base::image::{ImageError, Reader, Writer, possible};
use crate::base::table::Rows;
use crate::config::Config;
use crate::launch::cross::Cross;

impl<K: Rows<Kde>, C: Rows<Cross>> Distributor<K, C> {
    pub(crate) fn save(&self, w: &mut Writer<'_>, config: &Config) {
        let Self { kdes, crosses: _, free: _, active, arriving: _, fifo: _ } = self;
        // Those that arrive, then those of the FIFO, then the rest: the lists are the order of the rows.
        let unmarked = rows_in(*active).filter(|&k: &KernelSlot| kdes[k].mark.is_none());
        w.list(self.arriving().chain(self.fifo()).chain(unmarked).map(|k| (k, &kdes[k])));
        if config.cross {
            w.list(self.pairs());
        }
    }

    pub(crate) fn load(&mut self, r: &mut Reader<'_>, config: &Config) -> Result<(), ImageError> {
        while let Some((k, kde)) = r.next::<(KernelSlot, Kde)>()? {
            possible(u32::from(k.0) < config.n_kde && self.free >> k.0 & 1 == 1)?;
            possible(kde.kernel.owner.validate(config).is_ok())?;
            let shape = kde.kernel.descriptor.shape(config).map_err(|_| ImageError::Content)?;
            self.free &= !(1 << k.0);
            self.kdes[k] = Kde { total: shape.total, need: shape.need, ..kde };
            match (kde.phase, kde.mark) {
                (Phase::Arriving(_), None) => {
                    let (mut list, last) = (self.arriving, self.arriving.tail);
                    self.insert(&mut list, k, last);
                    self.arriving = list;
                }
                (Phase::Saving(_), None) => self.active |= 1 << k.0,
                (Phase::Active, mark) => {
                    self.active |= 1 << k.0;
                    if let Some(Mark { first, cursor }) = mark {
                        self.mark(k, first);
                        self.kdes[k].mark = Some(Mark { first, cursor });
                    }
                }
                _ => return Err(ImageError::Content),
            }
        }
        while config.cross
            && let Some((k, cross)) = r.next::<(KernelSlot, Cross)>()?
        {
            possible(u32::from(k.0) < config.n_kde && self.free >> k.0 & 1 == 0)?;
            self.put_back_pair(k, cross, config).map_err(|_| ImageError::Content)?;
        }
        Ok(())
    }
}
