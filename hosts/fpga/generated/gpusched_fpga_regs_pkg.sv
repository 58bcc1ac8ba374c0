// What the host program and the logic share: offsets in bytes, bits, words of entries.
// Generated from registers.toml by generate.py; do not edit.
package gpusched_fpga_regs_pkg;
// Users take what they need.
/* verilator lint_off UNUSEDPARAM */

// The map, in bytes
localparam int unsigned SPAN = 32'h4000;
localparam int unsigned ENTRY_WORDS = 32'h20;
localparam int unsigned ID = 32'h0;
localparam int unsigned ID_VALUE_LSB = 32'h0;
localparam int unsigned ID_VALUE_WIDTH = 32'h20;
localparam int unsigned ID_VALUE_RESET = 32'h47505343;
localparam int unsigned VERSION = 32'h4;
localparam int unsigned VERSION_MINOR_LSB = 32'h0;
localparam int unsigned VERSION_MINOR_WIDTH = 32'h10;
localparam int unsigned VERSION_MINOR_RESET = 32'h0;
localparam int unsigned VERSION_MAJOR_LSB = 32'h10;
localparam int unsigned VERSION_MAJOR_WIDTH = 32'h10;
localparam int unsigned VERSION_MAJOR_RESET = 32'h1;
localparam int unsigned CAPACITY = 32'h8;
localparam int unsigned CAPACITY_EVENTS_LSB = 32'h0;
localparam int unsigned CAPACITY_EVENTS_WIDTH = 32'h8;
localparam int unsigned CAPACITY_DECISIONS_LSB = 32'h8;
localparam int unsigned CAPACITY_DECISIONS_WIDTH = 32'h8;
localparam int unsigned CAPACITY_WORDS_LSB = 32'h10;
localparam int unsigned CAPACITY_WORDS_WIDTH = 32'h8;
localparam int unsigned CAPACITY_WORDS_RESET = 32'h20;
localparam int unsigned GEOMETRY = 32'hc;
localparam int unsigned GEOMETRY_SMXS_LSB = 32'h0;
localparam int unsigned GEOMETRY_SMXS_WIDTH = 32'h10;
localparam int unsigned GEOMETRY_SLOTS_LSB = 32'h10;
localparam int unsigned GEOMETRY_SLOTS_WIDTH = 32'h10;
localparam int unsigned CONTROL = 32'h10;
localparam int unsigned CONTROL_ENABLE_LSB = 32'h0;
localparam int unsigned CONTROL_ENABLE_WIDTH = 32'h1;
localparam int unsigned CONTROL_ENABLE_RESET = 32'h0;
localparam int unsigned ORIGIN = 32'h14;
localparam int unsigned ORIGIN_VALUE_LSB = 32'h0;
localparam int unsigned ORIGIN_VALUE_WIDTH = 32'h20;
localparam int unsigned ORIGIN_VALUE_RESET = 32'h0;
localparam int unsigned ERROR = 32'h18;
localparam int unsigned ERROR_EVENT_HEAD_LSB = 32'h0;
localparam int unsigned ERROR_EVENT_HEAD_WIDTH = 32'h1;
localparam int unsigned ERROR_EVENT_HEAD_RESET = 32'h0;
localparam int unsigned ERROR_DECISION_TAIL_LSB = 32'h1;
localparam int unsigned ERROR_DECISION_TAIL_WIDTH = 32'h1;
localparam int unsigned ERROR_DECISION_TAIL_RESET = 32'h0;
localparam int unsigned ERROR_DECISION_ENTRY_LSB = 32'h2;
localparam int unsigned ERROR_DECISION_ENTRY_WIDTH = 32'h1;
localparam int unsigned ERROR_DECISION_ENTRY_RESET = 32'h0;
localparam int unsigned ERROR_EVENT_LENGTH_LSB = 32'h3;
localparam int unsigned ERROR_EVENT_LENGTH_WIDTH = 32'h1;
localparam int unsigned ERROR_EVENT_LENGTH_RESET = 32'h0;
localparam int unsigned ERROR_BUS_LSB = 32'h4;
localparam int unsigned ERROR_BUS_WIDTH = 32'h1;
localparam int unsigned ERROR_BUS_RESET = 32'h0;
localparam int unsigned IRQ = 32'h1c;
localparam int unsigned IRQ_EVENT_LSB = 32'h0;
localparam int unsigned IRQ_EVENT_WIDTH = 32'h1;
localparam int unsigned IRQ_EVENT_RESET = 32'h0;
localparam int unsigned IRQ_ROOM_LSB = 32'h1;
localparam int unsigned IRQ_ROOM_WIDTH = 32'h1;
localparam int unsigned IRQ_ROOM_RESET = 32'h0;
localparam int unsigned IRQ_ERROR_LSB = 32'h2;
localparam int unsigned IRQ_ERROR_WIDTH = 32'h1;
localparam int unsigned IRQ_ERROR_RESET = 32'h0;
localparam int unsigned IRQ_ENABLE = 32'h20;
localparam int unsigned IRQ_ENABLE_EVENT_LSB = 32'h0;
localparam int unsigned IRQ_ENABLE_EVENT_WIDTH = 32'h1;
localparam int unsigned IRQ_ENABLE_EVENT_RESET = 32'h0;
localparam int unsigned IRQ_ENABLE_ROOM_LSB = 32'h1;
localparam int unsigned IRQ_ENABLE_ROOM_WIDTH = 32'h1;
localparam int unsigned IRQ_ENABLE_ROOM_RESET = 32'h0;
localparam int unsigned IRQ_ENABLE_ERROR_LSB = 32'h2;
localparam int unsigned IRQ_ENABLE_ERROR_WIDTH = 32'h1;
localparam int unsigned IRQ_ENABLE_ERROR_RESET = 32'h0;
localparam int unsigned DOORBELL = 32'h24;
localparam int unsigned DOORBELL_DECISION_LSB = 32'h0;
localparam int unsigned DOORBELL_DECISION_WIDTH = 32'h1;
localparam int unsigned DOORBELL_DECISION_RESET = 32'h0;
localparam int unsigned EVENT_TAIL = 32'h28;
localparam int unsigned EVENT_TAIL_VALUE_LSB = 32'h0;
localparam int unsigned EVENT_TAIL_VALUE_WIDTH = 32'h20;
localparam int unsigned EVENT_HEAD = 32'h2c;
localparam int unsigned EVENT_HEAD_VALUE_LSB = 32'h0;
localparam int unsigned EVENT_HEAD_VALUE_WIDTH = 32'h20;
localparam int unsigned DECISION_TAIL = 32'h30;
localparam int unsigned DECISION_TAIL_VALUE_LSB = 32'h0;
localparam int unsigned DECISION_TAIL_VALUE_WIDTH = 32'h20;
localparam int unsigned DECISION_HEAD = 32'h34;
localparam int unsigned DECISION_HEAD_VALUE_LSB = 32'h0;
localparam int unsigned DECISION_HEAD_VALUE_WIDTH = 32'h20;
localparam int unsigned CYCLE_LO = 32'h38;
localparam int unsigned CYCLE_LO_VALUE_LSB = 32'h0;
localparam int unsigned CYCLE_LO_VALUE_WIDTH = 32'h20;
localparam int unsigned CYCLE_HI = 32'h3c;
localparam int unsigned CYCLE_HI_VALUE_LSB = 32'h0;
localparam int unsigned CYCLE_HI_VALUE_WIDTH = 32'h20;
localparam int unsigned HOST_CYCLE_LO = 32'h40;
localparam int unsigned HOST_CYCLE_LO_VALUE_LSB = 32'h0;
localparam int unsigned HOST_CYCLE_LO_VALUE_WIDTH = 32'h20;
localparam int unsigned HOST_CYCLE_LO_VALUE_RESET = 32'h0;
localparam int unsigned HOST_CYCLE_HI = 32'h44;
localparam int unsigned HOST_CYCLE_HI_VALUE_LSB = 32'h0;
localparam int unsigned HOST_CYCLE_HI_VALUE_WIDTH = 32'h20;
localparam int unsigned HOST_CYCLE_HI_VALUE_RESET = 32'h0;
localparam int unsigned HOST_FAULT = 32'h48;
localparam int unsigned HOST_FAULT_STATUS_LSB = 32'h0;
localparam int unsigned HOST_FAULT_STATUS_WIDTH = 32'h20;
localparam int unsigned HOST_FAULT_STATUS_RESET = 32'h0;
localparam int unsigned HOST_FAULT_EVENT = 32'h4c;
localparam int unsigned HOST_FAULT_EVENT_NUMBER_LSB = 32'h0;
localparam int unsigned HOST_FAULT_EVENT_NUMBER_WIDTH = 32'h20;
localparam int unsigned HOST_FAULT_EVENT_NUMBER_RESET = 32'h0;
localparam int unsigned STALE_WRITES = 32'h50;
localparam int unsigned STALE_WRITES_COUNT_LSB = 32'h0;
localparam int unsigned STALE_WRITES_COUNT_WIDTH = 32'h20;
localparam int unsigned STALE_WRITES_COUNT_RESET = 32'h0;

// The rings
localparam int unsigned EVENTS = 32'h1000;
localparam int unsigned EVENTS_BYTES = 32'h1000;
localparam int unsigned DECISIONS = 32'h2000;
localparam int unsigned DECISIONS_BYTES = 32'h1000;

// Record EVENT: What every event begins with
localparam int unsigned EVENT_RECORD_WORDS = 32'h4;
localparam int unsigned EVENT_NUMBER_WORD = 32'h0;
localparam int unsigned EVENT_NUMBER_LSB = 32'h0;
localparam int unsigned EVENT_NUMBER_WIDTH = 32'h20;
localparam int unsigned EVENT_KIND_WORD = 32'h1;
localparam int unsigned EVENT_KIND_LSB = 32'h0;
localparam int unsigned EVENT_KIND_WIDTH = 32'h8;
localparam int unsigned EVENT_WORDS_WORD = 32'h1;
localparam int unsigned EVENT_WORDS_LSB = 32'h8;
localparam int unsigned EVENT_WORDS_WIDTH = 32'h8;
localparam int unsigned EVENT_MORE_WORD = 32'h1;
localparam int unsigned EVENT_MORE_LSB = 32'h10;
localparam int unsigned EVENT_MORE_WIDTH = 32'h1;
localparam int unsigned EVENT_ACK_WORD = 32'h1;
localparam int unsigned EVENT_ACK_LSB = 32'h11;
localparam int unsigned EVENT_ACK_WIDTH = 32'h1;
localparam int unsigned EVENT_CYCLE_WORD = 32'h2;

// Record KERNEL: A kernel or group, gpusched_kernel
localparam int unsigned KERNEL_RECORD_WORDS = 32'hd;
localparam int unsigned KERNEL_PC_WORD = 32'h0;
localparam int unsigned KERNEL_GRID_X_WORD = 32'h2;
localparam int unsigned KERNEL_GRID_X_LSB = 32'h0;
localparam int unsigned KERNEL_GRID_X_WIDTH = 32'h20;
localparam int unsigned KERNEL_GRID_Y_WORD = 32'h3;
localparam int unsigned KERNEL_GRID_Y_LSB = 32'h0;
localparam int unsigned KERNEL_GRID_Y_WIDTH = 32'h20;
localparam int unsigned KERNEL_GRID_Z_WORD = 32'h4;
localparam int unsigned KERNEL_GRID_Z_LSB = 32'h0;
localparam int unsigned KERNEL_GRID_Z_WIDTH = 32'h20;
localparam int unsigned KERNEL_TB_X_WORD = 32'h5;
localparam int unsigned KERNEL_TB_X_LSB = 32'h0;
localparam int unsigned KERNEL_TB_X_WIDTH = 32'h20;
localparam int unsigned KERNEL_TB_Y_WORD = 32'h6;
localparam int unsigned KERNEL_TB_Y_LSB = 32'h0;
localparam int unsigned KERNEL_TB_Y_WIDTH = 32'h20;
localparam int unsigned KERNEL_TB_Z_WORD = 32'h7;
localparam int unsigned KERNEL_TB_Z_LSB = 32'h0;
localparam int unsigned KERNEL_TB_Z_WIDTH = 32'h20;
localparam int unsigned KERNEL_REGS_WORD = 32'h8;
localparam int unsigned KERNEL_REGS_LSB = 32'h0;
localparam int unsigned KERNEL_REGS_WIDTH = 32'h20;
localparam int unsigned KERNEL_SMEM_WORD = 32'h9;
localparam int unsigned KERNEL_SMEM_LSB = 32'h0;
localparam int unsigned KERNEL_SMEM_WIDTH = 32'h20;
localparam int unsigned KERNEL_PARAM_WORD = 32'ha;
localparam int unsigned KERNEL_PARAM_LSB = 32'h0;
localparam int unsigned KERNEL_PARAM_WIDTH = 32'h20;
localparam int unsigned KERNEL_TAG_WORD = 32'hb;

// Record GRAPH: A dependency graph, gpusched_dgb_header
localparam int unsigned GRAPH_RECORD_WORDS = 32'h7;
localparam int unsigned GRAPH_NODE_BASE_WORD = 32'h0;
localparam int unsigned GRAPH_EDGE_BASE_WORD = 32'h2;
localparam int unsigned GRAPH_V_WORD = 32'h4;
localparam int unsigned GRAPH_V_LSB = 32'h0;
localparam int unsigned GRAPH_V_WIDTH = 32'h20;
localparam int unsigned GRAPH_E_WORD = 32'h5;
localparam int unsigned GRAPH_E_LSB = 32'h0;
localparam int unsigned GRAPH_E_WIDTH = 32'h20;
localparam int unsigned GRAPH_POLICY_WORD = 32'h6;
localparam int unsigned GRAPH_POLICY_LSB = 32'h0;
localparam int unsigned GRAPH_POLICY_WIDTH = 32'h20;

// Record DECISION: What every decision begins with
localparam int unsigned DECISION_RECORD_WORDS = 32'h4;
localparam int unsigned DECISION_NUMBER_WORD = 32'h0;
localparam int unsigned DECISION_NUMBER_LSB = 32'h0;
localparam int unsigned DECISION_NUMBER_WIDTH = 32'h20;
localparam int unsigned DECISION_KIND_WORD = 32'h1;
localparam int unsigned DECISION_KIND_LSB = 32'h0;
localparam int unsigned DECISION_KIND_WIDTH = 32'h8;
localparam int unsigned DECISION_WORDS_WORD = 32'h1;
localparam int unsigned DECISION_WORDS_LSB = 32'h8;
localparam int unsigned DECISION_WORDS_WIDTH = 32'h8;
localparam int unsigned DECISION_CYCLE_WORD = 32'h2;

// Event TIME: Time has come this far: every event of an earlier cycle has been posted.
localparam int unsigned EVENT_TIME = 32'h1;
localparam int unsigned EVENT_TIME_LENGTH = 32'h4;

// Event TB_DONE: A TB has ended.
localparam int unsigned EVENT_TB_DONE = 32'h2;
localparam int unsigned EVENT_TB_DONE_LENGTH = 32'h5;
localparam int unsigned EVENT_TB_DONE_SMX_WORD = 32'h4;
localparam int unsigned EVENT_TB_DONE_SMX_LSB = 32'h0;
localparam int unsigned EVENT_TB_DONE_SMX_WIDTH = 32'h10;
localparam int unsigned EVENT_TB_DONE_SLOT_WORD = 32'h4;
localparam int unsigned EVENT_TB_DONE_SLOT_LSB = 32'h10;
localparam int unsigned EVENT_TB_DONE_SLOT_WIDTH = 32'h10;

// Event HOST_LAUNCH: A stream launches a kernel.
localparam int unsigned EVENT_HOST_LAUNCH = 32'h3;
localparam int unsigned EVENT_HOST_LAUNCH_LENGTH = 32'h13;
localparam int unsigned EVENT_HOST_LAUNCH_STREAM_WORD = 32'h4;
localparam int unsigned EVENT_HOST_LAUNCH_STREAM_LSB = 32'h0;
localparam int unsigned EVENT_HOST_LAUNCH_STREAM_WIDTH = 32'h20;
localparam int unsigned EVENT_HOST_LAUNCH_RETAIN_WORD = 32'h5;
localparam int unsigned EVENT_HOST_LAUNCH_RETAIN_LSB = 32'h0;
localparam int unsigned EVENT_HOST_LAUNCH_RETAIN_WIDTH = 32'h1;
localparam int unsigned EVENT_HOST_LAUNCH_KERNEL_WORD = 32'h6;

// Event GRAPH_LAUNCH: A stream launches a kernel whose TBs are the nodes of a graph.
localparam int unsigned EVENT_GRAPH_LAUNCH = 32'h4;
localparam int unsigned EVENT_GRAPH_LAUNCH_LENGTH = 32'h1a;
localparam int unsigned EVENT_GRAPH_LAUNCH_STREAM_WORD = 32'h4;
localparam int unsigned EVENT_GRAPH_LAUNCH_STREAM_LSB = 32'h0;
localparam int unsigned EVENT_GRAPH_LAUNCH_STREAM_WIDTH = 32'h20;
localparam int unsigned EVENT_GRAPH_LAUNCH_RETAIN_WORD = 32'h5;
localparam int unsigned EVENT_GRAPH_LAUNCH_RETAIN_LSB = 32'h0;
localparam int unsigned EVENT_GRAPH_LAUNCH_RETAIN_WIDTH = 32'h1;
localparam int unsigned EVENT_GRAPH_LAUNCH_KERNEL_WORD = 32'h6;
localparam int unsigned EVENT_GRAPH_LAUNCH_GRAPH_WORD = 32'h13;

// Event DEVICE_LAUNCH: Threads of one warp launch kernels (CDP); one entry per lane, in order.
localparam int unsigned EVENT_DEVICE_LAUNCH = 32'h5;
localparam int unsigned EVENT_DEVICE_LAUNCH_LENGTH = 32'h13;
localparam int unsigned EVENT_DEVICE_LAUNCH_SMX_WORD = 32'h4;
localparam int unsigned EVENT_DEVICE_LAUNCH_SMX_LSB = 32'h0;
localparam int unsigned EVENT_DEVICE_LAUNCH_SMX_WIDTH = 32'h10;
localparam int unsigned EVENT_DEVICE_LAUNCH_SLOT_WORD = 32'h4;
localparam int unsigned EVENT_DEVICE_LAUNCH_SLOT_LSB = 32'h10;
localparam int unsigned EVENT_DEVICE_LAUNCH_SLOT_WIDTH = 32'h10;
localparam int unsigned EVENT_DEVICE_LAUNCH_KERNEL_WORD = 32'h6;

// Event AGG_LAUNCH: Threads of one warp launch aggregated groups (DTBL); one entry per lane, in order.
localparam int unsigned EVENT_AGG_LAUNCH = 32'h6;
localparam int unsigned EVENT_AGG_LAUNCH_LENGTH = 32'h13;
localparam int unsigned EVENT_AGG_LAUNCH_SMX_WORD = 32'h4;
localparam int unsigned EVENT_AGG_LAUNCH_SMX_LSB = 32'h0;
localparam int unsigned EVENT_AGG_LAUNCH_SMX_WIDTH = 32'h10;
localparam int unsigned EVENT_AGG_LAUNCH_SLOT_WORD = 32'h4;
localparam int unsigned EVENT_AGG_LAUNCH_SLOT_LSB = 32'h10;
localparam int unsigned EVENT_AGG_LAUNCH_SLOT_WIDTH = 32'h10;
localparam int unsigned EVENT_AGG_LAUNCH_HW_TID_WORD = 32'h5;
localparam int unsigned EVENT_AGG_LAUNCH_HW_TID_LSB = 32'h0;
localparam int unsigned EVENT_AGG_LAUNCH_HW_TID_WIDTH = 32'h20;
localparam int unsigned EVENT_AGG_LAUNCH_KERNEL_WORD = 32'h6;

// Event GRAPH_NODES: A chunk of nodes has landed; up to 13 per entry.
localparam int unsigned EVENT_GRAPH_NODES = 32'h7;
localparam int unsigned EVENT_GRAPH_NODES_TAG_WORD = 32'h4;
localparam int unsigned EVENT_GRAPH_NODES_TAG_LSB = 32'h0;
localparam int unsigned EVENT_GRAPH_NODES_TAG_WIDTH = 32'h20;
localparam int unsigned EVENT_GRAPH_NODES_COUNT_WORD = 32'h5;
localparam int unsigned EVENT_GRAPH_NODES_COUNT_LSB = 32'h0;
localparam int unsigned EVENT_GRAPH_NODES_COUNT_WIDTH = 32'h20;
localparam int unsigned EVENT_GRAPH_NODES_NODES_WORD = 32'h6;
localparam int unsigned EVENT_GRAPH_NODES_NODES_COUNT = 32'hd;

// Event GRAPH_EDGES: A chunk of edges has landed; up to 52 per entry.
localparam int unsigned EVENT_GRAPH_EDGES = 32'h8;
localparam int unsigned EVENT_GRAPH_EDGES_TAG_WORD = 32'h4;
localparam int unsigned EVENT_GRAPH_EDGES_TAG_LSB = 32'h0;
localparam int unsigned EVENT_GRAPH_EDGES_TAG_WIDTH = 32'h20;
localparam int unsigned EVENT_GRAPH_EDGES_COUNT_WORD = 32'h5;
localparam int unsigned EVENT_GRAPH_EDGES_COUNT_LSB = 32'h0;
localparam int unsigned EVENT_GRAPH_EDGES_COUNT_WIDTH = 32'h20;
localparam int unsigned EVENT_GRAPH_EDGES_EDGES_WORD = 32'h6;
localparam int unsigned EVENT_GRAPH_EDGES_EDGES_COUNT = 32'h34;

// Event GRAPH_SPILLED: Memory has carried out a decrement.
localparam int unsigned EVENT_GRAPH_SPILLED = 32'h9;
localparam int unsigned EVENT_GRAPH_SPILLED_LENGTH = 32'h5;
localparam int unsigned EVENT_GRAPH_SPILLED_TAG_WORD = 32'h4;
localparam int unsigned EVENT_GRAPH_SPILLED_TAG_LSB = 32'h0;
localparam int unsigned EVENT_GRAPH_SPILLED_TAG_WIDTH = 32'h20;

// Event SPILL_LOADED: The information of a spilled group is here.
localparam int unsigned EVENT_SPILL_LOADED = 32'ha;
localparam int unsigned EVENT_SPILL_LOADED_LENGTH = 32'h5;
localparam int unsigned EVENT_SPILL_LOADED_RECORD_WORD = 32'h4;
localparam int unsigned EVENT_SPILL_LOADED_RECORD_LSB = 32'h0;
localparam int unsigned EVENT_SPILL_LOADED_RECORD_WIDTH = 32'h20;

// Event UNRETAIN: Ends the hold on a retained kernel.
localparam int unsigned EVENT_UNRETAIN = 32'hb;
localparam int unsigned EVENT_UNRETAIN_LENGTH = 32'h5;
localparam int unsigned EVENT_UNRETAIN_KDE_WORD = 32'h4;
localparam int unsigned EVENT_UNRETAIN_KDE_LSB = 32'h0;
localparam int unsigned EVENT_UNRETAIN_KDE_WIDTH = 32'h20;

// Event SUSPEND: Takes a kernel's TBs off their SMXs while it waits for its children.
localparam int unsigned EVENT_SUSPEND = 32'hc;
localparam int unsigned EVENT_SUSPEND_LENGTH = 32'h5;
localparam int unsigned EVENT_SUSPEND_KDE_WORD = 32'h4;
localparam int unsigned EVENT_SUSPEND_KDE_LSB = 32'h0;
localparam int unsigned EVENT_SUSPEND_KDE_WIDTH = 32'h20;

// Event RESUME: A suspended kernel may go on.
localparam int unsigned EVENT_RESUME = 32'hd;
localparam int unsigned EVENT_RESUME_LENGTH = 32'h5;
localparam int unsigned EVENT_RESUME_INDEX_WORD = 32'h4;
localparam int unsigned EVENT_RESUME_INDEX_LSB = 32'h0;
localparam int unsigned EVENT_RESUME_INDEX_WIDTH = 32'h20;

// Event ABORT_GRAPH: Gives a kernel's graph up.
localparam int unsigned EVENT_ABORT_GRAPH = 32'he;
localparam int unsigned EVENT_ABORT_GRAPH_LENGTH = 32'h5;
localparam int unsigned EVENT_ABORT_GRAPH_KDE_WORD = 32'h4;
localparam int unsigned EVENT_ABORT_GRAPH_KDE_LSB = 32'h0;
localparam int unsigned EVENT_ABORT_GRAPH_KDE_WIDTH = 32'h20;

// Event SET_ELIGIBLE: Only these SMXs take TBs from now on.
localparam int unsigned EVENT_SET_ELIGIBLE = 32'hf;
localparam int unsigned EVENT_SET_ELIGIBLE_LENGTH = 32'hc;
localparam int unsigned EVENT_SET_ELIGIBLE_SMXS_WORD = 32'h4;
localparam int unsigned EVENT_SET_ELIGIBLE_SMXS_COUNT = 32'h4;

// Event SET_BLOCK_CAP: An SMX holds at most so many TBs from now on.
localparam int unsigned EVENT_SET_BLOCK_CAP = 32'h10;
localparam int unsigned EVENT_SET_BLOCK_CAP_LENGTH = 32'h6;
localparam int unsigned EVENT_SET_BLOCK_CAP_SMX_WORD = 32'h4;
localparam int unsigned EVENT_SET_BLOCK_CAP_SMX_LSB = 32'h0;
localparam int unsigned EVENT_SET_BLOCK_CAP_SMX_WIDTH = 32'h20;
localparam int unsigned EVENT_SET_BLOCK_CAP_CAP_WORD = 32'h5;
localparam int unsigned EVENT_SET_BLOCK_CAP_CAP_LSB = 32'h0;
localparam int unsigned EVENT_SET_BLOCK_CAP_CAP_WIDTH = 32'h20;

// Event SET_CLASS: Kernels with this program entry are of this class.
localparam int unsigned EVENT_SET_CLASS = 32'h11;
localparam int unsigned EVENT_SET_CLASS_LENGTH = 32'h7;
localparam int unsigned EVENT_SET_CLASS_CLASS_WORD = 32'h4;
localparam int unsigned EVENT_SET_CLASS_CLASS_LSB = 32'h0;
localparam int unsigned EVENT_SET_CLASS_CLASS_WIDTH = 32'h20;
localparam int unsigned EVENT_SET_CLASS_PC_WORD = 32'h5;

// Event CLEAR_CLASS: No kernel is of this class.
localparam int unsigned EVENT_CLEAR_CLASS = 32'h12;
localparam int unsigned EVENT_CLEAR_CLASS_LENGTH = 32'h5;
localparam int unsigned EVENT_CLEAR_CLASS_CLASS_WORD = 32'h4;
localparam int unsigned EVENT_CLEAR_CLASS_CLASS_LSB = 32'h0;
localparam int unsigned EVENT_CLEAR_CLASS_CLASS_WIDTH = 32'h20;

// Event SET_CLASS_CAP: An SMX holds at most so many TBs of a class.
localparam int unsigned EVENT_SET_CLASS_CAP = 32'h13;
localparam int unsigned EVENT_SET_CLASS_CAP_LENGTH = 32'h8;
localparam int unsigned EVENT_SET_CLASS_CAP_CLASS_WORD = 32'h4;
localparam int unsigned EVENT_SET_CLASS_CAP_CLASS_LSB = 32'h0;
localparam int unsigned EVENT_SET_CLASS_CAP_CLASS_WIDTH = 32'h20;
localparam int unsigned EVENT_SET_CLASS_CAP_SMX_WORD = 32'h5;
localparam int unsigned EVENT_SET_CLASS_CAP_SMX_LSB = 32'h0;
localparam int unsigned EVENT_SET_CLASS_CAP_SMX_WIDTH = 32'h20;
localparam int unsigned EVENT_SET_CLASS_CAP_CAP_WORD = 32'h6;
localparam int unsigned EVENT_SET_CLASS_CAP_CAP_LSB = 32'h0;
localparam int unsigned EVENT_SET_CLASS_CAP_CAP_WIDTH = 32'h20;
localparam int unsigned EVENT_SET_CLASS_CAP_BY_WORD = 32'h7;
localparam int unsigned EVENT_SET_CLASS_CAP_BY_LSB = 32'h0;
localparam int unsigned EVENT_SET_CLASS_CAP_BY_WIDTH = 32'h20;

// Event ACTIVITY: A sample: how active each SMX was in this sampling period; up to 52 SMXs per entry.
localparam int unsigned EVENT_ACTIVITY = 32'h14;
localparam int unsigned EVENT_ACTIVITY_COUNT_WORD = 32'h5;
localparam int unsigned EVENT_ACTIVITY_COUNT_LSB = 32'h0;
localparam int unsigned EVENT_ACTIVITY_COUNT_WIDTH = 32'h20;
localparam int unsigned EVENT_ACTIVITY_PER_MILLE_WORD = 32'h6;
localparam int unsigned EVENT_ACTIVITY_PER_MILLE_COUNT = 32'h34;

// Decision CORE: A decision of the front end, gpusched_decision; its kind is that of the C interface.
localparam int unsigned DECISION_CORE_LENGTH = 32'ha;
localparam int unsigned DECISION_CORE_TAG_WORD = 32'h4;
localparam int unsigned DECISION_CORE_BLKID_WORD = 32'h6;
localparam int unsigned DECISION_CORE_BLKID_LSB = 32'h0;
localparam int unsigned DECISION_CORE_BLKID_WIDTH = 32'h20;
localparam int unsigned DECISION_CORE_GROUP_WORD = 32'h7;
localparam int unsigned DECISION_CORE_GROUP_LSB = 32'h0;
localparam int unsigned DECISION_CORE_GROUP_WIDTH = 32'h20;
localparam int unsigned DECISION_CORE_SMX_WORD = 32'h8;
localparam int unsigned DECISION_CORE_SMX_LSB = 32'h0;
localparam int unsigned DECISION_CORE_SMX_WIDTH = 32'h10;
localparam int unsigned DECISION_CORE_SLOT_WORD = 32'h8;
localparam int unsigned DECISION_CORE_SLOT_LSB = 32'h10;
localparam int unsigned DECISION_CORE_SLOT_WIDTH = 32'h8;
localparam int unsigned DECISION_CORE_KDE_WORD = 32'h8;
localparam int unsigned DECISION_CORE_KDE_LSB = 32'h18;
localparam int unsigned DECISION_CORE_KDE_WIDTH = 32'h8;
localparam int unsigned DECISION_CORE_UNIT_WORD = 32'h9;
localparam int unsigned DECISION_CORE_UNIT_LSB = 32'h0;
localparam int unsigned DECISION_CORE_UNIT_WIDTH = 32'h8;
localparam int unsigned DECISION_CORE_QUEUE_WORD = 32'h9;
localparam int unsigned DECISION_CORE_QUEUE_LSB = 32'h8;
localparam int unsigned DECISION_CORE_QUEUE_WIDTH = 32'h8;
localparam int unsigned DECISION_CORE_DETAIL_WORD = 32'h9;
localparam int unsigned DECISION_CORE_DETAIL_LSB = 32'h10;
localparam int unsigned DECISION_CORE_DETAIL_WIDTH = 32'h8;

// Decision SAMPLE: CORE of the kind GPUSCHED_DECISION_KIND_SAMPLE, and behind it the diversion mask and the P-state orders.
localparam int unsigned DECISION_SAMPLE_LENGTH = 32'h1c;
localparam int unsigned DECISION_SAMPLE_ELIGIBLE_WORD = 32'ha;
localparam int unsigned DECISION_SAMPLE_ELIGIBLE_COUNT = 32'h4;
localparam int unsigned DECISION_SAMPLE_DOWN_WORD = 32'h12;
localparam int unsigned DECISION_SAMPLE_DOWN_COUNT = 32'h4;
localparam int unsigned DECISION_SAMPLE_RESUME_WORD = 32'h1a;
localparam int unsigned DECISION_SAMPLE_RESUME_LSB = 32'h0;
localparam int unsigned DECISION_SAMPLE_RESUME_WIDTH = 32'h8;
localparam int unsigned DECISION_SAMPLE_GPU_START_WORD = 32'h1a;
localparam int unsigned DECISION_SAMPLE_GPU_START_LSB = 32'h8;
localparam int unsigned DECISION_SAMPLE_GPU_START_WIDTH = 32'h8;
localparam int unsigned DECISION_SAMPLE_RESUME_SMX_WORD = 32'h1b;
localparam int unsigned DECISION_SAMPLE_RESUME_SMX_LSB = 32'h0;
localparam int unsigned DECISION_SAMPLE_RESUME_SMX_WIDTH = 32'h20;

// Decision MEMORY: A memory request of the dependency-graph buffer, gpusched_dgb_request; answered with GRAPH_NODES, GRAPH_EDGES or GRAPH_SPILLED.
localparam int unsigned DECISION_MEMORY = 32'h40;
localparam int unsigned DECISION_MEMORY_LENGTH = 32'ha;
localparam int unsigned DECISION_MEMORY_ADDR_WORD = 32'h4;
localparam int unsigned DECISION_MEMORY_TAG_WORD = 32'h6;
localparam int unsigned DECISION_MEMORY_TAG_LSB = 32'h0;
localparam int unsigned DECISION_MEMORY_TAG_WIDTH = 32'h20;
localparam int unsigned DECISION_MEMORY_FIRST_WORD = 32'h7;
localparam int unsigned DECISION_MEMORY_FIRST_LSB = 32'h0;
localparam int unsigned DECISION_MEMORY_FIRST_WIDTH = 32'h20;
localparam int unsigned DECISION_MEMORY_COUNT_WORD = 32'h8;
localparam int unsigned DECISION_MEMORY_COUNT_LSB = 32'h0;
localparam int unsigned DECISION_MEMORY_COUNT_WIDTH = 32'h20;
localparam int unsigned DECISION_MEMORY_REQUEST_WORD = 32'h9;
localparam int unsigned DECISION_MEMORY_REQUEST_LSB = 32'h0;
localparam int unsigned DECISION_MEMORY_REQUEST_WIDTH = 32'h20;

// Decision REPLY: What became of an event: of each that was refused, and of each with ACK. It follows the decisions that the event made.
localparam int unsigned DECISION_REPLY = 32'h41;
localparam int unsigned DECISION_REPLY_LENGTH = 32'hb;
localparam int unsigned DECISION_REPLY_EVENT_WORD = 32'h4;
localparam int unsigned DECISION_REPLY_EVENT_LSB = 32'h0;
localparam int unsigned DECISION_REPLY_EVENT_WIDTH = 32'h20;
localparam int unsigned DECISION_REPLY_ENTRIES_WORD = 32'h5;
localparam int unsigned DECISION_REPLY_ENTRIES_LSB = 32'h0;
localparam int unsigned DECISION_REPLY_ENTRIES_WIDTH = 32'h20;
localparam int unsigned DECISION_REPLY_STATUS_WORD = 32'h6;
localparam int unsigned DECISION_REPLY_STATUS_LSB = 32'h0;
localparam int unsigned DECISION_REPLY_STATUS_WIDTH = 32'h20;
localparam int unsigned DECISION_REPLY_VALUE_WORD = 32'h7;
localparam int unsigned DECISION_REPLY_VALUE_LSB = 32'h0;
localparam int unsigned DECISION_REPLY_VALUE_WIDTH = 32'h20;
localparam int unsigned DECISION_REPLY_NODE_WORD = 32'h8;
localparam int unsigned DECISION_REPLY_NODE_LSB = 32'h0;
localparam int unsigned DECISION_REPLY_NODE_WIDTH = 32'h20;
localparam int unsigned DECISION_REPLY_EDGE_WORD = 32'h9;
localparam int unsigned DECISION_REPLY_EDGE_LSB = 32'h0;
localparam int unsigned DECISION_REPLY_EDGE_WIDTH = 32'h20;
localparam int unsigned DECISION_REPLY_WHAT_WORD = 32'ha;
localparam int unsigned DECISION_REPLY_WHAT_LSB = 32'h0;
localparam int unsigned DECISION_REPLY_WHAT_WIDTH = 32'h20;

// Statuses
localparam int unsigned STATUS_BLOCKED = 32'h7d0;
localparam int unsigned STATUS_BAD_KIND = 32'h7d1;
localparam int unsigned STATUS_BAD_WORDS = 32'h7d2;
localparam int unsigned STATUS_BAD_PARTS = 32'h7d3;
localparam int unsigned STATUS_AHEAD = 32'h7d4;
localparam int unsigned STATUS_WRONG_MAP = 32'h7da;
localparam int unsigned STATUS_WRONG_VERSION = 32'h7db;
localparam int unsigned STATUS_WRONG_CAPACITY = 32'h7dc;
localparam int unsigned STATUS_WRONG_GEOMETRY = 32'h7dd;
localparam int unsigned STATUS_GAP = 32'h7de;

/* verilator lint_on UNUSEDPARAM */
endpackage
