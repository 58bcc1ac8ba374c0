/* Equalizer on one SM and a chip of one SM: the blocks of a kernel that memory holds up become fewer, and the memory faster. */
#include <stdio.h>
#include <stdlib.h>

#include <gpusched.h>

#define OK(call) ((call) == GPUSCHED_STATUS_OK ? (void)0 : exit(EXIT_FAILURE))

int main(void) {
    gpusched_equalizer_sm_config sm_config;
    gpusched_equalizer_fm_config fm_config;
    gpusched_layout sm_layout, fm_layout;
    gpusched_equalizer_sm *sm;
    gpusched_equalizer_fm *fm;
    OK(gpusched_equalizer_sm_config_init(&sm_config, sizeof sm_config));
    OK(gpusched_equalizer_fm_config_init(&fm_config, sizeof fm_config));
    fm_config.sms = 1;
    OK(gpusched_equalizer_sm_layout(&sm_config, &sm_layout));
    OK(gpusched_equalizer_fm_layout(&fm_config, &fm_layout));
    void *const sm_block = malloc(sm_layout.size), *const fm_block = malloc(fm_layout.size);
    OK(gpusched_equalizer_sm_init(sm_block, sm_layout.size, &sm_config, &sm));
    OK(gpusched_equalizer_fm_init(fm_block, fm_layout.size, &fm_config, &fm));

    /* A kernel of 8 warps per block, of which the SM holds 6; the work distributor grants all requests. */
    gpusched_equalizer_started started;
    gpusched_equalizer_granted granted;
    OK(gpusched_equalizer_sm_kernel_start(sm, 0, 8, 6, 0, &started));
    for (uint64_t block = 0; block < started.requests; block++) OK(gpusched_equalizer_sm_grant(sm, 0, block, &granted));

    /* Every 128 cycles: 48 warps are active, the LD/ST pipe holds 9 of them back. Three epochs of 4096 cycles say the same. */
    const gpusched_equalizer_counts counts = {48, 10, 0, 9};
    for (uint64_t now = 128; now <= 3 * 4096; now += 128) {
        gpusched_equalizer_epoch epoch;
        OK(gpusched_equalizer_sm_sample(sm, now, &counts, &epoch));
        if (!epoch.present) continue;
        gpusched_equalizer_round round;
        gpusched_equalizer_levels levels;
        OK(gpusched_equalizer_fm_vote(fm, now, 0, epoch.sm_vote, epoch.mem_vote, &round));
        OK(gpusched_equalizer_fm_levels(fm, now, &levels));
        printf("cycle %5d: %u blocks may run, memory at %u\n", (int)now, epoch.target, levels.mem_permille);
        for (uint32_t i = 0; i < epoch.change.pause_count; i++) printf("slot %u pauses\n", epoch.change.pause[i]);
    }
    free(sm_block), free(fm_block);
}
