//! The parts of a configuration that belong to machines of `gpusched` inside an SM: sections `mascar` and `apogee`. What such a
//! machine has in common with the SM follows the SM's own sections.

use gpusched::apogee::ApogeeConfig;
use gpusched::mascar::{CacheConfig, MascarConfig, Sources};

use super::front::Section;
use super::{ConfigError, Entry, GpuConfig, WarpPolicy};
use crate::lanes::WARP;

/// The texture cache has so many times the MSHRs of L1 (refgpu-M10).
pub const TEXTURE_MSHRS: u32 = 4;

pub(super) static MASCAR: Section = Section {
    name: "mascar",
    numbers: MascarConfig::PARAMETERS,
    owned: &[
        ("warps", "sm.warps"),
        ("schedulers", "sm.schedulers"),
        ("warp_size", "32 lanes"),
        ("sources", "the caches, with mascar.mshr_sat and its kin"),
    ],
    words: &[
        ("per_pipe", "a scheduler may issue a compute and a memory warp in a cycle", "mascar-A9"),
        ("enable", "whether there is an MP mode; if not, it only orders warps", "off for baselines"),
        ("ep_priority", "which kind of instruction goes first in EP mode", "4.3.2"),
        ("ep_mem_order", "order of memory warps in EP mode, and of all if they are merged", "4.3.2"),
        ("ep_comp_order", "order of compute warps in EP mode", "4.3.2"),
        ("mp_priority", "which kind of instruction goes first in MP mode", "4.3.1"),
        ("mp_mem_order", "order of memory warps in MP mode", "4.3.1"),
        ("mp_comp_order", "order of compute warps in MP mode", "4.3.1"),
        ("owner_first", "in MP mode the owner precedes older leftovers", "mascar-A5"),
        ("relinquish_waits", "an owner gives up only when all its requests are accepted", "mascar-A3"),
        ("relinquish_sync", "an owner gives up at a barrier", "mascar-H2"),
        ("rescue", "an owner that cannot reach the LSU passes ownership to the queue", "mascar-H3"),
        ("retry_owner", "a blocked request of the owner is presented in turns with the queue", "mascar-H4"),
        ("nonowner_merge", "misses on lines on their way are accepted from every warp", "mascar-A7"),
    ],
};

/// The marks of L1; the texture cache's are as many times higher as it has MSHRs.
pub(super) static SATURATION: Section = Section {
    name: "mascar",
    numbers: CacheConfig::PARAMETERS,
    owned: &[("mshr", "l1.mshrs"), ("missq", "l1.miss_queue")],
    words: &[],
};

pub(super) static APOGEE: Section = Section {
    name: "apogee",
    numbers: ApogeeConfig::PARAMETERS,
    owned: &[
        ("warps", "sm.warps"),
        ("warp_size", "32 lanes"),
        ("threads", "the resident TBs"),
        ("line_bytes", "l1.line"),
    ],
    words: &[
        ("lanes", "which threads a prefetch is for", "apogee-A6"),
        ("lal", "whose last accessed load a chain is made of", "apogee-A9"),
        ("early", "what tells too early from wrong", "apogee-A7"),
        ("slow_rule", "which loads find that their prefetch is slow", "apogee-A5"),
        ("merge", "what a line is merged with", "apogee-A8"),
        ("gap_fill", "the iteration that a growing distance would skip is prefetched", "apogee-H2"),
    ],
};

impl GpuConfig {
    /// Mascar as it will be built for `sm.policy = mascar`: it watches L1 and the texture cache.
    ///
    /// # Errors
    /// A value out of its range beside those of the SM, by its key.
    pub fn mascar(&self) -> Result<MascarConfig, ConfigError> {
        let l1 = CacheConfig { mshr: self.l1.mshrs, missq: self.l1.miss_queue, ..self.saturation };
        let texture = CacheConfig {
            mshr: l1.mshr * TEXTURE_MSHRS,
            mshr_sat: l1.mshr_sat.saturating_mul(TEXTURE_MSHRS),
            mshr_clear: l1.mshr_clear.saturating_mul(TEXTURE_MSHRS),
            ..l1
        };
        let refused = |e: gpusched::ConfigError| {
            let allowed = format!("an integer from {} to {}", e.parameter.min, e.max);
            let key = match e.parameter.name {
                "warps" => "sm.warps".into(),
                "schedulers" => "sm.schedulers".into(),
                name => format!("mascar.{name}"),
            };
            ConfigError::value(&key, e.value, format!("{allowed} with sm.policy = mascar"))
        };
        l1.check().map_err(refused)?;
        let config = MascarConfig {
            warps: self.sm.warps,
            schedulers: self.sm.schedulers,
            warp_size: WARP,
            sources: Sources::new(&[l1, texture]).map_err(refused)?,
            ..self.mascar
        };
        config.check().map_err(refused)?;
        Ok(config)
    }

    /// The prefetcher's table as it will be built.
    #[must_use]
    pub fn prefetch_table(&self) -> ApogeeConfig {
        let Self { sm, l1, .. } = self;
        ApogeeConfig {
            warps: sm.warps,
            warp_size: WARP,
            threads: sm.threads,
            line_bytes: l1.line,
            ..self.prefetch_table
        }
    }

    /// Checks that the machines inside an SM can be built.
    pub(super) fn check_inside(&self) -> Result<(), ConfigError> {
        if self.sm.policy == WarpPolicy::Mascar {
            self.mascar()?;
        }
        if self.apogee.enabled && !self.l1.enabled {
            let expected = "false with l1.enabled = false: there is nothing to prefetch into";
            return Err(ConfigError::value("apogee.enabled", true, expected));
        }
        self.prefetch_table().check().map_err(|e| {
            let allowed = format!("an integer from {} to {}", e.parameter.min, e.max);
            ConfigError::value(&format!("apogee.{}", e.parameter.name), e.value, allowed)
        })
    }

    /// Sets one parameter of a machine inside an SM; `None` if `section` is none of theirs.
    pub(super) fn assign_inside(
        &mut self,
        section: &str,
        name: &str,
        value: &toml::Value,
    ) -> Option<Result<(), ConfigError>> {
        // What values ask of each other is checked when all are there.
        let assigned = match section {
            "mascar" if SATURATION.has(name) => SATURATION
                .change(&self.saturation, name, value, |c| {
                    let most = CacheConfig { mshr: 65535, missq: 65535, ..*c };
                    CacheConfig { mshr_clear: 1, missq_clear: 1, ..most }.check()?;
                    CacheConfig { mshr_sat: 65535, missq_sat: 65535, ..most }.check()
                })
                .map(|changed| self.saturation = changed),
            "mascar" => {
                MASCAR.change(&self.mascar, name, value, MascarConfig::check).map(|changed| self.mascar = changed)
            }
            "apogee" => APOGEE
                .change(&self.prefetch_table, name, value, |c| {
                    ApogeeConfig { init_distance: c.init_distance.max(c.min_distance), ..*c }.check()
                })
                .map(|changed| self.prefetch_table = changed),
            _ => return None,
        };
        Some(assigned)
    }

    /// The lines of these sections.
    pub(super) fn resolved_inside(&self) -> impl Iterator<Item = Entry> {
        let (device, set) = (self.device, &self.front_set);
        let mascar = MASCAR.resolved(&self.mascar, device, set);
        let saturation = SATURATION.resolved(&self.saturation, device, set);
        mascar.into_iter().chain(saturation).chain(APOGEE.resolved(&self.prefetch_table, device, set))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(text: &str) -> String {
        GpuConfig::from_toml(text).unwrap_err().to_string()
    }

    #[test]
    fn what_the_machines_share_with_the_sm_follows_it() {
        let text =
            "base = \"gtx480_mascar\"\n[sm]\npolicy = \"mascar\"\n[mascar]\nrexq = 16\nmshr_clear = 50\nenable = false";
        let config = GpuConfig::from_toml(text).unwrap();
        let mascar = config.mascar().unwrap();
        assert_eq!((mascar.warps, mascar.schedulers, mascar.rexq, mascar.enable), (48, 2, 16, false));
        let [l1, texture] = *mascar.sources.caches() else { panic!("two caches") };
        assert_eq!((l1.mshr, l1.missq, l1.mshr_sat, l1.mshr_clear), (64, 8, 60, 50));
        assert_eq!((texture.mshr, texture.missq, texture.mshr_sat, texture.mshr_clear), (256, 8, 240, 200));
        let table = GpuConfig::from_toml("base = \"apogee\"\n[apogee]\nentries = 32").unwrap().prefetch_table();
        assert_eq!((table.entries, table.warps, table.threads, table.line_bytes), (32, 32, 1024, 32));
    }

    #[test]
    fn wrong_values_are_refused_with_what_is_allowed() {
        let mascar = |text: &str| error(&format!("base = \"gtx480_mascar\"\n[sm]\npolicy = \"mascar\"\n{text}"));
        assert_eq!(mascar("[mascar]\nrexq = 256"), "mascar.rexq = 256: expected an integer from 0 to 255");
        assert_eq!(mascar("[mascar]\nmshr_sat = 0"), "mascar.mshr_sat = 0: expected an integer from 1 to 65535");
        assert_eq!(
            mascar("[mascar]\nmshr_sat = 65"),
            "mascar.mshr_sat = 65: expected an integer from 1 to 64 with sm.policy = mascar"
        );
        assert_eq!(mascar("[mascar]\nwarps = 8"), "mascar.warps = 8: expected nothing here; it follows sm.warps");
        assert_eq!(mascar("[mascar]\nmissq = 8"), "mascar.missq = 8: expected nothing here; it follows l1.miss_queue");
        assert_eq!(
            mascar("[mascar]\nmp_priority = \"alu\""),
            "mascar.mp_priority = \"alu\": expected one of `mem`, `comp`, `merged`"
        );
        assert_eq!(
            error("[sm]\npolicy = \"mascar\""),
            "sm.warps = 64: expected an integer from 1 to 63 with sm.policy = mascar"
        );
        let apogee = |text: &str| error(&format!("base = \"apogee\"\n[apogee]\n{text}"));
        assert_eq!(apogee("entries = 0"), "apogee.entries = 0: expected an integer from 1 to 256");
        assert_eq!(apogee("init_distance = 64"), "apogee.init_distance = 64: expected an integer from 1 to 63");
        assert_eq!(apogee("min_distance = 2"), "apogee.min_distance = 2: expected an integer from 1 to 1");
        assert_eq!(apogee("lanes = \"some\""), "apogee.lanes = \"some\": expected `all` or `active`");
        assert_eq!(apogee("line_bytes = 64"), "apogee.line_bytes = 64: expected nothing here; it follows l1.line");
        assert_eq!(apogee("scheme = \"next\""), "apogee.scheme = next: expected one of apogee, stride, mta");
        assert_eq!(apogee("enable = true"), "apogee.enable: no such parameter");
        assert_eq!(
            apogee("enabled = true\n[l1]\nenabled = false"),
            "apogee.enabled = true: expected false with l1.enabled = false: there is nothing to prefetch into"
        );
    }

    #[test]
    fn each_line_has_a_value_a_provenance_and_one_key() {
        let config = GpuConfig::preset("apogee").unwrap();
        let lines: Vec<_> =
            config.resolved().filter(|e| e.key.starts_with("mascar.") || e.key.starts_with("apogee.")).collect();
        assert!(lines.iter().all(|e| !e.value.is_empty() && !e.origin.is_empty()));
        let keys: std::collections::BTreeSet<_> = lines.iter().map(|e| &e.key).collect();
        assert_eq!(keys.len(), lines.len());
        for key in
            ["mascar.rexq", "mascar.mshr_sat", "mascar.rescue", "apogee.enabled", "apogee.entries", "apogee.gap_fill"]
        {
            assert!(keys.contains(&key.to_string()), "{key}");
        }
    }
}
