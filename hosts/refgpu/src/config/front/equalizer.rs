//! Section `equalizer`: block counts, and levels of voltage and frequency over time.

use gpusched::equalizer::{FmConfig, SmConfig, VfMap};
use serde::{Deserialize, Serialize};

use super::super::Sm;
use super::{ConfigError, Entry, GpuConfig, Section};

/// Equalizer has two machines and a switch; all three lists are one section.
pub(super) static EQUALIZER: Section = Section {
    name: "equalizer",
    numbers: &[],
    owned: &[],
    words: &[
        ("enabled", "whether Equalizer sets block counts and levels", "off is the base run"),
        ("observe", "whether warp states are sampled where Equalizer is off", "for breakdowns of base runs"),
    ],
};

pub(super) static EQUALIZER_SM: Section = Section {
    name: "equalizer",
    numbers: SmConfig::PARAMETERS,
    owned: &[("max_warps", "sm.warps"), ("max_blocks", "sm.tb_slots and sm.block_cap")],
    words: &[
        ("alu_inclusive", "as many X_alu warps as a block has are enough for line 10", "equalizer-A1"),
        ("average", "how means meet thresholds", "equalizer-A3"),
        ("hyst_mode", "which decisions add up to a change of the block count", "equalizer-A4"),
        ("objective", "what the user wants: performance or energy", "the source leaves it to the user"),
        (
            "vf_map",
            "what each action votes for; `table` or `printed` for that of the source",
            "Table 3.1, equalizer-A5",
        ),
        ("pause_pick", "which running block is paused", "equalizer-A7"),
        ("unpause_pick", "which paused block is woken", "equalizer-A7"),
        ("xmem_rule", "which ready memory warps count as X_mem", "equalizer-A2"),
        ("sync_active", "warps at a barrier or fence are active", "equalizer-A2"),
    ],
};

pub(super) static EQUALIZER_FM: Section = Section {
    name: "equalizer",
    numbers: FmConfig::PARAMETERS,
    owned: &[("sms", "sm.count")],
    words: &[
        ("majority", "what moves a clock", "equalizer-A8"),
        ("idle", "what becomes of a clock that nobody moves", "equalizer-A9"),
    ],
};

/// Section `equalizer`: its two machines, each with what an SM holds and how many there are from section `sm`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EqualizerPart {
    /// Whether Equalizer decides, or warp states are only sampled.
    pub switch: EqualizerSwitch,
    /// The machine of an SM.
    pub sm: SmConfig,
    /// The frequency manager.
    pub fm: FmConfig,
}

/// What is on of Equalizer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EqualizerSwitch {
    /// It sets block counts and levels.
    pub enabled: bool,
    /// Warp states are sampled even if it does not.
    pub observe: bool,
}

impl GpuConfig {
    /// Equalizer's machines as they will be built, with the SMs of section `sm`.
    #[must_use]
    pub fn equalizer_machines(&self) -> (SmConfig, FmConfig) {
        let sm = SmConfig { max_warps: self.sm.warps, max_blocks: self.most_blocks(), ..self.equalizer.sm };
        (sm, FmConfig { sms: self.sm.count, ..self.equalizer.fm })
    }

    /// TBs that an SM may hold: its slots, or `sm.block_cap`.
    #[must_use]
    pub fn most_blocks(&self) -> u32 {
        let Sm { tb_slots, block_cap, .. } = self.sm;
        if block_cap == 0 { tb_slots } else { block_cap.min(tb_slots) }
    }

    /// Checks that Equalizer's machines can be built, if they will be.
    pub(in crate::config) fn check_equalizer(&self) -> Result<(), ConfigError> {
        if !self.equalizer.switch.enabled {
            return Ok(());
        }
        let (sm, fm) = self.equalizer_machines();
        sm.check().and_then(|()| fm.check()).map_err(|e| {
            // What is wrong may be what several come to; each is told by its key.
            let is_key =
                |word: &str| EQUALIZER_SM.own_numbers().chain(EQUALIZER_FM.own_numbers()).any(|p| p.name == word);
            let key = |word: &str| match word.trim_matches('`') {
                "max_warps" => "sm.warps".to_owned(),
                name if is_key(name) => format!("equalizer.{name}"),
                _ => word.to_owned(),
            };
            ConfigError::Syntax(e.to_string().split(' ').map(key).collect::<Vec<_>>().join(" "))
        })
    }

    /// Sets one parameter of the section.
    pub(super) fn assign_equalizer(
        &mut self,
        section: &Section,
        name: &str,
        value: &toml::Value,
    ) -> Result<(), ConfigError> {
        let part = &mut self.equalizer;
        if section.has("enabled") {
            return section.change(&part.switch, name, value, |_| Ok(())).map(|changed| part.switch = changed);
        }
        if section.has("majority") {
            return section.change(&part.fm, name, value, FmConfig::check).map(|changed| part.fm = changed);
        }
        let map = match (name, value.as_str()) {
            ("vf_map", Some("table")) => Some(VfMap::TABLE),
            ("vf_map", Some("printed")) => Some(VfMap::PRINTED),
            _ => None,
        };
        if let Some(map) = map {
            part.sm.vf_map = map;
            return Ok(());
        }
        // What numbers ask of each other is checked when all are there.
        let check = |c: &SmConfig| match (SmConfig { max_blocks: 32, ..*c }).check() {
            Err(e) if e.is_rule() => Ok(()),
            checked => checked,
        };
        section.change(&part.sm, name, value, check).map(|changed| part.sm = changed)
    }

    /// The lines of the section.
    pub(super) fn resolved_equalizer(&self) -> impl Iterator<Item = Entry> + use<> {
        let (set, device) = (&self.front_set, self.device);
        let EqualizerPart { switch, sm, fm } = &self.equalizer;
        let switch = EQUALIZER.resolved(switch, device, set);
        let sm = EQUALIZER_SM.resolved(sm, device, set);
        switch.into_iter().chain(sm).chain(EQUALIZER_FM.resolved(fm, device, set))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Provenance;

    #[test]
    fn every_parameter_of_both_machines_can_be_set_and_is_shown() {
        let mut config = GpuConfig::preset("gtx480_equalizer").unwrap();
        for (key, word) in [("objective", "energy"), ("hysteresis", "2"), ("vf_map", "printed"), ("sm_transition", "0")]
        {
            config.set(&format!("equalizer.{key}"), word).unwrap();
        }
        config.set("equalizer.enabled", "true").unwrap();
        config.set("sm.block_cap", "3").unwrap();
        config.check().unwrap();
        let (sm, fm) = config.equalizer_machines();
        assert_eq!((sm.max_warps, sm.max_blocks, sm.hysteresis, sm.vf_map), (48, 3, 2, VfMap::PRINTED));
        assert_eq!((fm.sms, fm.sm_transition, config.front_end().exclusive), (15, 0, true));
        let entry = |key: &str| config.resolved().find(|e| e.key == format!("equalizer.{key}")).unwrap();
        assert_eq!((entry("objective").value.as_str(), entry("objective").provenance), ("energy", Provenance::User));
        assert_eq!(
            (entry("epoch_cycles").value.as_str(), entry("epoch_cycles").provenance),
            ("4096", gpusched::Provenance::Paper.into())
        );
        assert_eq!((entry("step_permille").value.as_str(), entry("observe").value.as_str()), ("150", "false"));
        assert!(entry("vf_map").value.contains("-1"), "{}", entry("vf_map").value);
    }

    #[test]
    fn wrong_values_are_refused_with_what_is_allowed() {
        let error = |text: &str| {
            let text = format!("base = \"gtx480_equalizer\"\n[equalizer]\nenabled = true\n{text}");
            GpuConfig::from_toml(&text).unwrap_err().to_string()
        };
        assert_eq!(error("hysteresis = 0"), "equalizer.hysteresis = 0: expected an integer from 1 to 255");
        assert_eq!(
            error("objective = \"speed\""),
            "equalizer.objective = \"speed\": expected `energy` or `performance`"
        );
        assert_eq!(error("max_warps = 3"), "equalizer.max_warps = 3: expected nothing here; it follows sm.warps");
        assert_eq!(error("sms = 3"), "equalizer.sms = 3: expected nothing here; it follows sm.count");
        assert_eq!(error("epochs = 3"), "equalizer.epochs: no such parameter");
        assert_eq!(error("min_blocks = 9"), "equalizer.min_blocks = 9: expected a value from 1 to 8");
        assert_eq!(
            error("counter_bits = 10"),
            "equalizer.counter_bits = 10: expected as many as hold sm.warps * equalizer.epoch_cycles / equalizer.sample_interval"
        );
        assert_eq!(
            error("[vf]\nsm = \"high\""),
            "equalizer.enabled = true: expected false with a level in section vf, which holds for the whole run"
        );
    }

    #[test]
    fn what_belongs_together_may_be_set_in_any_order() {
        let mut config = GpuConfig::preset("k20c").unwrap();
        config.set("equalizer.enabled", "true").unwrap();
        // 64 warps, 32 times.
        assert!(config.check().is_err());
        config.set("equalizer.epoch_cycles", "8192").unwrap();
        config.set("equalizer.counter_bits", "13").unwrap();
        config.check().unwrap();
    }
}
