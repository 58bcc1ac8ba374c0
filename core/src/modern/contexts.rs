//! Contexts: whose the SMXs are, and how much of them (sheet `modern`, Partitions).

use crate::base::error::Fault;
use crate::base::id::{ContextId, GpcId, KernelSlot};
use crate::base::set::{IdSet, SmxSet};
use crate::config::Config;
use crate::config::modern::PartitionPart;
use crate::launch::board::{Board, BoardTables};
use crate::modern::{Modern, ModernTables};

/// A set of GPCs.
pub type GpcSet = IdSet<GpcId>;

/// What a context is given (modern-P1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
pub struct ContextSpec {
    /// Its SMXs. Without these and GPCs it has all.
    pub smxs: Option<SmxSet>,
    /// The GPCs whose SMXs are its own, instead of `smxs`.
    pub gpcs: Option<GpcSet>,
    /// The share of its SMXs' threads that it may have, in percent: 1 to 100; `None`: all.
    pub quota: Option<u32>,
    /// Kernel distributor entries that it may hold: 1 to n_kde; `None`: all.
    pub kdes: Option<u32>,
}

/// A context, as it stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
pub struct ContextView {
    /// Its SMXs.
    pub smxs: SmxSet,
    /// Its share, in percent.
    pub quota: Option<u32>,
    /// The threads that this is.
    pub limit: Option<u32>,
    /// Entries that it may hold.
    pub kdes: Option<u32>,
    /// Threads of its resident TBs.
    pub threads: u32,
}

/// A context.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Context {
    /// Its SMXs.
    pub(crate) smxs: SmxSet,
    /// Its share in percent; 0 for none.
    pub(crate) quota: u8,
    /// Entries that it may hold; 0 for any.
    pub(crate) kdes: u8,
    /// Threads that it may have resident, if it has a share.
    pub(crate) limit: Option<u32>,
}

impl Context {
    /// modern-P4: threads that a share of these SMXs is.
    pub(crate) fn limit(quota: u8, smxs: &SmxSet, config: &Config) -> Option<u32> {
        let all = u64::from(smxs.len()) * u64::from(config.threads);
        (quota > 0).then(|| (all * u64::from(quota)).div_ceil(100) as u32)
    }
}

impl<T: ModernTables> Modern<T> {
    pub(crate) fn contexts_mut(&mut self, context: ContextId) -> &mut Context {
        &mut self.contexts[context]
    }

    pub(crate) fn context(&self, context: ContextId) -> &Context {
        &self.contexts[context]
    }

    /// The SMXs of a context; all where there are none.
    pub(crate) fn smxs_of(&self, context: ContextId, config: &Config) -> SmxSet {
        if config.partition.is_some() { self.contexts[context].smxs } else { SmxSet::first(config.n_smx) }
    }

    /// Threads that a context may have resident, if it has a share.
    pub(crate) fn limit_of(&self, context: ContextId) -> Option<u32> {
        self.contexts.get(context)?.limit
    }

    /// modern-P1: what this gives a context.
    pub(crate) fn context_of(
        &self,
        context: ContextId,
        spec: &ContextSpec,
        part: &PartitionPart,
        config: &Config,
    ) -> Result<Context, Fault> {
        let smxs = self.set_of(spec, part, config)?;
        if part.mig {
            let is_split = |gpc: &SmxSet| !gpc.and(&smxs).is_empty() && !gpc.without(&smxs).is_empty();
            if self.all_gpcs().any(|gpc| is_split(&self.gpcs[gpc].smxs)) {
                return Err(Fault::MigSplit);
            }
            let mut others = config.contexts().filter(|&c| c != context);
            if others.any(|c| !self.contexts[c].smxs.and(&smxs).is_empty()) {
                return Err(Fault::MigOverlap);
            }
        }
        let quota = match spec.quota {
            None => 0,
            Some(quota @ 1..=100) => quota as u8,
            Some(_) => return Err(Fault::BadQuota),
        };
        let kdes = match spec.kdes {
            None => 0,
            Some(kdes) if (1..=config.n_kde).contains(&kdes) => kdes as u8,
            Some(_) => return Err(Fault::BadLimit),
        };
        Ok(Context { smxs, quota, kdes, limit: Context::limit(quota, &smxs, config) })
    }

    fn set_of(&self, spec: &ContextSpec, part: &PartitionPart, config: &Config) -> Result<SmxSet, Fault> {
        let all = SmxSet::first(config.n_smx);
        let smxs = match (spec.smxs, spec.gpcs) {
            (Some(_), Some(_)) => return Err(Fault::BadSet),
            (None, None) => all,
            (Some(smxs), None) => smxs,
            (None, Some(_)) if config.topology.is_none() => return Err(Fault::NoTopology),
            (None, Some(gpcs)) => {
                if !gpcs.without(&GpcSet::first(self.n_gpc)).is_empty() {
                    return Err(Fault::BadSet);
                }
                gpcs.iter().fold(SmxSet::EMPTY, |smxs, gpc| smxs.or(&self.gpcs[gpc].smxs))
            }
        };
        let n = smxs.len();
        let is_there = n > 0 && smxs.without(&all).is_empty();
        let has_size = n >= part.min_set && n.checked_rem(part.align) == Some(0);
        if is_there && has_size { Ok(smxs) } else { Err(Fault::BadSet) }
    }
}

impl<T: BoardTables + ModernTables> Modern<T> {
    /// Threads of a context's resident TBs.
    pub(crate) fn threads_of(&self, board: &Board<T>, context: ContextId) -> u32 {
        let is_its = |k: &KernelSlot| board.kd.get(*k).kernel.owner.context == context;
        board.kd.active().filter(is_its).map(|k| board.kd.threads_in(k)).sum()
    }

    /// modern-P7: bit c: context c holds as many entries as it may.
    pub(crate) fn held(&self, board: &Board<T>) -> u64 {
        if board.config.partition.is_none() {
            return 0;
        }
        let is_held = |c: &ContextId| {
            let kdes = usize::from(self.contexts[*c].kdes);
            kdes > 0 && board.kd.entries_of(*c) >= kdes
        };
        board.config.contexts().filter(is_held).fold(0, |held, c| held | 1 << c.0)
    }
}
