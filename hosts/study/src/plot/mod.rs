//! Pictures, as SVG and PNG. The only folder that knows how they are made; it sees the figures and nothing else of the program.
//!
//! - [`occupancy`]: SMX occupancy over time, of several runs.
//! - `states`: what is drawn into that if SMXs in bubbles are put to sleep.
//! - [`levels`]: how far TBs with dependencies run ahead of each other.
//! - [`gantt`]: which TB ran where and when.
//! - [`shares`]: parts of a whole, such as what warps wait for.
//! - [`series`]: figures over time, such as how many blocks run.
//! - [`roofline`]: kernels under the roof of their machine.
//! - [`intervals`]: factors beside one, and how sure their means are.
//! - [`map`]: SMs where they lie, and whose they are.
//! - [`curves`]: one figure over another.
//! - [`costs`]: several figures over one, all on logarithmic axes.
//! - [`benefits`]: a kernel's times, and what could be gained of them.
//! - [`png`]: any of these as PNG.
//!
//! The same figure gives the same text; pixels depend on the fonts of the machine, too.

pub mod benefits;
pub mod costs;
pub mod curves;
pub mod gantt;
pub mod intervals;
pub mod levels;
pub mod map;
pub mod occupancy;
pub mod png;
pub mod roofline;
pub mod series;
pub mod shares;
mod states;

use anyhow::{Result, anyhow};
use indicatif::HumanCount;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

const FONT: &str = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif";
const INK: RGBColor = RGBColor(31, 41, 55);
const FAINT: RGBColor = RGBColor(107, 114, 128);
/// Where nothing runs.
const PAPER: RGBColor = RGBColor(246, 247, 249);
const GRID: RGBColor = RGBColor(229, 231, 235);

/// The colours of Okabe and Ito, which people with any colour vision can tell apart; without yellow, which fades on white.
const OKABE_ITO: [RGBColor; 6] = [BLUE, VERMILLION, GREEN, ORANGE, PURPLE, SKY];
const BLUE: RGBColor = RGBColor(0, 114, 178);
const VERMILLION: RGBColor = RGBColor(213, 94, 0);
const GREEN: RGBColor = RGBColor(0, 158, 115);
const ORANGE: RGBColor = RGBColor(230, 159, 0);
const PURPLE: RGBColor = RGBColor(204, 121, 167);
const SKY: RGBColor = RGBColor(86, 180, 233);

/// Size and weight of a text.
#[derive(Clone, Copy)]
struct Face(u32, FontStyle);

const TITLE: Face = Face(23, FontStyle::Bold);
const NAME: Face = Face(22, FontStyle::Bold);
const STRONG: Face = Face(14, FontStyle::Bold);
const SUBTITLE: Face = Face(15, FontStyle::Normal);
const TEXT: Face = Face(14, FontStyle::Normal);
const TICK: Face = Face(13, FontStyle::Normal);

/// The two lines at the top.
fn title(root: &Area<'_>, title: &str, subtitle: &str) -> Result<()> {
    write(root, title, (24, 18), TITLE, INK, HPos::Left)?;
    write(root, subtitle, (24, 48), SUBTITLE, FAINT, HPos::Left)
}

/// From so many times the least on, values cannot be read on one linear axis.
const FAR_APART: f64 = 20.0;

/// How many times the least of these values the greatest is, without those that are 0.
fn ratio(values: impl Iterator<Item = f64>) -> f64 {
    let spread = |(least, most): (f64, f64), value: f64| (least.min(value), most.max(value));
    let (least, most) = values.filter(|&value| value > 0.0).fold((f64::MAX, 0.0), spread);
    if most > 0.0 { most / least } else { 1.0 }
}

/// The least of 1, 2, 5, 10, 20 ... that cuts `whole` into at most `parts`.
fn round_step(whole: u64, parts: u64) -> u64 {
    let mut power = 1_u64;
    loop {
        for step in [power, 2 * power, 5 * power] {
            if whole / step <= parts {
                return step;
            }
        }
        power *= 10;
    }
}

/// Round values from 0 to `most`, which is above 0, at most `parts` steps apart, each as it is printed.
fn ticks(most: f64, parts: u64) -> Vec<(f64, String)> {
    // In whole units of a power of ten of which there are many.
    let power = (3 - most.log10().floor() as i32).min(15);
    let (unit, places) = (10_f64.powi(power), power.max(0) as u32);
    let whole = (most * unit).round() as u64;
    let step = round_step(whole, parts);
    let digits = (0..=places).find(|digits| step.is_multiple_of(10_u64.pow(places - digits))).unwrap_or(places);
    let told = |at: u64| (at as f64 / unit, format!("{:.*}", digits as usize, at as f64 / unit));
    (0..=whole).step_by(step as usize).map(told).collect()
}

/// A value on an axis: whole if it is, or large.
fn amount(value: f64) -> String {
    if value.fract() == 0.0 || value >= 100.0 {
        HumanCount(value.round() as u64).to_string()
    } else {
        let digits = if value >= 0.095 { 1 } else { 3 };
        format!("{value:.digits$}")
    }
}

/// What else the colours of lines and words are on a dark page that has pictures in line, as CSS. Those that tell things apart are as they are.
pub fn in_the_dark() -> String {
    let others = [(WHITE, "#14181f"), (PAPER, "#1b212a"), (GRID, "#343c48"), (FAINT, "#9ca3af"), (INK, "#e5e7eb")];
    let rule = |(RGBColor(r, g, b), dark): (RGBColor, &str)| {
        let of = |attribute: &str| format!("svg [{attribute}=\"#{r:02X}{g:02X}{b:02X}\"] {{ {attribute}: {dark}; }}\n");
        of("fill") + &of("stroke")
    };
    format!("@media screen and (prefers-color-scheme: dark) {{\n{}}}\n", others.map(rule).concat())
}

fn blend(from: RGBColor, to: RGBColor, share: f64) -> RGBColor {
    let mix = |a: u8, b: u8| (f64::from(a) + (f64::from(b) - f64::from(a)) * share).round() as u8;
    RGBColor(mix(from.0, to.0), mix(from.1, to.1), mix(from.2, to.2))
}

/// Text below `at`, which is its left end, middle or right end.
fn write(root: &Area<'_>, text: &str, at: (i32, i32), face: Face, colour: RGBColor, end: HPos) -> Result<()> {
    let font = FontDesc::new(FontFamily::Name(FONT), f64::from(face.0), face.1);
    let style = TextStyle::from(font).color(&colour).pos(Pos::new(end, VPos::Top));
    root.draw_text(text, &style, at).map_err(told)
}

/// The backend's errors are neither `Send` nor `'static`.
fn told(error: impl std::fmt::Display) -> anyhow::Error {
    anyhow!("{error}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn grid_lines_are_round_and_few() {
        assert_eq!(
            [1, 8, 9, 1_403_001, u64::from(u32::MAX)].map(|n| round_step(n, 8)),
            [1, 1, 2, 200_000, 500_000_000]
        );
        let told = |most: f64| ticks(most, 5).into_iter().map(|(_, word)| word).collect::<Vec<_>>();
        assert_eq!(told(0.5), ["0.0", "0.1", "0.2", "0.3", "0.4", "0.5"]);
        assert_eq!(told(0.023), ["0.000", "0.005", "0.010", "0.015", "0.020"]);
        assert_eq!(told(1.0), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        assert_eq!(told(7.0), ["0", "2", "4", "6"]);
        assert_eq!(told(123_456.0), ["0", "50000", "100000"]);
    }

    #[test]
    fn ratios_are_of_what_is_there() {
        assert_eq!(
            [vec![], vec![0.0], vec![0.0, 3.0], vec![8.0, 0.0, 0.5, 2.0]].map(|of| ratio(of.into_iter())),
            [1.0, 1.0, 1.0, 16.0]
        );
    }
}
