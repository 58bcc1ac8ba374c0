//! The one table of opcodes: for Rust an enumeration, for C the lines of a header.

/// Makes the enumeration and the table.
macro_rules! ops {
    ($($(#[doc = $doc:literal])* $Op:ident = $code:literal $name:literal;)*) => {
        /// What an event is. The documentation of each lists its arguments.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Op {
            $($(#[doc = $doc])* $Op = $code,)*
        }

        /// Every opcode: its name in C, and what its documentation says.
        pub const OPS: &[(Op, &str, &str)] = &[$((Op::$Op, $name, concat!($($doc),*))),*];
    };
}

ops! {
    /// Front end: stream, retain, kernel.
    HostLaunch = 0x10 "HOST_LAUNCH";
    /// Front end: stream, retain, kernel, graph.
    HostLaunchGraph = 0x11 "HOST_LAUNCH_GRAPH";
    /// Front end: SMX, slot, a list of kernels.
    DeviceLaunch = 0x12 "DEVICE_LAUNCH";
    /// Front end: SMX, slot, a list of (kernel, hw_tid).
    AggLaunch = 0x13 "AGG_LAUNCH";
    /// Front end: SMX, slot.
    TbDone = 0x14 "TB_DONE";
    /// Front end: entry.
    Unretain = 0x15 "UNRETAIN";
    /// Front end: entry.
    Suspend = 0x16 "SUSPEND";
    /// Front end: place in the list of suspended kernels.
    Resume = 0x17 "RESUME";
    /// Front end: launch record.
    SpillLoaded = 0x18 "SPILL_LOADED";
    /// Front end: set of SMXs.
    SetEligible = 0x19 "SET_ELIGIBLE";
    /// Front end: SMX, cap.
    SetBlockCap = 0x1a "SET_BLOCK_CAP";
    /// Front end: class, whether there is a pc, pc (u64).
    SetClass = 0x1b "SET_CLASS";
    /// Front end: class, SMX, cap, by.
    SetClassCap = 0x1c "SET_CLASS_CAP";
    /// Front end: [u16].
    Activity = 0x1d "ACTIVITY";
    /// Front end: class.
    HasWork = 0x1f "HAS_WORK";
    /// Front end: unit.
    WaitingHead = 0x20 "WAITING_HEAD";
    /// Front end: cycles (u64).
    Run = 0x21 "RUN";
    /// Front end: entry.
    AbortGraph = 0x22 "ABORT_GRAPH";
    /// Front end: nothing.
    GraphPoll = 0x23 "GRAPH_POLL";
    /// Front end: tag (u32), [u64].
    GraphNodes = 0x24 "GRAPH_NODES";
    /// Front end: tag (u32), [u16].
    GraphEdges = 0x25 "GRAPH_EDGES";
    /// Front end: tag (u32).
    GraphSpilled = 0x26 "GRAPH_SPILLED";

    /// LaPerm: now, tag, TBs, resources.
    LapPushHost = 0x40 "LAP_PUSH_HOST";
    /// LaPerm: now, tag, TBs, resources, SMX of the parent, priority of the parent.
    LapPushChild = 0x41 "LAP_PUSH_CHILD";
    /// LaPerm: now.
    LapTick = 0x42 "LAP_TICK";
    /// LaPerm: now, SMX, resources, entry or 2^32-1.
    LapTbDone = 0x43 "LAP_TB_DONE";
    /// LaPerm: now.
    LapKmuTick = 0x44 "LAP_KMU_TICK";
    /// LaPerm: now, SMX, masked.
    LapSetMask = 0x45 "LAP_SET_MASK";
    /// LaPerm: now, unit.
    LapWaitingHead = 0x46 "LAP_WAITING_HEAD";

    /// Bubbles: now, SMX, resources.
    BubbleDispatched = 0x60 "BUBBLE_DISPATCHED";
    /// Bubbles: now, SMX, resources.
    BubbleCompleted = 0x61 "BUBBLE_COMPLETED";
    /// Bubbles: now, whether a TB waits, whether it is bound, set of SMXs, resources, whether there is activity, [u16].
    BubbleSample = 0x62 "BUBBLE_SAMPLE";
    /// Bubbles: now, whether there is activity, [u16].
    BubbleAccount = 0x63 "BUBBLE_ACCOUNT";

    /// Graph buffer: entry, graph.
    DgbLaunch = 0x80 "DGB_LAUNCH";
    /// Graph buffer: nothing.
    DgbPoll = 0x81 "DGB_POLL";
    /// Graph buffer: tag (u32), [u64].
    DgbNodes = 0x82 "DGB_NODES";
    /// Graph buffer: tag (u32), [u16].
    DgbEdges = 0x83 "DGB_EDGES";
    /// Graph buffer: tag (u32).
    DgbSpilled = 0x84 "DGB_SPILLED";
    /// Graph buffer: set of SMXs.
    DgbSelect = 0x85 "DGB_SELECT";
    /// Graph buffer: node.
    DgbComplete = 0x86 "DGB_COMPLETE";
    /// Graph buffer: nothing.
    DgbAbort = 0x87 "DGB_ABORT";
    /// No machine's: the buffer of a configuration is built: for Rust (bytes), for C (bytes).
    DgbNew = 0x90 "DGB_NEW";
    /// No machine's: storage of a configuration: for Rust (bytes), for C (bytes). Answers bits (u64).
    DgbStorage = 0x91 "DGB_STORAGE";
    /// No machine's: for Rust (bytes), for C (bytes), [u64], [u16]. Answers verdict, node or 2^32-1.
    Admit = 0x92 "ADMIT";
    /// No machine's: grid, room for edges, [[u8 kind, x, y, z (u64) or policy, bound]] for each TB that is asked, in order; kind 0 is a parent, 1 a policy. Answers graph, levels, [u64], [u16], [u16 TB of each node], or the TB refused.
    Build = 0x93 "BUILD";
}

impl Op {
    /// The event with this code.
    #[must_use]
    pub fn of(code: u8) -> Option<Self> {
        OPS.iter().map(|(op, ..)| *op).find(|op| *op as u8 == code)
    }
}

/// Which machine a vector drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Machine {
    /// None: the vector is not packed.
    NotPacked = 0,
    /// The front end.
    FrontEnd = 1,
    /// LaPerm alone.
    LaPerm = 2,
    /// The occupancy-bubble controller alone.
    Bubble = 3,
    /// The dependency-graph buffer alone, and what comes with it.
    Dgb = 4,
}

impl Machine {
    /// Every machine, and its name in C.
    pub const ALL: &[(Self, &str)] = &[
        (Self::NotPacked, "NOT_PACKED"),
        (Self::FrontEnd, "FRONTEND"),
        (Self::LaPerm, "LAPERM"),
        (Self::Bubble, "BUBBLE"),
        (Self::Dgb, "DGB"),
    ];

    /// The machine with this number.
    #[must_use]
    pub fn of(number: u8) -> Option<Self> {
        Self::ALL.iter().map(|(machine, _)| *machine).find(|machine| *machine as u8 == number)
    }
}
