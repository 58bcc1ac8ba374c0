//! The operations whose cost is measured, each in a steady state that can be repeated for ever, in Rust and through C.

use std::hint::black_box;

use gpusched::apogee::{Access, Apogee, ApogeeConfig, Lanes, Loaded, Verdict, WarpId};
use gpusched::{Cycle, Fault, inline_apogee_tables};
use gpusched_abi::apogee::gpusched_apogee_access;

use crate::through_c::apogee::ThroughC;

inline_apogee_tables! {
    /// A home of the default configuration.
    pub struct Apogee4 = ApogeeConfig::APOGEE_4;
}

/// Which loads a step makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// The next iteration of unit-stride 4-byte loads of a full warp: four lines. The host knows the stride.
    Foa,
    /// The same, as an address per lane.
    FoaDense,
    /// A load of one address that misses, whose trigger row is there. The host knows that it is one.
    Tia,
    /// The same, as an address per lane.
    TiaDense,
}

enum Sm {
    Rust(Box<Apogee<Apogee4>>),
    C(ThroughC),
}

/// A machine in the steady state of an operation.
pub struct Steady {
    sm: Sm,
    operation: Operation,
    step: u64,
}

impl Steady {
    /// A machine about to repeat `operation`.
    ///
    /// # Panics
    /// If the default configuration is refused.
    #[must_use]
    pub fn new(operation: Operation, through_c: bool) -> Self {
        let config = &ApogeeConfig::APOGEE_4;
        let sm = if through_c {
            Sm::C(ThroughC::new(config).expect("the default"))
        } else {
            Sm::Rust(Box::new(Apogee::new(config).expect("the default")))
        };
        let mut steady = Self { sm, operation, step: 0 };
        if matches!(operation, Operation::Tia | Operation::TiaDense) {
            // The load before it, which becomes its trigger.
            for warp in 0..4 {
                steady.load(7, warp, Verdict::Hit, 77, 0);
            }
        }
        steady
    }

    /// A load of a full warp.
    fn load(&mut self, pc: u64, warp: u16, verdict: Verdict, first: u64, stride: i64) {
        let is_dense = matches!(self.operation, Operation::FoaDense | Operation::TiaDense);
        let addresses: [u64; 32] = std::array::from_fn(|lane| first.wrapping_add_signed(stride * lane as i64));
        let mask = u32::MAX.into();
        match &mut self.sm {
            Sm::Rust(sm) => {
                let lanes = if is_dense {
                    Lanes::Dense { mask, addresses: &addresses }
                } else {
                    Lanes::Affine { mask, first, stride }
                };
                let access = Access { pc, warp: WarpId(warp), verdict, lanes };
                black_box(load(sm, Cycle(100 * self.step), black_box(&access))).expect("the load is good");
            }
            Sm::C(sm) => {
                let access = gpusched_apogee_access {
                    pc,
                    mask,
                    addresses: if is_dense { addresses.as_ptr() } else { std::ptr::null() },
                    lanes: std::ptr::null(),
                    count: if is_dense { addresses.len() } else { 0 },
                    warp: warp.into(),
                    verdict: verdict as u32,
                    first,
                    stride,
                };
                load_through_c(sm, 100 * self.step, &access);
            }
        }
    }

    /// Carries out the operation once: a load, and then each request that waits is popped, answered and filled.
    pub fn step(&mut self) {
        let (i, warp) = (self.step, (self.step % 4) as u16);
        match self.operation {
            Operation::Foa | Operation::FoaDense => self.load(9, warp, Verdict::Hit, (128 * i) & 0xff_ffff, 4),
            Operation::Tia | Operation::TiaDense => self.load(9, warp, Verdict::Absent, 4096, 0),
        }
        let now = 100 * self.step + 50;
        match &mut self.sm {
            Sm::Rust(sm) => while serve(sm, Cycle(now)) {},
            Sm::C(sm) => while serve_through_c(sm, now) {},
        }
        self.step += 1;
    }
}

/// A load, in Rust.
#[inline(never)]
fn load(sm: &mut Apogee<Apogee4>, now: Cycle, access: &Access<'_>) -> Result<Loaded, Fault> {
    sm.load(now, access, &mut ())
}

/// A load, through C.
#[inline(never)]
fn load_through_c(sm: &mut ThroughC, now: u64, access: &gpusched_apogee_access) {
    black_box(sm.load_access(now, access));
}

/// A request, from its pop to its fill, in Rust. Whether there was one.
#[inline(never)]
fn serve(sm: &mut Apogee<Apogee4>, now: Cycle) -> bool {
    let Ok(Some(request)) = sm.pf_pop(now) else { return false };
    let stale = sm.pf_reply(true).and_then(|_| sm.pf_fill(request.entry, request.generation, request.warp));
    assert_eq!(stale, Ok(false));
    true
}

/// A request, from its pop to its fill, through C. Whether there was one.
#[inline(never)]
fn serve_through_c(sm: &mut ThroughC, now: u64) -> bool {
    sm.serve(now)
}
