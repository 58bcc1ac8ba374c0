//! Checks that involve more than one parameter (refgpu-F2). Ranges of single values are checked where they are set.

use super::{ConfigError, GpuConfig};
use crate::vf::VfLevel;

impl GpuConfig {
    /// Checks that the values fit together.
    ///
    /// # Errors
    /// The first key whose value does not fit, with what it would have to be.
    pub fn check(&self) -> Result<(), ConfigError> {
        let Self { sm, l1, l2, dram, flat, bubble, .. } = self;
        let refuse = |wrong: bool, key: &str, value: u32, expected: String| {
            if wrong { Err(ConfigError::value(key, value, expected)) } else { Ok(()) }
        };
        let multiple = |a: u32, b: u32| a.is_multiple_of(b);
        refuse(
            !multiple(sm.warps, sm.schedulers),
            "sm.warps",
            sm.warps,
            format!("a multiple of sm.schedulers = {}", sm.schedulers),
        )?;
        refuse(
            sm.threads > sm.warps * 32,
            "sm.threads",
            sm.threads,
            format!("at most 32 x sm.warps = {}", sm.warps * 32),
        )?;
        refuse(
            !multiple(l2.banks, dram.channels),
            "l2.banks",
            l2.banks,
            format!("a multiple of dram.channels = {}", dram.channels),
        )?;
        refuse(dram.ras > dram.rc, "dram.ras", dram.ras, format!("at most dram.rc = {}", dram.rc))?;
        refuse(dram.groups > dram.banks, "dram.groups", dram.groups, format!("at most dram.banks = {}", dram.banks))?;
        refuse(
            dram.burst > l1.line && !flat.enabled,
            "dram.burst",
            dram.burst,
            format!("at most l1.line = {}", l1.line),
        )?;
        refuse(
            dram.interleave > dram.row,
            "dram.interleave",
            dram.interleave,
            format!("at most dram.row = {}", dram.row),
        )?;
        let range = |key: &str, value: u32, unit: &str, low: u32, high: u32| {
            refuse(!(low..=high).contains(&value), key, value, format!("{low} to {high} {unit}"))
        };
        range("bubble.v_low_mv", bubble.v_low_mv, "mV", 300, 1500)?;
        range("bubble.v_high_mv", bubble.v_high_mv, "mV", 300, 1500)?;
        range("bubble.f_low_mhz", bubble.f_low_mhz, "MHz", 50, 5000)?;
        self.layout.check(sm.count)?;
        if self.dsm.enabled && self.layout.topology.is_none() {
            return Err(ConfigError::value(
                "dsm.enabled",
                true,
                "false where sm.topology is none: a cluster lies in one GPC",
            ));
        }
        let is_level = self.vf.sm != VfLevel::Normal || self.vf.mem != VfLevel::Normal;
        let is_equalizer = self.equalizer.switch.enabled;
        self.check_prices()?;
        if (is_level || is_equalizer) && bubble.enabled {
            let expected =
                "false with Equalizer or a level in section vf: no sheet says what voltage an SM with both has";
            return Err(ConfigError::value("bubble.enabled", true, expected));
        }
        if is_level && is_equalizer {
            let expected = "false with a level in section vf, which holds for the whole run";
            return Err(ConfigError::value("equalizer.enabled", true, expected));
        }
        self.check_equalizer()?;
        self.check_tlp()?;
        self.check_sharing()?;
        self.check_inside()?;
        self.check_front()
    }

    /// refgpu-P10: prices are all known or not at all, and without them there are no levels of voltage and frequency.
    fn check_prices(&self) -> Result<(), ConfigError> {
        let known = self.energy.known;
        if let Some((price, origin)) = self.prices().find(|(_, origin)| origin.is_unset() == known) {
            let expected =
                if known { "a price, since energy.known is true" } else { "none, or energy.known = true and all" };
            let value = if origin.is_unset() { "not known".to_owned() } else { (price.get)(self).to_string() };
            return Err(ConfigError::value(price.key, value, expected));
        }
        let switches = [
            ("bubble.enabled", self.bubble.enabled),
            ("equalizer.enabled", self.equalizer.switch.enabled),
            ("vf.sm", self.vf.sm != VfLevel::Normal),
            ("vf.mem", self.vf.mem != VfLevel::Normal),
        ];
        match switches.into_iter().find(|&(_, on)| on && !known) {
            None => Ok(()),
            Some((key, _)) => {
                let set = self.configured().find(|entry| entry.key == key).map_or(String::new(), |entry| entry.value);
                let expected =
                    "what it is by default: no source prices the energy of this machine or gives levels (energy.known)";
                Err(ConfigError::value(key, set, expected))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::config::GpuConfig;

    #[test]
    fn a_machine_without_prices_has_none_of_them_and_no_levels() {
        let error = |text: &str| GpuConfig::from_toml(&format!("base = \"a100\"\n{text}")).unwrap_err().to_string();
        let expected = "expected what it is by default: no source prices the energy of this machine or gives levels (energy.known)";
        for (section, switch) in
            [("bubble", "enabled = true"), ("equalizer", "enabled = true"), ("vf", "mem = \"low\"")]
        {
            let error = error(&format!("[{section}]\n{switch}"));
            assert!(error.starts_with(&format!("{section}.")) && error.ends_with(expected), "{error}");
        }
        assert_eq!(
            error("[energy]\nsp_lane_pj = 3"),
            "energy.sp_lane_pj = 3: expected none, or energy.known = true and all"
        );
        assert_eq!(
            error("[energy]\nknown = true\ninstruction_pj = 3"),
            "energy.register_read_fj = not known: expected a price, since energy.known is true"
        );
        let prices = |config: &GpuConfig| config.resolved().filter(|entry| entry.key.starts_with("energy.")).count();
        let [with, without] = ["k20c", "a100"].map(|name| prices(&GpuConfig::preset(name).unwrap()));
        assert_eq!((with, without), (super::super::PARAMS.iter().filter(|p| p.is_price()).count() + 1, 1));
    }

    #[test]
    fn values_that_do_not_fit_together_name_the_key() {
        let error = |text: &str| GpuConfig::from_toml(text).unwrap_err().to_string();
        assert_eq!(error("[dram]\nras = 58"), "dram.ras = 58: expected at most dram.rc = 57");
        assert_eq!(error("[l2]\nbanks = 11"), "l2.banks = 11: expected a multiple of dram.channels = 5");
        assert_eq!(error("[sm]\nwarps = 42"), "sm.warps = 42: expected a multiple of sm.schedulers = 4");
        assert_eq!(error("[bubble]\nv_low_mv = 299"), "bubble.v_low_mv = 299: expected 300 to 1500 mV");
        assert_eq!(error("[bubble]\nf_low_mhz = 49"), "bubble.f_low_mhz = 49: expected 50 to 5000 MHz");
        assert_eq!(
            error("[vf]\nsm = \"high\"\n[bubble]\nenabled = true"),
            "bubble.enabled = true: expected false with Equalizer or a level in section vf: no sheet says what voltage an SM with both has"
        );
        assert_eq!(error("[sm]\nwarps = 32"), "sm.threads = 2048: expected at most 32 x sm.warps = 1024");
    }
}
