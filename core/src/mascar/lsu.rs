//! What the LSU presents to the L1 (mascar-L1 to L4), and what the answer does (mascar-R1 to R6).

use super::answer::{Action, Lookup, Next, Reply};
use super::rexq::{Entry, Request};
use super::{Mascar, Tables, WarpId};
use crate::base::error::Fault;

/// The destination register of a store, the greatest of 7 bits.
pub const STORE: u8 = 127;

/// A memory instruction in the LSU.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Instruction {
    /// Its warp.
    pub warp: WarpId,
    /// Its destination register, 0..127; 127 for a store.
    pub dst: u8,
    /// Its coalesced requests.
    pub nreq: u8,
    /// Those that have not left the LSU, at least one.
    pub left: u8,
}

/// The LSU.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Lsu {
    /// It has no instruction.
    #[default]
    Idle,
    /// This warp issued to it, and [`Mascar::lsu_begin`] is due.
    Await(WarpId),
    /// It makes the requests of an instruction.
    Busy(Instruction),
    /// As `Busy`, but a request was refused while the queue was full.
    Blocked {
        /// The instruction; `left` counts the held request.
        instruction: Instruction,
        /// The refused request.
        held: Request,
        /// Since it blocked, the queue's head was presented last (L2).
        after_head: bool,
    },
}

/// What the LSU does: [`Lsu`] without what it holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "snake_case"))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum LsuState {
    /// It has no instruction.
    #[default]
    Idle,
    /// A warp issued to it, and [`Mascar::lsu_begin`] is due.
    Await,
    /// It makes the requests of an instruction.
    Busy,
    /// A request was refused while the queue was full.
    Blocked,
}

impl Lsu {
    /// What it does.
    #[must_use]
    pub const fn state(&self) -> LsuState {
        match self {
            Self::Idle => LsuState::Idle,
            Self::Await(_) => LsuState::Await,
            Self::Busy(_) => LsuState::Busy,
            Self::Blocked { .. } => LsuState::Blocked,
        }
    }

    /// The warp in it.
    #[must_use]
    #[inline]
    pub const fn warp(&self) -> Option<WarpId> {
        match self {
            Self::Idle => None,
            Self::Await(warp) => Some(*warp),
            Self::Busy(instruction) | Self::Blocked { instruction, .. } => Some(instruction.warp),
        }
    }

    /// Requests that have not left it.
    #[must_use]
    pub const fn left(&self) -> u8 {
        match self {
            Self::Idle | Self::Await(_) => 0,
            Self::Busy(instruction) | Self::Blocked { instruction, .. } => instruction.left,
        }
    }

    #[inline]
    pub(super) const fn is_idle(&self) -> bool {
        matches!(self, Self::Idle)
    }

    /// The warp that blocks it.
    #[inline]
    pub(super) const fn blocked(&self) -> Option<WarpId> {
        match self {
            Self::Blocked { instruction, .. } => Some(instruction.warp),
            _ => None,
        }
    }
}

/// Where the presented request comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Presented {
    /// The instruction in the LSU.
    New,
    /// The request that blocks the LSU.
    Blocked,
    /// The head of the re-execution queue.
    Rexq,
}

impl<T: Tables> Mascar<T> {
    /// mascar-L1: the memory instruction that warp `w` just issued has `nreq` coalesced requests, 0 if no thread is active, and
    /// destination `dst`, [`STORE`] for a store.
    ///
    /// # Errors
    /// `LsuNotAwaiting`, `WrongWarp`, `BadCount` for more requests than threads, `BadRegister`.
    pub fn lsu_begin(&mut self, w: WarpId, nreq: u32, dst: u32) -> Result<(), Fault> {
        let Lsu::Await(warp) = self.lsu else { return Err(Fault::LsuNotAwaiting) };
        if w != warp {
            return Err(Fault::WrongWarp);
        }
        if nreq > self.config.warp_size {
            return Err(Fault::BadCount);
        }
        if dst > STORE.into() {
            return Err(Fault::BadRegister);
        }
        // At most 64.
        let nreq = nreq as u8;
        let instruction = Instruction { warp, dst: dst as u8, nreq, left: nreq };
        self.lsu = if nreq == 0 { Lsu::Idle } else { Lsu::Busy(instruction) };
        Ok(())
    }

    /// The request to present to the L1 now, at most one per port and cycle. [`Mascar::lsu_reply`] is due then, unless it is none.
    ///
    /// # Errors
    /// `ReplyPending`.
    #[inline]
    pub fn lsu_next(&mut self) -> Result<Next, Fault> {
        if self.presented.is_some() {
            return Err(Fault::ReplyPending);
        }
        let waiting = !self.rexq.is_empty();
        let owned = self.lsu.blocked().is_some_and(|w| self.is_mp_owner(w));
        match &mut self.lsu {
            // mascar-L2.
            Lsu::Blocked { instruction, held, after_head } => {
                *after_head = waiting && !(self.config.retry_owner && owned && *after_head);
                if !*after_head {
                    self.presented = Some(Presented::Blocked);
                    let &mut Instruction { warp, dst, .. } = instruction;
                    return Ok(Next::Blocked(Entry { warp, dst, request: *held }));
                }
            }
            // mascar-L3.
            Lsu::Busy(instruction) => {
                let limit = self.config.starve_limit;
                if !(waiting && limit > 0 && u32::from(self.passed) >= limit) {
                    // Below the limit, if there is one.
                    self.passed += u16::from(waiting && limit > 0);
                    self.presented = Some(Presented::New);
                    let &mut Instruction { warp, nreq, left, .. } = instruction;
                    return Ok(Next::New { warp, index: nreq.saturating_sub(left) });
                }
            }
            // mascar-L4.
            Lsu::Idle | Lsu::Await(_) => {}
        }
        let Some(head) = self.rexq.head() else { return Ok(Next::Idle) };
        self.passed = 0;
        self.presented = Some(Presented::Rexq);
        Ok(Next::Rexq(*head))
    }

    /// The L1's answer to the presented request. `room`: it could allocate what the request needs. `request` describes one that
    /// came from [`Next::New`], and is kept if that is refused; else it is ignored.
    ///
    /// # Errors
    /// `NoReplyPending`; `BadReply` for no look-up; `BadRequest` for a new request without description or threads, or with threads or offsets beyond
    /// `warp_size`.
    #[inline]
    pub fn lsu_reply(
        &mut self,
        result: impl Into<Option<Lookup>>,
        room: bool,
        request: Option<&Request>,
    ) -> Result<Reply, Fault> {
        let presented = self.presented.ok_or(Fault::NoReplyPending)?;
        let result = result.into().ok_or(Fault::BadReply)?;
        let possible = |request: &&Request| request.is_possible(self.config.warp_size, &self.no_offset);
        let new = match presented {
            Presented::New => Some(request.filter(possible).ok_or(Fault::BadRequest)?),
            Presented::Blocked | Presented::Rexq => None,
        };
        let warp = match presented {
            Presented::New | Presented::Blocked => self.lsu.warp(),
            Presented::Rexq => self.rexq.head().map(|entry| entry.warp),
        };
        self.presented = None;
        // There is always one.
        let warp = warp.unwrap_or_default();
        // mascar-R1.
        let allowed = !self.is_mp() || self.is_mp_owner(warp);
        let merges = result == Lookup::Merge && self.config.nonowner_merge;
        let ack = result == Lookup::Hit || (room && (allowed || merges));
        let (action, unblocked) = match (presented, ack) {
            // mascar-R2, mascar-R3.
            (Presented::New | Presented::Blocked, true) => {
                self.go_on();
                (Action::Accepted, false)
            }
            (Presented::New | Presented::Blocked, false) => {
                (new.map_or(Action::Blocked, |new| self.refuse(new)), false)
            }
            (Presented::Rexq, true) => (Action::Popped, self.pop(warp)),
            // mascar-R6, in both modes (mascar-A6).
            (Presented::Rexq, false) => {
                self.rexq.recycle();
                (Action::Recycled, false)
            }
        };
        Ok(Reply { ack, to_l2: ack && result == Lookup::Miss, action, unblocked })
    }

    /// mascar-R2: a new request was refused. The LSU is blocked when the queue was full before it (mascar-A4), however many requests of its
    /// instruction went there (mascar-A11, mascar-H8).
    fn refuse(&mut self, request: &Request) -> Action {
        let Lsu::Busy(instruction) = self.lsu else { return Action::Blocked };
        if self.rexq.is_full() {
            self.lsu = Lsu::Blocked { instruction, held: *request, after_head: false };
            return Action::Blocked;
        }
        self.enqueue(instruction, request);
        Action::Queued
    }

    /// mascar-R4, mascar-R5: the queue's head was accepted; whether its place went to the request that blocked the LSU.
    fn pop(&mut self, warp: WarpId) -> bool {
        self.rexq.pop();
        self.warps.popped(warp);
        let Lsu::Blocked { instruction, held, .. } = self.lsu else { return false };
        self.enqueue(instruction, &held);
        true
    }

    /// A request of the instruction in the LSU goes to the queue.
    fn enqueue(&mut self, instruction: Instruction, request: &Request) {
        let Instruction { warp, dst, .. } = instruction;
        self.rexq.push(Entry { warp, dst, request: *request });
        self.warps.queued(warp);
        self.go_on();
    }

    /// A request has left the LSU.
    fn go_on(&mut self) {
        match &mut self.lsu {
            Lsu::Idle | Lsu::Await(_) => {}
            Lsu::Busy(instruction) if instruction.left > 1 => instruction.left -= 1,
            Lsu::Blocked { instruction, .. } if instruction.left > 1 => {
                let left = instruction.left - 1;
                self.lsu = Lsu::Busy(Instruction { left, ..*instruction });
            }
            Lsu::Busy(_) | Lsu::Blocked { .. } => self.lsu = Lsu::Idle,
        }
    }

    fn is_mp_owner(&self, w: WarpId) -> bool {
        self.is_mp() && self.owner() == Some(w)
    }
}
