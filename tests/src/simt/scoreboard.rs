//! The scoreboard: events, visible state, and a plain model.

use std::collections::BTreeMap;

use gpusched::Fault;
use gpusched::simt::scoreboard::{
    Instruction, Issue, Issued, RegId, Scoreboard, ScoreboardConfig, Stall, Tables, WarpId, WarpRegs,
};

pub use gpusched_heap::simt::scoreboard::{HeapTables, machine, tables};

/// An event, as the sheet's Interface lists them.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub enum Event {
    Issue { w: u32, src: Vec<u32>, dst: Option<u32>, mem: bool },
    Writeback { w: u32, reg: u32 },
    Flush { w: u32 },
}

/// What an accepted event answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// What becomes of an instruction.
    Issue(Issue),
    /// What is pending after a writeback.
    Written(Issued),
    /// How many registers were pending.
    Dropped(u32),
}

/// Everything that the sheet calls visible: registers of each warp that are pending, and whether each waits for memory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub struct View {
    pub pending: Vec<BTreeMap<u32, bool>>,
    pub mem_in_flight: u32,
}

/// A scoreboard: the core's, the C face of one, or the model.
pub trait Machine {
    /// All of its state that a refused call must leave as it was.
    type Mark: PartialEq;

    /// Carries out an event.
    ///
    /// # Errors
    /// The sheet's named errors.
    fn take(&mut self, event: &Event) -> Result<Answer, Fault>;
    /// All that can be seen.
    fn view(&self) -> View;
    /// The state.
    fn mark(&self) -> Self::Mark;
}

/// A warp's number as the core takes it.
fn warp_id(w: u32) -> WarpId {
    WarpId(u8::try_from(w).unwrap_or(u8::MAX))
}

fn reg_id(reg: u32) -> RegId {
    RegId(u16::try_from(reg).unwrap_or(u16::MAX))
}

/// What is pending of a warp.
#[must_use]
pub fn pending(regs: &WarpRegs) -> BTreeMap<u32, bool> {
    regs.pending.iter().map(|reg: RegId| (reg.into(), regs.memory.contains(reg))).collect()
}

impl<T: Tables> Machine for Scoreboard<T>
where
    Self: Clone + PartialEq,
{
    type Mark = Self;

    fn take(&mut self, event: &Event) -> Result<Answer, Fault> {
        match event {
            Event::Issue { w, src, dst, mem } => {
                let sources: Vec<_> = src.iter().map(|&reg| reg_id(reg)).collect();
                let instruction = Instruction { sources: &sources, destination: dst.map(reg_id), memory: *mem };
                let would = self.would_stall(warp_id(*w), &instruction);
                let issue = self.issue(warp_id(*w), &instruction);
                assert_eq!(
                    would,
                    issue.map(|issue| match issue {
                        Issue::Stall(stall) => Some(stall),
                        Issue::Issued(_) => None,
                    })
                );
                issue.map(Answer::Issue)
            }
            Event::Writeback { w, reg } => self.writeback(warp_id(*w), reg_id(*reg)).map(Answer::Written),
            Event::Flush { w } => self.flush(warp_id(*w)).map(Answer::Dropped),
        }
    }

    fn view(&self) -> View {
        let warps = (0..self.config().warps).map(|w| self.warp(warp_id(w)).map(pending).unwrap_or_default());
        View { pending: warps.collect(), mem_in_flight: self.mem_in_flight() }
    }

    fn mark(&self) -> Self {
        self.clone()
    }
}

/// A plain model of models-B1 and models-B2.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Model {
    config: ScoreboardConfig,
    pending: Vec<BTreeMap<u32, bool>>,
}

impl Model {
    /// A scoreboard of which nothing is pending.
    #[must_use]
    pub fn new(config: &ScoreboardConfig) -> Self {
        Self { config: *config, pending: vec![BTreeMap::new(); config.warps as usize] }
    }

    fn mem_in_flight(&self) -> u32 {
        self.pending.iter().flat_map(BTreeMap::values).filter(|&&mem| mem).count() as u32
    }

    fn issued(&self, w: u32) -> Issued {
        Issued { pending: self.pending[w as usize].len() as u32, mem_in_flight: self.mem_in_flight() }
    }
}

impl Machine for Model {
    type Mark = Self;

    fn take(&mut self, event: &Event) -> Result<Answer, Fault> {
        let (Event::Issue { w, .. } | Event::Writeback { w, .. } | Event::Flush { w }) = *event;
        if w >= self.config.warps {
            return Err(Fault::BadWarp);
        }
        let regs = self.config.regs;
        let warp = &mut self.pending[w as usize];
        match event {
            Event::Issue { src, dst, mem, .. } => {
                if src.len() > 4 {
                    return Err(Fault::BadArg);
                }
                if src.iter().chain(dst).any(|&reg| reg >= regs) {
                    return Err(Fault::BadReg);
                }
                let stall = match dst {
                    _ if src.iter().any(|reg| warp.contains_key(reg)) => {
                        src.iter().find(|reg| warp.contains_key(reg)).map(|&reg| Stall::Raw(reg_id(reg)))
                    }
                    Some(reg) if warp.contains_key(reg) => Some(Stall::Waw(reg_id(*reg))),
                    Some(_) if self.config.entries > 0 && warp.len() as u32 >= self.config.entries => Some(Stall::Full),
                    _ => None,
                };
                if let Some(stall) = stall {
                    return Ok(Answer::Issue(Issue::Stall(stall)));
                }
                warp.extend(dst.map(|reg| (reg, *mem)));
                Ok(Answer::Issue(Issue::Issued(self.issued(w))))
            }
            Event::Writeback { reg, .. } => {
                if *reg >= regs {
                    return Err(Fault::BadReg);
                }
                warp.remove(reg).ok_or(Fault::NotPending)?;
                Ok(Answer::Written(self.issued(w)))
            }
            Event::Flush { .. } => Ok(Answer::Dropped(std::mem::take(warp).len() as u32)),
        }
    }

    fn view(&self) -> View {
        View { pending: self.pending.clone(), mem_in_flight: self.mem_in_flight() }
    }

    fn mark(&self) -> Self {
        self.clone()
    }
}
