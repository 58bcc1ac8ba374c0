//! What can be seen of the machine.

use super::Apogee;
use super::access::WarpId;
use super::answer::Request;
use super::config::ApogeeConfig;
use super::row::{Row, RowId};
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

    /// When [`Apogee::pf_pop`] has something next: the ready time of the queue's head. `None` while nothing waits.
    #[must_use]
    #[inline]
    pub fn next_event(&self) -> Option<Cycle> {
        self.queue.ready()
    }

    /// A row; `None` if there is no such row.
    #[must_use]
    pub fn row(&self, id: RowId) -> Option<&Row> {
        self.table.exists(id).then(|| self.table.row(id))
    }

    /// The rows that are not free, in ascending order.
    pub fn rows(&self) -> impl Iterator<Item = (RowId, &Row)> {
        self.table.ids().map(|id| (id, self.table.row(id))).filter(|(_, row)| !row.is_free())
    }

    /// Requests that wait in the prefetch queue with the cycles from which they may leave, the oldest first.
    pub fn queue(&self) -> impl Iterator<Item = (Request, Cycle)> {
        self.queue.requests()
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

    /// The last accessed load of a warp, or of all warps; `None` if there was none, or is no such warp.
    #[must_use]
    #[inline]
    pub fn last_load(&self, warp: WarpId) -> Option<u32> {
        if u32::from(warp) < self.config.warps { self.last_loads[self.register(warp)] } else { None }
    }

    /// n: threads of the SM.
    #[must_use]
    pub fn threads(&self) -> u32 {
        self.threads
    }
}
