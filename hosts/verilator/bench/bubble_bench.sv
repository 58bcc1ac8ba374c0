// bubble beside the core. On the falling edge the registers of the clock before are compared and the next clock is asked for; before
// the rising edge, which carries it out, the answers to its events and the record of its sample are compared.
`include "check.svh"

module bench (input logic clk);
    localparam int SMXS = `SIZE_SMXS, SMX_W = $clog2(SMXS), COUNT_W = $clog2(SMXS + 1);

    import "DPI-C" function void bubble_events(
        output bit reset, output bit completed, output int unsigned completed_smx, output longint unsigned completed_res,
        output bit dispatched, output int unsigned dispatched_smx, output longint unsigned dispatched_res,
        output bit sample, output bit waiting, output longint unsigned waiting_res, output int unsigned allowed);
    import "DPI-C" function void bubble_config(
        output int unsigned smxs, output int unsigned t_num, output int unsigned t_den, output int unsigned sample_cycles,
        output int unsigned drain_samples, output int unsigned transition_samples, output int unsigned gpu_idle_samples,
        output int unsigned retrigger, output bit enabled, output bit inclusive, output bit draining, output bit gpu_level,
        output bit resume_draining, output bit resume_hold);
    import "DPI-C" function void bubble_faults(
        output int unsigned completed, output int unsigned completed_tbs, output int unsigned completed_warps,
        output int unsigned dispatched, output int unsigned dispatched_tbs, output int unsigned dispatched_warps,
        output int unsigned sample);
    import "DPI-C" function void bubble_record(
        output int unsigned in_bubble, output int unsigned low_done, output int unsigned high_done, output int unsigned divert,
        output int unsigned refused, output int unsigned drain_done, output int unsigned drain_abort, output int unsigned down,
        output int unsigned cancel, output int unsigned up, output bit starved, output int unsigned gpu_done,
        output int unsigned gpu_start, output int unsigned go_low, output int unsigned go_high);
    import "DPI-C" function void bubble_registers(
        output int unsigned dvr, output int unsigned drn, output int unsigned dvfs, output int unsigned eligible,
        output int unsigned armed, output bit gpu, output bit gpu_up, output int unsigned gpu_timer, output int unsigned idle_samples,
        output int unsigned since, output int unsigned no_bubble, output bit ready, output int unsigned timer[SMXS],
        output int unsigned drained[SMXS], output longint unsigned free[SMXS], output int unsigned tbs[SMXS],
        output int unsigned warps[SMXS]);

    // Pins.
    bit rst, completed, dispatched, sample, waiting;
    int unsigned completed_smx, dispatched_smx, allowed;
    longint unsigned completed_res, dispatched_res, waiting_res;
    int unsigned smxs, t_num, t_den, sample_cycles, drain_samples, transition_samples, gpu_idle_samples, retrigger;
    bit enabled, inclusive, draining, gpu_level, resume_draining, resume_hold;
    logic [6:0] completed_fault, dispatched_fault, sample_fault;
    logic [4:0] completed_tbs, dispatched_tbs;
    logic [6:0] completed_warps, dispatched_warps;
    logic [SMXS-1:0] in_bubble, low_done, high_done, divert, refused, drain_done, drain_abort, down, cancel, up, go_low, go_high;
    logic [SMXS-1:0] dvr, drn, dvfs, eligible;
    logic starved, gpu_low_done, gpu_high_done, gpu_start_down, gpu_start_up, gpu, ready;

    // What the core has.
    int unsigned core_completed, core_completed_tbs, core_completed_warps, core_dispatched, core_dispatched_tbs, core_dispatched_warps;
    int unsigned core_sample, core_bubble, core_low_done, core_high_done, core_divert, core_refused, core_drain_done, core_drain_abort;
    int unsigned core_down, core_cancel, core_up, core_gpu_done, core_gpu_start, core_go_low, core_go_high;
    int unsigned core_dvr, core_drn, core_dvfs, core_eligible, core_armed, core_gpu_timer, core_idle_samples, core_since, core_below;
    bit core_starved, core_gpu, core_gpu_up, core_ready;
    int unsigned core_timer[SMXS], core_drained[SMXS], core_tbs[SMXS], core_warps[SMXS];
    longint unsigned core_free[SMXS];

    bubble #(.SMXS(SMXS), .GPU_IDLE_SAMPLES(3)) dut (
        .clk, .rst, .smxs(smxs[COUNT_W-1:0]), .t_num(t_num[15:0]), .t_den(t_den[15:0]), .sample_cycles(sample_cycles[8:0]),
        .drain_samples(drain_samples[3:0]), .transition_samples(transition_samples[4:0]), .gpu_idle_samples(gpu_idle_samples[1:0]),
        .retrigger(retrigger[1:0]), .enabled, .inclusive, .draining, .gpu_level, .resume_draining, .resume_hold, .completed, .dispatched,
        .completed_smx(completed_smx[SMX_W-1:0]), .dispatched_smx(dispatched_smx[SMX_W-1:0]),
        .completed_res(completed_res[49:0]), .dispatched_res(dispatched_res[49:0]), .completed_fault, .dispatched_fault,
        .completed_tbs, .dispatched_tbs, .completed_warps, .dispatched_warps, .sample, .waiting, .waiting_res(waiting_res[49:0]),
        .allowed(allowed[SMXS-1:0]), .sample_fault,
        .in_bubble, .low_done, .high_done, .divert, .refused, .drain_done, .drain_abort, .down, .cancel, .up, .starved, .gpu_low_done,
        .gpu_high_done, .gpu_start_down, .gpu_start_up, .go_low, .go_high, .dvr, .drn, .dvfs, .eligible, .gpu, .ready);

    bit running = 0; // behind the first reset

    always @(negedge clk) begin
        if (running) begin
            `CHECK("dvr", dvr, core_dvr)
            `CHECK("drn", drn, core_drn)
            `CHECK("dvfs", dvfs, core_dvfs)
            `CHECK("eligible", eligible, core_eligible)
            `CHECK("armed", dut.armed, core_armed)
            `CHECK("gpu", gpu, core_gpu)
            `CHECK("gpu_up", dut.gpu_up, core_gpu_up)
            `CHECK("gpu_timer", dut.gpu_timer, core_gpu_timer)
            `CHECK("idle_samples", dut.idle_samples, core_idle_samples)
            `CHECK("since", dut.since, core_since)
            `CHECK("below", dut.below, core_below)
            `CHECK("ready", ready, core_ready)
            for (int s = 0; s < SMXS; s++) begin
                `CHECK_AT("timer", s, dut.timer[s], core_timer[s])
                `CHECK_AT("drained", s, dut.drained[s], core_drained[s])
                `CHECK_AT("free", s, dut.free[s], core_free[s])
                `CHECK_AT("tbs", s, dut.tbs[s], core_tbs[s])
                `CHECK_AT("warps", s, dut.warps[s], core_warps[s])
            end
        end
        bubble_events(rst, completed, completed_smx, completed_res, dispatched, dispatched_smx, dispatched_res,
                      sample, waiting, waiting_res, allowed);
        if (rst) bubble_config(smxs, t_num, t_den, sample_cycles, drain_samples, transition_samples, gpu_idle_samples, retrigger,
                               enabled, inclusive, draining, gpu_level, resume_draining, resume_hold);
        bubble_faults(core_completed, core_completed_tbs, core_completed_warps, core_dispatched, core_dispatched_tbs,
                      core_dispatched_warps, core_sample);
        bubble_record(core_bubble, core_low_done, core_high_done, core_divert, core_refused, core_drain_done, core_drain_abort, core_down,
                      core_cancel, core_up, core_starved, core_gpu_done, core_gpu_start, core_go_low, core_go_high);
        bubble_registers(core_dvr, core_drn, core_dvfs, core_eligible, core_armed, core_gpu, core_gpu_up, core_gpu_timer,
                         core_idle_samples, core_since, core_below, core_ready, core_timer, core_drained, core_free, core_tbs, core_warps);
        running = 1;
    end

    always @(posedge clk) if (running && !rst) begin
        if (completed) begin
            `CHECK("completed_fault", completed_fault, core_completed)
            if (core_completed == 0) begin
                `CHECK("completed_tbs", completed_tbs, core_completed_tbs)
                `CHECK("completed_warps", completed_warps, core_completed_warps)
            end
        end
        if (dispatched) begin
            `CHECK("dispatched_fault", dispatched_fault, core_dispatched)
            if (core_dispatched == 0) begin
                `CHECK("dispatched_tbs", dispatched_tbs, core_dispatched_tbs)
                `CHECK("dispatched_warps", dispatched_warps, core_dispatched_warps)
            end
        end
        if (sample) `CHECK("sample_fault", sample_fault, core_sample)
        `CHECK("in_bubble", in_bubble, core_bubble)
        `CHECK("low_done", low_done, core_low_done)
        `CHECK("high_done", high_done, core_high_done)
        `CHECK("divert", divert, core_divert)
        `CHECK("refused", refused, core_refused)
        `CHECK("drain_done", drain_done, core_drain_done)
        `CHECK("drain_abort", drain_abort, core_drain_abort)
        `CHECK("down", down, core_down)
        `CHECK("cancel", cancel, core_cancel)
        `CHECK("up", up, core_up)
        `CHECK("starved", starved, core_starved)
        // gpusched_bubble_gpu_done, gpusched_bubble_gpu_start: 0 none, 1, 2.
        `CHECK("gpu_done", {gpu_high_done, gpu_low_done}, core_gpu_done)
        `CHECK("gpu_start", {gpu_start_up, gpu_start_down}, core_gpu_start)
        `CHECK("go_low", go_low, core_go_low)
        `CHECK("go_high", go_high, core_go_high)
    end
endmodule
