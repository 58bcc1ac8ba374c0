//! What the models say of a kernel, as a table, JSON and pictures.

use crate::failure::Failure;
use crate::plot::{benefits, roofline};
use crate::{output, table};
use anyhow::anyhow;
use comfy_table::CellAlignment::{Left, Right};
use gpusched::models::exec::{self, ExecConfig, ExecEstimate, ExecInputs};
use gpusched::models::theory::{self, Bound};
use serde::Serialize;

/// A kernel that is to be estimated.
#[derive(Debug)]
pub struct Asked {
    /// Its name.
    pub name: String,
    /// Where the inputs come from.
    pub of: String,
    /// How the model counts.
    pub config: ExecConfig,
    /// The counters.
    pub inputs: ExecInputs,
    /// Cycles that it took, if it was run.
    pub measured: Option<u64>,
}

/// What is most of a kernel's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Limit {
    /// Accesses to memory.
    Memory,
    /// Instructions that run in parallel.
    Compute,
    /// Computing that does not: synchronisation, special functions, divergence, bank conflicts.
    Serial,
}

/// What an optimisation could gain.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Benefit {
    /// As the model calls it.
    pub name: &'static str,
    /// What it is of.
    pub what: &'static str,
    /// Cycles.
    pub cycles: f64,
    /// Of the execution time.
    pub share: f64,
}

/// Where a kernel lies under its machine's roof.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Roof {
    /// What is counted: `flops`, or `instructions` of threads if the kernel has no floating-point ones.
    pub counted: &'static str,
    /// Operations per nanosecond at most.
    pub peak: f64,
    /// Bytes per nanosecond at most.
    pub bw: f64,
    /// Operations per byte that memory moves.
    pub intensity: f64,
    /// Operations per nanosecond under the roof.
    pub attainable: f64,
    /// Intensity from which on arithmetic limits.
    pub ridge: f64,
    /// What limits.
    pub bound: Bound,
    /// Operations per nanosecond in the estimated time.
    pub estimated: f64,
    /// Operations per nanosecond in the time that it took.
    pub measured: Option<f64>,
}

/// All of it.
#[derive(Debug)]
pub struct Estimate {
    asked: Asked,
    values: ExecEstimate,
    limit: Limit,
    benefits: Vec<Benefit>,
    roof: Option<Roof>,
}

#[derive(Serialize)]
struct Document<'a> {
    schema: &'static str,
    generator: &'static str,
    name: &'a str,
    of: &'a str,
    config: &'a ExecConfig,
    inputs: &'a ExecInputs,
    estimate: &'a ExecEstimate,
    bound: Limit,
    benefits: &'a [Benefit],
    roofline: Option<Roof>,
    measured_cycles: Option<u64>,
    error: Option<f64>,
}

/// What most of an estimated time is.
pub fn limit(e: &ExecEstimate) -> Limit {
    if e.t_mem > e.t_comp {
        Limit::Memory
    } else if e.w_serial > e.w_parallel {
        Limit::Serial
    } else {
        Limit::Compute
    }
}

impl Estimate {
    /// Evaluates the models.
    pub fn of(asked: Asked) -> Result<Self, Failure> {
        let refused = |error| Failure::Failed(anyhow!("{}: {error}", asked.of));
        let values = exec::estimate(&asked.config, &asked.inputs).map_err(refused)?;
        let of = |name, what, cycles: f64| Benefit {
            name,
            what,
            cycles,
            share: if values.t_exec > 0.0 { cycles / values.t_exec } else { 0.0 },
        };
        let mut benefits = vec![
            of("B_itilp", "more parallelism of instructions", values.b_itilp),
            of("B_memlp", "less data, all accesses overlapped", values.b_memlp),
            of("B_fp", "fewer instructions beside floating-point ones", values.b_fp),
            of("B_serial", "no serialisation", values.b_serial),
        ];
        benefits.sort_by(|a, b| b.cycles.total_cmp(&a.cycles));
        let roof = roof(&asked, &values);
        Ok(Self { limit: limit(&values), asked, values, benefits, roof })
    }

    /// As part of a file name.
    pub fn file_part(&self) -> String {
        let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '-' };
        self.asked.name.chars().map(plain).collect()
    }

    /// The difference between estimate and measurement, as a part of the latter.
    fn error(&self) -> Option<f64> {
        self.asked.measured.map(|cycles| self.values.t_exec / cycles as f64 - 1.0)
    }

    /// The document.
    pub fn json(&self) -> Result<String, Failure> {
        let Self { asked, values, limit, benefits, roof } = self;
        output::json(&Document {
            schema: "gpusched.model/1",
            generator: concat!("gpusched ", env!("CARGO_PKG_VERSION")),
            name: &asked.name,
            of: &asked.of,
            config: &asked.config,
            inputs: &asked.inputs,
            estimate: values,
            bound: *limit,
            benefits,
            roofline: *roof,
            measured_cycles: asked.measured,
            error: self.error(),
        })
    }

    /// For people.
    pub fn text(&self) -> String {
        let e = &self.values;
        let cycles = |cycles: f64| format!("{} cycles", count(cycles));
        let bound = match self.limit {
            Limit::Memory => "memory: accesses take longer than computing",
            Limit::Compute => "compute: instructions take longer than accesses",
            Limit::Serial => "serialisation: most of the computing is not parallel",
        };
        let mut rows = vec![
            ("kernel", format!("{} ({})", self.asked.name, self.asked.of)),
            ("time", format!("{}, {:.1} us", cycles(e.t_exec), e.t_exec / self.asked.inputs.freq / 1e3)),
        ];
        if let (Some(measured), Some(error)) = (self.asked.measured, self.error()) {
            rows.push(("measured", format!("{}; the model is {:+.1}% off", cycles(measured as f64), 100.0 * error)));
        }
        rows.extend([
            ("bound by", bound.to_owned()),
            ("computing", format!("{}, of which {} serial", cycles(e.t_comp), count(e.w_serial))),
            ("memory", format!("{}, of which {} overlap with computing", cycles(e.t_mem), count(e.t_overlap))),
            ("warps", format!("MWP {:.1}, CWP {:.1} of {:.1} on an SM", e.mwp, e.cwp, self.asked.inputs.n)),
        ]);
        if let Some(roof) = &self.roof {
            let by = if roof.bound == Bound::Compute { "arithmetic" } else { "bandwidth" };
            let of = format!(
                "{:.1} of {:.1} G{}/s, at {:.2} per byte limited by {by}",
                roof.estimated, roof.attainable, roof.counted, roof.intensity
            );
            rows.push(("roofline", of));
            rows.extend(self.above(roof).map(|why| ("", why)));
        }
        let mut gains = table::new(
            ["could gain", "", "cycles", "of the time"].map(str::to_owned).to_vec(),
            &[Left, Left, Right, Right],
        );
        for Benefit { name, what, cycles, share } in &self.benefits {
            gains.add_row([(*name).to_owned(), (*what).to_owned(), count(*cycles), format!("{:.1}%", 100.0 * share)]);
        }
        format!("{}\n{}", table::text(&table::remarks(rows)), table::text(&gains))
    }

    /// Why the estimate is above the roof, if it is.
    fn above(&self, roof: &Roof) -> Option<String> {
        let transactions = self.asked.inputs.avg_trans_warp;
        let why = match transactions > 1.0 {
            true => format!(": bandwidth limits it as if each access were one transaction, not {transactions:.2}"),
            false => String::new(),
        };
        (roof.estimated > roof.attainable)
            .then(|| format!("the estimate is above the roof, which the model of time does not know{why}"))
    }

    /// The picture of the roofline, if memory moves anything.
    pub fn roofline_svg(&self) -> Result<Option<String>, Failure> {
        let Some(roof) = &self.roof else { return Ok(None) };
        let mut points =
            vec![roofline::Point { name: "estimated".to_owned(), intensity: roof.intensity, rate: roof.estimated }];
        let measured = |rate| roofline::Point { name: "measured".to_owned(), intensity: roof.intensity, rate };
        points.extend(roof.measured.map(measured));
        Ok(Some(roofline::svg(&roofline::Figure {
            title: format!("{} under the roofline", self.asked.name),
            subtitle: self.asked.of.clone(),
            unit: format!("G{}/s", roof.counted),
            per_byte: format!("{} per byte", roof.counted),
            peak: roof.peak,
            bw: roof.bw,
            points,
        })?))
    }

    /// The picture of what could be gained.
    pub fn benefits_svg(&self) -> Result<Option<String>, Failure> {
        let e = &self.values;
        let times =
            [("execution time", e.t_exec), ("computing", e.t_comp), ("memory", e.t_mem), ("overlap", e.t_overlap)];
        let bar = |name: String, cycles: f64| benefits::Bar { name, cycles };
        let mut bars: Vec<_> = times.iter().map(|&(name, cycles)| bar(name.to_owned(), cycles)).collect();
        bars.extend(self.benefits.iter().map(|of| bar(format!("{}: {}", of.name, of.what), of.cycles)));
        let title = format!("{}: its time, and what each optimisation could gain", self.asked.name);
        let figure = benefits::Figure { title, subtitle: self.asked.of.clone(), times: times.len(), bars };
        Ok(Some(benefits::svg(&figure)?))
    }
}

fn count(cycles: f64) -> String {
    let whole = indicatif::HumanCount(cycles.abs().round() as u64);
    if cycles.round() < 0.0 { format!("-{whole}") } else { whole.to_string() }
}

/// Floating-point work of a warp is that of its lanes; a kernel without any is measured by all its instructions.
fn roof(asked: &Asked, e: &ExecEstimate) -> Option<Roof> {
    let i = &asked.inputs;
    let (counted, operations) = if i.fp_insts > 0.0 { ("flops", i.fp_insts) } else { ("instructions", i.insts) };
    let bytes = i.mem_insts * i.avg_trans_warp * i.miss_ratio * i.transaction_size;
    let peak = i.simd_width * i.active_sms * i.freq;
    let intensity = operations * i.warp_size / bytes;
    let theory::Roofline { attainable, ridge, bound } = theory::roofline(peak, i.mem_peak_bw, intensity).ok()?;
    let rate = |cycles: f64| operations * i.warp_size * i.total_warps / (cycles / i.freq);
    let estimated = rate(e.t_exec);
    let measured = asked.measured.map(|cycles| rate(cycles as f64));
    let bw = i.mem_peak_bw;
    (estimated.is_finite() && estimated > 0.0 && intensity > 0.0).then_some(Roof {
        counted,
        peak,
        bw,
        intensity,
        attainable,
        ridge,
        bound,
        estimated,
        measured,
    })
}
