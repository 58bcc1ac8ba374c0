//! How a panel is drawn.

use crate::plot::states::Shares;
use crate::plot::{Area, FAINT, GRID, INK, NAME, PAPER, STRONG, TEXT, TICK, blend, told, write};
use anyhow::Result;
use indicatif::HumanCount;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use super::bins::{bins, most_in_bins};
use super::scale::Scale;
use super::time::Time;
use super::{BAND, CURVE, Line, Panel, ROW, ROW_WITH_BAND, SHADES, THIN};

impl Panel {
    pub(super) fn smxs(&self) -> usize {
        self.occupancy.first().map_or(0, Vec::len)
    }

    /// Height of an SMX's row in the heat strip.
    pub(super) fn row(&self) -> u32 {
        if self.states.is_empty() { ROW } else { ROW_WITH_BAND }
    }

    /// Height of the heat strip, with the space above it.
    pub(super) fn strip(&self) -> u32 {
        4 + self.row() * self.smxs() as u32
    }

    /// The occupancy in columns: of each SMX, and their mean.
    pub(super) fn means(&self, time: &Time) -> (Vec<Vec<f64>>, Vec<f64>) {
        let bins = bins(&self.occupancy, self.sample_cycles, &time.edges(self.cycles));
        let means = bins.iter().map(|smxs| smxs.iter().sum::<f64>() / smxs.len() as f64).collect();
        (bins, means)
    }

    pub(super) fn draw(&self, root: &Area<'_>, top: i32, hue: RGBColor, scale: &Scale) -> Result<()> {
        let bottom = top + CURVE as i32;
        self.draw_grid(root, top, bottom, scale)?;
        self.draw_labels(root, top, hue)?;
        let (bins, mean) = self.means(&scale.time);
        let outline = self.steps(&mean, |value| value / scale.top, top, bottom, &scale.time);
        let ends = [(scale.time.x(0), bottom), (scale.time.x(self.cycles), bottom)];
        let area = [&ends[..1], &outline, &ends[1..]].concat();
        root.draw(&Polygon::new(area, hue.mix(0.28))).map_err(told)?;
        root.draw(&PathElement::new(outline, hue.stroke_width(1))).map_err(told)?;
        if scale.height.most > 0.0 && !self.line.is_empty() {
            let edges = scale.time.edges(self.cycles);
            let line = match scale.line {
                Line::Pending => {
                    let single: Vec<Vec<f64>> = self.line.iter().map(|&n| vec![n]).collect();
                    self::bins(&single, self.sample_cycles, &edges).into_iter().flatten().collect()
                }
                Line::LevelRange => most_in_bins(&self.line, self.sample_cycles, &edges),
            };
            let line = self.steps(&line, |value| scale.height.share(value), top, bottom, &scale.time);
            root.draw(&PathElement::new(line, THIN.stroke_width(1))).map_err(told)?;
        }
        self.draw_strip(root, bottom + 4, hue, &bins, scale)?;
        self.draw_end(root, top, bottom, hue, scale)
    }

    pub(super) fn draw_grid(&self, root: &Area<'_>, top: i32, bottom: i32, scale: &Scale) -> Result<()> {
        let (left, right) = scale.time.ends();
        for part in 0..=2 {
            let y = bottom - (bottom - top) * part / 2;
            let percent = format!("{}%", 50.0 * scale.top * f64::from(part));
            root.draw(&PathElement::new([(left, y), (right, y)], GRID)).map_err(told)?;
            write(root, &percent, (left - 6, y - 6), TICK, FAINT, HPos::Right)?;
        }
        if scale.height.most > 0.0 && !self.line.is_empty() {
            for (value, word) in scale.height.labels() {
                let y = bottom - (f64::from(bottom - top) * scale.height.share(value)).round() as i32;
                if scale.height.is_logarithmic() {
                    root.draw(&PathElement::new([(right, y), (right + 4, y)], THIN)).map_err(told)?;
                }
                write(root, &word, (right + 6, y - 6), TICK, THIN, HPos::Left)?;
            }
        }
        let end = bottom + self.strip() as i32;
        if let Some(last) = self.smxs().checked_sub(1) {
            let middle = bottom + self.strip() as i32 / 2;
            write(root, &format!("SMX 0-{last}"), (left - 6, middle - 6), TICK, FAINT, HPos::Right)?;
        }
        for x in scale.time.marks().into_iter().map(|cycle| scale.time.x(cycle)) {
            root.draw(&PathElement::new([(x, top), (x, end)], GRID)).map_err(told)?;
        }
        Ok(())
    }

    pub(super) fn draw_labels(&self, root: &Area<'_>, top: i32, hue: RGBColor) -> Result<()> {
        write(root, &self.name, (24, top - 4), NAME, hue, HPos::Left)?;
        for (note, y) in self.notes.iter().zip((top + 24..).step_by(18)) {
            write(root, note, (24, y), TEXT, INK, HPos::Left)?;
        }
        Ok(())
    }

    /// The corners of a stepped line through columns; `share` says how much of the height a value has.
    pub(super) fn steps(
        &self,
        bins: &[f64],
        share: impl Fn(f64) -> f64,
        top: i32,
        bottom: i32,
        time: &Time,
    ) -> Vec<(i32, i32)> {
        let y = |value: f64| bottom - (f64::from(bottom - top) * share(value).clamp(0.0, 1.0)).round() as i32;
        let mut corners: Vec<(i32, i32)> = Vec::new();
        for (column, &value) in time.edges(self.cycles).windows(2).zip(bins) {
            let (from, to) = (time.x(column[0]), time.x(column[1]));
            match corners.last_mut() {
                Some(last) if last.1 == y(value) => last.0 = to,
                _ => corners.extend([(from, y(value)), (to, y(value))]),
            }
        }
        corners
    }

    /// A row for each SMX, the darker the fuller. Shades go by the square root, so that a single warp can be seen.
    pub(super) fn draw_strip(
        &self,
        root: &Area<'_>,
        top: i32,
        hue: RGBColor,
        bins: &[Vec<f64>],
        scale: &Scale,
    ) -> Result<()> {
        let shade = |paper: RGBColor, occupancy: f64| {
            // Next to empty is still not empty.
            let depth = 0.06 + 0.94 * (SHADES * occupancy.sqrt()).round() / SHADES;
            if occupancy == 0.0 { paper } else { blend(paper, hue, depth) }
        };
        let row = self.row() as i32;
        for (smx, y) in (0..self.smxs()).zip((top..).step_by(row as usize)) {
            let Some(spans) = self.states.get(smx) else {
                let heat: Vec<_> = bins.iter().map(|bin| shade(PAPER, bin[smx])).collect();
                self.draw_row(root, (y, y + row), &heat, &scale.time)?;
                continue;
            };
            let shares = Shares::bins(spans, &scale.time.edges(self.cycles));
            let heat: Vec<_> = bins.iter().zip(&shares).map(|(bin, s)| shade(s.tint(PAPER), bin[smx])).collect();
            let band: Vec<_> = shares.iter().map(Shares::band).collect();
            let middle = y + row - 1 - BAND as i32;
            self.draw_row(root, (y, middle), &heat, &scale.time)?;
            self.draw_row(root, (middle, y + row - 1), &band, &scale.time)?;
        }
        Ok(())
    }

    /// A colour for each bin; neighbours of one colour share a rectangle.
    pub(super) fn draw_row(
        &self,
        root: &Area<'_>,
        (top, bottom): (i32, i32),
        bins: &[RGBColor],
        time: &Time,
    ) -> Result<()> {
        let (edges, mut first) = (time.edges(self.cycles), 0);
        for run in bins.chunk_by(|a, b| a == b) {
            let behind = first + run.len();
            let corners = [(time.x(edges[first]), top), (time.x(edges[behind]), bottom)];
            root.draw(&Rectangle::new(corners, run[0].filled())).map_err(told)?;
            first = behind;
        }
        Ok(())
    }

    /// Where the run ends, if others go on.
    pub(super) fn draw_end(&self, root: &Area<'_>, top: i32, bottom: i32, hue: RGBColor, scale: &Scale) -> Result<()> {
        let x = scale.time.x(self.cycles);
        let line = [(x, top - 2), (x, bottom + self.strip() as i32)];
        root.draw(&PathElement::new(line, hue.stroke_width(2))).map_err(told)?;
        let text = format!("{} cycles", HumanCount(self.cycles));
        let room = scale.time.ends().1 - x > 140;
        let (at, end) = if room { ((x + 6, top), HPos::Left) } else { ((x - 6, top - 18), HPos::Right) };
        write(root, &text, at, STRONG, hue, end)
    }
}
