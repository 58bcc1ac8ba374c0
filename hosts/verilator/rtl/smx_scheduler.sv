// The SMX scheduler with the FCFS controller, the kernel distributor's entries and the TB control registers: which TB goes to which SMX.
//
// Around it stand the KMU, which writes entries (dtbl-T1), says when a kernel arrives (dtbl-T2) and suspends kernels (dtbl-S1); the
// SMXs, which report ended TBs (dtbl-D1); the coalescing unit, which finds a kernel for each lane of a command (dtbl-T3 step 1) and
// hands the lane here and to `agt` (dtbl-T3 steps 2, 3); and `agt`, which holds the groups. One clock carries, in this order and each
// seeing what the one before left: an operation of the completion port, an answer of memory, dtbl-T1, dtbl-T2, a lane, and with `tick`
// the scheduler's turn, dtbl-T4. So a cycle of the sheet is one clock if it has at most one of each, and else more, of which the last
// one has `tick`: one TB ends, or is saved, in a clock, and one lane joins, as 4.4 says. One limit: lat_dispatch is at least 1, so
// that an entry is written before it arrives. Arrivals come one a clock, since the KMU issues no faster. SyncDepth and SuspFull are
// for the KMU to find, before it asks for a suspension.
//
// Storage: what DTBL adds is as the sheet counts it, 8768 bits with the default parameters: 32 x (NAGEI, LAGEI 64 + first 1), AGEI 32 in
// SSCR and in each of 208 TBCRs. The rest is the baseline, which the source does not count: entries 32 x 180, FIFO and marks 198, SSCR
// 104, TBCRs 208 x 38, free room 13 x 45, rr 4.
module smx_scheduler #(
    parameter int unsigned SMXS = 13,      // n_smx
    parameter int unsigned SLOTS = 16,     // tb_slots
    parameter int unsigned KDES = 32,      // n_kde
    parameter int unsigned THREADS = 2048, // of an SMX; so REGS and SMEM
    parameter int unsigned REGS = 65536,
    parameter int unsigned SMEM = 49152,
    parameter int unsigned GROUPS = 2048,  // pend_limit: groups that can be live
    parameter int unsigned SW = SMXS > 1 ? $clog2(SMXS) : 1,
    parameter int unsigned WW = SLOTS > 1 ? $clog2(SLOTS) : 1,
    parameter int unsigned KW = KDES > 1 ? $clog2(KDES) : 1,
    parameter int unsigned TW = $clog2(THREADS + 1),
    parameter int unsigned RW = $clog2(REGS + 1),
    parameter int unsigned MW = $clog2(SMEM + 1),
    parameter int unsigned EW = $clog2(SMXS * SLOTS + 1)
) (
    input  logic          clk,
    input  logic          rst,
    // Configuration
    input  logic          load_external, // load_mode
    input  logic [31:0]   load_cycles,
    input  logic [31:0]   turn_groups,

    // Completion: 1 tb_done, 2 unretain, 3 suspend. A suspend stays until `suspended`; each of its clocks saves one TB.
    input  logic [1:0]    op,
    input  logic [15:0]   op_smx,
    input  logic [15:0]   op_slot,
    input  logic [15:0]   op_kde,
    output logic [4:0]    op_fault,      // 0, or the sheet's number of why nothing happens
    output logic          kernel_done,   // dtbl-D3: entry left_kde is free
    output logic          suspended,     // dtbl-S1: so it is, its kernel to be kept by the KMU
    output logic          left,          // a TB has left its slot; on suspend it is to be saved
    output logic [SW-1:0] left_smx,
    output logic [WW-1:0] left_slot,
    output logic [KW-1:0] left_kde,
    output logic [31:0]   left_ref,
    output logic [31:0]   left_blkid,

    // dtbl-S3
    input  logic          spill_loaded,
    input  logic [30:0]   spill_record,
    output logic          no_load,       // fault NoLoad

    // dtbl-T1: the KMU writes the lowest entry that is free
    output logic [KDES-1:0] free_kdes,
    input  logic          issue,
    input  logic [KW-1:0] issue_kde,
    input  logic [31:0]   issue_total,
    input  logic [31:0]   issue_next_native,
    input  logic [EW-1:0] issue_saved,
    input  logic          issue_retain,
    input  logic [31:0]   issue_param,
    input  logic [TW-1:0] issue_threads, // of a TB
    input  logic [RW-1:0] issue_regs,
    input  logic [MW-1:0] issue_smem,

    // dtbl-T2
    input  logic          arrive,
    input  logic [KW-1:0] arrive_kde,

    // dtbl-T3: the lane that `agt` sees in this clock
    input  logic [KW-1:0] lane_kde,

    // dtbl-T4
    input  logic          tick,
    output logic [1:0]    sched,         // 0 tb, 1 idle, 2 load, 3 noroom
    output logic          load_ask,      // a load of the record in tb_ref begins
    output logic [SW-1:0] tb_smx,
    output logic [WW-1:0] tb_slot,
    output logic [KW-1:0] tb_kde,
    output logic [31:0]   tb_ref,
    output logic [31:0]   tb_blkid,
    output logic [31:0]   tb_param,
    output logic          unmark,
    output logic          rotate,

    // The group table, `agt`
    output logic          done,
    output logic [31:0]   done_ref,
    input  logic          group_done,
    output logic [31:0]   behind,
    input  logic          joined,
    input  logic [31:0]   joined_ref,
    output logic [31:0]   sel,
    input  logic [31:0]   sel_total,
    input  logic [31:0]   sel_param,
    input  logic [31:0]   sel_next,
    output logic          send,
    output logic          last
);
    localparam int unsigned TBS = SMXS * SLOTS;
    localparam int unsigned BW = TBS > 1 ? $clog2(TBS) : 1;
    localparam int unsigned NW = $clog2(KDES + 1);
    localparam int unsigned GW = $clog2(GROUPS + 1);
    localparam logic [31:0] NONE = '1;              // no group: native
    localparam logic [31:0] RESTORED = 32'hfffffffe; // in TBCR: native, sent again (no record has that number)
    localparam logic [1:0] TB_DONE = 1, UNRETAIN = 2, SUSPEND = 3;
    localparam logic [1:0] NOT_ASKED = 0, WAITING = 1, HERE = 2;

    // KDE
    logic [KDES-1:0] arriving, active, retain;
    logic [31:0]     total [KDES], next_native [KDES], param [KDES];
    logic [EW-1:0]   saved [KDES], restored [KDES], exe [KDES];
    logic [GW-1:0]   live [KDES];
    logic [31:0]     nagei [KDES], lagei [KDES];
    logic [TW-1:0]   need_threads [KDES];
    logic [RW-1:0]   need_regs [KDES];
    logic [MW-1:0]   need_smem [KDES];
    // FCFS controller: place 0 is the head
    logic [KW-1:0]   fifo [KDES];
    logic [NW-1:0]   marked;
    logic [KDES-1:0] mark, first;
    // SSCR; load_left is load_at - now
    logic            sscr_valid;
    logic [KW-1:0]   sscr_kdei;
    logic [31:0]     sscr_agei, sscr_next_bl, sscr_turn, sscr_load_left;
    logic [1:0]      sscr_load;
    // TBCR, by SMX and slot
    logic [TBS-1:0]  tb_valid;
    logic [KW-1:0]   tb_kdei [TBS];
    logic [31:0]     tb_agei [TBS], tb_blk [TBS];
    // Free room; slots are those without a TB
    logic [TW-1:0]   threads [SMXS];
    logic [RW-1:0]   regs [SMXS];
    logic [MW-1:0]   smem [SMXS];

    // ---- Completion: which TB leaves, and whether its kernel does

    // dtbl-S1: the kernel's first TB by SMX and slot
    logic [BW-1:0] left_tb;
    always_comb begin
        left_smx  = SW'(op_smx);
        left_slot = WW'(op_slot);
        if (op == SUSPEND)
            for (int s = SMXS - 1; s >= 0; s--)
                for (int w = SLOTS - 1; w >= 0; w--)
                    if (tb_valid[s * SLOTS + w] && tb_kdei[s * SLOTS + w] == KW'(op_kde)) begin
                        left_smx  = SW'(s);
                        left_slot = WW'(w);
                    end
        left_tb = BW'(32'(left_smx) * SLOTS + 32'(left_slot));
    end
    assign left_kde   = op == TB_DONE ? tb_kdei[left_tb] : KW'(op_kde);
    assign left_ref   = tb_agei[left_tb];
    assign left_blkid = tb_blk[left_tb];

    always_comb begin
        op_fault = 0;
        case (op)
            TB_DONE: begin // dtbl-D1
                if (32'(op_smx) >= SMXS) op_fault = 7;                            // BadSmx
                else if (32'(op_slot) >= SLOTS) op_fault = 8;                     // BadSlot
                else if (!tb_valid[left_tb]) op_fault = 9;                        // NoTb
            end
            UNRETAIN, SUSPEND: begin // dtbl-D5, dtbl-S1
                if (32'(op_kde) >= KDES) op_fault = 13;                           // BadKde
                else if (!active[left_kde]) op_fault = 14;                        // NoKernel
                else if (op == UNRETAIN) op_fault = retain[left_kde] ? 0 : 15;    // NotRetained
                else if (retain[left_kde]) op_fault = 16;                         // Retained
                else if (live[left_kde] != 0) op_fault = 17;                      // HasGroups
                else if (restored[left_kde] < saved[left_kde]) op_fault = 18;     // RestorePending
                else if (exe[left_kde] == 0) op_fault = 19;                       // NothingResident
            end
            default: ;
        endcase
    end

    wire op_done     = op != 0 && op_fault == 0;
    assign left      = op_done && op != UNRETAIN;
    assign suspended = left && op == SUSPEND && exe[left_kde] == 1;
    // dtbl-D2
    assign done      = left && left_ref < RESTORED;
    assign done_ref  = left_ref;
    // dtbl-D3: the entry goes with its last TB, or its retain bit, unless it is marked
    wire is_held = op == TB_DONE && retain[left_kde];
    wire is_empty = exe[left_kde] == EW'(left);
    assign kernel_done = op_done && op != SUSPEND && is_empty && !mark[left_kde] && !is_held;

    always_comb begin
        free_kdes = ~(arriving | active);
        if (kernel_done || suspended) free_kdes[left_kde] = 1'b1;
    end

    // ---- FCFS controller: dtbl-S1 takes an entry out, dtbl-T2 and dtbl-T3 append
    // A marked kernel with TBs and without groups can only be the head, and in SSCR: none behind it has sent native TBs (dtbl-I13).
    wire pops = suspended && mark[left_kde];
    logic [KDES-1:0] mark_a, mark_j, first_a; // after dtbl-T2, after dtbl-T3
    logic [KW-1:0]   fifo_j [KDES];
    logic [NW-1:0]   marked_j;
    always_comb begin
        mark_a  = mark;
        first_a = first;
        if (pops) {mark_a[left_kde], first_a[left_kde]} = '0;
        if (arrive) {mark_a[arrive_kde], first_a[arrive_kde]} = '1;
        mark_j = mark_a;
        if (joined) mark_j[lane_kde] = 1'b1;
    end
    always_comb begin
        for (int i = 0; i < KDES; i++) fifo_j[i] = fifo[pops && i + 1 < KDES ? i + 1 : i];
        marked_j = marked - NW'(pops);
        if (arrive) begin // dtbl-T2
            fifo_j[KW'(marked_j)] = arrive_kde;
            marked_j = marked_j + 1'b1;
        end
        if (joined && !mark_a[lane_kde]) begin // dtbl-T3 step 3; dtbl-A13: at the tail
            fifo_j[KW'(marked_j)] = lane_kde;
            marked_j = marked_j + 1'b1;
        end
    end

    // dtbl-T3 step 3: LAGEI is none while NAGEI is (dtbl-I6), so it is never stale (dtbl-H1)
    assign behind = lagei[lane_kde];

    // ---- dtbl-T4: what is to be sent next
    logic [KW-1:0] k;
    logic [31:0]   agei, next_bl, turn, nag;
    logic [1:0]    load;
    logic          work, goes_on, spilled;
    wire answered = spill_loaded && load_external && sscr_valid && sscr_load == WAITING && sscr_agei == {1'b1, spill_record};
    assign no_load = spill_loaded && !answered;
    always_comb begin
        work    = marked_j != 0;
        goes_on = sscr_valid && !pops;
        k       = goes_on ? sscr_kdei : fifo_j[0];
        nag     = joined && lane_kde == k && nagei[k] == NONE ? joined_ref : nagei[k];
        if (goes_on) begin
            agei    = sscr_agei;
            next_bl = sscr_next_bl;
            turn    = sscr_turn;
            load    = answered ? HERE : sscr_load;
        end else begin
            agei    = first_a[k] ? NONE : nag;
            next_bl = first_a[k] ? next_native[k] : 0;
            turn    = 0;
            load    = NOT_ASKED;
        end
        spilled = agei[31] && agei != NONE;
    end
    assign sel    = agei;
    assign tb_kde = k;

    // A spilled group is loaded first (dtbl-H2)
    assign load_ask = tick && work && spilled && load == NOT_ASKED;
    wire [31:0] load_left = load_ask ? load_cycles : sscr_load_left;
    wire here = !spilled || load == HERE || !load_external && load_left == 0;

    // The next SMX with room
    logic [TW-1:0] threads_c [SMXS];
    logic [RW-1:0] regs_c [SMXS];
    logic [MW-1:0] smem_c [SMXS];
    logic [TBS-1:0] tb_valid_c;
    logic [SMXS-1:0] fits;
    always_comb begin
        tb_valid_c = tb_valid;
        if (left) tb_valid_c[left_tb] = 1'b0; // dtbl-D1
        for (int s = 0; s < SMXS; s++) begin
            threads_c[s] = threads[s];
            regs_c[s]    = regs[s];
            smem_c[s]    = smem[s];
            if (left && left_smx == SW'(s)) begin
                threads_c[s] = threads[s] + need_threads[left_kde];
                regs_c[s]    = regs[s] + need_regs[left_kde];
                smem_c[s]    = smem[s] + need_smem[left_kde];
            end
            fits[s] = !(&tb_valid_c[s*SLOTS +: SLOTS]) && threads_c[s] >= need_threads[k] && regs_c[s] >= need_regs[k]
                && smem_c[s] >= need_smem[k];
        end
    end
    wire go = tick && work && here;
    logic sent;
    rr_pick #(.SMXS(SMXS), .W(SW)) pick (.clk, .rst, .tick(go), .fits, .sent, .smx(tb_smx));
    assign sched = !work ? 2'd1 : !here ? 2'd2 : !sent ? 2'd3 : 2'd0;

    always_comb begin
        tb_slot = 0;
        for (int w = SLOTS - 1; w >= 0; w--) if (!tb_valid_c[32'(tb_smx) * SLOTS + w]) tb_slot = WW'(w);
    end
    wire [BW-1:0] tb = BW'(32'(tb_smx) * SLOTS + 32'(tb_slot));

    // The TB, and what follows when it is its unit's last
    wire is_native   = agei == NONE;
    wire is_restored = is_native && restored[k] < saved[k];
    assign tb_ref   = is_restored ? RESTORED : agei;
    assign tb_blkid = is_restored ? 32'(restored[k]) : next_bl;
    assign tb_param = is_native ? param[k] : sel_param;
    wire native_more = is_restored && restored[k] + 1'b1 < saved[k] || next_native[k] + 32'(!is_restored) < total[k];
    wire group_more  = next_bl + 1 < sel_total;
    wire over        = sent && !(is_native ? native_more : group_more);
    assign send = sent && !is_native;
    assign last = send && over;
    wire [31:0] nag_n  = is_native ? nag : sel_next; // read now (dtbl-H3)
    wire [31:0] turn_n = last && turn != '1 ? turn + 1 : turn;
    assign unmark = over && nag_n == NONE;
    assign rotate = last && !unmark && turn_groups != 0 && turn_groups <= turn_n && marked_j > 1;

    // ---- Registers. The order of the assignments is that of the rules.
    always_ff @(posedge clk) begin
        // dtbl-D1 to D5, dtbl-S1
        if (op_done && op == UNRETAIN) retain[left_kde] <= 1'b0;
        if (kernel_done || suspended) active[left_kde] <= 1'b0;
        if (left && !(sent && k == left_kde)) exe[left_kde] <= exe[left_kde] - 1'b1;
        if (group_done && !(joined && lane_kde == left_kde)) live[left_kde] <= live[left_kde] - 1'b1;
        if (answered) sscr_load <= HERE; // dtbl-S3
        // dtbl-T1; NAGEI, LAGEI, ExeBL and live of a free entry are what they are to be
        if (issue) begin
            arriving[issue_kde]     <= 1'b1;
            retain[issue_kde]       <= issue_retain;
            total[issue_kde]        <= issue_total;
            next_native[issue_kde]  <= issue_next_native;
            saved[issue_kde]        <= issue_saved;
            restored[issue_kde]     <= '0;
            param[issue_kde]        <= issue_param;
            need_threads[issue_kde] <= issue_threads;
            need_regs[issue_kde]    <= issue_regs;
            need_smem[issue_kde]    <= issue_smem;
        end
        if (arrive) begin // dtbl-T2
            arriving[arrive_kde] <= 1'b0;
            active[arrive_kde]   <= 1'b1;
        end
        if (joined) begin // dtbl-T3 step 3
            if (nagei[lane_kde] == NONE) nagei[lane_kde] <= joined_ref; // dtbl-A9
            lagei[lane_kde] <= joined_ref;
            if (!(group_done && lane_kde == left_kde)) live[lane_kde] <= live[lane_kde] + 1'b1;
        end
        // dtbl-T4
        mark   <= mark_j;
        first  <= first_a;
        marked <= marked_j - NW'(unmark);
        for (int i = 0; i < KDES; i++) fifo[i] <= fifo_j[(unmark || rotate) && i + 1 < KDES ? i + 1 : i];
        if (rotate) fifo[KW'(marked_j - 1'b1)] <= k;
        if (unmark) mark[k] <= 1'b0;
        if (over) first[k] <= 1'b0; // dtbl-A17
        if (last) begin
            nagei[k] <= sel_next;
            if (unmark) lagei[k] <= NONE; // dtbl-I6
        end
        if (pops) sscr_valid <= 1'b0;
        if (tick && work) begin
            sscr_valid     <= !unmark && !rotate;
            sscr_kdei      <= k;
            sscr_agei      <= over ? nag_n : agei;
            sscr_next_bl   <= over ? 0 : next_bl + 32'(sent && !is_restored);
            sscr_turn      <= turn_n;
            sscr_load      <= over || !spilled ? NOT_ASKED : here ? HERE : WAITING;
            sscr_load_left <= load_left - 1;
        end
        tb_valid <= tb_valid_c;
        for (int s = 0; s < SMXS; s++) begin
            threads[s] <= threads_c[s] - (sent && tb_smx == SW'(s) ? need_threads[k] : '0);
            regs[s]    <= regs_c[s] - (sent && tb_smx == SW'(s) ? need_regs[k] : '0);
            smem[s]    <= smem_c[s] - (sent && tb_smx == SW'(s) ? need_smem[k] : '0);
        end
        if (sent) begin
            tb_valid[tb] <= 1'b1;
            tb_kdei[tb]  <= k;
            tb_agei[tb]  <= tb_ref;
            tb_blk[tb]   <= tb_blkid;
            if (!(left && k == left_kde)) exe[k] <= exe[k] + 1'b1;
            if (is_restored) restored[k] <= restored[k] + 1'b1;
            else if (is_native) next_native[k] <= next_native[k] + 1;
        end

        if (rst) begin
            {arriving, active, retain, mark, first} <= '0;
            marked     <= '0;
            sscr_valid <= 1'b0;
            tb_valid   <= '0;
            for (int i = 0; i < KDES; i++) begin
                nagei[i] <= NONE;
                lagei[i] <= NONE;
                exe[i]   <= '0;
                live[i]  <= '0;
            end
            for (int s = 0; s < SMXS; s++) begin
                threads[s] <= TW'(THREADS);
                regs[s]    <= RW'(REGS);
                smem[s]    <= MW'(SMEM);
            end
        end
    end
endmodule
