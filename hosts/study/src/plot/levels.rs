//! Levels over time: how far TBs with dependencies run ahead of each other. A panel per run shows how many TBs of each level run at a
//! time, the darker the more; a last panel how far apart their levels are.

use super::{
    Area, BLUE, FAINT, GREEN, GRID, INK, NAME, PAPER, STRONG, TEXT, TICK, VERMILLION, blend, round_step, title, told,
    write,
};
use anyhow::{Context, Result};
use indicatif::HumanCount;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;
use std::collections::BTreeMap;

/// What to draw.
#[derive(Clone, Debug)]
pub struct Figure {
    /// First line.
    pub title: String,
    /// Second line, smaller.
    pub subtitle: String,
    /// Number of levels.
    pub levels: u32,
    /// From top to bottom, on one time axis.
    pub panels: Vec<Panel>,
}

/// A run.
#[derive(Clone, Debug)]
pub struct Panel {
    /// Its name.
    pub name: String,
    /// Short facts, one a line, beside the panel.
    pub notes: Vec<String>,
    /// Its length.
    pub cycles: u64,
    /// Its TBs.
    pub bars: Vec<Bar>,
}

/// A TB.
#[derive(Clone, Copy, Debug)]
pub struct Bar {
    /// First cycle.
    pub from: u64,
    /// The cycle behind the last.
    pub to: u64,
    /// Its level.
    pub level: u32,
}

const WIDTH: u32 = 1080;
const HEADER: u32 = 112;
const FOOTER: u32 = 48;
const GAP: u32 = 36;
const LEFT: u32 = 252;
const RIGHT: u32 = 40;
/// Height of all levels of a panel.
const LEVELS: u32 = 188;
/// Height of the last panel.
const RANGE: u32 = 110;
/// Columns of the picture that time is cut into.
const BINS: u64 = 394;
/// Shades, so that neighbours can share a rectangle.
const SHADES: f64 = 16.0;
const HUES: [RGBColor; 3] = [VERMILLION, BLUE, GREEN];

/// The picture as the text of an SVG file. The same figure gives the same text.
pub fn svg(figure: &Figure) -> Result<String> {
    let mut text = String::new();
    draw(figure, &mut text).context("cannot draw the levels")?;
    Ok(text)
}

fn draw(figure: &Figure, text: &mut String) -> Result<()> {
    let page = Page::of(figure);
    let panels = figure.panels.len() as u32;
    let height = HEADER + panels * (LEVELS + GAP) + RANGE + FOOTER;
    let root = SVGBackend::with_string(text, (WIDTH, height)).into_drawing_area();
    root.fill(&WHITE).map_err(told)?;
    title(&root, &figure.title, &figure.subtitle)?;
    draw_legend(&root, page.most)?;
    let mut top = HEADER as i32;
    for (panel, hue) in figure.panels.iter().zip(HUES.into_iter().cycle()) {
        page.draw_panel(&root, panel, top, hue)?;
        top += (LEVELS + GAP) as i32;
    }
    page.draw_ranges(&root, &figure.panels, top)?;
    page.draw_axis(&root, top + RANGE as i32)?;
    root.present().map_err(told)
}

/// How to read a shade.
fn draw_legend(root: &Area<'_>, most: u32) -> Result<()> {
    let (top, steps, left) = (76, 8, 222);
    write(root, "TBs of a level that run at a time:", (24, top), TEXT, FAINT, HPos::Left)?;
    write(root, "1", (left - 6, top), TEXT, FAINT, HPos::Right)?;
    for step in 0..steps {
        let colour = blend(PAPER, FAINT, f64::from(step + 1) / f64::from(steps));
        let x = left + 9 * step;
        root.draw(&Rectangle::new([(x, top + 2), (x + 9, top + 14)], colour.filled())).map_err(told)?;
    }
    write(root, &most.to_string(), (left + 9 * steps + 6, top), TEXT, FAINT, HPos::Left)
}

/// How a figure is laid out.
struct Page {
    /// Cycles at the right end.
    cycles: u64,
    bin: u64,
    levels: u32,
    /// Most TBs of a level at a time, in the mean of a column.
    most: u32,
    /// Most levels apart.
    range: u32,
}

impl Page {
    fn of(figure: &Figure) -> Self {
        let cycles = figure.panels.iter().map(|panel| panel.cycles).max().unwrap_or(0).max(1);
        let bin = cycles.div_ceil(BINS);
        let running = figure.panels.iter().flat_map(|panel| panel.running(bin, figure.levels));
        let most = running.flatten().fold(1.0, f64::max).round() as u32;
        let range = figure.panels.iter().flat_map(|panel| panel.ranges(bin)).max().unwrap_or(0).max(1);
        Self { cycles, bin, levels: figure.levels.max(1), most, range }
    }

    /// Pixel column of an instant.
    fn x(&self, time: u64) -> i32 {
        let across = f64::from(WIDTH - LEFT - RIGHT);
        LEFT as i32 + (across * time as f64 / self.cycles as f64).round() as i32
    }

    /// Pixel row of the upper end of a level, level 0 lowest.
    fn y(&self, top: i32, level: u32) -> i32 {
        let up = f64::from(LEVELS) * f64::from(level + 1) / f64::from(self.levels);
        top + LEVELS as i32 - up.round() as i32
    }

    fn step(&self) -> u64 {
        round_step(self.cycles, 8)
    }

    fn draw_axis(&self, root: &Area<'_>, y: i32) -> Result<()> {
        for time in (0..=self.cycles).step_by(self.step() as usize) {
            write(root, &HumanCount(time).to_string(), (self.x(time), y + 6), TEXT, INK, HPos::Center)?;
        }
        write(root, "cycles", ((self.x(0) + self.x(self.cycles)) / 2, y + 26), TEXT, FAINT, HPos::Center)
    }

    /// Paper, vertical lines, and the numbers on the left, each with its pixel row.
    fn draw_grid(&self, root: &Area<'_>, top: i32, height: u32, numbers: &[(u32, i32)]) -> Result<()> {
        let (left, right, bottom) = (self.x(0), self.x(self.cycles), top + height as i32);
        root.draw(&Rectangle::new([(left, top), (right, bottom)], PAPER.filled())).map_err(told)?;
        for time in (0..=self.cycles).step_by(self.step() as usize) {
            let x = self.x(time);
            root.draw(&PathElement::new([(x, top), (x, bottom)], GRID)).map_err(told)?;
        }
        for &(number, y) in numbers {
            root.draw(&PathElement::new([(left, y), (right, y)], GRID)).map_err(told)?;
            write(root, &number.to_string(), (left - 8, y - 6), TICK, FAINT, HPos::Right)?;
        }
        Ok(())
    }

    fn draw_panel(&self, root: &Area<'_>, panel: &Panel, top: i32, hue: RGBColor) -> Result<()> {
        write(root, &panel.name, (24, top - 4), NAME, hue, HPos::Left)?;
        for (note, y) in panel.notes.iter().zip((top + 24..).step_by(18)) {
            write(root, note, (24, y), TEXT, INK, HPos::Left)?;
        }
        let step = round_step(self.levels.into(), 5) as usize;
        let middle = |level: u32| (self.y(top, level) + self.y(top, level) + (LEVELS / self.levels) as i32) / 2;
        let numbers: Vec<_> = (0..self.levels).step_by(step).map(|level| (level, middle(level))).collect();
        self.draw_grid(root, top, LEVELS, &numbers)?;
        write(root, "level", (self.x(0) - 8, top - 18), TICK, FAINT, HPos::Right)?;
        let running = panel.running(self.bin, self.levels);
        for level in 0..self.levels {
            let shades: Vec<f64> = running.iter().map(|bin| self.shade(bin[level as usize])).collect();
            let below = if level == 0 { top + LEVELS as i32 } else { self.y(top, level - 1) };
            let mut start = 0;
            for run in shades.chunk_by(|a, b| a == b) {
                let end = start + run.len() as u64 * self.bin;
                if run[0] > 0.0 {
                    let corners = [(self.x(start), self.y(top, level)), (self.x(end.min(panel.cycles)), below)];
                    root.draw(&Rectangle::new(corners, blend(PAPER, hue, run[0]).filled())).map_err(told)?;
                }
                start = end;
            }
        }
        let x = self.x(panel.cycles);
        root.draw(&PathElement::new([(x, top - 4), (x, top + LEVELS as i32)], hue.stroke_width(2))).map_err(told)?;
        let words = format!("{} cycles", HumanCount(panel.cycles));
        write(root, &words, (x, top - 20), STRONG, hue, HPos::Right)
    }

    /// How dark a mean number of TBs is. A single one is still seen.
    fn shade(&self, tbs: f64) -> f64 {
        if tbs == 0.0 { 0.0 } else { ((tbs / f64::from(self.most)).min(1.0).sqrt() * SHADES).ceil() / SHADES }
    }

    fn draw_ranges(&self, root: &Area<'_>, panels: &[Panel], top: i32) -> Result<()> {
        write(root, "level range", (24, top - 4), NAME, INK, HPos::Left)?;
        let notes = ["how many levels apart TBs are", "that run at the same time"];
        for (note, y) in notes.into_iter().zip((top + 24..).step_by(18)) {
            write(root, note, (24, y), TEXT, INK, HPos::Left)?;
        }
        let y = |range: u32| top + RANGE as i32 - (RANGE * range / self.range) as i32;
        let step = round_step(self.range.into(), 4) as usize;
        let numbers: Vec<_> = (0..=self.range).step_by(step).map(|range| (range, y(range))).collect();
        self.draw_grid(root, top, RANGE, &numbers)?;
        // What goes far is drawn first, as an area; lines of others lie over it.
        let mut lines: Vec<_> =
            panels.iter().zip(HUES.into_iter().cycle()).map(|(p, hue)| (p.ranges(self.bin), hue, &p.name)).collect();
        lines.sort_by_key(|(ranges, ..)| std::cmp::Reverse(ranges.iter().max().copied()));
        let mut x = self.x(0);
        for (place, (ranges, hue, name)) in lines.iter().enumerate() {
            let mut corners: Vec<(i32, i32)> = Vec::new();
            for (start, &range) in (0..).step_by(self.bin as usize).zip(ranges) {
                let end = (start + self.bin).min(self.cycles);
                match corners.last_mut() {
                    Some(last) if last.1 == y(range) => last.0 = self.x(end),
                    _ => corners.extend([(self.x(start), y(range)), (self.x(end), y(range))]),
                }
            }
            if place == 0
                && let (Some(first), Some(last)) = (corners.first(), corners.last())
            {
                let ends = [(last.0, y(0)), (first.0, y(0))];
                root.draw(&Polygon::new([corners.as_slice(), &ends].concat(), hue.mix(0.25))).map_err(told)?;
            }
            root.draw(&PathElement::new(corners, hue.stroke_width(2))).map_err(told)?;
            write(root, name, (x, top - 20), STRONG, *hue, HPos::Left)?;
            x += 16 + 8 * name.len() as i32;
        }
        Ok(())
    }
}

impl Panel {
    /// Mean number of TBs of each level that run, in columns of `bin` cycles.
    fn running(&self, bin: u64, levels: u32) -> Vec<Vec<f64>> {
        let mut columns = vec![vec![0.0; levels as usize]; self.cycles.div_ceil(bin) as usize];
        for bar in &self.bars {
            let mut from = bar.from;
            while from < bar.to {
                let column = from / bin;
                let to = bar.to.min((column + 1) * bin);
                if let Some(sum) = columns.get_mut(column as usize).and_then(|c| c.get_mut(bar.level as usize)) {
                    *sum += (to - from) as f64 / bin as f64;
                }
                from = to;
            }
        }
        columns
    }

    /// The greatest distance between levels that run at the same time, in columns of `bin` cycles.
    fn ranges(&self, bin: u64) -> Vec<u32> {
        let mut columns = vec![0; self.cycles.div_ceil(bin) as usize];
        // Ends come before starts at the same instant.
        let mut events: Vec<(u64, bool, u32)> =
            self.bars.iter().flat_map(|bar| [(bar.from, true, bar.level), (bar.to, false, bar.level)]).collect();
        events.sort_unstable();
        let mut running = BTreeMap::<u32, u32>::new();
        for (place, &(at, starts, level)) in events.iter().enumerate() {
            let tbs = running.entry(level).or_default();
            *tbs = if starts { *tbs + 1 } else { *tbs - 1 };
            if *tbs == 0 {
                running.remove(&level);
            }
            let until = events.get(place + 1).map_or(at, |next| next.0);
            let ends = running.first_key_value().zip(running.last_key_value());
            if let Some(((low, _), (high, _))) = ends
                && at < until
            {
                let columns =
                    columns.iter_mut().skip((at / bin) as usize).take((until.div_ceil(bin) - at / bin) as usize);
                columns.for_each(|range| *range = (*range).max(high - low));
            }
        }
        columns
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel() -> Panel {
        let bar = |from, to, level| Bar { from, to, level };
        Panel {
            name: "lrr & co".to_owned(),
            notes: vec!["3 TBs".to_owned()],
            cycles: 100,
            bars: vec![bar(0, 100, 0), bar(0, 25, 0), bar(25, 40, 3)],
        }
    }

    #[test]
    fn columns_hold_what_runs_in_them() {
        let running = panel().running(10, 4);
        assert_eq!(running.len(), 10);
        assert_eq!((running[0][0], running[2][0], running[2][3], running[9][0]), (2.0, 1.5, 0.5, 1.0));
        assert_eq!(panel().ranges(10), [0, 0, 3, 3, 0, 0, 0, 0, 0, 0]);
        assert_eq!(panel().ranges(30), [3, 3, 0, 0]);
    }

    #[test]
    fn the_same_figure_gives_the_same_text_and_an_empty_one_can_be_drawn() {
        let empty = Panel { name: String::new(), notes: Vec::new(), cycles: 0, bars: Vec::new() };
        let figure =
            |panels: Vec<Panel>, levels| Figure { title: "a".to_owned(), subtitle: String::new(), levels, panels };
        let text = svg(&figure(vec![panel(), panel()], 4)).unwrap();
        assert_eq!(text, svg(&figure(vec![panel(), panel()], 4)).unwrap());
        assert!(text.contains("lrr &amp; co") && text.contains("100 cycles") && text.contains("level range"));
        svg(&figure(vec![empty], 0)).unwrap();
    }
}
