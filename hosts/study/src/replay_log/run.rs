//! A run as its log tells it, checked event by event: what is reported has to have happened as a GPU does it. Memory is taken for what
//! runs and waits, not for what has been.

use super::catalogue::{Catalogue, KernelId, NameId, Origin};
use super::figures::{Figures, Tally};
use super::kinds::Kind;
use super::line::{Event, Keys, Wrong};
use super::once::Once;
use super::source::quoted;
use super::stretch::{Stretch, What};
use std::collections::{BTreeMap, HashMap};

/// More SMXs, or TB slots of one, no GPU has.
const MOST: [(&str, u64); 2] = [("smx", 4096), ("slots", 256)];

/// A kernel or group that is not done.
#[derive(Debug)]
struct Kernel {
    id: KernelId,
    name: NameId,
    tbs: u64,
    came: u64,
    /// SMX of the TB that launched it.
    parent_smx: Option<u32>,
    started: Once,
    starts: u64,
    ends: u64,
}

/// A TB that runs.
#[derive(Clone, Copy, Debug)]
struct Tb {
    uid: u64,
    tb: u32,
    since: u64,
    /// What it launched so far.
    launches: u32,
}

/// A TB that was sent to an SMX and has not started there.
#[derive(Clone, Copy, Debug)]
struct Sent {
    smx: u32,
    cycle: u64,
    refused: bool,
}

#[derive(Debug, Default)]
struct Smx {
    slots: Vec<Option<Tb>>,
    running: u32,
    /// When the first of the TBs that run started.
    busy_since: u64,
    diverted_since: Option<u64>,
    low_since: Option<u64>,
}

/// The state of the simulated GPU, as far as the log tells it.
#[derive(Debug, Default)]
pub struct Run {
    pub headers: BTreeMap<String, String>,
    pub figures: Figures,
    slots: u64,
    smxs: Vec<Smx>,
    cycle: Option<u64>,
    host_launches: u32,
    kernels: HashMap<u64, Kernel>,
    uids: Once,
    sent: HashMap<(u64, u32), Sent>,
}

impl Run {
    pub fn header(&mut self, name: &str, value: &str) -> Result<(), Wrong> {
        if self.cycle.is_some() {
            return Err(Wrong::new("headers before the first event only", format!("header {}", quoted(name))));
        }
        if let Some((_, most)) = MOST.iter().find(|(known, _)| *known == name) {
            let number: Option<u64> = value.parse().ok().filter(|number| (1..=*most).contains(number));
            let number = number.ok_or_else(|| Wrong::new(format!("1 to {most} as header `{name}`"), quoted(value)))?;
            if name == "smx" {
                self.smxs.resize_with(number as usize, Smx::default);
                self.figures.smxs.resize_with(number as usize, Default::default);
            } else {
                (self.slots, self.figures.slots) = (number, number);
            }
        }
        if self.headers.insert(name.to_owned(), value.to_owned()).is_some() {
            return Err(Wrong::new("each header once", format!("header {} again", quoted(name))));
        }
        Ok(())
    }

    /// That everything is there which has to be there before the first event.
    fn check_headers(&self) -> Result<(), Wrong> {
        match MOST.iter().find(|(name, _)| !self.headers.contains_key(*name)) {
            Some((name, _)) => Err(Wrong::new(format!("a header `! {name} NUMBER` before the first event"), "none")),
            None => Ok(()),
        }
    }

    /// Takes an event. Answers what it ended.
    pub fn event(&mut self, event: &Event<'_>, catalogue: &mut Catalogue) -> Result<Option<Stretch>, Wrong> {
        if self.cycle.is_none() {
            self.check_headers()?;
        }
        let last = self.cycle.replace(event.cycle).unwrap_or(0);
        if event.cycle < last {
            return Err(Wrong::new(format!("cycle {last} or a later one"), format!("cycle {}", event.cycle)));
        }
        self.check_place(event)?;
        self.figures.events += 1;
        self.figures.cycles = event.cycle;
        let Some(kind) = Kind::of(event.kind) else {
            *self.figures.unknown.entry(event.kind.to_owned()).or_default() += 1;
            return Ok(None);
        };
        kind.check(event)?;
        if kind.is_decision {
            let count = self.figures.decisions.entry((kind.name, kind.part(event)?)).or_default();
            *count += 1;
        }
        match (kind.name, event.uid, event.tb, event.smx, event.slot) {
            ("kernel", Some(uid), ..) => self.kernel(uid, event, catalogue).map(|()| None),
            ("launch", Some(uid), Some(tb), Some(smx), _) => self.launch(uid, tb, smx, event, catalogue).map(|()| None),
            ("tb", Some(uid), Some(tb), Some(smx), _) => self.send(uid, tb, smx, event.cycle).map(|()| None),
            ("refuse", Some(uid), Some(tb), Some(smx), _) => self.refuse(uid, tb, smx).map(|()| None),
            ("start", Some(uid), Some(tb), Some(smx), Some(slot)) => {
                self.start(uid, tb, smx, slot, event.cycle).map(|()| None)
            }
            ("end", Some(uid), Some(tb), Some(smx), Some(slot)) => self.end(uid, tb, smx, slot, event.cycle).map(Some),
            ("done", Some(uid), ..) => self.done(uid, event.cycle).map(|()| None),
            ("divert", _, _, Some(smx), _) => self.divert(smx, event.cycle).map(|()| None),
            ("admit", _, _, Some(smx), _) => self.admit(smx, event.cycle).map(Some),
            ("pstate", _, _, Some(smx), _) => self.pstate(smx, event.keys.get("to") == Some("low"), event.cycle),
            _ => Ok(None),
        }
    }

    /// The end of the log: what it leaves running.
    pub fn finish(&mut self) -> Result<Vec<Stretch>, Wrong> {
        self.check_headers()?;
        let to = self.figures.cycles;
        let mut open = Vec::new();
        for (smx, state) in (0..).zip(std::mem::take(&mut self.smxs)) {
            if state.running > 0 {
                self.figures.smxs[smx as usize].busy += to - state.busy_since;
            }
            open.extend(state.diverted_since.map(|from| Stretch { smx, what: What::Diverted, from, to }));
            open.extend(state.low_since.map(|from| Stretch { smx, what: What::Low, from, to }));
            for (slot, tb) in (0..).zip(state.slots) {
                let Some(Tb { uid, tb, since, .. }) = tb else { continue };
                let kernel = &self.kernels[&uid];
                let (name, is_child) = (kernel.name, kernel.parent_smx.is_some());
                self.figures.unfinished += 1;
                open.push(Stretch {
                    smx,
                    what: What::Tb { slot, uid, tb, name, is_child, ended: false },
                    from: since,
                    to,
                });
            }
        }
        open.iter().for_each(|stretch| self.figures.stretch(stretch));
        self.figures.not_done = self.kernels.len() as u64;
        self.figures.not_started = self.sent.len() as u64;
        Ok(open)
    }

    /// Which kernel or group has this number.
    pub fn id(&self, uid: u64) -> Option<KernelId> {
        self.kernels.get(&uid).map(|kernel| kernel.id)
    }

    fn check_place(&self, event: &Event<'_>) -> Result<(), Wrong> {
        let (smxs, slots) = (self.smxs.len(), self.slots);
        if let Some(smx) = event.smx.filter(|&smx| smx as usize >= smxs) {
            return Err(Wrong::new(format!("an SMX below {smxs}, as header `smx` has it"), format!("SMX {smx}")));
        }
        if let Some(slot) = event.slot.filter(|&slot| u64::from(slot) >= slots) {
            return Err(Wrong::new(format!("a slot below {slots}, as header `slots` has it"), format!("slot {slot}")));
        }
        Ok(())
    }

    fn kernel(&mut self, uid: u64, event: &Event<'_>, catalogue: &mut Catalogue) -> Result<(), Wrong> {
        let origin = Origin { parent: None, number: self.host_launches };
        self.host_launches += 1;
        self.figures.host_kernels += 1;
        self.enter(uid, origin, None, event, catalogue)
    }

    fn launch(
        &mut self,
        uid: u64,
        tb: u32,
        smx: u32,
        event: &Event<'_>,
        catalogue: &mut Catalogue,
    ) -> Result<(), Wrong> {
        let parent = event.keys.number("parent")?;
        let mut slots = self.smxs[smx as usize].slots.iter_mut().flatten();
        let Some(running) = slots.find(|running| (running.uid, running.tb) == (parent, tb)) else {
            let wanted = format!("a launch by a TB that runs on SMX {smx}");
            return Err(Wrong::new(wanted, format!("one by TB {tb} of {parent}, which does not")));
        };
        let number = running.launches;
        running.launches += 1;
        let parent = self.kernels[&parent].id;
        if event.keys.get("as") == Some("group") {
            self.figures.groups += 1;
        } else {
            self.figures.device_kernels += 1;
        }
        self.enter(uid, Origin { parent: Some((parent, tb)), number }, Some(smx), event, catalogue)
    }

    fn enter(
        &mut self,
        uid: u64,
        origin: Origin,
        parent_smx: Option<u32>,
        event: &Event<'_>,
        catalogue: &mut Catalogue,
    ) -> Result<(), Wrong> {
        if !self.uids.insert(uid) {
            return Err(Wrong::new("a uid that was not used before", format!("uid {uid} again")));
        }
        let tbs = tbs(event.keys)?;
        event.keys.number("threads")?;
        let (id, name) = (catalogue.kernel(origin), catalogue.name(event.keys.need("name")?));
        self.figures.of_name(name).launches += 1;
        let (came, started) = (event.cycle, Once::default());
        self.kernels.insert(uid, Kernel { id, name, tbs, came, parent_smx, started, starts: 0, ends: 0 });
        Ok(())
    }

    /// The kernel or group of a TB that it has.
    fn owner(&mut self, uid: u64, tb: u32) -> Result<&mut Kernel, Wrong> {
        let is_done = self.uids.contains(uid);
        let kernel = self.kernels.get_mut(&uid).ok_or_else(|| unknown(uid, is_done))?;
        if u64::from(tb) < kernel.tbs {
            Ok(kernel)
        } else {
            Err(Wrong::new(format!("a TB below {} of {uid}", kernel.tbs), format!("TB {tb}")))
        }
    }

    fn send(&mut self, uid: u64, tb: u32, smx: u32, cycle: u64) -> Result<(), Wrong> {
        let has_started = self.owner(uid, tb)?.started.contains(tb.into());
        if has_started || self.sent.insert((uid, tb), Sent { smx, cycle, refused: false }).is_some() {
            return Err(Wrong::new("each TB to be sent once", format!("TB {tb} of {uid} again")));
        }
        Ok(())
    }

    /// The TB that was sent to `smx`.
    fn waiting(&mut self, uid: u64, tb: u32, smx: u32) -> Result<&mut Sent, Wrong> {
        let wrong = |found: String| Wrong::new(format!("a TB that waits to start on SMX {smx}"), found);
        match self.sent.get_mut(&(uid, tb)) {
            None => Err(wrong(format!("TB {tb} of {uid}, which was not sent or has started"))),
            Some(sent) if sent.smx != smx => {
                Err(wrong(format!("TB {tb} of {uid}, which was sent to SMX {}", sent.smx)))
            }
            Some(sent) => Ok(sent),
        }
    }

    fn refuse(&mut self, uid: u64, tb: u32, smx: u32) -> Result<(), Wrong> {
        let sent = self.waiting(uid, tb, smx)?;
        if std::mem::replace(&mut sent.refused, true) {
            return Err(Wrong::new("each TB to be refused once", format!("TB {tb} of {uid} again")));
        }
        Ok(())
    }

    fn start(&mut self, uid: u64, tb: u32, smx: u32, slot: u32, cycle: u64) -> Result<(), Wrong> {
        let sent = *self.waiting(uid, tb, smx)?;
        let state = &mut self.smxs[smx as usize];
        if state.slots.len() <= slot as usize {
            state.slots.resize(slot as usize + 1, None);
        }
        let place = &mut state.slots[slot as usize];
        if let Some(Tb { uid, tb, .. }) = place {
            let found = format!("slot {slot}, where TB {tb} of {uid} runs");
            return Err(Wrong::new(format!("a slot of SMX {smx} that is free"), found));
        }
        *place = Some(Tb { uid, tb, since: cycle, launches: 0 });
        if state.running == 0 {
            state.busy_since = cycle;
        }
        state.running += 1;
        self.sent.remove(&(uid, tb));
        let kernel = self.owner(uid, tb)?;
        kernel.started.insert(tb.into());
        kernel.starts += 1;
        let wait = (kernel.starts == 1).then(|| cycle - kernel.came);
        let (name, parent_smx) = (kernel.name, kernel.parent_smx);
        let figures = &mut self.figures;
        figures.starts += 1;
        figures.to_start.add(cycle - sent.cycle);
        figures.refused += u64::from(sent.refused);
        if let Some(parent) = parent_smx {
            figures.child_tbs += 1;
            figures.with_parent += u64::from(parent == smx);
        }
        if let Some(wait) = wait {
            let waits: &mut Tally =
                if parent_smx.is_some() { &mut figures.device_wait } else { &mut figures.host_wait };
            waits.add(wait);
            figures.of_name(name).wait.add(wait);
        }
        Ok(())
    }

    fn end(&mut self, uid: u64, tb: u32, smx: u32, slot: u32, cycle: u64) -> Result<Stretch, Wrong> {
        let state = &mut self.smxs[smx as usize];
        let running = state.slots.get_mut(slot as usize);
        let ended = running.and_then(|place| place.take_if(|running| (running.uid, running.tb) == (uid, tb)));
        let Some(Tb { since, .. }) = ended else {
            let wanted = format!("the TB that runs on SMX {smx} in slot {slot}");
            let found = match state.slots.get(slot as usize) {
                Some(Some(other)) => format!("TB {tb} of {uid}, where TB {} of {} runs", other.tb, other.uid),
                _ => format!("TB {tb} of {uid}, where none runs"),
            };
            return Err(Wrong::new(wanted, found));
        };
        state.running -= 1;
        if state.running == 0 {
            self.figures.smxs[smx as usize].busy += cycle - state.busy_since;
        }
        let kernel = self.owner(uid, tb)?;
        kernel.ends += 1;
        let (name, is_child) = (kernel.name, kernel.parent_smx.is_some());
        let what = What::Tb { slot, uid, tb, name, is_child, ended: true };
        let stretch = Stretch { smx, what, from: since, to: cycle };
        self.figures.stretch(&stretch);
        Ok(stretch)
    }

    fn done(&mut self, uid: u64, cycle: u64) -> Result<(), Wrong> {
        let is_done = self.uids.contains(uid);
        let kernel = self.kernels.get(&uid).ok_or_else(|| unknown(uid, is_done))?;
        let Kernel { ends, tbs, name, came, .. } = *kernel;
        if ends < tbs {
            return Err(Wrong::new(format!("{uid} to be done when its {tbs} TBs have ended"), format!("{ends} ends")));
        }
        self.kernels.remove(&uid);
        self.figures.of_name(name).time.add(cycle - came);
        Ok(())
    }

    fn divert(&mut self, smx: u32, cycle: u64) -> Result<(), Wrong> {
        match self.smxs[smx as usize].diverted_since.replace(cycle) {
            Some(_) => Err(Wrong::new("an SMX that takes TBs", format!("SMX {smx}, which is diverted"))),
            None => Ok(()),
        }
    }

    fn admit(&mut self, smx: u32, cycle: u64) -> Result<Stretch, Wrong> {
        let since = self.smxs[smx as usize].diverted_since.take();
        let wrong = || Wrong::new("an SMX that is diverted", format!("SMX {smx}, which is not"));
        let stretch = Stretch { smx, what: What::Diverted, from: since.ok_or_else(wrong)?, to: cycle };
        self.figures.stretch(&stretch);
        Ok(stretch)
    }

    fn pstate(&mut self, smx: u32, is_low: bool, cycle: u64) -> Result<Option<Stretch>, Wrong> {
        let low_since = &mut self.smxs[smx as usize].low_since;
        if is_low {
            low_since.get_or_insert(cycle);
            return Ok(None);
        }
        let stretch = low_since.take().map(|from| Stretch { smx, what: What::Low, from, to: cycle });
        stretch.iter().for_each(|stretch| self.figures.stretch(stretch));
        Ok(stretch)
    }
}

fn unknown(uid: u64, is_done: bool) -> Wrong {
    let found = if is_done { "which is done" } else { "which was not" };
    Wrong::new("a kernel or group that was launched and is not done", format!("{uid}, {found}"))
}

/// TBs of a grid: one at least, and numbers go up to 2^32.
fn tbs(keys: Keys<'_>) -> Result<u64, Wrong> {
    let tbs = keys.number("tbs")?;
    let fits = (1..=1 << 32).contains(&tbs);
    if fits { Ok(tbs) } else { Err(Wrong::new("1 to 2^32 as `tbs`", tbs.to_string())) }
}
