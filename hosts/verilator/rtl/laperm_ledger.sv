// What is free on one SMX (laperm-R9 and laperm-R10): a dispatch takes what its TB needs; the end of a TB, behind it in the same
// clock, gives it back, unless more would be free than an empty SMX has.
module laperm_ledger #(
    parameter int unsigned SMX_THREADS = 2048,
    parameter int unsigned SMX_REGS = 65536,
    parameter int unsigned SMX_SMEM = 49152,
    parameter int unsigned SMX_SLOTS = 16,
    parameter int unsigned THREADS_W = $clog2(SMX_THREADS + 1),
    parameter int unsigned REGS_W = $clog2(SMX_REGS + 1),
    parameter int unsigned SMEM_W = $clog2(SMX_SMEM + 1),
    parameter int unsigned SLOTS_W = $clog2(SMX_SLOTS + 1),
    parameter int unsigned RES_W = THREADS_W + REGS_W + SMEM_W + SLOTS_W // {threads, regs, smem, slots}
) (
    input  logic             clk,
    input  logic             rst,
    input  logic             sent,
    input  logic [RES_W-1:0] sent_res,
    input  logic             done,
    input  logic [RES_W-1:0] done_res,
    output logic             underflow, // nothing is given back
    output logic [RES_W-1:0] free
);
    typedef struct packed {
        logic [THREADS_W-1:0] threads;
        logic [REGS_W-1:0]    regs;
        logic [SMEM_W-1:0]    smem;
        logic [SLOTS_W-1:0]   slots;
    } res_t;
    localparam logic [RES_W-1:0] CAPACITY = {THREADS_W'(SMX_THREADS), REGS_W'(SMX_REGS), SMEM_W'(SMX_SMEM), SLOTS_W'(SMX_SLOTS)};

    wire res_t held = free;
    wire res_t taken = sent ? sent_res : '0;
    wire res_t given = done_res;
    res_t left, after;
    always_comb begin
        left.threads = held.threads - taken.threads;
        left.regs = held.regs - taken.regs;
        left.smem = held.smem - taken.smem;
        left.slots = held.slots - taken.slots;
        after.threads = left.threads + given.threads;
        after.regs = left.regs + given.regs;
        after.smem = left.smem + given.smem;
        after.slots = left.slots + given.slots;
        // One bit more than a component has.
        underflow = 32'(left.threads) + 32'(given.threads) > SMX_THREADS || 32'(left.regs) + 32'(given.regs) > SMX_REGS
            || 32'(left.smem) + 32'(given.smem) > SMX_SMEM || 32'(left.slots) + 32'(given.slots) > SMX_SLOTS;
    end
    always_ff @(posedge clk)
        if (rst) free <= CAPACITY;
        else free <= done && !underflow ? after : left;
endmodule
