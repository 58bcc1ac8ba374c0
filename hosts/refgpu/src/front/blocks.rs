//! Equalizer's block counts: one machine per SM beside the front end, which is its work distributor (frontend-C3).
//!
//! Nothing is decided here. The front end's reports and decisions go to the machines of `gpusched`, and what they pause and wake
//! comes back as orders.

use gpusched::equalizer::{AttachedSm, Change, Counts, EpochEnd, SmConfig};
use gpusched::{ConfigError, Cycle, Fault, FrontEnd, SlotId, SmxId, SmxSet, TbPlacement};
use gpusched_heap::HeapTables;

/// A block to pause or to wake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockOrder {
    /// SM.
    pub sm: u16,
    /// TB slot.
    pub slot: u8,
    /// Pause it; else wake it.
    pub pause: bool,
}

/// The machines of all SMs. Their time is the cycle of the SMs' clock.
#[derive(Debug)]
pub struct BlockControl {
    smxs: Vec<AttachedSm>,
    now: Cycle,
    /// SMs whose gate may be another now.
    stale: SmxSet,
    orders: Vec<BlockOrder>,
}

impl BlockControl {
    /// The machines of so many SMs.
    pub fn new(sms: u16, config: &SmConfig) -> Result<Self, ConfigError> {
        let smxs = (0..sms).map(|s| AttachedSm::new(SmxId(s), config)).collect::<Result<_, _>>()?;
        Ok(Self { smxs, now: Cycle(0), stale: SmxSet::EMPTY, orders: Vec::new() })
    }

    /// Events from now on are of this SM cycle.
    pub fn advance(&mut self, own: u64) {
        self.now = Cycle(own);
    }

    /// Whether a gate may have to be set.
    pub fn is_stale(&self) -> bool {
        !self.stale.is_empty()
    }

    /// The TB in a slot has ended, or has left its SM.
    pub fn done(&mut self, sm: u16, slot: u8) -> Result<(), Fault> {
        let ended = self.smxs[usize::from(sm)].done(self.now, SlotId(slot))?;
        self.note(sm, &ended.change);
        Ok(())
    }

    /// The front end has sent a TB, and has perhaps no more work.
    pub fn placed(&mut self, tb: &TbPlacement, core: &FrontEnd<HeapTables>) -> Result<(), Fault> {
        let placed = self.smxs[tb.smx.0 as usize].placed(self.now, tb, core)?;
        debug_assert_eq!(placed.granted.slot, tb.slot, "slots are TB slots");
        self.note(tb.smx.0, &placed.granted.change);
        if core.waiting_head(0)?.is_none() {
            self.smxs.iter_mut().try_for_each(|smx| smx.no_work(self.now))?;
        }
        Ok(())
    }

    /// A sample of an SM. What it says at the end of an epoch.
    pub fn sample(&mut self, sm: u16, counts: &Counts) -> Result<Option<EpochEnd>, Fault> {
        let epoch = self.smxs[usize::from(sm)].sample(self.now, counts)?;
        if let Some(epoch) = &epoch {
            self.note(sm, &epoch.change);
        }
        Ok(epoch)
    }

    fn note(&mut self, sm: u16, change: &Change) {
        self.stale.set(SmxId(sm), true);
        let order = |pause| move |slot: &SlotId| BlockOrder { sm, slot: slot.0, pause };
        self.orders.extend(change.pause.iter().map(order(true)));
        self.orders.extend(change.unpause.iter().map(order(false)));
    }

    /// Sets the gates of SMs with news; whether there were any.
    pub fn set_gates(&mut self, core: &mut FrontEnd<HeapTables>) -> Result<bool, Fault> {
        let stale = std::mem::take(&mut self.stale);
        stale.iter().try_for_each(|smx| self.smxs[usize::from(smx.0)].set_gate(core))?;
        Ok(!stale.is_empty())
    }

    /// Blocks to pause and to wake, in order; they are taken.
    pub fn take_orders(&mut self) -> impl Iterator<Item = BlockOrder> {
        self.orders.drain(..)
    }

    /// Blocks that may run on an SM; 0 before its first kernel.
    pub fn target(&self, sm: u16) -> u32 {
        self.smxs[usize::from(sm)].sm().state().target
    }
}
