// The pending update buffer (PUB) of dgb.sv: VIDs beyond the window that lost a parent, the oldest update first. A queue that closes up:
// an update goes in at the end; the oldest one for a given VID, found by comparing all entries at once, can be taken out of the middle.
// It is one entry a clock.
module dgb_pub #(
    parameter int unsigned PUB = 64,
    parameter int unsigned C = $clog2(PUB + 1)
) (
    input  logic         clk,
    input  logic         clear,
    input  logic         append,     // dats-F1: never without room
    input  logic [15:0]  child,
    input  logic         take,       // dats-S2: the oldest entry equal to `vid`
    input  logic [15:0]  vid,
    output logic         hit,        // there is one
    output logic [C-1:0] len,
    output logic [C-1:0] pub_max     // most entries of this graph
);
    logic [16*PUB-1:0] entries;
    logic [PUB-1:0] gone;  // the entry taken and all behind it

    always_comb begin
        hit = 1'b0;
        for (int i = 0; i < PUB; i++) begin
            if (C'(i) < len && entries[16*i+:16] == vid) hit = 1'b1;
            gone[i] = hit;
        end
    end

    always_ff @(posedge clk)
        if (clear) begin
            entries <= '0;
            len <= '0;
            pub_max <= '0;
        end else if (take) begin
            for (int i = 0; i < PUB; i++) if (gone[i]) entries[16*i+:16] <= i + 1 < PUB ? entries[16*((i+1)%PUB)+:16] : 16'd0;
            len <= len - 1'b1;
        end else if (append) begin
            for (int i = 0; i < PUB; i++) if (C'(i) == len) entries[16*i+:16] <= child;
            len <= len + 1'b1;
            if (len == pub_max) pub_max <= len + 1'b1;
        end
endmodule
