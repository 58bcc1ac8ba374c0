// What the benches of `agt` and `smx_scheduler` share: the clock that dtbl_driver.hpp describes, the memory of spilled groups, and the
// comparison of all groups. Words come in the order of the C++ structures, each field 32 bits. The size is one of those in `sizes`.
localparam int unsigned SMXS = `SIZE_SMXS, SLOTS = `SIZE_SLOTS, KDES = `SIZE_KDES, AGES = `SIZE_AGES, RECORDS = `SIZE_RECORDS;
localparam int unsigned THREADS = `SIZE_THREADS, REGS = `SIZE_REGS, SMEM = `SIZE_SMEM;
localparam int unsigned TBS = SMXS * SLOTS;
localparam int unsigned SW = $clog2(SMXS), WW = $clog2(SLOTS), KW = $clog2(KDES), RECORD_W = $clog2(RECORDS);

typedef struct packed {
    bit [31:0] rst, known;
    bit [31:0] hash_global, miss_device, load_external, load_cycles, turn_groups;
    bit [31:0] op, op_smx, op_slot, op_kde;
    bit [31:0] spill_loaded, spill_record;
    bit [31:0] issue, issue_kde, issue_total, issue_next_native, issue_saved, issue_retain, issue_param;
    bit [31:0] issue_threads, issue_regs, issue_smem;
    bit [31:0] arrive, arrive_kde;
    bit [31:0] lane, lane_kde, lane_smx, lane_tid, lane_x, lane_y, lane_z, lane_param, lane_record, behind;
    bit [31:0] tick;
    bit [31:0] op_fault, kernel_done, suspended, left, left_smx, left_slot, left_kde, left_ref, left_blkid;
    bit [31:0] done, group_done, done_param, no_load;
    bit [31:0] hit, joined, joined_ref;
    bit [31:0] sched, load_ask, tb_smx, tb_slot, tb_kde, tb_ref, tb_blkid, tb_param, tb_total, tb_next, unmark, rotate;
    bit [31:0] send, last;
} clock_t;
typedef struct packed { bit [31:0] valid, x, y, z, param, next, exe, is_dist; } group_t;
typedef struct packed {
    bit [31:0] state, total, next_native, saved, restored, exe, live, retain, param, threads, regs, smem, nagei, lagei, mark, first;
} entry_t;
typedef struct packed { bit [31:0] valid, kdei, agei, blkid; } tb_t;
typedef struct packed { bit [31:0] slots, threads, regs, smem; } room_t;
typedef struct packed {
    entry_t [0:KDES-1] kde;
    bit [31:0] marked;
    bit [0:KDES-1][31:0] fifo;
    bit [31:0] sscr_valid, sscr_kdei, sscr_agei, sscr_next_bl, sscr_load, sscr_turn;
    tb_t [0:TBS-1] tb;
    room_t [0:SMXS-1] room;
    bit [31:0] rr;
    group_t [0:AGES-1] age;
    group_t [0:RECORDS-1] spilled;
} registers_t;

// The first field of a packed structure is its most significant word, the C++ side hands the words over in that order.
import "DPI-C" function void dtbl_step(input int unsigned clock_words, input int unsigned registers_words,
                                       output bit [$bits(clock_t)-1:0] pins, output bit [$bits(registers_t)-1:0] registers);

clock_t     core;      // pins, and outputs of the core
registers_t core_regs; // registers of the core after that clock, if core.known

wire rst         = core.rst[0];
wire hash_global = core.hash_global[0];
wire miss_device = core.miss_device[0];
wire lane        = core.lane[0];
wire [SW-1:0] lane_smx  = core.lane_smx[SW-1:0];
wire [$clog2(THREADS)-1:0] lane_tid = core.lane_tid[$clog2(THREADS)-1:0];
wire [62:0] lane_dim    = {core.lane_z[15:0], core.lane_y[15:0], core.lane_x[30:0]};
wire [31:0] lane_param  = core.lane_param;
wire [30:0] lane_record = core.lane_record[30:0];
logic        done, group_done, hit, joined, send, last;
logic [31:0] done_ref, done_param, behind, joined_ref, sel, sel_total, sel_param, sel_next;

// ---- Memory: one row per record, read and updated as `agt` says
logic        mem_done, mem_done_dist, mem_join, mem_link, mem_send;
logic [30:0] mem_done_record, mem_done_exe, mem_link_record, mem_send_record;
logic [62:0] mem_dim;
logic [31:0] mem_done_param, mem_param, mem_next;

logic [62:0] row_dim   [RECORDS];
logic [31:0] row_param [RECORDS], row_next [RECORDS];
logic [30:0] row_exe   [RECORDS];
logic        row_dist  [RECORDS];
wire [RECORD_W-1:0] done_row = RECORD_W'(mem_done_record), join_row = RECORD_W'(lane_record);
wire [RECORD_W-1:0] link_row = RECORD_W'(mem_link_record), send_row = RECORD_W'(mem_send_record);
assign mem_done_exe   = row_exe[done_row];
assign mem_done_dist  = row_dist[done_row];
assign mem_done_param = row_param[done_row];
assign mem_dim        = row_dim[send_row];
assign mem_param      = row_param[send_row];
assign mem_next       = row_next[send_row];
always_ff @(posedge clk) begin
    if (mem_done) row_exe[done_row] <= row_exe[done_row] - 1'b1;
    if (mem_join) begin
        row_dim[join_row]   <= lane_dim;
        row_param[join_row] <= lane_param;
        row_next[join_row]  <= '1;
        row_exe[join_row]   <= '0;
        row_dist[join_row]  <= 1'b0;
    end
    if (mem_link) row_next[link_row] <= joined_ref;
    if (mem_send) begin
        row_exe[send_row] <= (mem_join && join_row == send_row ? '0 : row_exe[send_row] - 31'(mem_done && done_row == send_row)) + 1'b1;
        if (last) row_dist[send_row] <= 1'b1;
    end
end

// ---- All groups, on chip and in memory
function automatic bit [62:0] dim(group_t group);
    return {group.z[15:0], group.y[15:0], group.x[30:0]};
endfunction
`define CHECK_GROUPS(table) \
    begin \
    for (int i = 0; i < AGES; i++) begin \
        `CHECK_AT("AGE valid", i, table.valid[i], core_regs.age[i].valid) \
        if (core_regs.age[i].valid != 0) begin \
            `CHECK_AT("AGE AggDim", i, table.agg_dim[i], dim(core_regs.age[i])) \
            `CHECK_AT("AGE Param", i, table.param[i], core_regs.age[i].param) \
            `CHECK_AT("AGE Next", i, table.next[i], core_regs.age[i].next) \
            `CHECK_AT("AGE ExeBL", i, table.exe[i], core_regs.age[i].exe) \
            `CHECK_AT("AGE dist", i, table.is_dist[i], core_regs.age[i].is_dist) \
        end \
    end \
    for (int i = 0; i < RECORDS; i++) \
        if (core_regs.spilled[i].valid != 0) begin \
            `CHECK_AT("memory AggDim", i, row_dim[i], dim(core_regs.spilled[i])) \
            `CHECK_AT("memory Param", i, row_param[i], core_regs.spilled[i].param) \
            `CHECK_AT("memory Next", i, row_next[i], core_regs.spilled[i].next) \
            `CHECK_AT("memory ExeBL", i, row_exe[i], core_regs.spilled[i].exe) \
            `CHECK_AT("memory dist", i, row_dist[i], core_regs.spilled[i].is_dist) \
        end \
    end
