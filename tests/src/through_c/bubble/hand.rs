//! The controller's view, of one that stands alone or of a part.

use gpusched::power::{GpuLevel, PState, Resident, Resources};
use gpusched::{SmxId, SmxSet};
use gpusched_abi::bubble::*;
use gpusched_abi::smx::{gpusched_energy, gpusched_smx_set};

use super::ThroughC;
use crate::bubble::{SmxState, View};
use crate::through_c::look::expect;
use crate::through_c::records::{flag, one_of};
use crate::through_c::told::{Told as Telling, told};

/// What the queries of a controller tell, of one that stands alone or of a part.
pub(crate) struct Told {
    pub registers: gpusched_bubble_registers,
    pub eligible: gpusched_smx_set,
    pub armed: gpusched_smx_set,
    pub gpu: gpusched_bubble_gpu,
    pub smxs: Vec<Smx>,
    pub energy: gpusched_energy,
    pub energy_uncore: gpusched_energy,
    pub stats: gpusched_bubble_stats,
}

/// One SMX of it, and what the ledger says.
pub(crate) struct Smx {
    pub smx: gpusched_bubble_smx,
    pub free: Resources,
    pub resident: Resident,
}

impl Told {
    /// It in the core's terms. Where two queries show the same thing, they must agree.
    pub fn view(self) -> View {
        use gpusched_bubble_level as Level;
        let pstates = [
            (Level::Normal as u32, PState::High),
            (Level::GoingDown as u32, PState::Down),
            (Level::Low as u32, PState::Low),
            (Level::GoingUp as u32, PState::Up),
        ];
        let armed = told::<SmxSet>(&self.armed);
        let is_armed = |(s, smx): (usize, &Smx)| flag(smx.smx.armed) == armed.contains(SmxId(s as u16));
        assert!(self.smxs.iter().enumerate().all(is_armed), "the set and the rows agree");
        let smxs = self.smxs.iter().map(Smx::state).collect::<Vec<_>>();
        let energy_uncore: u128 = told(&self.energy_uncore);
        assert_eq!(told::<u128>(&self.energy), energy_uncore + smxs.iter().map(|smx| smx.energy).sum::<u128>());
        View {
            registers: told(&self.registers),
            eligible: told(&self.eligible),
            armed,
            gpu_pstate: one_of(self.gpu.level, &pstates),
            gpu_timer: self.gpu.left,
            idle_run: self.gpu.idle_samples,
            smxs,
            energy_uncore,
            stats: told(&self.stats),
        }
    }
}

impl Smx {
    fn state(&self) -> SmxState {
        use gpusched_bubble_level as Level;
        use gpusched_bubble_pstate as C;
        let &Self { smx, free, resident } = self;
        let levels = [
            (Level::Normal as u32, (0, 0)),
            (Level::Draining as u32, (0, smx.samples)),
            (Level::GoingDown as u32, (smx.samples, 0)),
            (Level::Low as u32, (0, 0)),
            (Level::GoingUp as u32, (smx.samples, 0)),
        ];
        let (timer, drain) = one_of(smx.level, &levels);
        let pstates = [
            (C::High as u32, PState::High),
            (C::Down as u32, PState::Down),
            (C::Low as u32, PState::Low),
            (C::Up as u32, PState::Up),
        ];
        SmxState {
            pstate: one_of(smx.pstate, &pstates),
            timer,
            drain,
            free,
            resident,
            energy: told(&smx.energy),
            energy_bubble: told(&smx.energy_bubble),
            bubble: smx.bubble,
            low: smx.low,
        }
    }
}

impl Telling for GpuLevel {
    fn told(c: &gpusched_bubble_gpu) -> Self {
        use gpusched_bubble_level as Level;
        let left = told(&c.left);
        let levels = [
            (Level::Normal as u32, Self::Normal { idle_samples: c.idle_samples }),
            (Level::GoingDown as u32, Self::GoingDown { left, low: told(&c.low) }),
            (Level::Low as u32, Self::Low),
            (Level::GoingUp as u32, Self::GoingUp { left }),
        ];
        one_of(c.level, &levels)
    }
}

impl ThroughC {
    /// Everything that can be seen.
    #[must_use]
    pub fn view(&self) -> View {
        let object = &self.object;
        let smx = |s: u32| {
            let ledger: gpusched_bubble_ledger = expect(object.row(gpusched_bubble_get_ledger, s));
            let smx = expect(object.row(gpusched_bubble_get_smx, s));
            Smx { smx, free: told(&ledger.free), resident: told(&ledger.resident) }
        };
        let told = Told {
            registers: object.ask(gpusched_bubble_get_registers),
            eligible: object.ask(gpusched_bubble_eligible),
            armed: object.ask(gpusched_bubble_armed),
            gpu: object.ask(gpusched_bubble_get_gpu),
            smxs: (0..self.config.smxs).map(smx).collect(),
            energy: object.ask(gpusched_bubble_energy),
            energy_uncore: object.ask(gpusched_bubble_energy_uncore),
            stats: object.ask(gpusched_bubble_get_stats),
        };
        told.view()
    }
}
