//! Images of the units beside the [`TlpSm`](super::TlpSm). The form is described in `image.rs` of the crate.

use super::config::TlpConfig;
use super::kernel::{KernelId, TbNeeds};
use super::leftover::{LeftOver, MAX_KERNELS, Submitted};
use super::pool::{Pending, Pool};
use super::smart_even::{MAX_SHARERS, Row, Sharer, SmartEven};
use super::smc::{Proposal, Smc, SmcPhase};
use crate::base::id::SmxId;
use crate::base::image::{Form, ImageError, Reader, Writer, countable, possible, value_image_verbs};
use crate::base::table::Table;

const POOL: Form = Form { kind: 15, version: 1 };
const LEFT_OVER: Form = Form { kind: 16, version: 1 };
const SMART_EVEN: Form = Form { kind: 17, version: 1 };
const SMC: Form = Form { kind: 18, version: 1 };

value_image_verbs!(Pool, TlpConfig, POOL, pool_image_config);
value_image_verbs!(LeftOver, TlpConfig, LEFT_OVER, left_over_image_config);
value_image_verbs!(SmartEven, TlpConfig, SMART_EVEN, smart_even_image_config);
value_image_verbs!(Smc, TlpConfig, SMC, smc_image_config);

impl Pool {
    fn write_image(&self, w: &mut Writer<'_>) {
        let Self { config, entries: _, added } = self;
        w.put((config, added));
        w.list(self.pending());
    }

    /// Loads the state into a fresh machine.
    fn read_image(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        self.added = r.get()?;
        countable(self.added)?;
        while let Some((i, kernel)) = r.next::<(KernelId, Pending)>()? {
            possible(u32::from(i.0) < self.config.pool_cap && self.entries[i].is_none())?;
            let is_other = self.pending().all(|(_, other)| other.seq != kernel.seq);
            possible(kernel.seq < self.added && is_other)?;
            self.entries[i] = Some(kernel);
        }
        Ok(())
    }
}

impl LeftOver {
    fn write_image(&self, w: &mut Writer<'_>) {
        let Self { config, entries: _, residents: _, pointer, submitted } = self;
        w.put((config, pointer, submitted));
        w.list(self.kernels());
        let sms = (0..config.sms as u16).map(SmxId);
        w.list(
            sms.flat_map(|sm| self.kernels().map(move |(k, _)| (sm, k, self.residents[sm].0[k]))).filter(|r| r.2 > 0),
        );
    }

    /// Loads the state into a fresh machine.
    fn read_image(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        (self.pointer, self.submitted) = r.get()?;
        possible(u32::from(self.pointer.0) < self.config.sms)?;
        countable(self.submitted)?;
        while let Some((k, kernel)) = r.next::<(KernelId, Submitted)>()? {
            let &Submitted { needs, n_tb, next, finished, seq } = &kernel;
            possible(u32::from(k.0) < self.config.qcap && self.entries[k].is_none())?;
            possible(needs.check().is_ok() && self.config.at_least_one(&needs).is_ok())?;
            possible(finished <= next && next <= n_tb && finished < n_tb)?;
            possible(seq < self.submitted && self.kernels().all(|(_, other)| other.seq != seq))?;
            self.entries[k] = Some(kernel);
        }
        // Resident TBs are put back one by one, where they fit.
        let mut sent = Table::<KernelId, u32, _>::new([0; MAX_KERNELS]);
        while let Some((sm, k, n)) = r.next::<(SmxId, KernelId, u8)>()? {
            possible(u32::from(sm.0) < self.config.sms && u32::from(k.0) < self.config.qcap)?;
            let kernel = self.entries[k].ok_or(ImageError::Content)?;
            possible(self.residents[sm].0[k] == 0)?;
            for _ in 0..n {
                possible(self.takes(sm, k, &kernel))?;
                self.residents[sm].0[k] += 1;
            }
            sent[k] += u32::from(n);
        }
        let mut kernels = self.kernels();
        possible(kernels.all(|(k, kernel)| sent[k] == kernel.next - kernel.finished))
    }
}

impl SmartEven {
    fn write_image(&self, w: &mut Writer<'_>) {
        let Self { config, kernels, sms: _, pointer } = self;
        w.put((config, pointer));
        w.list(kernels.iter());
        (0..config.sms as u16).for_each(|sm| w.put(self.sms[SmxId(sm)]));
    }

    /// Loads the state into a fresh machine.
    fn read_image(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        self.pointer = r.get()?;
        possible(u32::from(self.pointer.0) < self.config.sms)?;
        while let Some(kernel) = r.next::<Sharer>()? {
            let &Sharer { max, n_tb, next, finished } = &kernel;
            // A kernel of one thread more or less fits as often.
            possible(n_tb > 0 && max > 0 && max <= self.config.most(&TbNeeds::default()))?;
            possible(finished <= next && next <= n_tb)?;
            possible(self.kernels.push(kernel).is_ok())?;
        }
        possible(self.kernels.len() <= self.config.sms as usize)?;
        let mut resident = [0u32; MAX_SHARERS];
        for sm in (0..self.config.sms as u16).map(SmxId) {
            let row: Row = r.get()?;
            possible(match row.owner {
                None => row.resident == 0,
                Some(k) => {
                    let (kernel, sum) = (self.kernels.get(usize::from(k.0)), resident.get_mut(usize::from(k.0)));
                    if let Some(sum) = sum {
                        *sum += u32::from(row.resident);
                    }
                    // The SMs of a kernel that has ended go to others.
                    kernel.is_some_and(|kernel| !kernel.is_done() && u32::from(row.resident) <= kernel.max)
                }
            })?;
            self.sms[sm] = row;
        }
        let mut kernels = self.kernels.iter().zip(resident);
        possible(kernels.all(|(kernel, resident)| kernel.next - kernel.finished == resident))?;
        // Once a kernel has ended, no SM is left over (tlp-I10).
        let has_ended = self.kernels.iter().any(Sharer::is_done) && self.is_running();
        possible(!has_ended || self.owners().iter().all(Option::is_some))
    }
}

impl Smc {
    fn write_image(&self, w: &mut Writer<'_>) {
        let Self { config, phase, current, saved, best } = self;
        w.put((config, phase, current, saved, best));
    }

    /// Loads the state into a fresh machine.
    fn read_image(&mut self, r: &mut Reader<'_>) -> Result<(), ImageError> {
        (self.phase, self.current, self.saved, self.best) = r.get()?;
        let sms = self.config.sms;
        let can_be = |proposal: &Proposal| {
            let &Proposal { sm: [s0, s1], b } = proposal;
            s0 > 0 && s1 > 0 && s0.checked_add(s1) == Some(sms) && !b.contains(&0)
        };
        let none = Proposal::default();
        possible(match self.phase {
            // It has not started, or has ended.
            SmcPhase::Idle if self.current == none => self.saved == none && self.best == 0,
            SmcPhase::Idle => can_be(&self.saved) && self.current == self.saved,
            SmcPhase::Base => can_be(&self.saved) && self.current == self.saved && self.best == 0,
            _ => can_be(&self.saved) && self.step() == Some(self.current),
        })
    }
}
