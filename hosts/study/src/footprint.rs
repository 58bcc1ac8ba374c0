//! `gpusched footprint`: how much of the memory that TBs touch they share, which is the locality that LaPerm's schedulers live on.

use crate::ask::KernelArgs;
use crate::ask::{self, Footprint as Args, Workload};
use crate::failure::Failure;
use crate::input::{Input, InputPart, Setup};
use crate::interrupt::Watch;
use crate::job::Job;
use crate::way::{Way, WaysOf};
use crate::{output, table};
use anyhow::anyhow;
use comfy_table::CellAlignment::{Left, Right};
use gpusched_workloads::Mode;
use gpusched_workloads::footprint::{Footprint, SharedRatio, footprint};
use indicatif::HumanCount;
use serde::Serialize;
use std::sync::atomic::AtomicBool;

/// The text of `footprint`.
pub fn run(args: &Args) -> Result<String, Failure> {
    if args.workload.ways() != WaysOf::Modes {
        let name = args.workload.name();
        return Err(Failure::Usage(anyhow!(
            "footprint: the TBs of {name} launch no others; see gpusched compare {name}"
        )));
    }
    let setup = Setup::resolve(&args.machine, ask::GPU)?;
    setup.only_of(&[args.workload])?;
    setup.no_machine(&args.machine, "footprint")?;
    let input = Input::load(args.workload, &args.input, &KernelArgs::default(), &setup, args.quiet)?;
    let job = Job { workload: args.workload, input: &input, setup: &setup };
    let result = of(job, &AtomicBool::new(false))?;
    if args.json {
        output::json(&Document {
            schema: "gpusched.footprint/1",
            workload: args.workload.name(),
            input: input.part(),
            footprint: result,
        })
    } else {
        Ok(for_people(args.workload, &input, &result))
    }
}

/// What the TBs of a workload share, until `failed` says that it is of no more use.
pub(crate) fn of(job: Job<'_>, failed: &AtomicBool) -> Result<Footprint, Failure> {
    let mut work = job.set_up(Way::Mode(Mode::Dtbl), false)?;
    footprint(&mut work, &mut Watch(failed)).map_err(|_| Failure::Interrupted)
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    workload: &'static str,
    #[serde(flatten)]
    input: InputPart<'a>,
    footprint: Footprint,
}

fn for_people(workload: Workload, input: &Input, result: &Footprint) -> String {
    let header = ["shared footprint", "of partners'", "of own", "TBs", "source"].map(str::to_owned).to_vec();
    let mut rows = table::new(header, &[Left, Right, Right, Right, Right]);
    let percent = |share: Option<f64>| share.map_or("-".to_owned(), |share| format!("{:.1}%", 100.0 * share));
    // Figure 24 of the thesis: means of its 16 benchmarks.
    let mut row = |name: &str, ratio: &SharedRatio, source: &str| {
        let (partners, own) = (percent(ratio.mean), percent(ratio.mean_of_own));
        rows.add_row([name, &partners, &own, &HumanCount(ratio.tbs).to_string(), source]);
    };
    row("parent - its children", &result.parent_child, "38.4%");
    row("child - its siblings", &result.child_sibling, "30.5%");
    row("parent - other parents", &result.parent_parent, "9.3%");
    row("child - its parent, loads", &result.child_parent_loads, "-");
    row("child - no other parent, loads", &result.child_own_parent_loads, "-");
    let count = |n: u64| HumanCount(n).to_string();
    let mut remarks = vec![
        (
            "shared",
            "128-byte blocks that a TB and its partners both touch, of those of the partners and of its own".to_owned(),
        ),
        (
            "loads",
            format!(
                "blocks that both load: of a child's own, those that L1 can hold for it, and those for which it matters \
                 where the child runs; children make {} of all loads",
                percent(Some(result.child_loads as f64 / (result.loads.max(1)) as f64))
            ),
        ),
        ("source", "the thesis, Figure 24: of partners', mean of 16 benchmarks".to_owned()),
        (
            "run",
            format!(
                "{} TBs, {} of them children of {} launches, in {} host kernels",
                count(result.tbs),
                count(result.child_tbs),
                count(result.launches),
                count(result.host_kernels)
            ),
        ),
        (input.kind(), input.description(workload)),
        ("", input.provenance().into_owned()),
    ];
    if result.truncated > 0 {
        remarks.push((
            "cut",
            format!("{} TBs touched more than 2^20 blocks; the rest of theirs is left out", count(result.truncated)),
        ));
    }
    format!("{}\n{}", table::text(&rows), table::text(&table::remarks(remarks)))
}
