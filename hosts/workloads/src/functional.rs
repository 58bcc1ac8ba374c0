//! Runs a workload without a machine: every launch starts at once and warps take turns, one instruction each. A TB that
//! synchronises goes on when it is the only one. Warps may also run ahead to their barriers, to find what a barrier is missing
//! for. For tests of what a program computes and issues; it holds the program to the
//! interface's promises on the way.

use crate::SetupError;
use crate::device::LOCAL;
use crate::list::Algorithm;
use gpusched::Descriptor;
use gpusched_refgpu::coalesce::{Transactions, atomic_conflicts, bank_conflicts};
use gpusched_refgpu::lanes::lanes;
use gpusched_refgpu::program::{Class, Effects, Inst, Regs, TbContext, Workload};
use std::collections::HashMap;

/// What was issued.
#[derive(Default)]
pub struct Tally {
    /// Instructions.
    pub issued: u64,
    /// By class, and lanes active in them.
    pub by_class: HashMap<Class, [u64; 2]>,
    /// By class of memory instruction: lines of 128 bytes that they touched, or cycles for which they took a bank of shared memory.
    pub transactions: HashMap<Class, u64>,
    /// Kernels that the host launched.
    pub kernels: Vec<Descriptor>,
    /// How often a lane loaded from an address of global memory.
    pub loads: HashMap<u64, u32>,
    /// Loads that waited for one before them without need.
    pub load_waits: u64,
    /// Device launches.
    pub launches: Vec<Descriptor>,
}

impl Tally {
    pub fn of(&self, class: Class) -> u64 {
        self.by_class.get(&class).map_or(0, |&[issued, _]| issued)
    }

    /// Lines touched per instruction of a class, or cycles of a bank of shared memory.
    pub fn transactions_each(&self, class: Class) -> f64 {
        self.transactions[&class] as f64 / self.of(class) as f64
    }

    fn count(&mut self, inst: Inst, effects: &Effects) {
        self.issued += 1;
        *self.transactions.entry(inst.class).or_default() += match inst.class {
            Class::LoadGlobal | Class::StoreGlobal | Class::AtomicGlobal => {
                let mut lines = Transactions::default();
                assert!(lines.combine(inst.mask, &effects.addr, effects.bytes));
                lines.as_slice().len() as u64
            }
            Class::LoadShared | Class::StoreShared => bank_conflicts(inst.mask, &effects.addr, effects.bytes).into(),
            Class::AtomicShared => atomic_conflicts(inst.mask, &effects.addr).into(),
            _ => 0,
        };
        let [issued, active] = self.by_class.entry(inst.class).or_default();
        *issued += 1;
        *active += u64::from(inst.mask.count_ones());
        if matches!(inst.class, Class::LoadGlobal | Class::LoadTexture) {
            for lane in lanes(inst.mask) {
                *self.loads.entry(effects.addr[lane]).or_default() += 1;
            }
        }
    }

    /// Active lanes per instruction, of those in a class.
    pub fn mean_lanes(&self, class: Class) -> f64 {
        let [issued, lanes] = self.by_class[&class];
        lanes as f64 / issued as f64
    }
}

/// Whose turn it is within a TB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turns {
    /// Each warp has an instruction.
    Together,
    /// Each runs to its next barrier, the first one first.
    FirstAhead,
    /// The same, the last one first.
    LastAhead,
}

/// A TB that is resident, with the warps that have not exited.
struct Tb<P> {
    kernel: Descriptor,
    warps: Vec<Warp<P>>,
}

/// A warp, and what the loads bring that it issued last, one after the other.
struct Warp<P> {
    at: P,
    loads: Regs,
}

/// Runs `workload` to its end with at most `room` TBs resident.
pub fn run<W: Workload>(workload: &mut W, room: usize) -> Tally {
    run_in_turns(workload, room, Turns::Together)
}

/// Runs an algorithm to its end, with warps that take turns in this way, and looks that all is done and nothing left on the device.
pub fn finished<A: Algorithm + Workload>(algorithm: Result<A, SetupError>, room: usize, turns: Turns) -> (A, Tally) {
    let mut algorithm = algorithm.unwrap();
    let tally = run_in_turns(&mut algorithm, room, turns);
    assert!(algorithm.device().is_empty());
    let (done, all) = Algorithm::progress(&algorithm);
    assert_eq!(done, all);
    (algorithm, tally)
}

/// The same, with warps that take turns in this way.
pub fn run_in_turns<W: Workload>(workload: &mut W, room: usize, turns: Turns) -> Tally {
    let mut tally = Tally::default();
    let mut effects = Effects { addr: [0; 32], bytes: 0, rank: 0, launches: Vec::new() };
    while let Some(kernel) = workload.next_kernel() {
        tally.kernels.push(kernel);
        let mut waiting = vec![(kernel, 0)];
        let mut resident: Vec<Tb<W::Warp>> = Vec::new();
        while !(waiting.is_empty() && resident.is_empty()) {
            while resident.iter().filter(|tb| !tb.is_at(workload, Class::Sync)).count() < room
                && let Some((kernel, blkid)) = waiting.pop()
            {
                if blkid + 1 < kernel.grid.x {
                    waiting.push((kernel, blkid + 1));
                }
                resident.push(dispatch(workload, kernel, blkid));
            }
            let may_sync = waiting.is_empty() && resident.len() == 1;
            for tb in &mut resident {
                if !may_sync && tb.is_at(workload, Class::Sync) {
                    continue;
                }
                let launched = turn(workload, tb, turns, &mut effects, &mut tally);
                waiting.extend(launched.into_iter().map(|kernel| (kernel, 0)));
            }
            resident.retain(|tb| !tb.warps.is_empty());
        }
    }
    tally
}

impl<P> Tb<P> {
    /// Whether all its warps wait at an instruction of this class.
    fn is_at<W: Workload<Warp = P>>(&self, workload: &W, class: Class) -> bool {
        self.warps.iter().all(|warp| workload.fetch(&warp.at).class == class)
    }
}

fn dispatch<W: Workload>(workload: &mut W, kernel: Descriptor, blkid: u32) -> Tb<W::Warp> {
    let context = TbContext { tag: kernel.tag, blkid, threads: kernel.tb.x };
    let warp = |number| {
        let mut warp = W::Warp::default();
        workload.begin(&context, number, &mut warp);
        Warp { at: warp, loads: 0 }
    };
    Tb { kernel, warps: (0..kernel.tb.x.div_ceil(32)).map(warp).collect() }
}

/// One instruction, or as many as come before a barrier, of every warp that is not at a barrier; or the barrier if all are there.
fn turn<W: Workload>(
    workload: &mut W,
    tb: &mut Tb<W::Warp>,
    turns: Turns,
    effects: &mut Effects,
    tally: &mut Tally,
) -> Vec<Descriptor> {
    let mut launched = Vec::new();
    let at_barrier = |inst: Inst| inst.class == Class::Barrier;
    let all_wait = tb.is_at(workload, Class::Barrier);
    if turns == Turns::LastAhead {
        tb.warps.reverse();
    }
    tb.warps.retain_mut(|warp| {
        let mut first = true;
        loop {
            let inst = workload.fetch(&warp.at);
            let waits = at_barrier(inst) && !(first && all_wait) || inst.class == Class::Sync && !first;
            if waits {
                return true;
            }
            first = false;
            effects.launches.clear();
            workload.execute(&mut warp.at, effects);
            assert!(inst.mask != 0 || matches!(inst.class, Class::Barrier | Class::Sync | Class::Exit));
            check_addresses(inst, effects, &tb.kernel);
            tally.load_waits += u64::from(waits_for_a_load(inst, &mut warp.loads));
            tally.count(inst, effects);
            if inst.class == Class::Launch {
                let callers: Vec<usize> = effects.launches.iter().map(|l| l.lane as usize).collect();
                assert_eq!(callers, lanes(inst.mask).collect::<Vec<_>>());
                launched.extend(effects.launches.iter().map(|launch| launch.descriptor));
            }
            if inst.class == Class::Exit {
                return false;
            }
            if turns == Turns::Together || inst.class == Class::Launch {
                return true;
            }
        }
    });
    if turns == Turns::LastAhead {
        tb.warps.reverse();
    }
    tally.launches.extend(&launched);
    launched
}

/// Whether a load waits for one before it whose value it does not read, which workloads-W3 rules out where a list has them side by side.
fn waits_for_a_load(inst: Inst, loads: &mut Regs) -> bool {
    let is_load = matches!(inst.class, Class::LoadGlobal | Class::LoadTexture | Class::LoadShared);
    if !is_load || inst.src & *loads != 0 {
        *loads = 0;
    }
    let waits = is_load && inst.dst & *loads != 0;
    if is_load {
        *loads |= inst.dst;
    }
    waits
}

fn check_addresses(inst: Inst, effects: &Effects, kernel: &Descriptor) {
    let shared = match inst.class {
        Class::LoadShared | Class::StoreShared | Class::AtomicShared => true,
        Class::LoadGlobal | Class::LoadTexture | Class::StoreGlobal | Class::AtomicGlobal => false,
        _ => return,
    };
    let room = if shared { 0..u64::from(kernel.smem) } else { 1 << 32..1 << 40 };
    let bytes = u64::from(effects.bytes);
    for lane in lanes(inst.mask) {
        let address = effects.addr[lane];
        let is_local = shared && address >= LOCAL;
        assert!(is_local || room.contains(&address) && room.contains(&(address + bytes - 1)));
        assert_eq!(address % bytes, 0, "aligned");
    }
}
