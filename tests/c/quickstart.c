// 100 thread blocks on a Tesla K20c: the host says what happens, gpusched decides which block runs where, and when.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <gpusched.h>

enum { TBS = 100, TB_CYCLES = 50 };

// Ends the program if a call was refused, and says why.
static void check(gpusched_status status) {
    if (status == GPUSCHED_STATUS_OK) return;
    fprintf(stderr, "%s: %s\n", gpusched_status_str(status), gpusched_status_text(status));
    exit(EXIT_FAILURE);
}

int main(void) {
    // The machine: a preset, without launch latencies.
    gpusched_frontend_config config;
    check(gpusched_frontend_config_init(&config, sizeof config, GPUSCHED_GPU_K20C));
    check(gpusched_frontend_config_ideal(&config));

    // It lives in memory of ours.
    gpusched_layout layout;
    check(gpusched_frontend_layout(&config, &layout));
    gpusched_frontend *gpu;
    check(gpusched_frontend_init(malloc(layout.size), layout.size, &config, &gpu));

    // Its work: 100 TBs of 640 threads. An SMX has 2048, so it holds three of them.
    const gpusched_kernel kernel = {.pc = 0x400, .grid = {TBS, 1, 1}, .tb = {640, 1, 1}, .tag = 7};
    check(gpusched_frontend_host_launch(gpu, 0, &kernel, 0, NULL));

    // One round per cycle, until the last TB has ended. They end in the order in which they started.
    gpusched_decision running[TBS];
    size_t started = 0, ended = 0;
    for (uint64_t now = 0; ended < TBS; now++) {
        // What happened: TBs have ended, so there is room for others.
        while (ended < started && now == running[ended].cycle + TB_CYCLES) {
            check(gpusched_frontend_tb_done(gpu, running[ended].smx, running[ended].slot));
            ended++;
        }
        check(gpusched_frontend_tick(gpu, NULL));

        // What was decided: TBs to start.
        const gpusched_decision *decisions;
        size_t count;
        check(gpusched_frontend_take(gpu, &decisions, &count));
        for (size_t i = 0; i < count; i++) {
            const gpusched_decision *d = &decisions[i];
            if (d->kind != GPUSCHED_DECISION_KIND_TB) continue;
            printf("cycle %3" PRIu64 ": TB %2" PRIu32 " -> SMX %2u, slot %u\n", d->cycle, d->blkid, d->smx, d->slot);
            running[started++] = *d;
        }
    }
    free(gpu);
    return EXIT_SUCCESS;
}
