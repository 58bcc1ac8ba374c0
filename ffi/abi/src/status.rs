//! Status codes: what every function of the C ABI returns.
//!
//! A fault of the sheets has its own number, from 1; a mistake of the caller has one from 1000; what is wrong with a saved image
//! has one from 1100. Numbers never change and are never used again.

use core::ffi::{CStr, c_char};

use gpusched::{BuildError, Fault};

/// The result of a call. Whatever is not OK has changed nothing, except where a function says otherwise.
///
/// The values up to 999 are the faults of the models: the hardware, or the rules of its use, refuse. Those from 1000 are mistakes
/// in the call. Compare with the names; gpusched_status_str gives the name and gpusched_status_text a sentence.
#[repr(u32)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum gpusched_status {
    /// Done.
    Ok = 0,
    /// A configuration value is out of its range.
    BadConfig = 1,
    /// A grid dimension is 0.
    EmptyGrid = 2,
    /// The grid exceeds 2^31-1 x 65535 x 65535 or 2^32-1 TBs in all.
    GridTooLarge = 3,
    /// A TB dimension is 0.
    EmptyTb = 4,
    /// One TB needs more than a whole SMX.
    TbTooBig = 5,
    /// The hardware work queue of this stream is full.
    HwqFull = 6,
    /// No such SMX.
    BadSmx = 7,
    /// No such TB slot.
    BadSlot = 8,
    /// No TB is resident there.
    NoTb = 9,
    /// A command carries 1 to `warp` launches, an instruction at most a request per thread.
    BadCount = 10,
    /// The hardware thread index is beyond the SMX's threads.
    BadThread = 11,
    /// Too few free launch records for this command.
    PendingLimit = 12,
    /// No such kernel distributor entry.
    BadKde = 13,
    /// No active kernel here.
    NoKernel = 14,
    /// The entry is not retained.
    NotRetained = 15,
    /// A retained kernel cannot be suspended.
    Retained = 16,
    /// A kernel with live groups cannot be suspended.
    HasGroups = 17,
    /// The kernel still has saved TBs to restore.
    RestorePending = 18,
    /// The kernel has no resident TB.
    NothingResident = 19,
    /// The kernel is nested too deeply to synchronise.
    SyncDepth = 20,
    /// The list of suspended kernels is full.
    SuspFull = 21,
    /// No such suspended kernel.
    BadSusp = 22,
    /// The kernel was resumed before.
    AlreadyResumed = 23,
    /// No scheduler waits for this group's information.
    NoLoad = 24,
    /// The last cycle cannot be carried out.
    TimeOverflow = 25,
    /// This machine has no dependency-graph buffer.
    NoDgb = 26,
    /// A kernel with a dependency graph cannot be retained.
    GraphRetain = 27,
    /// The grid has not as many TBs as the graph has nodes.
    GraphSize = 28,
    /// The policy is LRR, or LVL with a bound from 0 to 65535.
    BadGraphPolicy = 29,
    /// The graph has more than 65535 nodes.
    TooManyNodes = 30,
    /// The graph has more than 2^31-1 edges.
    TooManyEdges = 31,
    /// An array does not start at a multiple of the chunk, or an access not at one of its size.
    MisalignedArray = 32,
    /// An array ends beyond the last address.
    AddressOverflow = 33,
    /// Under LaPerm's model cdp the device launches kernels, not groups.
    NoDtbl = 34,
    /// A kernel with a dependency graph cannot be suspended.
    GraphKernel = 35,
    /// The kernel has no dependency graph.
    NotGraph = 36,
    /// This graph or node is not running.
    NotRunning = 37,
    /// The occupancy-bubble controller says which SMXs are eligible.
    BubbleOwnsMask = 38,
    /// The mask names what does not exist.
    BadMask = 39,
    /// The cap is above the TB slots, or `by` is above the cap.
    BadCap = 40,
    /// No such class.
    BadClass = 41,
    /// This pc belongs to another class.
    ClassTaken = 42,
    /// This machine has no occupancy-bubble controller.
    NoBubble = 43,
    /// Activity is one value from 0 to 1000 per SMX.
    BadActivity = 44,
    /// No such dispatch unit.
    BadUnit = 45,
    /// Turns rule the FCFS controller's chains, which LaPerm replaces.
    TurnWithLaperm = 46,
    /// Loads of spilled groups rule the FCFS controller's chains, which LaPerm replaces.
    LoadWithLaperm = 47,
    /// Under LaPerm no group can miss an AGE.
    AgtWithLaperm = 48,
    /// LaPerm's queue 0 holds fewer kernels than the kernel distributor.
    Queue0TooSmall = 49,
    /// LaPerm's pool holds fewer units than there can be.
    PoolTooSmall = 50,
    /// Loads ahead rule the FCFS controller's chains, which LaPerm replaces.
    AheadWithLaperm = 51,
    /// The cycle lies before that of an earlier call.
    TimeReversed = 60,
    /// This cycle was carried out before.
    SameCycle = 61,
    /// The priority is above the deepest level.
    BadPriority = 62,
    /// The kernel or group has no TBs.
    EmptyGroup = 63,
    /// A TB has threads and takes a slot.
    BadResources = 64,
    /// A TB needs more than an empty SMX has.
    NeverFits = 65,
    /// The queue of host kernels is full.
    Queue0Full = 66,
    /// The lists in memory are full.
    PoolFull = 67,
    /// More would be free on the SMX than it has.
    ReleaseUnderflow = 68,
    /// This model has no such unit.
    WrongModel = 69,
    /// The SMX takes no TBs now.
    NotEligible = 90,
    /// The SMX has no room for this TB.
    NoFit = 91,
    /// Samples are exactly one sampling period apart.
    OffSample = 92,
    /// What runs there has not ended.
    Busy = 100,
    /// The graph has no nodes.
    EmptyGraph = 101,
    /// No graph is running.
    NotLaunched = 102,
    /// No request of this kind is in flight under this tag.
    StaleTag = 103,
    /// The answer has not as many entries as were asked for.
    BadLength = 104,
    /// The graph holds a node that cannot be.
    BadGraph = 105,
    /// The edge array leads to node 0 or to no node.
    BadEdge = 106,
    /// The graph's memory contradicts itself; abort it.
    GraphFault = 107,
    /// A TB depends on itself.
    SelfDependency = 110,
    /// There is no room for another edge.
    EdgeStorageFull = 111,
    /// Another policy was asked for before.
    PolicyConflict = 112,
    /// The dependencies go round in a circle.
    Cycle = 113,
    /// Every TB of the grid has had its turn.
    GraphComplete = 114,
    /// The cycle lies before that of an earlier event.
    TimeBackwards = 120,
    /// A sample is due before this event.
    SampleMissed = 121,
    /// The kernel has no warps or blocks, or more than the SM holds.
    BadKernel = 122,
    /// No block was asked for.
    UnsolicitedGrant = 123,
    /// No block was asked for that could be denied.
    UnsolicitedDeny = 124,
    /// A block of this number is resident.
    DuplicateBlock = 125,
    /// No block is in this slot.
    SlotEmpty = 126,
    /// The next sample is not due in this cycle.
    NotDue = 127,
    /// The counts of the sample contradict each other.
    BadSample = 128,
    /// The objective is performance or energy.
    BadObjective = 129,
    /// No such SM.
    BadSm = 130,
    /// This SM does not vote.
    NotEnabled = 131,
    /// A vote is one step down, none, or one step up.
    BadVote = 132,
    /// This SM has voted in this round.
    AlreadyVoted = 133,
    /// Votes of this round are in.
    RoundOpen = 134,
    /// No such warp.
    BadWarp = 140,
    /// No warp is resident there.
    WarpNotResident = 141,
    /// A warp is resident there.
    WarpResident = 142,
    /// The warp has requests in the queue or the LSU.
    WarpHasRequests = 143,
    /// This kind of instruction cannot have these operands.
    BadHead = 144,
    /// No such cache.
    BadSource = 145,
    /// More MSHRs or places are taken than the cache has.
    BadOccupancy = 146,
    /// The LSU waits for no instruction.
    LsuNotAwaiting = 147,
    /// The LSU waits for an instruction of another warp.
    WrongWarp = 148,
    /// No such destination.
    BadRegister = 149,
    /// The last request has not been answered.
    ReplyPending = 150,
    /// No request waits for an answer.
    NoReplyPending = 151,
    /// No such answer.
    BadReply = 152,
    /// The request names no thread, or an offset beyond its segment.
    BadRequest = 153,
    /// The PC is wider than the table's.
    PcRange = 160,
    /// A load has at least one active thread.
    NoActiveLanes = 161,
    /// The threads are not ascending lanes of one warp.
    BadLanes = 162,
    /// The address is wider than the table's.
    AddressRange = 163,
    /// No such answer of the cache.
    BadResult = 164,
    /// No such row of the prefetch table.
    BadEntry = 165,
    /// An SM has 1 to 65535 threads.
    BadThreads = 166,
    /// An argument is out of its range.
    BadArg = 180,
    /// The cycle lies before that of an earlier event.
    TimeRegress = 181,
    /// A kernel is attached under this index.
    SlotBusy = 182,
    /// An empty SMX does not hold one TB of the kernel.
    KernelTooBig = 183,
    /// No kernel is attached under this index.
    NotLive = 184,
    /// TBs of the kernel are resident.
    KernelStillResident = 185,
    /// There are not two kernels.
    NotPaired = 186,
    /// These TBs do not fit an SMX together.
    DoesNotFit = 187,
    /// No period has ended.
    NoSampleDue = 188,
    /// More was counted than a period can hold.
    BadMetrics = 189,
    /// A profile has 1 to 32 values.
    BadProfile = 190,
    /// No kernel is in this entry.
    BadPoolIndex = 191,
    /// The queue of kernels is full.
    QueueFull = 192,
    /// No TB is resident there that could end.
    NotResident = 193,
    /// There are fewer SMs than kernels.
    TooFewSms = 194,
    /// No proposal waits for a report.
    NoProposal = 195,
    /// An input is not a number, or infinite.
    NotFinite = 210,
    /// An input is negative.
    Negative = 211,
    /// An input must not be 0.
    ZeroInput = 212,
    /// An input is out of its range.
    OutOfRange = 213,
    /// A result is larger than a number can be.
    Overflow = 214,
    /// The depth is greater than the work.
    DepthExceedsWork = 215,
    /// An input is not a power of two.
    NotPow2 = 216,
    /// The sizes are not in descending order.
    BadOrder = 217,
    /// All lanes of the warp have exited.
    WarpDone = 218,
    /// This PC means none.
    BadPc = 219,
    /// The reconvergence stack has no room.
    StackOverflow = 220,
    /// An access has 1, 2, 4, 8 or 16 bytes.
    BadSize = 221,
    /// An access ends beyond the last address.
    AddressWrap = 222,
    /// No such register.
    BadReg = 223,
    /// The register is not pending.
    NotPending = 224,
    /// More nodes, arcs or dependences than there is room for.
    TooBig = 225,
    /// The weight of a node is out of its range.
    BadWeight = 226,
    /// An arc or dependence does not lead to a later node.
    NotTopological = 227,
    /// The fractions of warps that leave a node are no parts of one.
    BadFraction = 228,
    /// A dependence begins at a node that is no global memory access.
    BadDependence = 229,
    /// No such site.
    BadSite = 230,
    /// More requests than the scratch queue holds.
    TooManyRequests = 231,
    /// A pointer is null.
    Null = 1000,
    /// A pointer is not aligned.
    Misaligned = 1001,
    /// The storage is smaller than the layout of this configuration.
    StorageTooSmall = 1002,
    /// The storage holds no object.
    NotInitialised = 1003,
    /// The storage holds an object of another type.
    WrongType = 1004,
    /// The object was made by a library of another ABI version.
    WrongVersion = 1005,
    /// The object was copied or moved; it lives only where it was initialised.
    Moved = 1006,
    /// struct_size is not the size of this struct in any version that this library knows.
    BadStructSize = 1007,
    /// More than the caller's array or any memory can hold.
    Capacity = 1008,
    /// Too many decisions wait to be read; read them, then call again.
    Unread = 1009,
    /// No such row.
    BadIndex = 1010,
    /// Not a value of this enumeration.
    BadEnum = 1011,
    /// The buffer is smaller than the image.
    ImageTooSmall = 1100,
    /// The image ends too early.
    ImageTruncated = 1101,
    /// These bytes are not an image.
    NotAnImage = 1102,
    /// The image is of another type of object.
    ImageWrongType = 1103,
    /// The image has a form that this library does not know.
    ImageWrongVersion = 1104,
    /// The image is damaged: its checksum does not fit.
    ImageCorrupted = 1105,
    /// The image holds what no machine can be in.
    ImageContent = 1106,
    /// The image is of a machine with another configuration.
    ImageOther = 1107,
}

use gpusched_status as Status;

macro_rules! faults {
    ($($fault:ident $(= $status:ident)?)*) => {
        impl From<Fault> for Status {
            #[inline]
            fn from(fault: Fault) -> Self {
                match fault {
                    $(Fault::$fault => status_of!($fault $($status)?),)*
                }
            }
        }
    };
}

/// The status of a fault, which has another name in C if that is taken there.
macro_rules! status_of {
    ($fault:ident) => {
        Self::$fault
    };
    ($fault:ident $status:ident) => {
        Self::$status
    };
}

faults! {
    BadConfig EmptyGrid GridTooLarge EmptyTb TbTooBig HwqFull BadSmx BadSlot NoTb BadCount BadThread
    PendingLimit BadKde NoKernel NotRetained Retained HasGroups RestorePending NothingResident SyncDepth
    SuspFull BadSusp AlreadyResumed NoLoad TimeOverflow BadMask BadCap BadClass ClassTaken NoBubble BadActivity
    BadUnit NoDtbl BubbleOwnsMask TurnWithLaperm LoadWithLaperm AgtWithLaperm AheadWithLaperm Queue0TooSmall PoolTooSmall TimeReversed SameCycle BadPriority EmptyGroup BadResources NeverFits Queue0Full PoolFull
    ReleaseUnderflow WrongModel NotEligible NoFit OffSample NoDgb GraphRetain GraphSize BadGraphPolicy TooManyNodes
    TooManyEdges Misaligned = MisalignedArray AddressOverflow GraphKernel NotGraph NotRunning Busy EmptyGraph NotLaunched
    StaleTag BadLength BadGraph BadEdge GraphFault SelfDependency EdgeStorageFull PolicyConflict Cycle GraphComplete
    TimeBackwards SampleMissed BadKernel UnsolicitedGrant UnsolicitedDeny DuplicateBlock SlotEmpty NotDue BadSample
    BadObjective BadSm NotEnabled BadVote AlreadyVoted RoundOpen BadWarp WarpNotResident WarpResident WarpHasRequests
    BadHead BadSource BadOccupancy LsuNotAwaiting WrongWarp BadRegister ReplyPending NoReplyPending BadReply
    BadRequest PcRange NoActiveLanes BadLanes AddressRange BadResult BadEntry BadThreads
    BadArg TimeRegress SlotBusy KernelTooBig NotLive KernelStillResident NotPaired DoesNotFit NoSampleDue BadMetrics
    BadProfile BadIndex = BadPoolIndex QueueFull NotResident TooFewSms NoProposal NotFinite Negative ZeroInput
    OutOfRange Overflow DepthExceedsWork NotPow2 BadOrder WarpDone BadPc StackOverflow BadSize AddressWrap BadReg
    NotPending TooBig BadWeight NotTopological BadFraction BadDependence BadSite TooManyRequests
}

impl From<BuildError> for Status {
    fn from(error: BuildError) -> Self {
        match error {
            BuildError::Config(error) => error.fault.into(),
            BuildError::Tables(_) => Self::StorageTooSmall,
        }
    }
}

/// Name and text of the statuses that are not faults of the models.
const OTHERS: &[(Status, &CStr, &CStr)] = &[
    (Status::Ok, c"Ok", c"done"),
    (Status::Null, c"Null", c"a pointer is null"),
    (Status::Misaligned, c"Misaligned", c"a pointer is not aligned"),
    (Status::StorageTooSmall, c"StorageTooSmall", c"the storage is smaller than the layout of this configuration"),
    (Status::NotInitialised, c"NotInitialised", c"the storage holds no object"),
    (Status::WrongType, c"WrongType", c"the storage holds an object of another type"),
    (Status::WrongVersion, c"WrongVersion", c"the object was made by a library of another ABI version"),
    (Status::Moved, c"Moved", c"the object was copied or moved; it lives only where it was initialised"),
    (
        Status::BadStructSize,
        c"BadStructSize",
        c"struct_size is not the size of this struct in any version that this library knows",
    ),
    (Status::Capacity, c"Capacity", c"more than the caller's array or any memory can hold"),
    (Status::Unread, c"Unread", c"too many decisions wait to be read; read them, then call again"),
    (Status::BadIndex, c"BadIndex", c"no such row"),
    (Status::BadEnum, c"BadEnum", c"not a value of this enumeration"),
    (Status::ImageTooSmall, c"ImageTooSmall", c"the buffer is smaller than the image"),
    (Status::ImageTruncated, c"ImageTruncated", c"the image ends too early"),
    (Status::NotAnImage, c"NotAnImage", c"these bytes are not an image"),
    (Status::ImageWrongType, c"ImageWrongType", c"the image is of another type of object"),
    (Status::ImageWrongVersion, c"ImageWrongVersion", c"the image has a form that this library does not know"),
    (Status::ImageCorrupted, c"ImageCorrupted", c"the image is damaged: its checksum does not fit"),
    (Status::ImageContent, c"ImageContent", c"the image holds what no machine can be in"),
    (Status::ImageOther, c"ImageOther", c"the image is of a machine with another configuration"),
];

fn describe(status: u32) -> (&'static CStr, &'static CStr) {
    let fault = || Fault::ALL.iter().find(|f| f.code() == status).map(|f| (f.c_name(), f.c_text()));
    let other = || OTHERS.iter().find(|&&(s, ..)| s as u32 == status).map(|&(_, name, text)| (name, text));
    fault().or_else(other).unwrap_or((c"Unknown", c"no status has this number"))
}

/// The name of a status as the sheets spell it, such as "BadSmx"; "Ok" for 0; "Unknown" for a number that is none. The text is
/// static and shared by all threads.
#[unsafe(no_mangle)]
pub extern "C" fn gpusched_status_str(status: u32) -> *const c_char {
    describe(status).0.as_ptr()
}

/// One sentence about a status, for people. The text is static and shared by all threads.
#[unsafe(no_mangle)]
pub extern "C" fn gpusched_status_text(status: u32) -> *const c_char {
    describe(status).1.as_ptr()
}

/// What a call returns.
#[inline]
pub(crate) fn status(result: Result<(), Status>) -> Status {
    match result {
        Ok(()) => Status::Ok,
        Err(status) => status,
    }
}
