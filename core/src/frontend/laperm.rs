//! LaPerm as the front end's policy, as its host sees it; how it sends is in [`crate::policy::line`].
//!
//! ```
//! use gpusched::{Config, Descriptor, Dim3, FrontEnd, GroupLaunch, LaPermPart, Policy, Sched, inline_tables};
//!
//! const GPU: Config =
//!     Config { n_smx: 4, tb_slots: 2, pend_limit: 64, policy: Policy::LaPerm(LaPermPart::K20C), ..Config::K20C };
//! inline_tables! {
//!     struct Four = GPU;
//! }
//! let mut gpu = FrontEnd::<Four>::new(&GPU.ideal())?;
//! let kernel = Descriptor { grid: Dim3::linear(6), tb: Dim3::linear(64), tag: 7, ..Descriptor::default() };
//! gpu.host_launch(0, &kernel, false)?;
//! let Sched::Tb(parent) = gpu.tick(&mut ())?.sched else { panic!("SMX 0 is free") };
//! // Its child stays on its SMX, and goes before the rest of the kernel there.
//! let group = Descriptor { grid: Dim3::linear(1), tag: 8, ..kernel };
//! gpu.agg_launch(parent.smx, parent.slot, &[GroupLaunch { kernel: group, hw_tid: 0 }])?;
//! let sent = (0..4).filter_map(|_| match gpu.tick(&mut ()).ok()?.sched {
//!     Sched::Tb(tb) => Some((tb.smx.0, tb.tag)),
//!     _ => None,
//! });
//! assert_eq!(sent.collect::<Vec<_>>(), [(1, 7), (2, 7), (3, 7), (0, 8)]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "image")]
mod image;

use crate::base::error::Fault;
use crate::base::id::{SmxId, UnitId};
use crate::frontend::FrontEnd;
use crate::frontend::tables::Tables;
use crate::policy::laperm::{Backup, Config as LaPermConfig};

impl<T: Tables> FrontEnd<T> {
    /// LaPerm: a unit of this tag, which a `refill` asked for, is on chip (`refill_mode` external, `laperm-R14`). Of several, the
    /// first by bind unit and in its queue.
    ///
    /// # Errors
    /// `NoLoad` if none is being loaded.
    pub fn refilled(&mut self, tag: u64) -> Result<(), Fault> {
        self.verb(|gpu| gpu.laperm.as_mut().ok_or(Fault::NoLoad)?.refilled(&gpu.board, tag))
    }

    /// LaPerm as this front end runs it, if it does.
    #[must_use]
    pub fn laperm_config(&self) -> Option<LaPermConfig> {
        Some(self.board.config.laperm()?.machine(&self.board.config))
    }

    /// LaPerm: bind units, each with a queue.
    #[must_use]
    pub fn laperm_units(&self) -> Option<u32> {
        Some(self.laperm.as_ref()?.config.units())
    }

    /// LaPerm: the SMX that is visited next.
    #[must_use]
    pub fn laperm_cur(&self) -> Option<SmxId> {
        Some(self.laperm.as_ref()?.visits.cur)
    }

    /// LaPerm: the backup record of an SMX.
    #[must_use]
    pub fn laperm_backup(&self, smx: SmxId) -> Option<Backup> {
        let line = self.laperm.as_ref()?;
        self.board.all_smxs().contains(smx).then(|| line.visits.backups[smx])
    }

    /// LaPerm's model cdp: the bind unit that the KMU asks first.
    #[must_use]
    pub fn laperm_kmu_pointer(&self) -> Option<UnitId> {
        Some(self.laperm.as_ref()?.kmu_ptr)
    }

    /// LaPerm: free places of the overflow lists. The model cdp has none.
    #[must_use]
    pub fn laperm_pool_free(&self) -> Option<u32> {
        let line = self.laperm.as_ref()?;
        Some(if line.is_cdp() { 0 } else { line.queues.pool_free() })
    }
}
