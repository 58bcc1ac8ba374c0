// The oldest member of a set of slots of a ring, the oldest slot being `from`; or the youngest. VIDs rise from there upward, wrapping.
module dgb_oldest #(
    parameter int unsigned N = 128,
    parameter bit YOUNGEST = 1'b0,
    parameter int unsigned W = $clog2(N)
) (
    input  logic [N-1:0] set,
    input  logic [W-1:0] from,
    output logic         found,
    output logic [W-1:0] at
);
    logic [N-1:0] wrapped, first;  // slots below `from` hold the younger part

    always_comb begin
        wrapped = ~({N{1'b1}} << from);
        first = set & (YOUNGEST ? wrapped : ~wrapped);
        if (first == '0) first = set;
        found = set != '0;
        at = '0;
        // The later assignment wins.
        if (YOUNGEST) begin
            for (int i = 0; i < N; i++) if (first[i]) at = W'(i);
        end else begin
            for (int i = N - 1; i >= 0; i--) if (first[i]) at = W'(i);
        end
    end
endmodule
