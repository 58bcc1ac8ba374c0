//! A toy SM around the machine: warps with programs, and an L1 of whom somebody says what it answers.

use gpusched::Cycle;
use gpusched::mascar::{Kind, Lookup, Mascar, MascarConfig, Next, Pick, Pipe, Reply, Request, Tables, WarpId};

use super::{HeapTables, View, machine};

/// An instruction of a warp.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// A load with so many requests.
    Load(u32),
    /// Needs the values of all loads before it.
    Use,
    /// Needs nothing.
    Alu,
    /// Waits for all other warps that have not ended.
    Barrier,
}

/// A warp of the toy.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Warp {
    program: Vec<Op>,
    at: usize,
    /// Requests that no L1 has accepted.
    pub unsent: u32,
    /// Requests accepted, whose values are not there.
    pub flying: u32,
    /// It has exited.
    pub ended: bool,
}

impl Warp {
    fn op(&self) -> Option<Op> {
        self.program.get(self.at).copied()
    }
}

/// What a cycle did.
#[derive(Clone, Debug)]
pub struct Done {
    /// The issues.
    pub pick: Pick,
    /// The request that was presented, and what became of it.
    pub reply: Option<(WarpId, Reply)>,
}

/// The toy.
#[derive(Clone, Debug)]
pub struct Sm {
    /// The machine.
    pub machine: Mascar<HeapTables>,
    /// Its warps, by number; warp 0 is the oldest.
    pub warps: Vec<Warp>,
}

impl Sm {
    /// Warps that start with these programs.
    ///
    /// # Panics
    /// If the machine has not so many warps.
    #[must_use]
    pub fn new(config: &MascarConfig, programs: &[Vec<Op>]) -> Self {
        let mut machine = machine(config).expect("a configuration within its ranges");
        let mut warps = Vec::new();
        for (w, program) in (0..).zip(programs) {
            machine.warp_start(WarpId(w)).expect("it is not resident");
            warps.push(Warp { program: program.clone(), at: 0, unsent: 0, flying: 0, ended: false });
        }
        Self { machine, warps }
    }

    /// Sets the flag, or clears it.
    pub fn saturate(&mut self, up: bool) {
        self.machine.l1_state(0, if up { 64 } else { 0 }, 0).expect("within the cache");
    }

    /// All values that warp `w` waits for and whose requests were accepted are there.
    pub fn returned(&mut self, w: usize) {
        self.warps[w].flying = 0;
    }

    /// Whether all warps have ended.
    #[must_use]
    pub fn ended(&self) -> bool {
        self.warps.iter().all(|warp| warp.ended)
    }

    /// One cycle; `l1` answers the presented request of a warp: the look-up, and whether there is room.
    ///
    /// # Panics
    /// If the machine refuses an event.
    pub fn cycle(&mut self, now: u64, l1: impl FnOnce(WarpId) -> (Lookup, bool)) -> Done {
        self.pass_barrier();
        self.report_heads();
        let pick = self.machine.pick(Cycle(now), true, None).expect("a later cycle");
        for issue in &pick.issues {
            let warp = &mut self.warps[usize::from(issue.warp.0)];
            let op = warp.op().expect("what issues is there");
            warp.at += 1;
            match (issue.pipe, op) {
                (Pipe::Mem, Op::Load(requests)) => {
                    warp.unsent += requests;
                    self.machine.lsu_begin(issue.warp, requests, 1).expect("the LSU waits for it");
                }
                (Pipe::Comp, Op::Use | Op::Alu) => {}
                other => panic!("{other:?} issues"),
            }
        }
        Done { pick, reply: self.port(l1) }
    }

    fn port(&mut self, l1: impl FnOnce(WarpId) -> (Lookup, bool)) -> Option<(WarpId, Reply)> {
        let warp = match self.machine.lsu_next().expect("all are answered") {
            Next::Idle => return None,
            Next::New { warp, .. } => warp,
            Next::Blocked(entry) | Next::Rexq(entry) => entry.warp,
        };
        let (result, room) = l1(warp);
        let request = Request { mask: 1, ..Request::default() };
        let reply = self.machine.lsu_reply(result, room, Some(&request)).expect("it was presented");
        if reply.ack {
            let it = &mut self.warps[usize::from(warp.0)];
            it.unsent -= 1;
            it.flying += u32::from(result != Lookup::Hit);
        }
        Some((warp, reply))
    }

    /// Once all warps that have not ended are at a barrier, they go on.
    fn pass_barrier(&mut self) {
        if self.warps.iter().all(|warp| warp.ended || warp.op() == Some(Op::Barrier)) {
            self.warps.iter_mut().filter(|warp| !warp.ended).for_each(|warp| warp.at += 1);
        }
    }

    fn report_heads(&mut self) {
        for (w, warp) in (0..).map(WarpId).zip(&mut self.warps) {
            if warp.ended {
                continue;
            }
            let waits = warp.unsent > 0 || warp.flying > 0;
            let (kind, ready, dep_load) = match warp.op() {
                None if !waits => {
                    self.machine.warp_exit(w).expect("it waits for nothing");
                    warp.ended = true;
                    continue;
                }
                None => (Kind::None, false, false),
                Some(Op::Load(_)) => (Kind::Mem, true, false),
                Some(Op::Use) => (Kind::Alu, !waits, waits),
                Some(Op::Alu) => (Kind::Alu, true, false),
                Some(Op::Barrier) => (Kind::Sync, false, false),
            };
            self.machine.set_head(w, kind, ready, dep_load).expect("it is resident");
        }
    }

    /// What decides about the future, without times.
    #[must_use]
    pub fn key(&self) -> (View, Vec<Warp>) {
        let view = View::of(&self.machine);
        (View { picked: None, acquired: None, next_event: None, ..view }, self.warps.clone())
    }
}

/// Whether a machine is as one without warps and requests.
pub fn is_empty<T: Tables>(machine: &Mascar<T>) -> bool {
    machine.resident() == 0 && machine.state().rexq == 0 && machine.lsu().warp().is_none()
}
