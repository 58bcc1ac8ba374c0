//! Section `tlp`: who shares SMs when several host streams have kernels, and how.

use gpusched::tlp::TlpConfig;
use serde::{Deserialize, Serialize};

use super::{ConfigError, Entry, GpuConfig, Section, TbPolicy};
use crate::config::WarpPolicy;
use crate::stats::STREAMS;

/// The switch, and the parameters of the units; both lists are one section.
pub(super) static TLP_SWITCH: Section = Section {
    name: "tlp",
    numbers: &[],
    owned: &[],
    words: &[
        (
            "policy",
            "off: as the front end comes; leftover, smart_even, smc: what is compared with; tlp: modulation",
            "off is no policy",
        ),
        ("split", "under smc, SMs of the first kernel; 0: half", "tlp-V4"),
        ("b0", "under smc, TBs of the first kernel on each of its SMs; 0: all that fit", "tlp-V4"),
        ("b1", "under smc, TBs of the second kernel on each of its SMs; 0: all that fit", "tlp-V4"),
        (
            "ldst_busy",
            "when the LD/ST pipeline is busy: occupied by an instruction, or accepted by L1, too",
            "refgpu-G3",
        ),
    ],
};

pub(super) static TLP_UNITS: Section = Section {
    name: "tlp",
    numbers: TlpConfig::PARAMETERS,
    owned: &[
        ("threads", "sm.threads"),
        ("regs", "sm.registers"),
        ("smem", "sm.shared_bytes"),
        ("slots", "sm.tb_slots"),
        ("sms", "sm.count"),
        ("sp_units", "sm.sp_units"),
        ("ldst_units", "the LSU"),
    ],
    words: &[
        ("hold_on_equal", "a utilisation that stays equal counts as one that does not fall", "tlp-M3"),
        ("puhp_tie", "what becomes of targets when both kernels lean on the critical pipeline alike", "tlp-A8"),
        ("his_rule", "how utilisations enter the history", "tlp-A4"),
        ("dyn", "whether targets are modulated at run time", "tlp-P1"),
        ("bypass", "whether bypassing is learnt", "tlp-B1"),
        ("wait_by", "a period waits for as many tagged TBs as are wanted", "tlp-P2"),
        ("order", "whether targets move while bypassing is learnt", "tlp-H10"),
        ("stall_norm", "what of the stalls of two periods is compared", "tlp-A10"),
        ("solo_tlp", "the target of a kernel without a partner", "tlp-D1"),
        ("upup", "what two kernels of type up do", "tlp-A9"),
        ("avoid_upup", "the pool puts off a kernel of type up beside one of type up", "tlp-O2"),
        ("idle_only", "under leftover, a kernel waits for SMs without TBs of others", "tlp-A13"),
        ("smart", "Smart-Even gives no kernel more SMs than it can fill", "tlp-A14"),
    ],
};

/// Section `tlp`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TlpPart {
    /// Who shares SMs.
    pub switch: TlpSwitch,
    /// The parameters of the units; what an SM holds is replaced, see [`GpuConfig::tlp_units`].
    pub units: TlpConfig,
}

/// Who shares SMs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TlpSwitch {
    /// By whose rules.
    pub policy: Sharing,
    /// Under SMC, SMs of the first kernel.
    pub split: u32,
    /// Under SMC, TBs of the first kernel on an SM.
    pub b0: u32,
    /// Under SMC, TBs of the second kernel on an SM.
    pub b1: u32,
    /// When the LD/ST pipeline is busy.
    pub ldst_busy: LdstBusy,
}

/// By whose rules kernels of several streams share SMs (refgpu-G1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sharing {
    /// Nobody's: the front end alone.
    #[default]
    Off,
    /// One after the other (tlp-V1).
    Leftover,
    /// Each has SMs of its own (tlp-V2, tlp-V3).
    SmartEven,
    /// The same, with a split and TB counts that were searched for (tlp-V4).
    Smc,
    /// On the same SMs, by TLP modulation.
    Tlp,
}

/// When the LD/ST pipeline counts as busy.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LdstBusy {
    /// When an instruction is in the latch.
    Occupied,
    /// When it also goes on: cycles in which L1 refuses do not count.
    #[default]
    Accepted,
}

impl GpuConfig {
    /// The units as they will be built, with the SMs of section `sm`.
    #[must_use]
    pub fn tlp_units(&self) -> TlpConfig {
        let sm = &self.sm;
        TlpConfig {
            threads: sm.threads,
            regs: sm.registers,
            smem: sm.shared_bytes,
            slots: sm.tb_slots,
            sms: sm.count,
            sp_units: sm.sp_units,
            ldst_units: 1,
            ..self.tlp.units
        }
    }

    /// The front end for kernels that share SMs: a queue and a class for each stream; SMs for one kernel at a time under LeftOver.
    pub(super) fn for_sharing(&self, front: gpusched::Config) -> gpusched::Config {
        let (streams, units) = (STREAMS as u32, &self.tlp.units);
        match self.tlp.switch.policy {
            Sharing::Off => front,
            policy => gpusched::Config {
                n_hwq: front.n_hwq.max(streams),
                n_class: front.n_class.max(streams),
                pass_capped: true,
                exclusive: front.exclusive || policy == Sharing::Leftover && units.idle_only,
                ..front
            },
        }
    }

    /// Checks that the units can be built, and go with the rest, if they will be.
    pub(in crate::config) fn check_tlp(&self) -> Result<(), ConfigError> {
        let TlpSwitch { policy, split, b0, b1, .. } = self.tlp.switch;
        if policy == Sharing::Off {
            return Ok(());
        }
        let refuse = |expected: &str| {
            let word = Entry::word(toml::Value::try_from(policy).ok().as_ref());
            Err(ConfigError::value("tlp.policy", word, expected))
        };
        if self.equalizer.switch.enabled {
            return refuse("off with Equalizer, which sets block counts of its own");
        }
        if self.sm.policy == WarpPolicy::Mascar {
            return refuse("off with sm.policy = mascar, whose requests are not told apart by kernel");
        }
        if self.bubble.enabled || self.switch.policy != TbPolicy::FcfsRr {
            return refuse("off with bubbles or LaPerm: no sheet says who rules");
        }
        self.tlp_units().check().map_err(|e| ConfigError::Syntax(format!("tlp.{e}")))?;
        let (sms, slots) = (self.sm.count, self.sm.tb_slots);
        let range = |key: &str, value: u32, most: u32| {
            let expected = format!("an integer from 0 to {most}");
            if value > most { Err(ConfigError::value(key, value, expected)) } else { Ok(()) }
        };
        range("tlp.split", split, sms.saturating_sub(1))?;
        range("tlp.b0", b0, slots)?;
        range("tlp.b1", b1, slots)?;
        if policy == Sharing::Smc && sms < 2 {
            return refuse("another one on a single SM");
        }
        Ok(())
    }

    /// Checks that `tlp.policy` makes sense for so many host streams: one alone shares SMs with nobody, and SMC splits them in two.
    ///
    /// # Errors
    /// What it would have to be.
    pub fn check_streams(&self, streams: usize) -> Result<(), ConfigError> {
        let asked = ["contexts", "ranks", "stagger"].map(|name| format!("streams.{name}"));
        let set = |entry: &Entry| asked.contains(&entry.key) && !matches!(entry.value.as_str(), "none" | "0");
        if streams < 2
            && let Some(Entry { key, value, .. }) = self.configured().find(set)
        {
            let expected = "its default for a workload of one stream of kernels, which shares SMs with nobody";
            return Err(ConfigError::value(&key, value, expected));
        }
        let places = self.tlp.units.pool_cap;
        let expected = match (self.tlp.switch.policy, streams) {
            (Sharing::Off, _) => return Ok(()),
            (Sharing::Tlp, 3..) if (places as usize) < streams => {
                let expected = format!("a place for each of {streams} streams of kernels, of which more than two wait");
                return Err(ConfigError::value("tlp.pool_cap", places, expected));
            }
            (_, 0 | 1) => "off for a workload of one stream of kernels, which shares SMs with nobody",
            (Sharing::Smc, 3..) => "another one for more than two streams of kernels",
            _ => return Ok(()),
        };
        let word = Entry::word(toml::Value::try_from(self.tlp.switch.policy).ok().as_ref());
        Err(ConfigError::value("tlp.policy", word, expected))
    }

    /// Sets one parameter of the section.
    pub(super) fn assign_tlp(&mut self, section: &Section, name: &str, value: &toml::Value) -> Result<(), ConfigError> {
        let part = &mut self.tlp;
        if section.has("policy") {
            return section.change(&part.switch, name, value, |_| Ok(())).map(|changed| part.switch = changed);
        }
        section.change(&part.units, name, value, TlpConfig::check).map(|changed| part.units = changed)
    }

    /// The lines of the section.
    pub(super) fn resolved_tlp(&self) -> impl Iterator<Item = Entry> + use<> {
        let (set, device) = (&self.front_set, self.device);
        let switch = TLP_SWITCH.resolved(&self.tlp.switch, device, set);
        switch.into_iter().chain(TLP_UNITS.resolved(&self.tlp.units, device, set))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Provenance;
    #[test]
    fn every_parameter_can_be_set_and_is_shown() {
        let mut config = GpuConfig::preset("gtx480_liang").unwrap();
        for (key, word) in [("policy", "tlp"), ("dyn", "false"), ("his_shift", "2"), ("ldst_busy", "occupied")] {
            config.set(&format!("tlp.{key}"), word).unwrap();
        }
        config.check().unwrap();
        let units = config.tlp_units();
        assert_eq!((units.slots, units.sms, units.sp_units, units.dynamic, units.his_shift), (8, 15, 2, false, 2));
        let front = config.front_end();
        assert_eq!((front.n_hwq, front.n_class, front.pass_capped, front.exclusive), (8, 8, true, false));
        assert_eq!(front.n_smx, 15, "those that there are");
        config.set("tlp.policy", "leftover").unwrap();
        assert!(config.front_end().exclusive);
        config.set("tlp.idle_only", "false").unwrap();
        assert!(!config.front_end().exclusive);
        let entry = |key: &str| config.resolved().find(|e| e.key == format!("tlp.{key}")).unwrap();
        assert_eq!((entry("policy").value.as_str(), entry("policy").provenance), ("leftover", Provenance::User));
        assert_eq!(
            (entry("op_cycles").value.as_str(), entry("op_cycles").provenance),
            ("4", gpusched::Provenance::Paper.into())
        );
        assert_eq!(entry("dyn").value, "false");
    }

    #[test]
    fn wrong_values_are_refused_with_what_is_allowed() {
        let error = |text: &str| {
            let text = format!("base = \"gtx480_liang\"\n[tlp]\n{text}");
            GpuConfig::from_toml(&text).unwrap_err().to_string()
        };
        assert_eq!(error("op_cycles = 65536"), "tlp.op_cycles = 65536: expected an integer from 0 to 65535");
        assert_eq!(error("slots = 3"), "tlp.slots = 3: expected nothing here; it follows sm.tb_slots");
        assert_eq!(error("policy = \"smc\"\nsplit = 15"), "tlp.split = 15: expected an integer from 0 to 14");
        assert_eq!(error("policy = \"smc\"\nb1 = 9"), "tlp.b1 = 9: expected an integer from 0 to 8");
        assert!(error("policy = \"rr\"").starts_with("tlp.policy = \"rr\": expected one of `off`, `leftover`"));
        assert_eq!(
            error("policy = \"tlp\"\n[equalizer]\nenabled = true"),
            "tlp.policy = tlp: expected off with Equalizer, which sets block counts of its own"
        );
        assert_eq!(
            error("policy = \"tlp\"\n[sm]\npolicy = \"mascar\""),
            "tlp.policy = tlp: expected off with sm.policy = mascar, whose requests are not told apart by kernel"
        );
    }
}
