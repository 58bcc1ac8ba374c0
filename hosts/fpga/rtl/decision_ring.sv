// The decision ring: the host posts entries, the logic reads them, and obeys. A ring of block RAM between an index that counts what
// was posted (tail) and one that counts what was read (head). The reader sleeps until the doorbell rings, and looks by itself every
// POLL cycles, so that a doorbell that is lost costs time and nothing else. README.md calls the rules of order L3 and L4.
`default_nettype none

module decision_ring #(
    parameter int unsigned ENTRIES = 32,
    parameter int unsigned POLL = 64
) (
    input  wire logic                          clk,
    input  wire logic                          enable,
    input  wire logic [31:0]                   origin,

    // The host: writes words, says how many entries are there, rings.
    input  wire logic                          write,
    input  wire logic [$clog2(ENTRIES)+4:0]    write_word,
    input  wire logic [31:0]                   write_data,
    input  wire logic                          tail_write,
    input  wire logic [31:0]                   tail_value,
    input  wire logic                          doorbell,
    output      logic [31:0]                   tail,
    output      logic [31:0]                   head,

    // The logic: an entry word by word, `obey_last` with its last one.
    output      logic                          obey_valid,
    input  wire logic                          obey_ready,
    output      logic [31:0]                   obey_data,
    output      logic                          obey_last,

    // For one cycle each: head moved; the host wrote an old tail, or an impossible one; the entry at head is not one.
    output      logic                          moved,
    output      logic                          stale,
    output      logic                          bad_tail,
    output      logic                          bad_entry
);

localparam int unsigned INDEX_BITS = $clog2(ENTRIES);
localparam int unsigned POLL_BITS = $clog2(POLL + 1);
localparam int unsigned LENGTH_LSB = gpusched_fpga_regs_pkg::DECISION_WORDS_LSB;
localparam int unsigned LEAST = gpusched_fpga_regs_pkg::DECISION_RECORD_WORDS;

// Only forward, and not beyond the room.
wire logic [31:0] forward = tail_value - tail;
wire logic old_tail = forward == 0 || forward[31];
wire logic beyond = forward > ENTRIES - (tail - head);
assign stale = enable && tail_write && old_tail;
assign bad_tail = enable && tail_write && !old_tail && beyond;

always_ff @(posedge clk) begin
    if (!enable) tail <= origin;
    else if (tail_write && !old_tail && !beyond) tail <= tail_value;
end

// The reader: looks at an entry's number, at its length, and hands its words over.
typedef enum logic [1:0] {SLEEP, NUMBER, LENGTH, SEND} state_t;
state_t state;
logic [POLL_BITS-1:0] until_look;
logic awake;
logic [4:0] word, last_word;

logic [31:0] ram [ENTRIES * 32];
logic [4:0] next_word;
logic [31:0] q;

always_ff @(posedge clk) begin
    if (write) ram[write_word] <= write_data;
    q <= ram[{head[INDEX_BITS-1:0], next_word}];
end

// What q holds in the next cycle.
always_comb begin
    case (state)
        NUMBER: next_word = 5'd1;
        SEND: next_word = obey_ready ? word + 5'd1 : word;
        default: next_word = 5'd0;
    endcase
end

// L3: only what the tail shows; a doorbell alone shows nothing.
wire logic due = tail != head;
wire logic looks = state == SLEEP && (doorbell || awake || until_look == 0);
// L4: only the entry that belongs here.
wire logic right_number = q == head;
wire logic [7:0] length = q[LENGTH_LSB +: 8];
wire logic right_length = length >= LEAST[7:0] && length <= 8'd32;
assign bad_entry = (state == NUMBER && !right_number) || (state == LENGTH && !right_length);
assign obey_valid = state == SEND;
assign obey_data = q;
assign obey_last = word == last_word;
wire logic done = obey_valid && obey_ready && obey_last;

always_ff @(posedge clk) begin
    moved <= enable && done;
    // Awake: a doorbell that rings while it works, or more entries behind this one, are looked after at once.
    awake <= doorbell || done || (awake && state != SLEEP);
    if (state != SLEEP || looks) until_look <= POLL[POLL_BITS-1:0];
    else until_look <= until_look - 1'b1;
    case (state)
        SLEEP: if (looks && due) state <= NUMBER;
        NUMBER: state <= right_number ? LENGTH : SLEEP;
        LENGTH: begin
            word <= 5'd0;
            last_word <= length[4:0] - 5'd1;
            state <= right_length ? SEND : SLEEP;
        end
        SEND: if (obey_ready) begin
            word <= word + 5'd1;
            if (obey_last) begin
                head <= head + 1;
                state <= SLEEP;
            end
        end
    endcase
    if (!enable) begin
        head <= origin;
        state <= SLEEP;
        awake <= 1'b0;
        until_look <= '0;
    end
end

endmodule
