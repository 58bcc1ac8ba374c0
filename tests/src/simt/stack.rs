//! The reconvergence stack: events, visible state, and a plain model.

use gpusched::Fault;
use gpusched::simt::stack::{Branch, Entry, FirstPath, NO_PC, Running, Stack, StackConfig, Tables, stack_image_config};

pub use crate::calls::stack::Event;
use crate::calls::stack::{Answer, Queries};
use crate::machine;
pub use crate::machine::Machine;
use crate::through_c::{fault, stack::ThroughC};
pub use gpusched_heap::simt::stack::{HeapTables, machine, tables};

/// Everything that the sheet calls visible.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub struct View {
    pub pc: u32,
    pub mask: u64,
    /// From the bottom.
    pub stack: Vec<Entry>,
}

impl View {
    fn of(warp: &impl Queries) -> Self {
        let (Running { pc, mask, depth, pops, done }, stack) = (warp.running(), warp.entries());
        assert_eq!((depth as usize, pops, done), (stack.len(), 0, mask == 0));
        Self { pc, mask, stack }
    }
}

machine::in_rust! { Stack<T>: Event => Result<Running, Fault> = running, View = View::of; T: Tables }

impl Machine for ThroughC {
    type Event = Event;
    type Answered = Result<Running, Fault>;
    type View = View;
    type Mark = (View, Vec<u8>);

    fn take(&mut self, event: &Event) -> Result<Running, Fault> {
        self.call(&in_c(event)).map(running).map_err(fault)
    }

    fn view(&self) -> View {
        View::of(self)
    }

    fn mark(&self) -> Self::Mark {
        (View::of(self), self.image())
    }
}

/// Every call answers what runs.
fn running(Answer::Running(running): Answer) -> Running {
    running
}

/// The event as C says it, where a PC that is none has one form.
fn in_c(event: &Event) -> Event {
    match *event {
        Event::Branch { branch } => {
            Event::Branch { branch: Branch { reconv: branch.reconv.filter(|&pc| pc != NO_PC), ..branch } }
        }
        other => other,
    }
}

/// A plain model of models-S1 to S6.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Model {
    config: StackConfig,
    live: bool,
    view: View,
}

impl Model {
    /// A warp that has not begun.
    #[must_use]
    pub fn new(config: &StackConfig) -> Self {
        Self { config: *config, live: false, view: View::default() }
    }

    fn settle(&mut self) -> u32 {
        let mut pops = 0;
        while let Some(top) = self.view.stack.last().copied() {
            if self.view.mask != 0 && top.reconv != Some(self.view.pc) {
                break;
            }
            self.view.stack.pop();
            (self.view.mask, self.view.pc) = (top.mask, top.next);
            pops += 1;
        }
        if self.view.mask == 0 {
            self.live = false;
        }
        pops
    }

    fn pushes(&self, branch: &Branch, other: u64, other_pc: u32) -> Vec<Entry> {
        let mut pushes = Vec::new();
        let shared = self.config.compact && self.view.stack.last().is_some_and(|top| top.reconv == branch.reconv);
        if let Some(join) = branch.reconv
            && !shared
        {
            pushes.push(Entry { reconv: Some(join), mask: self.view.mask, next: join });
        }
        if !(self.config.compact && Some(other_pc) == branch.reconv) {
            pushes.push(Entry { reconv: branch.reconv, mask: other, next: other_pc });
        }
        pushes
    }

    fn branch(&mut self, branch: &Branch) -> Result<(), Fault> {
        let Branch { taken, taken_pc, fall_pc, .. } = *branch;
        let fall = self.view.mask - taken;
        if taken == 0 {
            self.view.pc = fall_pc;
        } else if fall == 0 || taken_pc == fall_pc {
            self.view.pc = taken_pc;
        } else {
            let taken_first = self.config.first == FirstPath::Taken;
            let paths = [(fall, fall_pc), (taken, taken_pc)];
            let (first, other) = if taken_first { (paths[1], paths[0]) } else { (paths[0], paths[1]) };
            let pushes = self.pushes(branch, other.0, other.1);
            if self.view.stack.len() + pushes.len() > self.config.depth as usize {
                return Err(Fault::StackOverflow);
            }
            self.view.stack.extend(pushes);
            (self.view.mask, self.view.pc) = first;
        }
        Ok(())
    }
}

impl Machine for Model {
    type Event = Event;
    type Answered = Result<Running, Fault>;
    type View = View;
    type Mark = Self;

    fn take(&mut self, event: &Event) -> Result<Running, Fault> {
        let wide = |mask: u64| self.config.lanes < 64 && mask >= 1 << self.config.lanes;
        let bad_pc = |pcs: &[u32]| if pcs.contains(&NO_PC) { Err(Fault::BadPc) } else { Ok(()) };
        if !self.live && !matches!(event, Event::Init { .. }) {
            return Err(Fault::WarpDone);
        }
        let mut settles = true;
        match *event {
            Event::Init { pc, mask } => {
                bad_pc(&[pc])?;
                if mask == 0 || wide(mask) {
                    return Err(Fault::BadMask);
                }
                (self.live, self.view) = (true, View { pc, mask, stack: Vec::new() });
            }
            Event::Advance { pc } => {
                bad_pc(&[pc])?;
                self.view.pc = pc;
            }
            Event::Branch { branch } => {
                bad_pc(&[branch.taken_pc, branch.fall_pc])?;
                if branch.taken & !self.view.mask != 0 {
                    return Err(Fault::BadMask);
                }
                let reconv = branch.reconv.filter(|&pc| pc != NO_PC);
                self.branch(&Branch { reconv, ..branch })?;
            }
            Event::Exit { lanes: mask } => {
                if mask == 0 || mask & !self.view.mask != 0 {
                    return Err(Fault::BadMask);
                }
                self.view.mask &= !mask;
                self.view.stack.iter_mut().for_each(|entry| entry.mask &= !mask);
                settles = self.view.mask == 0;
            }
        }
        let pops = if settles { self.settle() } else { 0 };
        let View { pc, mask, stack } = &self.view;
        Ok(Running { pc: *pc, mask: *mask, depth: stack.len() as u32, pops, done: !self.live })
    }

    fn view(&self) -> View {
        self.view.clone()
    }

    fn mark(&self) -> Self {
        self.clone()
    }
}

/// What models-I4 says of the lanes that live, which no state knows.
///
/// # Errors
/// What does not hold.
pub fn check_state(view: &View, live_lanes: u64) -> Result<(), String> {
    let covered = view.stack.iter().fold(view.mask, |all, entry| all | entry.mask);
    if covered != live_lanes {
        return Err(format!("a lane is lost, or one that ended comes back: {view:?}"));
    }
    Ok(())
}

machine::family! {
    /// Reconvergence stacks.
    Stacks: StackConfig, Event => Running, View;
    Stack<HeapTables> = machine, stack_image_config; ThroughC; Model
}
