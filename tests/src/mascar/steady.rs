//! The operations whose cost is measured, each in a steady state that can be repeated for ever, in Rust and through C.

use std::hint::black_box;

use gpusched::mascar::{Kind, Lookup, Mascar, MascarConfig, Next, Pick, Pipe, Request, WarpId};
use gpusched::{Cycle, Fault, inline_mascar_tables};
use gpusched_abi::convert::ToC;
use gpusched_abi::mascar::{gpusched_mascar_decision, gpusched_mascar_request};

use super::{Event, Machine};
use crate::through_c::mascar::{self as through_c, ThroughC};

inline_mascar_tables! {
    /// A home of the default configuration.
    pub struct Gtx480 = MascarConfig::GTX480;
}

/// What a step does, on 48 warps and two schedulers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// A cycle in EP mode: one warp issues to memory and one computes; half of the others are ready for either.
    Ep,
    /// A cycle in MP mode: the owner issues to memory, and one of 24 ready warps computes. Others wait for the LSU.
    Mp,
    /// A request of a new instruction is presented, and hits.
    New,
    /// A request of another than the owner is presented from a queue of two, and goes to its tail.
    Rexq,
}

enum Sm {
    Rust(Box<Mascar<Gtx480>>),
    C(ThroughC),
}

impl Sm {
    fn take(&mut self, event: &Event) {
        let answer = match self {
            Self::Rust(sm) => sm.take(event),
            Self::C(sm) => sm.take(event),
        };
        answer.expect("the event is good");
    }
}

/// A machine in the steady state of an operation.
pub struct Steady {
    sm: Sm,
    operation: Operation,
    now: u64,
    /// Requests of the instruction in the LSU.
    left: u32,
}

const WARPS: u8 = MascarConfig::GTX480.warps as u8;

impl Steady {
    /// A machine about to repeat `operation`.
    ///
    /// # Panics
    /// If the default configuration is refused.
    #[must_use]
    pub fn new(operation: Operation, through_c: bool) -> Self {
        let config = &MascarConfig::GTX480;
        let sm = if through_c {
            Sm::C(ThroughC::new(config).expect("the default"))
        } else {
            Sm::Rust(Box::new(Mascar::new(config).expect("the default")))
        };
        let mut steady = Self { sm, operation, now: 0, left: 0 };
        for w in (0..WARPS).map(WarpId) {
            steady.sm.take(&Event::WarpStart { w });
            steady.set_head(w);
        }
        match operation {
            Operation::Ep | Operation::New => {}
            Operation::Mp => steady.sm.take(&Event::L1State { src: 0, mshr: 64, missq: 0 }),
            Operation::Rexq => steady.fill_the_queue(),
        }
        steady
    }

    /// The kind of a warp's instructions: in EP mode both on both schedulers, else memory on one and compute on the other.
    fn kind(&self, w: WarpId) -> Kind {
        let mem = if self.operation == Operation::Ep { w.0 % 4 < 2 } else { w.0.is_multiple_of(2) };
        if mem { Kind::Mem } else { Kind::Alu }
    }

    fn set_head(&mut self, w: WarpId) {
        let kind = Some(self.kind(w));
        self.sm.take(&Event::SetHead { w, kind, ready: true, dep_load: false });
    }

    /// Two requests of one warp wait, and another one owns.
    fn fill_the_queue(&mut self) {
        let good = Some(request());
        self.cycle();
        self.sm.take(&Event::LsuBegin { w: WarpId(0), nreq: 2, dst: 1 });
        for _ in 0..2 {
            self.sm.take(&Event::LsuNext);
            self.sm.take(&Event::LsuReply { result: Some(Lookup::Miss), room: false, request: good });
        }
        self.sm.take(&Event::L1State { src: 0, mshr: 64, missq: 0 });
        self.cycle();
        self.sm.take(&Event::LsuBegin { w: WarpId(2), nreq: 0, dst: 1 });
    }

    /// A cycle. The warp that issues to memory: in MP mode the owner, another one whenever its time is over.
    fn cycle(&mut self) -> Option<WarpId> {
        self.now += 1;
        let decided = match &mut self.sm {
            Sm::Rust(sm) => black_box(pick(sm, Cycle(self.now))).expect("a later cycle"),
            Sm::C(sm) => {
                let mut decision = gpusched_mascar_decision::default();
                pick_through_c(sm, self.now, &mut decision);
                through_c::hand::decided(&decision)
            }
        };
        decided.issues.iter().find(|issue| issue.pipe == Pipe::Mem).map(|issue| issue.warp)
    }

    /// Carries out the operation once; what prepares the next one is no part of it.
    pub fn step(&mut self) {
        match self.operation {
            Operation::Ep | Operation::Mp => {
                let w = self.cycle().expect("one issues to memory");
                self.sm.take(&Event::LsuBegin { w, nreq: 0, dst: 0 });
                for w in (0..WARPS).map(WarpId) {
                    self.set_head(w);
                }
            }
            Operation::New => {
                if self.left == 0 {
                    self.cycle();
                    self.left = 32;
                    self.sm.take(&Event::LsuBegin { w: WarpId(0), nreq: self.left, dst: 1 });
                    self.set_head(WarpId(0));
                }
                self.left -= 1;
                self.port(Lookup::Hit);
            }
            Operation::Rexq => self.port(Lookup::Miss),
        }
    }

    fn port(&mut self, result: Lookup) {
        match &mut self.sm {
            Sm::Rust(sm) => port(sm, result, &request()),
            Sm::C(sm) => port_through_c(sm, result, &request().to_c()),
        }
    }
}

fn request() -> Request {
    Request { base: 0x80, mask: u32::MAX.into(), ..Request::default() }
}

/// A cycle, in Rust.
#[inline(never)]
fn pick(sm: &mut Mascar<Gtx480>, now: Cycle) -> Result<Pick, Fault> {
    sm.pick(now, true, None)
}

/// A cycle, through C.
#[inline(never)]
fn pick_through_c(sm: &mut ThroughC, now: u64, decision: &mut gpusched_mascar_decision) {
    sm.pick(now, black_box(decision));
}

/// A request and its answer, in Rust.
#[inline(never)]
fn port(sm: &mut Mascar<Gtx480>, result: Lookup, request: &Request) {
    let next = black_box(sm.lsu_next()).expect("the last one was answered");
    let new = matches!(next, Next::New { .. }).then_some(black_box(request));
    black_box(sm.lsu_reply(result, false, new)).expect("it was presented");
}

/// A request and its answer, through C.
#[inline(never)]
fn port_through_c(sm: &mut ThroughC, result: Lookup, request: &gpusched_mascar_request) {
    sm.port(result, request);
}
