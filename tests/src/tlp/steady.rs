//! The operations of a [`TlpSm`] whose cost is measured, in a steady state that can be repeated for ever.

use gpusched::tlp::{Category, Dispatch, Kernel, KernelId, KernelType, Metrics, TbNeeds, TlpConfig, TlpSm};
use gpusched::{Cycle, SlotId};
use gpusched_abi::convert::ToC;
use gpusched_abi::status::gpusched_status;
use gpusched_abi::tlp_sm::{
    gpusched_tlp_dispatched, gpusched_tlp_finished, gpusched_tlp_metrics, gpusched_tlp_sampled, gpusched_tlp_sm,
    gpusched_tlp_sm_dispatch, gpusched_tlp_sm_finish, gpusched_tlp_sm_sample, gpusched_tlp_stall,
};

use super::{Kind, Unit, Units, sm, through_c};
use crate::machine::{Object as _, Of};

/// What one step does, on an SM of the GTX 480 with four TBs of each of two kernels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// A TB ends and its successor comes: one finish, one dispatch.
    Turn,
    /// A dispatch that stalls: every kernel has as many TBs as it is to have.
    Stall,
    /// A period: eight TBs end, the sample looks for a kernel to grow and finds it blocked, and eight TBs come.
    Period,
}

const CONFIG: TlpConfig = TlpConfig { bypass: false, min_tlp: 4, ..TlpConfig::GTX480 };

/// Kernel 0 leans on SP, kernel 1 on LD/ST.
const METRICS: Metrics =
    Metrics { sp: [300, 100], ldst: [100, 150], stall_mem: 70, stall_struct: 7, avail: [true, true] };

/// The calls.
trait Face {
    /// Whether a TB comes.
    fn dispatch(&mut self, now: u64) -> bool;
    /// A TB ends. Whether a period does.
    fn finish(&mut self, now: u64, slot: u8) -> bool;
    fn sample(&mut self, now: u64);
}

impl Face for TlpSm {
    fn dispatch(&mut self, now: u64) -> bool {
        matches!(Self::dispatch(self, Cycle(now), [true; 2]), Ok(Dispatch::Placed(_)))
    }

    fn finish(&mut self, now: u64, slot: u8) -> bool {
        Self::finish(self, Cycle(now), SlotId(slot)).expect("the slot is taken").period_end
    }

    fn sample(&mut self, now: u64) {
        Self::sample(self, Cycle(now), &METRICS).expect("a sample is due");
    }
}

/// An object of C.
pub struct Object {
    unit: through_c::Unit,
    metrics: gpusched_tlp_metrics,
}

impl Object {
    fn c(&self) -> *mut gpusched_tlp_sm {
        self.unit.sm().expect("it is one")
    }
}

#[allow(unsafe_code, reason = "calls C functions with pointers to live values")]
impl Face for Object {
    fn dispatch(&mut self, now: u64) -> bool {
        let mut tb = gpusched_tlp_dispatched::default();
        // SAFETY: all pointers are of living values.
        let status = unsafe { gpusched_tlp_sm_dispatch(self.c(), now, 1, 1, &mut tb) };
        assert_eq!(status, gpusched_status::Ok);
        tb.stall == gpusched_tlp_stall::None as u32
    }

    fn finish(&mut self, now: u64, slot: u8) -> bool {
        let mut tb = gpusched_tlp_finished::default();
        // SAFETY: all pointers are of living values.
        let status = unsafe { gpusched_tlp_sm_finish(self.c(), now, slot.into(), &mut tb) };
        assert_eq!(status, gpusched_status::Ok);
        tb.period_end != 0
    }

    fn sample(&mut self, now: u64) {
        let mut sampled = gpusched_tlp_sampled::default();
        // SAFETY: all pointers are of living values.
        let status = unsafe { gpusched_tlp_sm_sample(self.c(), now, &self.metrics, &mut sampled) };
        assert_eq!(status, gpusched_status::Ok);
    }
}

/// Both kernels, and all their TBs.
fn warm_up(machine: &mut impl Of<Units>) {
    let now = Cycle(0);
    let mut take = |event: sm::Event| {
        let event = event.into();
        machine.take(&event).unwrap_or_else(|fault| panic!("{event:?}: {fault}"));
    };
    for (k, threads) in [(0, 256), (1, 128)] {
        let category = Category { kind: KernelType::Optimal, opt: 4 };
        let kernel = Some(Kernel { needs: TbNeeds { threads, regs: 2048, smem: 0 }, category });
        take(sm::Event::Attach { now, k: KernelId(k), kernel });
    }
    (0..8).for_each(|_| take(sm::Event::Dispatch { now, avail: [true; 2] }));
}

/// A machine that repeats an operation.
pub struct Steady<F> {
    face: F,
    operation: Operation,
    now: u64,
    slot: u8,
}

/// In Rust.
pub type Plain = Steady<TlpSm>;
/// Through C.
pub type ThroughC = Steady<Object>;

impl Plain {
    /// About to repeat the operation.
    ///
    /// # Panics
    /// If the machine does not do what the operation needs, so that nothing else is ever measured.
    #[must_use]
    pub fn new(operation: Operation) -> Self {
        let mut unit = Unit::new(Kind::TlpSm, &CONFIG).expect("the configuration is valid");
        warm_up(&mut unit);
        let Unit::TlpSm(face) = unit else { unreachable!() };
        Self { face, operation, now: 0, slot: 0 }
    }
}

impl ThroughC {
    /// As [`Plain::new`].
    ///
    /// # Panics
    /// As there.
    #[must_use]
    pub fn new(operation: Operation) -> Self {
        let mut unit = through_c::Unit::new(&(Kind::TlpSm, CONFIG)).expect("the configuration is valid");
        warm_up(&mut unit);
        let metrics = METRICS.to_c();
        Self { face: Object { unit, metrics }, operation, now: 0, slot: 0 }
    }
}

#[allow(private_bounds, reason = "there are two faces")]
impl<F: Face> Steady<F> {
    /// Does it once.
    ///
    /// # Panics
    /// If it is another operation.
    pub fn step(&mut self) {
        self.now += 1000;
        match self.operation {
            Operation::Turn => {
                // The TB in slot 7 never ends, so that no period does.
                assert!(!self.face.finish(self.now, self.slot));
                assert!(self.face.dispatch(self.now));
                self.slot = (self.slot + 1) % 7;
            }
            Operation::Stall => assert!(!self.face.dispatch(self.now)),
            Operation::Period => {
                (0..8).for_each(|slot| assert_eq!(self.face.finish(self.now, slot), slot == 7));
                self.face.sample(self.now);
                (0..8).for_each(|_| assert!(self.face.dispatch(self.now)));
            }
        }
    }
}
