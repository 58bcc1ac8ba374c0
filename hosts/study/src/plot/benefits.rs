//! Bars of cycles: a kernel's times, and what optimisations could gain of them. All on one scale; gains below 0 go to the left.

use super::{BLUE, FAINT, GREEN, GRID, INK, PAPER, TEXT, TICK, VERMILLION, round_step, title, told, write};
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
    /// How many of the bars are times; the others are gains.
    pub times: usize,
    /// From top to bottom.
    pub bars: Vec<Bar>,
}

/// A bar.
#[derive(Clone, Debug)]
pub struct Bar {
    /// Its name.
    pub name: String,
    /// Its length.
    pub cycles: f64,
}

const WIDTH: i32 = 1080;
const LEFT: i32 = 400;
const RIGHT: i32 = 110;
const HEADER: i32 = 96;
const ROW: i32 = 34;
const GAP: i32 = 22;
const FOOTER: i32 = 60;

/// The picture as the text of an SVG file. The same figure gives the same text.
pub fn svg(figure: &Figure) -> Result<String> {
    let mut text = String::new();
    draw(figure, &mut text).context("cannot draw the benefits")?;
    Ok(text)
}

fn draw(figure: &Figure, text: &mut String) -> Result<()> {
    let height = HEADER + figure.bars.len() as i32 * ROW + GAP + FOOTER;
    let root = SVGBackend::with_string(text, (WIDTH as u32, height as u32)).into_drawing_area();
    root.fill(&WHITE).map_err(told)?;
    title(&root, &figure.title, &figure.subtitle)?;
    let cycles = || figure.bars.iter().map(|bar| bar.cycles);
    let (least, most) = (cycles().fold(0.0, f64::min), cycles().fold(1.0, f64::max));
    let x = |cycles: f64| LEFT + (f64::from(WIDTH - LEFT - RIGHT) * (cycles - least) / (most - least)).round() as i32;
    let bottom = height - FOOTER;
    root.draw(&Rectangle::new([(LEFT, HEADER - 8), (WIDTH - RIGHT, bottom)], PAPER.filled())).map_err(told)?;
    for at in (0..=most as u64).step_by(round_step(most as u64, 6) as usize) {
        root.draw(&PathElement::new([(x(at as f64), HEADER - 8), (x(at as f64), bottom)], GRID)).map_err(told)?;
        write(&root, &HumanCount(at).to_string(), (x(at as f64), bottom + 8), TICK, FAINT, HPos::Center)?;
    }
    write(&root, "cycles", ((LEFT + WIDTH - RIGHT) / 2, bottom + 30), TEXT, FAINT, HPos::Center)?;
    for (i, bar) in figure.bars.iter().enumerate() {
        let is_time = i < figure.times;
        let top = HEADER + i as i32 * ROW + if is_time { 0 } else { GAP };
        let hue = if is_time {
            BLUE
        } else if bar.cycles < 0.0 {
            VERMILLION
        } else {
            GREEN
        };
        let (from, to) = (x(bar.cycles.min(0.0)), x(bar.cycles.max(0.0)));
        root.draw(&Rectangle::new([(from, top), (to.max(from + 1), top + ROW - 12)], hue.filled())).map_err(told)?;
        write(&root, &bar.name, (LEFT - 12, top + 3), TEXT, INK, HPos::Right)?;
        let sign = if bar.cycles.round() < 0.0 { "-" } else { "" };
        let length = format!("{sign}{}", HumanCount(bar.cycles.abs().round() as u64));
        write(&root, &length, (to + 8, top + 3), TEXT, INK, HPos::Left)?;
    }
    root.present().map_err(told)
}
