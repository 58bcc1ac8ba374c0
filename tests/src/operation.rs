//! The operations whose cost is measured, each in a steady state that can be repeated for ever.
//!
//! `pending` launch records are in use all the time. A dispatch is measured with records that never mature; launches are measured
//! as a pipeline whose latency is `pending` cycles, so that each step launches one, carries out the launch made `pending` cycles
//! ago, and ends its TB.

use gpusched::{Config, Descriptor, Dim3, FrontEnd, GroupLaunch, InlineTables, Sched, SlotId, SmxId, TbPlacement};

/// What one step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// A TB ends and another one takes its place, on a GPU whose slots are all taken.
    Dispatch,
    /// A group is launched, one joins its kernel, its TB is sent and ends.
    Dtbl,
    /// A kernel is launched by the device, one is issued and arrives, its TB is sent and ends.
    Cdp,
    /// As [`Operation::Cdp`], launched in commands of 1 to 32 lanes in turn.
    CdpMixed,
}

impl Operation {
    /// Every operation with its name.
    pub const ALL: [(Self, &str); 4] =
        [(Self::Dispatch, "dispatch"), (Self::Dtbl, "dtbl"), (Self::Cdp, "cdp"), (Self::CdpMixed, "cdp_mixed")];
}

const PARENT: Descriptor =
    Descriptor { pc: 0x400, grid: Dim3::linear(0x7fff_ffff), tb: Dim3::linear(64), regs: 0, smem: 0, param: 0, tag: 1 };
const CHILD: Descriptor = Descriptor { grid: Dim3::linear(1), tag: 2, ..PARENT };
static KERNELS: [Descriptor; 32] = [CHILD; 32];
static GROUPS: [GroupLaunch; 32] = [GroupLaunch { descriptor: CHILD, hw_tid: 0 }; 32];

/// A machine in the steady state of an operation.
pub struct Steady<T: InlineTables> {
    gpu: FrontEnd<T>,
    operation: Operation,
    /// Resident TBs but the parent, in turn the next to end.
    running: Vec<TbPlacement>,
    turn: usize,
    /// Lanes of the next command.
    lanes: usize,
    /// Kernels of the command under way that are still to be launched.
    credit: usize,
}

impl<T: InlineTables> Steady<T> {
    /// A machine with `pending` launch records in use, about to repeat `operation`.
    ///
    /// # Panics
    /// If the machine does not do what the operation needs, so that nothing else is ever measured.
    #[must_use]
    pub fn new(operation: Operation, pending: u32) -> Self {
        let ideal = Config::K20C.ideal();
        let config = match operation {
            // Never mature.
            Operation::Dispatch => Config { lat_stream: u32::MAX, gpb_b: u32::MAX, ..ideal },
            Operation::Dtbl => Config { gpb_b: pending, ..ideal },
            Operation::Cdp | Operation::CdpMixed => Config { lat_stream: pending, ..ideal },
        };
        let gpu = FrontEnd::new(&config).expect("the operation's configuration fits the home");
        let mut steady = Self { gpu, operation, running: Vec::new(), turn: 0, lanes: 1, credit: 0 };
        steady.warm_up(pending);
        steady
    }

    fn warm_up(&mut self, pending: u32) {
        // The parent of all launches stays at SMX 0, slot 0; retained, so that groups find it.
        let few = Dim3::linear(if self.operation == Operation::Dispatch { PARENT.grid.x } else { 1 });
        self.gpu.host_launch(0, &Descriptor { grid: few, ..PARENT }, true).expect("an empty machine takes a kernel");
        let parent = self.tick().expect("an empty machine sends a TB");
        assert_eq!((parent.smx, parent.slot), (SmxId(0), SlotId(0)));
        match self.operation {
            Operation::Dispatch => {
                for i in 0..pending {
                    let launch = if i % 2 == 0 { Self::launch_groups } else { Self::launch_kernels };
                    launch(self, 1);
                }
                while let Some(tb) = self.tick() {
                    self.running.push(tb);
                }
                assert_eq!(self.running.len() + 1, 13 * 16, "every slot is taken");
            }
            _ => {
                for _ in 0..pending {
                    self.launch();
                    self.gpu.tick(&mut ()).expect("time is short");
                }
            }
        }
        assert!(self.gpu.records_in_use() >= pending);
    }

    /// Carries out the operation once.
    ///
    /// # Panics
    /// If no TB was sent.
    pub fn step(&mut self) {
        if self.operation == Operation::Dispatch {
            self.turn = if self.turn + 1 < self.running.len() { self.turn + 1 } else { 0 };
            let ended = self.running[self.turn];
            self.gpu.tb_done(ended.smx, ended.slot, &mut ()).expect("the TB is resident");
            self.running[self.turn] = self.tick().expect("a TB takes the place");
            return;
        }
        self.launch();
        let tb = self.tick().expect("a launch of `pending` cycles ago sends its TB");
        self.gpu.tb_done(tb.smx, tb.slot, &mut ()).expect("the TB is resident");
    }

    /// Launch records in use.
    #[must_use]
    pub fn pending(&self) -> u32 {
        self.gpu.records_in_use()
    }

    fn launch(&mut self) {
        match self.operation {
            Operation::Dtbl => self.launch_groups(1),
            Operation::Dispatch | Operation::Cdp => self.launch_kernels(1),
            Operation::CdpMixed => {
                if self.credit == 0 {
                    self.launch_kernels(self.lanes);
                    self.credit = self.lanes;
                    self.lanes = self.lanes % 32 + 1;
                }
                self.credit -= 1;
            }
        }
    }

    fn launch_groups(&mut self, lanes: usize) {
        let done = self.gpu.agg_launch(SmxId(0), SlotId(0), &GROUPS[..lanes]);
        assert!(done.is_ok(), "{done:?}");
    }

    fn launch_kernels(&mut self, lanes: usize) {
        let done = self.gpu.device_launch(SmxId(0), SlotId(0), &KERNELS[..lanes]);
        assert!(done.is_ok(), "{done:?}");
    }

    fn tick(&mut self) -> Option<TbPlacement> {
        match self.gpu.tick(&mut ()).expect("time is short").sched {
            Sched::Tb(tb) => Some(tb),
            _ => None,
        }
    }
}
