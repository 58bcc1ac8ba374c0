//! Equalizer's part of a beat: samples, votes, levels, and blocks that are paused.

use gpusched::equalizer::Step;

use super::{Gpu, Monitor};
use crate::front::BlockOrder;
use gpusched::Fault;

impl Gpu {
    /// The SMs' cycle at beat `at`, or the last before it. With Equalizer all SMs have one clock.
    pub(super) fn sm_cycle(&self, at: u64) -> u64 {
        self.sms.first().map_or(0, |sm| sm.clock().last(at))
    }

    /// Beat `at` begins, and with it a transition may be done.
    pub(super) fn change_levels(&mut self, at: u64, monitor: &mut dyn Monitor) -> Result<(), Fault> {
        let own = self.sm_cycle(at);
        self.take_levels(own, at - 1, at, monitor)
    }

    /// All SMs have acted at beat `at`, which is one with a sample.
    pub(super) fn sample_warps(&mut self, at: u64, monitor: &mut dyn Monitor) -> Result<(), Fault> {
        let (own, now) = (self.sm_cycle(at), self.nominal.last(at));
        let Self { sms, front, equalizer, .. } = self;
        for (sm, id) in sms.iter().zip(0u16..) {
            let states = sm.warp_states(at, equalizer.config());
            let (running, resident) = sm.blocks();
            let mut target = 0;
            if let Some(blocks) = front.blocks() {
                blocks.advance(own);
                if let Some(epoch) = blocks.sample(id, &states.counts())? {
                    equalizer.vote(own, id, epoch.sm_vote, epoch.mem_vote)?;
                    let stats = equalizer.stats_mut();
                    stats.more_blocks += u64::from(epoch.changed == Step::Up);
                    stats.fewer_blocks += u64::from(epoch.changed == Step::Down);
                    stats.watchdog += u64::from(epoch.watchdog);
                }
                target = blocks.target(id);
            }
            equalizer.count(states, running, resident - running, target.into());
        }
        equalizer.finish_sample(own, now);
        self.take_levels(own, at, at, monitor)?;
        self.pause_blocks(at);
        Ok(())
    }

    /// Sets voltages and clocks after beat `after`, if they have changed in SM cycle `own`, and finds the times of what comes next.
    fn take_levels(&mut self, own: u64, after: u64, at: u64, monitor: &mut dyn Monitor) -> Result<(), Fault> {
        let now = self.nominal.first(after + 1);
        let before = self.equalizer.levels();
        let levels = self.equalizer.new_levels(own, now)?;
        self.enter_voltages(after);
        if let Some(levels) = levels {
            let paces = self.config.paces();
            if levels.sm != before.sm {
                self.sms.iter_mut().for_each(|sm| sm.set_pace(after, paces.level(levels.sm)));
                (0..self.sms.len()).for_each(|s| self.wake.lower(s, after + 1, at));
            }
            if levels.mem != before.mem {
                self.memory.set_pace(after, paces.level(levels.mem));
            }
            self.tell_levels(now, levels, monitor);
        }
        if let Some(sm) = self.sms.first() {
            self.equalizer.set_times(sm.clock());
        }
        Ok(())
    }

    /// What was counted up to beat `after` is of the voltages until then.
    fn enter_voltages(&mut self, after: u64) {
        let voltages = self.equalizer.voltages();
        self.power.enter_level(after, voltages.sm, &mut self.sms);
        if voltages.mem != self.memory_level {
            let until = after + 1;
            self.settle_memory(self.nominal.first(until), until);
            self.memory_level = voltages.mem;
        }
    }

    /// Brings the memory's ledger up to core cycle `cycle`, which is behind beat `until`.
    pub(super) fn settle_memory(&mut self, cycle: u64, until: u64) {
        let events = self.memory_events(until);
        self.memory_ledger.settle(self.memory_level, cycle, events);
    }

    /// Pauses and wakes blocks after beat `at`, as Equalizer has ordered.
    pub(super) fn pause_blocks(&mut self, at: u64) {
        let Self { sms, front, wake, equalizer, .. } = self;
        let Some(blocks) = front.blocks() else { return };
        for BlockOrder { sm, slot, pause } in blocks.take_orders() {
            let stats = equalizer.stats_mut();
            *(if pause { &mut stats.pauses } else { &mut stats.wakes }) += 1;
            sms[usize::from(sm)].pause(at, slot, pause);
            wake.lower(usize::from(sm), at + 1, at);
        }
    }
}
