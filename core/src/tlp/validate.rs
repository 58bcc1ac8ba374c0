//! What holds between two calls of the units beside the [`TlpSm`](super::TlpSm).

use super::fit::Used;
use super::kernel::{KernelId, TbNeeds};
use super::leftover::{LeftOver, Submitted};
use super::pool::Pool;
use super::smart_even::{MAX_SHARERS, Row, Sharer, SmartEven};
use super::smc::{Proposal, Smc, SmcPhase};
use crate::base::id::Id;
use crate::base::invariant::{Violation, invariant};

/// Whether numbers given out in turn are below the next one, which stays countable, and no two are the same.
fn are_in_turn(seqs: impl Iterator<Item = u64> + Clone, next: u64) -> bool {
    let once = |seq| seqs.clone().filter(|other| *other == seq).count() == 1;
    next >> 63 == 0 && seqs.clone().all(|seq| seq < next && once(seq))
}

impl Pool {
    /// What holds between any two calls: kernels that wait have places and an order (tlp-O1).
    ///
    /// # Errors
    /// The first invariant that does not hold.
    pub fn validate(&self) -> Result<(), Violation> {
        let seqs = self.entries.iter().filter_map(|(_, kernel)| Some(kernel.as_ref()?.seq));
        invariant("kernels are numbered as they came (tlp-O1)", are_in_turn(seqs, self.added))?;
        invariant("the pool has room for its kernels (tlp-O1)", self.entries.ends_by(self.config.pool_cap as usize))
    }
}

impl LeftOver {
    /// What holds between any two calls: tlp-I1, tlp-I11, and that each resident TB was sent and has not ended (tlp-V1).
    ///
    /// # Errors
    /// The first invariant that does not hold.
    pub fn validate(&self) -> Result<(), Violation> {
        let Self { config, entries, residents, pointer, submitted } = self;
        invariant("the pointer is at an SMX (tlp-V1)", u32::from(pointer.0) < config.sms)?;
        let seqs = entries.iter().filter_map(|(_, kernel)| Some(kernel.as_ref()?.seq));
        invariant("kernels are numbered as they came (tlp-V1)", are_in_turn(seqs, *submitted))?;
        invariant("the queue has room for its kernels (tlp-V1)", entries.ends_by(config.qcap as usize))?;
        invariant("only SMXs hold TBs", residents.ends_by(config.sms as usize))?;
        for (k, kernel) in self.kernels() {
            let Submitted { needs, n_tb, next, finished, .. } = kernel;
            let fits = needs.check().is_ok() && config.at_least_one(&needs).is_ok();
            invariant("a TB of a kernel fits an SMX (tlp-R2)", fits)?;
            let goes_on = finished <= next && next <= n_tb && finished < n_tb;
            let resident = residents.iter().map(|(_, row)| u64::from(row[k])).sum::<u64>();
            let sent = goes_on && resident == u64::from(next - finished);
            invariant("TBs that were sent and have not ended are resident (tlp-V1)", sent)?;
        }
        for (_, row) in residents.iter() {
            let (mut used, mut kernels) = (Used::default(), 0);
            for (k, &n) in row.iter().filter(|(_, n)| **n > 0) {
                let kernel = entries[k].unwrap_or_default();
                invariant("TBs are of kernels that there are (tlp-V1)", entries[k].is_some())?;
                used = used.and(Used::of(n.into(), &kernel.needs));
                kernels += 1;
            }
            invariant("no more TBs are resident than fit (tlp-I1)", used.fits(config))?;
            invariant("an SMX of its own is of one kernel (tlp-I11)", kernels <= 1 || !config.idle_only)?;
        }
        Ok(())
    }
}

impl SmartEven {
    /// What holds between any two calls: tlp-I10, and that each SMX holds TBs of its owner alone, as many as fit (tlp-V2, tlp-V3).
    ///
    /// # Errors
    /// The first invariant that does not hold.
    pub fn validate(&self) -> Result<(), Violation> {
        let Self { config, kernels, sms, pointer } = self;
        invariant("the pointer is at an SMX (tlp-V2)", u32::from(pointer.0) < config.sms)?;
        invariant("each kernel can have an SMX (tlp-V2)", kernels.len() <= config.sms as usize)?;
        for &Sharer { max, n_tb, next, finished } in kernels {
            // A kernel of one thread more or less fits as often.
            let fits = n_tb > 0 && max > 0 && max <= config.most(&TbNeeds::default());
            invariant("a TB of a kernel fits an SMX (tlp-R2)", fits)?;
            invariant("only TBs that were sent have ended (tlp-V2)", finished <= next && next <= n_tb)?;
        }
        // TBs that are resident, and SMXs, of each kernel.
        let mut has = [(0u32, 0u32); MAX_SHARERS];
        for (_, &row) in sms.iter() {
            let within = self.is_within(row);
            invariant("an SMX holds as many TBs of its owner as fit, while that goes on (tlp-V2)", within)?;
            if let Some((resident, owned)) = row.owner.and_then(|k| has.get_mut(k.index())) {
                *resident += u32::from(row.resident);
                *owned += 1;
            }
        }
        invariant("only SMXs have owners", sms.ends_by(config.sms as usize))?;
        let sent = kernels.iter().zip(has).all(|(kernel, (n, _))| kernel.next - kernel.finished == n);
        invariant("TBs that were sent and have not ended are resident (tlp-V2)", sent)?;
        let runs = kernels.iter().zip(has).all(|(kernel, (_, n))| kernel.is_done() || n > 0);
        invariant("a kernel that has not ended has an SMX (tlp-V2, tlp-V3)", runs)?;
        let has_ended = kernels.iter().any(Sharer::is_done) && self.is_running();
        let all_owned = self.sms().all(|sm| sm.owner.is_some());
        invariant("once a kernel has ended, no SMX is left over (tlp-I10)", !has_ended || all_owned)
    }

    fn is_within(&self, Row { owner, resident }: Row) -> bool {
        match owner.map(|KernelId(k)| self.kernels.get(usize::from(k))) {
            None => resident == 0,
            // The SMXs of a kernel that has ended go to others.
            Some(kernel) => kernel.is_some_and(|kernel| !kernel.is_done() && u32::from(resident) <= kernel.max),
        }
    }
}

impl Smc {
    /// What holds between any two calls: the proposal follows from the best so far and the phase (tlp-V4).
    ///
    /// # Errors
    /// The first invariant that does not hold.
    pub fn validate(&self) -> Result<(), Violation> {
        let &Self { ref config, phase, current, saved, best } = self;
        let Proposal { sm: [s0, s1], b } = saved;
        let can_be = s0 > 0 && s1 > 0 && s0.checked_add(s1) == Some(config.sms) && !b.contains(&0);
        let none = Proposal::default();
        let follows = match phase {
            // It has not started, or has ended.
            SmcPhase::Idle if current == none => saved == none && best == 0,
            SmcPhase::Idle => can_be && current == saved,
            SmcPhase::Base => can_be && current == saved && best == 0,
            _ => can_be && self.step() == Some(current),
        };
        invariant("a proposal is a step from the best so far (tlp-V4)", follows)
    }
}
