//! What something costs against how large it is: a panel for each cost, side by side, all axes logarithmic.

use super::curves::Line;
use super::{Area, FAINT, FONT, GRID, INK, OKABE_ITO, PAPER, STRONG, TICK, title, told, write};
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
    /// What runs along the bottom of each panel.
    pub x: String,
    /// What a line of the grid stands for, over the one to its left: 2 or 10.
    pub base: u32,
    /// From left to right.
    pub panels: Vec<Panel>,
}

/// A cost.
#[derive(Clone, Debug)]
pub struct Panel {
    /// What runs along the side.
    pub y: String,
    /// What is drawn, with names; points of which a value is not above 0 are left out.
    pub lines: Vec<Line>,
}

const PANEL: u32 = 520;
const HEIGHT: u32 = 480;
const TOP: u32 = 84;

/// The picture as the text of an SVG file. The same figure gives the same text.
pub fn svg(figure: &Figure) -> Result<String> {
    let mut text = String::new();
    draw(figure, &mut text).context("cannot draw the costs")?;
    Ok(text)
}

fn draw(figure: &Figure, text: &mut String) -> Result<()> {
    let panels = figure.panels.len().max(1);
    let root = SVGBackend::with_string(text, (PANEL * panels as u32, HEIGHT)).into_drawing_area();
    root.fill(&WHITE).map_err(told)?;
    title(&root, &figure.title, &figure.subtitle)?;
    let (_, below) = root.split_vertically(TOP);
    for (panel, area) in figure.panels.iter().zip(below.split_evenly((1, panels))) {
        draw_panel(panel, figure, &area)?;
    }
    root.present().map_err(told)
}

fn draw_panel(panel: &Panel, Figure { x, base, .. }: &Figure, area: &Area<'_>) -> Result<()> {
    let lines: Vec<(&str, Vec<(f64, f64)>)> = panel
        .lines
        .iter()
        .map(|line| (line.name.as_str(), line.points.iter().copied().filter(|&(x, y)| x > 0.0 && y > 0.0).collect()))
        .collect();
    let points = || lines.iter().flat_map(|(_, points)| points);
    let base = f64::from(*base);
    let across = axis(points().map(|point| point.0), base);
    let up = axis(points().map(|point| point.1), 10.0);
    let text = |colour| TextStyle::from((FONT, TICK.0).into_font()).color(colour);
    let mut chart = ChartBuilder::on(area)
        .margin(16)
        .margin_top(28)
        .margin_right(32)
        .x_label_area_size(48)
        .y_label_area_size(64)
        .build_cartesian_2d(across, up)
        .map_err(told)?;
    chart.plotting_area().fill(&PAPER).map_err(told)?;
    chart
        .configure_mesh()
        .bold_line_style(GRID)
        .light_line_style(TRANSPARENT)
        .axis_style(FAINT)
        .label_style(text(&FAINT))
        .axis_desc_style(text(&INK))
        .x_label_formatter(&|value| short(*value))
        .y_label_formatter(&|value| short(*value))
        .x_desc(x)
        .draw()
        .map_err(told)?;
    write(area, &panel.y, (16, 0), STRONG, INK, HPos::Left)?;
    let mut name_at = 36;
    for ((name, points), hue) in lines.iter().zip(OKABE_ITO.into_iter().cycle()) {
        let series = LineSeries::new(points.iter().copied(), hue.stroke_width(2)).point_size(3);
        chart.draw_series(series).map_err(told)?;
        write(area, name, (92, name_at), TICK, hue, HPos::Left)?;
        name_at += 18;
    }
    Ok(())
}

/// Powers of `base` around values that are above 0, a little more than they are, so that their own lines of the grid are among those drawn.
fn axis(values: impl Iterator<Item = f64>, base: f64) -> LogCoord<f64> {
    let (first, last) = range(values, base);
    (first * (1.0 - 1e-6)..last * (1.0 + 1e-6)).log_scale().base(base).into()
}

/// Powers of `base` around values that are above 0.
fn range(values: impl Iterator<Item = f64>, base: f64) -> (f64, f64) {
    let (least, most) = values.fold((f64::MAX, 0.0_f64), |(least, most), value| (least.min(value), most.max(value)));
    if most == 0.0 {
        return (1.0, base);
    }
    // Logarithms of powers may be a little beside whole numbers.
    let power = |value: f64| value.ln() / base.ln();
    let (least, most) = ((power(least) + 1e-9).floor(), (power(most) - 1e-9).ceil());
    (base.powf(least), base.powf(most.max(least + 1.0)))
}

/// A number with a letter for thousands, millions or billions.
fn short(value: f64) -> String {
    let (unit, letter) = [(1e9, "G"), (1e6, "M"), (1e3, "k")]
        .into_iter()
        .find(|&(unit, _)| value >= unit * (1.0 - 1e-9))
        .unwrap_or((1.0, ""));
    let digits = (-value.log10() - 1e-9).ceil().max(0.0) as usize;
    format!("{:.digits$}{letter}", value / unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_above_nothing_is_drawn() {
        let line = Line { name: "one".into(), points: vec![(1.0, 0.02), (10.0, 0.0), (100.0, 3.0)] };
        let panel = |y: &str| Panel { y: y.into(), lines: vec![line.clone()] };
        let figure = Figure {
            title: "costs".into(),
            subtitle: String::new(),
            x: "size".into(),
            base: 10,
            panels: vec![panel("a"), panel("b"), Panel { y: "c".into(), lines: Vec::new() }],
        };
        let drawn = svg(&figure).unwrap();
        assert_eq!(drawn, svg(&figure).unwrap());
        assert_eq!(drawn.matches("<circle").count(), 4);
        assert!(drawn.contains("0.01") && !drawn.contains("NaN") && !drawn.contains("inf"), "{drawn}");
    }

    #[test]
    fn axes_end_at_powers_and_numbers_are_short() {
        assert_eq!(range([0.02, 3.0].into_iter(), 10.0), (0.01, 10.0));
        assert_eq!(range([5.0, 5.0].into_iter(), 10.0), (1.0, 10.0));
        assert_eq!(range([1000.0].into_iter(), 10.0), (1000.0, 10_000.0));
        assert_eq!(range([1.0, 256.0].into_iter(), 2.0), (1.0, 256.0));
        assert_eq!([0.001, 1.0, 64.0, 999.999_999_999, 1e4, 1e6].map(short), ["0.001", "1", "64", "1k", "10k", "1M"]);
    }
}
