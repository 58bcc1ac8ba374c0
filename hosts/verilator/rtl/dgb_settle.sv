// What follows from an event (rules S and F of dgb.sv), until nothing more does. One step a clock, the first of these that there is:
//
//   dats-S1  the tail passes one node that is done
//   dats-S2  one PUB entry of the node at the head of the NIB is taken; when there is none left, the node enters the window
//   dats-S4  the oldest pending node that may have room for its updates is looked at; then
//         COUNT  only if it has more edges than the PUB has room: counts those that lead outside, one a clock
//         APPLY  applies its edges, one a clock
//   dats-S5  nothing is left: settled.
//
// This is the sheet's order: nothing in dats-S2 can make the tail pass, so dats-S1 and dats-S2 are exhausted before dats-S4. Two
// things keep dats-S4 from looking twice. A node without room is `blocked` until the head moves, for only that makes room. And beside
// all this a pointer, `edged`, goes through the window in VID order, a node a clock, up to the first whose edges are not on chip, and
// marks in each row that they are.
module dgb_settle #(
    parameter int unsigned LNA = 128,
    parameter int unsigned LEA = 512,
    parameter int unsigned PUB = 64,
    parameter int unsigned S = $clog2(LNA),
    parameter int unsigned L = $clog2(LEA),
    parameter int unsigned C = $clog2(PUB + 1)
) (
    input  logic           clk, clear,
    input  logic           arrived,     // an event: settle
    output logic           settled, finish, fault,
    output logic [1:0]     fault_kind,  // as gpusched_dgb_graph_fault_kind
    output logic [15:0]    fault_node,
    output logic           deadlock,    // at the tail
    input  logic [15:0]    cfg_lna, cfg_lea, cfg_pub, v,
    input  logic [30:0]    e,
    // The window.
    output logic [15:0]    tail, head,
    output logic [30:0]    tail_edge, edge_need,
    output logic [S-1:0]   tail_slot, head_slot, last_slot,
    output logic           last_end_known,
    // The NIB and the LEA.
    input  logic [15:0]    fetched,
    input  logic [30:0]    edge_head,
    input  logic           want_nodes, nodes_in_flight,
    input  logic [47:0]    oldest,
    input  logic [30:0]    second_start,
    output logic           insert, drain,
    output logic [L-1:0]   insert_les, edge_slot,
    input  logic [15:0]    edge_child,
    // The PUB.
    input  logic           pub_hit,
    input  logic [C-1:0]   pub_len,
    output logic           append,
    // The LNA.
    input  logic [LNA-1:0] waiting, pending, done, childless, has_edges, blocked,
    output logic [S-1:0]   x_slot, x_next, edged_slot, edged_next, child_slot,
    input  logic [15:0]    x_vid,
    input  logic [L-1:0]   x_les, x_next_les, edged_les, edged_next_les,
    output logic           decrement, finalise, refused, edged_on
);
    typedef enum logic [1:0] {EDGE_ORDER = 1, PARENT_UNDERFLOW, PARENT_EXCESS} kind_t;
    typedef enum logic [1:0] {SETTLED, ROUND, COUNT, APPLY} step_t;
    step_t step;

    // The slot behind one; edges from one slot to another of a node that has some.
    function automatic logic [S-1:0] after(input logic [S-1:0] slot, input logic [15:0] lna);
        after = 16'(slot) + 1'b1 == lna ? '0 : slot + 1'b1;
    endfunction
    function automatic logic [15:0] distance(input logic [L-1:0] from, input logic [L-1:0] to, input logic [15:0] lea);
        distance = 16'(to) > 16'(from) ? 16'(to) - 16'(from) : 16'(to) + lea - 16'(from);
    endfunction

    // What is known of node `head`, which is in the NIB or one past the last, and of the one before.
    logic is_landed, start_known;
    logic [30:0] start, last_start;
    logic [L-1:0] last_les;
    assign is_landed = head != fetched;
    assign start_known = is_landed || head == v;
    assign start = is_landed ? oldest[30:0] : e;
    assign last_slot = head_slot == '0 ? S'(cfg_lna - 16'd1) : head_slot - 1'b1;
    assign last_end_known = start_known || childless[last_slot];
    // With nothing inserted yet, 0; with the window empty, the last node had no edges, and this is tail_edge.
    assign edge_need = start_known ? start : last_start;

    // dats-S2: dats-I1 to I3.
    logic [30:0] start_offset, end_offset;
    logic second_known, fits;
    logic [15:0] les_sum;
    always_comb begin
        start_offset = start - tail_edge;
        second_known = head + 1'b1 != fetched || fetched == v;
        end_offset = (head + 1'b1 != fetched ? second_start : e) - tail_edge;
        fits = is_landed && head - tail < cfg_lna && start_offset <= 31'(cfg_lea)
            && (oldest[31] || !second_known || end_offset <= 31'(cfg_lea));
        // start % lea, for dats-N1 allows no more than lea edges between neighbours.
        les_sum = 16'(last_les) + 16'(start - last_start);
        insert_les = L'(les_sum >= cfg_lea ? les_sum - cfg_lea : les_sum);
    end

    // `edged`, its slot, and start(edged).
    logic [15:0] edged;
    logic [30:0] edged_start, edged_end;
    logic edged_is_last;
    always_comb begin
        edged_next = after(edged_slot, cfg_lna);
        edged_is_last = edged + 1'b1 == head;
        if (childless[edged_slot]) edged_end = edged_start;
        else if (edged_is_last) edged_end = start;
        else edged_end = edged_start + 31'(distance(edged_les, edged_next_les, cfg_lea));
        edged_on = edged != head && (childless[edged_slot] || ((!edged_is_last || start_known) && edged_end <= edge_head));
    end

    // The node of dats-S1 or dats-S4, and its number of edges, where its end is known.
    logic tail_done, found;
    logic [S-1:0] oldest_pending, x_kept;
    logic [15:0] x_count, free;
    dgb_oldest #(.N(LNA)) pick (.set(pending & has_edges & ~blocked), .from(tail_slot), .found, .at(oldest_pending));
    assign tail_done = tail != head && done[tail_slot];
    assign x_slot = step != ROUND ? x_kept : tail_done ? tail_slot : oldest_pending;
    assign x_next = after(x_slot, cfg_lna);
    always_comb begin
        if (childless[x_slot]) x_count = '0;
        else if (x_slot == last_slot) x_count = 16'(start - last_start);
        else x_count = distance(x_les, x_next_les, cfg_lea);
        free = cfg_pub - 16'(pub_len);
    end

    // dats-F1: the edge that it is about.
    logic [15:0] left, outside, outside_now, child_offset, child_sum;
    logic child_inside, last_edge;
    always_comb begin
        child_inside = edge_child < head;
        outside_now = outside + 16'(!child_inside);
        last_edge = left == 16'd1;
        child_offset = edge_child - tail;
        child_sum = 16'(tail_slot) + child_offset;
        child_slot = S'(child_sum >= cfg_lna ? child_sum - cfg_lna : child_sum);
    end

    logic pass;
    always_comb begin
        {pass, drain, insert, append, decrement, finalise, refused, finish, fault} = '0;
        fault_kind = EDGE_ORDER;
        fault_node = x_vid;
        case (step)
            ROUND:
                if (tail_done) pass = 1'b1;
                else if (fits && pub_hit) begin
                    drain = oldest[47:32] != '0;
                    {fault, fault_kind, fault_node} = {!drain, PARENT_UNDERFLOW, head};
                end else if (fits) insert = 1'b1;
                else if (edged_on) ;  // dats-S4 and dats-S5 want to know whose edges are on chip
                else if (found) finalise = x_count == '0;
                else begin
                    {fault_kind, fault_node} = {PARENT_EXCESS, tail};
                    fault = tail != head && waiting[tail_slot];
                    finish = tail == v;
                end
            COUNT: refused = outside_now > free;
            APPLY:
                if (edge_child <= x_vid) fault = 1'b1;
                else begin
                    append = !child_inside;
                    decrement = child_inside && waiting[child_slot];  // dats-F2; a node is W as long as it has parents
                    if (child_inside && !decrement) {fault, fault_kind, fault_node} = {1'b1, PARENT_UNDERFLOW, edge_child};
                    finalise = last_edge && !fault;
                end
            default: ;
        endcase
    end

    assign settled = step == SETTLED;
    always_ff @(posedge clk)
        if (clear) step <= SETTLED;
        else if (fault) step <= SETTLED;
        else case (step)
            SETTLED: if (arrived) step <= ROUND;
            ROUND:
                if (!tail_done && !fits && !edged_on) begin
                    if (!found) step <= SETTLED;
                    else if (x_count != '0) step <= x_count <= free ? APPLY : COUNT;
                    x_kept <= oldest_pending;
                    {edge_slot, left, outside} <= {x_les, x_count, 16'd0};
                end
            COUNT:
                if (refused) step <= ROUND;
                else if (last_edge) begin
                    step <= APPLY;
                    {edge_slot, left} <= {x_les, x_count};
                end else begin
                    edge_slot <= 16'(edge_slot) + 1'b1 == cfg_lea ? '0 : edge_slot + 1'b1;
                    left <= left - 1'b1;
                    outside <= outside_now;
                end
            APPLY: begin
                if (last_edge) step <= ROUND;
                edge_slot <= 16'(edge_slot) + 1'b1 == cfg_lea ? '0 : edge_slot + 1'b1;
                left <= left - 1'b1;
            end
        endcase

    always_ff @(posedge clk)
        if (clear) begin
            {tail, tail_slot, tail_edge} <= '0;
            {head, head_slot, last_start, last_les} <= '0;
            {edged, edged_slot, edged_start} <= '0;
            deadlock <= '0;
        end else begin
            if (pass) begin
                tail <= tail + 1'b1;
                tail_slot <= x_next;
                tail_edge <= tail_edge + 31'(x_count);
            end
            if (insert) begin
                head <= head + 1'b1;
                head_slot <= after(head_slot, cfg_lna);
                {last_start, last_les} <= {start, insert_les};
            end
            if (edged_on) begin
                edged <= edged + 1'b1;
                edged_slot <= edged_next;
                edged_start <= edged_end;
            end
            // dats-S5, stuck: a pending tail that nothing is due for. If its edges are on chip it is blocked.
            if (step == ROUND && !tail_done && !fits && !edged_on && !found && tail != head && pending[tail_slot] && has_edges[tail_slot]
                && !nodes_in_flight && !want_nodes) deadlock <= 1'b1;
        end
endmodule
