//! M: the saturation flags, the mode, and what a change of the mode does.

use super::answer::{Mode, Saturation};
use super::config::CacheConfig;
use super::{Mascar, Tables};
use crate::base::error::Fault;

impl CacheConfig {
    /// mascar-M1: the flag at this occupancy.
    const fn flag(&self, flag: bool, mshr: u32, missq: u32) -> bool {
        if flag {
            mshr >= self.mshr_clear || missq >= self.missq_clear
        } else {
            mshr >= self.mshr_sat || missq >= self.missq_sat
        }
    }
}

impl<T: Tables> Mascar<T> {
    /// The occupancy of cache `src` of the configuration's `sources`: taken MSHRs and places of the miss queue.
    /// The mode follows at once.
    ///
    /// # Errors
    /// `BadSource`; `BadOccupancy` if more is taken than the cache has.
    pub fn l1_state(&mut self, src: u32, mshr: u32, missq: u32) -> Result<Saturation, Fault> {
        let cache = self.config.sources.caches().get(src as usize).ok_or(Fault::BadSource)?;
        if mshr > cache.mshr || missq > cache.missq {
            return Err(Fault::BadOccupancy);
        }
        let bit = 1 << src;
        let flag = cache.flag(self.flags & bit != 0, mshr, missq);
        self.flags = if flag { self.flags | bit } else { self.flags & !bit };
        let mode = self.mode_of(self.flags);
        match (core::mem::replace(&mut self.mode, mode), mode) {
            (Mode::Ep, Mode::Mp) => self.enter_mp(),
            (Mode::Mp, Mode::Ep) => self.leave_mp(),
            _ => {}
        }
        Ok(Saturation { flag: self.flags != 0, mode })
    }

    /// mascar-M3.
    fn enter_mp(&mut self) {
        let sets = &mut self.warps.sets;
        sets.leftover = sets.mem & sets.in_ready;
    }

    /// mascar-M5.
    fn leave_mp(&mut self) {
        self.set_owner(None);
        self.barred = None;
        self.warps.sets.leftover = 0;
        self.warps.sets.wst_stall = 0;
    }

    /// mascar-M2.
    pub(super) const fn mode_of(&self, flags: u8) -> Mode {
        if self.config.enable && flags != 0 { Mode::Mp } else { Mode::Ep }
    }

    #[inline]
    pub(super) const fn is_mp(&self) -> bool {
        matches!(self.mode, Mode::Mp)
    }

    /// The mode (mascar-M2).
    #[must_use]
    pub const fn mode(&self) -> Mode {
        self.mode
    }
}
