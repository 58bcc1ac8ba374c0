//! `gpusched demo laperm`: the worked example of LaPerm's chapter (Figure 26 of the thesis), scheduled by the core under each policy.
//!
//! Four SMXs hold one TB each and a TB takes a round, in which each SMX is visited once. The host launches `P0` to `P7`. `P2` launches `C0`
//! and `C1`, `P4` launches `C2` to `C5`; children can be scheduled from the round after that of their parent.

use crate::ask::Demo;
use crate::failure::Failure;
use crate::output::{Folder, with_files};
use crate::plot::gantt::{self, Bar, Chart, Kin, Lane, Panel, Unit};
use crate::table;
use anyhow::Context;
use comfy_table::CellAlignment::Left;
use gpusched::laperm::{Config, LaPerm, Policy, Stage, Tick, Visit};
use gpusched::{Cycle, Resources, SmxId, inline_tables};

const SMXS: u32 = 4;
/// More rounds than any order needs.
const MOST_ROUNDS: u64 = 16;
const PARENTS: u32 = 8;
/// Who launches how many TBs.
const LAUNCHES: [(u32, u32); 2] = [(2, 2), (4, 4)];
/// The machine of the example: one level of children, room for what there is.
const MACHINE: Config = Config {
    smxs: SMXS,
    levels: 1,
    queue_cap: 16,
    q0_cap: 1,
    pool_cap: 16,
    smx_threads: 32,
    smx_slots: 1,
    ..Config::K20C
};
const TB: Resources = Resources { threads: 32, regs: 0, smem: 0, slots: 1 };

inline_tables! {
    /// Its tables.
    struct Tables: laperm = MACHINE;
}

const POLICIES: [(Policy, &str, &str); 4] = [
    (Policy::Rr, "rr", "in the order of arrival"),
    (Policy::TbPri, "tb-pri", "children first"),
    (Policy::SmxBind, "smx-bind", "children first, bound"),
    (Policy::AdaptiveBind, "adaptive-bind", "bound, idle SMXs take"),
];

/// A TB that ran.
#[derive(Clone, Debug)]
struct Ran {
    smx: u16,
    /// From 0.
    round: u64,
    name: String,
    kin: Kin,
    /// SMX of the TB that launched it.
    parent_smx: Option<u16>,
    stage: Stage,
}

/// Children on their way.
struct Launch {
    tag: u64,
    tbs: u32,
    parent_smx: SmxId,
    parent_prio: u8,
    /// The round from which they can be scheduled.
    round: u64,
}

/// Text of `demo laperm`; writes the picture.
pub fn laperm(args: &Demo) -> Result<String, Failure> {
    let folder = Folder::open(&args.out)?.with_png(args.pictures.png)?;
    let schedules = POLICIES.map(|(policy, ..)| schedule(policy));
    let schedules = schedules.into_iter().collect::<anyhow::Result<Vec<_>>>().context("the example does not run")?;
    let written = folder.draw("laperm-example", &gantt::svg(&chart(&schedules))?)?;
    Ok(with_files(format!("{}\n{}", rounds_table(&schedules), remarks()), &written, args.quiet))
}

/// What the core sends where under `policy`.
fn schedule(policy: Policy) -> anyhow::Result<Vec<Ran>> {
    let visit = if policy == Policy::Rr { Visit::Skip } else { Visit::Step };
    let config = Config { policy, visit, ..MACHINE };
    let mut core = LaPerm::<Tables>::new(&config)?;
    core.push_host(Cycle(0), 0, PARENTS, TB)?;
    let (mut ran, mut launches) = (Vec::<Ran>::new(), Vec::<Launch>::new());
    let mut running = [None; SMXS as usize];
    for cycle in 0..MOST_ROUNDS * u64::from(SMXS) {
        let (now, round) = (Cycle(cycle), cycle / u64::from(SMXS));
        for launch in launches.extract_if(.., |launch| launch.round <= round) {
            core.push_child(now, launch.tag, launch.tbs, TB, launch.parent_smx, launch.parent_prio)?;
        }
        // A TB ends just before its SMX is visited again.
        for (smx, end) in (0..).zip(&mut running) {
            if end.take_if(|end| *end <= cycle).is_some() {
                core.tb_done(now, SmxId(smx), TB, None)?;
            }
        }
        let Tick::Dispatch(sent) = core.tick(now)? else { continue };
        running[sent.smx.0 as usize] = Some(cycle + u64::from(SMXS));
        let family = |parent| LAUNCHES.iter().position(|launch| launch.0 == parent);
        let (name, kin, parent_smx) = match sent.tag.checked_sub(1) {
            None => (format!("P{}", sent.tb), family(sent.tb).map_or(Kin::Single, Kin::Parent), None),
            Some(launch) => {
                let earlier: u32 = LAUNCHES[..launch as usize].iter().map(|launch| launch.1).sum();
                let parent = ran.iter().find(|tb| tb.kin == Kin::Parent(launch as usize));
                (format!("C{}", earlier + sent.tb), Kin::Child(launch as usize), parent.map(|tb| tb.smx))
            }
        };
        if let Kin::Parent(family) = kin {
            let (tag, tbs) = (family as u64 + 1, LAUNCHES[family].1);
            launches.push(Launch { tag, tbs, parent_smx: sent.smx, parent_prio: sent.prio, round: round + 1 });
        }
        ran.push(Ran { smx: sent.smx.0, round, name, kin, parent_smx, stage: sent.stage });
    }
    Ok(ran)
}

fn rounds(schedule: &[Ran]) -> u64 {
    schedule.iter().map(|tb| tb.round + 1).max().unwrap_or(0)
}

/// Rounds of SMXs without a TB, before the end.
fn idle(schedule: &[Ran]) -> u64 {
    rounds(schedule) * u64::from(SMXS) - schedule.len() as u64
}

/// Children on the SMX of their parent, and children.
fn at_home(schedule: &[Ran]) -> (usize, usize) {
    let children = || schedule.iter().filter(|tb| tb.parent_smx.is_some());
    (children().filter(|tb| tb.parent_smx == Some(tb.smx)).count(), children().count())
}

/// A row per round, a column per policy, in it what the SMXs start.
fn rounds_table(schedules: &[Vec<Ran>]) -> String {
    let header = std::iter::once("round").chain(POLICIES.map(|(_, name, _)| name)).map(str::to_owned).collect();
    let mut rows = table::new(header, &[Left; 5]);
    let most = schedules.iter().map(|schedule| rounds(schedule)).max().unwrap_or(0);
    for round in 0..most {
        let cell = |schedule: &Vec<Ran>| {
            if round >= rounds(schedule) {
                return String::new();
            }
            let start = |smx: u32| {
                let tb = schedule.iter().find(|tb| tb.round == round && u32::from(tb.smx) == smx);
                let star = |tb: &Ran| if tb.stage == Stage::Backup { "*" } else { "" };
                format!("{:<4}", tb.map_or("-".to_owned(), |tb| format!("{}{}", tb.name, star(tb))))
            };
            (0..SMXS).map(start).collect::<String>().trim_end().to_owned()
        };
        rows.add_row(std::iter::once((round + 1).to_string()).chain(schedules.iter().map(cell)));
    }
    let mut row = |label: &str, of: fn(&[Ran]) -> String| {
        rows.add_row(std::iter::once(label.to_owned()).chain(schedules.iter().map(|schedule| of(schedule))));
    };
    row("", |_| String::new());
    row("rounds", |schedule| rounds(schedule).to_string());
    row("idle SMX rounds", |schedule| idle(schedule).to_string());
    row("beside parent", |schedule| {
        let (home, children) = at_home(schedule);
        format!("{home} of {children}")
    });
    table::text(&rows)
}

fn remarks() -> String {
    table::text(&table::remarks([
        (
            "columns",
            "what SMX0, SMX1, SMX2 and SMX3 start in a round; each holds one TB, which takes the round".to_owned(),
        ),
        (
            "P, C",
            "the host launches P0-P7; P2 launches C0-C1, P4 launches C2-C5, for the round after its own".to_owned(),
        ),
        ("*, -", "taken from another SMX's queue (stage 3 of Adaptive-Bind); nothing to start".to_owned()),
        ("beside parent", "children on the SMX, and so with the L1 cache, of the TB that launched them".to_owned()),
    ]))
}

fn chart(schedules: &[Vec<Ran>]) -> Chart {
    let panel = |(schedule, (_, name, words)): (&Vec<Ran>, (Policy, &str, &str))| {
        let (home, children) = at_home(schedule);
        Panel {
            name: name.to_owned(),
            notes: vec![
                words.to_owned(),
                format!("{} idle SMX rounds", idle(schedule)),
                format!("{home} of {children} children beside parent"),
            ],
            end: rounds(schedule),
            lanes: (0..SMXS as u16).map(|smx| lane(schedule, smx)).collect(),
        }
    };
    Chart {
        title: "LaPerm's worked example: four schedules of the same launches".to_owned(),
        subtitle: "4 SMXs of one TB each; P0-P7 by the host, C0-C1 launched by P2, C2-C5 by P4 (thesis, Figure 26)"
            .to_owned(),
        unit: Unit::Rounds,
        panels: schedules.iter().zip(POLICIES).map(panel).collect(),
    }
}

fn lane(schedule: &[Ran], smx: u16) -> Lane {
    let bar = |tb: &Ran| {
        let stage = match tb.stage {
            Stage::Unit => "stage 1: the queue of the SMX's own unit",
            Stage::Queue0 => "stage 2: queue 0, of the host's kernels",
            Stage::Backup => "stage 3: another SMX's queue",
        };
        Bar {
            row: 0,
            from: tb.round,
            to: tb.round + 1,
            kin: tb.kin,
            taken: tb.stage == Stage::Backup,
            name: tb.name.clone(),
            tip: format!("{} on SMX {smx} in round {}, from {stage}", tb.name, tb.round + 1),
        }
    };
    Lane { name: format!("SMX {smx}"), bars: schedule.iter().filter(|tb| tb.smx == smx).map(bar).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of sheet `laperm`, Golden vectors.
    #[test]
    fn the_core_schedules_the_example_as_the_figure_does() {
        let figure = [
            ["P0 P1 P2 P3", "P4 P5 P6 P7", "C0 C1 C2 C3", "C4 C5 - -"].as_slice(),
            &["P0 P1 P2 P3", "C0 C1 P4 P5", "C2 C3 C4 C5", "P6 P7 - -"],
            &["P0 P1 P2 P3", "P4 P5 C0 P6", "C2 P7 C1 -", "C3 - - -", "C4 - - -", "C5 - - -"],
            &["P0 P1 P2 P3", "P4 P5 C0 P6", "C2 P7 C1 C3*", "C4 C5* - -"],
        ];
        for ((policy, name, _), figure) in POLICIES.into_iter().zip(figure) {
            let ran = schedule(policy).unwrap();
            let start = |round, smx| {
                let tb = ran.iter().find(|tb| (tb.round, tb.smx) == (round, smx));
                tb.map_or("-".to_owned(), |tb| {
                    format!("{}{}", tb.name, if tb.stage == Stage::Backup { "*" } else { "" })
                })
            };
            let rows: Vec<_> =
                (0..rounds(&ran)).map(|r| (0..4).map(|s| start(r, s)).collect::<Vec<_>>().join(" ")).collect();
            assert_eq!(rows, figure, "{name}");
        }
    }
}
