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
