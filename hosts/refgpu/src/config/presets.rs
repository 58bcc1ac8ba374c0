//! The machines that come along: those of the sources, and GPUs of today (refgpu-P1, refgpu-P10).

pub(super) struct Preset {
    pub(super) name: &'static str,
    /// The device, as [`gpusched::GpuSpec`] names it, whose front end it has.
    pub(super) device: &'static str,
    /// Each changes what those before it said.
    pub(super) texts: &'static [&'static str],
}

/// What every preset starts with (refgpu-P1).
pub(super) static COMMON: &str = include_str!("presets/common.toml");
static GTX480: &str = include_str!("presets/gtx480.toml");
/// What GPUs from Volta on share.
static MODERN: &str = include_str!("presets/modern.toml");
static H100: &str = include_str!("presets/h100.toml");

const fn of_gtx480(name: &'static str, texts: &'static [&'static str]) -> Preset {
    Preset { name, device: "gtx480", texts }
}

pub(super) static ALL: &[Preset] = &[
    Preset { name: "k20c", device: "k20c", texts: &[include_str!("presets/k20c.toml")] },
    of_gtx480("gtx480", &[GTX480]),
    of_gtx480("gtx480_equalizer", &[GTX480, include_str!("presets/gtx480_equalizer.toml")]),
    of_gtx480("gtx480_liang", &[GTX480, include_str!("presets/gtx480_liang.toml")]),
    of_gtx480("gtx480_mascar", &[GTX480, include_str!("presets/gtx480_mascar.toml")]),
    of_gtx480("apogee", &[GTX480, include_str!("presets/apogee.toml")]),
    of_gtx480("c1060", &[GTX480, include_str!("presets/c1060.toml")]),
    Preset { name: "v100", device: "v100", texts: &[MODERN, include_str!("presets/v100.toml")] },
    Preset { name: "a100", device: "a100", texts: &[MODERN, include_str!("presets/a100.toml")] },
    Preset { name: "rtx3090", device: "a100", texts: &[MODERN, include_str!("presets/rtx3090.toml")] },
    Preset { name: "rtx4090", device: "a100", texts: &[MODERN, include_str!("presets/rtx4090.toml")] },
    Preset { name: "h100-pcie", device: "h100", texts: &[MODERN, H100, include_str!("presets/h100_pcie.toml")] },
    Preset { name: "h100-sxm", device: "h100", texts: &[MODERN, H100] },
    Preset { name: "h200", device: "h100", texts: &[MODERN, H100, include_str!("presets/h200.toml")] },
];

/// Names of the presets.
pub fn preset_names() -> impl Iterator<Item = &'static str> {
    ALL.iter().map(|p| p.name)
}
