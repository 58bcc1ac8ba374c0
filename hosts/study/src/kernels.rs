//! `gpusched kernels`: what `compare` and `run` take besides algorithms and wavefronts; `gpusched calibrate`: whether one of them misses
//! L1 as often as the source's.

use crate::ask::{Calibrate, KERNEL_GPU, Kernel, Kernels};
use crate::failure::Failure;
use crate::input::Setup;
use crate::{output, table};
use anyhow::anyhow;
use comfy_table::CellAlignment::{Left, Right};
use gpusched_refgpu::gpu::RunOptions;
use gpusched_workloads::catalogue::{self, Entry, Kind, Request, Row, Size};
use gpusched_workloads::kernel;
use gpusched_workloads::kernel::calibrate::{self, CalibrateError, TOLERANCE};
use serde::Serialize;

/// A kernel in JSON.
#[derive(Serialize)]
struct Part {
    name: &'static str,
    aliases: &'static [&'static str],
    about: &'static str,
    group: Option<&'static str>,
    kind: &'static str,
    size: &'static str,
    source: Row,
}

/// Text of `kernels`.
pub fn list(args: &Kernels) -> Result<String, Failure> {
    if let Some(name) = &args.name {
        let entry = catalogue::find(name).map_err(|error| Failure::Usage(error.into()))?;
        let app = entry.group.unwrap_or(entry.name);
        let none = || Failure::Usage(anyhow!("{name}: an algorithm in Rust; no file describes it"));
        return Ok(kernel::text_of(app).ok_or_else(none)?.to_owned());
    }
    if args.json {
        return output::json(&catalogue::entries().map(part).collect::<Vec<_>>());
    }
    let header = ["kernel", "of", "type", "blocks", "warps", "instr/miss", "made", "about"].map(str::to_owned);
    let mut rows = table::new(header.to_vec(), &[Left, Left, Left, Right, Right, Right, Left, Left]);
    for entry in catalogue::entries() {
        let Row { category, blocks, warps, ipm, .. } = entry.row;
        let word = |value: Option<String>| value.unwrap_or_else(|| "-".to_owned());
        rows.add_row([
            entry.name.to_owned(),
            entry.group.unwrap_or("-").to_owned(),
            word(category.map(|category| category.to_string())),
            word(blocks.map(|blocks| blocks.to_string())),
            word(warps.map(|warps| warps.to_string())),
            word(ipm.map(|ipm| ipm.to_string())),
            kind(entry).to_owned(),
            entry.about.to_owned(),
        ]);
    }
    let remarks = table::remarks([
        ("type", "what the Equalizer study says it is short of".to_owned()),
        ("blocks", "that an SM holds, and warps of each, in the same study".to_owned()),
        ("instr/miss", "warp instructions per L1 miss of a load, in the Mascar study".to_owned()),
        ("made", "by an algorithm whose result is verified, or after a descriptor of its accesses".to_owned()),
    ]);
    Ok(format!("{}\n{}", table::text(&rows), table::text(&remarks)))
}

fn part(entry: &Entry) -> Part {
    let Entry { name, aliases, about, group, size, row, .. } = *entry;
    Part { name, aliases, about, group, kind: kind(entry), size, source: row }
}

fn kind(entry: &Entry) -> &'static str {
    match entry.kind() {
        Kind::Functional => "algorithm",
        Kind::Parametric | Kind::Graphics => "descriptor",
    }
}

/// Text of `calibrate`: a line for every kernel that a source has a figure for.
pub fn calibrate(args: &Calibrate) -> Result<String, Failure> {
    let Kernel(entry) = args.kernel;
    let none = |what: &str| Failure::Usage(anyhow!("{}: {what}", entry.name));
    let specs = entry.specs().ok_or_else(|| none("an algorithm in Rust has no n to be moved"))?;
    let mut setup = Setup::resolve(&args.machine, KERNEL_GPU)?;
    setup.only_of(&[])?;
    // As the machine of calibration has it.
    if args.machine.gpu.is_none() && !setup.gives("sm.policy") {
        setup.gpu.set("sm.policy", "lrr").map_err(|error| Failure::Usage(error.into()))?;
    }
    setup.check_effect(&[(setup.gpu.clone(), RunOptions::default())], &[])?;
    let request = Request { size: Size::Times(args.scale), ..Request::default() };
    let mut text = String::new();
    for spec in specs.iter().filter(|spec| spec.row.ipm.is_some()) {
        let mut tell = |run: &calibrate::Measured| {
            let ipm = run.ipm.map_or_else(|| "no miss".to_owned(), |ipm| format!("{ipm:.2} instructions per miss"));
            output::remark(&format!("{}: n {:?}, {ipm}\n", spec.name, run.n), args.quiet);
        };
        let found = calibrate::calibrate(spec, &setup.gpu, request, &mut tell).map_err(refused)?;
        text += &format!("{found}\n");
    }
    if text.is_empty() {
        return Err(none("no source has a figure for it (see gpusched kernels)"));
    }
    Ok(format!(
        "{text}\nn: warp instructions of an iteration, by phase; reached: within {:.0}% of the source\nGPU: {}\n",
        100.0 * TOLERANCE,
        setup.told()
    ))
}

fn refused(error: CalibrateError) -> Failure {
    Failure::Failed(error.into())
}
