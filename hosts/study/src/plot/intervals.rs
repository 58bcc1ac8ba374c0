//! Factors beside one: a row for each thing that is compared, with its values as dots, their mean, and how sure it is. Rows come in
//! groups, one below the other, on one scale.

use super::{Area, FAINT, GREEN, GRID, INK, PAPER, STRONG, TEXT, TICK, VERMILLION, blend, title, told, write};
use anyhow::{Context, Result};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

/// A factor with two decimals, or as many more as it takes to tell `digits` of a small one.
pub fn factor(value: f64, digits: i32) -> String {
    let decimals = digits - 1 - value.log10().floor().clamp(-12.0, 12.0) as i32;
    format!("{value:.*}x", decimals.max(2) as usize)
}

/// What to draw.
#[derive(Clone, Debug)]
pub struct Figure {
    /// First line.
    pub title: String,
    /// Second line, smaller.
    pub subtitle: String,
    /// What the values are, below the axis.
    pub values: String,
    /// From top to bottom.
    pub groups: Vec<Group>,
}

/// Rows that belong together.
#[derive(Clone, Debug)]
pub struct Group {
    /// Its heading.
    pub name: String,
    /// From top to bottom.
    pub rows: Vec<Row>,
}

/// One of what is compared.
#[derive(Clone, Debug)]
pub struct Row {
    /// Its name, on the left.
    pub name: String,
    /// What stands behind it.
    pub note: String,
    /// Its values, each above 0.
    pub values: Vec<f64>,
    /// Their mean, and from where to where it may be; if there are values.
    pub mean: Option<[f64; 3]>,
    /// What it is compared with, if that is another value for each row.
    pub stated: Option<f64>,
}

const WIDTH: i32 = 1080;
/// Of the axis, with names that are short.
const LEFT: i32 = 232;
/// Of a letter of a name, at most on average.
const LETTER: i32 = 8;
const RIGHT: i32 = 240;
const HEADER: i32 = 88;
const HEADING: i32 = 30;
const ROW: i32 = 26;
const FOOTER: i32 = 60;

/// The picture as the text of an SVG file. The same figure gives the same text.
pub fn svg(figure: &Figure) -> Result<String> {
    let mut text = String::new();
    draw(figure, &mut text).context("cannot draw the intervals")?;
    Ok(text)
}

/// From where to where the axis goes, which is logarithmic: twice as fast is as far from one as half as fast.
#[derive(Clone, Copy)]
struct Axis {
    low: f64,
    high: f64,
    /// Where it begins.
    left: i32,
}

impl Axis {
    fn of(figure: &Figure) -> Self {
        let rows = figure.groups.iter().flat_map(|group| &group.rows);
        let all =
            rows.flat_map(|row| row.values.iter().copied().chain(row.mean.into_iter().flatten()).chain(row.stated));
        let (low, high) = all.fold((0.98_f64, 1.02_f64), |(low, high), value| (low.min(value), high.max(value)));
        let margin = (high / low).powf(0.03);
        let rows = figure.groups.iter().flat_map(|group| &group.rows);
        let longest = rows.map(|row| row.name.chars().count() as i32).max().unwrap_or(0);
        let left = LEFT.max(LETTER * longest).min(WIDTH / 2);
        Self { low: low / margin, high: high * margin, left }
    }

    fn x(self, value: f64) -> i32 {
        let share = (value / self.low).ln() / (self.high / self.low).ln();
        self.left + (f64::from(WIDTH - self.left - RIGHT) * share.clamp(0.0, 1.0)).round() as i32
    }

    /// Where it is labelled: round factors that are not too close to each other.
    fn ticks(self) -> Vec<f64> {
        let step = [0.01, 0.02, 0.05, 0.1, 0.2].into_iter().find(|step| (self.high - self.low) / step <= 8.0);
        let round: Vec<f64> = match step {
            Some(step) => (1..=1000).map(|number| f64::from(number) * step).collect(),
            None => (-6..=6).flat_map(|power| [1.0, 2.0, 5.0].map(|digit| digit * 10_f64.powi(power))).collect(),
        };
        let mut ticks: Vec<f64> = Vec::new();
        let is_apart = |tick: f64, other: f64| (self.x(tick) - self.x(other)).abs() >= 44;
        for tick in round.into_iter().filter(|tick| (self.low..=self.high).contains(tick)) {
            // What all is beside has its label in any case.
            let is_one = (tick - 1.0).abs() < 1e-9;
            if is_one || is_apart(tick, 1.0) && ticks.last().is_none_or(|&last| is_apart(tick, last)) {
                ticks.push(tick);
            }
        }
        ticks
    }
}

fn draw(figure: &Figure, text: &mut String) -> Result<()> {
    let axis = Axis::of(figure);
    let rows: i32 = figure.groups.iter().map(|group| HEADING + ROW * group.rows.len() as i32).sum();
    let bottom = HEADER + rows + 6;
    let root = SVGBackend::with_string(text, (WIDTH as u32, (bottom + FOOTER) as u32)).into_drawing_area();
    root.fill(&WHITE).map_err(told)?;
    title(&root, &figure.title, &figure.subtitle)?;
    root.draw(&Rectangle::new([(axis.left, HEADER), (WIDTH - RIGHT, bottom)], PAPER.filled())).map_err(told)?;
    for tick in axis.ticks() {
        let x = axis.x(tick);
        root.draw(&PathElement::new([(x, HEADER), (x, bottom)], GRID)).map_err(told)?;
        write(&root, &factor(tick, 1), (x, bottom + 8), TICK, FAINT, HPos::Center)?;
    }
    root.draw(&PathElement::new([(axis.x(1.0), HEADER), (axis.x(1.0), bottom)], FAINT.stroke_width(2)))
        .map_err(told)?;
    write(&root, &figure.values, ((axis.left + WIDTH - RIGHT) / 2, bottom + 30), TEXT, FAINT, HPos::Center)?;
    let mut y = HEADER;
    for group in &figure.groups {
        write(&root, &group.name, (24, y + 8), STRONG, INK, HPos::Left)?;
        y += HEADING;
        for row in &group.rows {
            draw_row(&root, row, axis, y)?;
            y += ROW;
        }
    }
    root.present().map_err(told)
}

fn draw_row(root: &Area<'_>, row: &Row, axis: Axis, y: i32) -> Result<()> {
    let middle = y + ROW / 2 - 4;
    write(root, &row.name, (axis.left - 12, middle - 8), TEXT, INK, HPos::Right)?;
    write(root, &row.note, (WIDTH - RIGHT + 12, middle - 8), TEXT, FAINT, HPos::Left)?;
    let faint = blend(WHITE, FAINT, 0.6);
    for &value in &row.values {
        root.draw(&Circle::new((axis.x(value), middle), 2, faint.filled())).map_err(told)?;
    }
    let Some([mean, low, high]) = row.mean else { return Ok(()) };
    // What is surely faster is green, what is surely slower red; ink is for what may be either.
    let colour = if low > 1.0 {
        GREEN
    } else if high < 1.0 {
        VERMILLION
    } else {
        INK
    };
    let (from, to) = (axis.x(low), axis.x(high));
    if from < to {
        root.draw(&PathElement::new([(from, middle), (to, middle)], colour.stroke_width(2))).map_err(told)?;
        for end in [from, to] {
            root.draw(&PathElement::new([(end, middle - 5), (end, middle + 5)], colour.stroke_width(2)))
                .map_err(told)?;
        }
    }
    root.draw(&Circle::new((axis.x(mean), middle), 5, colour.filled())).map_err(told)?;
    let Some(stated) = row.stated else { return Ok(()) };
    let x = axis.x(stated);
    let corners = [(x, middle - 7), (x + 7, middle), (x, middle + 7), (x - 7, middle), (x, middle - 7)];
    root.draw(&PathElement::new(corners, INK.stroke_width(2))).map_err(told)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figure(values: Vec<f64>, mean: Option<[f64; 3]>) -> Figure {
        let row = Row {
            name: "most-room".into(),
            note: "1.10x".into(),
            values,
            mean,
            stated: mean.map(|mean| 2.0 * mean[0]),
        };
        let groups = vec![Group { name: "dtbl".into(), rows: vec![row] }];
        Figure { title: "a & b".into(), subtitle: String::new(), values: "speedup".into(), groups }
    }

    #[test]
    fn an_interval_stands_between_its_ends_on_a_logarithmic_axis() {
        let figure = figure(vec![0.5, 2.0], Some([1.0, 0.7, 1.4]));
        let axis = Axis::of(&figure);
        assert_eq!(axis.x(1.0) - axis.x(0.5), axis.x(2.0) - axis.x(1.0));
        let text = svg(&figure).unwrap();
        assert!(text.contains("a &amp; b") && text.contains("most-room") && text.contains("1.00x"), "{text}");
        assert_eq!(text, svg(&figure).unwrap());
    }

    #[test]
    fn ticks_are_round_and_far_enough_from_each_other() {
        for values in [vec![1.0], vec![0.2, 30.0], vec![0.99, 1.01], vec![0.6, 1.6], vec![0.001, 1000.0]] {
            let axis = Axis::of(&figure(values, None));
            let ticks = axis.ticks();
            assert!((2..12).contains(&ticks.len()), "{ticks:?}");
            assert!(ticks.windows(2).all(|pair| axis.x(pair[1]) - axis.x(pair[0]) >= 44), "{ticks:?}");
            assert!(ticks.iter().any(|tick| (tick - 1.0).abs() < 1e-9), "{ticks:?}");
        }
        svg(&figure(Vec::new(), None)).unwrap();
    }

    #[test]
    fn small_factors_keep_their_digits() {
        assert_eq!([0.005, 0.02, 1.0, 20.0].map(|tick| factor(tick, 1)), ["0.005x", "0.02x", "1.00x", "20.00x"]);
        assert_eq!([0.0148, 0.49, 2.986].map(|mean| factor(mean, 2)), ["0.015x", "0.49x", "2.99x"]);
    }
}
