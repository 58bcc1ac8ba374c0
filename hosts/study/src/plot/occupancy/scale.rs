//! The axes that all panels of a picture have in common.

use crate::plot::{Area, FAINT, INK, TEXT, round_step, write};
use anyhow::Result;
use indicatif::HumanCount;
use plotters::style::text_anchor::HPos;

use super::{BINS, Figure, HEADER, LEFT, Line, RIGHT, WIDTH};

/// What all panels have in common.
pub(super) struct Scale {
    /// Cycles at the right end.
    pub(super) cycles: u64,
    pub(super) bin: u64,
    /// Occupancy at the top.
    pub(super) top: f64,
    pub(super) line: Line,
    /// The top of the thin lines.
    pub(super) most: f64,
    /// Whether a panel has states.
    pub(super) states: bool,
}

impl Scale {
    pub(super) fn of(figure: &Figure) -> Self {
        let Figure { panels, line, .. } = figure;
        let cycles = panels.iter().map(|p| p.cycles).max().unwrap_or(0).max(1);
        let bin = cycles.div_ceil(BINS);
        let most = panels.iter().flat_map(|p| &p.line).copied().fold(0.0, f64::max);
        // Levels are counted one by one, and so is their half.
        let most_line = if *line == Line::LevelRange { 2.0 * (most / 2.0).ceil() } else { most };
        let fullest = panels.iter().flat_map(|panel| panel.means(bin).1).fold(0.0, f64::max);
        let top = [0.05, 0.1, 0.2, 0.5].into_iter().find(|&top| fullest <= top).unwrap_or(1.0);
        Self {
            cycles,
            bin,
            top,
            line: *line,
            most: most_line,
            states: panels.iter().any(|panel| !panel.states.is_empty()),
        }
    }

    /// Pixels above the first panel.
    pub(super) fn header(&self) -> u32 {
        HEADER + if self.states { 22 } else { 0 }
    }

    /// Distance of grid lines, and the unit of their labels: its size and name.
    pub(super) fn grid(&self) -> (u64, u64, &'static str) {
        let step = round_step(self.cycles, 8);
        match step {
            0..1_000 => (step, 1, "cycles"),
            1_000..1_000_000 => (step, 1_000, "thousand cycles"),
            _ => (step, 1_000_000, "million cycles"),
        }
    }

    /// Pixel column of a cycle.
    pub(super) fn x(&self, cycle: u64) -> i32 {
        let across = f64::from(WIDTH - LEFT - RIGHT);
        LEFT as i32 + (across * cycle as f64 / self.cycles as f64).round() as i32
    }

    pub(super) fn draw_axis(&self, root: &Area<'_>, y: i32) -> Result<()> {
        let (step, unit, name) = self.grid();
        for cycle in (0..=self.cycles).step_by(step as usize) {
            write(root, &HumanCount(cycle / unit).to_string(), (self.x(cycle), y + 6), TEXT, INK, HPos::Center)?;
        }
        let middle = (LEFT + WIDTH - RIGHT) / 2;
        write(root, name, (middle as i32, y + 26), TEXT, FAINT, HPos::Center)
    }
}
