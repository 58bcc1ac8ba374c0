//! What GPUs of today add to the front end, each a part that may be left out: clusters of TBs, priorities of streams, contexts with SMXs
//! of their own, and the draining and saving of what runs (sheet `modern`). Where SMXs lie is in [`topology`](crate::config::topology).
//!
//! ```
//! use gpusched::{ClusterPart, Config, Fault, Topology};
//!
//! let h100 = Config { n_smx: 132, topology: Some(Topology::H100_SXM), cluster: Some(ClusterPart::H100), ..Config::K20C };
//! assert!(h100.check().is_ok());
//! // A cluster lies in one GPC, so the machine must know its GPCs.
//! let nowhere = Config { topology: None, ..h100 };
//! assert_eq!(nowhere.check().unwrap_err().fault, Fault::NoTopology);
//! ```

use crate::base::error::Fault;
use crate::base::parameter::{self, ConfigError, PartName, choice, parameters};
use crate::config::Config;
use crate::config::parts::rule;

choice! {
    /// How the TBs of a cluster lie on the SMXs of its GPC (modern-C4).
    pub enum Fill {
        /// Rank by rank on the next SMX that can take one.
        #[default]
        Spread,
        /// As many as fit on an SMX before the next one.
        Pack,
    }
}
choice! {
    /// Which GPC a cluster is offered first (modern-C3).
    pub enum GpcOrder {
        /// The one behind the last that took one.
        #[default]
        Rr,
        /// The one that could take most TBs of the kernel.
        MostRoom,
    }
}

parameters! {
    /// Clusters of TBs, which start together in one GPC (sheet `modern`, Clusters).
    pub struct ClusterPart;
    /// The H100: 8 TBs, 16 if the launch allows it.
    pub const H100;
    numbers {
        /// The most TBs of a cluster.
        portable: "TBs" = 8 in 1..=64, Vendor "CUDA programming guide: 8 is portable";
        /// The most TBs of a cluster whose launch is not to be portable.
        largest: "TBs" = 16 in 1..=64, Vendor "Hopper tuning guide: 16 by opting in";
    }
    choices {
        /// How its TBs lie in the GPC.
        fill: Fill = Fill::Spread;
        /// Which GPC is asked first.
        gpc_order: GpcOrder = GpcOrder::Rr;
        /// Work behind a cluster that waits may go ahead on its SMXs.
        pass_cluster: bool = false;
    }
}

parameters! {
    /// Priorities of streams (sheet `modern`, Priorities).
    pub struct PriorityPart;
    /// Six levels.
    pub const SIX;
    numbers {
        /// Levels; 0 is the lowest.
        levels: "levels" = 6 in 1..=64, Ours "a common answer of devices";
    }
    choices {}
}

parameters! {
    /// Contexts with SMXs, a share and entries of their own (sheet `modern`, Partitions). Without `mig` each begins with all SMXs; with it
    /// the first one does, and the others have none until they are given some.
    pub struct PartitionPart;
    /// Two contexts.
    pub const TWO;
    numbers {
        /// Contexts.
        contexts: "contexts" = 2 in 1..=64, Ours "two clients";
        /// The fewest SMXs of a context.
        min_set: "SMXs" = 1 in 1..=256, Vendor "green contexts, compute capability 6";
        /// What the number of a context's SMXs is a multiple of.
        align: "SMXs" = 1 in 1..=256, Vendor "green contexts, compute capability 6";
    }
    choices {
        /// Contexts have whole GPCs, and share none.
        mig: bool = false;
    }
}

parameters! {
    /// Taking SMXs away from what runs there: requests that they be drained, and the saving of kernels (sheet `modern`, Preemption).
    pub struct PreemptPart;
    /// Sixteen requests; saving and restoring cost nothing.
    pub const FREE;
    numbers {
        /// Requests that there can be at once.
        drain_max: "requests" = 16 in 0..=64, Ours "no source names one";
        /// Saving a kernel: fixed part.
        save_base: "cycles" = 0 in 0..=0xffff_ffff, Ours "free unless it is asked for";
        /// Saving a kernel: bytes that an SMX saves in a cycle; 0: they cost nothing.
        save_bytes: "bytes" = 0 in 0..=0xffff_ffff, Ours "free unless it is asked for";
        /// Restoring a TB: fixed part.
        restore_base: "cycles" = 0 in 0..=0xffff_ffff, Ours "free unless it is asked for";
        /// Restoring a TB: bytes in a cycle; 0: they cost nothing.
        restore_bytes: "bytes" = 0 in 0..=0xffff_ffff, Ours "free unless it is asked for";
    }
    choices {}
}

impl ClusterPart {
    /// Whether every number is in its range, and the greater of the two not the smaller one.
    ///
    /// # Errors
    /// `BadConfig`.
    pub fn check(&self) -> Result<(), ConfigError> {
        parameter::check(self.values())?;
        if self.largest < self.portable {
            return Err(ConfigError::new(Fault::BadConfig, &LARGEST, self.largest));
        }
        Ok(())
    }
}

impl PreemptPart {
    /// modern-S2: cycles until a kernel is saved of which so many bytes lie on the SMX that has most.
    pub(crate) fn save_cycles(&self, bytes: u64) -> u64 {
        u64::from(self.save_base).saturating_add(cycles_of(bytes, self.save_bytes))
    }

    /// modern-S3: cycles until a restored TB starts of which so many bytes were saved.
    pub(crate) fn restore_cycles(&self, bytes: u64) -> u64 {
        u64::from(self.restore_base) + cycles_of(bytes, self.restore_bytes)
    }
}

/// Cycles for so many bytes, of which `per_cycle` go in one; 0: they cost nothing.
fn cycles_of(bytes: u64, per_cycle: u32) -> u64 {
    let per_cycle = u64::from(per_cycle);
    let whole = bytes.checked_div(per_cycle).unwrap_or(0);
    whole + u64::from(bytes.checked_rem(per_cycle).is_some_and(|rest| rest > 0))
}

/// The most hardware work queues of all contexts: a queue has a number of 8 bits (modern-A13).
const MAX_QUEUES: u32 = 256;

rule!(
    TOPOLOGY,
    "topology",
    "a TPC is the end of each GPC, and the last GPC ends with the last SMX, beyond which none is for pairs only"
);
rule!(LARGEST, "largest", "a cluster that is not portable is not smaller than one that is");
rule!(CLUSTER_NOWHERE, "cluster", "a cluster lies in one GPC, so a topology must say where SMXs lie");
rule!(MIG_NOWHERE, "mig", "a context has whole GPCs, so a topology must say where SMXs lie");
rule!(CLUSTER_BUBBLE, "cluster", "the occupancy-bubble controller asks for an SMX that could take one TB");
rule!(CLUSTER_POLICY, "cluster", "first come, first served alone sends clusters");
rule!(PRIORITY_POLICY, "priority", "first come, first served alone has its line in the order of priorities");
rule!(PARTITION_POLICY, "partition", "first come, first served alone knows whose an SMX is");
rule!(PREEMPT_POLICY, "preempt", "first come, first served alone knows which SMXs are drained");
rule!(QUEUES, "contexts", "each context has n_hwq queues, and there are 256 at most");

/// What is refused of a part, by the policy under which it is (`modern`, Purpose; modern-A1, modern-A14).
fn under_policy(
    front: &Config,
    laperm: Fault,
    told: Fault,
    parameter: &'static parameter::Parameter,
) -> Result<(), ConfigError> {
    let refused = |fault| Err(ConfigError::new(fault, parameter, 1));
    if front.laperm().is_some() {
        refused(laperm)
    } else if front.told().is_some() {
        refused(told)
    } else {
        Ok(())
    }
}

/// What the parts of this sheet ask, behind all that the front end does.
pub(crate) fn check(front: &Config) -> Result<(), ConfigError> {
    let refused = |fault, parameter, value| Err(ConfigError::new(fault, parameter, value));
    if let Some(Err(fault)) = front.topology.map(|topology| topology.check(front.n_smx)) {
        return refused(fault, &TOPOLOGY, 1);
    }
    let has_topology = front.topology.is_some();
    if let Some(part) = &front.cluster {
        under_policy(front, Fault::ClusterWithLaperm, Fault::ClusterWithTold, &CLUSTER_POLICY)?;
        part.check().map_err(|e| e.of(PartName::Cluster))?;
    }
    if let Some(part) = &front.priority {
        under_policy(front, Fault::PriorityWithLaperm, Fault::PriorityWithTold, &PRIORITY_POLICY)?;
        parameter::check(part.values()).map_err(|e| e.of(PartName::Priority))?;
    }
    if let Some(part) = &front.partition {
        under_policy(front, Fault::PartitionWithLaperm, Fault::PartitionWithTold, &PARTITION_POLICY)?;
        parameter::check(part.values()).map_err(|e| e.of(PartName::Partition))?;
        if part.contexts * front.n_hwq > MAX_QUEUES {
            return Err(ConfigError::new(Fault::BadConfig, &QUEUES, part.contexts).of(PartName::Partition));
        }
    }
    if let Some(part) = &front.preempt {
        under_policy(front, Fault::PreemptWithLaperm, Fault::PreemptWithTold, &PREEMPT_POLICY)?;
        parameter::check(part.values()).map_err(|e| e.of(PartName::Preempt))?;
    }
    if front.cluster.is_some() && !has_topology {
        return refused(Fault::NoTopology, &CLUSTER_NOWHERE, 1);
    }
    if front.cluster.is_some() && front.bubble.is_some() {
        return refused(Fault::ClusterWithBubble, &CLUSTER_BUBBLE, 1);
    }
    if front.partition.is_some_and(|part| part.mig) && !has_topology {
        return Err(ConfigError::new(Fault::NoTopology, &MIG_NOWHERE, 1).of(PartName::Partition));
    }
    Ok(())
}
