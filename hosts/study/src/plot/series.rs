//! Figures over time as stepped lines: how many blocks run, how far ahead lines are prefetched. A panel per run, all on one time axis
//! and one scale; where one run is many times as long as another, or as high, each has its own, as otherwise the lesser would not be seen.

use super::{
    Area, FAINT, FAR_APART, GRID, INK, NAME, OKABE_ITO, PAPER, STRONG, TEXT, TICK, ratio, round_step, ticks, title,
    told, write,
};
use anyhow::{Context, Result};
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
    /// What the values are.
    pub values: String,
    /// From top to bottom.
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
    /// What goes on in it.
    pub lines: Vec<Line>,
}

/// A value over time.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its name; none if there is no other line.
    pub name: String,
    /// Cycle and value from then on, in order of time.
    pub points: Vec<(u64, f64)>,
}

const WIDTH: u32 = 1080;
const LEFT: i32 = 252;
const RIGHT: i32 = 40;
const HEADER: i32 = 104;
const PANEL: i32 = 124;
const GAP: i32 = 40;
const FOOTER: i32 = 48;
/// Of a panel with a time axis of its own.
const AXIS: i32 = 22;
/// Columns that time is cut into: values within one are drawn as their mean.
const BINS: u64 = 394;

/// The picture as the text of an SVG file. The same figure gives the same text.
pub fn svg(figure: &Figure) -> Result<String> {
    let mut text = String::new();
    draw(figure, &mut text).context("cannot draw the series")?;
    Ok(text)
}

fn draw(figure: &Figure, text: &mut String) -> Result<()> {
    let scales = Scale::all(figure);
    let own_times = scales.windows(2).any(|pair| pair[0].cycles != pair[1].cycles);
    let gap = GAP + if own_times { AXIS } else { 0 };
    let height = HEADER + figure.panels.len() as i32 * (PANEL + gap) + FOOTER;
    let root = SVGBackend::with_string(text, (WIDTH, height as u32)).into_drawing_area();
    root.fill(&WHITE).map_err(told)?;
    title(&root, &figure.title, &figure.subtitle)?;
    let mut top = HEADER;
    for ((panel, scale), hue) in figure.panels.iter().zip(&scales).zip(OKABE_ITO.into_iter().cycle()) {
        scale.draw_panel(&root, panel, &figure.values, top, hue)?;
        if own_times {
            scale.draw_times(&root, top + PANEL)?;
        }
        top += PANEL + gap;
    }
    let common = Scale::over(&figure.panels);
    let words =
        if own_times { "cycles; each panel has its own axis, as runs are of very different lengths" } else { "cycles" };
    if !own_times {
        common.draw_times(&root, top - gap)?;
    }
    write(&root, words, ((common.x(0) + common.x(common.cycles)) / 2, top - gap + 26), TEXT, FAINT, HPos::Center)?;
    root.present().map_err(told)
}

/// The axes of panels.
struct Scale {
    /// Cycles at the right end.
    cycles: u64,
    bin: u64,
    /// The value at the top: above 0, and a whole number unless it is small.
    top: f64,
}

impl Scale {
    /// Of each panel: the same of all, but for what is far apart.
    fn all(figure: &Figure) -> Vec<Self> {
        let own: Vec<Self> = figure.panels.iter().map(|panel| Self::over(std::slice::from_ref(panel))).collect();
        let times = ratio(own.iter().map(|scale| scale.cycles as f64)) >= FAR_APART;
        let tops = ratio(own.iter().map(|scale| scale.top)) >= FAR_APART;
        let common = Self::over(&figure.panels);
        let of = |own: Self| {
            let (cycles, bin) = if times { (own.cycles, own.bin) } else { (common.cycles, common.bin) };
            Self { cycles, bin, top: if tops { own.top } else { common.top } }
        };
        own.into_iter().map(of).collect()
    }

    /// On which all of these panels can be drawn.
    fn over(panels: &[Panel]) -> Self {
        let cycles = panels.iter().map(|panel| panel.cycles).max().unwrap_or(0).max(1);
        let points = panels.iter().flat_map(|panel| &panel.lines).flat_map(|line| &line.points);
        let most = points.map(|&(_, value)| value).fold(0.0, f64::max);
        let top = match most {
            0.0 => 1.0,
            small if small < 2.0 => small,
            large => large.ceil(),
        };
        Self { cycles, bin: cycles.div_ceil(BINS), top }
    }

    fn x(&self, cycle: u64) -> i32 {
        LEFT + (f64::from(WIDTH as i32 - LEFT - RIGHT) * cycle as f64 / self.cycles as f64).round() as i32
    }

    fn y(&self, top: i32, value: f64) -> i32 {
        top + PANEL - (f64::from(PANEL) * value / self.top).round() as i32
    }

    fn draw_times(&self, root: &Area<'_>, y: i32) -> Result<()> {
        for cycle in (0..=self.cycles).step_by(round_step(self.cycles, 8) as usize) {
            write(root, &HumanCount(cycle).to_string(), (self.x(cycle), y + 6), TEXT, INK, HPos::Center)?;
        }
        Ok(())
    }

    fn draw_panel(&self, root: &Area<'_>, panel: &Panel, values: &str, top: i32, hue: RGBColor) -> Result<()> {
        let (left, right, bottom) = (self.x(0), self.x(self.cycles), top + PANEL);
        write(root, &panel.name, (24, top - 4), NAME, hue, HPos::Left)?;
        for (note, y) in panel.notes.iter().zip((top + 24..).step_by(18)) {
            write(root, note, (24, y), TEXT, INK, HPos::Left)?;
        }
        write(root, values, (left, top - 20), TICK, FAINT, HPos::Left)?;
        root.draw(&Rectangle::new([(left, top), (right, bottom)], PAPER.filled())).map_err(told)?;
        for cycle in (0..=self.cycles).step_by(round_step(self.cycles, 8) as usize) {
            root.draw(&PathElement::new([(self.x(cycle), top), (self.x(cycle), bottom)], GRID)).map_err(told)?;
        }
        for (value, word) in ticks(self.top, 5) {
            let y = self.y(top, value);
            root.draw(&PathElement::new([(left, y), (right, y)], GRID)).map_err(told)?;
            write(root, &word, (left - 8, y - 6), TICK, FAINT, HPos::Right)?;
        }
        // A single line has the panel's hue; several have one each, and are named at the right end.
        let several = panel.lines.len() > 1;
        let mut name_end = right;
        for (line, own) in panel.lines.iter().zip(OKABE_ITO.into_iter().cycle()) {
            let hue = if several { own } else { hue };
            root.draw(&PathElement::new(self.corners(line, panel.cycles, top), hue.stroke_width(2))).map_err(told)?;
            if several {
                write(root, &line.name, (name_end, top - 20), STRONG, hue, HPos::Right)?;
                name_end -= 16 + 8 * line.name.chars().count() as i32;
            }
        }
        let end = self.x(panel.cycles);
        root.draw(&PathElement::new([(end, top), (end, bottom)], FAINT)).map_err(told)
    }

    /// The line as a path: means of columns, which keep their level to the next.
    fn corners(&self, line: &Line, cycles: u64, top: i32) -> Vec<(i32, i32)> {
        let mut corners: Vec<(i32, i32)> = Vec::new();
        for (start, mean) in self.means(line, cycles) {
            let (from, to, y) = (self.x(start), self.x((start + self.bin).min(cycles)), self.y(top, mean));
            match corners.last_mut() {
                Some(last) if last.1 == y => last.0 = to,
                _ => corners.extend([(from, y), (to, y)]),
            }
        }
        corners
    }

    /// Start and mean of every column from the first point on.
    fn means(&self, line: &Line, cycles: u64) -> Vec<(u64, f64)> {
        let ends = line.points.iter().skip(1).map(|&(cycle, _)| cycle).chain([cycles]);
        let spans = line.points.iter().zip(ends).map(|(&(from, value), to)| (from, to.min(cycles), value));
        let mut columns: Vec<(u64, f64, u64)> = Vec::new();
        for (mut from, to, value) in spans {
            while from < to {
                let start = from / self.bin * self.bin;
                let end = to.min(start + self.bin);
                match columns.last_mut() {
                    Some((last, sum, cycles)) if *last == start => {
                        *sum += value * (end - from) as f64;
                        *cycles += end - from;
                    }
                    _ => columns.push((start, value * (end - from) as f64, end - from)),
                }
                from = end;
            }
        }
        columns.into_iter().map(|(start, sum, cycles)| (start, sum / cycles as f64)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn panel(lines: usize) -> Panel {
        let line = |n| Line { name: format!("load {n}"), points: vec![(0, 8.0), (100, 6.0), (150, 8.0)] };
        Panel {
            name: "equalizer".into(),
            notes: vec!["2.0x".into()],
            cycles: 394,
            lines: (0..lines).map(line).collect(),
        }
    }

    fn figure(panels: Vec<Panel>) -> Figure {
        Figure { title: "blocks".into(), subtitle: "a < b".into(), values: "blocks per SM".into(), panels }
    }

    #[test]
    fn columns_hold_the_means_of_their_cycles() {
        let scale = Scale { cycles: 394, bin: 100, top: 8.0 };
        let means = scale.means(&panel(1).lines[0], 394);
        assert_eq!(means, [(0, 8.0), (100, 7.0), (200, 8.0), (300, 8.0)]);
        assert_eq!(scale.corners(&panel(1).lines[0], 394, 0).len(), 6);
    }

    #[test]
    fn what_is_far_apart_has_axes_of_its_own() {
        let mut panels = vec![panel(1), panel(1)];
        assert!(Scale::all(&figure(panels.clone())).iter().all(|scale| (scale.cycles, scale.top) == (394, 8.0)));
        (panels[1].cycles, panels[1].lines[0].points) = (39_400, vec![(0, 0.3)]);
        let figure = figure(panels);
        let scales: Vec<_> = Scale::all(&figure).iter().map(|scale| (scale.cycles, scale.top)).collect();
        assert_eq!(scales, [(394, 8.0), (39_400, 0.3)]);
        assert!(svg(&figure).unwrap().contains("each panel has its own axis"));
    }

    #[test]
    fn the_same_figure_gives_the_same_text_and_an_empty_one_can_be_drawn() {
        let text = svg(&figure(vec![panel(1), panel(2)])).unwrap();
        assert_eq!(text, svg(&figure(vec![panel(1), panel(2)])).unwrap());
        assert!(text.contains("a &lt; b") && text.contains("load 1") && !text.contains("NaN"));
        svg(&figure(vec![Panel { name: String::new(), notes: Vec::new(), cycles: 0, lines: Vec::new() }])).unwrap();
    }
}
