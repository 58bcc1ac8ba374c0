//! What holds of the list of suspended kernels between two calls.

use super::{Suspended, SuspendedList};
use crate::base::id::{SuspId, first_rows, rows_in};
use crate::base::invariant::{Violation, invariant};
use crate::base::table::Rows;
use crate::config::Config;
use crate::launch::distributor::Kernel;
use crate::launch::hwq::Key;

impl<S: Rows<Suspended>> SuspendedList<S> {
    /// What holds of the list, whose resumed kernels were so before anybody who would get the key `next`.
    pub(crate) fn validate(&self, config: &Config, next: Key) -> Result<(), Violation> {
        let Self { entries, taken, resumed, cap } = self;
        let all = first_rows(*cap);
        let within = taken & !all == 0 && resumed & !taken == 0 && entries.ends_by(*cap as usize);
        invariant("the list holds what it can (dtbl-S1)", within)?;
        for i in rows_in::<SuspId>(*taken) {
            let Suspended { kernel, resumed: key } = &entries[i];
            kernel.validate(config)?;
            invariant("a suspended kernel has saved TBs (dtbl-S1)", kernel.saved > 0)?;
            let agrees = key.is_some() == (resumed >> i.0 & 1 == 1);
            invariant("a resumed kernel has its age (dtbl-S2)", agrees && key.is_none_or(|key| key.was_before(next)))?;
        }
        Ok(())
    }

    /// Suspended kernels.
    pub(crate) fn kernels(&self) -> impl Iterator<Item = &Kernel> {
        rows_in(self.taken).map(|i: SuspId| &self.entries[i].kernel)
    }
}
