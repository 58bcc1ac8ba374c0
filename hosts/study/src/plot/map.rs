//! SMs where they lie: a row for each GPC, TPCs as pairs, and whose an SM is.

use super::{FAINT, GRID, INK, OKABE_ITO, PAPER, STRONG, TICK, blend, title, told, write};
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
    /// Two in a row.
    pub panels: Vec<Panel>,
}

/// A machine.
#[derive(Clone, Debug)]
pub struct Panel {
    /// What is on it.
    pub name: String,
    /// The SMs of each TPC of each GPC.
    pub gpcs: Vec<Vec<Vec<Sm>>>,
}

/// An SM.
#[derive(Clone, Copy, Debug)]
pub struct Sm {
    /// Its number.
    pub number: u16,
    /// Whose it is, by number; `None`: nobody's.
    pub owner: Option<usize>,
    /// It has a frame.
    pub marked: bool,
}

const LEFT: i32 = 24;
const HEADER: i32 = 96;
const CELL: i32 = 26;
const TPC_GAP: i32 = 3;
const NAME: i32 = 30;
const GPC_NAME: i32 = 52;
const GAP: i32 = 36;
const FOOTER: i32 = 24;
const PER_ROW: usize = 2;
const LEAST_WIDTH: i32 = 760;

/// The picture as the text of an SVG file. The same figure gives the same text.
pub fn svg(figure: &Figure) -> Result<String> {
    let mut text = String::new();
    draw(figure, &mut text).context("cannot draw the map")?;
    Ok(text)
}

impl Panel {
    fn width(&self) -> i32 {
        let of = |gpc: &Vec<Vec<Sm>>| gpc.iter().map(|tpc| tpc.len() as i32 * CELL + TPC_GAP).sum::<i32>();
        GPC_NAME + self.gpcs.iter().map(of).max().unwrap_or(0)
    }

    fn height(&self) -> i32 {
        NAME + self.gpcs.len() as i32 * CELL
    }
}

fn draw(figure: &Figure, text: &mut String) -> Result<()> {
    let column = figure.panels.iter().map(Panel::width).max().unwrap_or(0) + GAP;
    let row = figure.panels.iter().map(Panel::height).max().unwrap_or(0) + GAP;
    let columns = figure.panels.len().clamp(1, PER_ROW) as i32;
    let rows = figure.panels.len().div_ceil(PER_ROW) as i32;
    let (width, height) = ((LEFT + columns * column).max(LEAST_WIDTH), HEADER + rows * row + FOOTER);
    let root = SVGBackend::with_string(text, (width as u32, height as u32)).into_drawing_area();
    root.fill(&WHITE).map_err(told)?;
    title(&root, &figure.title, &figure.subtitle)?;
    for (i, panel) in figure.panels.iter().enumerate() {
        let (left, top) = (LEFT + (i % PER_ROW) as i32 * column, HEADER + (i / PER_ROW) as i32 * row);
        write(&root, &panel.name, (left, top), STRONG, INK, HPos::Left)?;
        for (gpc, (tpcs, y)) in panel.gpcs.iter().zip((top + NAME..).step_by(CELL as usize)).enumerate() {
            write(&root, &format!("GPC {gpc}"), (left, y + 5), TICK, FAINT, HPos::Left)?;
            let mut x = left + GPC_NAME;
            for tpc in tpcs {
                for sm in tpc {
                    let hue = sm.owner.map_or(PAPER, shade);
                    let cell = [(x, y), (x + CELL - 2, y + CELL - 2)];
                    root.draw(&Rectangle::new(cell, hue.filled())).map_err(told)?;
                    let frame = if sm.marked { INK } else { GRID };
                    root.draw(&Rectangle::new(cell, frame)).map_err(told)?;
                    let (label, ink) =
                        sm.owner.map_or((sm.number.to_string(), FAINT), |owner| (owner.to_string(), WHITE));
                    write(&root, &label, (x + CELL / 2 - 1, y + 6), TICK, ink, HPos::Center)?;
                    x += CELL;
                }
                x += TPC_GAP;
            }
        }
    }
    root.present().map_err(told)
}

/// A colour for each owner; from the seventh on they repeat, darker.
fn shade(owner: usize) -> RGBColor {
    let rounds = (owner / OKABE_ITO.len()) as f64;
    blend(OKABE_ITO[owner % OKABE_ITO.len()], INK, (0.18 * rounds).min(0.7))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_sm_is_drawn_once_and_an_empty_figure_can_be_drawn() {
        let sm = |number, owner| Sm { number, owner, marked: number == 3 };
        let panel = Panel {
            name: "of 2: 1".into(),
            gpcs: vec![vec![vec![sm(0, Some(7)), sm(1, None)]], vec![vec![sm(3, None)]]],
        };
        let figure = Figure {
            title: "a < b".into(),
            subtitle: String::new(),
            panels: vec![panel.clone(), panel.clone(), panel],
        };
        let text = svg(&figure).unwrap();
        assert_eq!(text, svg(&figure).unwrap());
        assert_eq!(text.matches("GPC 1").count(), 3);
        assert!(text.contains("a &lt; b") && !text.contains("NaN"));
        svg(&Figure { panels: Vec::new(), ..figure }).unwrap();
    }
}
