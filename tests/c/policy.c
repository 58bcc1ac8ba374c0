// A policy of one's own: the kernel with the fewest blocks left goes first, to the open SMX with the most free threads.
#include <stdio.h>
#include <stdlib.h>

#include <gpusched.h>

#define OK(call) ((call) == GPUSCHED_STATUS_OK ? (void)0 : exit(EXIT_FAILURE))

enum { SMXS = 3, TBS = 12, MOST = 32 };

int main(void) {
    gpusched_frontend_config config;
    OK(gpusched_frontend_config_init(&config, sizeof config, GPUSCHED_GPU_K20C));
    OK(gpusched_frontend_config_ideal(&config));
    config.n_smx = SMXS, config.policy = GPUSCHED_POLICY_TOLD;
    gpusched_layout layout;
    gpusched_frontend *gpu;
    OK(gpusched_frontend_layout(&config, &layout));
    OK(gpusched_frontend_init(malloc(layout.size), layout.size, &config, &gpu));

    const gpusched_kernel eight = {.pc = 1, .grid = {8, 1, 1}, .tb = {512, 1, 1}, .tag = 8};
    const gpusched_kernel four = {.pc = 2, .grid = {4, 1, 1}, .tb = {1024, 1, 1}, .tag = 4};
    OK(gpusched_frontend_host_launch(gpu, 0, &eight, 0, NULL));
    OK(gpusched_frontend_host_launch(gpu, 1, &four, 0, NULL));

    gpusched_placement running[TBS];
    for (uint32_t started = 0, ended = 0; ended < TBS;) {
        // The first half of a cycle; then what may be sent.
        gpusched_offer offers[MOST];
        size_t count;
        OK(gpusched_frontend_begin(gpu, NULL));
        OK(gpusched_frontend_offers(gpu, GPUSCHED_NONE, GPUSCHED_NONE, offers, MOST, &count, NULL));
        const gpusched_offer *best = NULL;
        for (size_t i = 0; i < count; i++) {
            if (offers[i].open.words[0] != 0 && (best == NULL || offers[i].left < best->left)) best = &offers[i];
        }
        gpusched_smx on = {0}, most = {0};
        uint32_t to = 0;
        for (uint32_t smx = 0; best != NULL && smx < SMXS; smx++) {
            OK(gpusched_frontend_smx(gpu, smx, &on));
            if ((best->open.words[0] >> smx & 1) != 0 && on.threads > most.threads) most = on, to = smx;
        }
        if (best != NULL) {
            OK(gpusched_frontend_send(gpu, best->id, to, &running[started]));
            printf("TB %d of %d -> SMX %d\n", (int)running[started].blkid, (int)running[started].tag, (int)to);
            started++;
        }
        // The second half: nothing more to say before something happens. The decisions are those TBs again, and more.
        const gpusched_decision *decisions;
        OK(gpusched_frontend_end(gpu, NULL, NULL));
        OK(gpusched_frontend_take(gpu, &decisions, &count));
        // Where nothing can start, the oldest TB ends.
        if (best == NULL && ended < started) {
            OK(gpusched_frontend_tb_done(gpu, running[ended].smx, running[ended].slot));
            ended++;
        }
    }
    free(gpu);
}
