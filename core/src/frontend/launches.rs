//! Launch calls: by the host, by device threads as kernels (CDP) and as aggregated groups (DTBL) (`dtbl` L1 to L3).

use crate::error::Fault;
use crate::frontend::FrontEnd;
use crate::frontend::tables::Tables;
use crate::id::{HwqId, RecordId, SlotId, SmxId};
use crate::launch::descriptor::{Descriptor, Shape};
use crate::launch::hwq::HostKernel;
use crate::launch::record::{Record, RecordState};
use crate::residency::ResidentTb;

/// An aggregated group as the launch call gives it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct GroupLaunch {
    /// The group's TBs.
    pub descriptor: Descriptor,
    /// The calling thread's number within its SMX, 0..threads.
    pub hw_tid: u32,
}

/// The launch records of a command, in lane order.
pub type LaunchedRecords = heapless::Vec<RecordId, 64>;

/// One lane's launch, checked.
struct Lane<'a> {
    descriptor: &'a Descriptor,
    hw_tid: u32,
}

impl<T: Tables> FrontEnd<T> {
    /// L1: a kernel from the host, in stream `stream`. With `retain` its entry stays, joinable, until [`FrontEnd::unretain`].
    ///
    /// # Errors
    /// `EmptyGrid`, `GridTooLarge`, `EmptyTb`, `TbTooBig`, `HwqFull`.
    pub fn host_launch(&mut self, stream: u32, descriptor: &Descriptor, retain: bool) -> Result<HwqId, Fault> {
        descriptor.shape(&self.config)?;
        let queue = HwqId(stream.checked_rem(self.config.n_hwq).unwrap_or(0) as u8);
        if self.hwqs.is_full(queue) {
            return Err(Fault::HwqFull);
        }
        let key = self.next_key(self.now);
        self.hwqs.push(queue, HostKernel { descriptor: *descriptor, retain, key });
        Ok(queue)
    }

    /// L2: kernels launched by threads of one warp of the TB at `smx`, `slot`, one per calling lane.
    ///
    /// # Errors
    /// `BadSmx`, `BadSlot`, `NoTb`, `BadCount`, a lane's `EmptyGrid`, `GridTooLarge`, `EmptyTb` or `TbTooBig`,
    /// `PendingLimit`. One faulty lane refuses the whole command.
    pub fn device_launch(
        &mut self,
        smx: SmxId,
        slot: SlotId,
        kernels: &[Descriptor],
    ) -> Result<LaunchedRecords, Fault> {
        let parent = self.resident(smx, slot)?;
        self.check_command(kernels.len(), kernels.iter().map(|d| d.shape(&self.config).map(|_| ())))?;
        let lat = self.config.lat_cdp(kernels.len() as u32);
        let lanes = kernels.iter().map(|descriptor| Lane { descriptor, hw_tid: 0 });
        Ok(self.record_launches(smx, parent, lat, RecordState::Dev, lanes, kernels.len()))
    }

    /// L3: aggregated groups launched by threads of one warp of the TB at `smx`, `slot`, one per calling lane.
    ///
    /// # Errors
    /// As [`FrontEnd::device_launch`], and a lane's `BadThread` after its other checks.
    pub fn agg_launch(&mut self, smx: SmxId, slot: SlotId, groups: &[GroupLaunch]) -> Result<LaunchedRecords, Fault> {
        let parent = self.resident(smx, slot)?;
        let check = |g: &GroupLaunch| {
            g.descriptor.shape(&self.config)?;
            if g.hw_tid >= self.config.threads { Err(Fault::BadThread) } else { Ok(()) }
        };
        self.check_command(groups.len(), groups.iter().map(check))?;
        let lat = self.config.lat_dtbl(groups.len() as u32);
        let state = RecordState::Agg { command: self.seq };
        let lanes = groups.iter().map(|g| Lane { descriptor: &g.descriptor, hw_tid: g.hw_tid });
        Ok(self.record_launches(smx, parent, lat, state, lanes, groups.len()))
    }

    /// The TB at an SMX's slot.
    pub(crate) fn resident(&self, smx: SmxId, slot: SlotId) -> Result<ResidentTb, Fault> {
        if u32::from(smx.0) >= self.config.n_smx {
            return Err(Fault::BadSmx);
        }
        if u32::from(slot.0) >= self.config.tb_slots {
            return Err(Fault::BadSlot);
        }
        self.residency.tb(smx, slot).copied().ok_or(Fault::NoTb)
    }

    fn check_command(&self, count: usize, lanes: impl Iterator<Item = Result<(), Fault>>) -> Result<(), Fault> {
        if count == 0 || count > self.config.warp as usize {
            return Err(Fault::BadCount);
        }
        lanes.into_iter().try_for_each(|lane| lane)?;
        if (self.records.free() as usize) < count {
            return Err(Fault::PendingLimit);
        }
        Ok(())
    }

    /// Gives each lane of a checked command its record.
    fn record_launches<'a>(
        &mut self,
        psmx: SmxId,
        parent: ResidentTb,
        latency: u64,
        state: RecordState,
        lanes: impl Iterator<Item = Lane<'a>>,
        count: usize,
    ) -> LaunchedRecords {
        let depth = self.kd.get(parent.kde).kernel.depth.saturating_add(1);
        let mut records = LaunchedRecords::new();
        for Lane { descriptor, hw_tid } in lanes {
            let Ok(Shape { total, need }) = descriptor.shape(&self.config) else { continue };
            let key = self.next_key(self.now.after(latency));
            let record = Record {
                state,
                descriptor: *descriptor,
                key,
                t0: self.now,
                total,
                need,
                depth,
                hw_tid,
                psmx,
                ..Record::default()
            };
            // A command has at most `warp` lanes, so there is room.
            let _ = records.push(self.records.launch(record, count as u32));
        }
        self.stats.rec_peak = self.stats.rec_peak.max(self.records.in_use().into());
        records
    }
}
