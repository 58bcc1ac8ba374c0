//! The picture of a comparison: SMX occupancy over time, a panel per run on one time axis.
//!
//! A panel shows the mean over the SMXs as an area, pending launches or level ranges as a thin line, and a heat strip with a row per SMX
//! underneath. With bubble DVFS bubbles are tinted there, and each row has a band that shows what the SMX was made to do. Where runs are of
//! very different lengths time is logarithmic, and so are thin lines of very different heights; the picture says so.

mod bins;
mod height;
mod panel;
mod scale;
mod time;

use super::states::{self};
use super::{Area, FAINT, PAPER, TEXT, blend, title, told, write};
use anyhow::{Context, Result};
use gpusched_refgpu::timeline::Span;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;
use scale::Scale;

pub(super) use bins::overlaps;

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
/// Height of each row of the legend below the first.
const LEGEND: u32 = 22;
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

/// Colours of panels: as many as there are modes, so that no two are alike.
const HUES: [RGBColor; 7] = [
    RGBColor(71, 85, 105),
    RGBColor(194, 65, 12),
    RGBColor(202, 138, 4),
    RGBColor(29, 78, 216),
    RGBColor(13, 148, 136),
    RGBColor(126, 34, 206),
    RGBColor(77, 124, 15),
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
    scale.time.draw(&root, top as i32 - GAP as i32)?;
    root.present().map_err(told)
}

/// How to read a panel.
fn draw_legend(root: &Area<'_>, scale: &Scale) -> Result<()> {
    let top = 68;
    root.draw(&Rectangle::new([(24, top + 3), (44, top + 13)], FAINT.mix(0.3).filled())).map_err(told)?;
    root.draw(&PathElement::new([(24, top + 3), (44, top + 3)], FAINT)).map_err(told)?;
    write(root, "resident warps, mean of the SMXs", (50, top), TEXT, FAINT, HPos::Left)?;
    if scale.states {
        states::draw_legend(root, 24, top + LEGEND as i32)?;
    }
    for shade in 0..5 {
        let colour = blend(PAPER, FAINT, f64::from(shade) / 4.0);
        let x = 290 + 6 * shade;
        root.draw(&Rectangle::new([(x, top + 3), (x + 6, top + 13)], colour.filled())).map_err(told)?;
    }
    write(root, "the same for each SMX, a row each", (326, top), TEXT, FAINT, HPos::Left)?;
    if scale.height.most > 0.0 {
        let what = match scale.line {
            Line::Pending => "pending launches",
            Line::LevelRange => "levels apart, at most",
        };
        let how = if scale.height.is_logarithmic() { ", logarithmic" } else { "" };
        root.draw(&PathElement::new([(570, top + 8), (590, top + 8)], THIN.stroke_width(2))).map_err(told)?;
        write(root, &format!("{what} (right{how})"), (596, top), TEXT, FAINT, HPos::Left)?;
    }
    if let Some(remark) = scale.remark() {
        let rows = if scale.states { 2 } else { 1 };
        write(root, &remark, (24, top + (rows * LEGEND) as i32), TEXT, FAINT, HPos::Left)?;
    }
    Ok(())
}

#[cfg(test)]
pub(super) mod tests {
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

    pub(super) fn panel(name: &str, cycles: u64, pending: bool) -> Panel {
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
    }

    pub(super) fn figure() -> Figure {
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
    fn levels_have_a_line_and_a_scale_of_whole_numbers() {
        let mut figure = Figure { line: Line::LevelRange, ..figure() };
        figure.panels[0].line = vec![3.0; 1625];
        figure.panels.truncate(1);
        assert_eq!(Scale::of(&figure).height.most, 4.0);
        let text = svg(&figure).unwrap();
        assert!(text.contains("levels apart, at most (right)"), "{text}");
    }

    #[test]
    fn half_of_one_is_not_told_as_one() {
        let mut figure = figure();
        figure.panels.iter_mut().flat_map(|panel| &mut panel.line).for_each(|pending| *pending = pending.min(1.0));
        let text = svg(&figure).unwrap();
        assert!(text.contains("\n0.5\n") && text.contains("\n1\n"), "{text}");
    }

    #[test]
    fn scales_that_are_logarithmic_are_said_to_be_so() {
        let usual = svg(&figure()).unwrap();
        assert!(!usual.contains("logarithmic") && usual.contains("\nthousand cycles\n"), "{usual}");
        let mut figure = figure();
        figure.panels.push(panel("dtbli", 30_000, true));
        figure.panels[3].line.iter_mut().for_each(|pending| *pending /= 200.0);
        let text = svg(&figure).unwrap();
        for words in [
            "time is logarithmic, from cycle 500 on: the longest run takes 47 times as long as the shortest",
            "\npending launches (right, logarithmic)\n",
            "\ncycles, logarithmic\n",
        ] {
            assert!(text.contains(words), "no {words:?} in {text}");
        }
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
