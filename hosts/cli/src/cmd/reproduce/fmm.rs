//! `gpusched reproduce fmm`: the U-list phase of a fast multipole method and its optimisations as inputs of the execution-time model, on
//! the machine of the model's source (sheets `workloads` 6, `models` E and T10).
//!
//! Nothing is simulated: instruction counts follow from the instruction lists of the sheet, and what lists do not say is chosen here.

use crate::args::Reproduce;
use crate::cmd::model::estimate::{Limit, limit};
use crate::failure::Failure;
use crate::output::{self, Folder};
use crate::table;
use anyhow::anyhow;
use comfy_table::CellAlignment::{Left, Right};
use gpusched::models::exec::{ExecConfig, ExecEstimate, ExecInputs, eval};
use gpusched::models::theory::{Ulist, UlistEstimate, ulist};
use serde::Serialize;

/// Points of a box, boxes, and the neighbours of each, all inside.
const POINTS: f64 = 64.0;
const BOXES: f64 = 512.0;
const NEIGHBOURS: f64 = 27.0;
/// Operations of an interaction.
const KAPPA: f64 = 11.0;
/// A C2050 (sheet `models`, machine facts); latencies are those of `g02_exec_c2050`.
const SMS: f64 = 14.0;
const TBS_PER_SM: f64 = 8.0;
const WARP: f64 = 32.0;

/// A set of optimisations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
struct Variant {
    /// Sources go through shared memory, a tile of 32 at a time.
    shmem: bool,
    /// One special-function instruction and a product in place of root and division.
    rsqrt: bool,
    /// Arrays of each coordinate: four loads of 4 bytes.
    vecpack: bool,
    /// Two targets per thread.
    ujam: bool,
    /// The next source is loaded before this one is used.
    pref: bool,
    /// The inner loop is unrolled by 4.
    tight: bool,
}

/// The names of the options, in the order in which the source adds them.
const OPTIONS: [&str; 6] = ["vecpack", "rsqrt", "shmem", "ujam", "pref", "tight"];

impl Variant {
    fn of_bits(bits: u32) -> Self {
        let is = |option: usize| bits >> option & 1 == 1;
        Self { vecpack: is(0), rsqrt: is(1), shmem: is(2), ujam: is(3), pref: is(4), tight: is(5) }
    }

    fn name(self) -> String {
        let Self { shmem, rsqrt, vecpack, ujam, pref, tight } = self;
        let on = [vecpack, rsqrt, shmem, ujam, pref, tight];
        let names: Vec<_> = OPTIONS.into_iter().zip(on).filter_map(|(name, on)| on.then_some(name)).collect();
        if names.is_empty() { "baseline".to_owned() } else { names.join("+") }
    }

    /// The inputs, instruction by instruction; numbers of a warp.
    fn inputs(self) -> ExecInputs {
        let yes = |is: bool, then: f64, otherwise: f64| if is { then } else { otherwise };
        let targets = yes(self.ujam, 2.0, 1.0);
        let sources = NEIGHBOURS * POINTS;
        let loads = yes(self.vecpack, 4.0, 1.0);
        // Of one interaction: differences, products and sums; root and division, or one instruction and a product.
        let (fp, sfu) = (yes(self.rsqrt, 8.0, 7.0), yes(self.rsqrt, 1.0, 2.0));
        // Of one source: its address, count and branch; the move of what was fetched ahead.
        let integer = 1.0 + yes(self.tight, 0.5, 2.0) + yes(self.pref, 1.0, 0.0);
        let tiles = sources / WARP;
        let of_tile = yes(self.shmem, tiles, 0.0);
        // From global memory for each source, or for each tile.
        let mem_inner = loads * yes(self.shmem, tiles, sources);
        // Ltgt, the list and two pointers of each neighbour, S pot.
        let mem = loads * targets + 3.0 * NEIGHBOURS + mem_inner + targets;
        let shared = of_tile * 2.0 * loads + yes(self.shmem, sources * loads, 0.0);
        let fp_insts = sources * targets * fp;
        let insts = 6.0 + 4.0 * NEIGHBOURS + mem + shared + sources * integer + fp_insts + 2.0 * of_tile;
        let warps = BOXES * POINTS / WARP / targets;
        // A structure of 16 bytes per lane is four lines, one for all lanes is one; a line of 128 bytes holds eight sources either way.
        let wide = yes(self.vecpack, 1.0, 4.0);
        let trans = (mem_inner * yes(self.shmem, wide, 1.0) + (mem - mem_inner)) / mem;
        let lines = sources / 8.0;
        let read = yes(self.shmem, 1.0, (lines / mem_inner).min(1.0));
        ExecInputs {
            insts,
            mem_insts: mem,
            // A barrier waits for two warps here, or none: nothing that Gamma's 64 speaks of.
            sync_insts: 0.0,
            sfu_insts: sources * targets * sfu,
            fp_insts,
            total_warps: warps,
            active_sms: SMS,
            n: TBS_PER_SM * (POINTS / WARP) / targets,
            avg_trans_warp: trans,
            avg_inst_lat: 18.0,
            miss_ratio: read,
            size_of_data: BOXES * POINTS * 16.0 * 2.0,
            // Three coordinates of each target side by side, then a chain.
            ilp: 1.5 * targets,
            mlp: loads * yes(self.pref, 2.0, 1.0),
            delta: 20.0,
            dram_lat: 440.0,
            hit_lat: 18.0,
            freq: 1.15,
            mem_peak_bw: 144.0,
            ..ExecInputs::DEFAULT
        }
    }
}

#[derive(Debug, Serialize)]
struct Row {
    name: String,
    variant: Variant,
    /// Useful operations: 11 for each interaction.
    gflops: f64,
    bound: Limit,
    inputs: ExecInputs,
    estimate: ExecEstimate,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    generator: &'static str,
    suite: &'static str,
    ulist: UlistEstimate,
    best: &'a str,
    variants: &'a [Row],
}

fn row(variant: Variant) -> Result<Row, Failure> {
    let inputs = variant.inputs();
    let config = ExecConfig { size_unit: gpusched::models::exec::SizeUnit::Bytes, ..ExecConfig::default() };
    let estimate = eval(&config, &inputs).map_err(|error| Failure::Failed(anyhow!("{}: {error}", variant.name())))?;
    let operations = BOXES * POINTS * NEIGHBOURS * POINTS * KAPPA;
    let gflops = operations / (estimate.t_exec / inputs.freq);
    Ok(Row { name: variant.name(), variant, gflops, bound: limit(&estimate), inputs, estimate })
}

/// Evaluates every set, writes the figures, and gives the text for standard output.
pub fn run(args: &Reproduce) -> Result<String, Failure> {
    let folder = Folder::open(&args.out)?;
    let rows = (0..1 << OPTIONS.len()).map(|bits| row(Variant::of_bits(bits))).collect::<Result<Vec<_>, _>>()?;
    let best = rows.iter().max_by(|a, b| a.gflops.total_cmp(&b.gflops)).map_or("", |row| &row.name);
    let boxes = Ulist { kappa: KAPPA, q: POINTS, balance: 10.0, ..Ulist::DEFAULT };
    let ulist = ulist(&boxes).map_err(|error| Failure::Failed(anyhow!("U-list: {error}")))?;
    let document = Document {
        schema: "gpusched.reproduce-fmm/1",
        generator: concat!("gpusched ", env!("CARGO_PKG_VERSION")),
        suite: "fmm",
        ulist,
        best,
        variants: &rows,
    };
    let json = output::json(&document)?;
    let path = folder.write("reproduce-fmm.json", &json)?;
    if args.json {
        return Ok(json);
    }
    let written = if args.quiet { String::new() } else { format!("\nwritten: {}\n", path.display()) };
    Ok(format!("{}\n{}{written}", steps(&rows), remarks(&rows, best, &ulist)))
}

/// The source's way from the baseline: one option more at a time; then each alone, and the best.
fn steps(rows: &[Row]) -> String {
    let header =
        ["options", "Gflop/s", "cycles", "bound by", "B_itilp", "B_fp", "B_serial", "B_memlp"].map(str::to_owned);
    let mut text = table::new(header.to_vec(), &[Left, Right, Right, Left, Right, Right, Right, Right]);
    let on_the_way = (0..=OPTIONS.len()).map(|n| (1_usize << n) - 1);
    let alone = (1..OPTIONS.len()).map(|option| 1_usize << option);
    for Row { name, gflops, bound, estimate: e, .. } in on_the_way.chain(alone).filter_map(|bits| rows.get(bits)) {
        let count = |cycles: f64| format!("{:.0}", cycles);
        let bound = match bound {
            Limit::Memory => "memory",
            Limit::Compute => "compute",
            Limit::Serial => "serialisation",
        };
        text.add_row([
            name.clone(),
            format!("{gflops:.0}"),
            count(e.t_exec),
            bound.to_owned(),
            count(e.b_itilp),
            count(e.b_fp),
            count(e.b_serial),
            count(e.b_memlp),
        ]);
    }
    table::text(&text)
}

fn remarks(rows: &[Row], best: &str, ulist: &UlistEstimate) -> String {
    let most = rows.iter().map(|row| row.gflops).fold(0.0, f64::max);
    let rows = [
        ("sets", format!("{} of six options; the source measured 44 without listing them", rows.len())),
        ("best", format!("{best}, {most:.0} Gflop/s; the source: vecpack, rsqrt and shmem, 300 of 340 on a C1060")),
        ("machine", "C2050: 14 SMs of 32 lanes at 1.15 GHz, 144 GB/s; boxes of 64 points, 27 neighbours".to_owned()),
        (
            "boxes",
            format!(
                "at 10 flops a byte arithmetic limits from {} points on as printed, {} if all interactions count",
                ulist.q_printed, ulist.q_exact
            ),
        ),
        ("inputs", "counts follow from the instruction lists; ilp, latencies and hits are chosen, so only orders mean anything".to_owned()),
    ];
    table::text(&table::remarks(rows))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_named_after_their_options() {
        let names: Vec<_> = [0, 1, 6, 63].map(|bits| Variant::of_bits(bits).name()).to_vec();
        assert_eq!(names, ["baseline", "vecpack", "rsqrt+shmem", "vecpack+rsqrt+shmem+ujam+pref+tight"]);
    }

    /// An interaction has the eleven operations that the sheet counts, or one more with a product in place of the division.
    #[test]
    fn every_set_is_accepted_and_counts_its_interactions() {
        for bits in 0..64 {
            let Row { inputs, gflops, .. } = row(Variant::of_bits(bits)).unwrap();
            let targets = if Variant::of_bits(bits).ujam { 2.0 } else { 1.0 };
            assert_eq!((inputs.fp_insts + inputs.sfu_insts) / (27.0 * 64.0 * targets), 9.0);
            assert!(gflops > 0.0 && inputs.insts > inputs.fp_insts + inputs.mem_insts);
        }
    }
}
