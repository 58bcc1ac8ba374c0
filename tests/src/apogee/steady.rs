//! The operations whose cost is measured, each in a steady state that can be repeated for ever, in Rust and through C.

use std::hint::black_box;

use gpusched::apogee::{Access, Apogee, ApogeeConfig, Lanes, Verdict, WarpId};
use gpusched::{Cycle, inline_apogee_tables};
use gpusched_abi::apogee::verbs::gpusched_apogee_access;

use crate::through_c::apogee::ThroughC;

inline_apogee_tables! {
    /// A home of the default configuration.
    pub struct Apogee4 = ApogeeConfig::APOGEE_4;
}

/// Which loads a step makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// The next iteration of unit-stride 4-byte loads of a full warp: four lines.
    Foa,
    /// A load of one address that misses, whose trigger row is there.
    Tia,
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
        if operation == Operation::Tia {
            // The load before it, which becomes its trigger.
            for warp in 0..4 {
                steady.load(7, warp, Verdict::Hit, [77; 32].map(|a: u64| a));
            }
        }
        steady
    }

    fn load(&mut self, pc: u64, warp: u16, verdict: Verdict, addresses: [u64; 32]) {
        match &mut self.sm {
            Sm::Rust(sm) => {
                let lanes = Lanes::Dense { mask: u32::MAX.into(), addresses: &addresses };
                load(sm, Cycle(100 * self.step), &Access { pc, warp: WarpId(warp), verdict, lanes });
            }
            Sm::C(sm) => {
                let access = gpusched_apogee_access {
                    pc,
                    mask: u32::MAX.into(),
                    addresses: addresses.as_ptr(),
                    lanes: std::ptr::null(),
                    count: addresses.len(),
                    warp: warp.into(),
                    verdict: verdict as u32,
                };
                load_through_c(sm, 100 * self.step, &access);
            }
        }
    }

    /// Carries out the operation once: a load, and then each request that waits is popped, answered and filled.
    pub fn step(&mut self) {
        let (i, warp) = (self.step, (self.step % 4) as u16);
        match self.operation {
            Operation::Foa => {
                let base = (128 * i) & 0xff_ffff;
                self.load(9, warp, Verdict::Hit, std::array::from_fn(|lane| base + 4 * lane as u64));
            }
            Operation::Tia => self.load(9, warp, Verdict::Absent, [4096; 32]),
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
fn load(sm: &mut Apogee<Apogee4>, now: Cycle, access: &Access<'_>) {
    black_box(sm.load(now, black_box(access), &mut ())).expect("the load is good");
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
