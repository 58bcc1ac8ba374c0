//! The legend of a Gantt chart: only what the chart has.

use super::look::{draw_box, draw_empty};
use super::{Bar, Chart, Kin, Names, WIDTH};
use crate::plot::{Area, FAINT, OKABE_ITO, TEXT, write};
use anyhow::Result;
use plotters::style::text_anchor::HPos;

/// Pixels from one line to the next.
const LINE: u32 = 20;
const LEFT: i32 = 24;
const TOP: i32 = 76;

/// Boxes and what they stand for, in lines.
pub struct Legend(Vec<Vec<Entry>>);

struct Entry {
    /// `None`: an empty TB slot.
    look: Option<(Kin, bool)>,
    words: String,
}

impl Entry {
    fn new(kin: Kin, words: &str) -> Self {
        Self { look: Some((kin, false)), words: words.to_owned() }
    }

    fn width(&self) -> i32 {
        58 + 13 * self.words.chars().count() as i32 / 2
    }
}

impl Legend {
    pub fn of(chart: &Chart, Names(names): &Names) -> Self {
        let bars = || chart.panels.iter().flat_map(|panel| &panel.lanes).flat_map(|lane| &lane.bars);
        let has = |test: fn(&Bar) -> bool| bars().any(test);
        let mut entries = if names.is_empty() { families(has) } else { named(names, bars) };
        if has(|bar| bar.taken) {
            let words = "taken from another SMX's queue (stage 3)".to_owned();
            entries.push(Entry { look: Some((Kin::Child(1), true)), words });
        }
        let states = [(Kin::Diverted, "SMX diverted"), (Kin::Low, "SMX in the low P-state")];
        let states = states.into_iter().filter(|(state, _)| bars().any(|bar| bar.kin == *state));
        entries.extend(states.map(|(state, words)| Entry::new(state, words)));
        entries.push(Entry { look: None, words: "empty TB slot".to_owned() });
        let (mut lines, mut line, mut x) = (Vec::new(), Vec::new(), LEFT);
        for entry in entries {
            let width = entry.width();
            if x > LEFT && x + width > WIDTH as i32 {
                lines.push(std::mem::take(&mut line));
                x = LEFT;
            }
            x += width;
            line.push(entry);
        }
        lines.push(line);
        Self(lines)
    }

    /// What lines behind the first take.
    pub fn more_height(&self) -> u32 {
        LINE * (self.0.len() as u32 - 1)
    }

    pub fn draw(&self, root: &Area<'_>) -> Result<()> {
        for (line, y) in self.0.iter().zip((TOP..).step_by(LINE as usize)) {
            let mut x = LEFT;
            for entry in line {
                let corners = [(x, y), (x + 26, y + 14)];
                match entry.look {
                    Some((kin, taken)) => draw_box(root, corners, kin, taken)?,
                    None => draw_empty(root, corners)?,
                }
                write(root, &entry.words, (x + 32, y), TEXT, FAINT, HPos::Left)?;
                x += entry.width();
            }
        }
        Ok(())
    }
}

/// Parents and children.
fn families(has: impl Fn(fn(&Bar) -> bool) -> bool) -> Vec<Entry> {
    let mut entries = vec![Entry::new(Kin::Single, "TB that launches nothing")];
    if has(|bar| bar.kin != Kin::Single) {
        entries.push(Entry::new(Kin::Parent(0), "TB that launches"));
        entries.push(Entry::new(Kin::Child(0), "its descendants"));
    }
    entries
}

/// The names that are there.
fn named<'a, Bars: Iterator<Item = &'a Bar>>(names: &[String], bars: impl Fn() -> Bars) -> Vec<Entry> {
    let is_of = |bar: &Bar, number: usize| matches!(bar.kin, Kin::Named { name, .. } if name == number);
    let is_hosts = |number| bars().any(|bar| bar.kin == Kin::Named { name: number, is_child: false });
    let own = names.iter().enumerate().take(OKABE_ITO.len());
    let own = own.filter(|&(number, _)| bars().any(|bar| is_of(bar, number)));
    let mut entries: Vec<Entry> =
        own.map(|(name, words)| Entry::new(Kin::Named { name, is_child: !is_hosts(name) }, words)).collect();
    let is_rest = |bar: &Bar| match bar.kin {
        Kin::Named { name, .. } => name >= OKABE_ITO.len(),
        kin => kin == Kin::Single,
    };
    if bars().any(is_rest) {
        entries.push(Entry::new(Kin::Single, "other kernels"));
    }
    if let Some(child) = bars().find(|bar| matches!(bar.kin, Kin::Named { is_child: true, .. })) {
        entries.push(Entry::new(child.kin, "pale: launched by a TB"));
    }
    entries
}
