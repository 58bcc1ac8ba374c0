// What goes between dgb.sv and memory: requests (rules M), chunks of nodes that land in the node insertion buffer (N), edges that arrive
// in the local edge array (E). An answer comes at one entry a clock, in order, `ans_last` with the last one. Nodes in the NIB and slots of
// the LEA count only from there on, so an answer may come in while the window settles; only its last entry waits, and a bad answer
// leaves nothing behind (dats-H13).
module dgb_fetch #(
    parameter int unsigned LEA = 512,
    parameter int unsigned CHUNK = 128,
    parameter int unsigned L = $clog2(LEA),
    parameter int unsigned NODES = CHUNK / 8,
    parameter int unsigned B = $clog2(NODES)
) (
    input  logic         clk, rst, clear,
    input  logic [15:0]  cfg_lna, cfg_lea,
    input  logic [7:0]   cfg_chunk_nodes,
    input  logic         cfg_eager,
    input  logic         running, faulted,
    input  logic [15:0]  v,
    input  logic [30:0]  e,
    input  logic [63:0]  node_base, edge_base,
    input  logic [15:0]  tail, head,
    input  logic [30:0]  tail_edge, edge_need,
    // M
    input  logic         poll,           // asked, and settled
    output logic         req, req_edges,
    output logic [31:0]  req_tag,
    output logic [30:0]  req_first,
    output logic [9:0]   req_count,
    output logic [63:0]  req_addr,
    output logic         want_nodes, nodes_in_flight,
    output logic [15:0]  node_requests,
    output logic [30:0]  edge_requests,
    // N, E
    input  logic         ans, ans_edges, ans_last,
    input  logic         open,           // the last entry of an answer may be taken
    input  logic [31:0]  ans_tag,
    input  logic [63:0]  ans_data,
    output logic         ans_ready, arrived,
    output logic [3:0]   ans_error,
    output logic [30:0]  ans_at,         // BadGraph: the node; BadEdge: the edge
    output logic [15:0]  fetched,
    output logic [30:0]  edge_head,
    // The NIB's oldest entry and the start of the next one; dats-S2.
    input  logic         take, drain,
    output logic [63:0]  oldest,
    output logic [30:0]  second_start,
    // The LEA, one edge at a time.
    input  logic [L-1:0] edge_slot,
    output logic [15:0]  edge_child
);
    // From EDGE_START on: BadGraph, 8 and the gpusched_dgb_node_flaw.
    typedef enum logic [3:0] {
        FINE, GRAPH_FAULT, STALE_TAG, BAD_LENGTH, BAD_EDGE, EDGE_START = 9, CHILDLESS, OVERSIZE, LEVEL, PARENTS
    } error_t;

    logic edges_in_flight;
    logic [31:0] next_tag, nodes_tag, edges_tag;
    logic [9:0] nodes_count, edges_count, chunk_edges, in_chunk, in_chunk_left;  // in_chunk: where edge_head is in its chunk
    logic [L-1:0] edge_head_slot, edge_write, edge_write_next;
    logic [15:0] lea[LEA];
    logic [63:0] nib[NODES];
    logic [B-1:0] nib_head;
    logic [30:0] landed_start;  // of the last node that landed
    logic [15:0] landed_level;
    logic landed_childless;

    // dats-M1 is for spilling only. dats-M2, dats-M3.
    logic [31:0] room;
    logic [30:0] of_chunk, of_graph, of_ring, edges;
    logic [15:0] missing, chunk, nodes;
    logic want_edges;
    always_comb begin
        chunk_edges = {cfg_chunk_nodes, 2'b00};
        room = {1'b0, tail_edge} + 32'(cfg_lea);
        in_chunk_left = chunk_edges - in_chunk;
        of_chunk = 31'(in_chunk_left);
        of_graph = e - edge_head;
        of_ring = 31'(room - {1'b0, edge_head});
        edges = of_chunk < of_graph ? of_chunk : of_graph;
        if (of_ring < edges) edges = of_ring;
        want_edges = running && !edges_in_flight && edge_head < edge_need && {1'b0, edge_head} < room;

        missing = v - fetched;
        chunk = 16'(cfg_chunk_nodes);
        nodes = missing < chunk ? missing : chunk;
        want_nodes = running && missing != '0 && head == fetched && !nodes_in_flight && (cfg_eager || cfg_lna - (head - tail) >= nodes);

        req = poll && (want_edges || want_nodes);
        req_edges = want_edges;
        req_tag = next_tag;
        req_first = want_edges ? edge_head : 31'(fetched);
        req_count = want_edges ? edges[9:0] : nodes[9:0];
        req_addr = want_edges ? edge_base + 64'({edge_head, 1'b0}) : node_base + 64'({fetched, 3'b000});
    end

    // dats-N1, dats-E1: the errors of an entry, and of the answer.
    logic [9:0] beat, count;
    logic mine, is_last, is_first, before_childless, seen_childless;
    logic [30:0] start, vid_before, before_start, seen_start, entry_at, bad_at;
    logic [15:0] vid, level, before_level, seen_level;
    logic [3:0] entry_error, bad;
    always_comb begin
        mine = ans_edges ? edges_in_flight && ans_tag == edges_tag : nodes_in_flight && ans_tag == nodes_tag;
        count = ans_edges ? edges_count : nodes_count;
        vid = fetched + 16'(beat);
        vid_before = 31'(vid) - 1'b1;
        is_first = vid == '0;
        is_last = vid + 1'b1 == v;
        start = ans_data[30:0];
        level = ans_data[63:48];
        before_start = beat == '0 ? landed_start : seen_start;
        before_level = beat == '0 ? landed_level : seen_level;
        before_childless = beat == '0 ? landed_childless : seen_childless;

        entry_at = 31'(vid);
        if (ans_edges) begin
            entry_at = edge_head + 31'(beat);
            entry_error = ans_data[15:0] == '0 || ans_data[15:0] >= v ? BAD_EDGE : FINE;
        end else if (start < before_start || start > (is_first ? '0 : e) || (is_last && start != e)) entry_error = EDGE_START;
        else if (!is_first && before_childless != (start == before_start)) {entry_error, entry_at} = {CHILDLESS, vid_before};
        else if (is_last && !ans_data[31]) entry_error = CHILDLESS;
        else if (start - before_start > 31'(cfg_lea)) {entry_error, entry_at} = {OVERSIZE, vid_before};
        else if (level < before_level || (level > before_level && (is_first || level - before_level > 16'd1))) entry_error = LEVEL;
        else if ((level == '0) != (ans_data[47:32] == '0)) entry_error = PARENTS;
        else entry_error = FINE;

        ans_ready = !ans_last || open;
        ans_at = bad != FINE ? bad_at : entry_at;
        if (!ans || !ans_last || !open) ans_error = FINE;
        else if (faulted) ans_error = GRAPH_FAULT;
        else if (!mine) ans_error = STALE_TAG;
        else if (beat + 1'b1 != count) ans_error = BAD_LENGTH;
        else ans_error = bad != FINE ? bad : entry_error;
        arrived = ans && ans_last && open && ans_error == FINE;
        edge_write = beat == '0 ? edge_head_slot : edge_write_next;
    end

    // The LEA; dats-N2, dats-E2. The NIB is empty while an answer is under way, so it is written by that or by dats-S2.
    assign edge_child = lea[edge_slot];
    assign oldest = nib[nib_head];
    assign second_start = nib[B'(nib_head+1'b1)][30:0];
    always_ff @(posedge clk) begin
        if (ans && mine && ans_edges && beat < count) lea[edge_write] <= ans_data[15:0];
        if (drain) nib[nib_head] <= {oldest[63:48], oldest[47:32] - 1'b1, oldest[31:0]};
        else if (ans && mine && !ans_edges && beat < count) nib[beat[B-1:0]] <= ans_data;
    end

    // The entry before, for the next one.
    always_ff @(posedge clk)
        if (rst) begin
            beat <= '0;
            bad <= FINE;
        end else if (ans && ans_ready) begin
            if (ans_last) beat <= '0;
            else if (beat != '1) beat <= beat + 1'b1;
            bad <= ans_last ? FINE : bad != FINE ? bad : entry_error;
            if (bad == FINE) bad_at <= entry_at;
            {seen_start, seen_level, seen_childless} <= {start, level, ans_data[31]};
            edge_write_next <= 16'(edge_write) + 1'b1 == cfg_lea ? '0 : edge_write + 1'b1;
        end

    always_ff @(posedge clk)
        if (clear) begin
            {nodes_in_flight, edges_in_flight} <= '0;
            {fetched, nib_head, landed_start, landed_level, landed_childless} <= '0;
            {edge_head, edge_head_slot, in_chunk} <= '0;
            {node_requests, edge_requests} <= '0;
        end else begin
            if (req && req_edges) begin
                edges_in_flight <= 1'b1;
                {edges_tag, edges_count} <= {req_tag, req_count};
                edge_requests <= edge_requests + 1'b1;
            end else if (req) begin
                nodes_in_flight <= 1'b1;
                {nodes_tag, nodes_count} <= {req_tag, req_count};
                node_requests <= node_requests + 1'b1;
            end
            if (arrived && ans_edges) begin
                edges_in_flight <= 1'b0;
                edge_head <= edge_head + 31'(count);
                edge_head_slot <= 16'(edge_write) + 1'b1 == cfg_lea ? '0 : edge_write + 1'b1;
                in_chunk <= in_chunk + count == chunk_edges ? '0 : in_chunk + count;
            end else if (arrived) begin
                nodes_in_flight <= 1'b0;
                fetched <= fetched + 16'(count);
                nib_head <= '0;
                {landed_start, landed_level, landed_childless} <= {start, level, ans_data[31]};
            end
            if (take) nib_head <= nib_head + 1'b1;
        end

    // Goes on from graph to graph, so that a late answer meets STALE_TAG (dats-H12).
    always_ff @(posedge clk)
        if (rst) next_tag <= '0;
        else if (req) next_tag <= next_tag + 1'b1;
endmodule
