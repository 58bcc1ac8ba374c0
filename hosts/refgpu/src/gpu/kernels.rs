//! Counts kernel by kernel: a mark at the end of each host kernel.

use gpusched::Descriptor;

use super::Gpu;
use crate::energy::Prices;
use crate::stats::{KernelStats, Mark, SmStats};

/// Kernels that are kept at most.
const MOST: usize = 4096;

/// The kernels so far.
#[derive(Debug, Default)]
pub(super) struct Kernels {
    /// Those that have ended.
    pub(super) done: Vec<KernelStats>,
    /// Later ones, which there was no room for.
    pub(super) dropped: u64,
    open: Option<KernelStats>,
    mark: Mark,
}

impl Kernels {
    /// A kernel begins where the last has ended.
    pub(super) fn begin(&mut self, kernel: &Descriptor, name: Option<&str>) {
        let Descriptor { tag, pc, .. } = *kernel;
        self.open = Some(KernelStats { name: name.map(String::from), tag, pc, ..KernelStats::default() });
    }
}

impl Gpu {
    /// The kernel that runs, if one does, has ended before core cycle `cycle`, which is behind beat `until`.
    pub(super) fn end_kernel(&mut self, cycle: u64, until: u64) {
        let Some(KernelStats { name, tag, pc, .. }) = self.kernels.open.take() else { return };
        if self.kernels.done.len() == MOST {
            self.kernels.dropped += 1;
            return;
        }
        let mark = self.mark(cycle, until);
        let prices = Prices::of(&self.config);
        let stats = mark.since(&self.kernels.mark, prices.as_ref(), &self.machine);
        self.kernels.done.push(KernelStats { name, tag, pc, ..stats });
        self.kernels.mark = mark;
    }

    fn mark(&mut self, cycle: u64, until: u64) -> Mark {
        let mut sm = SmStats::default();
        self.sms.iter_mut().for_each(|one| sm.add(&one.stats(until)));
        let ledgers = self.power.ledgers(until, &mut self.sms);
        self.settle_memory(cycle, until);
        Mark {
            cycle,
            sm,
            ledgers,
            memory: self.memory_ledger,
            warps: self.equalizer.warps(),
            vf_cycles: self.equalizer.cycles(cycle),
        }
    }
}
