//! Launch calls: by the host, by device threads as kernels (CDP) and as aggregated groups (DTBL) (dtbl-L1 to L3).

use crate::base::error::Fault;
use crate::base::id::{HwqId, Id, RecordId, SlotId, SmxId, id};
use crate::config::launch2::LateLaunch;
use crate::config::parts::FREE_LEVELS;
use crate::frontend::FrontEnd;
use crate::frontend::tables::Tables;
use crate::launch::board::Board;
use crate::launch::descriptor::{Descriptor, Shape};
use crate::launch::hwq::{HostKernel, Owner};
use crate::launch::record::{Record, RecordState};
use crate::smx::residency::ResidentTb;

/// An aggregated group as the launch call gives it. Its fields lie as in C.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(C)]
pub struct GroupLaunch {
    /// The group's TBs.
    pub kernel: Descriptor,
    /// The calling thread's number within its SMX, 0..threads.
    pub hw_tid: u32,
}

/// A kernel as a thread of the device launches it into one of its named streams (launch2-C1); other streams of the device there are none
/// (launch2-A5). Its fields lie as in C.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(deny_unknown_fields, default))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[repr(C)]
pub struct DeviceLaunch {
    /// The kernel.
    pub kernel: Descriptor,
    /// The stream: [`DeviceLaunch::FIRE_AND_FORGET`] or [`DeviceLaunch::TAIL`].
    pub stream: u32,
}

impl DeviceLaunch {
    /// The stream of kernels that are independent of everything; their parent is complete only after them.
    pub const FIRE_AND_FORGET: u32 = 0;
    /// The stream of kernels that run one after the other when nothing else is left of their parent.
    pub const TAIL: u32 = 1;
}

id! {
    /// A launch of a command: one of the lanes that called.
    pub(crate) LaneId(u8)
}

/// The checked launches of a command.
type Lanes<'a> = heapless::Vec<Lane<'a>, 64>;

/// One lane's launch, checked.
struct Lane<'a> {
    descriptor: &'a Descriptor,
    shape: Shape,
    hw_tid: u32,
    is_tail: bool,
}

impl<T: Tables> FrontEnd<T> {
    /// dtbl-L1: a kernel from the host, in stream `stream`. With `retain` its entry stays, joinable, until [`FrontEnd::unretain`].
    ///
    /// # Errors
    /// `EmptyGrid`, `GridTooLarge`, `EmptyTb`, `TbTooBig`; `NoClusters`, `EmptyCluster`, `ClusterTooBig`, `ClusterGrid`, `TbOverQuota`,
    /// `ClusterNever` (modern-V5 to modern-V7); `HwqFull`.
    pub fn host_launch(&mut self, stream: u32, descriptor: &Descriptor, retain: bool) -> Result<HwqId, Fault> {
        self.launch(stream, descriptor, retain, false)
    }

    /// launch2-P1: the same, as a programmatic dependent: it may be issued when the kernel in front of it in its queue is open, before
    /// that is complete.
    ///
    /// # Errors
    /// `NoPdl` if the machine has none; as [`FrontEnd::host_launch`].
    pub fn host_launch_dependent(
        &mut self,
        stream: u32,
        descriptor: &Descriptor,
        retain: bool,
    ) -> Result<HwqId, Fault> {
        self.check_pdl()?;
        self.launch(stream, descriptor, retain, true)
    }

    #[inline]
    fn launch(
        &mut self,
        stream: u32,
        descriptor: &Descriptor,
        retain: bool,
        is_dependent: bool,
    ) -> Result<HwqId, Fault> {
        self.between()?;
        let shape = descriptor.shape(&self.board.config)?;
        let owner = self.check_owner(stream, descriptor, shape.need.threads)?;
        let queue = self.free_queue(stream, owner)?;
        self.lift();
        let key = self.host_key();
        let kernel =
            HostKernel { descriptor: *descriptor, retain, is_dependent, key, stream, owner, ..HostKernel::default() };
        self.board.hwqs.push(queue, kernel);
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
    /// `BadSmx`, `BadSlot`, `NoTb`, `Saving`, `Opened` (launch2-P7), `BadCount`, a lane's refusal as of [`FrontEnd::host_launch`],
    /// `DepthLimit` (launch2-C2), `PendingLimit`. One faulty lane refuses the whole command.
    pub fn device_launch(&mut self, smx: SmxId, slot: SlotId, kernels: &[Descriptor]) -> Result<&[RecordId], Fault> {
        self.launch_kernels(smx, slot, kernels.iter().map(|kernel| (kernel, DeviceLaunch::FIRE_AND_FORGET)))
    }

    /// launch2-C1: the same, each kernel into the stream that its lane names.
    ///
    /// # Errors
    /// `NoCdp2` if the machine has no such streams; as [`FrontEnd::device_launch`], with `BadStream` behind what is refused of a lane's
    /// kernel.
    pub fn device_launch_named(
        &mut self,
        smx: SmxId,
        slot: SlotId,
        launches: &[DeviceLaunch],
    ) -> Result<&[RecordId], Fault> {
        self.between()?;
        if self.board.config.cdp2.is_none() {
            return Err(Fault::NoCdp2);
        }
        self.launch_kernels(smx, slot, launches.iter().map(|launch| (&launch.kernel, launch.stream)))
    }

    fn launch_kernels<'a>(
        &mut self,
        smx: SmxId,
        slot: SlotId,
        kernels: impl ExactSizeIterator<Item = (&'a Descriptor, u32)>,
    ) -> Result<&[RecordId], Fault> {
        self.between()?;
        let parent = self.resident(smx, slot)?;
        let owner = self.board.kd.get(parent.kde).kernel.owner;
        let mut lanes = Lanes::new();
        let checked = kernels.map(|(descriptor, stream)| {
            let shape = descriptor.shape(&self.board.config)?;
            self.check_modern(descriptor, shape.need.threads, owner)?;
            let is_tail = match stream {
                DeviceLaunch::FIRE_AND_FORGET => false,
                DeviceLaunch::TAIL => true,
                _ => return Err(Fault::BadStream),
            };
            Ok(Lane { descriptor, shape, hw_tid: 0, is_tail })
        });
        self.check_command(checked, &mut lanes)?;
        self.check_depth(&parent, &lanes)?;
        self.check_room(&lanes)?;
        let latency = self.board.config.lat_cdp(lanes.len() as u32);
        Ok(self.record_launches(smx, parent, latency, RecordState::Dev, &lanes))
    }

    /// dtbl-L3: aggregated groups launched by threads of one warp of the TB at `smx`, `slot`, one per calling lane.
    ///
    /// # Errors
    /// `NoDtbl` under LaPerm's model cdp, and where kernels are launched into named streams (launch2-C5); then as
    /// [`FrontEnd::device_launch`], but that a group with a cluster is `NoClusters` or `ClusterGroup`, and a lane's `BadThread` after its
    /// other checks.
    pub fn agg_launch(&mut self, smx: SmxId, slot: SlotId, groups: &[GroupLaunch]) -> Result<&[RecordId], Fault> {
        self.between()?;
        if self.board.config.cdp2.is_some() || self.laperm.as_ref().is_some_and(|line| line.is_cdp()) {
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
                Ok(Lane { descriptor, shape, hw_tid, is_tail: false })
            }
        };
        let mut lanes = Lanes::new();
        self.check_command(groups.iter().map(lane), &mut lanes)?;
        self.check_room(&lanes)?;
        let latency = self.board.config.lat_dtbl(groups.len() as u32);
        let state = RecordState::Agg { command: self.board.seq };
        Ok(self.record_launches(smx, parent, latency, state, &lanes))
    }

    /// The TB at an SMX's slot, which can launch.
    fn resident(&self, smx: SmxId, slot: SlotId) -> Result<ResidentTb, Fault> {
        self.board.check_slot(smx, slot)?;
        let tb = self.board.residency.tb(smx, slot).copied().ok_or(Fault::NoTb)?;
        self.check_saving(tb.kde)?;
        // launch2-P7.
        let is_late = self.board.kd.get(tb.kde).is_open;
        if is_late && self.board.config.pdl.is_some_and(|part| part.late_launch == LateLaunch::Refuse) {
            return Err(Fault::Opened);
        }
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
        Ok(())
    }

    /// launch2-C2: whether launches of a TB are too deep.
    fn check_depth(&self, parent: &ResidentTb, lanes: &[Lane]) -> Result<(), Fault> {
        let Some(part) = self.board.config.cdp2 else { return Ok(()) };
        let depth = self.board.kd.get(parent.kde).kernel.depth;
        let is_too_deep = |lane: &Lane| self.board.config.child_depth(depth, lane.is_tail) > part.max_depth;
        if lanes.iter().any(is_too_deep) { Err(Fault::DepthLimit) } else { Ok(()) }
    }

    /// Whether each lane finds a free record, and later a grid (launch2-C4).
    fn check_room(&self, lanes: &[Lane]) -> Result<(), Fault> {
        let Board { records, config, .. } = &self.board;
        let n = lanes.len() as u32;
        let is_full = self.grids.as_ref().is_some_and(|grids| grids.is_full(config, records.in_use(), n));
        if is_full || records.free() < n { Err(Fault::PendingLimit) } else { Ok(()) }
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
    #[inline(always)] // What it is asked is large.
    fn record_launches(
        &mut self,
        psmx: SmxId,
        parent: ResidentTb,
        latency: u64,
        state: RecordState,
        lanes: &[Lane],
    ) -> &[RecordId] {
        let prio = self.child_prio(&parent);
        let Self { board, grids, quiet, told, launched, .. } = self;
        let kernel = &board.kd.get(parent.kde).kernel;
        let (parent_depth, owner) = (kernel.depth, kernel.owner);
        let (t0, ready) = (board.now, board.now.after(latency));
        quiet.end_at(ready);
        for (lane, &Lane { descriptor, shape, hw_tid, is_tail }) in lanes.iter().enumerate() {
            let key = board.next_key(ready);
            let descriptor = *descriptor;
            let state = if is_tail { RecordState::Tail } else { state };
            let depth = board.config.child_depth(parent_depth, is_tail).min(u8::MAX.into()) as u8;
            let record = Record { state, descriptor, shape, key, t0, depth, hw_tid, psmx, prio, owner, behind: None };
            let r = board.records.launch(record, lanes.len() as u32);
            match grids.as_mut() {
                Some(grids) if matches!(state, RecordState::Agg { .. }) => grids.launched_group(parent.kde, r),
                Some(grids) if board.config.cdp2.is_some() => grids.launched(parent.kde, r, descriptor.tag, is_tail),
                // Without named streams a grid is made when the kernel is issued (launch2-G1).
                _ => {}
            }
            launched[LaneId::from_index(lane)] = r;
        }
        board.stats.rec_peak = board.stats.rec_peak.max(board.records.in_use().into());
        let records = launched.first(lanes.len()).unwrap_or_default();
        if let Some(told) = told.as_mut() {
            told.launched(&parent, records);
        }
        records
    }
}
