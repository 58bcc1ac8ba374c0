//! The picture of a comparison: SMX occupancy over time, a panel per run on one time axis.
//!
//! A panel shows the mean over the SMXs as an area, pending launches or level ranges as a thin line, and a heat strip with a row per SMX
//! underneath. With bubble DVFS bubbles are tinted there, and each row has a band that shows what the SMX was made to do.

use super::states::{self, Shares};
use super::{Area, FAINT, GRID, INK, NAME, PAPER, STRONG, TEXT, TICK, blend, round_step, title, told, write};
use anyhow::{Context, Result};
use gpusched_refgpu::timeline::Span;
use indicatif::HumanCount;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

/// What to draw.
#[derive(Clone, Debug)]
pub struct Figure {
    /// First line.
    pub title: String,
    /// Second line, smaller.
    pub subtitle: String,
    /// What the thin lines show.
    pub line: Line,
    /// From top to bottom.
    pub panels: Vec<Panel>,
}

/// A quantity that panels show as a thin line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line {
    /// Mean number of pending launches.
    Pending,
    /// How many levels apart TBs are at most that run at the same time.
    LevelRange,
}

/// One run.
#[derive(Clone, Debug)]
pub struct Panel {
    /// Name of the mode.
    pub name: String,
    /// Colour, by number; numbers beyond the colours start again.
    pub hue: usize,
    /// Short facts, one a line, beside the panel.
    pub notes: Vec<String>,
    /// Length of the run.
    pub cycles: u64,
    /// Cycles that a sample covers; the last one ends with the run.
    pub sample_cycles: u64,
    /// Sample by sample the occupancy of each SMX, 0..=1.
    pub occupancy: Vec<Vec<f64>>,
    /// The thin line, sample by sample. Empty: there is none.
    pub line: Vec<f64>,
    /// What each SMX was made to do; empty: nobody cares.
    pub states: Vec<Vec<Span>>,
}

const WIDTH: u32 = 1080;
const HEADER: u32 = 108;
const FOOTER: u32 = 44;
const CURVE: u32 = 104;
/// Height of an SMX's row in the heat strip.
const ROW: u32 = 4;
/// The same with a band of states, and the height of that band.
const ROW_WITH_BAND: u32 = 13;
const BAND: u32 = 5;
const GAP: u32 = 30;
const LEFT: u32 = 212;
const RIGHT: u32 = 68;
/// Columns of the picture that samples are averaged into.
const BINS: u64 = 380;
/// Shades of the heat strip, so that neighbours can share a rectangle.
const SHADES: f64 = 12.0;

const THIN: RGBColor = RGBColor(190, 24, 93);

/// Colours of panels.
const HUES: [RGBColor; 5] = [
    RGBColor(71, 85, 105),
    RGBColor(194, 65, 12),
    RGBColor(202, 138, 4),
    RGBColor(29, 78, 216),
    RGBColor(13, 148, 136),
];

/// The picture as the text of an SVG file. The same figure gives the same text.
pub fn svg(figure: &Figure) -> Result<String> {
    let mut text = String::new();
    draw(figure, &mut text).context("cannot draw the plot")?;
    Ok(text)
}

fn draw(figure: &Figure, text: &mut String) -> Result<()> {
    let heights: Vec<u32> = figure.panels.iter().map(|panel| CURVE + panel.strip() + GAP).collect();
    let scale = Scale::of(figure);
    let height = scale.header() + heights.iter().sum::<u32>() + FOOTER;
    let root = SVGBackend::with_string(text, (WIDTH, height)).into_drawing_area();
    root.fill(&WHITE).map_err(told)?;
    title(&root, &figure.title, &figure.subtitle)?;
    draw_legend(&root, &scale)?;
    let mut top = scale.header();
    for (panel, height) in figure.panels.iter().zip(heights) {
        panel.draw(&root, top as i32, HUES[panel.hue % HUES.len()], &scale)?;
        top += height;
    }
    scale.draw_axis(&root, top as i32 - GAP as i32)?;
    root.present().map_err(told)
}

/// How to read a panel.
fn draw_legend(root: &Area<'_>, scale: &Scale) -> Result<()> {
    let top = 68;
    root.draw(&Rectangle::new([(24, top + 3), (44, top + 13)], FAINT.mix(0.3).filled())).map_err(told)?;
    root.draw(&PathElement::new([(24, top + 3), (44, top + 3)], FAINT)).map_err(told)?;
    write(root, "resident warps, mean of the SMXs", (50, top), TEXT, FAINT, HPos::Left)?;
    if scale.states {
        states::draw_legend(root, 24, top + 22)?;
    }
    for shade in 0..5 {
        let colour = blend(PAPER, FAINT, f64::from(shade) / 4.0);
        let x = 290 + 6 * shade;
        root.draw(&Rectangle::new([(x, top + 3), (x + 6, top + 13)], colour.filled())).map_err(told)?;
    }
    write(root, "the same for each SMX, a row each", (326, top), TEXT, FAINT, HPos::Left)?;
    if scale.most > 0.0 {
        let words = match scale.line {
            Line::Pending => "pending launches (right)",
            Line::LevelRange => "levels apart, at most (right)",
        };
        root.draw(&PathElement::new([(570, top + 8), (590, top + 8)], THIN.stroke_width(2))).map_err(told)?;
        write(root, words, (596, top), TEXT, FAINT, HPos::Left)?;
    }
    Ok(())
}

/// What all panels have in common.
struct Scale {
    /// Cycles at the right end.
    cycles: u64,
    bin: u64,
    /// Occupancy at the top.
    top: f64,
    line: Line,
    /// The top of the thin lines.
    most: f64,
    /// Whether a panel has states.
    states: bool,
}

impl Scale {
    fn of(figure: &Figure) -> Self {
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
    fn header(&self) -> u32 {
        HEADER + if self.states { 22 } else { 0 }
    }

    /// Distance of grid lines, and the unit of their labels: its size and name.
    fn grid(&self) -> (u64, u64, &'static str) {
        let step = round_step(self.cycles, 8);
        match step {
            0..1_000 => (step, 1, "cycles"),
            1_000..1_000_000 => (step, 1_000, "thousand cycles"),
            _ => (step, 1_000_000, "million cycles"),
        }
    }

    /// Pixel column of a cycle.
    fn x(&self, cycle: u64) -> i32 {
        let across = f64::from(WIDTH - LEFT - RIGHT);
        LEFT as i32 + (across * cycle as f64 / self.cycles as f64).round() as i32
    }

    fn draw_axis(&self, root: &Area<'_>, y: i32) -> Result<()> {
        let (step, unit, name) = self.grid();
        for cycle in (0..=self.cycles).step_by(step as usize) {
            write(root, &HumanCount(cycle / unit).to_string(), (self.x(cycle), y + 6), TEXT, INK, HPos::Center)?;
        }
        let middle = (LEFT + WIDTH - RIGHT) / 2;
        write(root, name, (middle as i32, y + 26), TEXT, FAINT, HPos::Center)
    }
}

impl Panel {
    fn smxs(&self) -> usize {
        self.occupancy.first().map_or(0, Vec::len)
    }

    /// Height of an SMX's row in the heat strip.
    fn row(&self) -> u32 {
        if self.states.is_empty() { ROW } else { ROW_WITH_BAND }
    }

    /// Height of the heat strip, with the space above it.
    fn strip(&self) -> u32 {
        4 + self.row() * self.smxs() as u32
    }

    /// The occupancy in bins of `bin` cycles: of each SMX, and their mean.
    fn means(&self, bin: u64) -> (Vec<Vec<f64>>, Vec<f64>) {
        let bins = bins(&self.occupancy, self.sample_cycles, self.cycles, bin);
        let means = bins.iter().map(|smxs| smxs.iter().sum::<f64>() / smxs.len() as f64).collect();
        (bins, means)
    }

    fn draw(&self, root: &Area<'_>, top: i32, hue: RGBColor, scale: &Scale) -> Result<()> {
        let bottom = top + CURVE as i32;
        self.draw_grid(root, top, bottom, scale)?;
        self.draw_labels(root, top, hue)?;
        let (bins, mean) = self.means(scale.bin);
        let outline = self.steps(&mean, scale.top, top, bottom, scale);
        let ends = [(scale.x(0), bottom), (scale.x(self.cycles), bottom)];
        let area = [&ends[..1], &outline, &ends[1..]].concat();
        root.draw(&Polygon::new(area, hue.mix(0.28))).map_err(told)?;
        root.draw(&PathElement::new(outline, hue.stroke_width(1))).map_err(told)?;
        if scale.most > 0.0 && !self.line.is_empty() {
            let line = match scale.line {
                Line::Pending => {
                    let single: Vec<Vec<f64>> = self.line.iter().map(|&n| vec![n]).collect();
                    let means = self::bins(&single, self.sample_cycles, self.cycles, scale.bin);
                    means.into_iter().flatten().collect()
                }
                Line::LevelRange => most_in_bins(&self.line, self.sample_cycles, self.cycles, scale.bin),
            };
            let line = self.steps(&line, scale.most, top, bottom, scale);
            root.draw(&PathElement::new(line, THIN.stroke_width(1))).map_err(told)?;
        }
        self.draw_strip(root, bottom + 4, hue, &bins, scale)?;
        self.draw_end(root, top, bottom, hue, scale)
    }

    fn draw_grid(&self, root: &Area<'_>, top: i32, bottom: i32, scale: &Scale) -> Result<()> {
        let (left, right) = (scale.x(0), scale.x(scale.cycles));
        for part in 0..=2 {
            let y = bottom - (bottom - top) * part / 2;
            let percent = format!("{}%", 50.0 * scale.top * f64::from(part));
            root.draw(&PathElement::new([(left, y), (right, y)], GRID)).map_err(told)?;
            write(root, &percent, (left - 6, y - 6), TICK, FAINT, HPos::Right)?;
            if scale.most > 0.0 && !self.line.is_empty() {
                let number = HumanCount((scale.most * f64::from(part) / 2.0).round() as u64);
                write(root, &number.to_string(), (right + 6, y - 6), TICK, THIN, HPos::Left)?;
            }
        }
        let end = bottom + self.strip() as i32;
        if let Some(last) = self.smxs().checked_sub(1) {
            let middle = bottom + self.strip() as i32 / 2;
            write(root, &format!("SMX 0-{last}"), (left - 6, middle - 6), TICK, FAINT, HPos::Right)?;
        }
        for cycle in (0..=scale.cycles).step_by(scale.grid().0 as usize) {
            let x = scale.x(cycle);
            root.draw(&PathElement::new([(x, top), (x, end)], GRID)).map_err(told)?;
        }
        Ok(())
    }

    fn draw_labels(&self, root: &Area<'_>, top: i32, hue: RGBColor) -> Result<()> {
        write(root, &self.name, (24, top - 4), NAME, hue, HPos::Left)?;
        for (note, y) in self.notes.iter().zip((top + 24..).step_by(18)) {
            write(root, note, (24, y), TEXT, INK, HPos::Left)?;
        }
        Ok(())
    }

    /// The corners of a stepped line through bins, `most` at the top.
    fn steps(&self, bins: &[f64], most: f64, top: i32, bottom: i32, scale: &Scale) -> Vec<(i32, i32)> {
        let y = |value: f64| bottom - (f64::from(bottom - top) * (value / most).clamp(0.0, 1.0)).round() as i32;
        let mut corners: Vec<(i32, i32)> = Vec::new();
        for (start, &value) in (0..).step_by(scale.bin as usize).zip(bins) {
            let (from, to) = (scale.x(start), scale.x((start + scale.bin).min(self.cycles)));
            match corners.last_mut() {
                Some(last) if last.1 == y(value) => last.0 = to,
                _ => corners.extend([(from, y(value)), (to, y(value))]),
            }
        }
        corners
    }

    /// A row for each SMX, the darker the fuller. Shades go by the square root, so that a single warp can be seen.
    fn draw_strip(&self, root: &Area<'_>, top: i32, hue: RGBColor, bins: &[Vec<f64>], scale: &Scale) -> Result<()> {
        let shade = |paper: RGBColor, occupancy: f64| {
            // Next to empty is still not empty.
            let depth = 0.06 + 0.94 * (SHADES * occupancy.sqrt()).round() / SHADES;
            if occupancy == 0.0 { paper } else { blend(paper, hue, depth) }
        };
        let row = self.row() as i32;
        for (smx, y) in (0..self.smxs()).zip((top..).step_by(row as usize)) {
            let Some(spans) = self.states.get(smx) else {
                let heat: Vec<_> = bins.iter().map(|bin| shade(PAPER, bin[smx])).collect();
                self.draw_row(root, (y, y + row), &heat, scale)?;
                continue;
            };
            let shares = Shares::bins(spans, scale.bin, self.cycles);
            let heat: Vec<_> = bins.iter().zip(&shares).map(|(bin, s)| shade(s.tint(PAPER), bin[smx])).collect();
            let band: Vec<_> = shares.iter().map(Shares::band).collect();
            let middle = y + row - 1 - BAND as i32;
            self.draw_row(root, (y, middle), &heat, scale)?;
            self.draw_row(root, (middle, y + row - 1), &band, scale)?;
        }
        Ok(())
    }

    /// A colour for each bin; neighbours of one colour share a rectangle.
    fn draw_row(&self, root: &Area<'_>, (top, bottom): (i32, i32), bins: &[RGBColor], scale: &Scale) -> Result<()> {
        let mut start = 0;
        for run in bins.chunk_by(|a, b| a == b) {
            let end = (start + run.len() as u64 * scale.bin).min(self.cycles);
            let corners = [(scale.x(start), top), (scale.x(end), bottom)];
            root.draw(&Rectangle::new(corners, run[0].filled())).map_err(told)?;
            start = end;
        }
        Ok(())
    }

    /// Where the run ends, if others go on.
    fn draw_end(&self, root: &Area<'_>, top: i32, bottom: i32, hue: RGBColor, scale: &Scale) -> Result<()> {
        let x = scale.x(self.cycles);
        let line = [(x, top - 2), (x, bottom + self.strip() as i32)];
        root.draw(&PathElement::new(line, hue.stroke_width(2))).map_err(told)?;
        let text = format!("{} cycles", HumanCount(self.cycles));
        let room = scale.x(scale.cycles) - x > 140;
        let (at, end) = if room { ((x + 6, top), HPos::Left) } else { ((x - 6, top - 18), HPos::Right) };
        write(root, &text, at, STRONG, hue, end)
    }
}

/// Means over bins of `bin` cycles, of samples that cover `sample_cycles` each and `cycles` together.
fn bins(samples: &[Vec<f64>], sample_cycles: u64, cycles: u64, bin: u64) -> Vec<Vec<f64>> {
    let width = samples.first().map_or(0, Vec::len);
    let mut bins = vec![vec![0.0; width]; cycles.div_ceil(bin) as usize];
    for (start, sample) in (0..).step_by(sample_cycles as usize).zip(samples) {
        let end = (start + sample_cycles).min(cycles);
        let mut from = start;
        while from < end {
            let index = from / bin;
            let to = end.min((index + 1) * bin);
            let share = (to - from) as f64 / (((index + 1) * bin).min(cycles) - index * bin) as f64;
            for (sum, value) in bins[index as usize].iter_mut().zip(sample) {
                *sum += share * value;
            }
            from = to;
        }
    }
    bins
}

/// The greatest of the samples that lie in each bin, wholly or in part.
fn most_in_bins(samples: &[f64], sample_cycles: u64, cycles: u64, bin: u64) -> Vec<f64> {
    let mut bins = vec![0.0; cycles.div_ceil(bin) as usize];
    for (start, &sample) in (0..cycles).step_by(sample_cycles as usize).zip(samples) {
        let end = (start + sample_cycles).min(cycles);
        let of_sample = bins.iter_mut().take(end.div_ceil(bin) as usize).skip((start / bin) as usize);
        of_sample.for_each(|most| *most = sample.max(*most));
    }
    bins
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpusched_refgpu::power::SmxState;

    fn states(cycles: u64) -> Vec<Vec<Span>> {
        let span = |from, to, state, bubble| Span { from, to, state, bubble };
        let (a, b) = (cycles / 3, cycles / 2);
        let spans = [
            span(0, a, SmxState::High, false),
            span(a, b, SmxState::Draining, true),
            span(b, cycles, SmxState::Low, true),
        ];
        vec![spans.to_vec(); 13]
    }

    fn figure() -> Figure {
        let panel = |name: &str, cycles: u64, pending: bool| {
            let samples = cycles.div_ceil(500) as usize;
            let level = |i: usize, smx: usize| {
                let x = i as f64 / samples as f64;
                ((12.0 * x).sin().abs() * (1.0 - 0.03 * smx as f64)).clamp(0.0, 1.0)
            };
            Panel {
                name: name.to_owned(),
                hue: cycles as usize,
                notes: vec!["1.00x flat".to_owned(), "occupancy 43.0%".to_owned()],
                cycles,
                sample_cycles: 500,
                occupancy: (0..samples).map(|i| (0..13).map(|smx| level(i, smx)).collect()).collect(),
                line: if pending { (0..samples).map(|i| 900.0 * level(i, 7)).collect() } else { Vec::new() },
                states: if pending { states(cycles) } else { Vec::new() },
            }
        };
        Figure {
            title: "SMX occupancy: bfs on wordnet & co, Tesla K20c".to_owned(),
            subtitle: "117,659 vertices".to_owned(),
            line: Line::Pending,
            panels: vec![panel("flat", 812_345, false), panel("cdp", 1_403_001, true), panel("dtbl", 650_000, true)],
        }
    }

    #[test]
    fn the_same_figure_gives_the_same_text() {
        let text = svg(&figure()).unwrap();
        assert_eq!(text, svg(&figure()).unwrap());
        assert!(text.contains("wordnet &amp; co") && text.contains("812,345 cycles"));
        assert!(text.contains("draining") && text.contains("low P-state"), "the legend of the states");
    }

    #[test]
    fn bins_keep_the_mean() {
        let samples: Vec<Vec<f64>> = (0..10).map(|i| vec![f64::from(i)]).collect();
        // The last sample covers 50 cycles of 100.
        let bins = bins(&samples, 100, 950, 190);
        let mean = bins.iter().map(|b| b[0]).sum::<f64>() / 5.0;
        assert_eq!(bins.len(), 5);
        assert!((mean - (36.0 * 100.0 + 9.0 * 50.0) / 950.0).abs() < 1e-12, "{mean}");
        assert!((bins[0][0] - 90.0 / 190.0).abs() < 1e-12);
    }

    #[test]
    fn bins_keep_the_greatest() {
        let samples = [1.0, 0.0, 5.0, 0.0, 2.0];
        assert_eq!(most_in_bins(&samples, 100, 450, 200), [1.0, 5.0, 2.0]);
        assert_eq!(most_in_bins(&samples, 100, 450, 150), [1.0, 5.0, 2.0]);
        assert_eq!(most_in_bins(&samples, 100, 450, 50), [1.0, 1.0, 0.0, 0.0, 5.0, 5.0, 0.0, 0.0, 2.0]);
    }

    #[test]
    fn levels_have_a_line_and_a_scale_of_whole_numbers() {
        let mut figure = Figure { line: Line::LevelRange, ..figure() };
        figure.panels[0].line = vec![3.0; 1625];
        figure.panels.truncate(1);
        assert_eq!(Scale::of(&figure).most, 4.0);
        let text = svg(&figure).unwrap();
        assert!(text.contains("levels apart, at most (right)"), "{text}");
    }

    #[test]
    fn an_empty_run_can_be_drawn() {
        let panel = Panel {
            name: "flat".to_owned(),
            hue: 0,
            notes: Vec::new(),
            cycles: 0,
            sample_cycles: 500,
            occupancy: Vec::new(),
            line: Vec::new(),
            states: Vec::new(),
        };
        svg(&Figure { title: String::new(), subtitle: String::new(), line: Line::LevelRange, panels: vec![panel] })
            .unwrap();
    }
}
