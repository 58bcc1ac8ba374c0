//! What each instruction of the search does: addresses for the machine, effects on the data, and the step that follows.
//! The lists are at the top of `warp.rs`.

use super::warp::*;
use super::{Bfs, CHILD_PC, Child, Election, TB_THREADS, child_tag};
use crate::graph::UNREACHED;
use crate::program::Class::{AtomicGlobal, LoadGlobal, LoadShared, StoreGlobal, StoreShared};
use crate::program::{Effects, LaneLaunch};
use crate::workload::lanes::{WARP, lanes, where_lane};
use crate::workload::warp::CHAIN;
use gpusched::{Descriptor, Dim3};

/// The words of a parameter block that are used: first edge, count, next level, tail address.
const PARAMETER_BYTES: u32 = 16;
/// Bytes of an election: round, thread, first edge, end.
const ELECTION_BYTES: u32 = 16;
const CHILD_REGISTERS: u32 = 16;

/// Tells the machine the address of each lane in `mask`.
fn touch(effects: &mut Effects, mask: u32, bytes: u32, address: impl Fn(usize) -> u64) {
    effects.bytes = bytes;
    for lane in lanes(mask) {
        effects.addr[lane] = address(lane);
    }
}

impl Bfs {
    /// Carries out the head instruction of `w` and moves to the next.
    pub(super) fn step(&mut self, w: &mut BfsWarp, effects: &mut Effects) {
        // Integer instructions only pass time; at the end of a run the program goes on.
        if w.head.advance() {
            return;
        }
        match w.step {
            Step::Index => match w.valid {
                0 if self.is_merrill() => w.start_round(),
                0 => w.exit(),
                valid => w.single(Step::LoadQueue, LoadGlobal, valid, CHAIN, VERTEX),
            },
            Step::LoadQueue => self.load_queue(w, effects),
            Step::RowAddress => w.single(Step::LoadFirst, LoadGlobal, w.valid, ROW_ADDRESS, FIRST),
            Step::LoadFirst => self.load_first(w, effects),
            Step::LoadEnd => self.load_end(w, effects),

            Step::LaunchTest if w.launching == 0 => w.visit_own(),
            Step::LaunchTest => w.single(Step::StoreParameters, StoreGlobal, w.launching, FIRST | END, 0),
            Step::StoreParameters => self.store_parameters(w, effects),
            Step::CallCode => w.next_call(self.options.launch_insts),
            Step::Launch => self.launch(w, effects),

            Step::ChildIndex => {
                w.single(Step::LoadParameters, LoadGlobal, w.threads, 0, PARAMETERS);
            }
            Step::LoadParameters => self.load_parameters(w, effects),
            // Of a TB that the child does not fill.
            Step::ChildEdge if w.active == 0 => w.exit(),
            Step::ChildEdge => w.single(Step::LoadCol, LoadGlobal, w.active, EDGE, NEIGHBOUR),

            Step::RoundTest if w.candidates == 0 => w.barrier(),
            Step::RoundTest => w.single(Step::StoreElection, StoreShared, w.candidates, FIRST | END, 0),
            Step::StoreElection => self.store_election(w, effects),
            Step::Barrier => w.single(Step::LoadElection, LoadShared, w.threads, 0, ELECTED),
            Step::LoadElection => self.load_election(w, effects),
            Step::RoundEnd if w.elected => w.start_round(),
            Step::RoundEnd | Step::WarpEnd => w.start_warp_round(),
            Step::WarpElect => w.visit_lowest(),

            Step::EdgeAddress => w.single(Step::LoadCol, LoadGlobal, w.active, EDGE, NEIGHBOUR),
            Step::LoadCol => self.load_col(w, effects),
            Step::LevelAddress => {
                w.single(Step::LoadLevel, LoadGlobal, w.active, LEVEL_ADDRESS, LEVEL);
            }
            Step::LoadLevel => self.load_level(w, effects),
            Step::FreshTest if w.fresh == 0 => w.end_turn(),
            Step::FreshTest => w.single(Step::Claim, AtomicGlobal, w.fresh, NEIGHBOUR | LEVEL_ADDRESS, OLD_LEVEL),
            Step::Claim => self.claim(w, effects),
            Step::WonTest if w.won == 0 => w.end_turn(),
            Step::WonTest => w.single(Step::AddTail, AtomicGlobal, w.won, 0, PLACE),
            Step::AddTail => self.add_tail(w, effects),
            Step::StoreQueue => self.store_queue(w, effects),
            Step::TurnEnd => w.turn(CHAIN),
            Step::Exit => {
                if let Some(slot) = w.slot {
                    self.slots.user_leaves(slot);
                }
            }
        }
    }

    fn load_queue(&self, w: &mut BfsWarp, effects: &mut Effects) {
        let (queue, _) = self.queue_arrays();
        touch(effects, w.valid, 4, |lane| queue.at(w.thread(lane)));
        for lane in lanes(w.valid) {
            w.vertex[lane] = self.queue[w.thread(lane) as usize];
        }
        w.integers(Step::RowAddress, 1, w.valid, VERTEX, ROW_ADDRESS);
    }

    fn load_first(&self, w: &mut BfsWarp, effects: &mut Effects) {
        touch(effects, w.valid, 4, |lane| self.memory.row.at(w.vertex[lane]));
        for lane in lanes(w.valid) {
            w.first[lane] = self.graph.row()[w.vertex[lane] as usize];
        }
        w.single(Step::LoadEnd, LoadGlobal, w.valid, ROW_ADDRESS, END);
    }

    fn load_end(&self, w: &mut BfsWarp, effects: &mut Effects) {
        touch(effects, w.valid, 4, |lane| self.memory.row.at(w.vertex[lane] + 1));
        for lane in lanes(w.valid) {
            w.end[lane] = self.graph.row()[w.vertex[lane] as usize + 1];
        }
        if self.dynamic {
            w.launching = where_lane(w.valid, |lane| self.options.child(w.degree_left(lane)).is_some());
            w.branch(Step::LaunchTest, 2, w.valid, w.launching, FIRST | END);
        } else if self.is_merrill() {
            w.start_round();
        } else {
            w.visit_own();
        }
    }

    /// Each launching lane takes a slot and fills it; the child's edges leave the lane's own.
    fn store_parameters(&mut self, w: &mut BfsWarp, effects: &mut Effects) {
        for lane in lanes(w.launching) {
            if let Some((count, tb)) = self.options.child(w.degree_left(lane)) {
                let first = w.first[lane];
                let warps = count.div_ceil(tb) * tb.div_ceil(WARP);
                w.slots[lane] = self.slots.take(Child { first, count, tb }, warps);
                w.first[lane] += count;
            }
        }
        touch(effects, w.launching, PARAMETER_BYTES, |lane| self.memory.slots.at(w.slots[lane]));
        w.callers = w.launching;
        w.next_call(self.options.launch_insts);
    }

    fn launch(&self, w: &mut BfsWarp, effects: &mut Effects) {
        effects.launches.clear();
        for lane in lanes(w.launching) {
            let slot = w.slots[lane];
            let Child { count, tb, .. } = *self.slots.get(slot);
            effects.launches.push(LaneLaunch {
                lane: lane as u32,
                descriptor: Descriptor {
                    pc: CHILD_PC,
                    grid: Dim3::linear(count.div_ceil(tb)),
                    tb: Dim3::linear(tb),
                    regs: CHILD_REGISTERS * tb,
                    smem: 0,
                    param: slot,
                    tag: child_tag(slot),
                },
            });
        }
        w.visit_own();
    }

    fn load_parameters(&self, w: &mut BfsWarp, effects: &mut Effects) {
        let Some(slot) = w.slot else { return };
        touch(effects, w.threads, PARAMETER_BYTES, |_| self.memory.slots.at(slot));
        let first = self.slots.get(slot).first;
        for lane in lanes(w.valid) {
            w.edge[lane] = first + w.thread(lane);
        }
        w.active = w.valid;
        w.integers(Step::ChildEdge, 1, w.threads, THREAD | PARAMETERS, EDGE);
        w.head.diverging(w.valid);
    }

    /// Every candidate writes; the last one stays.
    fn store_election(&mut self, w: &mut BfsWarp, effects: &mut Effects) {
        let place = w.round % 2;
        touch(effects, w.candidates, ELECTION_BYTES, |_| u64::from(place * ELECTION_BYTES));
        for lane in lanes(w.candidates) {
            self.elections[w.tb as usize][place as usize] = Election {
                round: w.round,
                thread: w.first_thread + lane as u32,
                first: w.first[lane],
                end: w.end[lane],
            };
        }
        w.barrier();
    }

    fn load_election(&self, w: &mut BfsWarp, effects: &mut Effects) {
        let place = w.round % 2;
        touch(effects, w.threads, ELECTION_BYTES, |_| u64::from(place * ELECTION_BYTES));
        let election = self.elections[w.tb as usize][place as usize];
        w.elected = election.round == w.round;
        if !w.elected {
            w.branch(Step::RoundEnd, 2, w.threads, 0, ELECTED);
            return;
        }
        let winner = election.thread.wrapping_sub(w.first_thread);
        if winner < WARP {
            w.first[winner as usize] = election.end;
        }
        let edges = (election.first, election.end);
        w.visit_together(edges, w.first_thread, TB_THREADS, After::Round);
    }

    fn load_col(&self, w: &mut BfsWarp, effects: &mut Effects) {
        touch(effects, w.active, 4, |lane| self.memory.col.at(w.edge[lane]));
        for lane in lanes(w.active) {
            w.neighbour[lane] = self.graph.col()[w.edge[lane] as usize];
        }
        if w.slot.is_some() {
            w.single(Step::LoadLevel, LoadGlobal, w.active, NEIGHBOUR, LEVEL);
        } else {
            w.integers(Step::LevelAddress, 1, w.active, NEIGHBOUR, LEVEL_ADDRESS);
        }
    }

    fn load_level(&self, w: &mut BfsWarp, effects: &mut Effects) {
        touch(effects, w.active, 4, |lane| self.memory.level.at(w.neighbour[lane]));
        w.fresh = where_lane(w.active, |lane| self.level[w.neighbour[lane] as usize] == UNREACHED);
        w.branch(Step::FreshTest, 2, w.active, w.fresh, LEVEL);
    }

    /// Compare and swap: of all lanes that saw the vertex fresh, one wins.
    fn claim(&mut self, w: &mut BfsWarp, effects: &mut Effects) {
        touch(effects, w.fresh, 4, |lane| self.memory.level.at(w.neighbour[lane]));
        w.won = where_lane(w.fresh, |lane| {
            let level = &mut self.level[w.neighbour[lane] as usize];
            let fresh = *level == UNREACHED;
            if fresh {
                *level = self.depth;
            }
            fresh
        });
        self.settled += u64::from(w.won.count_ones());
        // The list's I1, then test and branch.
        w.branch(Step::WonTest, 3, w.fresh, w.won, OLD_LEVEL);
    }

    fn add_tail(&mut self, w: &mut BfsWarp, effects: &mut Effects) {
        touch(effects, w.won, 4, |_| self.memory.tail.at(0));
        for lane in lanes(w.won) {
            w.place[lane] = self.next_queue.len() as u32;
            self.next_queue.push(UNREACHED);
        }
        w.single(Step::StoreQueue, StoreGlobal, w.won, PLACE | NEIGHBOUR, 0);
    }

    fn store_queue(&mut self, w: &mut BfsWarp, effects: &mut Effects) {
        let (_, queue) = self.queue_arrays();
        touch(effects, w.won, 4, |lane| queue.at(w.place[lane]));
        for lane in lanes(w.won) {
            self.next_queue[w.place[lane] as usize] = w.neighbour[lane];
        }
        w.end_turn();
    }
}
