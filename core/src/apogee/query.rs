//! What can be seen of the machine.

use super::Apogee;
use super::access::WarpId;
use super::answer::{LastLoad, Request, Waiting};
use super::config::ApogeeConfig;
use super::row::{Row, RowId, RowView};
use super::tables::Tables;
use crate::base::cycle::Cycle;

impl<T: Tables> Apogee<T> {
    /// The configuration.
    #[must_use]
    pub fn config(&self) -> &ApogeeConfig {
        &self.config
    }

    /// The time of the last load or pop.
    #[must_use]
    pub fn now(&self) -> Cycle {
        self.now
    }

    /// The cycle from which the head of the prefetch queue can be popped. `None` if nothing waits.
    #[must_use]
    #[inline]
    pub fn next_event(&self) -> Option<Cycle> {
        self.queue.ready()
    }

    /// A row of the prefetch table; `None` if there is no such row.
    #[must_use]
    pub fn row(&self, entry: RowId) -> Option<&Row> {
        self.table.exists(entry).then(|| self.table.row(entry))
    }

    /// A row as plain numbers; `None` if there is no such row.
    #[must_use]
    pub fn row_view(&self, entry: RowId) -> Option<RowView> {
        self.row(entry).map(Row::view)
    }

    /// The rows that are not free, in ascending order.
    pub fn rows(&self) -> impl Iterator<Item = (RowId, &Row)> {
        self.table.ids().map(|id| (id, self.table.row(id))).filter(|(_, row)| !row.is_free())
    }

    /// The prefetch queue, the oldest request first.
    pub fn queue(&self) -> impl Iterator<Item = Waiting> {
        self.queue.requests().map(|(request, ready)| Waiting { request, ready })
    }

    /// How many requests wait.
    #[must_use]
    pub fn queued(&self) -> u32 {
        self.queue.len()
    }

    /// The request that was popped and not answered yet.
    #[must_use]
    pub fn unanswered(&self) -> Option<&Request> {
        self.unanswered.as_ref()
    }

    /// The last accessed load of a warp; with one register for all warps, that one. `None` if there is no such warp.
    #[must_use]
    #[inline]
    pub fn last_load(&self, warp: WarpId) -> Option<LastLoad> {
        (u32::from(warp) < self.config.warps).then(|| LastLoad { pc: self.last_loads[self.register(warp)] })
    }

    /// n: threads of the SM.
    #[must_use]
    pub fn threads(&self) -> u32 {
        self.threads
    }
}
