// The SMX that takes the next TB under round robin: the first one from `rr` upward, wrapping, that fits it (rule dtbl-T4 of the
// baseline scheduler). After a TB is sent, the search begins behind the SMX that took it.
module rr_pick #(
    parameter int SMXS = 13,
    parameter int W = $clog2(SMXS)
) (
    input  logic            clk,
    input  logic            rst,
    input  logic            tick,   // a TB is to be sent in this cycle if it fits
    input  logic [SMXS-1:0] fits,   // SMXs with room for it
    output logic            sent,
    output logic [W-1:0]    smx
);
    logic [W-1:0] rr;

    always_comb begin
        sent = tick && fits != '0;
        smx = rr;
        // Two passes, the later assignment wins: below rr first, so that an SMX from rr upward takes precedence.
        for (int i = SMXS - 1; i >= 0; i--) if (fits[i] && i < 32'(rr)) smx = W'(i);
        for (int i = SMXS - 1; i >= 0; i--) if (fits[i] && i >= 32'(rr)) smx = W'(i);
    end

    always_ff @(posedge clk)
        if (rst) rr <= '0;
        else if (sent) rr <= 32'(smx) == SMXS - 1 ? '0 : smx + 1'b1;
endmodule
