// agt beside the core, with memory for the groups that spill. The scheduler's side of it comes from the core's decisions.
`include "check.svh"

module bench (input logic clk);
    `include "dtbl_pins.svh"

    assign done     = core.done[0];
    assign done_ref = core.left_ref;
    assign behind   = core.behind;
    assign sel      = core.tb_ref;
    assign send     = core.send[0];
    assign last     = core.last[0];
    agt #(.AGES(AGES), .SMXS(SMXS), .THREADS(THREADS)) dut (.*);

    always @(negedge clk) begin
        if (core.known != 0) `CHECK_GROUPS(dut)
        dtbl_step($bits(clock_t) / 32, $bits(registers_t) / 32, core, core_regs);
    end
    always @(posedge clk) if (!rst) begin
        `CHECK("group_done", group_done, core.group_done)
        if (done) `CHECK("done_param", done_param, core.done_param)
        `CHECK("hit", hit, core.hit)
        `CHECK("joined", joined, core.joined)
        if (joined) `CHECK("joined_ref", joined_ref, core.joined_ref)
        if (send) begin
            `CHECK("sel_total", sel_total, core.tb_total)
            `CHECK("sel_param", sel_param, core.tb_param)
            `CHECK("sel_next", sel_next, core.tb_next)
        end
    end
endmodule
