//! The occupancy-bubble controller and the dependency-graph buffer as parts of a front end, seen through C.

use std::ptr;

use gpusched::KernelSlot;
use gpusched::power::{Resident, Resources, Sample};
use gpusched_abi::bubble::{gpusched_bubble_config, gpusched_bubble_record};
use gpusched_abi::dgb::gpusched_dgb_config;
use gpusched_abi::frontend::*;
use gpusched_abi::laperm::gpusched_laperm_config;
use gpusched_abi::status::gpusched_status as Status;

use super::bubble::{
    self,
    hand::{Smx, Told},
};
use super::look::{expect, unless};
use super::records::number;
use super::told::told;
use super::{ThroughC, dgb, done, laperm};
use crate::bubble::View as BubbleView;
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
        let (object, part) = (&self.object, self.config.dats?);
        let shown = Shown {
            state: told(&object.ask(gpusched_frontend_dgb_state)),
            stats: told(&object.ask(gpusched_frontend_dgb_stats)),
            resident: object.list(gpusched_frontend_dgb_resident).iter().map(told).collect(),
            edges: object.list(gpusched_frontend_dgb_resident_edges).iter().map(told).collect(),
            pending_updates: object.list(gpusched_frontend_dgb_pending_updates).iter().map(told).collect(),
            landed: object.list(gpusched_frontend_dgb_landed).iter().map(told).collect(),
        };
        let owner = number(object.ask(gpusched_frontend_dgb_owner)).map(KernelSlot);
        Some((shown.view(part.lea).specified(), owner))
    }

    /// The controller, if there is one.
    pub(super) fn seen_bubble(&self) -> Option<BubbleView> {
        let object = &self.object;
        let tbs = object.list(gpusched_frontend_resident_tbs);
        let smx = |s: u32| {
            let smx = unless(Status::NoBubble, object.row(gpusched_frontend_bubble_smx, s))?;
            let gpusched_smx { slots, threads, regs, smem, warps } = expect(object.row(gpusched_frontend_smx, s));
            let free = Resources { threads, regs, smem, slots: slots.count_ones() };
            let tbs = tbs.iter().filter(|tb| tb.smx == s).count() as u32;
            Some(Smx { smx, free, resident: Resident { tbs, warps } })
        };
        let smxs = (0..self.config.n_smx).map(smx).collect::<Option<_>>()?;
        let told = Told {
            registers: object.ask(gpusched_frontend_bubble_registers),
            eligible: object.ask(gpusched_frontend_eligible),
            armed: object.ask(gpusched_frontend_bubble_armed),
            gpu: object.ask(gpusched_frontend_bubble_gpu),
            smxs,
            energy: object.ask(gpusched_frontend_bubble_energy),
            energy_uncore: object.ask(gpusched_frontend_bubble_energy_uncore),
            stats: object.ask(gpusched_frontend_bubble_stats),
        };
        Some(told.view())
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
