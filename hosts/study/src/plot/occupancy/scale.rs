//! What all panels of a picture have in common.

use super::height::Height;
use super::time::Time;
use super::{Figure, HEADER, LEGEND, Line};

/// What all panels have in common.
pub(super) struct Scale {
    pub(super) time: Time,
    /// Occupancy at the top.
    pub(super) top: f64,
    /// What the thin lines show, and how high.
    pub(super) line: Line,
    pub(super) height: Height,
    /// Whether a panel has states.
    pub(super) states: bool,
}

impl Scale {
    pub(super) fn of(figure: &Figure) -> Self {
        let Figure { panels, line, .. } = figure;
        let time = Time::of(panels);
        let fullest = panels.iter().flat_map(|panel| panel.means(&time).1).fold(0.0, f64::max);
        let top = [0.05, 0.1, 0.2, 0.5].into_iter().find(|&top| fullest <= top).unwrap_or(1.0);
        Self {
            time,
            top,
            line: *line,
            height: Height::of(figure),
            states: panels.iter().any(|panel| !panel.states.is_empty()),
        }
    }

    /// What a reader has to know of the axes, if anything.
    pub(super) fn remark(&self) -> Option<String> {
        self.time.remark()
    }

    /// Pixels above the first panel.
    pub(super) fn header(&self) -> u32 {
        HEADER + LEGEND * (u32::from(self.states) + u32::from(self.remark().is_some()))
    }
}
