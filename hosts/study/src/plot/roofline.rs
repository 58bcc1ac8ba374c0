//! A roofline: what a machine attains at most at each operational intensity, and where a kernel lies. Both axes are logarithmic.

use super::{BLUE, FAINT, GRID, INK, OKABE_ITO, PAPER, STRONG, TEXT, TICK, VERMILLION, title, told, write};
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
    /// Unit of rates.
    pub unit: String,
    /// What intensity is.
    pub per_byte: String,
    /// Greatest rate of operations.
    pub peak: f64,
    /// Greatest rate of bytes.
    pub bw: f64,
    /// Kernels.
    pub points: Vec<Point>,
}

/// A kernel.
#[derive(Clone, Debug)]
pub struct Point {
    /// Its name.
    pub name: String,
    /// Operations per byte, above 0.
    pub intensity: f64,
    /// Operations per time, above 0.
    pub rate: f64,
}

const WIDTH: i32 = 820;
const HEIGHT: i32 = 560;
const LEFT: i32 = 96;
const RIGHT: i32 = 40;
const TOP: i32 = 96;
const BOTTOM: i32 = 64;

/// The picture as the text of an SVG file. The same figure gives the same text.
pub fn svg(figure: &Figure) -> Result<String> {
    let mut text = String::new();
    draw(figure, &mut text).context("cannot draw the roofline")?;
    Ok(text)
}

/// Powers of ten from one to the other.
#[derive(Clone, Copy)]
struct Decades(i32, i32);

impl Decades {
    fn around(values: impl Iterator<Item = f64>) -> Self {
        let logs: Vec<f64> = values.filter(|value| *value > 0.0 && value.is_finite()).map(f64::log10).collect();
        let least = logs.iter().copied().fold(0.0, f64::min).floor() as i32;
        let most = logs.iter().copied().fold(1.0, f64::max).ceil() as i32;
        Self(least, most)
    }

    /// Where a value is, from 0 to 1.
    fn place(self, value: f64) -> f64 {
        (value.log10() - f64::from(self.0)) / f64::from(self.1 - self.0)
    }
}

fn draw(figure: &Figure, text: &mut String) -> Result<()> {
    let root = SVGBackend::with_string(text, (WIDTH as u32, HEIGHT as u32)).into_drawing_area();
    root.fill(&WHITE).map_err(told)?;
    title(&root, &figure.title, &figure.subtitle)?;
    let ridge = figure.peak / figure.bw;
    let points = || figure.points.iter();
    let across = Decades::around(points().map(|point| point.intensity).chain([ridge / 8.0, ridge * 8.0]));
    let least = 10_f64.powi(across.0) * figure.bw;
    let up = Decades::around(points().map(|point| point.rate).chain([figure.peak, least.min(figure.peak)]));
    let x = |intensity: f64| LEFT + (f64::from(WIDTH - LEFT - RIGHT) * across.place(intensity)).round() as i32;
    let y = |rate: f64| HEIGHT - BOTTOM - (f64::from(HEIGHT - TOP - BOTTOM) * up.place(rate)).round() as i32;
    let frame = [(LEFT, TOP), (WIDTH - RIGHT, HEIGHT - BOTTOM)];
    root.draw(&Rectangle::new(frame, PAPER.filled())).map_err(told)?;
    for power in across.0..=across.1 {
        let at = x(10_f64.powi(power));
        root.draw(&PathElement::new([(at, TOP), (at, HEIGHT - BOTTOM)], GRID)).map_err(told)?;
        write(&root, &decimal(power), (at, HEIGHT - BOTTOM + 8), TICK, FAINT, HPos::Center)?;
    }
    for power in up.0..=up.1 {
        let at = y(10_f64.powi(power));
        root.draw(&PathElement::new([(LEFT, at), (WIDTH - RIGHT, at)], GRID)).map_err(told)?;
        write(&root, &decimal(power), (LEFT - 10, at - 7), TICK, FAINT, HPos::Right)?;
    }
    write(&root, &figure.per_byte, ((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 30), TEXT, FAINT, HPos::Center)?;
    write(&root, &figure.unit, (LEFT - 10, TOP - 26), TEXT, FAINT, HPos::Right)?;
    let (first, last) = (10_f64.powi(across.0), 10_f64.powi(across.1));
    let start = first.max(10_f64.powi(up.0) / figure.bw);
    let roof = [(x(start), y(start * figure.bw)), (x(ridge), y(figure.peak)), (x(last), y(figure.peak))];
    root.draw(&PathElement::new(roof, BLUE.stroke_width(3))).map_err(told)?;
    let peak = format!("{:.0} {}", figure.peak, figure.unit);
    write(&root, &peak, (WIDTH - RIGHT - 8, y(figure.peak) - 20), TEXT, BLUE, HPos::Right)?;
    write(&root, &format!("{:.1} GB/s", figure.bw), (x(ridge) - 16, y(figure.peak) + 8), TEXT, BLUE, HPos::Right)?;
    for (point, hue) in points().zip([VERMILLION].into_iter().chain(OKABE_ITO.into_iter().skip(2)).cycle()) {
        let at = (x(point.intensity), y(point.rate));
        root.draw(&PathElement::new([at, (at.0, y((point.intensity * figure.bw).min(figure.peak)))], hue))
            .map_err(told)?;
        root.draw(&Circle::new(at, 6, hue.filled())).map_err(told)?;
        let label = format!("{} {:.1}", point.name, point.rate);
        write(&root, &label, (at.0 + 12, at.1 - 8), STRONG, INK, HPos::Left)?;
    }
    root.present().map_err(told)
}

/// A power of ten.
fn decimal(power: i32) -> String {
    if power < 0 {
        format!("{:.*}", power.unsigned_abs() as usize, 10_f64.powi(power))
    } else {
        format!("{:.0}", 10_f64.powi(power))
    }
}
