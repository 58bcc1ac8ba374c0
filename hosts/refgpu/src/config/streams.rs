//! Section `streams` as the front end has it: contexts, priorities, and draining (refgpu-G6; sheet `modern`).

use gpusched::{Config, ContextSpec, GpcId, GpcSet, Id, PartitionPart, PreemptPart, PriorityPart, SmxSet};

use super::{ConfigError, Contexts, GpuConfig, Ranks};
use crate::stats::STREAMS;

impl GpuConfig {
    /// The front end with the parts that section `streams` asks for; those that it does not are absent.
    pub(super) fn for_streams(&self, front: Config) -> Config {
        let (streams, count) = (&self.streams, STREAMS as u32);
        let is_parted = streams.contexts != Contexts::None;
        let has_ranks = streams.ranks != Ranks::None;
        let mig = streams.contexts == Contexts::Gpcs;
        Config {
            partition: is_parted.then_some(PartitionPart { contexts: count, mig, ..PartitionPart::TWO }),
            priority: has_ranks.then_some(PriorityPart { levels: count }),
            preempt: (has_ranks && streams.drain > 0).then_some(PreemptPart::FREE),
            // Streams that are told apart share no queue, in which one would wait for the other (dtbl-H15).
            n_hwq: if is_parted || has_ranks { front.n_hwq.clamp(count, MOST_QUEUES / count) } else { front.n_hwq },
            ..front
        }
    }

    /// What the words of the section ask of each other and of the machine.
    pub(super) fn check_sharing(&self) -> Result<(), ConfigError> {
        let streams = &self.streams;
        if streams.drain > self.sm.count {
            return Err(ConfigError::value("streams.drain", streams.drain, "at most the SMs of the machine"));
        }
        if streams.contexts == Contexts::Gpcs && self.layout.topology.is_none() {
            return Err(ConfigError::value("streams.contexts", "gpcs", "another one where sm.topology is none"));
        }
        Ok(())
    }

    /// What the contexts of so many streams have, stream by stream; nothing where they have none of their own.
    ///
    /// # Errors
    /// Fewer SMs, or GPCs, than streams.
    pub(crate) fn contexts_of(&self, streams: usize) -> Result<Vec<ContextSpec>, ConfigError> {
        let quota = Some(self.streams.quota).filter(|&quota| quota > 0);
        let too_few = |word: &str, of: &str| {
            Err(ConfigError::value("streams.contexts", word, format!("{streams} {of} at least, one for each stream")))
        };
        let sms = self.sm.count as usize;
        Ok(match self.streams.contexts {
            Contexts::None => Vec::new(),
            Contexts::All => vec![ContextSpec { quota, ..ContextSpec::default() }; streams],
            Contexts::Even if sms < streams => return too_few("even", "SMs"),
            Contexts::Even => {
                let part = |stream: usize| {
                    let first = SmxSet::first((sms * stream / streams) as u32);
                    let smxs = SmxSet::first((sms * (stream + 1) / streams) as u32).without(&first);
                    ContextSpec { smxs: Some(smxs), quota, ..ContextSpec::default() }
                };
                (0..streams).map(part).collect()
            }
            Contexts::Gpcs => {
                let gpcs: Vec<u32> =
                    self.layout.topology.iter().flat_map(|of| of.gpcs()).map(|gpc| gpc.len()).collect();
                if gpcs.len() < streams {
                    return too_few("gpcs", "GPCs");
                }
                // Each GPC goes to whoever has fewest SMs so far.
                let mut parts = vec![(0, GpcSet::EMPTY); streams];
                for (gpc, sms) in gpcs.into_iter().enumerate() {
                    if let Some((has, set)) = parts.iter_mut().min_by_key(|(has, _)| *has) {
                        *has += sms;
                        set.set(GpcId::from_index(gpc), true);
                    }
                }
                let spec = |(_, gpcs)| ContextSpec { gpcs: Some(gpcs), quota, ..ContextSpec::default() };
                parts.into_iter().map(spec).collect()
            }
        })
    }

    /// The priority of a stream of so many; 0 is the lowest.
    pub(crate) fn rank_of(&self, stream: usize, streams: usize) -> Option<u32> {
        match self.streams.ranks {
            Ranks::None => None,
            Ranks::Rising => Some(stream as u32),
            Ranks::Falling => Some((streams - 1).saturating_sub(stream) as u32),
        }
    }

    /// The SMs that are drained.
    pub(crate) fn drained(&self) -> SmxSet {
        SmxSet::first(self.streams.drain)
    }
}

/// Hardware work queues of all contexts (modern-A13).
const MOST_QUEUES: u32 = 256;

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(set: &[(&str, &str)]) -> Result<GpuConfig, String> {
        let mut gpu = GpuConfig::preset("h100-sxm").unwrap();
        set.iter().try_for_each(|(key, word)| gpu.set(key, word)).map_err(|e| e.to_string())?;
        gpu.check().map_err(|e| e.to_string())?;
        Ok(gpu)
    }

    #[test]
    fn nothing_is_there_that_was_not_asked_for() {
        let front = machine(&[]).unwrap().front_end();
        assert_eq!((front.partition, front.priority, front.preempt, front.n_hwq), (None, None, None, 32));
        let all =
            machine(&[("streams.contexts", "gpcs"), ("streams.ranks", "rising"), ("streams.drain", "4")]).unwrap();
        let front = all.front_end();
        assert!(front.partition.is_some_and(|part| part.mig) && front.priority.is_some() && front.preempt.is_some());
    }

    #[test]
    fn contexts_divide_the_machine() {
        let sizes = |contexts: &str, streams| {
            let gpu = machine(&[("streams.contexts", contexts), ("streams.quota", "50")]).unwrap();
            let specs = gpu.contexts_of(streams).unwrap();
            assert!(specs.iter().all(|spec| spec.quota == Some(50)));
            let gpcs: Vec<SmxSet> = gpu.layout.topology.unwrap().gpcs().collect();
            let of_gpcs = |set: GpcSet| set.iter().map(|gpc| gpcs[usize::from(gpc.0)].len()).sum();
            specs
                .iter()
                .map(|spec| spec.smxs.map(|smxs| smxs.len()).or(spec.gpcs.map(of_gpcs)).unwrap_or(132))
                .collect::<Vec<u32>>()
        };
        assert_eq!(sizes("all", 2), [132, 132]);
        assert_eq!(sizes("even", 5), [26, 26, 27, 26, 27]);
        // Six GPCs of 16 SMs and two of 18.
        assert_eq!(sizes("gpcs", 2), [66, 66]);
        assert_eq!(sizes("gpcs", 3), [50, 50, 32]);
    }

    #[test]
    fn what_does_not_go_together_is_refused() {
        let error = |set: &[(&str, &str)]| machine(set).unwrap_err();
        assert!(error(&[("streams.ranks", "rising"), ("streams.drain", "133")]).contains("at most the SMs"));
        assert!(error(&[("streams.contexts", "gpcs"), ("sm.topology", "none")]).contains("where sm.topology is none"));
        assert!(error(&[("streams.ranks", "rising"), ("dtbl.policy", "laperm")]).contains("priority"));
        let gpcs = machine(&[("streams.contexts", "gpcs")]).unwrap();
        assert!(gpcs.contexts_of(9).unwrap_err().to_string().contains("9 GPCs at least"));
    }
}
