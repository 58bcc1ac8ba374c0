//! All that can be seen of LaPerm, as plain lists (`laperm`, Structures): what two implementations are compared by.

use gpusched::laperm::{Backup, Entry, Kde, LaPerm, Resources, Tables, Work};
use gpusched::{Cycle, Id, KernelSlot, SmxId, SmxSet, UnitId};

/// An entry on chip or in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct EntryView {
    /// Its work.
    pub work: Work,
    /// The level by which it is ordered.
    pub section: u8,
    /// Nesting level.
    pub prio: u8,
    /// The next TB.
    pub next: u32,
    /// TBs.
    pub tbs: u32,
    /// On chip: when it is visible; `None` while it is being loaded.
    pub ready_at: Option<Cycle>,
}

impl From<&Entry<Work>> for EntryView {
    fn from(e: &Entry<Work>) -> Self {
        let Entry { work, tbs, next, prio, section, ready_at, is_loading, .. } = *e;
        Self { work, section, prio, next, tbs, ready_at: (!is_loading).then_some(ready_at) }
    }
}

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
    /// If it does not show an SMX that it has.
    #[must_use]
    pub fn of<T: Tables>(m: &LaPerm<T>) -> Self {
        let config = m.config();
        let smxs = || (0..config.smxs as usize).map(SmxId::from_index);
        Self {
            now: m.now(),
            cur: m.cur(),
            free: smxs().map(|s| m.free(s).expect("an SMX")).collect(),
            mask: m.mask(),
            queues: places(config.units()).map(|u| m.queue(u).map(EntryView::from).collect()).collect(),
            off_chip: places(config.units()).map(|u| m.off_chip(u).map(EntryView::from).collect()).collect(),
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
