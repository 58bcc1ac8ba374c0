// laperm beside the core. On the falling edge a cycle is asked for; before the rising edge, which carries it out, the core's answers are
// compared, and all registers, every entry on chip and in the overflow lists among them, with those that the core had before the cycle.
// Configurations follow each other, each from reset.
`include "check.svh"

module bench (input logic clk);
    // As laperm_host.hpp has them.
    localparam int SMXS = `SIZE_SMXS, LEVELS = `SIZE_LEVELS, QUEUE_CAP = `SIZE_QUEUE_CAP, Q0_CAP = `SIZE_Q0_CAP, POOL_CAP = `SIZE_POOL_CAP;
    localparam int SMX_W = $clog2(SMXS), LEVEL_W = $clog2(LEVELS + 1), TBS_W = 32, TAG_W = 64;
    localparam int POS_W = $clog2((QUEUE_CAP > Q0_CAP ? QUEUE_CAP : Q0_CAP) + 1);
    localparam int RES_W = $clog2(`SIZE_THREADS + 1) + $clog2(`SIZE_REGS + 1) + $clog2(`SIZE_SMEM + 1) + $clog2(`SIZE_SLOTS + 1);
    localparam int BODY_W = TAG_W + LEVEL_W + RES_W + TBS_W, ENTRY_W = BODY_W + TBS_W;
    localparam int unsigned NONE = '1;
    // To compare the entries of large tables takes longer than the cycle itself.
    localparam int EVERY = POOL_CAP > 1000 ? 64 : 1;

    import "DPI-C" function void laperm_step(
        output bit rst, output longint unsigned now, output int unsigned cluster, output bit [1:0] policy, output bit visit_skip,
        output bit try_next, output bit spill_lowest, output bit [1:0] backup_select, output bit [15:0] backup_limit,
        output bit [15:0] refill_cycles, output bit charge_insert, output bit tick, output bit done, output bit [SMX_W-1:0] done_smx,
        output longint unsigned done_res, output bit set_mask, output bit [SMX_W-1:0] mask_smx, output bit mask_value, output bit push,
        output bit push_host, output longint unsigned push_tag, output int unsigned push_tbs, output longint unsigned push_res,
        output bit [SMX_W-1:0] push_smx, output bit [LEVEL_W-1:0] push_prio);
    import "DPI-C" function void laperm_sent(
        output bit [2:0] sched, output int unsigned smx, output bit [1:0] stage, output int unsigned unit, output longint unsigned tag,
        output int unsigned tb, output int unsigned prio, output bit last, output bit refills, output longint unsigned refill_tag);
    import "DPI-C" function void laperm_placed(
        output bit [3:0] done_error, output bit [3:0] mask_error, output bit push_ready, output bit [3:0] push_error,
        output bit [1:0] place, output int unsigned place_unit, output int unsigned level, output int unsigned pos,
        output longint unsigned ready_at, output bit evicts, output longint unsigned evicted);
    import "DPI-C" function void laperm_registers(
        output int unsigned cur, output bit [SMXS-1:0] mask, output longint unsigned free[SMXS], output int unsigned rec[SMXS],
        output int unsigned run[SMXS], output int unsigned pool_free);
    // Entry `i` of a unit's queue, or of all in memory, by unit, the highest section first; 0: there are fewer. Queue 0 is "unit" SMXS.
    import "DPI-C" function bit laperm_queued(
        input int unsigned unit, input int unsigned i, output longint unsigned tag, output int unsigned prio, output longint unsigned res,
        output int unsigned tbs, output int unsigned next, output int unsigned section, output longint unsigned ready_at);
    import "DPI-C" function bit laperm_off_chip(
        input int unsigned i, output longint unsigned tag, output int unsigned prio, output longint unsigned res,
        output int unsigned tbs, output int unsigned next, output int unsigned section, output int unsigned unit);

    bit rst = 1;
    longint unsigned now, push_tag, done_res, push_res;
    int unsigned cluster, push_tbs;
    bit [1:0] policy, backup_select;
    bit [15:0] backup_limit, refill_cycles;
    bit [SMX_W-1:0] done_smx, mask_smx, push_smx;
    bit [LEVEL_W-1:0] push_prio;
    bit visit_skip, try_next, spill_lowest, charge_insert, tick, done, set_mask, mask_value, push, push_host;

    logic [2:0] sched;
    logic [SMX_W-1:0] smx, unit, place_unit;
    logic [POS_W-1:0] pos;
    logic [1:0] stage, place;
    logic [TAG_W-1:0] tag, refill_tag, evicted_tag;
    logic [63:0] ready_at;
    logic [TBS_W-1:0] tb;
    logic [LEVEL_W-1:0] prio, level;
    logic [3:0] done_error, mask_error, push_error;
    logic smx_valid, last, refills, push_ready, evicts;

    laperm #(
        .SMXS(SMXS), .LEVELS(LEVELS), .QUEUE_CAP(QUEUE_CAP), .Q0_CAP(Q0_CAP), .POOL_CAP(POOL_CAP),
        .SMX_THREADS(`SIZE_THREADS), .SMX_REGS(`SIZE_REGS), .SMX_SMEM(`SIZE_SMEM), .SMX_SLOTS(`SIZE_SLOTS)
    ) dut (.*, .cluster(cluster[SMX_W:0]), .done_res(done_res[RES_W-1:0]), .push_res(push_res[RES_W-1:0]));

    // The core's.
    bit [2:0] core_sched;
    bit [1:0] core_stage, core_place;
    bit [3:0] core_done_error, core_mask_error, core_push_error;
    int unsigned core_smx, core_unit, core_tb, core_prio, core_place_unit, core_level, core_pos, core_cur, core_pool_free;
    longint unsigned core_tag, core_refill_tag, core_ready_at, core_evicted_tag;
    bit core_last, core_refills, core_push_ready, core_evicts;
    bit [SMXS-1:0] core_mask;
    longint unsigned core_free[SMXS];
    int unsigned core_rec[SMXS], core_run[SMXS];

    int clocks = 0;
    always @(negedge clk) begin
        laperm_step(rst, now, cluster, policy, visit_skip, try_next, spill_lowest, backup_select, backup_limit, refill_cycles,
            charge_insert, tick, done, done_smx, done_res, set_mask, mask_smx, mask_value, push, push_host, push_tag, push_tbs, push_res,
            push_smx, push_prio);
        laperm_sent(core_sched, core_smx, core_stage, core_unit, core_tag, core_tb, core_prio, core_last, core_refills, core_refill_tag);
        laperm_placed(core_done_error, core_mask_error, core_push_ready, core_push_error, core_place, core_place_unit, core_level,
            core_pos, core_ready_at, core_evicts, core_evicted_tag);
        laperm_registers(core_cur, core_mask, core_free, core_rec, core_run, core_pool_free);
        clocks++;
    end

    // Registers.
    wire has_begun = clocks > 1, is_due = has_begun && clocks % EVERY == 0;
    always @(posedge clk) if (has_begun) begin
        `CHECK("cur", dut.cur, core_cur)
        `CHECK("mask", dut.mask, core_mask)
        for (int s = 0; s < SMXS; s++) begin
            `CHECK_AT("free", s, dut.free[s*RES_W +: RES_W], core_free[s])
            `CHECK_AT("rec: valid", s, dut.rec_valid[s], core_rec[s] != NONE)
            if (core_rec[s] != NONE) `CHECK_AT("rec", s, dut.rec[s*SMX_W +: SMX_W], core_rec[s])
            `CHECK_AT("run", s, dut.run[s*16 +: 16], core_run[s])
        end
        `CHECK("overflow: free places", POOL_CAP - dut.overflow.used, core_pool_free)
    end

    // Entries, each with what the core has in its place.
    bit core_is;
    longint unsigned core_e_tag, core_e_res, core_e_ready_at;
    int unsigned core_e_prio, core_e_tbs, core_e_next, core_e_section, core_e_unit;
    task compare(int i, logic [BODY_W-1:0] body, logic [TBS_W-1:0] next);
        `CHECK_AT("entry: tag", i, body[BODY_W-1 -: TAG_W], core_e_tag)
        `CHECK_AT("entry: prio", i, body[TBS_W + RES_W +: LEVEL_W], core_e_prio)
        `CHECK_AT("entry: res", i, body[TBS_W +: RES_W], core_e_res)
        `CHECK_AT("entry: tbs", i, body[TBS_W-1:0], core_e_tbs)
        `CHECK_AT("entry: next", i, next, core_e_next)
    endtask
    // Entries are numbered queue by queue.
    `define CHECK_QUEUE(queue, unit, cap, levels) \
        for (int i = 0; i < cap; i++) begin \
            core_is = laperm_queued(unit, i, core_e_tag, core_e_prio, core_e_res, core_e_tbs, core_e_next, core_e_section, \
                core_e_ready_at); \
            `CHECK_AT("queue: entry", unit * QUEUE_CAP + i, i < 32'(queue.first[$clog2(cap + 1)-1:0]), core_is) \
            if (!core_is) break; \
            place_of = 32'(queue.order[i*$clog2(cap) +: $clog2(cap)]); \
            compare(unit * QUEUE_CAP + i, queue.bodies[place_of], queue.nexts[place_of]); \
            `CHECK_AT("queue: ready_at", unit * QUEUE_CAP + i, queue.ready_ats[place_of], core_e_ready_at) \
            section = levels; \
            for (int p = levels - 1; p > 0; p--) if (i >= 32'(queue.first[p*$clog2(cap + 1) +: $clog2(cap + 1)])) section = p; \
            if (levels > 1) `CHECK_AT("queue: section", unit * QUEUE_CAP + i, section, core_e_section) \
        end
    for (genvar u = 0; u < SMXS; u++) begin : unit_queues
        int place_of, section;
        always @(posedge clk) if (is_due) `CHECK_QUEUE(dut.unit_queues[u].queue, u, QUEUE_CAP, LEVELS)
    end
    int place_of, section;
    always @(posedge clk) if (is_due) `CHECK_QUEUE(dut.queue0, SMXS, Q0_CAP, 1)

    // Overflow lists: by unit, the highest section first.
    int listed, list;
    bit [$clog2(POOL_CAP)-1:0] at;
    always @(posedge clk) if (is_due) begin
        listed = 0;
        for (int u = 0; u < SMXS; u++)
            for (int p = LEVELS; p > 0; p--) begin
                list = u * LEVELS + p - 1;
                at = dut.overflow.heads[list];
                if (dut.overflow.waiting[list])
                    while (listed < POOL_CAP) begin
                        core_is = laperm_off_chip(listed, core_e_tag, core_e_prio, core_e_res, core_e_tbs, core_e_next, core_e_section,
                            core_e_unit);
                        `CHECK_AT("overflow: entry", listed, 1, core_is)
                        `CHECK_AT("overflow: unit", listed, u, core_e_unit)
                        `CHECK_AT("overflow: section", listed, p, core_e_section)
                        compare(listed, dut.overflow.entries[at][ENTRY_W-1:TBS_W], dut.overflow.entries[at][TBS_W-1:0]);
                        listed++;
                        if (at == dut.overflow.tails[list]) break;
                        at = dut.overflow.links[at];
                    end
            end
        `CHECK("overflow: entries in the lists", POOL_CAP - listed, core_pool_free)
    end

    always @(posedge clk) if (!rst) begin
        if (tick) begin
            `CHECK("sched", sched, core_sched)
            `CHECK("smx: valid", smx_valid, core_smx != NONE)
            if (core_smx != NONE) `CHECK("smx", smx, core_smx)
            if (core_sched == 0) begin
                `CHECK("stage", stage, core_stage)
                if (core_unit != NONE) `CHECK("unit", unit, core_unit)
                `CHECK("tag", tag, core_tag)
                `CHECK("tb", tb, core_tb)
                `CHECK("prio", prio, core_prio)
                `CHECK("last", last, core_last)
                if (core_refills) `CHECK("refill tag", refill_tag, core_refill_tag)
            end
        end
        `CHECK("refills", refills, core_refills)
        if (done) `CHECK("done error", done_error, core_done_error)
        if (set_mask) `CHECK("mask error", mask_error, core_mask_error)
        `CHECK("push ready", push_ready, core_push_ready)
        `CHECK("evicts", evicts, core_evicts)
        if (push && core_push_ready) begin
            `CHECK("push error", push_error, core_push_error)
            if (core_push_error == 0) begin
                `CHECK("place", place, core_place)
                if (core_place != 0) `CHECK("place: unit", place_unit, core_place_unit)
                `CHECK("place: level", level, core_level)
                if (core_place != 2) begin
                    `CHECK("place: pos", pos, core_pos)
                    `CHECK("place: ready_at", ready_at, core_ready_at)
                end
                if (core_evicts) `CHECK("evicted tag", evicted_tag, core_evicted_tag)
            end
        end
    end
endmodule
