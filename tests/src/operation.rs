//! The operations whose cost is measured, each in a steady state that can be repeated for ever.
//!
//! `pending` launch records are in use all the time. A dispatch is measured with records that never mature; launches are measured
//! as a pipeline whose latency is `pending` cycles, so that each step launches one, carries out the launch made `pending` cycles
//! ago, and ends its TB.

use gpusched::{
    ClassId, Cluster, ClusterPart, Config, Descriptor, Dim3, GroupLaunch, LaPermPart, PartitionPart, Policy,
    PreemptPart, PriorityPart, SlotId, SmxId, ToldPart, Topology, inline_tables,
};

use crate::driver::Driver;

/// What one step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// A TB ends and another one takes its place, on a GPU whose slots are all taken.
    Dispatch,
    /// On the same GPU a cycle in which no TB ends.
    Idle,
    /// As [`Operation::Idle`], on 132 SMXs.
    WideIdle,
    /// A group is launched, one joins its kernel, its TB is sent and ends.
    Dtbl,
    /// A kernel is launched by the device, one is issued and arrives, its TB is sent and ends.
    Cdp,
    /// As [`Operation::Cdp`], launched in commands of 1 to 32 lanes in turn.
    CdpMixed,
    /// As [`Operation::Dispatch`], on 132 SMXs.
    WideDispatch,
    /// As [`Operation::WideDispatch`], where clusters, priorities, contexts and drains may rule the line.
    RuledDispatch,
    /// As [`Operation::Dispatch`], with the host as the policy: it looks at the first offer and sends round robin.
    ToldDispatch,
    /// Under LaPerm's Adaptive-Bind: a TB ends and one of a group takes its place, on a GPU whose slots are all taken. The group
    /// is bound to SMX 0, so 12 of 13 are sent in stage 3.
    LapDispatch,
    /// As [`Operation::LapDispatch`], behind `pending` groups in the queue of SMX 0, of two kernels whose classes are closed
    /// everywhere.
    LapCapped,
    /// Under LaPerm's Adaptive-Bind: a group is launched, one joins its kernel, its TB is sent and ends.
    LapDtbl,
}

/// The K20c with LaPerm.
pub const WITH_LAPERM: Config = Config { policy: Policy::LaPerm(LaPermPart::K20C), ..Config::K20C };

inline_tables! {
    /// A home for [`WITH_LAPERM`].
    pub struct WithLaPerm = WITH_LAPERM;
}

/// The K20c with the host as the policy.
pub const WITH_TOLD: Config = Config { policy: Policy::Told(ToldPart::CHAIN), ..Config::K20C };

inline_tables! {
    /// A home for [`WITH_TOLD`].
    pub struct WithTold = WITH_TOLD;
}

/// The K20c with as many SMXs as an H100.
const WIDE: Config = Config { n_smx: 132, ..Config::K20C };

/// The same with everything that sheet `modern` adds.
const RULED: Config = Config {
    topology: Some(Topology::H100_SXM),
    cluster: Some(ClusterPart::H100),
    priority: Some(PriorityPart::SIX),
    partition: Some(PartitionPart::TWO),
    preempt: Some(PreemptPart::FREE),
    ..WIDE
};

impl Operation {
    /// Those of the baseline policy with their names.
    pub const FCFS: [(Self, &str); 5] = [
        (Self::Dispatch, "dispatch"),
        (Self::Idle, "idle"),
        (Self::Dtbl, "dtbl"),
        (Self::Cdp, "cdp"),
        (Self::CdpMixed, "cdp_mixed"),
    ];
    /// Those of many SMXs with their names.
    pub const WIDE: [(Self, &str); 3] =
        [(Self::WideDispatch, "dispatch_132"), (Self::RuledDispatch, "dispatch_ruled"), (Self::WideIdle, "idle_132")];
    /// That of a host that decides, with its name.
    pub const TOLD: [(Self, &str); 1] = [(Self::ToldDispatch, "told_dispatch")];
    /// Those of LaPerm with their names.
    pub const LAPERM: [(Self, &str); 3] =
        [(Self::LapDispatch, "lap_dispatch"), (Self::LapCapped, "lap_capped"), (Self::LapDtbl, "lap_dtbl")];

    /// The machine that it is measured on.
    const fn machine(self) -> Config {
        match self {
            Self::Dispatch | Self::Idle | Self::Dtbl | Self::Cdp | Self::CdpMixed => Config::K20C,
            Self::WideDispatch | Self::WideIdle => WIDE,
            Self::RuledDispatch => RULED,
            Self::ToldDispatch => WITH_TOLD,
            Self::LapDispatch | Self::LapDtbl => WITH_LAPERM,
            // All of what is pending is on chip.
            Self::LapCapped => {
                Config { policy: Policy::LaPerm(LaPermPart { queue_cap: 4096, ..LaPermPart::K20C }), ..WITH_LAPERM }
            }
        }
    }

    /// Whether a TB of a grid without end takes the place of one that ends, while what is launched never matures.
    const fn is_endless(self) -> bool {
        matches!(self, Self::Dispatch | Self::WideDispatch | Self::RuledDispatch | Self::ToldDispatch) || self.is_idle()
    }

    /// Whether no TB ends.
    const fn is_idle(self) -> bool {
        matches!(self, Self::Idle | Self::WideIdle)
    }
}

const PARENT: Descriptor = Descriptor {
    pc: 0x400,
    grid: Dim3::linear(0x7fff_ffff),
    tb: Dim3::linear(64),
    regs: 0,
    smem: 0,
    param: 0,
    cluster: Cluster::NONE,
    tag: 1,
};
const CHILD: Descriptor = Descriptor { grid: Dim3::linear(1), tag: 2, ..PARENT };
/// Kernels of closed classes.
const CLOSED: [Descriptor; 2] = [Descriptor { pc: 0x800, ..CHILD }, Descriptor { pc: 0xc00, ..CHILD }];
static KERNELS: [Descriptor; 32] = [CHILD; 32];
static GROUPS: [GroupLaunch; 32] = [GroupLaunch { kernel: CHILD, hw_tid: 0 }; 32];

/// A machine in the steady state of an operation.
pub struct Steady<D> {
    gpu: D,
    operation: Operation,
    /// Resident TBs but the parent, in turn the next to end.
    running: Vec<(SmxId, SlotId)>,
    turn: usize,
    /// Lanes of the next command.
    lanes: usize,
    /// Kernels of the command under way that are still to be launched.
    credit: usize,
}

impl<D: Driver> Steady<D> {
    /// A machine with `pending` launch records in use, about to repeat `operation`.
    ///
    /// # Panics
    /// If the machine does not do what the operation needs, so that nothing else is ever measured.
    #[must_use]
    pub fn new(operation: Operation, pending: u32) -> Self {
        Self::on(&operation.machine(), operation, pending)
    }

    /// The same on another machine than the operation's own.
    ///
    /// # Panics
    /// As [`Steady::new`].
    #[must_use]
    pub fn on(machine: &Config, operation: Operation, pending: u32) -> Self {
        let ideal = machine.ideal();
        let config = match operation {
            // Never mature.
            of if of.is_endless() => Config { lat_stream: u32::MAX, gpb_b: u32::MAX, ..ideal },
            Operation::Dtbl | Operation::LapDtbl => Config { gpb_b: pending, ..ideal },
            Operation::Cdp | Operation::CdpMixed => Config { lat_stream: pending, ..ideal },
            // What is pending waits in LaPerm's queues, not for its latency.
            _ => ideal,
        };
        let mut steady = Self { gpu: D::new(&config), operation, running: Vec::new(), turn: 0, lanes: 1, credit: 0 };
        steady.warm_up(pending, (config.n_smx * config.tb_slots) as usize);
        steady
    }

    fn warm_up(&mut self, pending: u32, slots: usize) {
        // The parent of all launches stays at SMX 0, slot 0; retained, so that groups find it.
        let few = Dim3::linear(if self.operation.is_endless() { PARENT.grid.x } else { 1 });
        self.gpu.launch_parent(0, &Descriptor { grid: few, ..PARENT });
        let parent = self.cycle().expect("an empty machine sends a TB");
        assert_eq!(parent, (SmxId(0), SlotId(0)));
        match self.operation {
            Operation::LapDispatch => self.fill_with_a_group(pending),
            Operation::LapCapped => {
                self.fill_queue_with_capped(pending);
                self.fill_with_a_group(0);
            }
            of if of.is_endless() => {
                for i in 0..pending {
                    let launch = if i % 2 == 0 { Self::launch_groups } else { Self::launch_kernels };
                    launch(self, 1);
                }
                while let Some(tb) = self.cycle() {
                    self.running.push(tb);
                }
                assert_eq!(self.running.len() + 1, slots, "every slot is taken");
            }
            _ => {
                for _ in 0..pending {
                    self.launch();
                    self.gpu.tick();
                }
            }
        }
        assert!(self.gpu.records_in_use() >= pending);
    }

    /// `pending` groups of closed kernels wait in the queue of SMX 0. The next visit is that of SMX 1, as after the parent's tick.
    fn fill_queue_with_capped(&mut self, pending: u32) {
        let mut ticks = 1;
        for (k, kernel) in (0..).zip(CLOSED) {
            self.gpu.launch_parent(1 + u32::from(k), &kernel);
            let (smx, slot) = self.gpu.tick().expect("there is room");
            self.gpu.tb_done(smx, slot);
            self.gpu.close(ClassId(k), kernel.pc);
            ticks += 1;
        }
        let mut left = pending as usize;
        while left > 0 || ticks % 13 != 1 {
            if left > 0 {
                self.gpu.launch_groups(&[GroupLaunch { kernel: CLOSED[left % CLOSED.len()], hw_tid: 0 }]);
                left -= 1;
            }
            assert_eq!(self.gpu.tick(), None, "it is capped");
            ticks += 1;
        }
    }

    /// One group of many TBs takes all slots; `pending` others wait behind it.
    fn fill_with_a_group(&mut self, pending: u32) {
        let many = Descriptor { grid: PARENT.grid, ..CHILD };
        self.gpu.launch_groups(&[GroupLaunch { kernel: many, hw_tid: 0 }]);
        // The parent's tick visited SMX 0; every further one visits the next SMX.
        let mut ticks = 1;
        for _ in 0..pending {
            self.launch_groups(1);
            self.running.extend(self.gpu.tick());
            ticks += 1;
        }
        while self.running.len() + 1 < 13 * 16 || ticks % 13 != 1 {
            self.running.extend(self.gpu.tick());
            ticks += 1;
        }
        // Rounds from SMX 1 to SMX 0, which end in the order in which the SMXs are visited.
        self.running.truncate(13 * 15);
        self.turn = self.running.len() - 1;
    }

    /// Carries out the operation once.
    ///
    /// # Panics
    /// If no TB was sent, or one was where there is no place for it.
    pub fn step(&mut self) {
        if self.operation.is_idle() {
            assert_eq!(self.cycle(), None, "every slot is taken");
            return;
        }
        if self.operation.is_endless() || matches!(self.operation, Operation::LapDispatch | Operation::LapCapped) {
            self.turn = if self.turn + 1 < self.running.len() { self.turn + 1 } else { 0 };
            let (smx, slot) = self.running[self.turn];
            self.gpu.tb_done(smx, slot);
            self.running[self.turn] = self.cycle().expect("a TB takes the place");
            return;
        }
        self.launch();
        let (smx, slot) = self.gpu.tick().expect("a launch of `pending` cycles ago sends its TB");
        self.gpu.tb_done(smx, slot);
    }

    /// A cycle; where it put a TB, if it did.
    fn cycle(&mut self) -> Option<(SmxId, SlotId)> {
        if self.operation == Operation::ToldDispatch { self.gpu.decide() } else { self.gpu.tick() }
    }

    /// Launch records in use.
    #[must_use]
    pub fn pending(&self) -> u32 {
        self.gpu.records_in_use()
    }

    fn launch(&mut self) {
        match self.operation {
            Operation::Dtbl | Operation::LapDtbl | Operation::LapDispatch | Operation::LapCapped => {
                self.launch_groups(1)
            }
            Operation::CdpMixed => {
                if self.credit == 0 {
                    self.launch_kernels(self.lanes);
                    self.credit = self.lanes;
                    self.lanes = self.lanes % 32 + 1;
                }
                self.credit -= 1;
            }
            _ => self.launch_kernels(1),
        }
    }

    fn launch_groups(&mut self, lanes: usize) {
        self.gpu.launch_groups(&GROUPS[..lanes]);
    }

    fn launch_kernels(&mut self, lanes: usize) {
        self.gpu.launch_kernels(&KERNELS[..lanes]);
    }
}
