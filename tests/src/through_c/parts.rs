//! The occupancy-bubble controller and the dependency-graph buffer as parts of a front end, seen through C.

use std::ptr;

use gpusched::power::{Resident, Sample};
use gpusched::{KernelSlot, Resources, Smx, SmxId};
use gpusched_abi::bubble::{gpusched_bubble_config, gpusched_bubble_record};
use gpusched_abi::dgb::gpusched_dgb_config;
use gpusched_abi::frontend::*;
use gpusched_abi::laperm::gpusched_laperm_config;
use gpusched_abi::status::gpusched_status as Status;

use super::look::unless;
use super::told::told;
use super::{ThroughC, bubble, dgb, done, laperm};
use crate::bubble::{Shown as ShownBubble, View as BubbleView};
use crate::calls::frontend::Queries;
use crate::dats::view::{Shown, View as DgbView};

/// A function that tells the configuration of a part.
type Tell<C> = unsafe extern "C" fn(*const gpusched_frontend, *mut C, usize) -> Status;

impl ThroughC {
    /// Each part is the machine of its configuration, and what is not there says so.
    pub(super) fn check_parts(&self) {
        let config = &self.config;
        let laperm = config.laperm().map(|part| laperm::c_config(&part.machine(config)));
        let told = self.part_config(gpusched_frontend_laperm_config, gpusched_laperm_config::default());
        assert_eq!(told, laperm.ok_or(Status::WrongModel));
        let bubble = config.bubble.map(|part| bubble::c_config(&part.machine(config)));
        let told = self.part_config(gpusched_frontend_bubble_config, gpusched_bubble_config::default());
        assert_eq!(told, bubble.ok_or(Status::NoBubble));
        let dgb = config.dats.map(|part| dgb::c_config(&part.machine(config)));
        let told = self.part_config(gpusched_frontend_dgb_config, gpusched_dgb_config::default());
        assert_eq!(told, dgb.ok_or(Status::NoDgb));
    }

    fn part_config<C>(&self, tell: Tell<C>, mut config: C) -> Result<C, Status> {
        // SAFETY: both live.
        done(unsafe { tell(self.frontend(), ptr::from_mut(&mut config), size_of::<C>()) })?;
        Ok(config)
    }

    /// The dependency-graph buffer and who has it, if there is one.
    pub(super) fn seen_dgb(&self) -> Option<(DgbView, Option<KernelSlot>)> {
        let shown = Shown {
            state: self.dgb_state()?,
            stats: self.dgb_stats()?,
            resident: self.dgb_resident()?,
            edges: self.dgb_resident_edges()?,
            pending_updates: self.dgb_pending_updates()?,
            landed: self.dgb_landed()?,
        };
        Some((shown.view(self.config.dats?.lea).specified(), self.dgb_owner()))
    }

    /// The controller, if there is one.
    pub(super) fn seen_bubble(&self) -> Option<BubbleView> {
        let tbs = self.resident_tbs();
        let smx = |s| {
            let Smx { slots, threads, regs, smem, warps } = self.smx(s)?;
            let free = Resources { threads, regs, smem, slots: slots.count_ones() };
            let tbs = tbs.iter().filter(|tb| tb.smx == s).count() as u32;
            Some((self.bubble_smx(s)?, self.bubble_pstate(s)?, free, Resident { tbs, warps }))
        };
        let shown = ShownBubble {
            registers: self.bubble_registers()?,
            eligible: self.eligible(),
            armed: self.bubble_armed()?,
            gpu: self.bubble_gpu()?,
            smxs: (0..).map(SmxId).map_while(smx).collect(),
            energy: self.bubble_energy()?,
            energy_uncore: self.bubble_energy_uncore()?,
            stats: self.bubble_stats()?,
        };
        Some(shown.view())
    }

    /// The record of the last sample since the object was built or restored.
    ///
    /// # Panics
    /// If the object says the wrong thing about why there is none.
    #[must_use]
    pub fn last_sample(&self) -> Option<Sample> {
        let mut record = gpusched_bubble_record::default();
        // SAFETY: the object and the record live.
        let answer = done(unsafe { gpusched_frontend_bubble_record(self.frontend(), &mut record) });
        let none = if self.config.bubble.is_some() { Status::BadIndex } else { Status::NoBubble };
        unless(none, answer.map(|()| told(&record)))
    }
}
