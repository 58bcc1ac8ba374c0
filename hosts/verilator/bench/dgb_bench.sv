// dgb beside the core, under many configurations. Outputs are compared in every clock, before the rising edge: while it settles,
// nothing may be requested, dispatched or taken. Registers are compared whenever it has settled.
`include "check.svh"

module bench (input logic clk);
    localparam int SMXS = `SIZE_SMXS, LNA = `SIZE_LNA, LEA = `SIZE_LEA, PUB = `SIZE_PUB, CHUNK = `SIZE_CHUNK;

    import "DPI-C" function void dgb_step(input bit settled);
    import "DPI-C" function void dgb_config(output bit rst, output int unsigned lna, output int unsigned lea, output int unsigned pub,
        output int unsigned chunk_nodes, output bit eager, output bit active, output bit needs_edges);
    import "DPI-C" function void dgb_launch(output bit launch, output int unsigned kde, output int unsigned v, output int unsigned e,
        output longint unsigned node_base, output longint unsigned edge_base, output bit lvl, output int unsigned bound,
        output int unsigned error, output bit abort_graph, output int unsigned executing);
    import "DPI-C" function void dgb_poll(output bit poll, output bit req, output bit edges, output int unsigned tag,
        output int unsigned first, output int unsigned count, output longint unsigned addr);
    import "DPI-C" function void dgb_answer(output bit ans, output bit edges, output bit last, output int unsigned tag,
        output longint unsigned data, output bit ready, output int unsigned error, output int unsigned at);
    import "DPI-C" function void dgb_complete(output bit complete, output int unsigned node, output bit ready, output int unsigned error);
    import "DPI-C" function void dgb_select(output bit select, output int unsigned fits, output int unsigned sched,
        output int unsigned node, output int unsigned smx, output int unsigned kde);
    import "DPI-C" function void dgb_registers(output int unsigned registers[21]);
    import "DPI-C" function void dgb_rows(output int unsigned live[LNA], output int unsigned state[LNA], output int unsigned vid[LNA],
        output int unsigned parents[LNA], output int unsigned level[LNA], output int unsigned les[LNA], output int unsigned childless[LNA],
        output int unsigned has_edges[LNA]);
    import "DPI-C" function void dgb_edges(output int unsigned live[LEA], output int unsigned child[LEA]);
    import "DPI-C" function void dgb_queues(output int unsigned updates[PUB], output longint unsigned nib[CHUNK/8],
        output int unsigned n_nib);
    import "DPI-C" function void dgb_end();

    // Pins, and what the core answers.
    bit rst, eager, active, needs_edges, launch, lvl, abort_graph, poll, ans, ans_edges, ans_last, complete, select;
    int unsigned lna, lea, pub, chunk_nodes, kde, v, e, bound, ans_tag, complete_node, fits;
    longint unsigned node_base, edge_base, ans_data;
    bit core_req, core_req_edges, core_ans_ready, core_complete_ready;
    int unsigned core_launch_error, core_aborted, core_tag, core_first, core_count, core_ans_error, core_ans_at, core_complete_error,
        core_sched, core_node, core_smx, core_kde;
    longint unsigned core_addr;

    logic req, req_edges, ans_ready, complete_ready, dispatch, next, settled, deadlock;
    logic [1:0] launch_error, complete_error, phase, fault_kind;
    logic [2:0] sched;
    logic [3:0] ans_error;
    logic [$clog2(SMXS)-1:0] dispatch_smx;
    logic [$clog2(PUB+1)-1:0] pub_max;
    logic [7:0] dispatch_kde;
    logic [9:0] req_count;
    logic [15:0] executing, dispatch_node, fault_node, tail, head, fetched, dispatched, node_requests, max_level_range;
    logic [30:0] req_first, ans_at, tail_edge, edge_head, edge_requests;
    logic [31:0] req_tag;
    logic [63:0] req_addr;

    dgb #(.SMXS(SMXS), .LNA(LNA), .LEA(LEA), .PUB(PUB), .CHUNK(CHUNK)) dut (
        .clk, .rst, .cfg_lna(lna[15:0]), .cfg_lea(lea[15:0]), .cfg_pub(pub[15:0]), .cfg_chunk_nodes(chunk_nodes[7:0]), .cfg_eager(eager),
        .cfg_active(active), .cfg_needs_edges(needs_edges), .launch, .launch_kde(kde[7:0]), .launch_v(v[15:0]), .launch_e(e[30:0]),
        .launch_node_base(node_base), .launch_edge_base(edge_base), .launch_lvl(lvl), .launch_bound(bound[15:0]), .launch_error,
        .abort_graph, .executing, .poll, .req, .req_edges, .req_tag, .req_first, .req_count, .req_addr, .ans, .ans_edges, .ans_last,
        .ans_tag, .ans_data, .ans_ready, .ans_error, .ans_at, .complete, .complete_node(complete_node[15:0]), .complete_ready,
        .complete_error, .select, .fits(fits[SMXS-1:0]), .dispatch, .dispatch_node, .dispatch_smx, .dispatch_kde, .sched, .next, .settled,
        .phase, .fault_kind, .fault_node, .deadlock, .tail, .head, .fetched, .tail_edge, .edge_head, .dispatched, .node_requests,
        .max_level_range, .edge_requests, .pub_max
    );

    int unsigned r[21];
    int unsigned live[LNA], state[LNA], vid[LNA], parents[LNA], level[LNA], les[LNA], childless[LNA], has_edges[LNA];
    int unsigned edge_live[LEA], child[LEA], updates[PUB], n_nib;
    longint unsigned nib[CHUNK/8];

    function automatic int unsigned state_of(int slot);
        if (dut.rows.waiting[slot]) return 0;
        if (dut.rows.ready[slot]) return 1;
        if (dut.rows.executing[slot]) return 2;
        if (dut.rows.pending[slot]) return 3;
        return 4;
    endfunction

    task compare;
        dgb_registers(r);
        `CHECK("phase", phase, r[0])
        if (r[0] == 3) begin
            // After a fault only the fault has a meaning.
            `CHECK("fault kind", fault_kind, r[1])
            `CHECK("fault node", fault_node, r[2])
        end else begin
            `CHECK("tail", tail, r[3])
            `CHECK("head", head, r[4])
            `CHECK("fetched", fetched, r[5])
            `CHECK("tail_edge", tail_edge, r[6])
            `CHECK("edge_head", edge_head, r[7])
            `CHECK("executing", executing, r[8])
            `CHECK("deadlock", deadlock, r[9])
            `CHECK("next node", next ? 32'(dispatch_node) : 32'hffff_ffff, r[11])
            `CHECK("dispatched", dispatched, r[12])
            `CHECK("node_requests", node_requests, r[13])
            `CHECK("edge_requests", edge_requests, r[14])
            `CHECK("pub_max", pub_max, r[15])
            `CHECK("max_level_range", max_level_range, r[16])
            `CHECK("nodes in flight", dut.fetch.nodes_in_flight, r[17])
            `CHECK("edges in flight", dut.fetch.edges_in_flight, r[18])
            `CHECK("PUB entries", dut.updates.len, r[19])
            compare_arrays();
        end
        `CHECK("next_smx", dut.choose.round_robin.rr, r[10])
        `CHECK("next tag", dut.fetch.next_tag, r[20])
    endtask

    task compare_arrays;
        dgb_rows(live, state, vid, parents, level, les, childless, has_edges);
        for (int i = 0; i < LNA; i++) if (live[i] != 0) begin
            `CHECK_AT("state", i, state_of(i), state[i])
            `CHECK_AT("VID", i, dut.rows.vid[i], vid[i])
            `CHECK_AT("parents", i, dut.rows.parents[i], parents[i])
            `CHECK_AT("level", i, dut.rows.level[i], level[i])
            `CHECK_AT("LES", i, dut.rows.les[i], les[i])
            `CHECK_AT("childless", i, dut.rows.childless[i], childless[i])
            `CHECK_AT("has edges", i, dut.rows.has_edges[i], has_edges[i])
            // tb_done is state 3 against state 2.
        end
        dgb_edges(edge_live, child);
        for (int i = 0; i < LEA; i++) if (edge_live[i] != 0) `CHECK_AT("LEA", i, dut.fetch.lea[i], child[i])
        dgb_queues(updates, nib, n_nib);
        for (int i = 0; i < PUB; i++) if (i < int'(r[19])) `CHECK_AT("PUB", i, dut.updates.entries[16*i+:16], updates[i])
        `CHECK("NIB entries", fetched - head, n_nib)
        for (int i = 0; i < CHUNK / 8; i++)
            if (i < int'(n_nib)) `CHECK_AT("NIB", i, dut.fetch.nib[(int'(dut.fetch.nib_head)+i)%(CHUNK/8)], nib[i])
    endtask

    bit begun = 0;
    always @(negedge clk) begin
        if (begun && settled) compare();
        dgb_step(begun && settled);
        dgb_config(rst, lna, lea, pub, chunk_nodes, eager, active, needs_edges);
        dgb_launch(launch, kde, v, e, node_base, edge_base, lvl, bound, core_launch_error, abort_graph, core_aborted);
        dgb_poll(poll, core_req, core_req_edges, core_tag, core_first, core_count, core_addr);
        dgb_answer(ans, ans_edges, ans_last, ans_tag, ans_data, core_ans_ready, core_ans_error, core_ans_at);
        dgb_complete(complete, complete_node, core_complete_ready, core_complete_error);
        dgb_select(select, fits, core_sched, core_node, core_smx, core_kde);
        begun = 1;
    end

    always @(posedge clk) if (begun && !rst) begin
        `CHECK("launch_error", launch_error, core_launch_error)
        if (abort_graph) `CHECK("aborted TBs", executing, core_aborted)
        `CHECK("request", req, core_req)
        if (core_req) begin
            `CHECK("request kind", req_edges, core_req_edges)
            `CHECK("request tag", req_tag, core_tag)
            `CHECK("request first", req_first, core_first)
            `CHECK("request count", req_count, core_count)
            `CHECK("request address", req_addr, core_addr)
        end
        if (ans) `CHECK("ans_ready", ans_ready, core_ans_ready)
        `CHECK("ans_error", ans_error, core_ans_error)
        if (core_ans_error >= 4) `CHECK("ans_at", ans_at, core_ans_at)
        `CHECK("complete_ready", complete_ready, core_complete_ready)
        `CHECK("complete_error", complete_error, core_complete_error)
        `CHECK("sched", sched, core_sched)
        `CHECK("dispatch", dispatch, core_sched == 0)
        if (core_sched == 0) begin
            `CHECK("dispatched node", dispatch_node, core_node)
            `CHECK("dispatched SMX", dispatch_smx, core_smx)
            `CHECK("dispatched kde", dispatch_kde, core_kde)
        end
    end
    final dgb_end();
endmodule
