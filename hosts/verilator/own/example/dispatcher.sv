// A thread-block dispatcher to try the harness of ../README.md on: kernels wait in a FIFO, their TBs go out in ascending order, up to LANES
// in a clock, each to the next SMX that is open and has room, round robin.
//
// The host hands in a kernel (`valid`, `ready`); an SMX reports the end of one TB a clock. Outputs are registers: what is decided in a clock
// is seen in the next one.
module dispatcher #(
    parameter int unsigned SMXS = 4,
    parameter int unsigned SLOTS = 4,    // TBs of an SMX
    parameter int unsigned THREADS = 64, // of an SMX
    parameter int unsigned KERNELS = 4,  // a power of two
    parameter int unsigned LANES = 2,
    parameter int unsigned SW = $clog2(SMXS),
    parameter int unsigned KW = $clog2(KERNELS),
    parameter int unsigned TW = $clog2(THREADS + 1),
    parameter int unsigned WW = $clog2(SLOTS + 1)
) (
    input  logic                      clk, rst_n,
    input  logic                      valid,
    output logic                      ready,
    input  logic [KW-1:0]             id,
    input  logic [15:0]               tbs,
    input  logic [TW-1:0]             threads,     // of a TB
    input  logic [SMXS-1:0]           open,        // these SMXs take TBs
    input  logic [SMXS-1:0]           done,
    input  logic [SMXS-1:0][TW-1:0]   done_threads,
    output logic [LANES-1:0]          send,
    output logic [LANES-1:0][SW-1:0]  send_smx,
    output logic [LANES-1:0][KW-1:0]  send_id,
    output logic [LANES-1:0][15:0]    send_tb
);
    // The FIFO of kernels with TBs to send; `next` is the head's next TB.
    logic [KW-1:0] ids [KERNELS];
    logic [15:0]   totals [KERNELS];
    logic [TW-1:0] needs [KERNELS];
    logic [KW-1:0] head, tail;
    logic [KW:0]   count;
    logic [15:0]   next;
    // What is free, and where the search for an SMX begins.
    logic [SMXS-1:0][TW-1:0] room;
    logic [SMXS-1:0][WW-1:0] slots;
    logic [SW-1:0]           rr;

    assign ready = 32'(count) != KERNELS;

    // One lane after the other, each on what the one before leaves; all of the head kernel.
    logic [LANES-1:0]         sends;
    logic [LANES-1:0][SW-1:0] smxs;
    logic [15:0]              next_n;
    logic [SMXS-1:0][TW-1:0]  room_n;
    logic [SMXS-1:0][WW-1:0]  slots_n;
    logic [SW-1:0]            rr_n;
    logic                     over;
    always_comb begin
        next_n = next;
        rr_n = rr;
        sends = '0;
        smxs = '0;
        for (int s = 0; s < SMXS; s++) begin
            room_n[s] = room[s] + (done[s] ? done_threads[s] : '0);
            slots_n[s] = slots[s] + WW'(done[s]);
        end
        for (int l = 0; l < LANES; l++) begin
            for (int i = 0; i < SMXS; i++) begin : search
                logic [SW-1:0] s;
                s = SW'((32'(rr_n) + i) % SMXS);
                if (!sends[l] && count != 0 && next_n < totals[head] && open[s] && room_n[s] >= needs[head] && slots_n[s] != 0) begin
                    sends[l] = 1'b1;
                    smxs[l] = s;
                end
            end
            if (sends[l]) begin
                next_n = next_n + 1'b1;
                room_n[smxs[l]] = room_n[smxs[l]] - needs[head];
                slots_n[smxs[l]] = slots_n[smxs[l]] - 1'b1;
                rr_n = SW'((32'(smxs[l]) + 1) % SMXS);
            end
        end
        over = count != 0 && next_n == totals[head];
    end

    always_ff @(posedge clk) begin
        send <= sends;
        send_smx <= smxs;
        for (int l = 0; l < LANES; l++) begin
            send_id[l] <= ids[head];
            send_tb[l] <= next + 16'(l);
        end
        room <= room_n;
        slots <= slots_n;
        rr <= rr_n;
        next <= over ? '0 : next_n;
        if (over) head <= head + 1'b1;
        if (valid && ready) begin
            ids[tail] <= id;
            totals[tail] <= tbs;
            needs[tail] <= threads;
            tail <= tail + 1'b1;
        end
        count <= count + (KW+1)'(valid && ready) - (KW+1)'(over);
        if (!rst_n) begin
            {head, tail, count, next, rr, send} <= '0;
            for (int s = 0; s < SMXS; s++) begin
                room[s] <= TW'(THREADS);
                slots[s] <= WW'(SLOTS);
            end
        end
    end
endmodule
