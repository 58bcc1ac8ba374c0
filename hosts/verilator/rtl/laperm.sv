// LaPerm's queue set and scheduler in the DTBL model (laperm): a queue per bind unit, queue 0, overflow lists, the visit pointer `cur`,
// the three-stage pick with a backup record per SMX, the mask, and what is free on each SMX.
//
// One clock is one cycle, and `now` counts it. In a clock, in this order: a tick of the scheduler, which sees the registers as they
// are (laperm-R6 to R9, every stage of every visit in the one clock); the end of a TB (laperm-R10); a change of the mask (laperm-R12); a
// push (laperm-R1 to R4). Answers are combinational and stand in the same clock. A push waits, `push_ready` low, in a clock in which
// a refill comes from the overflow lists: insertion and lists have one port. What is refused (`*_error` not 0) changes nothing.
//
// Policies, visits and the rest of the behaviour are inputs, which change only under reset; sizes are parameters. A clock is a call
// of each kind, so time neither stands still nor goes back: TimeBackwards and SameCycle are no errors here. Left out: the CDP model
// (KMU, KDE counts; laperm-R5 and laperm-R11) and the query waiting_head (laperm-R13).
//
// Storage, beside the sheet's 1,113,316 bits with a K20c's sizes (memory and baseline included), 107,240 bits more. An entry is 181 of
// its 192 bits (tag, prio, res, tbs, next; no kdei, valid and spare bits, and no section, which the section pointers tell): -18,656 on
// chip, -45,056 in memory. On chip come ready_at, TIME_W bits an entry, +108,544; the place numbers in `order`, +11,808; beside section
// pointers the count, +110. In memory comes a link per entry, +49,152; for it heads, tails and the like, +1,338.
module laperm #(
    parameter int unsigned SMXS = 13,
    parameter int unsigned LEVELS = 4,
    parameter int unsigned QUEUE_CAP = 128,
    parameter int unsigned Q0_CAP = 32,
    parameter int unsigned POOL_CAP = 4096,
    parameter int unsigned SMX_THREADS = 2048,
    parameter int unsigned SMX_REGS = 65536,
    parameter int unsigned SMX_SMEM = 49152,
    parameter int unsigned SMX_SLOTS = 16,
    parameter int unsigned TAG_W = 64,
    parameter int unsigned TBS_W = 32,
    parameter int unsigned TIME_W = 64,
    parameter int unsigned SMX_W = SMXS > 1 ? $clog2(SMXS) : 1,
    parameter int unsigned LEVEL_W = $clog2(LEVELS + 1),
    parameter int unsigned POS_W = $clog2((QUEUE_CAP > Q0_CAP ? QUEUE_CAP : Q0_CAP) + 1),
    parameter int unsigned THREADS_W = $clog2(SMX_THREADS + 1),
    parameter int unsigned REGS_W = $clog2(SMX_REGS + 1),
    parameter int unsigned SMEM_W = $clog2(SMX_SMEM + 1),
    parameter int unsigned SLOTS_W = $clog2(SMX_SLOTS + 1),
    parameter int unsigned RES_W = THREADS_W + REGS_W + SMEM_W + SLOTS_W // {threads, regs, smem, slots}
) (
    input  logic               clk,
    input  logic               rst,
    input  logic [TIME_W-1:0]  now,
    // The sheet's parameters; codes as in the C ABI.
    input  logic [SMX_W:0]     cluster,
    input  logic [1:0]         policy,
    input  logic               visit_skip,
    input  logic               try_next,
    input  logic               spill_lowest,
    input  logic [1:0]         backup_select,
    input  logic [15:0]        backup_limit,
    input  logic [15:0]        refill_cycles,
    input  logic               charge_insert,
    // tick: `sched` says whether a TB was sent, or why not. `smx_valid`: it is about one SMX.
    input  logic               tick,
    output logic [2:0]         sched,
    output logic               smx_valid,
    output logic [SMX_W-1:0]   smx,
    output logic [1:0]         stage,
    output logic [SMX_W-1:0]   unit, // stages 1 and 3
    output logic [TAG_W-1:0]   tag,
    output logic [TBS_W-1:0]   tb,
    output logic [LEVEL_W-1:0] prio,
    output logic               last,
    output logic               refills,
    output logic [TAG_W-1:0]   refill_tag,
    // tb_done
    input  logic               done,
    input  logic [SMX_W-1:0]   done_smx,
    input  logic [RES_W-1:0]   done_res,
    output logic [3:0]         done_error,
    // set_mask
    input  logic               set_mask,
    input  logic [SMX_W-1:0]   mask_smx,
    input  logic               mask_value,
    output logic [3:0]         mask_error,
    // push_host, push_child
    input  logic               push,
    output logic               push_ready,
    input  logic               push_host,
    input  logic [TAG_W-1:0]   push_tag,
    input  logic [TBS_W-1:0]   push_tbs,
    input  logic [RES_W-1:0]   push_res,
    input  logic [SMX_W-1:0]   push_smx,  // of the parent
    input  logic [LEVEL_W-1:0] push_prio, // of the parent
    output logic [3:0]         push_error,
    output logic [1:0]         place,
    output logic [SMX_W-1:0]   place_unit,
    output logic [LEVEL_W-1:0] level,
    output logic [POS_W-1:0]   pos,
    output logic [TIME_W-1:0]  ready_at,
    output logic               evicts,
    output logic [TAG_W-1:0]   evicted_tag
);
    localparam logic [1:0] RR = 0, TB_PRI = 1, ADAPTIVE_BIND = 3;            // policy; 2: SMX_BIND
    localparam logic [2:0] TB = 0, NO_WORK = 1, MASKED = 2, NO_CANDIDATE = 3, NO_FIT = 4;
    localparam logic [1:0] QUEUE0 = 0, ON_CHIP = 1, SPILLED = 2;             // place
    localparam logic [3:0] NONE = 0, BAD_SMX = 1, BAD_PRIORITY = 2, EMPTY_GROUP = 3, BAD_RESOURCES = 4, TB_TOO_BIG = 5,
        QUEUE0_FULL = 6, POOL_FULL = 7, RELEASE_UNDERFLOW = 8;               // *_error
    localparam int unsigned UNITS = SMXS, UNIT_W = SMX_W;                    // with clusters, the upper queues are not used
    localparam int unsigned UNIT_POS_W = $clog2(QUEUE_CAP + 1), Q0_POS_W = $clog2(Q0_CAP + 1);

    typedef struct packed {
        logic [THREADS_W-1:0] threads;
        logic [REGS_W-1:0]    regs;
        logic [SMEM_W-1:0]    smem;
        logic [SLOTS_W-1:0]   slots;
    } res_t;
    typedef struct packed {
        logic [TAG_W-1:0]   tag;
        logic [LEVEL_W-1:0] prio;
        res_t               res;
        logic [TBS_W-1:0]   tbs;
    } body_t;
    localparam int unsigned BODY_W = TAG_W + LEVEL_W + RES_W + TBS_W;
    localparam int unsigned ENTRY_W = BODY_W + TBS_W; // {body, next}

    localparam res_t MOST = {THREADS_W'(SMX_THREADS), REGS_W'(SMX_REGS), SMEM_W'(SMX_SMEM), SLOTS_W'(SMX_SLOTS)};

    logic [SMX_W-1:0] cur;
    logic [SMXS-1:0] mask, rec_valid;
    logic [SMXS*UNIT_W-1:0] rec;
    logic [SMXS*16-1:0] run;
    logic [SMXS*RES_W-1:0] free;

    // Structures: the bind unit of SMX s is s / cluster, or 0 if the policy does not bind.
    wire binds = policy != RR && policy != TB_PRI;
    logic [SMXS*UNIT_W-1:0] unit_of;
    always_comb begin : units_of_smxs
        logic [UNIT_W-1:0] u;
        logic [SMX_W:0] n;
        u = '0;
        n = '0;
        for (int s = 0; s < SMXS; s++) begin
            unit_of[s*UNIT_W +: UNIT_W] = binds ? u : '0;
            n = n + 1'b1;
            if (n == cluster) begin
                n = '0;
                u = u + 1'b1;
            end
        end
    end

    // The queues. In this clock a unit may send (laperm-R8, laperm-R9), and take in a refill (laperm-R9) or what is pushed (laperm-R4).
    logic [UNITS-1:0] waits, full;
    logic [UNITS*LEVEL_W-1:0] sections, lowest;
    logic [UNITS*BODY_W-1:0] bodies, evicted_bodies;
    logic [UNITS*TBS_W-1:0] nexts, evicted_nexts;
    logic [UNITS*UNIT_POS_W-1:0] poss;
    logic q0_waits, q0_full;
    logic [BODY_W-1:0] q0_body;
    logic [TBS_W-1:0] q0_next;
    logic [Q0_POS_W-1:0] q0_pos;
    logic sends, accepts, q0_push, inserts;
    logic [UNIT_W-1:0] insert_unit;
    logic [LEVEL_W-1:0] insert_section;
    logic [ENTRY_W-1:0] insert_entry;
    logic [TIME_W-1:0] insert_ready_at;

    for (genvar u = 0; u < UNITS; u++) begin : unit_queues
        wire inserts_here = inserts && 32'(insert_unit) == u;
        laperm_queue #(.CAP(QUEUE_CAP), .LEVELS(LEVELS), .BODY_W(BODY_W), .TBS_W(TBS_W), .TIME_W(TIME_W)) queue (
            .clk, .rst, .now,
            .waits(waits[u]), .section(sections[u*LEVEL_W +: LEVEL_W]),
            .body(bodies[u*BODY_W +: BODY_W]), .next(nexts[u*TBS_W +: TBS_W]),
            .send(sends && stage != 2'd2 && 32'(unit) == u), .last(last),
            .full(full[u]), .lowest(lowest[u*LEVEL_W +: LEVEL_W]),
            .evicted_body(evicted_bodies[u*BODY_W +: BODY_W]), .evicted_next(evicted_nexts[u*TBS_W +: TBS_W]),
            .pos(poss[u*UNIT_POS_W +: UNIT_POS_W]),
            .insert(inserts_here), .evict(inserts_here && evicts), .insert_section(insert_section),
            .insert_body(insert_entry[ENTRY_W-1:TBS_W]), .insert_next(insert_entry[TBS_W-1:0]), .insert_ready_at(insert_ready_at)
        );
    end

    // laperm-R3: one section, and nobody is evicted.
    // verilator lint_off PINCONNECTEMPTY
    laperm_queue #(.CAP(Q0_CAP), .LEVELS(1), .BODY_W(BODY_W), .TBS_W(TBS_W), .TIME_W(TIME_W)) queue0 (
        .clk, .rst, .now, .waits(q0_waits), .section(), .body(q0_body), .next(q0_next),
        .send(sends && stage == 2'd2), .last(last),
        .full(q0_full), .lowest(), .evicted_body(), .evicted_next(), .pos(q0_pos),
        .insert(accepts && q0_push), .evict(1'b0), .insert_section(1'b1),
        .insert_body({push_tag, level, push_res, push_tbs}), .insert_next(TBS_W'(0)), .insert_ready_at(now)
    );
    // verilator lint_on PINCONNECTEMPTY

    // laperm-R8: all visits that this clock may make.
    logic [UNITS*RES_W-1:0] needs;
    always_comb for (int u = 0; u < UNITS; u++) needs[u*RES_W +: RES_W] = bodies[u*BODY_W + TBS_W +: RES_W];
    wire [RES_W-1:0] q0_need = q0_body[TBS_W +: RES_W];
    logic [SMXS-1:0] can_send, records;
    logic [SMXS*3-1:0] scheds;
    logic [SMXS*2-1:0] stages;
    logic [SMXS*UNIT_W-1:0] picks, rec_afters;
    logic [SMXS*16-1:0] run_afters;
    for (genvar s = 0; s < SMXS; s++) begin : visits
        laperm_visit #(
            .UNITS(UNITS), .LEVELS(LEVELS), .THREADS_W(THREADS_W), .REGS_W(REGS_W), .SMEM_W(SMEM_W), .SLOTS_W(SLOTS_W)
        ) visit (
            .own(unit_of[s*UNIT_W +: UNIT_W]), .masked(mask[s]), .free(free[s*RES_W +: RES_W]),
            .waits, .needs, .sections, .q0_waits, .q0_need,
            .adaptive(policy == ADAPTIVE_BIND), .try_next, .backup_select, .backup_limit,
            .rec_valid(rec_valid[s]), .rec(rec[s*UNIT_W +: UNIT_W]), .run(run[s*16 +: 16]),
            .records(records[s]), .rec_after(rec_afters[s*UNIT_W +: UNIT_W]), .run_after(run_afters[s*16 +: 16]),
            .sched(scheds[s*3 +: 3]), .stage(stages[s*2 +: 2]), .unit(picks[s*UNIT_W +: UNIT_W])
        );
        assign can_send[s] = scheds[s*3 +: 3] == TB && (visit_skip || 32'(cur) == s);
    end

    // laperm-R7: the SMX at `cur`, or with skip the first one from there on that takes a TB.
    wire work = waits != '0 || q0_waits;
    wire any = can_send != '0;
    logic [SMXS-1:0] visited, no_fits, no_candidates;
    always_comb begin
        smx = cur;
        for (int s = SMXS - 1; s >= 0; s--) if (can_send[s] && s < 32'(cur)) smx = SMX_W'(s);
        for (int s = SMXS - 1; s >= 0; s--) if (can_send[s] && s >= 32'(cur)) smx = SMX_W'(s);
        for (int s = 0; s < SMXS; s++) begin
            if (!visit_skip) visited[s] = s == 32'(cur);
            else if (!any) visited[s] = 1'b1;
            else if (smx >= cur) visited[s] = s >= 32'(cur) && s <= 32'(smx);
            else visited[s] = s >= 32'(cur) || s <= 32'(smx);
            no_fits[s] = visited[s] && scheds[s*3 +: 3] == NO_FIT;
            no_candidates[s] = visited[s] && scheds[s*3 +: 3] == NO_CANDIDATE;
        end
        if (!work) sched = NO_WORK;
        else if (any) sched = TB;
        else if (no_fits != '0) sched = NO_FIT;
        else if (no_candidates != '0) sched = NO_CANDIDATE;
        else sched = MASKED;
    end
    assign sends = tick && any;
    assign smx_valid = any || (work && !visit_skip);

    // laperm-R9
    assign stage = stages[32'(smx)*2 +: 2];
    assign unit = picks[32'(smx)*UNIT_W +: UNIT_W];
    wire body_t sent = stage == 2'd2 ? q0_body : bodies[32'(unit)*BODY_W +: BODY_W];
    assign tag = sent.tag;
    assign prio = sent.prio;
    assign tb = stage == 2'd2 ? q0_next : nexts[32'(unit)*TBS_W +: TBS_W];
    assign last = tb + 1'b1 == sent.tbs;

    // laperm-R1 and laperm-R2
    wire res_t need = push_res;
    assign q0_push = push_host && policy != RR;
    assign level = push_host ? '0 : 32'(push_prio) >= LEVELS ? LEVEL_W'(LEVELS) : push_prio + 1'b1;
    wire [LEVEL_W-1:0] push_section = policy == RR ? LEVEL_W'(1) : level;
    assign place_unit = push_host || 32'(push_smx) >= SMXS ? '0 : unit_of[32'(push_smx)*UNIT_W +: UNIT_W];
    logic pool_full;
    wire unit_full = full[place_unit];
    always_comb
        if (!push_host && 32'(push_smx) >= SMXS) push_error = BAD_SMX;
        else if (!push_host && 32'(push_prio) > LEVELS) push_error = BAD_PRIORITY;
        else if (push_tbs == '0) push_error = EMPTY_GROUP;
        else if (need.threads == '0 || need.slots == '0) push_error = BAD_RESOURCES;
        else if (need.threads > MOST.threads || need.regs > MOST.regs || need.smem > MOST.smem || need.slots > MOST.slots)
            push_error = TB_TOO_BIG;
        else if (q0_push && q0_full) push_error = QUEUE0_FULL;
        else if (!q0_push && unit_full && pool_full) push_error = POOL_FULL;
        else push_error = NONE;
    assign push_ready = !refills;
    assign accepts = push && push_ready && push_error == NONE;

    // laperm-R3 and laperm-R4
    wire higher = push_section > lowest[32'(place_unit)*LEVEL_W +: LEVEL_W];
    always_comb
        if (q0_push) place = QUEUE0;
        else if (unit_full && !(spill_lowest && higher)) place = SPILLED;
        else place = ON_CHIP;
    assign evicts = accepts && place == ON_CHIP && unit_full;
    wire body_t evicted = evicted_bodies[32'(place_unit)*BODY_W +: BODY_W];
    assign evicted_tag = evicted.tag;
    wire [ENTRY_W-1:0] evicted_entry = {evicted, evicted_nexts[32'(place_unit)*TBS_W +: TBS_W]};
    wire [ENTRY_W-1:0] pushed_entry = {push_tag, level, push_res, push_tbs, TBS_W'(0)};
    assign pos = q0_push ? POS_W'(q0_pos) : POS_W'(poss[32'(place_unit)*UNIT_POS_W +: UNIT_POS_W]);
    assign ready_at = q0_push || !charge_insert ? now : now + TIME_W'(pos) + 1'b1;

    // laperm-R4b, laperm-R4c, laperm-R9: the overflow lists, and what comes into a unit's queue.
    logic waits_off_chip;
    logic [LEVEL_W-1:0] refill_section;
    logic [ENTRY_W-1:0] refill_entry;
    laperm_overflow #(.CAP(POOL_CAP), .UNITS(UNITS), .LEVELS(LEVELS), .ENTRY_W(ENTRY_W)) overflow (
        .clk, .rst,
        .put(evicts || (accepts && place == SPILLED)), .put_front(evicts), .put_unit(place_unit),
        .put_section(evicts ? lowest[32'(place_unit)*LEVEL_W +: LEVEL_W] : push_section),
        .put_entry(evicts ? evicted_entry : pushed_entry), .full(pool_full),
        .take(refills), .take_unit(unit), .take_waits(waits_off_chip), .take_section(refill_section), .take_entry(refill_entry)
    );
    assign refills = sends && last && stage != 2'd2 && waits_off_chip;
    assign refill_tag = refill_entry[ENTRY_W-1 -: TAG_W];
    assign inserts = refills || (accepts && place == ON_CHIP);
    assign insert_unit = refills ? unit : place_unit;
    assign insert_section = refills ? refill_section : push_section;
    assign insert_entry = refills ? refill_entry : pushed_entry;
    assign insert_ready_at = refills ? now + TIME_W'(refill_cycles) : ready_at;

    // laperm-R10, behind the dispatch of this clock
    wire done_is_bad = done_res[RES_W-1 -: THREADS_W] == '0 || done_res[SLOTS_W-1:0] == '0;
    logic [SMXS-1:0] underflows;
    for (genvar s = 0; s < SMXS; s++) begin : ledgers
        laperm_ledger #(.SMX_THREADS(SMX_THREADS), .SMX_REGS(SMX_REGS), .SMX_SMEM(SMX_SMEM), .SMX_SLOTS(SMX_SLOTS)) ledger (
            .clk, .rst, .sent(sends && 32'(smx) == s), .sent_res(sent.res),
            .done(done && !done_is_bad && 32'(done_smx) == s), .done_res, .underflow(underflows[s]), .free(free[s*RES_W +: RES_W])
        );
    end
    always_comb
        if (32'(done_smx) >= SMXS) done_error = BAD_SMX;
        else if (done_is_bad) done_error = BAD_RESOURCES;
        else if (underflows[done_smx]) done_error = RELEASE_UNDERFLOW;
        else done_error = NONE;
    assign mask_error = 32'(mask_smx) >= SMXS ? BAD_SMX : NONE;

    always_ff @(posedge clk)
        if (rst) begin
            cur <= '0;
            mask <= '0;
            rec_valid <= '0;
            rec <= '0;
            run <= '0;
        end else begin
            if (tick && smx_valid) cur <= 32'(smx) == SMXS - 1 ? '0 : smx + 1'b1;
            for (int s = 0; s < SMXS; s++)
                if (tick && visited[s] && records[s]) begin
                    rec_valid[s] <= 1'b1;
                    rec[s*UNIT_W +: UNIT_W] <= rec_afters[s*UNIT_W +: UNIT_W];
                    run[s*16 +: 16] <= run_afters[s*16 +: 16];
                end
            if (set_mask && mask_error == NONE) mask[mask_smx] <= mask_value;
        end
endmodule
