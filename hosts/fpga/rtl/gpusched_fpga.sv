// The logic's side of the map of registers.toml: the registers behind AXI4-Lite for the host, both rings, the interrupt, and streams
// of words for the GPU. Synthesizable; offsets and bits come from the package that is generated from the map.
//
// The GPU posts events as entries, word by word, and obeys decisions that come in the same way; it must take decisions whether or not
// it can post (README.md, L5). `cycle` is its clock; HOST_CYCLE tells a GPU that is to be exact how far it may go.
`default_nettype none

module gpusched_fpga #(
    parameter int unsigned EVENTS = 32,
    parameter int unsigned DECISIONS = 32,
    parameter int unsigned SMXS = 13,
    parameter int unsigned SLOTS = 16,
    parameter int unsigned POLL = 64
) (
    input  wire logic        clk,
    input  wire logic        reset,

    input  wire logic [13:0] s_axi_awaddr,
    input  wire logic        s_axi_awvalid,
    output      logic        s_axi_awready,
    input  wire logic [31:0] s_axi_wdata,
    input  wire logic [3:0]  s_axi_wstrb,
    input  wire logic        s_axi_wvalid,
    output      logic        s_axi_wready,
    output      logic [1:0]  s_axi_bresp,
    output      logic        s_axi_bvalid,
    input  wire logic        s_axi_bready,
    input  wire logic [13:0] s_axi_araddr,
    input  wire logic        s_axi_arvalid,
    output      logic        s_axi_arready,
    output      logic [31:0] s_axi_rdata,
    output      logic [1:0]  s_axi_rresp,
    output      logic        s_axi_rvalid,
    input  wire logic        s_axi_rready,
    output      logic        irq,

    // Of the GPU: its cycle; events.
    input  wire logic [63:0] cycle,
    input  wire logic        event_valid,
    output      logic        event_ready,
    input  wire logic [31:0] event_data,
    input  wire logic        event_last,
    // For the GPU: decisions; whether a session runs, where its numbers start, how far the host is, and why it has stopped.
    output      logic        decision_valid,
    input  wire logic        decision_ready,
    output      logic [31:0] decision_data,
    output      logic        decision_last,
    output      logic        decisions_taken,
    output      logic        enabled,
    output      logic [31:0] origin,
    output      logic [63:0] host_cycle,
    output      logic [31:0] host_fault
);

// The high bits of an address choose what is behind it.
localparam logic [1:0] REGISTERS = 2'd0, EVENT_RING = 2'd1, DECISION_RING = 2'd2;
localparam int unsigned EVENT_BITS = $clog2(EVENTS) + 5;
localparam int unsigned DECISION_BITS = $clog2(DECISIONS) + 5;

logic write, write_whole, write_good, read, read_good;
logic [13:0] write_address, read_address;
logic [31:0] write_data, read_data;

axi_lite #(.ADDRESS_BITS(14)) bus (.*);

// Rings -----------------------------------------------------------------------------------------------------------------------

// Where a write goes.
wire logic good_write = write && write_good;
wire logic to_registers = good_write && write_address[13:12] == REGISTERS;
wire logic [11:0] register = write_address[11:0];

logic [31:0] event_head, event_tail, event_word, decision_head, decision_tail;
logic event_moved, event_stale, bad_event_head, event_too_long;
logic decision_moved, decision_stale, bad_decision_tail, bad_decision_entry;

event_ring #(.ENTRIES(EVENTS)) events (
    .clk, .enable(enabled), .origin,
    .post_valid(event_valid), .post_ready(event_ready), .post_data(event_data), .post_last(event_last),
    .read_word(read_address[EVENT_BITS+1:2]), .read_data(event_word),
    .head_write(to_registers && register == gpusched_fpga_regs_pkg::EVENT_HEAD[11:0]), .head_value(write_data),
    .head(event_head), .tail(event_tail),
    .moved(event_moved), .stale(event_stale), .bad_head(bad_event_head), .too_long(event_too_long)
);

decision_ring #(.ENTRIES(DECISIONS), .POLL(POLL)) decisions (
    .clk, .enable(enabled), .origin,
    .write(good_write && write_address[13:12] == DECISION_RING), .write_word(write_address[DECISION_BITS+1:2]), .write_data,
    .tail_write(to_registers && register == gpusched_fpga_regs_pkg::DECISION_TAIL[11:0]), .tail_value(write_data),
    .doorbell(to_registers && register == gpusched_fpga_regs_pkg::DOORBELL[11:0] &&
              write_data[gpusched_fpga_regs_pkg::DOORBELL_DECISION_LSB]),
    .tail(decision_tail), .head(decision_head),
    .obey_valid(decision_valid), .obey_ready(decision_ready), .obey_data(decision_data), .obey_last(decision_last),
    .moved(decision_moved), .stale(decision_stale), .bad_tail(bad_decision_tail), .bad_entry(bad_decision_entry)
);

assign decisions_taken = decision_head == decision_tail;

// Registers -------------------------------------------------------------------------------------------------------------------

logic [31:0] stale_writes, cycle_hi, host_cycle_lo, host_fault_event;
logic [4:0] error;
logic [2:0] irq_pending, irq_enable;

// Bits that are set in this cycle, and bits that the host clears in it; setting wins.
logic [4:0] error_set, error_clear;
logic [2:0] irq_set, irq_clear;
logic bad_access;

always_comb begin
    error_set = '0;
    error_set[gpusched_fpga_regs_pkg::ERROR_EVENT_HEAD_LSB] = bad_event_head;
    error_set[gpusched_fpga_regs_pkg::ERROR_DECISION_TAIL_LSB] = bad_decision_tail;
    error_set[gpusched_fpga_regs_pkg::ERROR_DECISION_ENTRY_LSB] = bad_decision_entry;
    error_set[gpusched_fpga_regs_pkg::ERROR_EVENT_LENGTH_LSB] = event_too_long;
    error_set[gpusched_fpga_regs_pkg::ERROR_BUS_LSB] = bad_access;
    irq_set = '0;
    irq_set[gpusched_fpga_regs_pkg::IRQ_EVENT_LSB] = event_moved;
    irq_set[gpusched_fpga_regs_pkg::IRQ_ROOM_LSB] = decision_moved;
    irq_set[gpusched_fpga_regs_pkg::IRQ_ERROR_LSB] = error_set != '0;
    error_clear = to_registers && register == gpusched_fpga_regs_pkg::ERROR[11:0] ? write_data[4:0] : '0;
    irq_clear = to_registers && register == gpusched_fpga_regs_pkg::IRQ[11:0] ? write_data[2:0] : '0;
end

assign irq = (irq_pending & irq_enable) != '0;

always_ff @(posedge clk) begin
    error <= (error & ~error_clear) | error_set;
    irq_pending <= (irq_pending & ~irq_clear) | irq_set;
    if (!enabled) stale_writes <= '0;
    else if (event_stale || decision_stale) stale_writes <= stale_writes + 1;
    if (to_registers) begin
        case (register)
            gpusched_fpga_regs_pkg::CONTROL[11:0]: enabled <= write_data[gpusched_fpga_regs_pkg::CONTROL_ENABLE_LSB];
            gpusched_fpga_regs_pkg::ORIGIN[11:0]: origin <= write_data;
            gpusched_fpga_regs_pkg::IRQ_ENABLE[11:0]: irq_enable <= write_data[2:0];
            gpusched_fpga_regs_pkg::HOST_CYCLE_LO[11:0]: host_cycle_lo <= write_data;
            gpusched_fpga_regs_pkg::HOST_CYCLE_HI[11:0]: host_cycle <= {write_data, host_cycle_lo};
            gpusched_fpga_regs_pkg::HOST_FAULT[11:0]: host_fault <= write_data;
            gpusched_fpga_regs_pkg::HOST_FAULT_EVENT[11:0]: host_fault_event <= write_data;
            default: ;
        endcase
    end
    if (reset) begin
        enabled <= 1'b0;
        origin <= '0;
        error <= '0;
        irq_pending <= '0;
        irq_enable <= '0;
        host_cycle_lo <= '0;
        host_cycle <= '0;
        host_fault <= '0;
        host_fault_event <= '0;
    end
end

// The last register; behind it there is none.
localparam logic [11:0] LAST_REGISTER = gpusched_fpga_regs_pkg::STALE_WRITES[11:0];

// Whole words only, at multiples of 4, where the map has something to write.
always_comb begin
    case (write_address[13:12])
        REGISTERS: write_good = write_whole && write_address[1:0] == '0 && register <= LAST_REGISTER;
        DECISION_RING: write_good = write_whole && write_address[1:0] == '0 && 32'(write_address[11:7]) < DECISIONS;
        default: write_good = 1'b0;
    endcase
end

// What a read of a register gives. Reading the lower half of the cycle keeps the upper one.
logic [31:0] value, register_word;
logic from_ring;

always_comb begin
    case (read_address[11:0])
        gpusched_fpga_regs_pkg::ID[11:0]: value = gpusched_fpga_regs_pkg::ID_VALUE_RESET;
        gpusched_fpga_regs_pkg::VERSION[11:0]:
            value = {gpusched_fpga_regs_pkg::VERSION_MAJOR_RESET[15:0], gpusched_fpga_regs_pkg::VERSION_MINOR_RESET[15:0]};
        gpusched_fpga_regs_pkg::CAPACITY[11:0]:
            value = {8'd0, gpusched_fpga_regs_pkg::CAPACITY_WORDS_RESET[7:0], DECISIONS[7:0], EVENTS[7:0]};
        gpusched_fpga_regs_pkg::GEOMETRY[11:0]: value = {SLOTS[15:0], SMXS[15:0]};
        gpusched_fpga_regs_pkg::CONTROL[11:0]: value = 32'(enabled);
        gpusched_fpga_regs_pkg::ORIGIN[11:0]: value = origin;
        gpusched_fpga_regs_pkg::ERROR[11:0]: value = 32'(error);
        gpusched_fpga_regs_pkg::IRQ[11:0]: value = 32'(irq_pending);
        gpusched_fpga_regs_pkg::IRQ_ENABLE[11:0]: value = 32'(irq_enable);
        gpusched_fpga_regs_pkg::EVENT_TAIL[11:0]: value = event_tail;
        gpusched_fpga_regs_pkg::EVENT_HEAD[11:0]: value = event_head;
        gpusched_fpga_regs_pkg::DECISION_TAIL[11:0]: value = decision_tail;
        gpusched_fpga_regs_pkg::DECISION_HEAD[11:0]: value = decision_head;
        gpusched_fpga_regs_pkg::CYCLE_LO[11:0]: value = cycle[31:0];
        gpusched_fpga_regs_pkg::CYCLE_HI[11:0]: value = cycle_hi;
        gpusched_fpga_regs_pkg::HOST_CYCLE_LO[11:0]: value = host_cycle_lo;
        gpusched_fpga_regs_pkg::HOST_CYCLE_HI[11:0]: value = host_cycle[63:32];
        gpusched_fpga_regs_pkg::HOST_FAULT[11:0]: value = host_fault;
        gpusched_fpga_regs_pkg::HOST_FAULT_EVENT[11:0]: value = host_fault_event;
        gpusched_fpga_regs_pkg::STALE_WRITES[11:0]: value = stale_writes;
        default: value = '0;
    endcase
end

always_ff @(posedge clk) begin
    if (read) begin
        register_word <= value;
        from_ring <= read_address[13:12] == EVENT_RING;
        case (read_address[13:12])
            REGISTERS: read_good <= read_address[1:0] == '0 && read_address[11:0] <= LAST_REGISTER;
            EVENT_RING: read_good <= read_address[1:0] == '0 && 32'(read_address[11:7]) < EVENTS;
            default: read_good <= 1'b0;
        endcase
        if (read_address == gpusched_fpga_regs_pkg::CYCLE_LO[13:0]) cycle_hi <= cycle[63:32];
    end
end

assign read_data = from_ring ? event_word : register_word;

// An access that can not be: counted once, a write in its own cycle, a read in the one after it.
logic reading;
always_ff @(posedge clk) reading <= read && !reset;
assign bad_access = (write && !write_good) || (reading && !read_good);

endmodule
