//! Launch calls: by the host, by device threads as kernels (CDP) and as aggregated groups (DTBL) (dtbl-L1 to L3).

use core::ops::Deref;

use crate::base::error::Fault;
use crate::base::id::{HwqId, RecordId, SlotId, SmxId};
use crate::config::parts::FREE_LEVELS;
use crate::frontend::FrontEnd;
use crate::frontend::tables::Tables;
use crate::launch::descriptor::{Descriptor, Shape};
use crate::launch::hwq::{HostKernel, Owner};
use crate::launch::record::{Record, RecordState};
use crate::smx::residency::ResidentTb;

/// An aggregated group as the launch call gives it. Its fields lie as in C.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(C)]
pub struct GroupLaunch {
    /// The group's TBs.
    pub kernel: Descriptor,
    /// The calling thread's number within its SMX, 0..threads.
    pub hw_tid: u32,
}

/// The launch records of a command, in lane order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LaunchedRecords(heapless::Vec<RecordId, 64>);

impl Deref for LaunchedRecords {
    type Target = [RecordId];

    fn deref(&self) -> &[RecordId] {
        &self.0
    }
}

impl<'a> IntoIterator for &'a LaunchedRecords {
    type Item = &'a RecordId;
    type IntoIter = core::slice::Iter<'a, RecordId>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// The checked launches of a command.
type Lanes<'a> = heapless::Vec<Lane<'a>, 64>;

/// One lane's launch, checked.
struct Lane<'a> {
    descriptor: &'a Descriptor,
    shape: Shape,
    hw_tid: u32,
}

impl<T: Tables> FrontEnd<T> {
    /// dtbl-L1: a kernel from the host, in stream `stream`. With `retain` its entry stays, joinable, until [`FrontEnd::unretain`].
    ///
    /// # Errors
    /// `EmptyGrid`, `GridTooLarge`, `EmptyTb`, `TbTooBig`; `NoClusters`, `EmptyCluster`, `ClusterTooBig`, `ClusterGrid`, `TbOverQuota`,
    /// `ClusterNever` (modern-V5 to modern-V7); `HwqFull`.
    pub fn host_launch(&mut self, stream: u32, descriptor: &Descriptor, retain: bool) -> Result<HwqId, Fault> {
        self.between()?;
        let shape = descriptor.shape(&self.board.config)?;
        let owner = self.check_owner(stream, descriptor, shape.need.threads)?;
        let queue = self.free_queue(stream, owner)?;
        self.lift();
        let key = self.board.next_key(self.board.now);
        self.board
            .hwqs
            .push(queue, HostKernel { descriptor: *descriptor, retain, is_graph: false, key, stream, owner });
        Ok(queue)
    }

    /// The queue of a stream, if it has room.
    pub(super) fn free_queue(&self, stream: u32, owner: Owner) -> Result<HwqId, Fault> {
        let queue = owner.queue_of(stream, &self.board.config);
        if self.board.hwqs.is_full(queue) { Err(Fault::HwqFull) } else { Ok(queue) }
    }

    /// dtbl-L2: kernels launched by threads of one warp of the TB at `smx`, `slot`, one per calling lane.
    ///
    /// # Errors
    /// `BadSmx`, `BadSlot`, `NoTb`, `Saving`, `BadCount`, a lane's refusal as of [`FrontEnd::host_launch`],
    /// `PendingLimit`. One faulty lane refuses the whole command.
    pub fn device_launch(
        &mut self,
        smx: SmxId,
        slot: SlotId,
        kernels: &[Descriptor],
    ) -> Result<LaunchedRecords, Fault> {
        self.between()?;
        let parent = self.resident(smx, slot)?;
        let owner = self.board.kd.get(parent.kde).kernel.owner;
        let mut lanes = Lanes::new();
        let checked = kernels.iter().map(|descriptor| {
            let shape = descriptor.shape(&self.board.config)?;
            self.check_modern(descriptor, shape.need.threads, owner)?;
            Ok(Lane { descriptor, shape, hw_tid: 0 })
        });
        self.check_command(checked, &mut lanes)?;
        let latency = self.board.config.lat_cdp(kernels.len() as u32);
        Ok(self.record_launches(smx, parent, latency, RecordState::Dev, &lanes))
    }

    /// dtbl-L3: aggregated groups launched by threads of one warp of the TB at `smx`, `slot`, one per calling lane.
    ///
    /// # Errors
    /// `NoDtbl` under LaPerm's model cdp; then as [`FrontEnd::device_launch`], but that a group with a cluster is `NoClusters` or
    /// `ClusterGroup`, and a lane's `BadThread` after its other checks.
    pub fn agg_launch(&mut self, smx: SmxId, slot: SlotId, groups: &[GroupLaunch]) -> Result<LaunchedRecords, Fault> {
        self.between()?;
        if self.laperm.as_ref().is_some_and(|line| line.is_cdp()) {
            return Err(Fault::NoDtbl);
        }
        let parent = self.resident(smx, slot)?;
        let owner = self.board.kd.get(parent.kde).kernel.owner;
        let lane = |&GroupLaunch { kernel: ref descriptor, hw_tid }| {
            let shape = descriptor.shape(&self.board.config)?;
            self.check_group(descriptor, shape.need.threads, owner)?;
            if hw_tid >= self.board.config.threads {
                Err(Fault::BadThread)
            } else {
                Ok(Lane { descriptor, shape, hw_tid })
            }
        };
        let mut lanes = Lanes::new();
        self.check_command(groups.iter().map(lane), &mut lanes)?;
        let latency = self.board.config.lat_dtbl(groups.len() as u32);
        let state = RecordState::Agg { command: self.board.seq };
        Ok(self.record_launches(smx, parent, latency, state, &lanes))
    }

    /// The TB at an SMX's slot, which can launch.
    fn resident(&self, smx: SmxId, slot: SlotId) -> Result<ResidentTb, Fault> {
        self.board.check_slot(smx, slot)?;
        let tb = self.board.residency.tb(smx, slot).copied().ok_or(Fault::NoTb)?;
        self.check_saving(tb.kde)?;
        Ok(tb)
    }

    /// Checks a command lane by lane and keeps what it found, if nothing is wrong with any of them.
    fn check_command<'a>(
        &self,
        lanes: impl ExactSizeIterator<Item = Result<Lane<'a>, Fault>>,
        checked: &mut Lanes<'a>,
    ) -> Result<(), Fault> {
        let count = lanes.len();
        if count == 0 || count > self.board.config.warp as usize {
            return Err(Fault::BadCount);
        }
        for lane in lanes {
            // A warp has at most 64 lanes, so there is room.
            let _ = checked.push(lane?);
        }
        if (self.board.records.free() as usize) < count {
            return Err(Fault::PendingLimit);
        }
        Ok(())
    }

    /// frontend-F2: the priority of what this TB launches.
    fn child_prio(&self, parent: &ResidentTb) -> u8 {
        match (self.laperm.as_ref(), self.told.as_ref()) {
            (Some(line), _) => line.child_prio(parent),
            (None, Some(told)) if told.is_free() => (parent.prio + 1).min(FREE_LEVELS),
            _ => 0,
        }
    }

    /// Gives each lane of a checked command its record.
    fn record_launches(
        &mut self,
        psmx: SmxId,
        parent: ResidentTb,
        latency: u64,
        state: RecordState,
        lanes: &[Lane],
    ) -> LaunchedRecords {
        let prio = self.child_prio(&parent);
        let board = &mut self.board;
        let kernel = &board.kd.get(parent.kde).kernel;
        let (depth, owner) = (kernel.depth.saturating_add(1), kernel.owner);
        let (t0, ready) = (board.now, board.now.after(latency));
        let mut records = LaunchedRecords::default();
        for &Lane { descriptor, shape, hw_tid } in lanes {
            let key = board.next_key(ready);
            let descriptor = *descriptor;
            let record = Record { state, descriptor, shape, key, t0, depth, hw_tid, psmx, prio, owner, behind: None };
            let _ = records.0.push(board.records.launch(record, lanes.len() as u32));
        }
        board.stats.rec_peak = board.stats.rec_peak.max(board.records.in_use().into());
        if let Some(told) = self.told.as_mut() {
            told.launched(&parent, &records);
        }
        records
    }
}
