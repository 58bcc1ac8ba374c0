//! The boxes of a Gantt chart: their colours, and the words that hovering shows.

use super::Kin;
use crate::plot::{Area, BLUE, GRID, INK, OKABE_ITO, PAPER, VERMILLION, blend, told};
use anyhow::Result;
use plotters::prelude::*;
use std::fmt::Write as _;

const SINGLE: RGBColor = RGBColor(203, 208, 216);

pub fn draw_empty(root: &Area<'_>, corners: [(i32, i32); 2]) -> Result<()> {
    root.draw(&Rectangle::new(corners, PAPER.filled())).map_err(told)?;
    root.draw(&Rectangle::new(corners, GRID)).map_err(told)
}

pub fn draw_box(root: &Area<'_>, corners: [(i32, i32); 2], kin: Kin, taken: bool) -> Result<()> {
    let (fill, edge) = colours(kin);
    root.draw(&Rectangle::new(corners, fill.filled())).map_err(told)?;
    if corners[1].0 - corners[0].0 > 2 {
        root.draw(&Rectangle::new(corners, edge)).map_err(told)?;
    }
    if taken {
        root.draw(&Rectangle::new(corners, INK.stroke_width(3))).map_err(told)?;
    }
    Ok(())
}

/// Of a box and its edge.
fn colours(kin: Kin) -> (RGBColor, RGBColor) {
    match kin {
        Kin::Single => (SINGLE, blend(SINGLE, INK, 0.25)),
        Kin::Parent(family) => (hue(family), blend(hue(family), INK, 0.4)),
        Kin::Child(family) => (blend(WHITE, hue(family), 0.4), hue(family)),
        Kin::Named { name, .. } if name >= OKABE_ITO.len() => colours(Kin::Single),
        Kin::Named { name, is_child: false } => colours(Kin::Parent(name)),
        Kin::Named { name, is_child: true } => colours(Kin::Child(name)),
        Kin::Diverted => (blend(PAPER, VERMILLION, 0.2), blend(PAPER, VERMILLION, 0.35)),
        Kin::Low => (blend(PAPER, BLUE, 0.2), blend(PAPER, BLUE, 0.35)),
    }
}

/// Colour of a family.
pub fn hue(family: usize) -> RGBColor {
    OKABE_ITO[family % OKABE_ITO.len()]
}

/// Whether white words can be read on it.
pub fn is_dark(RGBColor(red, green, blue): RGBColor) -> bool {
    3 * u32::from(red) + 6 * u32::from(green) + u32::from(blue) < 1300
}

/// Words that appear over a box.
pub fn tip(tips: &mut String, [(left, top), (right, bottom)]: [(i32, i32); 2], words: &str) {
    let (width, height) = (right - left, bottom - top);
    let _ = writeln!(
        tips,
        "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" opacity=\"0\"><title>{}</title></rect>",
        escape(words)
    );
}

/// Words as XML has them.
fn escape(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
