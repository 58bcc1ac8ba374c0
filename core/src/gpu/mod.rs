//! GPUs to model: what their SMXs hold and how their front ends are sized, each number with its provenance.
//!
//! ```
//! use gpusched::GpuSpec;
//!
//! let titan = GpuSpec::by_name("titan").unwrap();
//! assert_eq!((titan.config.n_smx, titan.clock_mhz), (14, 837));
//! let (provenance, origin) = titan.provenance("n_smx").unwrap();
//! assert_eq!((provenance.label(), origin), ("paper", "Figure 7's devices; public data sheet"));
//! // Every preset can be built, and says where each of its numbers comes from.
//! for gpu in GpuSpec::ALL {
//!     assert_eq!(gpu.config.check(), Ok(()), "{}", gpu.name);
//!     assert!(gpu.config.values().all(|(parameter, _)| gpu.provenance(parameter.name).is_some()));
//! }
//! ```

use crate::base::parameter::{Parameter, Provenance};
use crate::config::Config;

/// A number of one GPU that differs from the K20c's, or has another origin.
type Override = (&'static str, Provenance, &'static str);

/// A GPU.
#[derive(Clone, Copy, Debug)]
pub struct GpuSpec {
    /// Short name, for command lines.
    pub name: &'static str,
    /// Full name.
    pub title: &'static str,
    /// SMX clock, MHz.
    pub clock_mhz: u32,
    /// The front end.
    pub config: Config,
    overrides: &'static [Override],
}

const SHEET: &str = "public data sheet";
const CC: &str = "public table of compute capabilities";
const CARRIED: &str = "measured on the K20c (Table 5), carried over";
const DEVICES: &str = "Figure 7's devices; public data sheet";
const WIDE: &str = "the device holds 128 resident grids; the model's entries end at 64";
const LATENCIES: [&str; 7] = ["lat_stream", "gpb_b", "gpb_a", "ld_b", "ld_a", "lat_dispatch", "kmu_interval"];

/// Numbers of a device that the source does not speak of.
const fn public(n_hwq: &'static str, n_kde: (Provenance, &'static str)) -> [Override; 7] {
    [
        ("n_smx", Provenance::Public, SHEET),
        ("tb_slots", Provenance::Public, CC),
        ("threads", Provenance::Public, CC),
        ("regs", Provenance::Public, CC),
        ("smem", Provenance::Public, CC),
        ("n_hwq", Provenance::Public, n_hwq),
        ("n_kde", n_kde.0, n_kde.1),
    ]
}

const KEPLER: &[Override] = &[("n_smx", Provenance::Paper, DEVICES)];
const ONE_QUEUE: &[Override] = &public("before Hyper-Q there is one queue (2.2)", (Provenance::Public, CC));
const HYPER_Q: &[Override] = &public("Hyper-Q", (Provenance::Public, CC));
const MANY_GRIDS: &[Override] = &public("Hyper-Q", (Provenance::Inferred, WIDE));

const K20C: Config = Config::K20C;
const KIB: u32 = 1024;

impl GpuSpec {
    /// Every preset, oldest first.
    pub const ALL: &'static [Self] = &[
        Self {
            name: "gtx480",
            title: "GeForce GTX 480 (Fermi)",
            clock_mhz: 700,
            config: Config { n_smx: 15, tb_slots: 8, threads: 1536, regs: 32768, n_hwq: 1, n_kde: 16, ..K20C },
            overrides: ONE_QUEUE,
        },
        Self {
            name: "gtx680",
            title: "GeForce GTX 680 (Kepler GK104)",
            clock_mhz: 1006,
            config: Config { n_smx: 8, n_hwq: 1, n_kde: 16, ..K20C },
            overrides: ONE_QUEUE,
        },
        Self { name: "k20c", title: "Tesla K20c (Kepler GK110)", clock_mhz: 706, config: K20C, overrides: &[] },
        Self {
            name: "titan",
            title: "GeForce GTX Titan (Kepler GK110)",
            clock_mhz: 837,
            config: Config { n_smx: 14, ..K20C },
            overrides: KEPLER,
        },
        Self {
            name: "k40",
            title: "Tesla K40 (Kepler GK110B)",
            clock_mhz: 745,
            config: Config { n_smx: 15, ..K20C },
            overrides: KEPLER,
        },
        Self {
            name: "gtx980",
            title: "GeForce GTX 980 (Maxwell)",
            clock_mhz: 1126,
            config: Config { n_smx: 16, tb_slots: 32, smem: 96 * KIB, ..K20C },
            overrides: HYPER_Q,
        },
        Self {
            name: "v100",
            title: "Tesla V100 (Volta)",
            clock_mhz: 1530,
            config: Config { n_smx: 80, tb_slots: 32, smem: 96 * KIB, n_kde: 64, ..K20C },
            overrides: MANY_GRIDS,
        },
        Self {
            name: "a100",
            title: "A100 (Ampere)",
            clock_mhz: 1410,
            config: Config { n_smx: 108, tb_slots: 32, smem: 164 * KIB, n_kde: 64, ..K20C },
            overrides: MANY_GRIDS,
        },
        Self {
            name: "h100",
            title: "H100 SXM (Hopper)",
            clock_mhz: 1980,
            config: Config { n_smx: 132, tb_slots: 32, smem: 228 * KIB, n_kde: 64, ..K20C },
            overrides: MANY_GRIDS,
        },
    ];

    /// The preset of this name.
    #[must_use]
    pub fn by_name(name: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|spec| spec.name.eq_ignore_ascii_case(name))
    }

    /// Where this GPU's value of a parameter comes from; `None` if there is no such parameter.
    #[must_use]
    pub fn provenance(&self, parameter: &str) -> Option<(Provenance, &'static str)> {
        let &Parameter { provenance, origin, .. } = Config::PARAMETERS.iter().find(|p| p.name == parameter)?;
        if let Some(&(_, provenance, origin)) = self.overrides.iter().find(|o| o.0 == parameter) {
            return Some((provenance, origin));
        }
        let measured = LATENCIES.contains(&parameter) && self.name != "k20c";
        Some(if measured { (Provenance::Inferred, CARRIED) } else { (provenance, origin) })
    }
}

/// The front ends of [`GpuSpec::ALL`].
impl Config {
    /// GeForce GTX 480 (Fermi).
    pub const GTX480: Self = GpuSpec::ALL[0].config;
    /// GeForce GTX 680 (Kepler GK104).
    pub const GTX680: Self = GpuSpec::ALL[1].config;
    /// GeForce GTX Titan (Kepler GK110).
    pub const TITAN: Self = GpuSpec::ALL[3].config;
    /// Tesla K40 (Kepler GK110B).
    pub const K40: Self = GpuSpec::ALL[4].config;
    /// GeForce GTX 980 (Maxwell).
    pub const GTX980: Self = GpuSpec::ALL[5].config;
    /// Tesla V100 (Volta).
    pub const V100: Self = GpuSpec::ALL[6].config;
    /// A100 (Ampere).
    pub const A100: Self = GpuSpec::ALL[7].config;
    /// H100 SXM (Hopper).
    pub const H100: Self = GpuSpec::ALL[8].config;
}

/// Homes of inline arrays for the source's own GPU.
pub mod presets {
    use crate::config::Config;
    use crate::policy::laperm;

    crate::inline_tables! {
        /// Tables of the K20c with the default parameters: 2048 launch records, 1024 AGEs.
        pub struct K20c = Config::K20C;
    }
    crate::inline_tables! {
        /// Tables of LaPerm alone on the K20c, with the default parameters: 13 queues of 128 entries, 4096 in memory.
        pub struct K20cLaPerm: laperm = laperm::Config::K20C;
    }
}
