// TB diversion, SMX draining and opportunistic DVFS by SMX occupancy: the registers DVR, DRN and DVFS, what drives them, and the
// residency ledger that they are driven by. Rules are named as in the sheet `bubble_dvfs`; energy (bubble_dvfs-B4) and the evaluation
// counters (bubble_dvfs-B5) are no hardware and not here.
//
// Who drives it: the TB scheduler and the SMXs report each TB that starts (`dispatched`) or ends (`completed`), a timer gives `sample`
// every `sample_cycles` clocks together with the TB that waits, if one does. All three may come in one clock and act in the order
// completed, dispatched, sample: a sample sees the TBs of its own clock. Each takes that one clock, the sample as a whole too ("no
// cycles of their own"). What it found and decided is on the record's outputs in its clock and in the registers after it. Of the
// record, `go_low`, `go_high` are the orders for the regulators of the SMXs: those of the GPU level name each SMX that is to move.
//
// An event whose fault is not OK changes nothing. A sample that is refused at its time is a missed one, and so are then all that
// follow. TBs end in the shape in which they started; other shapes are taken, as the sheet has it, while `tbs`, `warps` have the bits.
//
// Configuration inputs carry the sheet's names and may change under reset only; the parameters of those names are the most that they
// may ask for. T needs no multiplier per SMX: after reset `below` rises, one a clock, to the fewest warps that are no bubble; it is
// there (`ready`) at the latest MAX_WARPS + 1 clocks after reset, and before that every sample is an OFF_SAMPLE.
//
// Flip-flops with the defaults: the 177 bits of the sheet at P = 20, that is DVR 13, DRN 13, DVFS 14, drain counters 52, timers 65,
// armed 13, GPU level 7; and what the sheet leaves to the baseline or does not need: ledger 13 x 62, the clock of the samples 9, and
// 30 for T as an input (`below`, `sum`). 1022 in all.
module bubble #(
    parameter int unsigned SMXS = 13, THREADS = 2048, REGS = 65536, SMEM = 49152, SLOTS = 16, WARP_SIZE = 32,
    parameter int unsigned SAMPLE_CYCLES = 500, DRAIN_SAMPLES = 10, TRANSITION_SAMPLES = 20, GPU_IDLE_SAMPLES = 1,
    // Widths. A TB's resources are {threads, registers, shared memory, slots}.
    parameter int unsigned THREADS_W = $clog2(THREADS + 1), REGS_W = $clog2(REGS + 1), SLOTS_W = $clog2(SLOTS + 1),
    parameter int unsigned SMEM_W = SMEM == 0 ? 1 : $clog2(SMEM + 1), RES_W = THREADS_W + REGS_W + SMEM_W + SLOTS_W,
    parameter int unsigned MAX_WARPS = THREADS / WARP_SIZE, WARPS_W = $clog2(MAX_WARPS + SLOTS + 1), TBS_W = SLOTS_W,
    parameter int unsigned SMX_W = SMXS == 1 ? 1 : $clog2(SMXS), COUNT_W = $clog2(SMXS + 1), SINCE_W = $clog2(SAMPLE_CYCLES + 2),
    parameter int unsigned DRAIN_W = $clog2(DRAIN_SAMPLES + 1), TIMER_W = $clog2(TRANSITION_SAMPLES + 1),
    parameter int unsigned IDLE_W = $clog2(GPU_IDLE_SAMPLES + 1)
) (
    input  logic               clk, rst,
    // Configuration.
    input  logic [COUNT_W-1:0] smxs,                // the first so many of SMXS
    input  logic [15:0]        t_num, t_den,
    input  logic [SINCE_W-1:0] sample_cycles,
    input  logic [DRAIN_W-1:0] drain_samples,       // W
    input  logic [TIMER_W-1:0] transition_samples,  // P
    input  logic [IDLE_W-1:0]  gpu_idle_samples,
    input  logic [1:0]         retrigger,           // 0 level, 1 rearm, 2 once
    input  logic               enabled, inclusive, draining, gpu_level, resume_draining, resume_hold,
    // A TB ends; a TB starts. What is resident there then.
    input  logic               completed, dispatched,
    input  logic [SMX_W-1:0]   completed_smx, dispatched_smx,
    input  logic [RES_W-1:0]   completed_res, dispatched_res,
    output logic [6:0]         completed_fault, dispatched_fault,
    output logic [TBS_W-1:0]   completed_tbs, dispatched_tbs,
    output logic [WARPS_W-1:0] completed_warps, dispatched_warps,
    // A sample.
    input  logic               sample, waiting,
    input  logic [RES_W-1:0]   waiting_res,
    input  logic [SMXS-1:0]    allowed,
    output logic [6:0]         sample_fault,
    // Its record; all 0 without a sample. `cancel` and `up` are `resume` with its kind.
    output logic [SMXS-1:0]    in_bubble, low_done, high_done, divert, refused, drain_done, drain_abort, down, cancel, up,
    output logic               starved, gpu_low_done, gpu_high_done, gpu_start_down, gpu_start_up,
    output logic [SMXS-1:0]    go_low, go_high,
    // The control registers, and what follows from them; DVFS without its bit 0, which is `gpu`.
    output logic [SMXS-1:0]    dvr, drn, dvfs, eligible,
    output logic               gpu, ready
);
    // Faults, numbered as gpusched_status.
    localparam logic [6:0] OK = 0, BAD_SMX = 7, BAD_MASK = 39, BAD_RESOURCES = 64, TB_TOO_BIG = 5, RELEASE_UNDERFLOW = 68,
        NOT_ELIGIBLE = 90, NO_FIT = 91, OFF_SAMPLE = 92;
    localparam logic [1:0] LEVEL = 0, ONCE = 2;
    localparam logic [RES_W-1:0] CAPACITY = {THREADS_W'(THREADS), REGS_W'(REGS), SMEM_W'(SMEM), SLOTS_W'(SLOTS)};
    localparam int unsigned REGS_AT = SLOTS_W + SMEM_W, THREADS_AT = REGS_AT + REGS_W;
    // 0..W-1, with a bit where there is nothing to count.
    localparam int unsigned DRAINED_W = DRAIN_SAMPLES == 1 ? 1 : $clog2(DRAIN_SAMPLES);

    // The sheet's definitions of resources. Not every function looks at every field.
    // verilator lint_off UNUSEDSIGNAL
    function automatic logic amounts(input logic [RES_W-1:0] res); // has threads and slots
        amounts = res[THREADS_AT+:THREADS_W] != 0 && res[SLOTS_W-1:0] != 0;
    endfunction
    function automatic logic fits(input logic [RES_W-1:0] res, input logic [RES_W-1:0] room);
        fits = res[THREADS_AT+:THREADS_W] <= room[THREADS_AT+:THREADS_W] && res[REGS_AT+:REGS_W] <= room[REGS_AT+:REGS_W]
            && res[SLOTS_W+:SMEM_W] <= room[SLOTS_W+:SMEM_W] && res[SLOTS_W-1:0] <= room[SLOTS_W-1:0];
    endfunction
    function automatic logic [RES_W-1:0] minus(input logic [RES_W-1:0] room, input logic [RES_W-1:0] res);
        minus = {room[THREADS_AT+:THREADS_W] - res[THREADS_AT+:THREADS_W], room[REGS_AT+:REGS_W] - res[REGS_AT+:REGS_W],
                 room[SLOTS_W+:SMEM_W] - res[SLOTS_W+:SMEM_W], room[SLOTS_W-1:0] - res[SLOTS_W-1:0]};
    endfunction
    function automatic logic [WARPS_W-1:0] warps_of(input logic [RES_W-1:0] res); // w(res)
        warps_of = WARPS_W'((32'(res[THREADS_AT+:THREADS_W]) + WARP_SIZE - 1) / WARP_SIZE);
    endfunction
    // verilator lint_on UNUSEDSIGNAL
    function automatic logic [SMXS-1:0] lowest(input logic [SMXS-1:0] set);
        lowest = set & (~set + 1'b1);
    endfunction

    logic [SMXS-1:0] exists;
    for (genvar s = 0; s < SMXS; s++) assign exists[s] = s < 32'(smxs);
    assign eligible = gpu ? '0 : exists & ~dvr & ~dvfs;

    // ---- the ledger: what is free on each SMX, and how many TBs and warps are there
    logic [RES_W-1:0]   free [SMXS], free_n [SMXS];
    logic [TBS_W-1:0]   tbs [SMXS], tbs_n [SMXS];
    logic [WARPS_W-1:0] warps [SMXS], warps_n [SMXS];

    // 2. `completed`.
    logic ended;
    logic [RES_W-1:0] completed_used, completed_free;
    assign completed_used = minus(CAPACITY, free[completed_smx]);
    always_comb begin
        completed_fault = OK;
        if (32'(completed_smx) >= 32'(smxs)) completed_fault = BAD_SMX;
        else if (!amounts(completed_res)) completed_fault = BAD_RESOURCES;
        else if (tbs[completed_smx] == 0 || warps[completed_smx] < warps_of(completed_res)
                 || !fits(completed_res, completed_used)) completed_fault = RELEASE_UNDERFLOW;
    end
    assign ended = completed && completed_fault == OK;
    assign completed_free = minus(CAPACITY, minus(completed_used, completed_res));
    assign completed_tbs = tbs[completed_smx] - 1'b1;
    assign completed_warps = warps[completed_smx] - warps_of(completed_res);

    // 1. `dispatched`, on what the TB that ends in the same clock leaves.
    logic started, same;
    logic [RES_W-1:0] dispatched_room;
    assign same = ended && completed_smx == dispatched_smx;
    assign dispatched_room = same ? completed_free : free[dispatched_smx];
    always_comb begin
        dispatched_fault = OK;
        if (32'(dispatched_smx) >= 32'(smxs)) dispatched_fault = BAD_SMX;
        else if (!amounts(dispatched_res)) dispatched_fault = BAD_RESOURCES;
        else if (!fits(dispatched_res, CAPACITY)) dispatched_fault = TB_TOO_BIG;
        else if (!eligible[dispatched_smx]) dispatched_fault = NOT_ELIGIBLE;
        else if (!fits(dispatched_res, dispatched_room)) dispatched_fault = NO_FIT;
    end
    assign started = dispatched && dispatched_fault == OK;
    assign dispatched_tbs = (same ? completed_tbs : tbs[dispatched_smx]) + 1'b1;
    assign dispatched_warps = (same ? completed_warps : warps[dispatched_smx]) + warps_of(dispatched_res);

    // need, full, idle and may of the sample in this clock. Everything below has one bit per SMX.
    logic [SMXS-1:0] need, full, idle, may;
    logic [WARPS_W-1:0] below;
    for (genvar s = 0; s < SMXS; s++) begin : ledger
        logic starts, ends;
        assign starts = started && 32'(dispatched_smx) == s;
        assign ends = ended && 32'(completed_smx) == s;
        assign free_n[s] = starts ? minus(dispatched_room, dispatched_res) : ends ? completed_free : free[s];
        assign tbs_n[s] = starts ? dispatched_tbs : ends ? completed_tbs : tbs[s];
        assign warps_n[s] = starts ? dispatched_warps : ends ? completed_warps : warps[s];
        always_ff @(posedge clk) begin
            free[s] <= rst ? CAPACITY : free_n[s];
            tbs[s] <= rst ? '0 : tbs_n[s];
            warps[s] <= rst ? '0 : warps_n[s];
        end
        assign need[s] = exists[s] && warps_n[s] < below;
        assign full[s] = 32'(warps_n[s]) >= MAX_WARPS;
        assign idle[s] = tbs_n[s] == 0;
        assign may[s] = allowed[s] && fits(waiting_res, free_n[s]);
    end

    // T: `below` is the first k with k * t_den >= t_num * MAX_WARPS (`inclusive`: >), and `sum` is k * t_den on the way there.
    logic [WARPS_W+15:0] sum, goal;
    assign goal = (WARPS_W+16)'(32'(t_num) * MAX_WARPS);
    assign ready = !(sum < goal || inclusive && sum == goal);
    always_ff @(posedge clk)
        if (rst) {below, sum} <= '0;
        else if (!ready) begin
            below <= below + 1'b1;
            sum <= sum + (WARPS_W+16)'(t_den);
        end

    // ---- 3. `sample`: whether this clock is its time. `since` counts from 1 behind a sample; 0: none yet; it stops when one is missed.
    logic sampled;
    logic [SINCE_W-1:0] since;
    always_comb begin
        sample_fault = OK;
        if (!ready || since != 0 && since != sample_cycles) sample_fault = OFF_SAMPLE;
        else if (waiting && !amounts(waiting_res)) sample_fault = BAD_RESOURCES;
        else if (waiting && !fits(waiting_res, CAPACITY)) sample_fault = TB_TOO_BIG;
        else if (waiting && (allowed == '0 || (allowed & ~exists) != '0)) sample_fault = BAD_MASK;
    end
    assign sampled = sample && sample_fault == OK;
    always_ff @(posedge clk)
        if (rst) since <= '0;
        else if (sampled) since <= 1;
        else if (since != 0 && since <= sample_cycles) since <= since + 1'b1;

    // bubble_dvfs-S1 Arming.
    logic [SMXS-1:0] all, armed, armed_2;
    assign all = {SMXS{sampled}};
    assign in_bubble = all & need;
    assign armed_2 = (armed | exists & ~need) & ~high_done;

    // bubble_dvfs-S2 Transitions. Names with _2 are registers as bubble_dvfs-S2 leaves them.
    logic [TIMER_W-1:0] timer [SMXS], gpu_timer;
    logic [SMXS-1:0] last, moving_2, dvfs_2;
    logic gpu_up, gpu_2, gpu_moving_2; // gpu_up: direction
    for (genvar s = 0; s < SMXS; s++) begin : transition
        assign last[s] = timer[s] == 1;
        assign moving_2[s] = timer[s] > 1;
        always_ff @(posedge clk)
            if (rst) timer[s] <= '0;
            else if (down[s] || up[s]) timer[s] <= transition_samples;
            else if (sampled && timer[s] != 0) timer[s] <= timer[s] - 1'b1;
    end
    assign low_done = all & last & dvr;
    assign high_done = all & last & ~dvr;
    assign dvfs_2 = dvfs & ~high_done;
    assign gpu_low_done = sampled && gpu_timer == 1 && !gpu_up;
    assign gpu_high_done = sampled && gpu_timer == 1 && gpu_up;
    assign gpu_2 = gpu && !gpu_high_done;
    assign gpu_moving_2 = gpu_timer > 1;

    // bubble_dvfs-S3 GPU level in force.
    assign gpu_start_up = sampled && enabled && gpu_2 && !gpu_moving_2 && waiting;

    // bubble_dvfs-S4 GPU-level entry. `idle_samples` stops where it is long enough.
    logic decides, all_idle, selects;
    logic [IDLE_W-1:0] idle_samples, idle_samples_n;
    assign decides = sampled && enabled && !gpu_2;
    assign all_idle = !waiting && idle == '1;
    assign idle_samples_n = !all_idle ? '0 : idle_samples == gpu_idle_samples ? idle_samples : idle_samples + 1'b1;
    assign gpu_start_down = decides && gpu_level && idle_samples_n == gpu_idle_samples && moving_2 == '0;
    assign selects = decides && !gpu_start_down;

    // bubble_dvfs-S5 Resuming.
    logic [SMXS-1:0] eligible_2, low_2, cancels, ups;
    logic wanted;
    assign eligible_2 = exists & ~dvr & ~dvfs_2;
    assign low_2 = dvr & dvfs_2 & ~moving_2;
    assign starved = selects && waiting && (eligible_2 & ~full & may) == '0;
    assign wanted = starved && !(resume_hold && (dvfs_2 & ~dvr) != '0);
    assign cancels = resume_draining ? drn & may : '0;
    assign ups = cancels != '0 ? '0 : low_2 & may;
    assign cancel = wanted ? lowest(cancels) : '0;
    assign up = wanted ? lowest(ups) : '0;

    // bubble_dvfs-S6 Draining and diversion. One answer on destinations does for all SMXs: one in a bubble is none, nor does
    // bubble_dvfs-S5 make one, since SMXs that come back are in a bubble still.
    logic [SMXS-1:0] decided, drains, drain_last, activates, destinations;
    assign decided = {SMXS{selects}};
    assign drains = decided & drn & ~cancel;
    assign drain_done = drains & idle;
    assign drain_abort = drains & ~idle & drain_last;
    assign activates = decided & eligible_2 & need & (retrigger == LEVEL ? '1 : armed_2);
    assign destinations = eligible_2 & ~need & ~full & (waiting ? may : '1);
    assign divert = destinations != '0 ? activates : '0;
    assign refused = activates & ~divert;
    assign down = drain_done | divert & (draining ? idle : '1);

    // The registers after the sample. With the GPU level DVR, DRN and the SMX-level bits are 0, and all SMXs are armed.
    logic [SMXS-1:0] back, drn_n;
    assign back = cancel | drain_abort;
    assign drn_n = gpu_start_down ? '0 : drn & ~back & ~drain_done | divert & ~down;
    always_ff @(posedge clk)
        if (rst) begin
            {dvr, drn, dvfs} <= '0;
            armed <= exists;
        end else if (sampled) begin
            dvr <= gpu_start_down ? '0 : dvr & ~back & ~up | divert;
            drn <= drn_n;
            dvfs <= gpu_start_down ? '0 : dvfs_2 | down;
            armed <= gpu_start_down ? exists : armed_2 & ~back & ~(retrigger == ONCE ? activates : '0);
        end
    logic [DRAINED_W-1:0] drained [SMXS]; // drain counters
    for (genvar s = 0; s < SMXS; s++) begin : drain
        assign drain_last[s] = 32'(drained[s]) + 1 == 32'(drain_samples);
        always_ff @(posedge clk)
            if (rst) drained[s] <= '0;
            else if (sampled) drained[s] <= drn[s] && drn_n[s] ? drained[s] + 1'b1 : '0;
    end
    always_ff @(posedge clk)
        if (rst) begin
            {gpu, gpu_up} <= '0;
            gpu_timer <= '0;
            idle_samples <= '0;
        end else if (sampled) begin
            gpu <= gpu_2 || gpu_start_down;
            gpu_up <= gpu_start_up || gpu_up && !gpu_high_done;
            if (gpu_start_down || gpu_start_up) gpu_timer <= transition_samples;
            else if (gpu_timer != 0) gpu_timer <= gpu_timer - 1'b1;
            if (decides) idle_samples <= gpu_start_down ? '0 : idle_samples_n;
        end

    // Orders for the regulators. An SMX that was low when the GPU level is entered stays so.
    assign go_low = down | (gpu_start_down ? exists & ~low_2 : '0);
    assign go_high = up | (gpu_start_up ? exists : '0);
endmodule
