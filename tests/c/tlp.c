/* Two kernels on one SM: their first targets, and what periods of their TBs teach about bypassing the L1. */
#include <stdio.h>
#include <stdlib.h>

#include <gpusched.h>

#define OK(call) ((call) == GPUSCHED_STATUS_OK ? (void)0 : exit(EXIT_FAILURE))

int main(void) {
    gpusched_tlp_config config;
    gpusched_layout layout;
    gpusched_tlp_sm *sm;
    OK(gpusched_tlp_config_init(&config, sizeof config));
    OK(gpusched_tlp_sm_layout(&config, &layout));
    void *const block = malloc(layout.size);
    OK(gpusched_tlp_sm_init(block, layout.size, &config, &sm));

    /* One kernel runs best with two TBs, one the faster the more it has. */
    const gpusched_tlp_kernel kernels[] = {
        {{256, 4096, 0}, {GPUSCHED_TLP_TYPE_OPTIMAL, 2}},
        {{256, 3072, 0}, {GPUSCHED_TLP_TYPE_UP, 6}},
    };
    gpusched_tlp_attached attached;
    for (uint32_t k = 0; k < 2; k++) OK(gpusched_tlp_sm_attach(sm, 0, k, &kernels[k], &attached));
    printf("targets %u and %u\n", attached.tb[0], attached.tb[1]);

    /* As class caps of a front end they are the shares that both kernels have of SMX 0. */
    gpusched_frontend_config front;
    gpusched_frontend *gpu;
    OK(gpusched_frontend_config_init(&front, sizeof front, GPUSCHED_GPU_K20C));
    OK(gpusched_frontend_config_ideal(&front));
    front.n_smx = 1;
    OK(gpusched_frontend_layout(&front, &layout));
    void *const memory = malloc(layout.size);
    OK(gpusched_frontend_init(memory, layout.size, &front, &gpu));
    for (uint32_t k = 0; k < 2; k++) {
        const gpusched_kernel kernel = {.pc = 0x100 + k, .grid = {100, 1, 1}, .tb = {256, 1, 1}, .regs = kernels[k].needs.regs};
        OK(gpusched_frontend_set_class(gpu, k, kernel.pc));
        OK(gpusched_frontend_set_class_cap(gpu, k, 0, attached.tb[k], 0));
        OK(gpusched_frontend_host_launch(gpu, k, &kernel, 0, NULL));
    }
    for (int cycle = 0; cycle < 10; cycle++) {
        OK(gpusched_frontend_tick(gpu, NULL));
        OK(gpusched_frontend_take(gpu, &(const gpusched_decision *){NULL}, &(size_t){0}));
    }
    gpusched_class_cap shares[2];
    for (uint32_t k = 0; k < 2; k++) OK(gpusched_frontend_class_cap(gpu, k, 0, &shares[k]));
    printf("SMX 0 holds %u of %u and %u of %u\n", shares[0].resident, shares[0].cap, shares[1].resident, shares[1].cap);
    free(memory);

    /* TBs that come in cycle 0, 1000, ... all end 900 cycles later. Each TB of kernel 1 that bypasses the L1 saves 100 stalls. */
    for (uint64_t now = 0; now < 5000; now += 1000) {
        gpusched_tlp_dispatched tb;
        gpusched_tlp_finished end = {0, 0, 0};
        uint32_t slots = 0, bypassing = 0;
        do {
            OK(gpusched_tlp_sm_dispatch(sm, now, 1, 1, &tb));
            slots += tb.stall == GPUSCHED_TLP_STALL_NONE;
            bypassing += tb.bypass && tb.k == 1;
        } while (tb.stall == GPUSCHED_TLP_STALL_NONE);
        for (uint32_t slot = 0; slot < slots; slot++) OK(gpusched_tlp_sm_finish(sm, now + 900, slot, &end));
        if (!end.period_end) exit(EXIT_FAILURE);
        const gpusched_tlp_metrics counters = {{300 + now / 100, 200}, {100 + now / 100, 150}, 1000 - 100 * bypassing, 0, {1, 1}};
        gpusched_tlp_sampled sampled;
        OK(gpusched_tlp_sm_sample(sm, now + 900, &counters, &sampled));
        printf("cycle %4d: %u of %u and %u of %u bypass\n", (int)now + 900, sampled.by[0], sampled.tb[0], sampled.by[1], sampled.tb[1]);
    }
    free(block);
}
