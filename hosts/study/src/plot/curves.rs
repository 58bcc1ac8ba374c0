//! Curves of one figure over another, with a name at the right end of each.

use super::{FAINT, GRID, INK, OKABE_ITO, PAPER, STRONG, TEXT, TICK, ticks, title, told, write};
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
    /// What runs along the bottom, and along the side.
    pub x: String,
    /// What runs along the side.
    pub y: String,
    /// The curves.
    pub lines: Vec<Line>,
}

/// A curve.
#[derive(Clone, Debug)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// From left to right; none below 0.
    pub points: Vec<(f64, f64)>,
}

const WIDTH: i32 = 900;
const HEIGHT: i32 = 560;
const LEFT: i32 = 90;
const RIGHT: i32 = 130;
const TOP: i32 = 120;
const BOTTOM: i32 = 80;
/// Names are at least so far apart.
const NAME_GAP: i32 = 18;

/// The picture as the text of an SVG file. The same figure gives the same text.
pub fn svg(figure: &Figure) -> Result<String> {
    let mut text = String::new();
    draw(figure, &mut text).context("cannot draw the curves")?;
    Ok(text)
}

fn draw(figure: &Figure, text: &mut String) -> Result<()> {
    let root = SVGBackend::with_string(text, (WIDTH as u32, HEIGHT as u32)).into_drawing_area();
    root.fill(&WHITE).map_err(told)?;
    title(&root, &figure.title, &figure.subtitle)?;
    let points = || figure.lines.iter().flat_map(|line| &line.points);
    let (most_x, most_y) = points().fold((0.0_f64, 0.0_f64), |(x, y), point| (x.max(point.0), y.max(point.1)));
    // Without anything above 0 there is still a scale.
    let [most_x, most_y] = [most_x, most_y].map(|most| if most > 0.0 { most } else { 1.0 });
    let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
    let x = |value: f64| LEFT + (f64::from(right - LEFT) * value / most_x).round() as i32;
    let y = |value: f64| bottom - (f64::from(bottom - TOP) * value / most_y).round() as i32;
    root.draw(&Rectangle::new([(LEFT, TOP), (right, bottom)], PAPER.filled())).map_err(told)?;
    for (at, word) in ticks(most_x, 10) {
        root.draw(&PathElement::new([(x(at), TOP), (x(at), bottom)], GRID)).map_err(told)?;
        write(&root, &word, (x(at), bottom + 8), TICK, FAINT, HPos::Center)?;
    }
    for (at, word) in ticks(most_y, 10) {
        root.draw(&PathElement::new([(LEFT, y(at)), (right, y(at))], GRID)).map_err(told)?;
        write(&root, &word, (LEFT - 8, y(at) - 6), TICK, FAINT, HPos::Right)?;
    }
    write(&root, &figure.x, ((LEFT + right) / 2, bottom + 34), TEXT, INK, HPos::Center)?;
    write(&root, &figure.y, (LEFT, TOP - 24), TEXT, INK, HPos::Left)?;
    let mut names = Vec::new();
    for (line, hue) in figure.lines.iter().zip(OKABE_ITO.into_iter().chain([INK]).cycle()) {
        let corners: Vec<(i32, i32)> = line.points.iter().map(|&(a, b)| (x(a), y(b))).collect();
        names.extend(corners.last().map(|&(_, end)| (end, line.name.as_str(), hue)));
        for &corner in &corners {
            root.draw(&Circle::new(corner, 3, hue.filled())).map_err(told)?;
        }
        root.draw(&PathElement::new(corners, hue.stroke_width(2))).map_err(told)?;
    }
    names.sort_by_key(|name| name.0);
    let mut least = i32::MIN;
    for (end, name, hue) in names {
        let at = end.max(least);
        write(&root, name, (right + 10, at - 7), STRONG, hue, HPos::Left)?;
        least = at + NAME_GAP;
    }
    root.present().map_err(told)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_curve_has_its_name_and_points_and_an_empty_figure_can_be_drawn() {
        let line = |name: &str| Line { name: name.into(), points: vec![(0.0, 100.0), (50.0, 20.0), (90.0, 0.0)] };
        let text = |s: &str| s.to_owned();
        let figure = Figure {
            title: text("a < b"),
            subtitle: text(""),
            x: text("x"),
            y: text("y"),
            lines: vec![line("one"), line("two")],
        };
        let drawn = svg(&figure).unwrap();
        assert_eq!(drawn, svg(&figure).unwrap());
        assert_eq!(drawn.matches("<circle").count(), 6);
        assert!(drawn.contains("one") && drawn.contains("a &lt; b") && !drawn.contains("NaN"));
        svg(&Figure { lines: Vec::new(), ..figure }).unwrap();
    }
}
