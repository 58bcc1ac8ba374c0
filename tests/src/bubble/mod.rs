//! What the tests of `bubble_dvfs` share: its events and answers, its visible state.

pub mod invariants;
#[cfg(feature = "tools")]
pub mod model;

use gpusched::power::{
    BubbleConfig, BubbleController, BubbleDvfs, BubbleStats, GpuLevel, PState, Registers, Resident, SmxLevel, SmxPower,
    Tables, Waiting, bubble_image_config,
};
use gpusched::{Fault, Resources, Rows, SmxId, SmxSet};

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

/// What the queries of a controller tell, of one that stands alone or of a part.
#[allow(missing_docs, reason = "the names are those of the queries")]
pub struct Shown {
    pub registers: Registers,
    pub eligible: SmxSet,
    pub armed: SmxSet,
    pub gpu: GpuLevel,
    pub smxs: Vec<ShownSmx>,
    pub energy: u128,
    pub energy_uncore: u128,
    pub stats: BubbleStats,
}

/// One SMX: what the controller keeps, its P-state, what is free and resident.
pub type ShownSmx = (SmxPower, PState, Resources, Resident);

impl Shown {
    /// What the sheet calls it.
    ///
    /// # Panics
    /// If two queries contradict one another.
    #[must_use]
    pub fn view(self) -> View {
        let Self { registers, eligible, armed, gpu, smxs, energy, energy_uncore, stats } = self;
        let (gpu_pstate, gpu_timer, idle_run) = match gpu {
            GpuLevel::Normal { idle_samples } => (PState::High, 0, idle_samples),
            GpuLevel::GoingDown { left, .. } => (PState::Down, left, 0),
            GpuLevel::Low => (PState::Low, 0, 0),
            GpuLevel::GoingUp { left } => (PState::Up, left, 0),
        };
        let is_armed = |(smx, (power, ..)): (SmxId, &ShownSmx)| power.armed == armed.contains(smx);
        assert!((0..).map(SmxId).zip(&smxs).all(is_armed), "the set and the rows agree");
        assert_eq!(energy, energy_uncore + smxs.iter().map(|(power, ..)| power.energy).sum::<u128>());
        let gpu_timer = gpu_timer.into();
        let smxs = smxs.into_iter().map(SmxState::of).collect();
        View { registers, eligible, armed, gpu_pstate, gpu_timer, idle_run, smxs, energy_uncore, stats }
    }
}

impl SmxState {
    fn of((power, pstate, free, resident): ShownSmx) -> Self {
        let SmxPower { level, energy, energy_bubble, bubble, low, .. } = power;
        let (timer, drain) = match level {
            SmxLevel::GoingDown { left } | SmxLevel::GoingUp { left } => (left, 0),
            SmxLevel::Draining { samples } => (0, samples),
            SmxLevel::Normal | SmxLevel::Low => (0, 0),
        };
        let (timer, drain) = (timer.into(), drain.into());
        Self { pstate, timer, drain, free, resident, energy, energy_bubble, bubble, low }
    }
}

impl View {
    /// What a controller shows, and what its ledger says is free and resident.
    pub fn of<S: Rows<SmxPower>>(
        controller: &BubbleController<S>,
        ledger: impl Fn(SmxId) -> Option<(Resources, Resident)>,
    ) -> Self {
        let smx = |s| {
            let (free, resident) = ledger(s)?;
            Some((*controller.smx(s)?, controller.pstate(s)?, free, resident))
        };
        let shown = Shown {
            registers: controller.registers(),
            eligible: controller.eligible(),
            armed: controller.armed(),
            gpu: controller.gpu(),
            smxs: (0..).map_while(|s| smx(SmxId(s))).collect(),
            energy: controller.energy(),
            energy_uncore: controller.energy_uncore(),
            stats: controller.stats(),
        };
        shown.view()
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
