// A front end for the programs that misuse it: small, between guards.
#ifndef MISUSE_FRONTEND_H
#define MISUSE_FRONTEND_H

#include "misuse.h"

// A front end between guards.
struct machine {
    struct block block;
    gpusched_frontend *fe;
};

static inline struct machine build(const gpusched_frontend_config *config) {
    gpusched_layout layout;
    IS(OK, gpusched_frontend_layout(config, &layout));
    struct machine m = {block_of(layout), NULL};
    IS(OK, gpusched_frontend_init(storage_in(&m.block), layout.size, config, &m.fe));
    TRUE((void *)m.fe == (void *)storage_in(&m.block));
    return m;
}

static inline void watch(const struct machine *m) { watch_block(&m->block); }
static inline void discard(struct machine *m) { release(&m->block); }

static inline gpusched_frontend_config small_config(void) {
    gpusched_frontend_config c;
    IS(OK, gpusched_frontend_config_init(&c, sizeof c, GPUSCHED_GPU_K20C));
    IS(OK, gpusched_frontend_config_ideal(&c));
    c.n_smx = 8, c.tb_slots = 8, c.n_hwq = 4, c.hwq_depth = 4, c.n_kde = 8, c.pend_limit = 32, c.susp_cap = 2;
    c.agt_size = 64, c.n_class = 1, c.decisions = 1;
    return c;
}

static const gpusched_kernel kernel = {.pc = 1, .grid = {20, 1, 1}, .tb = {64, 1, 1}, .tag = 1};
static const gpusched_group group = {.kernel = {.pc = 1, .grid = {2, 1, 1}, .tb = {64, 1, 1}, .tag = 2}, .hw_tid = 5};

static inline size_t read_all(gpusched_frontend *fe) {
    const gpusched_decision *first;
    size_t count;
    IS(OK, gpusched_frontend_take(fe, &first, &count));
    return count;
}

// A machine with a kernel whose first TB runs on SMX 0, slot 0.
static inline struct machine busy(const gpusched_frontend_config *config) {
    struct machine m = build(config);
    IS(OK, gpusched_frontend_host_launch(m.fe, 0, &kernel, 1, NULL));
    IS(OK, gpusched_frontend_tick(m.fe, NULL));
    TRUE(read_all(m.fe) > 0);
    return m;
}

// Runs a machine to its end. Every TB ends at once, and launches a kernel and a group before.
static inline uint64_t drain(gpusched_frontend *fe) {
    uint32_t state;
    uint32_t launches = 40, records;
    uint64_t now;
    do {
        const gpusched_decision *d;
        size_t count;
        IS(OK, gpusched_frontend_tick(fe, NULL));
        IS(OK, gpusched_frontend_take(fe, &d, &count));
        gpusched_decision tb = {.kind = 0};
        for (size_t i = 0; i < count; i++) {
            if (d[i].kind == GPUSCHED_DECISION_KIND_TB) tb = d[i];
        }
        IS(OK, gpusched_frontend_records_in_use(fe, &records));
        if (tb.kind != 0 && launches > 0 && records < 30) {
            launches--;
            IS(OK, gpusched_frontend_device_launch(fe, tb.smx, tb.slot, &kernel, 1, NULL));
            IS(OK, gpusched_frontend_agg_launch(fe, tb.smx, tb.slot, &group, 1, NULL));
        }
        if (tb.kind != 0) IS(OK, gpusched_frontend_tb_done(fe, tb.smx, tb.slot));
        IS(OK, gpusched_frontend_get_status(fe, &state));
    } while (state != GPUSCHED_FRONTEND_STATUS_DRAINED);
    (void)read_all(fe);
    IS(OK, gpusched_frontend_now(fe, &now));
    return now;
}

#endif
