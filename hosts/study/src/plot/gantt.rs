//! A Gantt chart: which TB ran on which SMX, and when. A lane for each SMX, a row in it for each of its TB slots, a box for each TB.
//!
//! Parents and their children share a colour: a parent is solid, its descendants are pale with an edge. Where kernels have names, those
//! of a name do, and what TBs launched is pale. Hovering over a box tells all about the TB.

mod legend;
mod look;

use super::{Area, FAINT, GRID, INK, NAME, STRONG, TEXT, TICK, round_step, title, told, write};
use anyhow::{Context, Result};
use indicatif::HumanCount;
use look::{draw_box, draw_empty, hue, is_dark, tip};
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

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

/// The names of kernels, by number, for the legend. The first have colours of their own; the rest share one.
#[derive(Clone, Debug, Default)]
pub struct Names(pub Vec<String>);

/// What time is counted in, and how much of it is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Cycles: numbers stand at instants.
    Cycles,
    /// Cycles, but only these of the run.
    Part {
        /// At the left end.
        from: u64,
        /// At the right end, a later one.
        to: u64,
    },
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
    /// Its TBs, behind what happened to the SMX itself.
    pub bars: Vec<Bar>,
}

/// A TB, or a state of the SMX.
#[derive(Clone, Debug)]
pub struct Bar {
    /// TB slot; a state takes them all.
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

/// A TB's part in a family: a parent, and all that descends from it. Or what else a box stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kin {
    /// Launches nothing and was launched by the host.
    Single,
    /// Was launched by the host, and launches; the number of its family.
    Parent(usize),
    /// Descends from that parent.
    Child(usize),
    /// Belongs to a kernel of that name, launched by the host or, a child, by a TB.
    Named {
        /// Number of the name.
        name: usize,
        /// Whether a TB launched it.
        is_child: bool,
    },
    /// No TB: the SMX takes none.
    Diverted,
    /// No TB: the SMX is in the low P-state.
    Low,
}

impl Kin {
    /// Whether it is a state of the SMX.
    const fn is_state(self) -> bool {
        matches!(self, Self::Diverted | Self::Low)
    }
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
/// Rows are this high if there are many, and a pixel if all would be higher than that.
const LOWEST: u32 = 5;
const MOST_ROOM: u32 = 6000;
/// Pixels for all rows, if that leaves them between the two.
const ROOM: u32 = 1500;
const LETTER: i32 = 8;

/// The picture as the text of an SVG file.
pub fn svg(chart: &Chart) -> Result<String> {
    svg_with_names(chart, &Names::default())
}

/// The same, of kernels with names.
pub fn svg_with_names(chart: &Chart, names: &Names) -> Result<String> {
    let mut text = String::new();
    let tips = draw(chart, names, &mut text).context("cannot draw the chart")?;
    // Boxes that cannot be seen lie over the drawn ones and carry the words, which plotters has no way to write.
    let end = text.rfind("</svg>").context("the chart has no end")?;
    text.insert_str(end, &tips);
    Ok(text)
}

fn draw(chart: &Chart, names: &Names, text: &mut String) -> Result<String> {
    let page = Page::of(chart);
    let legend = legend::Legend::of(chart, names);
    let header = HEADER + legend.more_height();
    let heights: Vec<u32> = chart.panels.iter().map(|panel| page.height(panel)).collect();
    let height = header + heights.iter().map(|height| height + GAP).sum::<u32>() - GAP + FOOTER;
    let root = SVGBackend::with_string(text, (WIDTH, height)).into_drawing_area();
    root.fill(&WHITE).map_err(told)?;
    title(&root, &chart.title, &chart.subtitle)?;
    legend.draw(&root)?;
    let (mut top, mut tips) = (header as i32, String::new());
    for (panel, height) in chart.panels.iter().zip(heights) {
        page.draw_panel(&root, panel, top, &mut tips)?;
        top += (height + GAP) as i32;
    }
    page.draw_axis(&root, top - GAP as i32)?;
    root.present().map_err(told)?;
    Ok(tips)
}

/// How a chart is laid out.
struct Page {
    unit: Unit,
    /// Time at the left end.
    from: u64,
    /// Time at the right end.
    end: u64,
    /// Height of a TB slot.
    row: u32,
}

impl Page {
    fn of(chart: &Chart) -> Self {
        let rows: u32 = chart.panels.iter().flat_map(|panel| &panel.lanes).map(Lane::rows).sum();
        let end = chart.panels.iter().map(|panel| panel.end).max().unwrap_or(0).max(1);
        let (from, end, highest) = match chart.unit {
            Unit::Cycles => (0, end, HIGHEST[0]),
            Unit::Part { from, to } => (from, to.max(from + 1), HIGHEST[0]),
            Unit::Rounds => (0, end, HIGHEST[1]),
        };
        let lowest = if rows > MOST_ROOM / LOWEST { (MOST_ROOM / rows).max(1) } else { LOWEST };
        Self { unit: chart.unit, from, end, row: (ROOM / rows.max(1)).clamp(lowest, highest) }
    }

    fn height(&self, panel: &Panel) -> u32 {
        let lanes = panel.lanes.iter().map(|lane| lane.rows() * self.row + SEAM).sum::<u32>();
        let notes = 24 + 18 * panel.notes.len() as u32; // may reach into the gap
        lanes.max(60).max(notes.saturating_sub(GAP))
    }

    /// Pixel column of an instant, or the end of the lanes on the side where it would be.
    fn x(&self, time: u64) -> i32 {
        let across = f64::from(WIDTH - LEFT - RIGHT);
        let (time, whole) = (time.clamp(self.from, self.end) - self.from, self.end - self.from);
        LEFT as i32 + (across * time as f64 / whole as f64).round() as i32
    }

    /// Instants from the left end to `end` that grid lines stand at.
    fn grid(&self, end: u64) -> impl Iterator<Item = u64> {
        let step = self.step();
        let first = self.from.div_ceil(step);
        (first..=end.min(self.end) / step).map(move |line| line * step)
    }

    fn step(&self) -> u64 {
        match self.unit {
            Unit::Rounds => 1,
            Unit::Cycles | Unit::Part { .. } => round_step(self.end - self.from, 8),
        }
    }

    fn draw_axis(&self, root: &Area<'_>, y: i32) -> Result<()> {
        let middle = (self.x(self.from) + self.x(self.end)) / 2;
        let (names, offset, unit): (Vec<u64>, _, _) = match self.unit {
            Unit::Cycles | Unit::Part { .. } => (self.grid(self.end).collect(), 0, "cycles"),
            Unit::Rounds => ((1..=self.end).collect(), 1, "rounds: a TB takes one"),
        };
        for time in names {
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
        let (left, right, bottom) = (self.x(self.from), self.x(panel.end), top + self.height(panel) as i32);
        let mut y = top;
        for lane in &panel.lanes {
            let below = y + (lane.rows() * self.row) as i32;
            draw_empty(root, [(left, y), (right, below)])?;
            for state in lane.bars.iter().filter(|bar| bar.kin.is_state()) {
                let corners = [(self.x(state.from), y), (self.x(state.to).max(self.x(state.from) + 1), below)];
                draw_box(root, corners, state.kin, false)?;
                tip(tips, corners, &state.tip);
            }
            write(root, &lane.name, (left - 8, (y + below) / 2 - 6), TICK, FAINT, HPos::Right)?;
            y = below + SEAM as i32;
        }
        for time in self.grid(panel.end) {
            root.draw(&PathElement::new([(self.x(time), top), (self.x(time), bottom)], GRID)).map_err(told)?;
        }
        let mut y = top;
        for lane in &panel.lanes {
            lane.bars.iter().filter(|bar| !bar.kin.is_state()).try_for_each(|bar| self.draw_bar(root, bar, y, tips))?;
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
            let solid = match bar.kin {
                Kin::Parent(number) | Kin::Named { name: number, is_child: false } => hue(number),
                _ => WHITE,
            };
            let ink = if is_dark(solid) { WHITE } else { INK };
            write(root, &name, ((from + to) / 2, top + self.row as i32 / 2 - 6), STRONG, ink, HPos::Center)?;
        }
        tip(tips, [(from, top), (to, top + self.row as i32)], &bar.tip);
        Ok(())
    }

    /// Where the run ends.
    fn draw_end(&self, root: &Area<'_>, panel: &Panel, top: i32, bottom: i32) -> Result<()> {
        if panel.end > self.end || panel.end < self.from {
            return Ok(());
        }
        let x = self.x(panel.end);
        root.draw(&PathElement::new([(x, top - 4), (x, bottom)], INK.stroke_width(2))).map_err(told)?;
        let unit = match self.unit {
            Unit::Cycles | Unit::Part { .. } => "cycles",
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
        self.bars.iter().filter(|bar| !bar.kin.is_state()).map(|bar| bar.row + 1).max().unwrap_or(1)
    }
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
    fn a_part_of_a_run_has_its_own_axis() {
        let part = Chart { unit: Unit::Part { from: 1000, to: 1100 }, ..chart(Kin::Single) };
        let text = svg(&part).unwrap();
        assert!(text.contains("1,020") && !text.contains("1,234 cycles"), "{text}");
        let whole = Chart { unit: Unit::Part { from: 0, to: 1234 }, ..part };
        assert_eq!(svg(&whole).unwrap(), svg(&chart(Kin::Single)).unwrap());
    }

    #[test]
    fn names_are_told_and_many_take_lines() {
        let named = |number: usize| {
            let mut chart = chart(Kin::Named { name: 0, is_child: false });
            let lane = &mut chart.panels[0].lanes[0];
            let first = lane.bars[0].clone();
            lane.bars.extend((1..number).map(|name| Bar { kin: Kin::Named { name, is_child: true }, ..first.clone() }));
            lane.bars.extend([Kin::Diverted, Kin::Low].map(|kin| Bar { kin, row: 99, ..first.clone() }));
            let names = (0..number).map(|name| format!("kernel number {name}, with words")).collect();
            svg_with_names(&chart, &Names(names)).unwrap()
        };
        let (one, eight) = (named(1), named(8));
        let height =
            |text: &str| text.split("height=\"").nth(1).unwrap().split('"').next().unwrap().parse::<u32>().unwrap();
        assert!(one.contains("number 0") && !one.contains("pale") && one.contains("SMX diverted"));
        assert!(eight.contains("number 5") && !eight.contains("number 6") && eight.contains("other kernels"));
        assert!(eight.contains("pale") && height(&eight) > height(&one) && height(&one) < 400, "{}", height(&one));
    }

    #[test]
    fn an_empty_run_can_be_drawn() {
        let panel = Panel { name: String::new(), notes: Vec::new(), end: 0, lanes: vec![Lane::default()] };
        let chart = Chart { title: String::new(), subtitle: String::new(), unit: Unit::Cycles, panels: vec![panel] };
        svg(&chart).unwrap();
    }
}
