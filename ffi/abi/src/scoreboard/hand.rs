//! What no rule expresses.

use gpusched::IdSet;
use gpusched::simt::scoreboard::RegId;

use crate::convert::ToC;

impl ToC for IdSet<RegId> {
    type C = [u64; 4];

    #[inline]
    fn to_c(&self) -> [u64; 4] {
        self.words()
    }
}
