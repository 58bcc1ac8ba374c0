// The aggregated group table (AGT): where the information of coalesced groups is, and the chains that they form.
//
// A group takes the one entry (AGE) at the hash of its caller's thread, or, when that is taken, keeps its information in global memory
// ("spilled"). Its reference says which: an AGE's number, or with bit 31 set the number of its launch record; all ones is none.
// smx_scheduler drives the table: it says whose TB ended (dtbl-D2), hands in the lanes of a command one a clock (dtbl-T3), and reads
// and counts the group that it sends (dtbl-T4). Within one clock these happen in that order, as in a cycle of the sheet: an entry that
// is freed can be taken, a group that has just joined can be sent.
//
// Memory is a port with one row per record: it is read as the table is, and counts by itself (`mem_done`, `mem_send`), since updates
// there are free (dtbl-A15). What a load costs, the scheduler waits for.
//
// Storage: 160 bits an entry, as the sheet lays an AGE out: AggDim 63 + valid 1, Param 32, Next 32, ExeBL 31 + dist 1. Nothing else.
module agt #(
    parameter int unsigned AGES = 1024,    // agt_size, a power of two
    parameter int unsigned SMXS = 13,      // n_smx
    parameter int unsigned THREADS = 2048, // of an SMX
    parameter int unsigned SW = SMXS > 1 ? $clog2(SMXS) : 1,
    parameter int unsigned TW = THREADS > 1 ? $clog2(THREADS) : 1
) (
    input  logic          clk,
    input  logic          rst,
    // Configuration
    input  logic          hash_global, // hash_scope
    input  logic          miss_device, // agt_miss

    // dtbl-D2: a TB of group `done_ref` has ended
    input  logic          done,
    input  logic [31:0]   done_ref,
    output logic          group_done,  // it was the last one: the entry is free, the record that Param points into can be freed
    output logic [31:0]   done_param,

    // dtbl-T3: a group that found its kernel
    input  logic          lane,
    input  logic [SW-1:0] lane_smx,    // of the caller
    input  logic [TW-1:0] lane_tid,    // hw_tid
    input  logic [62:0]   lane_dim,    // AggDim: z 16 bits, y 16, x 31
    input  logic [31:0]   lane_param,
    input  logic [30:0]   lane_record,
    input  logic [31:0]   behind,      // LAGEI of that kernel while its NAGEI is set, else none (dtbl-H1)
    output logic          hit,         // its AGE was free
    output logic          joined,      // it is coalesced; else it falls and becomes a device kernel
    output logic [31:0]   joined_ref,  // its reference

    // dtbl-T4: the group that the scheduler sends
    input  logic [31:0]   sel,
    output logic [31:0]   sel_total,
    output logic [31:0]   sel_param,
    output logic [31:0]   sel_next,
    input  logic          send,        // a TB of it is sent
    input  logic          last,        // its last one

    // Spilled groups in memory. Reads are of the beginning of the clock.
    output logic          mem_done,    // ExeBL - 1
    output logic [30:0]   mem_done_record,
    input  logic [30:0]   mem_done_exe,
    input  logic          mem_done_dist,
    input  logic [31:0]   mem_done_param,
    output logic          mem_join,    // the lane's AggDim and Param; Next none, ExeBL 0, dist 0
    output logic          mem_link,    // Next = joined_ref
    output logic [30:0]   mem_link_record,
    output logic          mem_send,    // ExeBL + 1, and dist if it is the last TB
    output logic [30:0]   mem_send_record,
    input  logic [62:0]   mem_dim,
    input  logic [31:0]   mem_param,
    input  logic [31:0]   mem_next
);
    localparam int unsigned AW = AGES > 1 ? $clog2(AGES) : 1;
    localparam logic [31:0] NONE = '1;

    logic [AGES-1:0] valid;
    logic [AGES-1:0] is_dist;
    logic [62:0]     agg_dim [AGES];
    logic [31:0]     param   [AGES];
    logic [31:0]     next    [AGES];
    logic [30:0]     exe     [AGES];

    // ---- dtbl-D2: a group is done when every TB was sent and has ended; ExeBL alone cannot tell (dtbl-H12)
    wire          done_here = done && !done_ref[31];
    wire [AW-1:0] done_age  = AW'(done_ref);
    assign mem_done        = done && done_ref[31];
    assign mem_done_record = done_ref[30:0];
    assign done_param      = done_ref[31] ? mem_done_param : param[done_age];
    assign group_done      = done_here && is_dist[done_age] && exe[done_age] == 1 || mem_done && mem_done_dist && mem_done_exe == 1;

    logic [AGES-1:0] kept;
    always_comb begin
        kept = valid;
        if (done_here && group_done) kept[done_age] = 1'b0;
    end

    // ---- dtbl-T3 step 2: one probe, no retry (dtbl-H7)
    wire [31:0]   tid   = hash_global ? 32'(lane_smx) * THREADS + 32'(lane_tid) : 32'(lane_tid);
    wire [AW-1:0] probe = AW'(tid & (AGES - 1));
    assign hit        = lane && !kept[probe];
    assign joined     = hit || lane && !miss_device;
    assign joined_ref = hit ? 32'(probe) : {1'b1, lane_record};
    assign mem_join   = joined && !hit;

    // ---- dtbl-T3 step 3: link behind the kernel's last group
    wire          link_here = joined && !behind[31];
    wire [AW-1:0] link_age  = AW'(behind);
    assign mem_link        = joined && behind[31] && behind != NONE;
    assign mem_link_record = behind[30:0];

    // ---- dtbl-T4: the selected group as it is now, after dtbl-D2 and dtbl-T3 of this clock (dtbl-H3: Next is never older than that)
    wire          is_new    = joined && sel == joined_ref;
    wire          is_linked = joined && sel == behind;
    wire          send_here = send && !sel[31];
    wire [AW-1:0] sel_age   = AW'(sel);
    wire [62:0]   sel_dim   = is_new ? lane_dim : sel[31] ? mem_dim : agg_dim[sel_age];
    assign sel_total = 32'(sel_dim[30:0]) * 32'(sel_dim[46:31]) * 32'(sel_dim[62:47]);
    assign sel_param = is_new ? lane_param : sel[31] ? mem_param : param[sel_age];
    assign sel_next  = is_new ? NONE : is_linked ? joined_ref : sel[31] ? mem_next : next[sel_age];
    assign mem_send        = send && sel[31];
    assign mem_send_record = sel[30:0];

    // ExeBL of the selected group before this TB; a TB of it may have ended in this clock.
    wire [30:0] sel_exe = is_new ? '0 : exe[sel_age] - 31'(done_here && done_age == sel_age);

    // The order of the assignments is that of the rules.
    always_ff @(posedge clk) begin
        if (done_here) exe[done_age] <= exe[done_age] - 1'b1;
        valid <= kept;
        if (hit) begin
            valid[probe]   <= 1'b1;
            agg_dim[probe] <= lane_dim;
            param[probe]   <= lane_param;
            next[probe]    <= NONE;
            exe[probe]     <= '0;
            is_dist[probe]    <= 1'b0;
        end
        if (link_here) next[link_age] <= joined_ref;
        if (send_here) begin
            exe[sel_age] <= sel_exe + 1'b1;
            if (last) is_dist[sel_age] <= 1'b1;
        end
        if (rst) valid <= '0;
    end
endmodule
