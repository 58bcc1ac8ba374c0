// The smallest firmware in C: a front end of 8 SMXs of 6 TBs with DTBL and 64 AGEs, and a host in a page. It is linked with 32 KiB of RAM, and
// says in the end how much of its stack it has used.
//
// The kernel's TBs run for 100 cycles each; each launches a group of two more before it ends.
#include <gpusched.h>

#include "board.h"

enum { TBS = 20, CHILDREN = 2, TB_CYCLES = 100, SMXS = 8, TB_SLOTS = 6, RESIDENT = SMXS * TB_SLOTS };

static union {
    uint64_t align;
    unsigned char bytes[55 * 256];
} storage;

// What is kept of a TB that runs: no more, for RAM is short.
struct resident {
    uint32_t cycle, blkid;
    uint8_t smx, slot, launches;
};

// TBs that run. They end in the order in which they started.
static struct resident running[RESIDENT];

static gpusched_status run(gpusched_frontend *gpu, uint64_t *now) {
    const gpusched_kernel kernel = {.pc = 0x400, .grid = {TBS, 1, 1}, .tb = {64, 1, 1}};
    gpusched_status status = gpusched_frontend_host_launch(gpu, 0, &kernel, 0, NULL);
    uint32_t started = 0, ended = 0, state = GPUSCHED_FRONTEND_STATUS_RUNNING;
    while (status == GPUSCHED_STATUS_OK && state != GPUSCHED_FRONTEND_STATUS_DRAINED) {
        gpusched_frontend_now(gpu, now);
        for (; status == GPUSCHED_STATUS_OK && ended < started && running[ended % RESIDENT].cycle + TB_CYCLES <= *now; ended++) {
            const struct resident *tb = &running[ended % RESIDENT];
            if (tb->launches) {
                gpusched_group group = {kernel, tb->slot * 64u};
                uint32_t record;
                group.kernel.grid.x = CHILDREN;
                group.kernel.tag = 1 + tb->blkid;
                status = gpusched_frontend_agg_launch(gpu, tb->smx, tb->slot, &group, 1, &record);
            }
            if (status == GPUSCHED_STATUS_OK) status = gpusched_frontend_tb_done(gpu, tb->smx, tb->slot);
        }
        if (status == GPUSCHED_STATUS_OK) status = gpusched_frontend_tick(gpu, NULL);
        const gpusched_decision *decisions;
        size_t count;
        gpusched_frontend_take(gpu, &decisions, &count);
        for (size_t i = 0; i < count; i++) {
            const gpusched_decision *tb = &decisions[i];
            if (tb->kind != GPUSCHED_DECISION_KIND_TB) continue;
            // A group that found no kernel to join comes as a kernel of its own; it launches nothing.
            running[started++ % RESIDENT] = (struct resident){
                .cycle = (uint32_t)tb->cycle,
                .blkid = tb->blkid,
                .smx = (uint8_t)tb->smx,
                .slot = (uint8_t)tb->slot,
                .launches = tb->tag == kernel.tag,
            };
        }
        gpusched_frontend_get_status(gpu, &state);
    }
    return status;
}

int main(void) {
    gpusched_frontend_config config;
    gpusched_frontend_config_init(&config, sizeof config, GPUSCHED_GPU_K20C);
    config.n_smx = SMXS;
    config.tb_slots = TB_SLOTS;
    config.n_hwq = 1;
    config.n_kde = 2;
    config.hwq_depth = 1;
    config.pend_limit = 20;
    config.susp_cap = 0;
    config.agt_size = 64;
    config.n_class = 0;
    config.decisions = 1; // As many as one call can decide.

    gpusched_layout layout;
    gpusched_frontend *gpu;
    gpusched_status status = gpusched_frontend_layout(&config, &layout);
    if (status == GPUSCHED_STATUS_OK) status = gpusched_frontend_init(&storage, sizeof storage, &config, &gpu);
    uint64_t cycles = 0;
    if (status == GPUSCHED_STATUS_OK) status = run(gpu, &cycles);
    gpusched_frontend_stats stats = {0};
    if (status == GPUSCHED_STATUS_OK) status = gpusched_frontend_get_stats(gpu, &stats);

    const struct {
        const char *what;
        uint64_t number;
    } report[] = {{"minimal in C: status ", status},         {", TBs ", stats.tbs},
                  {", cycles ", stats.ticks},                {", machine ", layout.size},
                  {", stack ", stack_high_water()},          {" of ", stack_room()}};
    for (size_t i = 0; i < sizeof report / sizeof *report; i++) {
        say(report[i].what);
        say_number(report[i].number);
    }
    say("\n");
    return status != GPUSCHED_STATUS_OK || stats.tbs != TBS * (1 + CHILDREN) || stack_high_water() >= stack_room();
}
