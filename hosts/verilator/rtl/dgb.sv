// The dependency-graph buffer (DGB) of Wireframe, sheet `dats`: a window of a graph of TBs that slides from the first node to the last. It
// fetches nodes and edges in chunks, counts parents, keeps updates for nodes that are not inside yet in the pending update buffer (PUB),
// and says which TB goes to which SMX, LRR or LVL.
//
//   dgb_rows    local node array and node state table       dgb_settle   S, F: what follows from an event
//   dgb_pub     pending update buffer                       dgb_select   T: which node, which SMX
//   dgb_fetch   sections M, N, E: requests, NIB, local edge array    dgb_oldest   search in a ring; rr_pick does so for dats-T4
//
// A host drives it with the verbs of the sheet. While `settled`, each clock may have a `poll`, a `select`, and an event, in this order: the
// event is a `launch`, or without one the end of a TB, or without that, too, the last entry of an answer. What an event makes possible
// takes clocks (see dgb_settle); until then nothing is requested, dispatched or accepted, but for `abort_graph`, for which any time will
// do, and all of an answer but its last entry. The clock of a request is too early for its answer, and that of a dispatch for the TB's
// end. An error, of the sheet's kinds, is told in the clock of its verb; a contradiction in the graph (GraphFault) shows when it is met,
// and stays until `abort_graph`.
//
// What the sheet has and this has not: spilling (`spill` = 0; dats-M1, dats-S3, dats-P1), the checks of a launch's sizes and addresses
// (dats-L1 from TooManyNodes on, which whoever writes V, E and the bases can make once), and the work report.
//
// The parameters are what the hardware has; the cfg inputs say how much of it is used, at most all, and are stable outside of reset.
//
// Storage at the defaults. A row is 62 bits here, the sheet's 61 and `has_edges`, so 128 rows have 7936 and `blocked` is 128 more; the
// sheet rounds a row to 64, which is 8192. LEA 8192, PUB 1024 and NIB 1024 are as in the sheet. The rest, 893 bits, are
// registers, which the sheet names and does not count: window, graph, the two requests in flight, statistics, the node before the one that
// lands, and what a walk along a node's edges needs.
module dgb #(
    parameter int unsigned SMXS = 15,
    parameter int unsigned LNA = 128,
    parameter int unsigned LEA = 512,
    parameter int unsigned PUB = 64,
    parameter int unsigned CHUNK = 128,
    parameter int unsigned S = $clog2(LNA),
    parameter int unsigned L = $clog2(LEA),
    parameter int unsigned P = $clog2(SMXS),
    parameter int unsigned C = $clog2(PUB + 1)
) (
    input  logic            clk, rst,
    input  logic [15:0]     cfg_lna,          // 2..LNA
    input  logic [15:0]     cfg_lea,          // 1..LEA
    input  logic [15:0]     cfg_pub,          // 0..PUB
    input  logic [7:0]      cfg_chunk_nodes,  // chunk_bytes / 8: 1..CHUNK/8
    input  logic            cfg_eager,        // prefetch
    input  logic            cfg_active,       // level_ref
    input  logic            cfg_needs_edges,  // issue_needs_edges
    // L, A
    input  logic            launch,
    input  logic [7:0]      launch_kde,
    input  logic [15:0]     launch_v,
    input  logic [30:0]     launch_e,
    input  logic [63:0]     launch_node_base, launch_edge_base,
    input  logic            launch_lvl,
    input  logic [15:0]     launch_bound,
    output logic [1:0]      launch_error,
    input  logic            abort_graph,
    output logic [15:0]     executing,        // TBs that run: the answer of an abort
    // M
    input  logic            poll,
    output logic            req, req_edges,
    output logic [31:0]     req_tag,
    output logic [30:0]     req_first,
    output logic [9:0]      req_count,
    output logic [63:0]     req_addr,
    // N, E
    input  logic            ans, ans_edges, ans_last,
    input  logic [31:0]     ans_tag,
    input  logic [63:0]     ans_data,         // a node, or an edge in the low bits
    output logic            ans_ready,
    output logic [3:0]      ans_error,
    output logic [30:0]     ans_at,
    // C
    input  logic            complete,
    input  logic [15:0]     complete_node,
    output logic            complete_ready,
    output logic [1:0]      complete_error,
    // T
    input  logic            select,
    input  logic [SMXS-1:0] fits,
    output logic            dispatch,
    output logic [15:0]     dispatch_node,
    output logic [P-1:0]    dispatch_smx,
    output logic [7:0]      dispatch_kde,
    output logic [2:0]      sched,            // as gpusched_dgb_sched; 7: nothing was decided
    output logic            next,             // dispatch_node would run if an SMX had room
    // Queries
    output logic            settled,
    output logic [1:0]      phase,            // as gpusched_dgb_stage
    output logic [1:0]      fault_kind,
    output logic [15:0]     fault_node,
    output logic            deadlock,
    output logic [15:0]     tail, head, fetched,
    output logic [30:0]     tail_edge, edge_head,
    output logic [15:0]     dispatched, node_requests, max_level_range,
    output logic [30:0]     edge_requests,
    output logic [C-1:0]    pub_max
);
    typedef enum logic [1:0] {IDLE, RUNNING, FINISHED, FAULTED} phase_t;
    typedef enum logic [1:0] {LAUNCHED, L_FAULT, BUSY, EMPTY_GRAPH} launch_t;
    typedef enum logic [1:0] {ENDED, C_FAULT, NOT_LAUNCHED, NOT_RUNNING} complete_t;

    logic open, begins, clear, ended, arrived;
    assign open = settled && !abort_graph;
    assign clear = rst || abort_graph || begins;

    // L: the graph.
    logic [15:0] v, bound;
    logic [30:0] e;
    logic [63:0] node_base, edge_base;
    logic [7:0] kde;
    logic lvl;
    always_comb begin
        if (!launch || !open) launch_error = LAUNCHED;
        else if (phase == FAULTED) launch_error = L_FAULT;
        else if (phase == RUNNING) launch_error = BUSY;
        else launch_error = launch_v == '0 ? EMPTY_GRAPH : LAUNCHED;
        begins = launch && open && launch_error == LAUNCHED;
    end
    always_ff @(posedge clk)
        if (begins) begin
            {kde, v, e, lvl, bound} <= {launch_kde, launch_v, launch_e, launch_lvl, launch_bound};
            {node_base, edge_base} <= {launch_node_base, launch_edge_base};
        end

    logic finish, fault;
    logic [1:0] new_fault_kind;
    logic [15:0] new_fault_node;
    always_ff @(posedge clk)
        if (rst || abort_graph) phase <= IDLE;
        else if (begins) phase <= RUNNING;
        else if (fault) begin
            phase <= FAULTED;
            {fault_kind, fault_node} <= {new_fault_kind, new_fault_node};
        end else if (finish) phase <= FINISHED;

    // dats-C1, dats-C2.
    logic [LNA-1:0] waiting, ready, running_tbs, pending, done, childless, has_edges, blocked;
    logic [S-1:0] tail_slot, complete_slot;
    logic [15:0] complete_offset, complete_sum;
    always_comb begin
        complete_ready = open && !launch;
        complete_offset = complete_node - tail;
        complete_sum = 16'(tail_slot) + complete_offset;
        complete_slot = S'(complete_sum >= cfg_lna ? complete_sum - cfg_lna : complete_sum);
        if (!complete || !complete_ready) complete_error = ENDED;
        else if (phase == FAULTED) complete_error = C_FAULT;
        else if (phase != RUNNING) complete_error = NOT_LAUNCHED;
        else complete_error = complete_offset < head - tail && running_tbs[complete_slot] ? ENDED : NOT_RUNNING;
        ended = complete && complete_ready && complete_error == ENDED;
    end
    always_ff @(posedge clk)
        if (clear) executing <= '0;
        else executing <= executing + 16'(dispatch) - 16'(ended);

    // The window and its nodes.
    logic [S-1:0] head_slot, last_slot, x_slot, x_next, edged_slot, edged_next, child_slot, slot, low_slot, high_slot;
    logic [15:0] x_vid, level, tail_level, low_level, high_level;
    logic [L-1:0] x_les, x_next_les, edged_les, edged_next_les, insert_les, edge_slot;
    logic insert, drain, append, decrement, finalise, refused, edged_on, last_end_known, pub_hit, want_nodes, nodes_in_flight;
    logic [30:0] edge_need, second_start;
    logic [63:0] oldest;
    logic [15:0] edge_child;
    logic [C-1:0] pub_len;

    dgb_fetch #(.LEA(LEA), .CHUNK(CHUNK)) fetch (
        .clk, .rst, .clear, .cfg_lna, .cfg_lea, .cfg_chunk_nodes, .cfg_eager, .running(phase == RUNNING), .faulted(phase == FAULTED),
        .v, .e, .node_base, .edge_base, .tail, .head, .tail_edge, .edge_need,
        .poll(poll && open), .req, .req_edges, .req_tag, .req_first, .req_count, .req_addr, .want_nodes, .nodes_in_flight, .node_requests,
        .edge_requests, .ans, .ans_edges, .ans_last, .open(complete_ready && !complete), .ans_tag, .ans_data, .ans_ready, .arrived,
        .ans_error, .ans_at, .fetched, .edge_head, .take(insert), .drain, .oldest, .second_start, .edge_slot, .edge_child
    );
    dgb_settle #(.LNA(LNA), .LEA(LEA), .PUB(PUB)) settle (
        .clk, .clear, .arrived(arrived || ended), .settled, .finish, .fault, .fault_kind(new_fault_kind), .fault_node(new_fault_node),
        .deadlock, .cfg_lna, .cfg_lea, .cfg_pub, .v, .e, .tail, .head, .tail_edge, .edge_need, .tail_slot, .head_slot, .last_slot,
        .last_end_known, .fetched, .edge_head, .want_nodes, .nodes_in_flight, .oldest(oldest[47:0]), .second_start, .insert, .drain,
        .insert_les, .edge_slot, .edge_child, .pub_hit, .pub_len, .append, .waiting, .pending, .done, .childless, .has_edges, .blocked,
        .x_slot, .x_next, .edged_slot, .edged_next, .child_slot, .x_vid, .x_les, .x_next_les, .edged_les, .edged_next_les,
        .decrement, .finalise, .refused, .edged_on
    );
    dgb_rows #(.LNA(LNA), .LEA(LEA)) rows (
        .clk, .clear, .insert, .insert_slot(head_slot), .insert_vid(head), .insert_parents(oldest[47:32]), .insert_level(oldest[63:48]),
        .insert_childless(oldest[31]), .insert_les, .dispatch, .ended, .decrement, .finalise, .dispatch_slot(slot),
        .ended_slot(complete_slot), .child_slot, .x_slot, .edged(edged_on), .refused, .edged_slot, .waiting, .ready,
        .executing(running_tbs), .pending, .done, .childless, .has_edges, .blocked, .x_next, .edged_next, .x_vid, .x_les,
        .x_next_les, .edged_les, .edged_next_les, .tail_slot, .low_slot, .high_slot, .dispatch_vid(dispatch_node),
        .dispatch_level(level), .tail_level, .low_level, .high_level
    );
    dgb_pub #(.PUB(PUB)) updates (
        .clk, .clear, .append, .child(edge_child), .take(drain), .vid(head), .hit(pub_hit), .len(pub_len), .pub_max
    );
    dgb_select #(.SMXS(SMXS), .LNA(LNA)) choose (
        .clk, .rst, .clear, .active(cfg_active), .needs_edges(cfg_needs_edges), .lvl, .bound, .running(phase == RUNNING),
        .finished(phase == FINISHED), .deadlock, .select(select && open), .fits, .tail_slot, .last_slot, .last_end_known, .ready,
        .executing(running_tbs), .has_edges, .level, .tail_level, .low_level, .high_level, .slot, .low_slot, .high_slot, .next, .sched,
        .dispatch, .smx(dispatch_smx), .dispatched, .max_level_range
    );
    assign dispatch_kde = kde;
endmodule
