// Glue for the dispatcher of MIAOW: work-groups on the harness's side, wavefronts on the dispatcher's. A work-group is sent when its last
// wavefront is; it ends one wavefront a clock, and has ended with the last of them. Its number travels as the address of its program, so
// what compute units are told is checked, not what the dispatcher thinks.
//
// Registers are vector registers, and shared memory is the LDS, both in the slots that the dispatcher counts in. Scalar registers and GDS
// are not used.
module miaow #(
    parameter int unsigned CUS = 8
) (
    input  logic                 clk, rst,
    input  logic                 launch,
    input  logic [5:0]           kernel,
    input  logic [3:0]           waves,
    input  logic [8:0]           regs, smem,
    output logic                 taken,
    input  logic [CUS-1:0]       done,
    input  logic [CUS-1:0][5:0]  done_tag,
    input  logic [CUS-1:0][3:0]  done_waves,
    output logic [CUS-1:0]       ended,
    output logic                 sent,
    output logic [2:0]           sent_cu,
    output logic [5:0]           sent_kernel, sent_tag,
    output logic [3:0]           sent_waves,
    output logic [7:0]           regs_at, smem_at,
    output logic                 finished,
    output logic [5:0]           finished_kernel
);
    logic [CUS-1:0]       wf_dispatch;
    logic [14:0]          wf_tag;
    logic [CUS-1:0][14:0] wf_tag_done;
    logic [31:0]          start_pc;
    logic [9:0]           vgpr_base;
    logic [15:0]          lds_base;

    dispatcher #(.NUMBER_CU(CUS), .CU_ID_WIDTH(3), .RES_TABLE_ADDR_WIDTH(1)) dispatcher (
        .clk, .rst, .host_wg_valid(launch), .host_wg_id(kernel), .host_num_wf(waves), .host_wf_size(6'd63), .host_start_pc(32'(kernel)),
        .host_vgpr_size_total(regs), .host_vgpr_size_per_wf(regs / 9'(waves)), .host_sgpr_size_total('0), .host_sgpr_size_per_wf('0),
        .host_lds_size_total(smem), .host_gds_size_total('0), .inflight_wg_buffer_host_rcvd_ack(taken),
        .cu2dispatch_wf_done(done), .cu2dispatch_wf_tag_done(wf_tag_done), .dispatch2cu_wf_dispatch(wf_dispatch),
        .dispatch2cu_wf_tag_dispatch(wf_tag), .dispatch2cu_start_pc_dispatch(start_pc), .dispatch2cu_vgpr_base_dispatch(vgpr_base),
        .dispatch2cu_lds_base_dispatch(lds_base), .inflight_wg_buffer_host_wf_done(finished),
        .inflight_wg_buffer_host_wf_done_wg_id(finished_kernel)
    );

    // A tag is {slot of the work-group on its compute unit, wavefront}, and wavefronts are counted down to 0.
    logic [3:0] earlier;     // wavefronts of this work-group that were sent
    logic [7:0] first_vgpr;
    assign sent        = wf_dispatch != '0 && wf_tag[3:0] == '0;
    assign sent_kernel = start_pc[5:0];
    assign sent_tag    = wf_tag[9:4];
    assign sent_waves  = earlier + 1'b1;
    assign regs_at     = earlier == '0 ? vgpr_base[9:2] : first_vgpr;
    assign smem_at     = lds_base[15:8];
    always_comb begin
        sent_cu = '0;
        for (int c = 0; c < CUS; c++) if (wf_dispatch[c]) sent_cu = 3'(c);
    end
    always_ff @(posedge clk)
        if (rst) earlier <= '0;
        else if (wf_dispatch != '0) begin
            earlier <= sent ? '0 : earlier + 1'b1;
            if (earlier == '0) first_vgpr <= vgpr_base[9:2];
        end

    for (genvar c = 0; c < CUS; c++) begin : ends
        logic [3:0] wave;
        assign wf_tag_done[c] = {5'd0, done_tag[c], wave};
        assign ended[c] = done[c] && wave == done_waves[c] - 1'b1;
        always_ff @(posedge clk)
            if (rst || ended[c]) wave <= '0;
            else if (done[c]) wave <= wave + 1'b1;
    end
endmodule
