//! Mode `pt` (workloads-BF6): TBs that stay to the end of the search, as many as the machine holds, and take vertices from one queue.
//!
//! ```text
//! pt  ({ (A8 head {I4})* A depth s } B l { {I4 Lq I1 Lrow[v] Lrow[v+1]} MERRILL B { A busy {A tail S busy S depth A8 head} } })*
//! ```
//!
//! A vertex is queued once, when it gets its level, so the queue is in the order of levels. What can be taken ends where the open level
//! does. The TB that does the last of the level's vertices opens the next one, of all that were queued meanwhile, or ends the search.
//! No TB waits for one that has not begun, so it does not matter how many of them run at a time.

use super::list::{END, FIRST, ROW_ADDRESS, TOGETHER, Thread, VERTEX};
use super::{Bfs, MERRILL, TB_THREADS};
use crate::device::host_kernel;
use crate::list::Item::{A, A8, B, I, If, L, Let, LoadShared16, S, StoreShared16, Sub, While};
use crate::list::List;
use crate::vertex::VertexLoop;
use crate::warp::CHAIN;
use crate::{Array, Layout, SetupError};
use gpusched::Descriptor;
use gpusched_refgpu::lanes::WARP;

registers!(14: TAKEN DEPTH CHUNK BUSY TAIL);

/// Vertices that a TB takes at a time.
const CHUNK_VERTICES: u32 = 64;
const WARPS: u32 = TB_THREADS / WARP;
/// Where thread 0 tells the others in shared memory what it has taken, behind the words of elections.
const TOLD: u32 = 8;
/// Words of what the TBs share beside the queue and its tail: head and end of the open level, busy, depth.
const CONTROL_WORDS: u64 = 4;

pub(super) const LIST: List<Bfs> = &[While(
    2,
    Bfs::stays,
    CHUNK,
    &[
        Let(Bfs::let_go),
        If(
            2,
            Bfs::is_leader,
            0,
            &[
                While(
                    2,
                    Bfs::waits,
                    TAKEN,
                    &[A8(Bfs::take, 0, TAKEN), If(2, Bfs::waits, TAKEN, &[I(4, TAKEN, CHAIN)])],
                ),
                A(Bfs::read_depth, TAKEN, DEPTH),
                StoreShared16(Bfs::tell, TAKEN | DEPTH),
            ],
        ),
        B,
        LoadShared16(Bfs::hear, 0, CHUNK),
        If(
            2,
            Bfs::stays,
            CHUNK,
            &[
                If(
                    4,
                    Bfs::has_taken,
                    CHUNK,
                    &[
                        L(Bfs::take_vertex, CHAIN | CHUNK, VERTEX),
                        I(1, VERTEX, ROW_ADDRESS),
                        L(Bfs::row_first, ROW_ADDRESS, FIRST),
                        L(Bfs::row_end, ROW_ADDRESS, END),
                        Let(Bfs::keep_own),
                    ],
                ),
                Sub(TOGETHER),
                B,
                If(
                    2,
                    Bfs::is_leader,
                    0,
                    &[
                        A(Bfs::done, CHUNK, BUSY),
                        If(
                            2,
                            Bfs::is_last,
                            BUSY,
                            &[
                                A(Bfs::read_tail, BUSY, TAIL),
                                S(Bfs::set_busy, TAIL),
                                S(Bfs::set_depth, TAIL),
                                A8(Bfs::open, TAIL, 0),
                            ],
                        ),
                    ],
                ),
            ],
        ),
    ],
)];

/// What a TB has taken, as each of its threads knows it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Chunk {
    /// Its first vertex in the queue, and how many they are.
    first: u32,
    count: u32,
    /// Whether there is nothing more to be taken, ever.
    over: bool,
    /// Of thread 0: whether this was the last of the level.
    last: bool,
}

/// What TBs share beside the queue.
#[derive(Clone, Debug, Default)]
pub struct Control {
    memory: Array,
    /// TBs of the kernel.
    tbs: u32,
    /// What is taken next. Whoever finds nothing has moved it, too.
    head: u64,
    /// Where the open level ends in the queue. `None`: the search is over. One atomic reads it and moves the head.
    end: Option<u32>,
    /// Vertices of the open level that are not done.
    busy: u32,
}

impl Control {
    /// Before the search: the level of the source is open.
    pub(super) fn new(layout: &mut Layout) -> Result<Self, SetupError> {
        Ok(Self { memory: layout.words(CONTROL_WORDS)?, tbs: 1, head: 0, end: Some(1), busy: 1 })
    }

    /// On a machine that holds so many TBs; of one that holds none, a TB is asked for all the same, and refused there.
    pub(super) fn stay(&mut self, tbs: u32) {
        self.tbs = tbs.max(1);
    }

    /// The kernel.
    pub(super) fn kernel(&self) -> Descriptor {
        host_kernel(0, self.tbs, TB_THREADS, MERRILL)
    }
}

/// The number of a thread's vertex in the chunk, if it is one that gets one: eight of each warp do, so that every warp helps.
const fn number_in_chunk(in_tb: u32) -> Option<u32> {
    let (warp, lane) = (in_tb / WARP, in_tb % WARP);
    if lane < CHUNK_VERTICES / WARPS { Some(lane * WARPS + warp) } else { None }
}

// What the list does, for one thread.
impl Bfs {
    fn stays(&self, t: &Thread) -> bool {
        !t.chunk.over
    }

    fn is_leader(&self, t: &Thread) -> bool {
        t.walk.place.in_tb == 0
    }

    /// There is no chunk yet, and no vertex of one for any thread.
    fn let_go(&mut self, t: &mut Thread) {
        t.chunk = Chunk::default();
        t.own = (0, 0);
    }

    fn waits(&self, t: &Thread) -> bool {
        t.chunk.count == 0 && !t.chunk.over
    }

    fn take(&mut self, t: &mut Thread) -> u64 {
        let Control { memory, head, end, .. } = &mut self.control;
        let left = end.map_or(0, |end| u64::from(end).saturating_sub(*head));
        // What is there to be taken is below the queue's length.
        let (first, count) = (*head as u32, left.min(CHUNK_VERTICES.into()) as u32);
        t.chunk = Chunk { first, count, over: end.is_none(), last: false };
        *head += u64::from(CHUNK_VERTICES);
        memory.at(0)
    }

    fn read_depth(&mut self, _: &mut Thread) -> u64 {
        self.control.memory.at(3)
    }

    fn tell(&mut self, t: &mut Thread) -> u64 {
        let Chunk { first, count, over, .. } = t.chunk;
        for (word, value) in (TOLD..).zip([first, count, self.depth, over.into()]) {
            *self.device.shared(t.walk.place.room, word) = value;
        }
        u64::from(4 * TOLD)
    }

    /// The level needs no register of its own: while the TB has a part of it, it is the only open one.
    fn hear(&mut self, t: &mut Thread) -> u64 {
        let [first, count, _, over] = [0, 1, 2, 3].map(|word| *self.device.shared(t.walk.place.room, TOLD + word));
        t.chunk = Chunk { first, count, over: over == 1, last: false };
        u64::from(4 * TOLD)
    }

    fn has_taken(&self, t: &Thread) -> bool {
        number_in_chunk(t.walk.place.in_tb).is_some_and(|number| number < t.chunk.count)
    }

    fn take_vertex(&mut self, t: &mut Thread) -> u64 {
        let index = t.chunk.first + number_in_chunk(t.walk.place.in_tb).unwrap_or_default();
        t.walk.v = self.next_queue[index as usize];
        self.queue_arrays().1.at(index)
    }

    fn done(&mut self, t: &mut Thread) -> u64 {
        self.control.busy -= t.chunk.count;
        t.chunk.last = self.control.busy == 0;
        self.control.memory.at(2)
    }

    fn is_last(&self, t: &Thread) -> bool {
        t.chunk.last
    }

    fn read_tail(&mut self, _: &mut Thread) -> u64 {
        self.memory.tail.at(0)
    }

    /// Vertices that were queued while the level was open.
    fn found(&self) -> u32 {
        self.next_queue.len() as u32 - self.control.end.unwrap_or_default()
    }

    fn set_busy(&mut self, _: &mut Thread) -> u64 {
        self.control.busy = self.found();
        self.control.memory.at(2)
    }

    fn set_depth(&mut self, _: &mut Thread) -> u64 {
        self.depth += 1;
        self.control.memory.at(3)
    }

    fn open(&mut self, _: &mut Thread) -> u64 {
        let (found, control) = (self.found(), &mut self.control);
        control.head = control.end.unwrap_or_default().into();
        control.end = control.end.filter(|_| found > 0).map(|end| end + found);
        control.memory.at(0)
    }
}
