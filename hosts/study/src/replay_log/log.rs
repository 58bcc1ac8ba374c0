//! A log: its lines, the run that they tell, and the chart of it if there is to be one.

use super::boxes::Boxes;
use super::catalogue::{Catalogue, KernelId};
use super::kinds::Kind;
use super::line::{END, Event, FIRST, Line, Wrong};
use super::run::Run;
use super::source::{Lines, quoted};
use crate::failure::Failure;
use std::path::Path;

/// A file, read line by line.
#[derive(Debug)]
pub struct Log {
    pub run: Run,
    pub boxes: Option<Boxes>,
    lines: Lines,
    /// Whether a log that is cut off is read as far as it goes.
    partial: bool,
}

/// An event that was read and checked.
pub struct Step<'a> {
    /// Number of its line.
    pub line: u64,
    text: &'a str,
    pub event: Event<'a>,
}

/// A decision, as two logs are compared.
#[derive(Clone, Debug)]
pub struct Decision {
    /// Number of its line.
    pub line: u64,
    /// Its line.
    pub text: String,
    pub cycle: u64,
    pub choice: Choice,
}

/// What was decided, whenever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    pub kind: &'static str,
    pub of: Option<Unit>,
    pub tb: Option<u32>,
    pub smx: Option<u32>,
    slot: Option<u32>,
    /// Key `evicts`.
    evicts: Option<Unit>,
    /// The other keys.
    keys: String,
}

/// A kernel or group.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// By who launched it.
    Known(KernelId),
    /// One that is done, or none of the log's, by its number there.
    Other(u64),
}

impl Log {
    pub fn open(path: &Path, boxes: Option<Boxes>, partial: bool, quiet: bool) -> Result<Self, Failure> {
        let mut lines = Lines::open(path, quiet)?;
        let found = match (lines.advance()?, lines.cut()) {
            (true, _) => quoted(lines.text()?),
            (false, Some(why)) => format!("the end of the file: {why}"),
            (false, None) => "an empty file".to_owned(),
        };
        if found == quoted(FIRST) {
            Ok(Self { run: Run::default(), boxes, lines, partial })
        } else {
            Err(lines.wrong(Wrong::new(format!("`{FIRST}`"), found)))
        }
    }

    /// What errors call it.
    pub fn name(&self) -> &str {
        self.lines.name()
    }

    /// Why the log is no more than a part, if it is.
    pub fn cut(&self) -> Option<&'static str> {
        (!self.lines.is_ended()).then(|| self.lines.cut().unwrap_or("there is no line that ends it"))
    }

    /// Goes to the end.
    pub fn read(&mut self, catalogue: &mut Catalogue) -> Result<(), Failure> {
        while self.step(catalogue)?.is_some() {}
        self.finish()
    }

    /// Goes to the end, and shows each event to `take`, with the run so far. What that refuses is told with its line.
    pub fn each(
        &mut self,
        catalogue: &mut Catalogue,
        mut take: impl FnMut(&Run, &Step<'_>) -> Result<(), Wrong>,
    ) -> Result<(), Failure> {
        while let Some(next) = step(&mut self.lines, &mut self.run, &mut self.boxes, catalogue)? {
            let taken = take(&self.run, &next);
            taken.map_err(|wrong| self.lines.wrong(wrong))?;
        }
        self.finish()
    }

    /// Goes to the next decision; to the next that sends a TB, if only these count. `None`: the log is over.
    pub fn decision(&mut self, only_tbs: bool, catalogue: &mut Catalogue) -> Result<Option<Decision>, Failure> {
        loop {
            let Some(Step { line, text, event }) = step(&mut self.lines, &mut self.run, &mut self.boxes, catalogue)?
            else {
                return self.finish().map(|()| None);
            };
            let is_wanted = |kind: &&Kind| kind.is_decision && (!only_tbs || kind.name == "tb");
            let Some(kind) = Kind::of(event.kind).filter(is_wanted) else { continue };
            let Event { cycle, uid, tb, smx, slot, keys, .. } = event;
            let unit = |uid: u64| self.run.id(uid).map_or(Unit::Other(uid), Unit::Known);
            let evicts = keys.get("evicts").and_then(|uid| uid.parse().ok()).map(unit);
            let keys = keys.iter().filter(|(key, _)| *key != "evicts").map(|(key, value)| format!("{key}={value}"));
            let keys = keys.collect::<Vec<_>>().join(" ");
            let choice = Choice { kind: kind.name, of: uid.map(unit), tb, smx, slot, evicts, keys };
            return Ok(Some(Decision { line, text: text.to_owned(), cycle, choice }));
        }
    }

    fn step(&mut self, catalogue: &mut Catalogue) -> Result<Option<Step<'_>>, Failure> {
        step(&mut self.lines, &mut self.run, &mut self.boxes, catalogue)
    }

    fn finish(&mut self) -> Result<(), Failure> {
        let open = self.run.finish().map_err(|wrong| self.lines.wrong(wrong))?;
        if let (Some(why), false) = (self.cut(), self.partial) {
            let f = &self.run.figures;
            let found = format!(
                "the end of the file: {why}. What is missing comes behind {} events, at cycle {} or later, where TBs that run: {}, \
                 and kernels and groups not done: {} (--partial reads a log as far as it goes)",
                f.events, f.cycles, f.unfinished, f.not_done
            );
            return Err(self.lines.wrong(Wrong::new(format!("`! {END} EVENTS CHECKSUM` as the last line"), found)));
        }
        let boxes = self.boxes.iter_mut();
        let mut drawn = boxes.flat_map(|boxes| open.iter().map(|stretch| boxes.add(stretch)).collect::<Vec<_>>());
        drawn.try_for_each(|drawn| drawn.map_err(|wrong| self.lines.wrong(wrong)))
    }
}

/// Takes the next event. `None`: the log is over.
fn step<'a>(
    lines: &'a mut Lines,
    run: &mut Run,
    boxes: &mut Option<Boxes>,
    catalogue: &mut Catalogue,
) -> Result<Option<Step<'a>>, Failure> {
    while lines.advance()? {
        let text = lines.text()?;
        if lines.is_ended() {
            return Err(lines.wrong(Wrong::new(format!("nothing behind the header `{END}`"), quoted(text))));
        }
        if text.is_empty() || text.starts_with(['#', '!']) {
            if let Line::Header { name, value } = Line::parse(text).map_err(|wrong| lines.wrong(wrong))? {
                if name == END {
                    let value = value.to_owned();
                    lines.end(&value, run.figures.events).map_err(|wrong| lines.wrong(wrong))?;
                } else {
                    run.header(name, value).map_err(|wrong| lines.wrong(wrong))?;
                }
            }
            continue;
        }
        break;
    }
    if lines.is_over() {
        return Ok(None);
    }
    let (line, text) = (lines.number(), lines.text()?);
    let event = Event::parse(text).map_err(|wrong| lines.wrong(wrong))?;
    let stretch = run.event(&event, catalogue).map_err(|wrong| lines.wrong(wrong))?;
    if let (Some(boxes), Some(stretch)) = (boxes, stretch) {
        boxes.add(&stretch).map_err(|wrong| lines.wrong(wrong))?;
    }
    Ok(Some(Step { line, text, event }))
}
