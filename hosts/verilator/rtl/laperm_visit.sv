// The visit of one SMX (laperm-R8): the three stages of the pick, and what becomes of the SMX's backup record. Combinational; every
// SMX has one, because a visit that fails changes nothing but that SMX's record, so all may look at once.
module laperm_visit #(
    parameter int unsigned UNITS = 13,
    parameter int unsigned LEVELS = 4,
    parameter int unsigned THREADS_W = 12,
    parameter int unsigned REGS_W = 17,
    parameter int unsigned SMEM_W = 16,
    parameter int unsigned SLOTS_W = 5,
    parameter int unsigned RES_W = THREADS_W + REGS_W + SMEM_W + SLOTS_W, // {threads, regs, smem, slots}
    parameter int unsigned UNIT_W = UNITS > 1 ? $clog2(UNITS) : 1,
    parameter int unsigned SECTION_W = $clog2(LEVELS + 1)
) (
    input  logic [UNIT_W-1:0]          own,      // the SMX's unit
    input  logic                       masked,
    input  logic [RES_W-1:0]           free,     // what the SMX has left
    input  logic [UNITS-1:0]           waits,    // units that have a candidate
    input  logic [UNITS*RES_W-1:0]     needs,    // their candidate's res
    input  logic [UNITS*SECTION_W-1:0] sections, // their candidate's
    input  logic                       q0_waits,
    input  logic [RES_W-1:0]           q0_need,
    // Parameters of the sheet.
    input  logic                       adaptive, // `policy` is adaptive_bind
    input  logic                       try_next, // `no_fit` is try_next
    input  logic [1:0]                 backup_select,
    input  logic [15:0]                backup_limit,
    // The backup record, and how the visit leaves it.
    input  logic                       rec_valid,
    input  logic [UNIT_W-1:0]          rec,
    input  logic [15:0]                run,
    output logic                       records,
    output logic [UNIT_W-1:0]          rec_after,
    output logic [15:0]                run_after,
    // What comes of the visit: a TB of the candidate of `unit` (stage 1 or 3) or of queue 0 (stage 2), or why there is none.
    output logic [2:0]                 sched,
    output logic [1:0]                 stage,
    output logic [UNIT_W-1:0]          unit
);
    localparam logic [2:0] TB = 0, MASKED = 2, NO_CANDIDATE = 3, NO_FIT = 4;
    localparam logic [1:0] NEXT = 0, LOWEST = 1; // of backup_select; 2: highest_prio

    // Fits = every component of res <= free. (Yosys has no functions of structures.)
    localparam int unsigned SMEM = SLOTS_W, REGS = SMEM + SMEM_W, THREADS = REGS + REGS_W;
    function automatic logic is_within(input logic [RES_W-1:0] need, input logic [RES_W-1:0] room);
        is_within = need[SLOTS_W-1:0] <= room[SLOTS_W-1:0] && need[SMEM +: SMEM_W] <= room[SMEM +: SMEM_W]
            && need[REGS +: REGS_W] <= room[REGS +: REGS_W] && need[THREADS +: THREADS_W] <= room[THREADS +: THREADS_W];
    endfunction
    logic [UNITS-1:0] fits;
    logic q0_fits;
    always_comb begin
        for (int u = 0; u < UNITS; u++) fits[u] = is_within(needs[u*RES_W +: RES_W], free);
        q0_fits = is_within(q0_need, free);
    end

    // The first unit of a set behind `start`, wrapping, `start` itself last. Units that the configuration lacks are in no set.
    function automatic logic [UNIT_W-1:0] behind(input logic [UNITS-1:0] set, input logic [UNIT_W-1:0] start);
        behind = start;
        for (int v = UNITS - 1; v >= 0; v--) if (set[v] && v <= 32'(start)) behind = UNIT_W'(v);
        for (int v = UNITS - 1; v >= 0; v--) if (set[v] && v > 32'(start)) behind = UNIT_W'(v);
    endfunction

    // select(s)
    wire [UNITS-1:0] others = waits & ~(UNITS'(1) << own);
    logic [SECTION_W-1:0] top_section;
    logic [UNITS-1:0] top;
    always_comb begin
        top_section = '0;
        for (int v = 0; v < UNITS; v++)
            if (others[v] && sections[v*SECTION_W +: SECTION_W] > top_section) top_section = sections[v*SECTION_W +: SECTION_W];
        for (int v = 0; v < UNITS; v++) top[v] = others[v] && sections[v*SECTION_W +: SECTION_W] == top_section;
    end
    wire limited = backup_limit != '0;
    wire takes_turns = limited && rec_valid;
    logic [UNIT_W-1:0] selected;
    always_comb
        if (takes_turns) selected = behind(others, rec);
        else if (backup_select == NEXT) selected = behind(others, own);
        else if (backup_select == LOWEST) selected = behind(others, UNIT_W'(UNITS - 1));
        else selected = behind(top, own);

    // Stage 3: the recorded unit, or one that is selected, or with try_next the first one that fits.
    wire forced = takes_turns && run >= backup_limit;
    wire kept = rec_valid && !forced && waits[rec];
    wire [UNIT_W-1:0] b = kept ? rec : selected;
    wire [UNITS-1:0] fitting = others & fits;
    wire [UNIT_W-1:0] fallback = behind(fitting, b);

    always_comb begin
        sched = TB;
        stage = '0;
        unit = own;
        records = 1'b0;
        rec_after = b;
        run_after = kept ? run : '0;
        if (masked) sched = MASKED;
        else if (waits[own] && fits[own]) stage = 2'd1;
        else if (waits[own] && !try_next) sched = NO_FIT;
        else if (q0_waits && q0_fits) stage = 2'd2;
        else if (q0_waits && !try_next) sched = NO_FIT;
        else if (!adaptive || others == '0) sched = waits[own] || q0_waits ? NO_FIT : NO_CANDIDATE;
        else begin
            // A unit that is selected is recorded even if its TB then does not fit.
            records = 1'b1;
            if (fits[b]) begin
                stage = 2'd3;
                unit = b;
            end else if (!try_next || fitting == '0) sched = NO_FIT;
            else begin
                stage = 2'd3;
                unit = fallback;
                rec_after = fallback;
                run_after = '0;
            end
            if (limited && stage == 2'd3) run_after = run_after + 1'b1;
        end
    end
endmodule
