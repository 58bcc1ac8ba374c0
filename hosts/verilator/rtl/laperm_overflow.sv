// The overflow lists (laperm-R4b, laperm-R4c, laperm-R9): per unit and section one FIFO of entries that found the
// unit's queue full, all in one pool of places. `entries` and `links` are what lies in global memory: a clock writes or reads one
// entry and one link. Heads and tails are registers. Places that were used before are linked, too; the others are handed out in order.
module laperm_overflow #(
    parameter int unsigned CAP = 4096,
    parameter int unsigned UNITS = 13,
    parameter int unsigned LEVELS = 4,
    parameter int unsigned ENTRY_W = 181,
    parameter int unsigned UNIT_W = UNITS > 1 ? $clog2(UNITS) : 1,
    parameter int unsigned PLACE_W = CAP > 1 ? $clog2(CAP) : 1,
    parameter int unsigned COUNT_W = $clog2(CAP + 1),
    parameter int unsigned SECTION_W = $clog2(LEVELS + 1)
) (
    input  logic                 clk,
    input  logic                 rst,
    // Stores an entry: at the end of its list, or at the front (4c).
    input  logic                 put,
    input  logic                 put_front,
    input  logic [UNIT_W-1:0]    put_unit,
    input  logic [SECTION_W-1:0] put_section,
    input  logic [ENTRY_W-1:0]   put_entry,
    output logic                 full,
    // Takes the head of the unit's highest list that is not empty (9). Not together with `put`.
    input  logic                 take,
    input  logic [UNIT_W-1:0]    take_unit,
    output logic                 take_waits,
    output logic [SECTION_W-1:0] take_section,
    output logic [ENTRY_W-1:0]   take_entry
);
    localparam int unsigned LISTS = UNITS * LEVELS;
    localparam int unsigned LIST_W = $clog2(LISTS + 1);

    logic [ENTRY_W-1:0] entries [CAP];
    logic [PLACE_W-1:0] links [CAP];
    logic [PLACE_W-1:0] heads [LISTS], tails [LISTS];
    logic [LISTS-1:0] waiting; // lists with entries
    logic [COUNT_W-1:0] used, fresh;  // places with entries; places that ever had one
    logic [PLACE_W-1:0] free_head;    // of the places below `fresh` without entries

    wire [LEVELS-1:0] unit_waiting = waiting[32'(take_unit)*LEVELS +: LEVELS];
    always_comb begin
        take_section = SECTION_W'(1);
        for (int p = 1; p <= LEVELS; p++) if (unit_waiting[p-1]) take_section = SECTION_W'(p);
    end
    assign take_waits = unit_waiting != '0;

    wire [LIST_W-1:0] take_list = LIST_W'(32'(take_unit) * LEVELS + 32'(take_section) - 1);
    wire [LIST_W-1:0] put_list = LIST_W'(32'(put_unit) * LEVELS + 32'(put_section) - 1);
    wire [LIST_W-1:0] list = take ? take_list : put_list;
    wire [PLACE_W-1:0] head = heads[list], tail = tails[list];
    wire empty = !waiting[list];
    wire reuse = used != fresh;
    wire [PLACE_W-1:0] place = reuse ? free_head : fresh[PLACE_W-1:0]; // for what is put
    wire [PLACE_W-1:0] link = links[take ? head : free_head];
    assign take_entry = entries[heads[take_list]];
    assign full = used == COUNT_W'(CAP);

    always_ff @(posedge clk) begin
        if (put) entries[place] <= put_entry;
        // A place that is taken goes to the front of the free ones; one that is put is linked to its neighbour in the list.
        if (take) links[head] <= free_head;
        else if (put && !empty) links[put_front ? place : tail] <= put_front ? head : place;
        if (take) heads[list] <= link;
        else if (put && (put_front || empty)) heads[list] <= place;
        if (put && (!put_front || empty)) tails[list] <= place;
    end
    always_ff @(posedge clk)
        if (rst) begin
            waiting <= '0;
            used <= '0;
            fresh <= '0;
            free_head <= '0;
        end else if (take) begin
            if (head == tail) waiting[list] <= 1'b0;
            used <= used - 1'b1;
            free_head <= head;
        end else if (put) begin
            waiting[list] <= 1'b1;
            used <= used + 1'b1;
            if (reuse) free_head <= link;
            else fresh <= fresh + 1'b1;
        end
endmodule
