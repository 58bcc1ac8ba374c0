//! What holds of a scoreboard between two calls.

use super::Scoreboard;
use super::tables::Tables;
use crate::base::invariant::{Violation, invariant};
use crate::base::set::IdSet;

impl<T: Tables> Scoreboard<T> {
    /// What holds between any two calls: what is pending is that of registers that there are, no more than there is room for, and
    /// counted (models-B1, models-B2).
    ///
    /// # Errors
    /// The first invariant that does not hold.
    pub fn validate(&self) -> Result<(), Violation> {
        let Self { config, warps, mem_in_flight } = self;
        let registers = IdSet::first(config.regs);
        let mut in_memory = 0;
        for (_, row) in warps.iter() {
            let (pending, memory) = (&row.pending, &row.memory);
            invariant("what is pending is a register (models-B1)", pending.without(&registers).is_empty())?;
            invariant("what waits for memory is pending (models-B1)", memory.without(pending).is_empty())?;
            let finds_room = config.entries == 0 || pending.len() <= config.entries;
            invariant("a warp has no more results pending than entries (models-B1)", finds_room)?;
            invariant("a warp's count is that of its registers", u32::from(row.count) == pending.len())?;
            in_memory += memory.len();
        }
        invariant("only warps have registers", warps.ends_by(config.warps as usize))?;
        invariant("`mem_in_flight` is the sum of the warps (models-B2)", *mem_in_flight == in_memory)
    }
}
