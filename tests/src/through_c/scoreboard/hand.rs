//! What no rule expresses.

use gpusched::IdSet;
use gpusched::simt::scoreboard::RegId;

use crate::through_c::told::Told;

impl Told for IdSet<RegId> {
    fn told(c: &[u64; 4]) -> Self {
        Self::from_words(*c)
    }
}
