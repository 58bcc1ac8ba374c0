//! Named refusals. A call that returns one has changed nothing.

use core::ffi::CStr;
use core::fmt;

/// A text without NUL as C reads it.
macro_rules! c_text {
    ($text:expr) => {
        match core::ffi::CStr::from_bytes_with_nul(concat!($text, "\0").as_bytes()) {
            Ok(text) => text,
            Err(_) => c"",
        }
    };
}
pub(crate) use c_text;

macro_rules! faults {
    ($($(#[$doc:meta])* $name:ident = $code:literal, $text:literal;)*) => {
        /// Why a call was refused (Faults of the sheets). The numbers are part of the C ABI and never change.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
        #[cfg_attr(feature = "defmt", derive(defmt::Format))]
        #[repr(u32)]
        pub enum Fault {
            $(#[doc = $text] $name = $code,)*
        }

        impl Fault {
            /// Every fault, in the order of its number.
            pub const ALL: &'static [Self] = &[$(Self::$name),*];

            /// The name as the sheets spell it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$name => stringify!($name),)* }
            }

            /// [`Fault::name`] for C.
            #[must_use]
            pub const fn c_name(self) -> &'static CStr {
                match self { $(Self::$name => c_text!(stringify!($name)),)* }
            }

            /// [`Fault::text`] for C.
            #[must_use]
            pub const fn c_text(self) -> &'static CStr {
                match self { $(Self::$name => c_text!($text),)* }
            }

            /// One sentence for a person.
            #[must_use]
            pub const fn text(self) -> &'static str {
                match self { $(Self::$name => $text,)* }
            }
        }
    };
}

faults! {
    BadConfig = 1, "a configuration value is out of its range";
    EmptyGrid = 2, "a grid dimension is 0";
    GridTooLarge = 3, "the grid exceeds 2^31-1 x 65535 x 65535 or 2^32-1 TBs in all";
    EmptyTb = 4, "a TB dimension is 0";
    TbTooBig = 5, "one TB needs more than a whole SMX";
    HwqFull = 6, "the hardware work queue of this stream is full";
    BadSmx = 7, "no such SMX";
    BadSlot = 8, "no such TB slot";
    NoTb = 9, "no TB is resident there";
    BadCount = 10, "a command carries 1 to `warp` launches, an instruction at most a request per thread";
    BadThread = 11, "the hardware thread index is beyond the SMX's threads";
    PendingLimit = 12, "too few free launch records for this command";
    BadKde = 13, "no such kernel distributor entry";
    NoKernel = 14, "no active kernel here";
    NotRetained = 15, "the entry is not retained";
    Retained = 16, "a retained kernel cannot be suspended";
    HasGroups = 17, "a kernel with live groups cannot be suspended";
    RestorePending = 18, "the kernel still has saved TBs to restore";
    NothingResident = 19, "the kernel has no resident TB";
    SyncDepth = 20, "the kernel is nested too deeply to synchronise";
    SuspFull = 21, "the list of suspended kernels is full";
    BadSusp = 22, "no such suspended kernel";
    AlreadyResumed = 23, "the kernel was resumed before";
    NoLoad = 24, "no scheduler waits for this group's information";
    TimeOverflow = 25, "the last cycle cannot be carried out";
    NoDgb = 26, "this machine has no dependency-graph buffer";
    GraphRetain = 27, "a kernel with a dependency graph cannot be retained";
    GraphSize = 28, "the grid has not as many TBs as the graph has nodes";
    BadGraphPolicy = 29, "the policy is LRR, or LVL with a bound from 0 to 65535";
    TooManyNodes = 30, "the graph has more than 65535 nodes";
    TooManyEdges = 31, "the graph has more than 2^31-1 edges";
    Misaligned = 32, "an array does not start at a multiple of the chunk, or an access not at one of its size";
    AddressOverflow = 33, "an array ends beyond the last address";
    NoDtbl = 34, "under LaPerm's model cdp the device launches kernels, not groups";
    GraphKernel = 35, "a kernel with a dependency graph cannot be suspended";
    NotGraph = 36, "the kernel has no dependency graph";
    NotRunning = 37, "this graph or node is not running";
    BubbleOwnsMask = 38, "the occupancy-bubble controller says which SMXs are eligible";
    BadMask = 39, "the mask names what does not exist";
    BadCap = 40, "the cap is above the TB slots, or `by` is above the cap";
    BadClass = 41, "no such class";
    ClassTaken = 42, "this pc belongs to another class";
    NoBubble = 43, "this machine has no occupancy-bubble controller";
    BadActivity = 44, "activity is one value from 0 to 1000 per SMX";
    BadUnit = 45, "no such dispatch unit";
    TurnWithLaperm = 46, "turns rule the FCFS controller's chains, which LaPerm replaces";
    LoadWithLaperm = 47, "loads of spilled groups rule the FCFS controller's chains, which LaPerm replaces";
    AgtWithLaperm = 48, "under LaPerm no group can miss an AGE";
    Queue0TooSmall = 49, "LaPerm's queue 0 holds fewer kernels than the kernel distributor";
    PoolTooSmall = 50, "LaPerm's pool holds fewer units than there can be";
    AheadWithLaperm = 51, "loads ahead rule the FCFS controller's chains, which LaPerm replaces";
    SameCycle = 61, "this cycle was carried out before";
    BadPriority = 62, "the priority is above the highest level";
    EmptyGroup = 63, "the kernel or group has no TBs";
    BadResources = 64, "a TB has threads and takes a slot";
    Queue0Full = 66, "the queue of host kernels is full";
    PoolFull = 67, "the lists in memory are full";
    ReleaseUnderflow = 68, "more would be free on the SMX than it has";
    WrongModel = 69, "this model has no such unit";
    NotEligible = 90, "the SMX takes no TBs now";
    NoFit = 91, "the SMX has no room for this TB";
    OffSample = 92, "samples are exactly one sampling period apart";
    Busy = 100, "what runs there has not ended";
    EmptyGraph = 101, "the graph has no nodes";
    NotLaunched = 102, "no graph is running";
    StaleTag = 103, "no request of this kind is in flight under this tag";
    BadLength = 104, "the answer has not as many entries as were asked for";
    BadGraph = 105, "the graph holds a node that cannot be";
    BadEdge = 106, "the edge array leads to node 0 or to no node";
    GraphFault = 107, "the graph's memory contradicts itself; abort it";
    SelfDependency = 110, "a TB depends on itself";
    EdgeStorageFull = 111, "there is no room for another edge";
    PolicyConflict = 112, "another policy was asked for before";
    Cycle = 113, "the dependencies go round in a circle";
    GraphComplete = 114, "every TB of the grid has had its turn";
    TimeBackwards = 120, "the cycle lies before that of an earlier event";
    SampleMissed = 121, "a sample is due before this event";
    BadKernel = 122, "the kernel has no warps or blocks, or more than the SM holds";
    UnsolicitedGrant = 123, "no block was asked for";
    UnsolicitedDeny = 124, "no block was asked for that could be denied";
    DuplicateBlock = 125, "a block of this number is resident";
    SlotEmpty = 126, "no block is in this slot";
    NotDue = 127, "the next sample is not due in this cycle";
    BadSample = 128, "the counts of the sample contradict each other";
    BadObjective = 129, "the objective is performance or energy";
    BadSm = 130, "no such SM";
    NotEnabled = 131, "this SM does not vote";
    BadVote = 132, "a vote is one step down, none, or one step up";
    AlreadyVoted = 133, "this SM has voted in this round";
    RoundOpen = 134, "votes of this round are in";
    BadWarp = 140, "no such warp";
    WarpNotResident = 141, "no warp is resident there";
    WarpResident = 142, "a warp is resident there";
    WarpHasRequests = 143, "the warp has requests in the queue or the LSU";
    BadHead = 144, "this kind of instruction cannot have these operands";
    BadSource = 145, "no such cache";
    BadOccupancy = 146, "more MSHRs or places are taken than the cache has";
    LsuNotAwaiting = 147, "the LSU waits for no instruction";
    WrongWarp = 148, "the LSU waits for an instruction of another warp";
    BadRegister = 149, "no such destination";
    ReplyPending = 150, "the last request has not been answered";
    NoReplyPending = 151, "no request waits for an answer";
    BadReply = 152, "no such answer";
    BadRequest = 153, "the request names no thread, or an offset beyond its segment";
    PcRange = 160, "the PC is wider than the table's";
    NoActiveLanes = 161, "a load has at least one active thread";
    BadLanes = 162, "the threads are not ascending lanes of one warp";
    AddressRange = 163, "the address is wider than the table's";
    BadResult = 164, "no such answer of the cache";
    BadEntry = 165, "no such row of the prefetch table";
    BadThreads = 166, "an SM has 1 to 65535 threads";
    BadArg = 180, "an argument is out of its range";
    SlotBusy = 182, "a kernel is attached under this index";
    NotLive = 184, "no kernel is attached under this index";
    KernelStillResident = 185, "TBs of the kernel are resident";
    NotPaired = 186, "there are not two kernels";
    DoesNotFit = 187, "these TBs do not fit an SMX together";
    NoSampleDue = 188, "no period has ended";
    BadMetrics = 189, "more was counted than a period can hold";
    BadProfile = 190, "a profile has 1 to 32 values";
    BadIndex = 191, "no kernel is in this entry";
    QueueFull = 192, "the queue of kernels is full";
    NotResident = 193, "no TB is resident there that could end";
    TooFewSms = 194, "there are fewer SMs than kernels";
    NoProposal = 195, "no proposal waits for a report";
    NotFinite = 210, "an input is not a number, or infinite";
    Negative = 211, "an input is negative";
    ZeroInput = 212, "an input must not be 0";
    OutOfRange = 213, "an input is out of its range";
    Overflow = 214, "a result is larger than a number can be";
    DepthExceedsWork = 215, "the depth is greater than the work";
    NotPow2 = 216, "an input is not a power of two";
    BadOrder = 217, "the sizes are not in descending order";
    WarpDone = 218, "all lanes of the warp have exited";
    BadPc = 219, "this PC means none";
    StackOverflow = 220, "the reconvergence stack has no room";
    BadSize = 221, "an access has 1, 2, 4, 8 or 16 bytes";
    AddressWrap = 222, "an access ends beyond the last address";
    BadReg = 223, "no such register";
    NotPending = 224, "the register is not pending";
    TooBig = 225, "more nodes, arcs or dependences than there is room for";
    BadWeight = 226, "the weight of a node is out of its range";
    NotTopological = 227, "an arc or dependence does not lead to a later node";
    BadFraction = 228, "the fractions of warps that leave a node are no parts of one";
    BadDependence = 229, "a dependence begins at a node that is no global memory access";
    BadSite = 230, "no such site";
    TooManyRequests = 231, "more requests than the scratch queue holds";
    Told = 240, "the host decides which TB goes where: its cycle has a begin and an end";
    NotTold = 241, "the policy of this front end is not the host's";
    MidCycle = 242, "a cycle was begun and has not ended";
    TwiceBegun = 243, "the cycle was begun before";
    NotBegun = 244, "no cycle was begun";
    BadOffer = 245, "nothing is offered under this name";
    NotHere = 246, "the information of the offered group is not here";
    NoNode = 247, "the offered dependency graph has no node to send";
    ClosedK = 248, "gate K: the kernel's class has its share of this SMX";
    ClosedR = 249, "R: the SMX has no room for the offered TB";
    ClosedE = 250, "gate E: the SMX is not eligible";
    ClosedX = 251, "gate X: the SMX holds as many TBs as it may";
    ClosedM = 252, "gate M: the SMX holds TBs of another key";
    CycleFull = 253, "as many TBs were sent in this cycle as may be";
    BadWake = 254, "the host has to wake in a later cycle than this one";
    ChainOnly = 255, "this parameter rules chains, which the host has replaced by free units";
    FreeOnly = 256, "this parameter rules free units, and chains send in order";
    NoSplit = 257, "what is unsent of this offer cannot be split there";
    SplitFull = 258, "no row for another piece of a unit is free";
    Split = 259, "a kernel cannot be suspended while what is unsent of it is in pieces";
    NoTopology = 270, "the machine does not say which GPC each SMX lies in";
    TopologySize = 271, "the GPCs do not hold as many SMXs as there are";
    NoClusters = 272, "this machine has no clusters of TBs";
    ClusterGroup = 273, "a group has no clusters";
    ClusterGraph = 274, "a kernel with a dependency graph has no clusters";
    EmptyCluster = 275, "a dimension of the cluster is 0";
    ClusterTooBig = 276, "the cluster has more TBs than may be";
    ClusterGrid = 277, "a dimension of the grid is no multiple of the cluster's";
    TbOverQuota = 278, "one TB has more threads than the context may have";
    ClusterNever = 279, "no GPC of the context could ever hold the cluster";
    NoPriority = 280, "streams of this machine have no priorities";
    NoPartition = 282, "this machine has no contexts";
    BadContext = 283, "no such context, or it has no SMXs";
    BadStream = 284, "no such stream: one below n_stream can be given a context or a priority, and a device launch is fired and forgotten or a tail launch";
    StreamBusy = 285, "a kernel of the stream is queued, in the distributor or suspended";
    ContextBusy = 286, "a kernel or group of the context is there";
    BadSet = 287, "the set of SMXs is empty, names what does not exist, or has not a size that may be";
    MigSplit = 288, "with MIG a context has whole GPCs";
    MigOverlap = 289, "with MIG contexts share no GPC";
    BadQuota = 290, "a share is 1 to 100 percent";
    BadLimit = 291, "a context may hold 1 to n_kde entries";
    NoPreempt = 292, "this machine does not preempt";
    BadDrain = 293, "no such request";
    DrainFull = 294, "there are as many requests as may be";
    Saving = 295, "the kernel is being saved";
    ClusterWithLaperm = 296, "LaPerm sends single TBs";
    PriorityWithLaperm = 297, "LaPerm has priorities of its own";
    PartitionWithLaperm = 298, "LaPerm binds TBs to SMXs by itself";
    PreemptWithLaperm = 299, "LaPerm's queues know no SMXs that are drained";
    ClusterWithBubble = 300, "the controller's sample asks for an SMX that could take one TB";
    ClusterWithTold = 301, "a host that decides is offered single TBs";
    PriorityWithTold = 302, "a host that decides has the line in its own order";
    PartitionWithTold = 303, "a host that decides says itself whose an SMX is";
    PreemptWithTold = 304, "a host that decides says itself who may be on an SMX";
    NoCdp2 = 310, "this machine launches kernels into no named streams";
    DepthLimit = 311, "the kernel would be nested too deeply";
    NoJoin = 312, "here no kernel waits for its children";
    Launch2WithLaperm = 313, "LaPerm's queues have no place for kernels that wait for another one's end";
    NoPdl = 314, "on this machine no kernel starts before the one in front of it is complete";
    AlreadyWaiting = 315, "the TB waits already";
    TbWaiting = 316, "the TB waits for the kernel in front of its own";
    Opened = 317, "the kernel is open: what follows it may have started";
    PdlKernel = 318, "the kernel is open, or follows one that is not complete";
    NoKgraph = 319, "this machine has no kernel graphs";
    KgraphFull = 320, "every number for a kernel graph is in use";
    EmptyKgraph = 321, "a kernel graph has a kernel";
    KgraphSize = 322, "the kernel graph has more kernels or edges than there is room for";
    KgraphEdge = 323, "the edge leads from or to no kernel, to where it comes from, is there already, or is of no kind";
    BadPdlEdge = 324, "on this machine no kernel starts before the one that it depends on is complete";
    KgraphCycle = 325, "kernels of the kernel graph wait for each other";
    BadKgraph = 326, "no such kernel graph";
    KgraphBusy = 327, "the kernel graph waits to run, or runs";
    NoCross = 328, "on this machine no two kernels share a dependency graph";
    BadParts = 329, "two kernels that share a graph must each have nodes of it";
}

impl Fault {
    /// The number of this fault, from 1.
    #[must_use]
    pub const fn code(self) -> u32 {
        self as u32
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl core::error::Error for Fault {}
