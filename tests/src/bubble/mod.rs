//! What the tests of `bubble_dvfs` share: its events and answers, its visible state.

pub mod invariants;
pub mod model;

use gpusched::power::{
    BubbleConfig, BubbleController, BubbleDvfs, BubbleStats, GpuLevel, PState, Registers, Resident, Resources,
    SmxLevel, SmxPower, Tables, Waiting, bubble_image_config,
};
use gpusched::{Fault, Rows, SmxId, SmxSet};

pub use gpusched_heap::power::{HeapTables, machine, tables};

use crate::through_c::bubble::ThroughC;

pub use crate::calls::bubble::{Answer, Event, Queries};
use crate::machine;
pub use crate::machine::Machine;

/// What a call answers.
pub type Answered = Result<Answer, Fault>;

/// Everything that the sheet's `state` query shows.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub struct View {
    pub registers: Registers,
    pub eligible: SmxSet,
    pub armed: SmxSet,
    /// The GPU's P-state; high if the GPU level is not in force.
    pub gpu_pstate: PState,
    pub gpu_timer: u32,
    pub idle_run: u64,
    pub smxs: Vec<SmxState>,
    pub energy_uncore: u128,
    pub stats: BubbleStats,
}

/// One SMX of a [`View`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub struct SmxState {
    pub pstate: PState,
    pub timer: u32,
    pub drain: u32,
    pub free: Resources,
    pub resident: Resident,
    pub energy: u128,
    pub energy_bubble: u128,
    pub bubble: u64,
    pub low: u64,
}

impl View {
    /// What a controller shows, and what its ledger says is free and resident.
    pub fn of<S: Rows<SmxPower>>(
        controller: &BubbleController<S>,
        ledger: impl Fn(SmxId) -> Option<(Resources, Resident)>,
    ) -> Self {
        let (gpu_pstate, gpu_timer, idle_run) = match controller.gpu() {
            GpuLevel::Normal { idle_samples } => (PState::High, 0, idle_samples),
            GpuLevel::GoingDown { left, .. } => (PState::Down, left, 0),
            GpuLevel::Low => (PState::Low, 0, 0),
            GpuLevel::GoingUp { left } => (PState::Up, left, 0),
        };
        let smx = |s| {
            let (power, (free, resident)) = (controller.smx(s)?, ledger(s)?);
            let (timer, drain) = match power.level {
                SmxLevel::GoingDown { left } | SmxLevel::GoingUp { left } => (left, 0),
                SmxLevel::Draining { samples } => (0, samples),
                SmxLevel::Normal | SmxLevel::Low => (0, 0),
            };
            Some(SmxState {
                pstate: controller.pstate(s)?,
                timer: timer.into(),
                drain: drain.into(),
                free,
                resident,
                energy: power.energy,
                energy_bubble: power.energy_bubble,
                bubble: power.bubble,
                low: power.low,
            })
        };
        Self {
            registers: controller.registers(),
            eligible: controller.eligible(),
            armed: controller.armed(),
            gpu_pstate,
            gpu_timer: gpu_timer.into(),
            idle_run,
            smxs: (0..).map_while(|s| smx(SmxId(s))).collect(),
            energy_uncore: controller.energy_uncore(),
            stats: controller.stats(),
        }
    }

    /// Whether an SMX could receive this TB now.
    #[must_use]
    pub fn takes(&self, config: &BubbleConfig, s: SmxId, tb: &Waiting) -> bool {
        let smx = &self.smxs[usize::from(s.0)];
        let allowed = tb.allowed.is_none_or(|allowed| allowed.contains(s));
        let full = smx.resident.warps >= config.max_warps();
        self.eligible.contains(s) && allowed && !full && tb.res.fits(&smx.free)
    }

    /// The SMXs with their numbers.
    pub fn each(&self) -> impl Iterator<Item = (SmxId, &SmxState)> {
        (0..).map(SmxId).zip(&self.smxs)
    }
}

fn view<T: Tables>(gpu: &BubbleDvfs<T>) -> View {
    View::of(gpu.controller(), |s| gpu.ledger(s).map(|ledger| (ledger.free, ledger.resident)))
}

machine::in_rust! { BubbleDvfs<T>: Event => Answered, View = view; T: Tables }
machine::through_c! { ThroughC: Event => Answered, View = ThroughC::view }
machine::family! {
    /// Occupancy-bubble machines.
    Bubbles: BubbleConfig, Event => Answer, View;
    BubbleDvfs<HeapTables> = machine, bubble_image_config; ThroughC; model::Model
}
