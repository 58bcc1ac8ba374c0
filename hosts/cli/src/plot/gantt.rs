//! A Gantt chart: which TB ran on which SMX, and when. A lane for each SMX, a row in it for each of its TB slots, a box for each TB.
//!
//! Parents and their children share a colour: a parent is solid, its descendants are pale with an edge. Hovering over a box tells all
//! about the TB.

use super::{
    Area, FAINT, GRID, INK, NAME, OKABE_ITO, PAPER, STRONG, TEXT, TICK, blend, round_step, title, told, write,
};
use anyhow::{Context, Result};
use indicatif::HumanCount;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;
use std::fmt::Write as _;

/// What to draw.
#[derive(Clone, Debug)]
pub struct Chart {
    /// First line.
    pub title: String,
    /// Second line, smaller.
    pub subtitle: String,
    /// What time is counted in.
    pub unit: Unit,
    /// From top to bottom, on one time axis.
    pub panels: Vec<Panel>,
}

/// What time is counted in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Cycles: numbers stand at instants.
    Cycles,
    /// Rounds of the worked example: numbers, from 1, stand between instants.
    Rounds,
}

/// A run.
#[derive(Clone, Debug)]
pub struct Panel {
    /// Its name.
    pub name: String,
    /// Short facts, one a line, beside the lanes.
    pub notes: Vec<String>,
    /// When it ends.
    pub end: u64,
    /// SMXs.
    pub lanes: Vec<Lane>,
}

/// An SMX.
#[derive(Clone, Debug, Default)]
pub struct Lane {
    /// Its name.
    pub name: String,
    /// Its TBs.
    pub bars: Vec<Bar>,
}

/// A TB.
#[derive(Clone, Debug)]
pub struct Bar {
    /// TB slot.
    pub row: u32,
    /// When it starts.
    pub from: u64,
    /// When it ends.
    pub to: u64,
    /// Its part in its family.
    pub kin: Kin,
    /// A mark: an SMX that had nothing else to do took it from another's queue.
    pub taken: bool,
    /// Its name, written into the box if there is room.
    pub name: String,
    /// What hovering tells.
    pub tip: String,
}

/// A TB's part in a family: a parent, and all that descends from it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kin {
    /// Launches nothing and was launched by the host.
    Single,
    /// Was launched by the host, and launches; the number of its family.
    Parent(usize),
    /// Descends from that parent.
    Child(usize),
}

const WIDTH: u32 = 1080;
const HEADER: u32 = 112;
const FOOTER: u32 = 50;
const GAP: u32 = 34;
const LEFT: u32 = 252;
const RIGHT: u32 = 40;
/// Blank pixels between lanes.
const SEAM: u32 = 3;
/// Rows are this high if there are few, in pixels: in a chart of cycles, in one of rounds.
const HIGHEST: [u32; 2] = [18, 30];
/// Rows are this high if there are many.
const LOWEST: u32 = 5;
/// Pixels for all rows, if that leaves them between the two.
const ROOM: u32 = 1500;
const LETTER: i32 = 8;

const SINGLE: RGBColor = RGBColor(203, 208, 216);

/// The picture as the text of an SVG file.
pub fn svg(chart: &Chart) -> Result<String> {
    let mut text = String::new();
    let tips = draw(chart, &mut text).context("cannot draw the chart")?;
    // Boxes that cannot be seen lie over the drawn ones and carry the words, which plotters has no way to write.
    let end = text.rfind("</svg>").context("the chart has no end")?;
    text.insert_str(end, &tips);
    Ok(text)
}

fn draw(chart: &Chart, text: &mut String) -> Result<String> {
    let page = Page::of(chart);
    let heights: Vec<u32> = chart.panels.iter().map(|panel| page.height(panel)).collect();
    let height = HEADER + heights.iter().map(|height| height + GAP).sum::<u32>() - GAP + FOOTER;
    let root = SVGBackend::with_string(text, (WIDTH, height)).into_drawing_area();
    root.fill(&WHITE).map_err(told)?;
    title(&root, &chart.title, &chart.subtitle)?;
    draw_legend(&root, chart)?;
    let (mut top, mut tips) = (HEADER as i32, String::new());
    for (panel, height) in chart.panels.iter().zip(heights) {
        page.draw_panel(&root, panel, top, &mut tips)?;
        top += (height + GAP) as i32;
    }
    page.draw_axis(&root, top - GAP as i32)?;
    root.present().map_err(told)?;
    Ok(tips)
}

fn draw_legend(root: &Area<'_>, chart: &Chart) -> Result<()> {
    let has = |test: fn(&Bar) -> bool| chart.panels.iter().flat_map(|p| &p.lanes).flat_map(|l| &l.bars).any(test);
    let mut entries = vec![(Some((Kin::Single, false)), "TB that launches nothing")];
    if has(|bar| bar.kin != Kin::Single) {
        entries.push((Some((Kin::Parent(0), false)), "TB that launches"));
        entries.push((Some((Kin::Child(0), false)), "its descendants"));
    }
    if has(|bar| bar.taken) {
        entries.push((Some((Kin::Child(1), true)), "taken from another SMX's queue (stage 3)"));
    }
    entries.push((None, "empty TB slot"));
    let (mut x, y) = (24, 76);
    for (look, words) in entries {
        let corners = [(x, y), (x + 26, y + 14)];
        match look {
            Some((kin, taken)) => draw_box(root, corners, kin, taken)?,
            None => draw_empty(root, corners)?,
        }
        write(root, words, (x + 32, y), TEXT, FAINT, HPos::Left)?;
        x += 58 + 13 * words.len() as i32 / 2;
    }
    Ok(())
}

/// How a chart is laid out.
struct Page {
    unit: Unit,
    /// Time at the right end.
    end: u64,
    /// Height of a TB slot.
    row: u32,
}

impl Page {
    fn of(chart: &Chart) -> Self {
        let rows: u32 = chart.panels.iter().flat_map(|panel| &panel.lanes).map(Lane::rows).sum();
        Self {
            unit: chart.unit,
            end: chart.panels.iter().map(|panel| panel.end).max().unwrap_or(0).max(1),
            row: (ROOM / rows.max(1)).clamp(LOWEST, HIGHEST[chart.unit as usize]),
        }
    }

    fn height(&self, panel: &Panel) -> u32 {
        panel.lanes.iter().map(|lane| lane.rows() * self.row + SEAM).sum::<u32>().max(60)
    }

    /// Pixel column of an instant.
    fn x(&self, time: u64) -> i32 {
        let across = f64::from(WIDTH - LEFT - RIGHT);
        LEFT as i32 + (across * time as f64 / self.end as f64).round() as i32
    }

    fn step(&self) -> u64 {
        match self.unit {
            Unit::Rounds => 1,
            Unit::Cycles => round_step(self.end, 8),
        }
    }

    fn draw_axis(&self, root: &Area<'_>, y: i32) -> Result<()> {
        let middle = (self.x(0) + self.x(self.end)) / 2;
        let (names, offset, unit) = match self.unit {
            Unit::Cycles => (0..=self.end, 0, "cycles"),
            Unit::Rounds => (1..=self.end, 1, "rounds: a TB takes one"),
        };
        for time in names.step_by(self.step() as usize) {
            let x = (self.x(time - offset) + self.x(time)) / 2;
            write(root, &HumanCount(time).to_string(), (x, y + 6), TEXT, INK, HPos::Center)?;
        }
        write(root, unit, (middle, y + 26), TEXT, FAINT, HPos::Center)
    }

    fn draw_panel(&self, root: &Area<'_>, panel: &Panel, top: i32, tips: &mut String) -> Result<()> {
        write(root, &panel.name, (24, top - 2), NAME, INK, HPos::Left)?;
        for (note, y) in panel.notes.iter().zip((top + 24..).step_by(18)) {
            write(root, note, (24, y), TEXT, FAINT, HPos::Left)?;
        }
        let (left, right, bottom) = (self.x(0), self.x(panel.end), top + self.height(panel) as i32);
        let mut y = top;
        for lane in &panel.lanes {
            let below = y + (lane.rows() * self.row) as i32;
            draw_empty(root, [(left, y), (right, below)])?;
            write(root, &lane.name, (left - 8, (y + below) / 2 - 6), TICK, FAINT, HPos::Right)?;
            y = below + SEAM as i32;
        }
        for time in (0..=panel.end).step_by(self.step() as usize) {
            root.draw(&PathElement::new([(self.x(time), top), (self.x(time), bottom)], GRID)).map_err(told)?;
        }
        let mut y = top;
        for lane in &panel.lanes {
            lane.bars.iter().try_for_each(|bar| self.draw_bar(root, bar, y, tips))?;
            y += (lane.rows() * self.row + SEAM) as i32;
        }
        self.draw_end(root, panel, top, bottom)
    }

    fn draw_bar(&self, root: &Area<'_>, bar: &Bar, lane: i32, tips: &mut String) -> Result<()> {
        let gap = if self.row > 12 { 1 } else { 0 };
        let top = lane + (bar.row * self.row) as i32;
        let (from, to) = (self.x(bar.from), self.x(bar.to).max(self.x(bar.from) + 1));
        let corners = [(from + gap, top + gap), (to.max(from + gap + 1) - gap, top + self.row as i32 - gap)];
        draw_box(root, corners, bar.kin, bar.taken)?;
        let name = if bar.taken { format!("{} *", bar.name) } else { bar.name.clone() };
        if self.row >= 13 && to - from > LETTER * name.len() as i32 + 4 {
            let ink = if matches!(bar.kin, Kin::Parent(family) if is_dark(hue(family))) { WHITE } else { INK };
            write(root, &name, ((from + to) / 2, top + self.row as i32 / 2 - 6), STRONG, ink, HPos::Center)?;
        }
        let (width, height) = (to - from, self.row);
        let _ = writeln!(
            tips,
            "<rect x=\"{from}\" y=\"{top}\" width=\"{width}\" height=\"{height}\" opacity=\"0\"><title>{}</title></rect>",
            escape(&bar.tip)
        );
        Ok(())
    }

    /// Where the run ends.
    fn draw_end(&self, root: &Area<'_>, panel: &Panel, top: i32, bottom: i32) -> Result<()> {
        let x = self.x(panel.end);
        root.draw(&PathElement::new([(x, top - 4), (x, bottom)], INK.stroke_width(2))).map_err(told)?;
        let unit = match self.unit {
            Unit::Cycles => "cycles",
            Unit::Rounds => "rounds",
        };
        let text = format!("{} {unit}", HumanCount(panel.end));
        let room = self.x(self.end) - x > 110;
        let (at, end) = if room { ((x + 8, top), HPos::Left) } else { ((x, top - 20), HPos::Right) };
        write(root, &text, at, STRONG, INK, end)
    }
}

impl Lane {
    /// TB slots that were used, one at least.
    fn rows(&self) -> u32 {
        self.bars.iter().map(|bar| bar.row + 1).max().unwrap_or(1)
    }
}

fn draw_empty(root: &Area<'_>, corners: [(i32, i32); 2]) -> Result<()> {
    root.draw(&Rectangle::new(corners, PAPER.filled())).map_err(told)?;
    root.draw(&Rectangle::new(corners, GRID)).map_err(told)
}

fn draw_box(root: &Area<'_>, corners: [(i32, i32); 2], kin: Kin, taken: bool) -> Result<()> {
    let (fill, edge) = match kin {
        Kin::Single => (SINGLE, blend(SINGLE, INK, 0.25)),
        Kin::Parent(family) => (hue(family), blend(hue(family), INK, 0.4)),
        Kin::Child(family) => (blend(WHITE, hue(family), 0.4), hue(family)),
    };
    root.draw(&Rectangle::new(corners, fill.filled())).map_err(told)?;
    if corners[1].0 - corners[0].0 > 2 {
        root.draw(&Rectangle::new(corners, edge)).map_err(told)?;
    }
    if taken {
        root.draw(&Rectangle::new(corners, INK.stroke_width(3))).map_err(told)?;
    }
    Ok(())
}

/// Colour of a family.
fn hue(family: usize) -> RGBColor {
    OKABE_ITO[family % OKABE_ITO.len()]
}

/// Whether white words can be read on it.
fn is_dark(RGBColor(red, green, blue): RGBColor) -> bool {
    3 * u32::from(red) + 6 * u32::from(green) + u32::from(blue) < 1300
}

/// Words as XML has them.
fn escape(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(kin: Kin) -> Chart {
        let bar = |row: u32, from: u64| Bar {
            row,
            from,
            to: from + 300,
            kin,
            taken: row == 1,
            name: "C1.0".to_owned(),
            tip: "SMX 0 & <slot 1>".to_owned(),
        };
        let lane = |name: &str, bars: Vec<Bar>| Lane { name: name.to_owned(), bars };
        Chart {
            title: "TBs & SMXs".to_owned(),
            subtitle: String::new(),
            unit: Unit::Cycles,
            panels: vec![Panel {
                name: "dtbl".to_owned(),
                notes: vec!["2 TBs".to_owned()],
                end: 1234,
                lanes: vec![lane("SMX 0", vec![bar(0, 10), bar(1, 800)]), lane("SMX 1", Vec::new())],
            }],
        }
    }

    #[test]
    fn every_box_has_words_that_are_xml() {
        let text = svg(&chart(Kin::Child(9))).unwrap();
        assert_eq!(text.matches("<title>SMX 0 &amp; &lt;slot 1&gt;</title>").count(), 2);
        assert!(text.trim_end().ends_with("</svg>") && text.contains("1,234 cycles"), "{text}");
        assert_eq!(text, svg(&chart(Kin::Child(9))).unwrap());
    }

    #[test]
    fn the_legend_says_only_what_there_is() {
        assert!(!svg(&chart(Kin::Single)).unwrap().contains("descendants"));
        assert!(svg(&chart(Kin::Parent(0))).unwrap().contains("descendants"));
    }

    #[test]
    fn an_empty_run_can_be_drawn() {
        let panel = Panel { name: String::new(), notes: Vec::new(), end: 0, lanes: vec![Lane::default()] };
        let chart = Chart { title: String::new(), subtitle: String::new(), unit: Unit::Cycles, panels: vec![panel] };
        svg(&chart).unwrap();
    }
}
