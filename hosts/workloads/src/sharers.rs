//! The eight kernels of the study of concurrent kernels (Liang, Table III; workloads-PK5), with what the study says of each and what
//! comes out here when its TLP is swept.
//!
//! ```
//! use gpusched::tlp::{KernelType, TlpConfig};
//! use gpusched_workloads::sharers;
//!
//! let spm = sharers::find("spm").unwrap();
//! assert_eq!((spm.entry.name, spm.source.kind, spm.source.max), ("spmv", KernelType::Optimal, 8));
//! // Two TBs per SM are best here, too.
//! assert_eq!(spm.category(&TlpConfig::GTX480)?, spm.source.category());
//! # Ok::<(), gpusched::Fault>(())
//! ```
//!
//! `sharers.toml` holds them, which is all that the policies know beforehand (refgpu-G2); `gpusched sweep KERNEL` measures again.

use super::catalogue::{self, Entry, Request, Size};
use super::kernel::calibrate::CalibrateError;
use gpusched::tlp::{Category, Kernel, KernelType, Pref, TbNeeds, TlpConfig};
use gpusched::{Descriptor, Fault};
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::gpu::{Gpu, Monitor, RunOptions};
use gpusched_refgpu::program::{Class, Workload};
use gpusched_refgpu::stats::RunStats;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// The machine of the study.
pub const GPU: &str = "gtx480_liang";

/// So many times the work of a pair are swept.
pub const TIMES: u32 = 2;

/// A kernel of Table III.
#[derive(Clone, Debug)]
pub struct Sharer {
    /// The study's name for it, such as BKP.
    pub name: String,
    /// The kernel.
    pub entry: &'static Entry,
    /// Times its usual work, so that kernels of a pair take about as long.
    pub scale: u32,
    /// What the study says.
    pub source: Source,
    /// What came out here.
    pub measured: Sweep,
    /// A hash of what that was measured of: kernel, work and machine. Where it is another, it has to be measured again.
    pub of: String,
}

/// What the study says of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Its type (Liang, 4.1).
    pub kind: KernelType,
    /// The TLP with which it runs best: 1 for down, `max` for up; for optimal as Table IV has it.
    pub opt: u8,
    /// TBs that an SM holds (Table III).
    pub max: u8,
}

impl Source {
    /// Type and best TLP.
    #[must_use]
    pub const fn category(&self) -> Category {
        Category { kind: self.kind, opt: self.opt }
    }
}

/// A kernel alone with 1, 2, ... TBs per SM.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sweep {
    /// Core cycles with so many TBs, from 1 on.
    pub cycles: Vec<u64>,
    /// Busy cycles of SP with all TBs that fit, over all SP units and SMs.
    pub sp: u64,
    /// Busy cycles of LD/ST with all TBs that fit, over all SMs.
    pub ldst: u64,
}

impl Sweep {
    /// Of runs with 1, 2, ... TBs per SM, up to all that fit.
    #[must_use]
    pub fn of(runs: &[RunStats], gpu: &GpuConfig) -> Self {
        let (sp, ldst) = runs.last().map_or((0, 0), |all| busy(all, gpu));
        Self { cycles: runs.iter().map(|run| run.cycles).collect(), sp, ldst }
    }

    /// Type and best TLP (tlp-C1, tlp-C2).
    ///
    /// # Errors
    /// `BadProfile` for a sweep of nothing.
    pub fn category(&self, units: &TlpConfig) -> Result<Category, Fault> {
        // Speed, in a scale that keeps every difference in cycles.
        let speed = |&cycles: &u64| (1 << 60) / cycles.max(1);
        units.categorise(&self.cycles.iter().map(speed).collect::<Vec<_>>())
    }

    /// What the kernel leans on (tlp-O3).
    #[must_use]
    pub fn pref(&self, units: &TlpConfig) -> Pref {
        units.pref(self.sp, self.ldst)
    }
}

impl Sharer {
    /// Type and best TLP, as measured.
    ///
    /// # Errors
    /// None for those that came along.
    pub fn category(&self, units: &TlpConfig) -> Result<Category, Fault> {
        self.measured.category(units)
    }

    /// Its work in a pair, `times` over.
    #[must_use]
    pub fn request(&self, times: u32) -> Request {
        Request { size: Size::Times(self.scale.saturating_mul(times)), ..Request::default() }
    }
}

/// The machine with 1, 2, ... TBs per SM at most, up to as many of a kernel as fit.
///
/// # Errors
/// What cannot be set up.
pub fn machines(entry: &Entry, request: Request, gpu: &GpuConfig) -> Result<Vec<GpuConfig>, CalibrateError> {
    let (_, most) = needs(entry, request, gpu)?;
    let with = |tlp: u32| {
        let mut config = gpu.clone();
        config.set("tlp.policy", "off")?;
        config.set("sm.block_cap", &tlp.to_string())?;
        Ok(config)
    };
    (1..=most).map(with).collect()
}

/// What a kernel counts alone; its result is verified.
///
/// # Errors
/// What cannot be set up or run, or a wrong result.
pub fn alone(
    entry: &Entry,
    request: Request,
    gpu: &GpuConfig,
    monitor: &mut dyn Monitor,
) -> Result<RunStats, CalibrateError> {
    let mut work = entry.kernel(request)?;
    let stats = Gpu::new(gpu, RunOptions::default())?.run(&mut work, monitor)?.stats;
    work.check()?;
    Ok(stats)
}

/// What a TB of a kernel's first launch takes, and how many of them an SM holds.
///
/// # Errors
/// What cannot be set up; a kernel without launches.
pub fn needs(entry: &Entry, request: Request, gpu: &GpuConfig) -> Result<(TbNeeds, u32), CalibrateError> {
    let Descriptor { tb, regs, smem, .. } = entry.kernel(request)?.next_kernel().unwrap_or_default();
    let needs = TbNeeds { threads: tb.x.saturating_mul(tb.y).saturating_mul(tb.z), regs, smem };
    let kernel = Kernel { needs, category: Category { opt: 1, ..Category::default() } };
    // A TB without threads fits no SM.
    Ok((needs, gpu.tlp_units().max(kernel).unwrap_or(0)))
}

/// Busy cycles of SP and of LD/ST in a run of one kernel.
fn busy(stats: &RunStats, gpu: &GpuConfig) -> (u64, u64) {
    let classes = [Class::Int, Class::Fp, Class::Barrier, Class::Launch, Class::Sync, Class::Exit];
    let sp: u64 = classes.iter().map(|&class| stats.sm.classes[class as usize]).sum();
    (sp * u64::from(gpu.sm.sp_interval), stats.sm.lsu.busy)
}

/// A kernel in `sharers.toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Text {
    name: String,
    kernel: String,
    scale: u32,
    source: Source,
    measured: Sweep,
    of: String,
}

#[derive(Deserialize)]
struct Texts {
    sharer: Vec<Text>,
}

static SHARERS: LazyLock<Vec<Sharer>> = LazyLock::new(|| {
    let texts: Texts = toml::from_str(include_str!("sharers.toml"))
        .unwrap_or_else(|error| panic!("sharers.toml, which came along: {error}"));
    let sharer = |Text { name, kernel, scale, source, measured, of }: Text| {
        let entry = catalogue::find(&kernel).unwrap_or_else(|error| panic!("sharers.toml, which came along: {error}"));
        Sharer { name, entry, scale, source, measured, of }
    };
    texts.sharer.into_iter().map(sharer).collect()
});

/// All of them, in the order of Table III.
pub fn all() -> &'static [Sharer] {
    &SHARERS
}

/// The kernel of this name, in capitals or not, or of this name in the catalogue.
#[must_use]
pub fn find(name: &str) -> Option<&'static Sharer> {
    let is = |sharer: &&Sharer| sharer.name.eq_ignore_ascii_case(name) || sharer.entry.name == name;
    all().iter().find(is)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn every_kernel_takes_what_table_iii_says() {
        let table = [
            ("BKP", 256, 4096, 1088),
            ("HST", 256, 9216, 3072),
            ("SRD", 512, 6144, 0),
            ("SPM", 192, 3072, 0),
            ("BLK", 128, 4096, 0),
            ("LBM", 128, 5120, 0),
            ("KMS", 256, 3072, 0),
            ("STC", 512, 10240, 0),
        ];
        let gpu = GpuConfig::preset(GPU).unwrap();
        assert_eq!(all().len(), table.len());
        for (sharer, (name, threads, regs, smem)) in all().iter().zip(table) {
            let (needs, most) = super::needs(sharer.entry, sharer.request(1), &gpu).unwrap();
            assert_eq!((sharer.name.as_str(), needs), (name, TbNeeds { threads, regs, smem }));
            assert_eq!((most, sharer.measured.cycles.len()), (sharer.source.max.into(), most as usize), "{name}");
            // All types come out as in the study.
            let category = sharer.category(&gpu.tlp_units()).unwrap();
            assert_eq!(category.kind, sharer.source.kind, "{name}");
        }
    }

    #[test]
    fn a_sweep_finds_the_most_tbs_and_the_type() {
        let entry = catalogue::find("hst").unwrap();
        let request = Request { size: Size::Test, ..Request::default() };
        let gpu = GpuConfig::preset(GPU).unwrap();
        let machines = machines(entry, request, &gpu).unwrap();
        let runs: Vec<_> = machines.iter().map(|gpu| alone(entry, request, gpu, &mut ()).unwrap()).collect();
        let swept = Sweep::of(&runs, &gpu);
        assert_eq!(swept.cycles.len(), 3);
        assert!(swept.sp > 0 && swept.ldst > 0, "{swept:?}");
    }
}
