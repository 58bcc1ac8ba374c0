//! What holds of a warp's stack between two calls.

use super::tables::Tables;
use super::{Entry, EntryId, NO_PC, Stack};
use crate::base::invariant::{Violation, invariant};

impl<T: Tables> Stack<T> {
    /// What holds between any two calls: models-I4, but for the lanes that ended, which only the past tells.
    ///
    /// # Errors
    /// The first invariant that does not hold.
    pub fn validate(&self) -> Result<(), Violation> {
        let Self { config, entries, depth, pc, mask } = self;
        let lanes = config.all_lanes();
        invariant("a warp runs lanes that there are, somewhere", *pc != NO_PC && mask & !lanes == 0)?;
        invariant("the stack has room for its entries (models-S4)", u32::from(*depth) <= config.depth)?;
        invariant("places above the top are empty", entries.ends_by(usize::from(*depth)))?;
        invariant("a warp that is done has popped all (models-S5)", self.is_live() || *depth == 0)?;
        let has_settled = self.top().is_none_or(|top| top.reconv != Some(*pc));
        invariant("lanes that have come to a join have joined (models-S2)", has_settled)?;
        // Each fork took a lane, so what runs above many entries has few.
        let fits = |depth: u8, mask: u64| u32::from(depth) <= 2 * (config.lanes - mask.count_ones());
        invariant("each fork took a lane (models-I4)", fits(*depth, *mask))?;
        let mut above = *mask;
        for at in (0..*depth).rev() {
            let Entry { reconv, mask, next } = entries[EntryId(at)];
            let leads_on = mask & !lanes == 0 && next != NO_PC && reconv != Some(NO_PC);
            invariant("lanes that wait are there, and go on somewhere", leads_on)?;
            invariant("each fork took a lane (models-I4)", fits(at, mask))?;
            // A join covers the lanes of all above it; another path has lanes of its own.
            let is_join = reconv == Some(next) && above & !mask == 0;
            invariant("a lane is on one path (models-I4)", is_join || above & mask == 0)?;
            above |= mask;
        }
        Ok(())
    }
}
