//! What costs energy: counts of events, all of them integers, so that any split of a run adds up exactly.

use std::ops::{AddAssign, Sub};

use serde::Serialize;

use crate::config::GpuConfig;
use crate::dram::DramStats;
use crate::l2::L2Stats;
use crate::noc::NocStats;
use crate::program::Class;
use crate::stats::SmStats;

/// Classes in floating point: three register operands are read per lane, two otherwise (refgpu-E3).
const FLOATING_POINT: [Class; 3] = [Class::Fp, Class::Sfu, Class::Dp];
/// Classes that the SP units carry out (refgpu-W4).
const ON_SP: [Class; 6] = [Class::Int, Class::Fp, Class::Barrier, Class::Launch, Class::Sync, Class::Exit];
/// Classes that are charged as special functions (refgpu-E4).
const ON_SFU: [Class; 2] = [Class::Sfu, Class::Dp];

macro_rules! counts {
    ($(#[$doc:meta])* $Name:ident { $($(#[$of:meta])* $field:ident,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
        pub struct $Name {
            $($(#[$of])* pub $field: u64,)+
        }

        impl AddAssign for $Name {
            fn add_assign(&mut self, o: Self) {
                $(self.$field += o.$field;)+
            }
        }

        impl Sub for $Name {
            type Output = Self;

            /// What came after `o`, an earlier state of the same counts.
            fn sub(self, o: Self) -> Self {
                Self { $($field: self.$field - o.$field,)+ }
            }
        }
    };
}

counts! {
    /// Events of an SM (refgpu-E2 to E8).
    SmEvents {
        /// Warp instructions fetched, decoded and scheduled.
        instructions,
        /// Register operands read, per lane.
        register_reads,
        /// Register operands written, per lane.
        register_writes,
        /// Lanes in the SP units.
        sp_lanes,
        /// Lanes in the SFUs, and of double precision.
        sfu_lanes,
        /// Shared-memory access cycles.
        shared_cycles,
        /// L1 and texture load transactions that hit.
        l1_hits,
        /// L1 and texture load transactions that missed or merged.
        l1_misses,
        /// L1 store and atomic transactions.
        l1_stores,
        /// Accesses to Mascar's re-execution queue.
        queue_accesses,
        /// Own cycles in which something issued.
        issue_cycles,
    }
}

counts! {
    /// Events beyond the L1s (refgpu-E9 to E11).
    MemoryEvents {
        /// Packets: each has one head flit.
        packets,
        /// 32-byte units of data in packets.
        data_units,
        /// L2 accesses that read: reads and atomics. Fills and writebacks are part of their price.
        l2_reads,
        /// L2 accesses that write, of however few sectors: writes and atomics.
        l2_writes,
        /// Bytes read from DRAM.
        dram_read_bytes,
        /// Bytes written to DRAM.
        dram_write_bytes,
        /// Activations, each with its precharge.
        activations,
    }
}

impl SmEvents {
    /// The events among an SM's counts.
    #[must_use]
    pub fn of(sm: &SmStats) -> Self {
        let lanes = |classes: &[Class]| classes.iter().map(|&c| sm.class_lanes[c as usize]).sum::<u64>();
        let all: u64 = sm.class_lanes.iter().sum();
        Self {
            instructions: sm.all_instructions(),
            register_reads: 2 * all + lanes(&FLOATING_POINT),
            register_writes: sm.written_lanes,
            sp_lanes: lanes(&ON_SP),
            sfu_lanes: lanes(&ON_SFU),
            shared_cycles: sm.shared_cycles,
            l1_hits: sm.l1.hits + sm.texture.hits,
            l1_misses: sm.l1.misses + sm.l1.merges + sm.texture.misses + sm.texture.merges,
            l1_stores: sm.l1.stores + sm.l1.atomics,
            queue_accesses: sm.mascar.queue_accesses(),
            issue_cycles: sm.issue_cycles,
        }
    }
}

impl MemoryEvents {
    /// The events among the counts of both crossbars, the L2 banks and the DRAM channels.
    #[must_use]
    pub fn of(config: &GpuConfig, noc: [NocStats; 2], l2: &L2Stats, dram: &DramStats) -> Self {
        let packets = noc.iter().map(|n| n.packets).sum();
        let data_flits = noc.iter().map(|n| n.flits).sum::<u64>() - packets;
        Self {
            packets,
            data_units: data_flits * u64::from(config.noc.flit_bytes) / 32,
            l2_reads: l2.hits + l2.merges + l2.misses + l2.atomics,
            l2_writes: l2.writes + l2.atomics,
            dram_read_bytes: dram.reads * u64::from(config.dram.burst),
            dram_write_bytes: dram.writes * u64::from(config.dram.burst),
            activations: dram.activations,
        }
    }
}
