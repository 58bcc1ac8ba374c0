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
    /// Front end: tag (u64).
    Refilled = 0x27 "REFILLED";
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
    /// Front end: nothing. Answers the word of the KMU.
    Begin = 0x28 "BEGIN";
    /// Front end: nothing. Answers every offer.
    Offers = 0x29 "OFFERS";
    /// Front end: offer.
    Load = 0x2a "LOAD";
    /// Front end: offer, SMX. Answers what was sent.
    Send = 0x2b "SEND";
    /// Front end: offer, TB. Answers the name of the piece.
    Split = 0x30 "SPLIT";
    /// Front end: whether there is a cycle, cycle (u64). Answers the word of the scheduler.
    End = 0x2c "END";
    /// Front end: cycle (u64). Answers how many cycles went by (u64).
    Skip = 0x2d "SKIP";
    /// Front end: nothing. Answers the cycle or 2^64-1.
    NextEvent = 0x2e "NEXT_EVENT";
    /// Front end: nothing.
    Save = 0x2f "SAVE";
    /// Front end: stream, retain, kernel.
    HostLaunchDependent = 0x31 "HOST_LAUNCH_DEPENDENT";
    /// Front end: stream, retain, kernel, graph.
    HostLaunchGraphDependent = 0x32 "HOST_LAUNCH_GRAPH_DEPENDENT";
    /// Front end: stream, retain, kernel, graph, the second kernel, whether they are dependents.
    HostLaunchCross = 0x33 "HOST_LAUNCH_CROSS";
    /// Front end: a list of (kernel, retain), a list of (from, to, kind). Answers the graph.
    KgraphDefine = 0x34 "KGRAPH_DEFINE";
    /// Front end: graph, stream.
    KgraphLaunch = 0x35 "KGRAPH_LAUNCH";
    /// Front end: graph.
    KgraphDestroy = 0x36 "KGRAPH_DESTROY";
    /// Front end: SMX, slot, a list of (kernel, stream).
    DeviceLaunchNamed = 0x37 "DEVICE_LAUNCH_NAMED";
    /// Front end: SMX, slot.
    TbTrigger = 0x38 "TB_TRIGGER";
    /// Front end: SMX, slot.
    TbWait = 0x39 "TB_WAIT";
    /// Front end: stream, context or 2^32-1, priority or 2^32-1.
    SetStream = 0x3a "SET_STREAM";
    /// Front end: context, what it is given.
    SetContext = 0x3b "SET_CONTEXT";
    /// Front end: set of SMXs, whose TBs. Answers the request.
    Drain = 0x3c "DRAIN";
    /// Front end: request.
    ReleaseDrain = 0x3d "RELEASE_DRAIN";
    /// Front end: entry. Answers the cycle until which it is saved (u64).
    SaveKernel = 0x3e "SAVE_KERNEL";
    /// Front end: kernel, context. Answers clusters.
    MaxActiveClusters = 0x3f "MAX_ACTIVE_CLUSTERS";
    /// Front end: SMX. Answers its GPC.
    GpcOf = 0x1e "GPC_OF";

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
    /// LaPerm: now, tag (u64).
    LapRefilled = 0x47 "LAP_REFILLED";
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

    /// No machine's, execution time: configuration, inputs. All models answer a record, or the name (text) of the field to blame.
    ModelEstimate = 0xa0 "MODEL_ESTIMATE";
    /// No machine's, work-flow graph: configuration, a list of nodes, of arcs, of dependences.
    ModelWorkFlow = 0xa1 "MODEL_WORK_FLOW";
    /// No machine's: peak, bw, intensity (f64 each).
    ModelRoofline = 0xa2 "MODEL_ROOFLINE";
    /// No machine's: w, d, p (f64 each).
    ModelBrent = 0xa3 "MODEL_BRENT";
    /// No machine's: p, eps (f64 each).
    ModelInefficiency = 0xa4 "MODEL_INEFFICIENCY";
    /// No machine's: n (u64).
    ModelReductionTree = 0xa5 "MODEL_REDUCTION_TREE";
    /// No machine's: n, z, l (u64 each).
    ModelReductionIo = 0xa6 "MODEL_REDUCTION_IO";
    /// No machine's: n, z, l (f64 each).
    ModelMatmulIo = 0xa7 "MODEL_MATMUL_IO";
    /// No machine's: private caches.
    ModelQpBound = 0xa8 "MODEL_QP_BOUND";
    /// No machine's: traffic. Answers t (f64).
    ModelTMem = 0xa9 "MODEL_T_MEM";
    /// No machine's: machine and algorithm.
    ModelBalance = 0xaa "MODEL_BALANCE";
    /// No machine's: boxes.
    ModelUlist = 0xab "MODEL_ULIST";
    /// Coalescer: mask (u64), bytes per lane, [u64]. Answers whether it is coalesced, a list of segments.
    CoalescerAccess = 0xac "COALESCER_ACCESS";

    /// Reconvergence stack: pc, mask (u64).
    StackStart = 0xb0 "STACK_START";
    /// Reconvergence stack: pc.
    StackAdvance = 0xb1 "STACK_ADVANCE";
    /// Reconvergence stack: branch.
    StackBranch = 0xb2 "STACK_BRANCH";
    /// Reconvergence stack: mask (u64).
    StackExit = 0xb3 "STACK_EXIT";
    /// Scoreboard: warp, [u32], destination or 2^32-1, memory.
    ScoreboardIssue = 0xb4 "SCOREBOARD_ISSUE";
    /// Scoreboard: warp, register.
    ScoreboardWriteback = 0xb5 "SCOREBOARD_WRITEBACK";
    /// Scoreboard: warp.
    ScoreboardFlush = 0xb6 "SCOREBOARD_FLUSH";

    /// Stochastic hierarchy: seed (u64), runs, a list of warps, each an SM and a list of requests. Answers seed (u64), stores (u64), runs, tally and [u32] of each level, a list of sites.
    MonteSimulate = 0xb8 "MONTE_SIMULATE";
    /// Stochastic hierarchy: slots, a list of warps as of runs.
    MonteRun = 0xba "MONTE_RUN";
    /// Stochastic hierarchy: seed (u64).
    MonteStart = 0xbb "MONTE_START";
    /// Stochastic hierarchy: seed (u64), below (u64) or 0, run, how many. Answers [u64].
    MonteRng = 0xb9 "MONTE_RNG";

    /// Mascar: warp.
    MascarWarpStart = 0xc0 "MASCAR_WARP_START";
    /// Mascar: warp.
    MascarWarpExit = 0xc1 "MASCAR_WARP_EXIT";
    /// Mascar: warp, kind, ready, dep_load.
    MascarSetHead = 0xc2 "MASCAR_SET_HEAD";
    /// Mascar: cache, MSHRs, places.
    MascarL1State = 0xc3 "MASCAR_L1_STATE";
    /// Mascar: now, lsu_accept, comp_accept or 2^32-1.
    MascarPick = 0xc4 "MASCAR_PICK";
    /// Mascar: warp, requests, register.
    MascarLsuBegin = 0xc5 "MASCAR_LSU_BEGIN";
    /// Mascar: nothing.
    MascarLsuNext = 0xc6 "MASCAR_LSU_NEXT";
    /// Mascar: look-up, room, whether there is a request, request.
    MascarLsuReply = 0xc7 "MASCAR_LSU_REPLY";

    /// APOGEE: now, pc (u64), warp, verdict, a list of lanes. Answers what was decided, [u64] lines, a list of rows triggered.
    ApogeeLoad = 0xc8 "APOGEE_LOAD";
    /// APOGEE: now. Answers whether there is a request, and that.
    ApogeePfPop = 0xc9 "APOGEE_PF_POP";
    /// APOGEE: sent.
    ApogeePfReply = 0xca "APOGEE_PF_REPLY";
    /// APOGEE: row, generation, warp.
    ApogeePfFill = 0xcb "APOGEE_PF_FILL";
    /// APOGEE: threads.
    ApogeeSetThreads = 0xcc "APOGEE_SET_THREADS";
    /// APOGEE: nothing.
    ApogeeFlush = 0xcd "APOGEE_FLUSH";

    /// Equalizer's SM: now, w_cta, limit, keep. Answers target, requests.
    EqSmKernelStart = 0xd0 "EQ_SM_KERNEL_START";
    /// Equalizer's SM: now, block (u64). Answers slot, change.
    EqSmGrant = 0xd1 "EQ_SM_GRANT";
    /// Equalizer's SM: now.
    EqSmDeny = 0xd2 "EQ_SM_DENY";
    /// Equalizer's SM: now.
    EqSmRefill = 0xd3 "EQ_SM_REFILL";
    /// Equalizer's SM: now, slot. Answers block (u64), change.
    EqSmBlockEnd = 0xd4 "EQ_SM_BLOCK_END";
    /// Equalizer's SM: now, counts.
    EqSmSample = 0xd5 "EQ_SM_SAMPLE";
    /// Equalizer's SM: now, objective.
    EqSmSetObjective = 0xd6 "EQ_SM_SET_OBJECTIVE";
    /// Equalizer's SM: now.
    EqSmResync = 0xd7 "EQ_SM_RESYNC";
    /// Equalizer's SM: warp.
    EqSmClassify = 0xd8 "EQ_SM_CLASSIFY";
    /// Equalizer's SM: sums, samples, w_cta.
    EqSmDecide = 0xd9 "EQ_SM_DECIDE";
    /// Equalizer's frequency manager: now, SM, vote for SMs (i32), vote for memory (i32).
    EqFmVote = 0xda "EQ_FM_VOTE";
    /// Equalizer's frequency manager: now.
    EqFmClose = 0xdb "EQ_FM_CLOSE";
    /// Equalizer's frequency manager: now, SM, on.
    EqFmEnable = 0xdc "EQ_FM_ENABLE";
    /// Equalizer's frequency manager: now.
    EqFmLevels = 0xdd "EQ_FM_LEVELS";
    /// Equalizer's frequency manager: now.
    EqFmReset = 0xde "EQ_FM_RESET";

    /// TLP's types and targets: [u64].
    TlpCategorise = 0xe0 "TLP_CATEGORISE";
    /// TLP's types and targets: kernel, kernel, first.
    TlpStatic = 0xe1 "TLP_STATIC";
    /// TLP's types and targets: kernel.
    TlpMax = 0xe2 "TLP_MAX";
    /// TLP's types and targets: kernel, other kernel, n.
    TlpRemain = 0xe3 "TLP_REMAIN";
    /// TLP's SM: now, k, kernel.
    TlpSmAttach = 0xe4 "TLP_SM_ATTACH";
    /// TLP's SM: now, k.
    TlpSmDone = 0xe5 "TLP_SM_DONE";
    /// TLP's SM: now, whether the first has TBs, whether the second has.
    TlpSmDispatch = 0xe6 "TLP_SM_DISPATCH";
    /// TLP's SM: now, slot.
    TlpSmFinish = 0xe7 "TLP_SM_FINISH";
    /// TLP's SM: now, metrics.
    TlpSmSample = 0xe8 "TLP_SM_SAMPLE";
    /// TLP's SM: now, target of the first, of the second.
    TlpSmOverride = 0xe9 "TLP_SM_OVERRIDE";
    /// TLP's pool: type, preference, ready.
    TlpPoolAdd = 0xea "TLP_POOL_ADD";
    /// TLP's pool: entry.
    TlpPoolReady = 0xeb "TLP_POOL_READY";
    /// TLP's pool: nothing.
    TlpPoolPickPair = 0xec "TLP_POOL_PICK_PAIR";
    /// TLP's pool: type, preference.
    TlpPoolPickNext = 0xed "TLP_POOL_PICK_NEXT";
    /// LeftOver: needs, TBs.
    TlpLeftOverSubmit = 0xee "TLP_LEFT_OVER_SUBMIT";
    /// LeftOver: nothing.
    TlpLeftOverDispatch = 0xef "TLP_LEFT_OVER_DISPATCH";
    /// LeftOver: SM, kernel.
    TlpLeftOverFinish = 0xf0 "TLP_LEFT_OVER_FINISH";
    /// SMART-even: a list of jobs.
    TlpSmartEvenStart = 0xf1 "TLP_SMART_EVEN_START";
    /// SMART-even: nothing.
    TlpSmartEvenDispatch = 0xf2 "TLP_SMART_EVEN_DISPATCH";
    /// SMART-even: SM.
    TlpSmartEvenFinish = 0xf3 "TLP_SMART_EVEN_FINISH";
    /// SMC's search: most of the first, of the second.
    TlpSmcStart = 0xf4 "TLP_SMC_START";
    /// SMC's search: performance (u64).
    TlpSmcReport = 0xf5 "TLP_SMC_REPORT";

    /// A policy of the catalogue: what has ended.
    CatalogueDone = 0xf8 "CATALOGUE_DONE";
    /// A policy of the catalogue: row, unit (u64).
    CatalogueForget = 0xf9 "CATALOGUE_FORGET";
}

impl Op {
    /// The event with this code.
    #[must_use]
    pub fn of(code: u8) -> Option<Self> {
        OPS.iter().map(|(op, ..)| *op).find(|op| *op as u8 == code)
    }
}

/// Makes the enumeration and the table.
macro_rules! machines {
    ($($(#[doc = $doc:literal])* $Machine:ident = $number:literal $name:literal;)*) => {
        /// Which machine a vector drives.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[repr(u8)]
        pub enum Machine {
            $($(#[doc = $doc])* $Machine = $number,)*
        }

        impl Machine {
            /// Every machine, and its name in C.
            pub const ALL: &[(Self, &str)] = &[$((Self::$Machine, $name)),*];
        }
    };
}

machines! {
    /// None: the vector is not packed.
    NotPacked = 0 "NOT_PACKED";
    /// The front end.
    FrontEnd = 1 "FRONTEND";
    /// LaPerm alone.
    LaPerm = 2 "LAPERM";
    /// The occupancy-bubble controller alone.
    Bubble = 3 "BUBBLE";
    /// The dependency-graph buffer alone, and what comes with it.
    Dgb = 4 "DGB";
    /// None: analytical models, which are functions. There is no configuration.
    Functions = 5 "FUNCTIONS";
    /// A warp's reconvergence stack.
    Stack = 6 "STACK";
    /// The scoreboard of an SM.
    Scoreboard = 7 "SCOREBOARD";
    /// The stochastic memory hierarchy.
    Monte = 8 "MONTE";
    /// Mascar.
    Mascar = 9 "MASCAR";
    /// APOGEE.
    Apogee = 10 "APOGEE";
    /// Equalizer on an SM.
    EqualizerSm = 11 "EQUALIZER_SM";
    /// Equalizer's frequency manager.
    EqualizerFm = 12 "EQUALIZER_FM";
    /// TLP modulation: types of kernels and first targets, functions of a configuration.
    TlpFit = 13 "TLP_FIT";
    /// TLP modulation on an SM.
    TlpSm = 14 "TLP_SM";
    /// TLP modulation: the pool of kernels.
    TlpPool = 15 "TLP_POOL";
    /// TLP modulation: LeftOver.
    TlpLeftOver = 16 "TLP_LEFTOVER";
    /// TLP modulation: SMART-even.
    TlpSmartEven = 17 "TLP_SMART_EVEN";
    /// TLP modulation: SMC's search.
    TlpSmc = 18 "TLP_SMC";
    /// The coalescer, a function of a configuration.
    Coalescer = 19 "COALESCER";
}

impl Machine {
    /// The machine with this number.
    #[must_use]
    pub fn of(number: u8) -> Option<Self> {
        Self::ALL.iter().map(|(machine, _)| *machine).find(|machine| *machine as u8 == number)
    }
}
