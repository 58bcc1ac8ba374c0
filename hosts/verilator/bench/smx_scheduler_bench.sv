// smx_scheduler with agt and memory, beside the core.
`include "check.svh"

module bench (input logic clk);
    `include "dtbl_pins.svh"

    logic [4:0]      op_fault;
    logic            kernel_done, suspended, left, no_load, load_ask, unmark, rotate;
    logic [KDES-1:0] free_kdes;
    logic [SW-1:0]   left_smx, tb_smx;
    logic [WW-1:0]   left_slot, tb_slot;
    logic [1:0]      sched;
    logic [KW-1:0]   left_kde, tb_kde;
    logic [31:0]     left_ref, left_blkid, tb_ref, tb_blkid, tb_param;

    agt #(.AGES(AGES), .SMXS(SMXS), .THREADS(THREADS)) table_ (.*);
    smx_scheduler #(.SMXS(SMXS), .SLOTS(SLOTS), .KDES(KDES), .THREADS(THREADS), .REGS(REGS), .SMEM(SMEM), .GROUPS(RECORDS)) dut (
        .load_external(core.load_external[0]), .load_cycles(core.load_cycles), .turn_groups(core.turn_groups),
        .op(core.op[1:0]), .op_smx(core.op_smx[15:0]), .op_slot(core.op_slot[15:0]), .op_kde(core.op_kde[15:0]),
        .spill_loaded(core.spill_loaded[0]), .spill_record(core.spill_record[30:0]),
        .issue(core.issue[0]), .issue_kde(core.issue_kde[KW-1:0]), .issue_total(core.issue_total),
        .issue_next_native(core.issue_next_native), .issue_saved(core.issue_saved[$clog2(TBS + 1)-1:0]),
        .issue_retain(core.issue_retain[0]),
        .issue_param(core.issue_param), .issue_threads(core.issue_threads[$clog2(THREADS + 1)-1:0]),
        .issue_regs(core.issue_regs[$clog2(REGS + 1)-1:0]),
        .issue_smem(core.issue_smem[$clog2(SMEM + 1)-1:0]), .arrive(core.arrive[0]), .arrive_kde(core.arrive_kde[KW-1:0]),
        .lane_kde(core.lane_kde[KW-1:0]), .tick(core.tick[0]), .*);

    function automatic int lowest(bit [KDES-1:0] set);
        for (int i = 0; i < KDES; i++) if (set[i]) return i;
        return -1;
    endfunction

    always @(negedge clk) begin
        if (core.known != 0) begin
            `CHECK_GROUPS(table_)
            for (int i = 0; i < KDES; i++) begin
                `CHECK_AT("KDE state", i, dut.active[i] ? 2 : dut.arriving[i] ? 1 : 0, core_regs.kde[i].state)
                `CHECK_AT("NAGEI", i, dut.nagei[i], core_regs.kde[i].nagei)
                `CHECK_AT("LAGEI", i, dut.lagei[i], core_regs.kde[i].lagei)
                `CHECK_AT("KDE ExeBL", i, dut.exe[i], core_regs.kde[i].exe)
                `CHECK_AT("KDE live", i, dut.live[i], core_regs.kde[i].live)
                `CHECK_AT("FCFS mark", i, dut.mark[i], core_regs.kde[i].mark)
                `CHECK_AT("FCFS first", i, dut.first[i], core_regs.kde[i].first)
                if (core_regs.kde[i].state != 0) begin
                    `CHECK_AT("KDE total", i, dut.total[i], core_regs.kde[i].total)
                    `CHECK_AT("KDE next_native", i, dut.next_native[i], core_regs.kde[i].next_native)
                    `CHECK_AT("KDE saved", i, dut.saved[i], core_regs.kde[i].saved)
                    `CHECK_AT("KDE restored", i, dut.restored[i], core_regs.kde[i].restored)
                    `CHECK_AT("KDE retain", i, dut.retain[i], core_regs.kde[i].retain)
                    `CHECK_AT("KDE param", i, dut.param[i], core_regs.kde[i].param)
                    `CHECK_AT("KDE threads", i, dut.need_threads[i], core_regs.kde[i].threads)
                    `CHECK_AT("KDE regs", i, dut.need_regs[i], core_regs.kde[i].regs)
                    `CHECK_AT("KDE smem", i, dut.need_smem[i], core_regs.kde[i].smem)
                end
            end
            `CHECK("FCFS marked", dut.marked, core_regs.marked)
            for (int i = 0; i < KDES; i++)
                if (i < core_regs.marked) `CHECK_AT("FCFS FIFO", i, dut.fifo[i], core_regs.fifo[i])
            `CHECK("SSCR valid", dut.sscr_valid, core_regs.sscr_valid)
            if (core_regs.sscr_valid != 0) begin
                `CHECK("SSCR KDEI", dut.sscr_kdei, core_regs.sscr_kdei)
                `CHECK("SSCR AGEI", dut.sscr_agei, core_regs.sscr_agei)
                `CHECK("SSCR NextBL", dut.sscr_next_bl, core_regs.sscr_next_bl)
                `CHECK("SSCR load", dut.sscr_load, core_regs.sscr_load)
                `CHECK("SSCR turn", dut.sscr_turn, core_regs.sscr_turn)
            end
            for (int i = 0; i < TBS; i++) begin
                `CHECK_AT("TBCR valid", i, dut.tb_valid[i], core_regs.tb[i].valid)
                if (core_regs.tb[i].valid != 0) begin
                    `CHECK_AT("TBCR KDEI", i, dut.tb_kdei[i], core_regs.tb[i].kdei)
                    `CHECK_AT("TBCR AGEI", i, dut.tb_agei[i], core_regs.tb[i].agei)
                    `CHECK_AT("TBCR BLKID", i, dut.tb_blk[i], core_regs.tb[i].blkid)
                end
            end
            for (int s = 0; s < SMXS; s++) begin
                `CHECK_AT("free slots", s, SLOTS'(~dut.tb_valid[s*SLOTS +: SLOTS]), core_regs.room[s].slots)
                `CHECK_AT("free threads", s, dut.threads[s], core_regs.room[s].threads)
                `CHECK_AT("free regs", s, dut.regs[s], core_regs.room[s].regs)
                `CHECK_AT("free smem", s, dut.smem[s], core_regs.room[s].smem)
            end
            `CHECK("rr", dut.pick.rr, core_regs.rr)
        end
        dtbl_step($bits(clock_t) / 32, $bits(registers_t) / 32, core, core_regs);
    end
    always @(posedge clk) if (!rst) begin
        `CHECK("op_fault", op_fault, core.op_fault)
        `CHECK("kernel_done", kernel_done, core.kernel_done)
        `CHECK("suspended", suspended, core.suspended)
        `CHECK("left", left, core.left)
        if (left) begin
            `CHECK("left_smx", left_smx, core.left_smx)
            `CHECK("left_slot", left_slot, core.left_slot)
            `CHECK("left_ref", left_ref, core.left_ref)
            `CHECK("left_blkid", left_blkid, core.left_blkid)
        end
        if (left || kernel_done) `CHECK("left_kde", left_kde, core.left_kde)
        `CHECK("done", done, core.done)
        `CHECK("group_done", group_done, core.group_done)
        if (done) `CHECK("done_param", done_param, core.done_param)
        `CHECK("no_load", no_load, core.no_load)
        if (core.issue != 0) `CHECK("lowest of free_kdes", lowest(free_kdes), core.issue_kde)
        `CHECK("hit", hit, core.hit)
        `CHECK("joined", joined, core.joined)
        if (joined) `CHECK("joined_ref", joined_ref, core.joined_ref)
        if (core.tick != 0) `CHECK("sched", sched, core.sched)
        `CHECK("load_ask", load_ask, core.load_ask)
        `CHECK("unmark", unmark, core.unmark)
        `CHECK("rotate", rotate, core.rotate)
        `CHECK("send", send, core.send)
        `CHECK("last", last, core.last)
        if (load_ask) `CHECK("load of", tb_ref, core.tb_ref)
        if (core.tick != 0 && sched == 0) begin
            `CHECK("tb_smx", tb_smx, core.tb_smx)
            `CHECK("tb_slot", tb_slot, core.tb_slot)
            `CHECK("tb_kde", tb_kde, core.tb_kde)
            `CHECK("tb_ref", tb_ref, core.tb_ref)
            `CHECK("tb_blkid", tb_blkid, core.tb_blkid)
            `CHECK("tb_param", tb_param, core.tb_param)
        end
    end
endmodule
