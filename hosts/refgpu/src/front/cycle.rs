//! A cycle of the front end: gates that have news, the tick, and the TBs that it sends. Cycles in which there was nothing to decide are
//! caught up with exactly.

use std::sync::Arc;

use gpusched::{Cycle, Fault, Kmu, Sched, TbPlacement, TbRef, Tick};

use super::graph::REQUESTS;
use super::watch::Watch;
use super::{Front, Placed};
use crate::program::TbContext;

impl Front {
    /// Carries out cycle `now`; adds the TBs that are sent to `placed`: one, or all of a cluster.
    ///
    /// # Errors
    /// `TimeOverflow`.
    pub fn tick(&mut self, now: u64, placed: &mut Vec<Placed>) -> Result<(), Fault> {
        self.catch_up(now)?;
        self.set_gates(now)?;
        self.watch.sent.clear();
        self.watch.emptied = false;
        let tick = match &mut self.deciding {
            Some(deciding) => deciding.cycle(&mut self.core, &mut self.watch)?,
            None => self.core.tick(&mut self.watch)?,
        };
        let sent = std::mem::take(&mut self.watch.sent);
        for tb in &sent {
            if let Some(own) = &mut self.own {
                own.placed(tb.tag, &mut self.core)?;
            }
            if let Some(share) = &mut self.share {
                share.placed(now, tb, &self.core)?;
            }
            if let Some(blocks) = &mut self.blocks {
                blocks.placed(tb, &self.core)?;
            }
        }
        if !sent.is_empty() {
            self.set_gates(now)?;
        }
        self.words.count(&tick, 1);
        self.move_records(now);
        let wake = self.deciding.as_ref().and_then(|deciding| deciding.wake(self.core.now()));
        let own = self.core.next_event().into_iter().chain(wake).min().map_or(u64::MAX, |cycle| cycle.0);
        self.next = own.min(self.port.next(now));
        // A flush that ends may be what the host waits for (launch2-T0).
        let is_asked = self.graph.asks(&self.core) || self.watch.freed && !self.calls.is_empty();
        if is_asked || self.watch.emptied {
            self.next = now + 1;
        }
        self.resident += sent.len() as u32;
        let cluster: Option<Arc<[u16]>> = (sent.len() > 1).then(|| sent.iter().map(|tb| tb.smx.0).collect());
        placed.extend(sent.iter().map(|tb| self.placed(tb, cluster.clone())));
        self.watch.sent = sent;
        Ok(())
    }

    /// Sets the gates that have news, of which a policy is told.
    fn set_gates(&mut self, now: u64) -> Result<(), Fault> {
        let Self { core, blocks, share, deciding, .. } = self;
        let by_blocks = blocks.as_mut().map(|blocks| blocks.set_gates(core)).transpose()?;
        let by_share = share.as_mut().map(|share| share.set_gates(now, core)).transpose()?;
        if let Some(deciding) = deciding
            && (by_blocks == Some(true) || by_share == Some(true))
        {
            deciding.regated();
        }
        Ok(())
    }

    /// What the decisions until now ask of memory for launch records.
    fn move_records(&mut self, now: u64) {
        let Watch { moves, over, .. } = &mut self.watch;
        if let Some(records) = &mut self.records {
            records.carry_out(now, moves, REQUESTS, &self.core, &mut self.port);
            over.iter().for_each(|&tag| records.end(tag));
        }
        moves.clear();
        over.clear();
    }

    fn placed(&mut self, tb: &TbPlacement, cluster: Option<Arc<[u16]>>) -> Placed {
        let descriptor = self.core.kde(tb.kde).map(|kde| kde.kernel.descriptor).unwrap_or_default();
        let shape = descriptor.tb;
        Placed {
            sm: tb.smx.0,
            slot: tb.slot.0,
            context: TbContext { tag: tb.tag, blkid: tb.blkid, threads: shape.x * shape.y * shape.z },
            pc: descriptor.pc,
            unit: self.core.completion(tb.smx, tb.slot).map_or(0, |told| told.unit),
            child: matches!(tb.tb_ref, TbRef::Group(_)) || self.watch.is_device(tb.kde),
            bypass: self.core.tb(tb.smx, tb.slot).is_some_and(|tb| tb.bypass),
            stage: self.watch.stage,
            cluster,
            restored: match tb.tb_ref {
                TbRef::Restored => self.watch.families.restore(tb.kde, (tb.smx.0, tb.slot.0)),
                _ => None,
            },
        }
    }

    /// The cycles before `now`, in which there was nothing to decide.
    pub(super) fn catch_up(&mut self, now: u64) -> Result<(), Fault> {
        let behind = Cycle(now).since(self.core.now());
        match &mut self.deciding {
            None if behind > 0 => self.words += self.core.run(behind, &mut self.watch)?,
            None => {}
            Some(deciding) => {
                while self.core.now() < Cycle(now) {
                    let word = self.core.word();
                    let until = deciding.wake(self.core.now()).map_or(Cycle(now), |wake| wake.min(Cycle(now)));
                    let skipped = self.core.skip(until)?;
                    self.words.count(&Tick { sched: word?, kmu: Kmu::Empty }, skipped);
                    if skipped == 0 {
                        // Something is due that the machine does not wait for.
                        let tick = deciding.cycle(&mut self.core, &mut self.watch)?;
                        debug_assert!(!matches!(tick.sched, Sched::Tb(_)), "a TB is sent when the machine looks");
                        self.words.count(&tick, 1);
                    }
                }
            }
        }
        Ok(())
    }
}
