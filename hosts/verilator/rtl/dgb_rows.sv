// The local node array and node state table (LNA) of dgb.sv, a ring of rows: node i is in slot i % lna. What is searched by state is
// flip-flops that all can be looked at in one clock; what is read for one node is memory.
module dgb_rows #(
    parameter int unsigned LNA = 128,
    parameter int unsigned LEA = 512,
    parameter int unsigned S = $clog2(LNA),
    parameter int unsigned L = $clog2(LEA)
) (
    input  logic           clk,
    input  logic           clear,
    // dats-S2: a node enters, W or R.
    input  logic           insert,
    input  logic [S-1:0]   insert_slot,
    input  logic [15:0]    insert_vid, insert_parents, insert_level,
    input  logic           insert_childless,
    input  logic [L-1:0]   insert_les,
    // dats-T5, dats-C2, dats-F2, dats-F3: a node changes its state.
    input  logic           dispatch, ended, decrement, finalise,
    input  logic [S-1:0]   dispatch_slot, ended_slot, child_slot, x_slot,
    // Its edges have come; its updates found no room in the PUB.
    input  logic           edged, refused,
    input  logic [S-1:0]   edged_slot,
    output logic [LNA-1:0] waiting, ready, executing, pending, done, childless,
    output logic [LNA-1:0] has_edges,  // childless, or every edge is on chip
    output logic [LNA-1:0] blocked,    // pending, and found without room since the head moved last
    // Read ports, of the nodes' names in dgb_settle and dgb_select.
    input  logic [S-1:0]   x_next, edged_next,
    output logic [15:0]    x_vid,
    output logic [L-1:0]   x_les, x_next_les, edged_les, edged_next_les,
    input  logic [S-1:0]   tail_slot, low_slot, high_slot,
    output logic [15:0]    dispatch_vid, dispatch_level, tail_level, low_level, high_level
);
    // W 00, R 01, P 10, D 11.
    logic [LNA-1:0] left, second, tb_done;
    logic [15:0] vid[LNA], parents[LNA], level[LNA], child_parents;
    logic [L-1:0] les[LNA];

    assign waiting = ~left & ~second;
    assign ready = ~left & second;
    assign executing = left & ~second & ~tb_done;
    assign pending = left & ~second & tb_done;
    assign done = left & second;

    assign x_vid = vid[x_slot];
    assign x_les = les[x_slot];
    assign x_next_les = les[x_next];
    assign edged_les = les[edged_slot];
    assign edged_next_les = les[edged_next];
    assign child_parents = parents[child_slot];
    assign dispatch_vid = vid[dispatch_slot];
    assign dispatch_level = level[dispatch_slot];
    assign tail_level = level[tail_slot];
    assign low_level = level[low_slot];
    assign high_level = level[high_slot];

    always_ff @(posedge clk) begin
        if (insert) begin
            vid[insert_slot] <= insert_vid;
            level[insert_slot] <= insert_level;
            les[insert_slot] <= insert_les;
        end
        if (insert) parents[insert_slot] <= insert_parents;
        else if (decrement) parents[child_slot] <= child_parents - 1'b1;
    end

    always_ff @(posedge clk)
        if (clear) begin
            left <= '0;
            second <= '0;
            tb_done <= '0;
            childless <= '0;
            has_edges <= '0;
            blocked <= '0;
        end else begin
            if (insert) begin
                left[insert_slot] <= 1'b0;
                second[insert_slot] <= insert_parents == '0;
                tb_done[insert_slot] <= 1'b0;
                childless[insert_slot] <= insert_childless;
                has_edges[insert_slot] <= insert_childless;
                // Updates of a node that is inside need no room, and those of this one have left theirs.
                blocked <= '0;  // dats-S4 looks again
            end
            if (decrement && child_parents == 16'd1) second[child_slot] <= 1'b1;
            if (dispatch) begin
                left[dispatch_slot] <= 1'b1;
                second[dispatch_slot] <= 1'b0;
            end
            if (ended) tb_done[ended_slot] <= 1'b1;
            if (finalise) second[x_slot] <= 1'b1;
            if (edged) has_edges[edged_slot] <= 1'b1;
            if (refused) blocked[x_slot] <= 1'b1;
        end
endmodule
