//! Shares of a whole as stacked bars: what warps wait for, which V/F states were in force, why the LSU stood still. Bars come in
//! groups, one below the other, on one scale from nothing to all.

use super::{Area, FAINT, GRID, INK, OKABE_ITO, PAPER, STRONG, TEXT, TICK, blend, title, told, write};
use anyhow::{Context, Result};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

/// What to draw.
#[derive(Clone, Debug)]
pub struct Figure {
    /// First line.
    pub title: String,
    /// Second line, smaller.
    pub subtitle: String,
    /// What the parts of every bar are, from left to right.
    pub kinds: Vec<Kind>,
    /// From top to bottom.
    pub groups: Vec<Group>,
}

/// One part of every bar.
#[derive(Clone, Debug)]
pub struct Kind {
    /// Its name in the legend.
    pub name: String,
    /// How it looks.
    pub colour: Colour,
}

/// A colour that can be told from the others in black and white print or with any colour vision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colour {
    /// One of the hues, in turn.
    Hue(usize),
    /// It, lighter.
    Light(usize),
    /// It, darker.
    Dark(usize),
    /// What is of least interest.
    Neutral,
}

impl Colour {
    fn rgb(self) -> RGBColor {
        let hue = |n: usize| OKABE_ITO[n % OKABE_ITO.len()];
        match self {
            Self::Hue(n) => hue(n),
            Self::Light(n) => blend(WHITE, hue(n), 0.45),
            Self::Dark(n) => blend(hue(n), INK, 0.5),
            Self::Neutral => RGBColor(203, 208, 216),
        }
    }
}

/// Bars that belong together.
#[derive(Clone, Debug)]
pub struct Group {
    /// Its heading.
    pub name: String,
    /// From top to bottom.
    pub bars: Vec<Bar>,
}

/// A whole.
#[derive(Clone, Debug)]
pub struct Bar {
    /// Its name, on the left.
    pub name: String,
    /// What stands behind it.
    pub note: String,
    /// Its parts, by kind; each from 0, all together at most 1.
    pub shares: Vec<f64>,
}

const WIDTH: u32 = 1080;
const LEFT: i32 = 232;
const RIGHT: i32 = 172;
const HEADER: i32 = 84;
const LEGEND_ROW: i32 = 22;
const HEADING: i32 = 30;
const ROW: i32 = 24;
const BAR: i32 = 17;
const FOOTER: i32 = 44;

/// The picture as the text of an SVG file. The same figure gives the same text.
pub fn svg(figure: &Figure) -> Result<String> {
    let mut text = String::new();
    draw(figure, &mut text).context("cannot draw the shares")?;
    Ok(text)
}

fn draw(figure: &Figure, text: &mut String) -> Result<()> {
    let legend = legend(&figure.kinds);
    let legend_rows = legend.last().map_or(0, |(_, (_, row))| row + 1);
    let top = HEADER + legend_rows * LEGEND_ROW;
    let rows: i32 = figure.groups.iter().map(|group| HEADING + ROW * group.bars.len() as i32).sum();
    let root = SVGBackend::with_string(text, (WIDTH, (top + rows + FOOTER) as u32)).into_drawing_area();
    root.fill(&WHITE).map_err(told)?;
    title(&root, &figure.title, &figure.subtitle)?;
    for (kind, (x, row)) in &legend {
        let y = HEADER - 8 + row * LEGEND_ROW;
        let corners = [(*x, y + 1), (x + 12, y + 13)];
        root.draw(&Rectangle::new(corners, kind.colour.rgb().filled())).map_err(told)?;
        write(&root, &kind.name, (x + 18, y), TEXT, INK, HPos::Left)?;
    }
    let bottom = top + rows;
    for tenth in (0..=10).step_by(2) {
        let x = x(f64::from(tenth) / 10.0);
        root.draw(&PathElement::new([(x, top), (x, bottom)], GRID)).map_err(told)?;
        write(&root, &format!("{}%", 10 * tenth), (x, bottom + 8), TICK, FAINT, HPos::Center)?;
    }
    let mut y = top;
    for group in &figure.groups {
        write(&root, &group.name, (24, y + 8), STRONG, INK, HPos::Left)?;
        y += HEADING;
        for bar in &group.bars {
            draw_bar(&root, bar, &figure.kinds, y)?;
            y += ROW;
        }
    }
    root.present().map_err(told)
}

/// Pixel column of a share.
fn x(share: f64) -> i32 {
    LEFT + (f64::from(WIDTH as i32 - LEFT - RIGHT) * share.clamp(0.0, 1.0)).round() as i32
}

/// Where each kind stands in the legend: pixel column, and row.
fn legend<'a>(kinds: &'a [Kind]) -> Vec<(&'a Kind, (i32, i32))> {
    let (mut at, mut row) = (24, 0);
    let place = |kind: &'a Kind| {
        let width = 42 + 8 * kind.name.chars().count() as i32;
        if at + width > WIDTH as i32 - 24 {
            (at, row) = (24, row + 1);
        }
        at += width;
        (kind, (at - width, row))
    };
    kinds.iter().map(place).collect()
}

fn draw_bar(root: &Area<'_>, bar: &Bar, kinds: &[Kind], y: i32) -> Result<()> {
    write(root, &bar.name, (LEFT - 10, y + 1), TEXT, INK, HPos::Right)?;
    root.draw(&Rectangle::new([(x(0.0), y), (x(1.0), y + BAR)], PAPER.filled())).map_err(told)?;
    let mut before = 0.0;
    for (share, kind) in bar.shares.iter().zip(kinds) {
        let (from, to) = (x(before), x(before + share));
        if from < to {
            root.draw(&Rectangle::new([(from, y), (to, y + BAR)], kind.colour.rgb().filled())).map_err(told)?;
        }
        before += share;
    }
    write(root, &bar.note, (x(1.0) + 10, y + 1), TEXT, FAINT, HPos::Left)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure() -> Figure {
        let kind = |name: &str, colour| Kind { name: name.to_owned(), colour };
        let bar = |shares: &[f64]| Bar { name: "lrr".into(), note: "1.00x".into(), shares: shares.to_vec() };
        Figure {
            title: "states".to_owned(),
            subtitle: "a & b".to_owned(),
            kinds: vec![
                kind("waiting", Colour::Hue(0)),
                kind("excess", Colour::Dark(1)),
                kind("other", Colour::Neutral),
            ],
            groups: vec![Group {
                name: "kmeans-1".to_owned(),
                bars: vec![bar(&[0.5, 0.25, 0.25]), bar(&[0.0, 0.0, 2.0])],
            }],
        }
    }

    #[test]
    fn parts_lie_one_behind_the_other_within_the_whole() {
        assert_eq!((x(0.0), x(1.0), x(7.0)), (LEFT, WIDTH as i32 - RIGHT, WIDTH as i32 - RIGHT));
        let text = svg(&figure()).unwrap();
        let middle = format!("x=\"{}\"", x(0.5));
        assert!(text.contains(&middle) && text.contains("a &amp; b") && text.contains("kmeans-1"), "{text}");
        assert_eq!(text, svg(&figure()).unwrap());
    }

    #[test]
    fn a_long_legend_is_broken_into_rows() {
        let kinds = vec![Kind { name: "a name of thirty characters....".to_owned(), colour: Colour::Light(2) }; 9];
        let rows: Vec<i32> = legend(&kinds).into_iter().map(|(_, (_, row))| row).collect();
        assert_eq!(rows, [0, 0, 0, 1, 1, 1, 2, 2, 2]);
        let empty = Figure { title: String::new(), subtitle: String::new(), kinds: Vec::new(), groups: Vec::new() };
        svg(&empty).unwrap();
    }
}
