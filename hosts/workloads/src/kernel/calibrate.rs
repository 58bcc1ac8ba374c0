//! Moves a kernel's n until it runs as many warp instructions per L1 miss as the source says (workloads-PK3), and an application's
//! grids until its kernels take the source's shares of the time.
//!
//! The machine is that of the Mascar study with loose round robin, [`machine`]. A measurement is a whole run, verified. What came out
//! is stored with the kernels, in `calibrated`.

use super::spec::{App, Calibrated, KernelSpec, SpecError};
use super::{Parametric, Request, SetupError, WrongResult};
use gpusched_refgpu::config::{ConfigError, GpuConfig};
use gpusched_refgpu::gpu::{Gpu, RunError, RunOptions};
use gpusched_refgpu::stats::RunStats;

/// How far from the source's figure a kernel may be: a tenth.
pub const TOLERANCE: f64 = 0.10;
/// Moving n stops this near.
const NEAR: f64 = 0.03;
const MOST_RUNS: usize = 8;

/// Why nothing could be measured.
#[derive(Debug, thiserror::Error)]
pub enum CalibrateError {
    /// The machine's parameters.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// The kernel's.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The descriptor.
    #[error(transparent)]
    Spec(#[from] SpecError),
    /// The run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Its result.
    #[error(transparent)]
    Wrong(#[from] WrongResult),
    /// No source has a figure for the kernel.
    #[error("{0}: no source tells its instructions per L1 miss: set row.ipm")]
    NoTarget(String),
}

/// A run of a kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// The n of each phase.
    pub n: Vec<u32>,
    /// Warp instructions per L1 miss of a load. None: there was no miss.
    pub ipm: Option<f64>,
    /// All counts.
    pub stats: RunStats,
}

/// What was found for a kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct Calibration {
    /// Its name.
    pub name: String,
    /// The source's instructions per L1 miss.
    pub target: f64,
    /// Each run; the first has n as given.
    pub runs: Vec<Measured>,
    /// Which run came nearest.
    pub best: usize,
}

impl Measured {
    /// How far from `target`, as a part of it.
    #[must_use]
    pub fn off(&self, target: f64) -> f64 {
        self.ipm.map_or(f64::INFINITY, |ipm| (ipm / target - 1.0).abs())
    }
}

impl Calibration {
    /// The run that came nearest.
    #[must_use]
    pub fn nearest(&self) -> &Measured {
        &self.runs[self.best]
    }

    /// Whether it is within the [`TOLERANCE`].
    #[must_use]
    pub fn is_reached(&self) -> bool {
        self.nearest().off(self.target) <= TOLERANCE
    }

    /// What to store with the kernel.
    #[must_use]
    pub fn stored(&self) -> Calibrated {
        let Measured { n, ipm, .. } = self.nearest();
        Calibrated { n: n.clone(), ipm: *ipm, share: None }
    }
}

impl std::fmt::Display for Calibration {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (given, nearest) = (&self.runs[0], self.nearest());
        let ipm = |of: &Measured| of.ipm.map_or("no miss".into(), |ipm| format!("{ipm:.4} per miss"));
        write!(f, "{}: n {:?}, {}", self.name, given.n, ipm(given))?;
        if self.best > 0 {
            write!(f, "; moved to {:?}, {}", nearest.n, ipm(nearest))?;
        }
        let verdict = if self.is_reached() { "reached" } else { "not reached" };
        write!(f, "; {verdict}: source {}", self.target)
    }
}

/// The machine on which kernels are calibrated.
///
/// # Errors
/// None, as long as its preset is there.
pub fn machine() -> Result<GpuConfig, ConfigError> {
    let mut config = GpuConfig::preset("gtx480_mascar")?;
    config.set("sm.policy", "lrr")?;
    Ok(config)
}

/// Runs a kernel and verifies it.
///
/// # Errors
/// What cannot be set up or run, or a wrong result.
pub fn measure(spec: &KernelSpec, config: &GpuConfig, request: Request) -> Result<Measured, CalibrateError> {
    let mut work = Parametric::of(std::slice::from_ref(spec), request)?;
    let stats = Gpu::new(config, RunOptions::default())?.run(&mut work, &mut ())?.stats;
    work.check()?;
    let ipm = (stats.sm.l1.misses > 0).then(|| stats.figures().instructions_per_l1_miss);
    Ok(Measured { n: (0..spec.phases.len()).map(|phase| spec.n(phase)).collect(), ipm, stats })
}

/// Measures the kernel with its n as given, then moves them together until it is near the source's figure, or can come no nearer. Tells
/// of every run.
///
/// # Errors
/// As [`measure`]; also a kernel for which no source has a figure.
pub fn calibrate(
    spec: &KernelSpec,
    config: &GpuConfig,
    request: Request,
    tell: &mut dyn FnMut(&Measured),
) -> Result<Calibration, CalibrateError> {
    let target = spec.row.ipm.ok_or_else(|| CalibrateError::NoTarget(spec.name.clone()))?;
    let mut spec = KernelSpec { calibrated: None, ..spec.clone() };
    let (mut factor, mut runs) = (1.0, Vec::<Measured>::new());
    while runs.len() < MOST_RUNS {
        let n = spec.scaled_n(factor);
        if runs.iter().any(|run| run.n == n) {
            break;
        }
        spec.calibrated = Some(Calibrated { n, ipm: None, share: None });
        let measured = measure(&spec, config, request)?;
        tell(&measured);
        let off = measured.off(target);
        let Some(ipm) = measured.ipm else {
            runs.push(measured);
            break;
        };
        runs.push(measured);
        // As given is good enough within the tolerance.
        if off <= if runs.len() == 1 { TOLERANCE } else { NEAR } {
            break;
        }
        factor *= target / ipm;
    }
    let off = |run: &usize| runs[*run].off(target);
    let best = (0..runs.len()).min_by(|a, b| off(a).total_cmp(&off(b))).unwrap_or(0);
    Ok(Calibration { name: spec.name, target, runs, best })
}

/// The share of the application's time that each kernel takes, by a run of each.
///
/// # Errors
/// As [`measure`].
pub fn shares(app: &App, config: &GpuConfig, request: Request) -> Result<Vec<f64>, CalibrateError> {
    let cycles = |spec| Ok(measure(spec, config, request)?.stats.cycles as f64);
    let cycles: Vec<f64> = app.kernels.iter().map(cycles).collect::<Result<_, CalibrateError>>()?;
    let all: f64 = cycles.iter().sum();
    Ok(cycles.into_iter().map(|cycles| cycles / all).collect())
}

/// Moves the grids of an application's kernels until their shares of the time are near the source's fractions of it, or three times.
/// The kernel with a tail, else that with the largest fraction, stays. Gives the shares; kernels without a fraction make it `None`.
///
/// # Errors
/// As [`measure`].
pub fn balance(app: &mut App, config: &GpuConfig, request: Request) -> Result<Option<Vec<f64>>, CalibrateError> {
    let fractions: Option<Vec<f64>> = app.kernels.iter().map(|kernel| kernel.row.fraction).collect();
    let Some(fractions) = fractions else { return Ok(None) };
    let all: f64 = fractions.iter().sum();
    let stays = app.kernels.iter().position(|kernel| kernel.tail > 1);
    let largest = (0..fractions.len()).max_by(|a, b| fractions[*a].total_cmp(&fractions[*b]));
    let anchor = stays.or(largest).unwrap_or(0);
    let mut found = shares(app, config, request)?;
    for _ in 0..3 {
        let near = |(share, fraction): (&f64, &f64)| (share / (fraction / all) - 1.0).abs() <= NEAR;
        if found.iter().zip(&fractions).all(near) {
            break;
        }
        for (number, kernel) in app.kernels.iter_mut().enumerate().filter(|(number, _)| *number != anchor) {
            let by = fractions[number] / fractions[anchor] * found[anchor] / found[number];
            kernel.grid = (f64::from(kernel.grid) * by).round().clamp(1.0, f64::from(1 << 20)) as u32;
        }
        found = shares(app, config, request)?;
    }
    Ok(Some(found))
}
