// The event ring: the logic posts entries, the host reads them. A ring of block RAM between an index that counts what was posted
// (tail) and one that counts what was read (head). README.md calls the rules of order that are kept here L1 and L2.
`default_nettype none

module event_ring #(
    parameter int unsigned ENTRIES = 32
) (
    input  wire logic                          clk,
    // A session runs; while none does, both indices stand at `origin`.
    input  wire logic                          enable,
    input  wire logic [31:0]                   origin,

    // The logic: an entry word by word, `post_last` with its last one.
    input  wire logic                          post_valid,
    output      logic                          post_ready,
    input  wire logic [31:0]                   post_data,
    input  wire logic                          post_last,

    // The host: reads a word, which is there in the next cycle, and says how far it has read.
    input  wire logic [$clog2(ENTRIES)+4:0]    read_word,
    output      logic [31:0]                   read_data,
    input  wire logic                          head_write,
    input  wire logic [31:0]                   head_value,
    output      logic [31:0]                   head,
    output      logic [31:0]                   tail,

    // For one cycle each: tail moved; the host wrote an old head, or an impossible one; an entry was too long.
    output      logic                          moved,
    output      logic                          stale,
    output      logic                          bad_head,
    output      logic                          too_long
);

localparam int unsigned INDEX_BITS = $clog2(ENTRIES);

logic [31:0] ram [ENTRIES * 32];
logic [4:0] word;
// The entry has all its words, and more are coming.
logic full_entry;

// L2: nothing is overwritten that was not read.
wire logic has_room = tail - head != ENTRIES;
assign post_ready = enable && has_room;
wire logic accept = post_valid && post_ready;

always_ff @(posedge clk) begin
    if (accept && !full_entry) ram[{tail[INDEX_BITS-1:0], word}] <= post_data;
    read_data <= ram[read_word];
end

// L1: an entry is shown when its last word is written, in the cycle after it.
wire logic shows = accept && post_last;
assign too_long = accept && !post_last && word == 5'd31 && !full_entry;

always_ff @(posedge clk) begin
    moved <= enable && shows;
    if (!enable) begin
        tail <= origin;
        word <= 5'd0;
        full_entry <= 1'b0;
    end else if (shows) begin
        tail <= tail + 1;
        word <= 5'd0;
        full_entry <= 1'b0;
    end else if (accept) begin
        word <= word + 5'd1;
        if (too_long) full_entry <= 1'b1;
    end
end

// Only forward, and not beyond what is there.
wire logic [31:0] forward = head_value - head;
wire logic old_head = forward == 0 || forward[31];
wire logic beyond = forward > tail - head;
assign stale = enable && head_write && old_head;
assign bad_head = enable && head_write && !old_head && beyond;

always_ff @(posedge clk) begin
    if (!enable) head <= origin;
    else if (head_write && !old_head && !beyond) head <= head_value;
end

endmodule
