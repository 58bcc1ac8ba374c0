//! The front end's part of a configuration: section `dtbl`, whose parameters and ranges are those of `gpusched` itself.

use gpusched::{Config, GpuSpec, Parameter};

use super::{ConfigError, Entry, GpuConfig, Provenance};

/// What an SM holds is said once, in section `sm`.
const OWNED_BY_SM: &[(&str, &str)] = &[
    ("n_smx", "sm.count"),
    ("tb_slots", "sm.tb_slots"),
    ("threads", "sm.threads"),
    ("regs", "sm.registers"),
    ("smem", "sm.shared_bytes"),
    ("warp", "32 lanes"),
];

/// Parameters that are words: name and reason for the default.
const WORDS: &[(&str, &str, &str)] = &[
    ("kmu_arb", "how the KMU chooses between waiting kernels", "dtbl A1"),
    ("hash_scope", "which threads share an AGT index", "dtbl A8"),
    ("agt_miss", "what becomes of a group that finds its AGE taken", "dtbl A7"),
    ("fallback", "what a group pays that becomes a device kernel", "dtbl A6"),
    ("load_mode", "who times the load of a spilled group", "dtbl A15"),
    ("policy", "which scheduler sends TBs to SMXs", "round robin is the baseline"),
    ("pass_capped", "work behind a kernel that only gate K keeps out may go ahead", "frontend A3"),
    ("exclusive", "an SMX holds TBs of one kernel configuration at a time", "frontend gate M"),
];

fn own_parameters() -> impl Iterator<Item = &'static Parameter> {
    Config::PARAMETERS.iter().filter(|p| OWNED_BY_SM.iter().all(|(name, _)| *name != p.name))
}

fn allowed(p: &Parameter) -> String {
    let kind = if p.power_of_two { "a power of two" } else { "an integer" };
    format!("{kind} from {} to {}", p.min, p.max)
}

impl GpuConfig {
    /// The front end as it will be built: section `dtbl` with the SMs of section `sm`.
    #[must_use]
    pub fn front_end(&self) -> Config {
        let sm = &self.sm;
        Config {
            n_smx: sm.count,
            tb_slots: sm.tb_slots,
            threads: sm.threads,
            regs: sm.registers,
            smem: sm.shared_bytes,
            warp: 32,
            ..self.dtbl
        }
    }

    /// Sets one parameter of section `dtbl`.
    pub(super) fn assign_front(&mut self, name: &str, value: &toml::Value) -> Result<(), ConfigError> {
        let key = format!("dtbl.{name}");
        if let Some((_, owner)) = OWNED_BY_SM.iter().find(|(n, _)| *n == name) {
            return Err(ConfigError::value(&key, value, format!("nothing here; it follows {owner}")));
        }
        let parameter = own_parameters().find(|p| p.name == name);
        if parameter.is_none() && WORDS.iter().all(|(n, ..)| *n != name) {
            return Err(ConfigError::UnknownKey(key));
        }
        let syntax = |e: toml::ser::Error| ConfigError::Syntax(e.to_string());
        let mut table = toml::Table::try_from(self.dtbl).map_err(syntax)?;
        table.insert(name.into(), value.clone());
        let refused = |text: String| ConfigError::value(&key, value, text);
        let expected = |message: &str| message.split("expected ").last().unwrap_or(message).trim().to_string();
        let changed: Config = table
            .try_into()
            .map_err(|e: toml::de::Error| refused(parameter.map_or_else(|| expected(e.message()), allowed)))?;
        if let (Some(p), Err(_)) = (parameter, changed.check()) {
            return Err(refused(allowed(p)));
        }
        self.dtbl = changed;
        self.dtbl_user.insert(name.into());
        Ok(())
    }

    /// The lines of section `dtbl`.
    pub(super) fn resolved_front(&self) -> Vec<Entry> {
        let spec = GpuSpec::by_name(&self.name);
        let table = toml::Table::try_from(self.dtbl).unwrap_or_default();
        let entry = |name: &str, unit, doc, provenance: Provenance, origin: &str| {
            let (key, value) = (format!("dtbl.{name}"), Entry::word(table.get(name)));
            let stated = Entry { key, value, unit, doc, provenance, origin: origin.into() };
            stated.or_user(self.dtbl_user.contains(name))
        };
        let numbers = own_parameters().map(|p| {
            let (provenance, origin) = spec.and_then(|s| s.provenance(p.name)).unwrap_or((p.provenance, p.origin));
            entry(p.name, p.unit, "", provenance.into(), origin)
        });
        let words = WORDS.iter().map(|&(name, doc, origin)| entry(name, "", doc, Provenance::Ours, origin));
        numbers.chain(words).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_front_end_follows_the_sms_and_its_own_keys() {
        let config = GpuConfig::from_toml("[sm]\ncount = 4\n[dtbl]\nagt_size = 512\nagt_miss = \"device\"").unwrap();
        let front = config.front_end();
        assert_eq!((front.n_smx, front.agt_size, front.agt_miss), (4, 512, gpusched::AgtMiss::Device));
        assert_eq!(GpuConfig::preset("gtx480").unwrap().front_end().n_kde, 16);
    }

    #[test]
    fn wrong_values_are_refused_with_what_is_allowed() {
        let mut config = GpuConfig::preset("k20c").unwrap();
        let mut error = |key: &str, word: &str| config.set(key, word).unwrap_err().to_string();
        assert_eq!(error("dtbl.agt_size", "1000"), "dtbl.agt_size = 1000: expected a power of two from 1 to 65536");
        assert_eq!(error("dtbl.agt_size", "x"), "dtbl.agt_size = \"x\": expected a power of two from 1 to 65536");
        assert_eq!(error("dtbl.kmu_arb", "lifo"), "dtbl.kmu_arb = \"lifo\": expected `fcfs` or `rr`");
        assert_eq!(error("dtbl.n_smx", "3"), "dtbl.n_smx = 3: expected nothing here; it follows sm.count");
        assert_eq!(error("dtbl.agt", "3"), "dtbl.agt: no such parameter");
    }

    #[test]
    fn each_line_has_a_value_and_a_provenance() {
        let mut config = GpuConfig::preset("k20c").unwrap();
        config.set("dtbl.lat_stream", "0").unwrap();
        let lines = config.resolved_front();
        assert!(lines.iter().all(|e| !e.value.is_empty()));
        let of = |key: &str| lines.iter().find(|e| e.key == key).unwrap().provenance;
        assert_eq!((of("dtbl.lat_stream"), of("dtbl.ld_b")), (Provenance::User, Provenance::Paper));
    }
}
