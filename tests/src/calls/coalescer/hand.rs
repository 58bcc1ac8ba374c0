//! Accesses.

use gpusched::Fault;
use gpusched::simt::coalesce::CoalescerConfig;

use crate::simt::coalesce::{Coalesced, core};

/// An access.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub struct Access {
    pub mask: u64,
    pub addrs: Vec<u64>,
    pub size: u32,
}

/// Its transactions.
pub type AccessAnswer = Coalesced;

impl Access {
    /// Makes the call.
    ///
    /// # Errors
    /// The sheet's named errors.
    pub fn apply(&self, config: &CoalescerConfig) -> Result<Coalesced, Fault> {
        core(config, self)
    }
}

#[cfg(feature = "tools")]
mod written {
    use anyhow::Result;
    use gpusched_packed::{Bytes, Op};
    use serde_json::Value;

    use super::Access;
    use crate::pack::tape::packed;
    use crate::replay::argument::given;

    impl Access {
        /// The access that a step of a vector says.
        ///
        /// # Errors
        /// A step that does not have the form of the vectors.
        pub fn read(step: &Value) -> Result<Self> {
            Ok(Self { mask: given(step, "mask")?, addrs: given(step, "addrs")?, size: given(step, "size")? })
        }

        /// The access as boards get it.
        pub fn packed(&self) -> (Op, Bytes) {
            let Self { mask, addrs, size } = self;
            packed!(CoalescerAccess, mask, size, addrs[..])
        }
    }
}
