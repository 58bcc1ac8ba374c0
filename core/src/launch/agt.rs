//! The aggregated group table: one probe at the hash of the caller's hardware thread index, no retry (dtbl-T3 step 2, dtbl-H7).
//!
//! An AGE holds what a group's launch record would hold otherwise; here the contents stay with the record and the table says
//! whose they are. Which groups are on chip decides what costs a load.

use crate::base::id::{AgeId, RecordId, SmxId};
use crate::base::table::{Rows, Table};
use crate::config::{Config, HashScope};

/// An aggregated group entry: the record of the group that occupies it.
pub type Age = Option<RecordId>;

/// The table.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Agt<A> {
    ages: Table<AgeId, Age, A>,
}

/// Where a group of thread `hw_tid` of SMX `smx` looks for its entry.
pub(crate) fn hash(config: &Config, smx: SmxId, hw_tid: u32) -> AgeId {
    let tid = match config.hash_scope {
        HashScope::Smx => hw_tid,
        HashScope::Global => u32::from(smx.0) * config.threads + hw_tid,
    };
    AgeId(tid & (config.agt_size - 1))
}

impl<A: Rows<Age>> Agt<A> {
    pub(crate) fn new(ages: A) -> Self {
        Self { ages: Table::new(ages) }
    }

    pub(crate) fn is_free(&self, age: AgeId) -> bool {
        self.ages[age].is_none()
    }

    /// Whether the group in `record` occupies an entry.
    pub(crate) fn is_of(&self, age: AgeId, record: RecordId) -> bool {
        self.ages.get(age) == Some(&Some(record))
    }

    pub(crate) fn take(&mut self, age: AgeId, record: RecordId) {
        self.ages[age] = Some(record);
    }

    pub(crate) fn release(&mut self, age: AgeId) {
        self.ages[age] = None;
    }

    /// Occupied entries.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (AgeId, RecordId)> {
        self.ages.iter().filter_map(|(age, record)| Some((age, (*record)?)))
    }
}
