//! The scoreboard: events, visible state, and a plain model.

use std::collections::BTreeMap;

use gpusched::Fault;
use gpusched::simt::scoreboard::{
    Hazard, Issue, Issued, RegId, Scoreboard, ScoreboardConfig, Stall, Tables, Waits, WarpId, scoreboard_image_config,
};

use crate::calls::scoreboard::Queries;
pub use crate::calls::scoreboard::{Answer, Event};
use crate::machine;
pub use crate::machine::Machine;
use crate::through_c::scoreboard::ThroughC;
pub use gpusched_heap::simt::scoreboard::{HeapTables, machine, tables};

/// Everything that the sheet calls visible: registers of each warp that are pending, and whether each waits for memory.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub struct View {
    pub pending: Vec<BTreeMap<u32, bool>>,
    pub mem_in_flight: u32,
}

/// A warp's number as the core takes it.
fn warp_id(w: u32) -> WarpId {
    WarpId(u8::try_from(w).unwrap_or(u8::MAX))
}

impl View {
    fn of(board: &impl Queries) -> Self {
        let pending = |Waits { pending, memory }: Waits| {
            pending.iter().map(|reg: RegId| (reg.into(), memory.contains(reg))).collect()
        };
        let warps = (0..board.config().warps).map(|w| board.waits(warp_id(w)).map(pending).unwrap_or_default());
        Self { pending: warps.collect(), mem_in_flight: board.mem_in_flight() }
    }
}

impl<T: Tables> Machine for Scoreboard<T>
where
    Self: Clone + PartialEq,
{
    type Event = Event;
    type Answered = Result<Answer, Fault>;
    type View = View;
    type Mark = Self;

    fn take(&mut self, event: &Event) -> Result<Answer, Fault> {
        let would = match event {
            Event::Issue { warp, sources, destination, .. } => Some(self.would_stall(*warp, sources, *destination)),
            _ => None,
        };
        let answer = event.apply(self);
        if let Some(would) = would {
            let stall = answer.map(|answer| match answer {
                Answer::Issue(Issue::Stall(stall)) => Some(stall),
                _ => None,
            });
            assert_eq!(would, stall);
        }
        answer
    }

    fn view(&self) -> View {
        View::of(self)
    }

    fn mark(&self) -> Self {
        self.clone()
    }
}

machine::through_c! { ThroughC: Event => Result<Answer, Fault>, View = View::of }

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
    type Event = Event;
    type Answered = Result<Answer, Fault>;
    type View = View;
    type Mark = Self;

    fn take(&mut self, event: &Event) -> Result<Answer, Fault> {
        let (Event::Issue { warp, .. } | Event::Writeback { warp, .. } | Event::Flush { warp }) = *event;
        let w = u32::from(warp);
        if w >= self.config.warps {
            return Err(Fault::BadWarp);
        }
        let regs = self.config.regs;
        let warp = &mut self.pending[w as usize];
        match event {
            Event::Issue { sources, destination, memory, .. } => {
                let src: Vec<u32> = sources.iter().map(|&reg| reg.into()).collect();
                let dst = destination.map(u32::from);
                if src.len() > 4 {
                    return Err(Fault::BadArg);
                }
                if src.iter().chain(&dst).any(|&reg| reg >= regs) {
                    return Err(Fault::BadReg);
                }
                let stall = match dst {
                    _ if src.iter().any(|reg| warp.contains_key(reg)) => {
                        src.iter().find(|reg| warp.contains_key(reg)).map(|&reg| (Hazard::Raw, Some(reg)))
                    }
                    Some(reg) if warp.contains_key(&reg) => Some((Hazard::Waw, Some(reg))),
                    Some(_) if self.config.entries > 0 && warp.len() as u32 >= self.config.entries => {
                        Some((Hazard::Full, None))
                    }
                    _ => None,
                };
                if let Some((hazard, reg)) = stall {
                    let reg = reg.map(|reg| RegId(reg as u16));
                    return Ok(Answer::Issue(Issue::Stall(Stall { hazard, reg })));
                }
                warp.extend(dst.map(|reg| (reg, *memory)));
                Ok(Answer::Issue(Issue::Issued(self.issued(w))))
            }
            Event::Writeback { reg, .. } => {
                let reg = u32::from(*reg);
                if reg >= regs {
                    return Err(Fault::BadReg);
                }
                warp.remove(&reg).ok_or(Fault::NotPending)?;
                Ok(Answer::Issued(self.issued(w)))
            }
            Event::Flush { .. } => Ok(Answer::Flush(std::mem::take(warp).len() as u32)),
        }
    }

    fn view(&self) -> View {
        View { pending: self.pending.clone(), mem_in_flight: self.mem_in_flight() }
    }

    fn mark(&self) -> Self {
        self.clone()
    }
}

machine::family! {
    /// Scoreboards.
    Scoreboards: ScoreboardConfig, Event => Answer, View;
    Scoreboard<HeapTables> = machine, scoreboard_image_config; ThroughC; Model
}
