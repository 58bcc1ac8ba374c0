// laperm beside the core, small, so that queues, queue 0 and the pool fill up. On the falling edge all registers, every entry on
// chip and in the overflow lists among them, are compared with those that the core had after the cycle before, and the next cycle
// is asked for; before the rising edge, which carries it out, the answers are compared. Configurations follow each other, each from
// reset.
`include "check.svh"

module bench (input logic clk);
    // As laperm_host.hpp has them.
    localparam int SMXS = `SIZE_SMXS, LEVELS = `SIZE_LEVELS, QUEUE_CAP = `SIZE_QUEUE_CAP, Q0_CAP = `SIZE_Q0_CAP, POOL_CAP = `SIZE_POOL_CAP;
    localparam int QUEUED = SMXS * QUEUE_CAP + Q0_CAP;
    localparam int TBS_W = 32, TAG_W = 64, LEVEL_W = 3, RES_W = 6 + 7 + 5 + 3, BODY_W = TAG_W + LEVEL_W + RES_W + TBS_W;
    localparam int unsigned NONE = '1;
    // Words of an entry; `UNIT` is 0 where there is none, else its unit + 1. Queue 0 is "unit" SMXS.
    localparam int UNIT = 0, TAG = 1, READY_AT = 2, RES = 3, TBS = 4, NEXT = 5, PRIO = 6, SECTION = 7, WORDS = 8;

    import "DPI-C" function void laperm_step(
        output bit rst, output longint unsigned now, output int unsigned cluster, output bit [1:0] policy, output bit visit_skip,
        output bit try_next, output bit spill_lowest, output bit [1:0] backup_select, output bit [15:0] backup_limit,
        output bit [15:0] refill_cycles, output bit charge_insert, output bit tick, output bit done, output bit [2:0] done_smx,
        output bit [RES_W-1:0] done_res, output bit set_mask, output bit [2:0] mask_smx, output bit mask_value, output bit push,
        output bit push_host, output longint unsigned push_tag, output int unsigned push_tbs, output bit [RES_W-1:0] push_res,
        output bit [2:0] push_smx, output bit [LEVEL_W-1:0] push_prio);
    import "DPI-C" function void laperm_sent(
        output bit [2:0] sched, output int unsigned smx, output bit [1:0] stage, output int unsigned unit, output longint unsigned tag,
        output int unsigned tb, output int unsigned prio, output bit last, output bit refills, output longint unsigned refill_tag);
    import "DPI-C" function void laperm_placed(
        output bit [3:0] done_error, output bit [3:0] mask_error, output bit push_ready, output bit [3:0] push_error,
        output bit [1:0] place, output int unsigned place_unit, output int unsigned level, output int unsigned pos,
        output longint unsigned ready_at, output bit evicts, output longint unsigned evicted);
    import "DPI-C" function void laperm_registers(
        output int unsigned cur, output bit [SMXS-1:0] mask, output bit [RES_W-1:0] free[SMXS], output int unsigned rec[SMXS],
        output int unsigned run[SMXS], output int unsigned pool_free, output longint unsigned queued[QUEUED*WORDS],
        output longint unsigned off_chip[POOL_CAP*WORDS]);

    bit rst = 1, fresh = 1;
    longint unsigned now, push_tag;
    int unsigned cluster, push_tbs;
    bit [1:0] policy, backup_select;
    bit [15:0] backup_limit, refill_cycles;
    bit [2:0] done_smx, mask_smx, push_smx;
    bit [LEVEL_W-1:0] push_prio;
    bit [RES_W-1:0] done_res, push_res;
    bit visit_skip, try_next, spill_lowest, charge_insert, tick, done, set_mask, mask_value, push, push_host;

    logic [2:0] sched, smx, unit, place_unit, pos;
    logic [1:0] stage, place;
    logic [TAG_W-1:0] tag, refill_tag, evicted_tag;
    logic [63:0] ready_at;
    logic [TBS_W-1:0] tb;
    logic [LEVEL_W-1:0] prio, level;
    logic [3:0] done_error, mask_error, push_error;
    logic smx_valid, last, refills, push_ready, evicts;

    laperm #(
        .SMXS(SMXS), .LEVELS(LEVELS), .QUEUE_CAP(QUEUE_CAP), .Q0_CAP(Q0_CAP), .POOL_CAP(POOL_CAP),
        .SMX_THREADS(48), .SMX_REGS(100), .SMX_SMEM(20), .SMX_SLOTS(5)
    ) dut (.*, .cluster(cluster[3:0]));

    // Entries of the unit queues and of queue 0, in order, and their sections.
    logic [BODY_W-1:0] bodies [QUEUED];
    logic [TBS_W-1:0] nexts [QUEUED];
    longint unsigned ready_ats [QUEUED];
    int sections [QUEUED];
    bit used [QUEUED];
    for (genvar u = 0; u < SMXS; u++) begin : unit_queues
        for (genvar i = 0; i < QUEUE_CAP; i++) begin : entries
            wire [1:0] at = dut.unit_queues[u].queue.order[i*2 +: 2];
            assign bodies[u*QUEUE_CAP + i] = dut.unit_queues[u].queue.bodies[at];
            assign nexts[u*QUEUE_CAP + i] = dut.unit_queues[u].queue.nexts[at];
            assign ready_ats[u*QUEUE_CAP + i] = dut.unit_queues[u].queue.ready_ats[at];
            assign used[u*QUEUE_CAP + i] = i < dut.unit_queues[u].queue.first[1:0];
            always_comb begin
                sections[u*QUEUE_CAP + i] = LEVELS;
                for (int p = LEVELS - 1; p > 0; p--)
                    if (i >= 32'(dut.unit_queues[u].queue.first[p*2 +: 2])) sections[u*QUEUE_CAP + i] = p;
            end
        end
    end
    for (genvar i = 0; i < Q0_CAP; i++) begin : queue0
        wire [1:0] at = dut.queue0.order[i*2 +: 2];
        assign bodies[SMXS*QUEUE_CAP + i] = dut.queue0.bodies[at];
        assign nexts[SMXS*QUEUE_CAP + i] = dut.queue0.nexts[at];
        assign ready_ats[SMXS*QUEUE_CAP + i] = dut.queue0.ready_ats[at];
        assign sections[SMXS*QUEUE_CAP + i] = 0;
        assign used[SMXS*QUEUE_CAP + i] = i < dut.queue0.first[2:0];
    end

    // The core's.
    bit [2:0] core_sched;
    bit [1:0] core_stage, core_place;
    bit [3:0] core_done_error, core_mask_error, core_push_error;
    int unsigned core_smx, core_unit, core_tb, core_prio, core_place_unit, core_level, core_pos, core_cur, core_pool_free;
    longint unsigned core_tag, core_refill_tag, core_ready_at, core_evicted_tag;
    bit core_last, core_refills, core_push_ready, core_evicts;
    bit [SMXS-1:0] core_mask;
    bit [RES_W-1:0] core_free[SMXS];
    int unsigned core_rec[SMXS], core_run[SMXS];
    longint unsigned core_queued[QUEUED*WORDS], core_off_chip[POOL_CAP*WORDS];

    int listed, list;
    bit [3:0] at;

    always @(negedge clk) begin
        if (!fresh) begin
            `CHECK("cur", dut.cur, core_cur)
            `CHECK("mask", dut.mask, core_mask)
            for (int s = 0; s < SMXS; s++) begin
                `CHECK_AT("free", s, dut.free[s*RES_W +: RES_W], core_free[s])
                `CHECK_AT("rec: valid", s, dut.rec_valid[s], core_rec[s] != NONE)
                if (core_rec[s] != NONE) `CHECK_AT("rec", s, dut.rec[s*3 +: 3], core_rec[s])
                `CHECK_AT("run", s, dut.run[s*16 +: 16], core_run[s])
            end
            for (int i = 0; i < QUEUED; i++) begin
                `CHECK_AT("queue: entry", i, used[i], core_queued[i*WORDS + UNIT] != 0)
                if (used[i]) begin
                    `CHECK_AT("queue: tag", i, bodies[i][BODY_W-1 -: TAG_W], core_queued[i*WORDS + TAG])
                    `CHECK_AT("queue: prio", i, bodies[i][TBS_W + RES_W +: LEVEL_W], core_queued[i*WORDS + PRIO])
                    `CHECK_AT("queue: res", i, bodies[i][TBS_W +: RES_W], core_queued[i*WORDS + RES])
                    `CHECK_AT("queue: tbs", i, bodies[i][TBS_W-1:0], core_queued[i*WORDS + TBS])
                    `CHECK_AT("queue: next", i, nexts[i], core_queued[i*WORDS + NEXT])
                    `CHECK_AT("queue: ready_at", i, ready_ats[i], core_queued[i*WORDS + READY_AT])
                    `CHECK_AT("queue: section", i, sections[i], core_queued[i*WORDS + SECTION])
                end
            end
            // Overflow lists: by unit, the highest section first.
            `CHECK("overflow: free places", POOL_CAP - dut.overflow.used, core_pool_free)
            listed = 0;
            for (int u = 0; u < SMXS; u++)
                for (int p = LEVELS; p > 0; p--) begin
                    list = u * LEVELS + p - 1;
                    at = dut.overflow.heads[list];
                    if (dut.overflow.waiting[list])
                        while (listed < POOL_CAP) begin
                            `CHECK_AT("overflow: unit", listed, u + 1, core_off_chip[listed*WORDS + UNIT])
                            `CHECK_AT("overflow: section", listed, p, core_off_chip[listed*WORDS + SECTION])
                            `CHECK_AT("overflow: tag", listed, dut.overflow.entries[at][TBS_W + BODY_W-1 -: TAG_W],
                                core_off_chip[listed*WORDS + TAG])
                            `CHECK_AT("overflow: prio", listed, dut.overflow.entries[at][2*TBS_W + RES_W +: LEVEL_W],
                                core_off_chip[listed*WORDS + PRIO])
                            `CHECK_AT("overflow: res", listed, dut.overflow.entries[at][2*TBS_W +: RES_W],
                                core_off_chip[listed*WORDS + RES])
                            `CHECK_AT("overflow: tbs", listed, dut.overflow.entries[at][TBS_W +: TBS_W],
                                core_off_chip[listed*WORDS + TBS])
                            `CHECK_AT("overflow: next", listed, dut.overflow.entries[at][TBS_W-1:0], core_off_chip[listed*WORDS + NEXT])
                            listed++;
                            if (at == dut.overflow.tails[list]) break;
                            at = dut.overflow.links[at];
                        end
                end
            `CHECK("overflow: entries in the lists", POOL_CAP - listed, core_pool_free)
        end
        laperm_step(rst, now, cluster, policy, visit_skip, try_next, spill_lowest, backup_select, backup_limit, refill_cycles,
            charge_insert, tick, done, done_smx, done_res, set_mask, mask_smx, mask_value, push, push_host, push_tag, push_tbs, push_res,
            push_smx, push_prio);
        laperm_sent(core_sched, core_smx, core_stage, core_unit, core_tag, core_tb, core_prio, core_last, core_refills, core_refill_tag);
        laperm_placed(core_done_error, core_mask_error, core_push_ready, core_push_error, core_place, core_place_unit, core_level,
            core_pos, core_ready_at, core_evicts, core_evicted_tag);
        laperm_registers(core_cur, core_mask, core_free, core_rec, core_run, core_pool_free, core_queued, core_off_chip);
        fresh = 0;
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
