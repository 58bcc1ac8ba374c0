//! Kernels that the KMU holds while they wait for their children (dtbl-S1, dtbl-S2; CDP's explicit synchronisation, 2.4).

#[cfg(feature = "image")]
mod image;
mod validate;

use crate::base::id::{SuspId, rows_in};
use crate::base::table::{Rows, Table};
use crate::launch::distributor::Kernel;
use crate::launch::hwq::Key;

/// An entry of the list of suspended kernels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "image", derive(serde::Serialize, serde::Deserialize))]
pub struct Suspended {
    /// The kernel, with the TBs it has sent and saved.
    pub kernel: Kernel,
    /// Its age among the KMU's candidates, once it was resumed.
    pub resumed: Option<Key>,
}

/// The list.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct SuspendedList<S> {
    entries: Table<SuspId, Suspended, S>,
    /// Bit i: entry i is taken.
    taken: u64,
    /// Bit i: entry i was resumed and waits for the KMU.
    resumed: u64,
    cap: u32,
}

impl<S: Rows<Suspended>> SuspendedList<S> {
    pub(crate) fn new(entries: S, cap: u32) -> Self {
        Self { entries: Table::new(entries), taken: 0, resumed: 0, cap }
    }

    /// Whether there is no room for one more kernel beside `coming` ones.
    pub(crate) fn is_full(&self, coming: u32) -> bool {
        self.taken.count_ones() + coming >= self.cap
    }

    /// The entry of the next kernel that is put in.
    pub(crate) fn next_free(&self) -> SuspId {
        SuspId(self.taken.trailing_ones() as u8)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.taken == 0
    }

    /// The entry `i`, if it is taken.
    pub(crate) fn get(&self, i: SuspId) -> Option<&Suspended> {
        (u32::from(i.0) < self.cap && self.taken >> i.0 & 1 == 1).then(|| &self.entries[i])
    }

    /// Puts a kernel into the lowest free entry; the caller has made sure that there is one.
    pub(crate) fn push(&mut self, kernel: Kernel) -> SuspId {
        let i = self.next_free();
        self.taken |= 1 << i.0;
        self.entries[i] = Suspended { kernel, resumed: None };
        i
    }

    /// Makes an entry a candidate of the KMU.
    pub(crate) fn resume(&mut self, i: SuspId, key: Key) {
        self.entries[i].resumed = Some(key);
        self.resumed |= 1 << i.0;
    }

    pub(crate) fn any_resumed(&self) -> bool {
        self.resumed != 0
    }

    /// Resumed entries.
    pub(crate) fn resumed(&self) -> impl Iterator<Item = (Key, SuspId, &Kernel)> {
        rows_in(self.resumed).filter_map(|i| Some((self.entries[i].resumed?, i, &self.entries[i].kernel)))
    }

    /// Takes a kernel back out.
    pub(crate) fn pop(&mut self, i: SuspId) -> Kernel {
        self.taken &= !(1 << i.0);
        self.resumed &= !(1 << i.0);
        core::mem::take(&mut self.entries[i]).kernel
    }
}
