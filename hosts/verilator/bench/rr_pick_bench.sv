// rr_pick beside the core. On the falling edge the registers of the cycle before are compared and the next cycle is asked for; before
// the rising edge, which carries it out, the outputs are compared.
`include "check.svh"

module bench (input logic clk);
    localparam int SMXS = `SIZE_SMXS;

    import "DPI-C" function void rr_step(output bit rst, output bit tick, output bit [SMXS-1:0] fits, output bit sent,
                                         output int unsigned smx, output int unsigned rr);

    bit tick, core_sent, sent;
    bit [SMXS-1:0] fits;
    int unsigned core_smx, core_rr;
    logic [$clog2(SMXS)-1:0] smx;
    bit rst, begun = 0;

    rr_pick #(.SMXS(SMXS)) dut (.clk, .rst, .tick, .fits, .sent, .smx);

    always @(negedge clk) begin
        if (begun) `CHECK("rr", dut.rr, core_rr)
        begun = 1;
        rr_step(rst, tick, fits, core_sent, core_smx, core_rr);
    end
    always @(posedge clk) if (!rst) begin
        `CHECK("sent", sent, core_sent)
        if (sent) `CHECK("smx", smx, core_smx)
    end
endmodule
