//! All that can be seen of LaPerm, as plain lists (`laperm`, Structures): what two implementations are compared by.

use gpusched::laperm::{Backup, Kde};
use gpusched::{Cycle, Id, KernelSlot, Resources, SmxId, SmxSet, UnitId};

use super::event::Queries;

pub use gpusched::laperm::EntryView;

/// The whole state.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct View {
    /// The last time.
    pub now: Cycle,
    /// The SMX that is visited next.
    pub cur: SmxId,
    /// Per SMX.
    pub free: Vec<Resources>,
    /// Masked SMXs.
    pub mask: SmxSet,
    /// On chip, per unit; queue 0 last.
    pub queues: Vec<Vec<EntryView>>,
    /// In memory, per unit; host kernels last.
    pub off_chip: Vec<Vec<EntryView>>,
    /// Free places in memory.
    pub pool_free: u32,
    /// Entries of the kernel distributor.
    pub kdes: Vec<Option<Kde>>,
    /// Per SMX.
    pub backups: Vec<Backup>,
    /// The unit that the KMU asks first, and when it is free.
    pub kmu: (UnitId, Cycle),
}

/// Units, then `None` for queue 0.
pub fn places(units: u32) -> impl Iterator<Item = Option<UnitId>> {
    (0..units as usize).map(UnitId::from_index).map(Some).chain([None])
}

impl View {
    /// What a machine shows.
    ///
    /// # Panics
    /// If it does not show an SMX or a unit that it has.
    #[must_use]
    pub fn of(m: &impl Queries) -> Self {
        let config = m.config();
        let smxs = || (0..config.smxs as usize).map(SmxId::from_index);
        Self {
            now: m.now(),
            cur: m.cur(),
            free: smxs().map(|s| m.free(s).expect("an SMX")).collect(),
            mask: m.mask(),
            queues: places(m.units()).map(|u| m.queue(u).expect("a unit")).collect(),
            off_chip: places(m.units()).map(|u| m.off_chip(u).expect("a unit")).collect(),
            pool_free: m.pool_free(),
            kdes: (0..config.kdus() as usize).map(|k| m.kde(KernelSlot::from_index(k))).collect(),
            backups: smxs().map(|s| m.backup(s).expect("an SMX")).collect(),
            kmu: (m.kmu_pointer(), m.kmu_free_at()),
        }
    }
}

/// Tags of entries that were asked for and are not here.
pub fn loading(view: &View) -> impl Iterator<Item = u64> {
    view.queues.iter().flatten().filter(|e| e.ready_at.is_none()).map(|e| e.work.tag)
}
