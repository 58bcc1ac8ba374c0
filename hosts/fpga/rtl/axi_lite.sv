// A subordinate of AXI4-Lite with 32-bit data: turns the bus of a processor system into single writes and reads of words. One
// transfer each way at a time; a read takes two cycles, as block RAM does. gpusched_fpga.sv puts registers behind it.
`default_nettype none

module axi_lite #(
    parameter int unsigned ADDRESS_BITS = 14
) (
    input  wire logic                    clk,
    input  wire logic                    reset,

    input  wire logic [ADDRESS_BITS-1:0] s_axi_awaddr,
    input  wire logic                    s_axi_awvalid,
    output      logic                    s_axi_awready,
    input  wire logic [31:0]             s_axi_wdata,
    input  wire logic [3:0]              s_axi_wstrb,
    input  wire logic                    s_axi_wvalid,
    output      logic                    s_axi_wready,
    output      logic [1:0]              s_axi_bresp,
    output      logic                    s_axi_bvalid,
    input  wire logic                    s_axi_bready,
    input  wire logic [ADDRESS_BITS-1:0] s_axi_araddr,
    input  wire logic                    s_axi_arvalid,
    output      logic                    s_axi_arready,
    output      logic [31:0]             s_axi_rdata,
    output      logic [1:0]              s_axi_rresp,
    output      logic                    s_axi_rvalid,
    input  wire logic                    s_axi_rready,

    // A write: `write` for one cycle, and in the same cycle whether it was one that could be done.
    output      logic                    write,
    output      logic                    write_whole,
    output      logic [ADDRESS_BITS-1:0] write_address,
    output      logic [31:0]             write_data,
    input  wire logic                    write_good,
    // A read: `read` for one cycle, and in the next the data, and whether there were any.
    output      logic                    read,
    output      logic [ADDRESS_BITS-1:0] read_address,
    input  wire logic [31:0]             read_data,
    input  wire logic                    read_good
);

localparam logic [1:0] OKAY = 2'b00, SLVERR = 2'b10;

// Address and data of a write come in any order; each is held until the other is here.
logic has_address, has_data;
logic [3:0] strobes;

assign s_axi_awready = !has_address;
assign s_axi_wready = !has_data;
assign write = has_address && has_data && !s_axi_bvalid;
assign write_whole = strobes == 4'b1111;

always_ff @(posedge clk) begin
    if (s_axi_awvalid && s_axi_awready) begin
        has_address <= 1'b1;
        write_address <= s_axi_awaddr;
    end
    if (s_axi_wvalid && s_axi_wready) begin
        has_data <= 1'b1;
        write_data <= s_axi_wdata;
        strobes <= s_axi_wstrb;
    end
    if (s_axi_bvalid && s_axi_bready) s_axi_bvalid <= 1'b0;
    if (write) begin
        has_address <= 1'b0;
        has_data <= 1'b0;
        s_axi_bvalid <= 1'b1;
        s_axi_bresp <= write_good ? OKAY : SLVERR;
    end
    if (reset) begin
        has_address <= 1'b0;
        has_data <= 1'b0;
        s_axi_bvalid <= 1'b0;
    end
end

logic fetching;

assign s_axi_arready = !fetching && !s_axi_rvalid;
assign read = s_axi_arvalid && s_axi_arready;
assign read_address = s_axi_araddr;

always_ff @(posedge clk) begin
    fetching <= read;
    if (s_axi_rvalid && s_axi_rready) s_axi_rvalid <= 1'b0;
    if (fetching) begin
        s_axi_rvalid <= 1'b1;
        s_axi_rdata <= read_data;
        s_axi_rresp <= read_good ? OKAY : SLVERR;
    end
    if (reset) begin
        fetching <= 1'b0;
        s_axi_rvalid <= 1'b0;
    end
end

endmodule
