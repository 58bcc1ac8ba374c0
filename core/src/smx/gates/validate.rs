//! What holds of the gates between two calls.

use super::{CapId, ClassCap, Gates};
use crate::base::id::{ClassId, Id};
use crate::base::invariant::{Violation, invariant};
use crate::base::set::SmxSet;
use crate::base::table::Rows;
use crate::smx::residency::{ClassMember, Residency, Smx, Tbcr};

impl<B: Rows<u8>, C: Rows<ClassCap>> Gates<B, C> {
    /// What holds of the gates over these TBs: what is counted is there (frontend-G2, frontend-G3, frontend-G5).
    pub(crate) fn validate<S: Rows<Smx>, R: Rows<Tbcr>>(&self, residency: &Residency<S, R>) -> Result<(), Violation> {
        let Self { tb_slots, n_smx, n_class, eligible, block_caps, limited, full, classes, bound, caps, capped } = self;
        let all = SmxSet::first(*n_smx as u32);
        invariant("only SMXs that there are are eligible (frontend-G1)", eligible.without(&all).is_empty())?;
        let n_caps = usize::from(*n_class) * n_smx;
        invariant("only SMXs and classes have caps", block_caps.ends_by(*n_smx) && caps.ends_by(n_caps))?;
        let limits = all.iter().filter(|&s| block_caps[s] < *tb_slots).count();
        invariant("caps on SMXs are counted (gate X)", usize::from(*limited) == limits)?;
        let mut closed = SmxSet::EMPTY;
        for s in all.iter() {
            invariant("a cap is within the slots (gate X)", block_caps[s] <= *tb_slots)?;
            closed.set(s, self.is_full_with(s, residency.count_of(s)));
        }
        invariant("a cap closes an SMX that holds as many (gate X)", *full == closed)?;
        invariant("bound classes are counted (gate K)", usize::from(*bound) == classes.iter().flatten().count())?;
        let there = usize::from(*n_class);
        let none_else =
            classes.iter().skip(there).all(Option::is_none) && capped.iter().skip(there).all(SmxSet::is_empty);
        invariant("only classes that there are are used (gate K)", none_else)?;
        for (c, capped) in (0..*n_class).map(ClassId).zip(capped) {
            let own = self.class(c);
            let twice = own.is_some() && (0..c.0).any(|other| self.class(ClassId(other)) == own);
            invariant("no two classes have one kernel (frontend-G3)", !twice)?;
            let mut reached = SmxSet::EMPTY;
            for s in all.iter() {
                let ClassCap { cap, by, resident, bypassing } = caps[CapId(c.index() * n_smx + s.index())];
                invariant("a class has a cap within the slots (gate K)", by <= cap && cap <= *tb_slots)?;
                let members = || residency.on(s).filter_map(|(_, tb)| tb.member).filter(|member| member.class == c);
                let counts = (usize::from(resident), usize::from(bypassing));
                let found = (members().count(), members().filter(|member: &ClassMember| member.bypass).count());
                invariant("TBs of a class are counted (frontend-G5)", counts == found)?;
                reached.set(s, cap < *tb_slots && resident >= cap);
            }
            invariant("a class has its share where it holds as many (gate K)", *capped == reached)?;
        }
        let mut members = residency.tbs().filter_map(|tb| tb.member);
        invariant("a TB is of a class that there is (gate K)", members.all(|member| self.has_class(member.class)))
    }
}
