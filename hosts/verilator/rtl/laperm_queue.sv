// The on-chip queue of one unit, and queue 0 as one with a single section (laperm-R4a, laperm-R4c, laperm-R6,
// laperm-R9): entries sorted by section, from high to low, those of a section in order of arrival.
//
// Entries stay in the place in which they were written. What is sorted is `order`, a permutation of all places: its first `count`
// elements are the queue, those behind it are free. So an entry that comes or goes shifts place numbers and no entries.
//
// In a clock the candidate may give up a TB or leave, or the last entry of a full queue may be evicted; behind that one entry may come in.
module laperm_queue #(
    parameter int unsigned CAP = 128,
    parameter int unsigned LEVELS = 4, // sections 1..LEVELS
    parameter int unsigned BODY_W = 149, // what the queue holds for others to read
    parameter int unsigned TBS_W = 32,
    parameter int unsigned TIME_W = 64,
    parameter int unsigned PLACE_W = CAP > 1 ? $clog2(CAP) : 1,
    parameter int unsigned COUNT_W = $clog2(CAP + 1),
    parameter int unsigned SECTION_W = $clog2(LEVELS + 1)
) (
    input  logic                 clk,
    input  logic                 rst,
    input  logic [TIME_W-1:0]    now,
    // laperm-R6: the candidate.
    output logic                 waits,
    output logic [SECTION_W-1:0] section,
    output logic [BODY_W-1:0]    body,
    output logic [TBS_W-1:0]     next,
    // laperm-R9: a TB of it is sent; it was the last.
    input  logic                 send,
    input  logic                 last,
    // What then is true of a newcomer, and of the last entry of a full queue.
    output logic                 full,
    output logic [SECTION_W-1:0] lowest,
    output logic [BODY_W-1:0]    evicted_body,
    output logic [TBS_W-1:0]     evicted_next,
    output logic [COUNT_W-1:0]   pos,
    // laperm-R4a and laperm-R4c: an entry comes, the last one leaving before if the queue is full.
    input  logic                 insert,
    input  logic                 evict,
    input  logic [SECTION_W-1:0] insert_section,
    input  logic [BODY_W-1:0]    insert_body,
    input  logic [TBS_W-1:0]     insert_next,
    input  logic [TIME_W-1:0]    insert_ready_at
);
    localparam int unsigned FIRST_W = (LEVELS + 1) * COUNT_W;
    localparam logic [CAP*PLACE_W-1:0] ALL = '1;

    logic [CAP*PLACE_W-1:0] order, left, order_after;
    // Section pointers: section p is first[p] .. first[p-1] - 1 of `order`. first[LEVELS] is 0, first[0] all entries.
    logic [FIRST_W-1:0] first, first_left, first_after;
    logic [BODY_W-1:0] bodies [CAP];
    logic [TBS_W-1:0] nexts [CAP];
    logic [TIME_W-1:0] ready_ats [CAP];

    // laperm-R6: of the first entries of all sections, the visible one of the highest section.
    logic [COUNT_W-1:0] head;
    logic [LEVELS:1] heads_visible;
    for (genvar p = 1; p <= LEVELS; p++) begin : sections
        wire [COUNT_W-1:0] begins = first[p*COUNT_W +: COUNT_W];
        wire [PLACE_W-1:0] place = order[32'(begins)*PLACE_W +: PLACE_W];
        assign heads_visible[p] = begins != first[(p-1)*COUNT_W +: COUNT_W] && ready_ats[place] <= now;
    end
    always_comb begin
        head = '0;
        section = '0;
        for (int p = 1; p <= LEVELS; p++)
            if (heads_visible[p]) begin
                head = first[p*COUNT_W +: COUNT_W];
                section = SECTION_W'(p);
            end
    end
    wire [PLACE_W-1:0] head_place = order[32'(head)*PLACE_W +: PLACE_W];
    assign waits = heads_visible != '0;
    assign body = bodies[head_place];
    assign next = nexts[head_place];

    // The last entry, if the queue is full. A TB of it may be sent in this clock.
    wire [PLACE_W-1:0] last_place = order[(CAP-1)*PLACE_W +: PLACE_W];
    wire leaves = send && last;
    assign full = first[COUNT_W-1:0] == COUNT_W'(CAP) && !leaves;
    always_comb begin
        lowest = '0;
        for (int p = LEVELS; p >= 1; p--)
            if (first[p*COUNT_W +: COUNT_W] != first[(p-1)*COUNT_W +: COUNT_W]) lowest = SECTION_W'(p);
    end
    assign evicted_body = bodies[last_place];
    assign evicted_next = nexts[last_place] + TBS_W'(send && 32'(head) == CAP - 1);

    // What is left when the candidate has left, or the last entry: its place becomes the last of all. Evicted, it is there already.
    wire [CAP*PLACE_W-1:0] from_head = ALL << 32'(head) * PLACE_W;
    assign left = leaves ? order & ~from_head | {head_place, order[CAP*PLACE_W-1:PLACE_W]} & from_head : order;
    always_comb begin
        first_left = first;
        for (int p = 0; p < LEVELS; p++)
            if ((leaves && p < 32'(section)) || (evict && p < 32'(lowest)))
                first_left[p*COUNT_W +: COUNT_W] = first[p*COUNT_W +: COUNT_W] - 1'b1;
    end

    // laperm-R4a: behind every entry of its section and above, in the first free place.
    wire [COUNT_W-1:0] count_left = first_left[COUNT_W-1:0];
    wire [PLACE_W-1:0] free_place = left[32'(count_left)*PLACE_W +: PLACE_W];
    always_comb begin
        pos = '0;
        for (int p = 1; p <= LEVELS; p++) if (SECTION_W'(p) == insert_section) pos = first_left[(p-1)*COUNT_W +: COUNT_W];
    end
    wire [CAP*PLACE_W-1:0] moved = ALL << (32'(pos) + 1) * PLACE_W & ~(ALL << (32'(count_left) + 1) * PLACE_W);
    wire [CAP*PLACE_W-1:0] at_pos = (CAP*PLACE_W)'({PLACE_W{1'b1}}) << 32'(pos) * PLACE_W;
    always_comb begin
        order_after = left;
        if (insert)
            order_after = left & ~moved & ~at_pos | {left[(CAP-1)*PLACE_W-1:0], free_place} & moved | {CAP{free_place}} & at_pos;
        first_after = first_left;
        for (int p = 0; p < LEVELS; p++)
            if (insert && p < 32'(insert_section)) first_after[p*COUNT_W +: COUNT_W] = first_left[p*COUNT_W +: COUNT_W] + 1'b1;
    end

    always_ff @(posedge clk)
        if (rst) begin
            for (int i = 0; i < CAP; i++) order[i*PLACE_W +: PLACE_W] <= PLACE_W'(i);
            first <= '0;
        end else begin
            order <= order_after;
            first <= first_after;
        end
    always_ff @(posedge clk) begin
        if (send) nexts[head_place] <= next + 1'b1;
        // Behind the line above: the newcomer may get the place of the entry whose TB is sent.
        if (insert) begin
            bodies[free_place] <= insert_body;
            nexts[free_place] <= insert_next;
            ready_ats[free_place] <= insert_ready_at;
        end
    end
endmodule
