// Objects on threads of their own do not meet; threads that only ask may share one. Thread sanitizers find the rest.
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gpusched.h>

static void check(gpusched_status status) {
    if (status == GPUSCHED_STATUS_OK) return;
    fprintf(stderr, "%s: %s\n", gpusched_status_str(status), gpusched_status_text(status));
    exit(EXIT_FAILURE);
}

// FNV-1a.
static uint64_t mix(uint64_t hash, const void *data, size_t size) {
    for (const unsigned char *byte = data; size > 0; size--) hash = (hash ^ *byte++) * 0x100000001b3u;
    return hash;
}

// ---- Objects of their own ----

// What a thread runs, and what it leaves.
struct program {
    uint32_t gpu, kernels, tb_threads, tb_cycles;
    gpusched_frontend *fe;
    uint64_t hash;
};

// Runs kernels whose TBs launch a group each, until nothing is left. The hash is that of all decisions.
static void *run(void *argument) {
    struct program *const p = argument;
    gpusched_frontend_config config;
    check(gpusched_frontend_config_init(&config, sizeof config, p->gpu));
    check(gpusched_frontend_config_ideal(&config));
    gpusched_layout layout;
    check(gpusched_frontend_layout(&config, &layout));
    check(gpusched_frontend_init(malloc(layout.size), layout.size, &config, &p->fe));

    gpusched_group group = {.kernel = {.pc = 1, .grid = {1, 1, 1}, .tb = {p->tb_threads, 1, 1}}};
    for (uint32_t i = 0; i < p->kernels; i++) {
        const gpusched_kernel kernel = {.pc = i % 3, .grid = {50, 1, 1}, .tb = {p->tb_threads, 1, 1}, .tag = i};
        check(gpusched_frontend_host_launch(p->fe, i, &kernel, 0, NULL));
    }
    static const uint64_t kIsGroup = 1000;
    gpusched_decision running[4096];
    size_t started = 0, ended = 0;
    p->hash = 0xcbf29ce484222325u;
    for (uint32_t state = GPUSCHED_FRONTEND_STATUS_RUNNING; state != GPUSCHED_FRONTEND_STATUS_DRAINED;) {
        uint64_t now;
        check(gpusched_frontend_now(p->fe, &now));
        for (; ended < started && running[ended % 4096].cycle + p->tb_cycles <= now; ended++) {
            const gpusched_decision *const tb = &running[ended % 4096];
            if (tb->tag < kIsGroup) {
                group.kernel.tag = kIsGroup, group.hw_tid = tb->blkid;
                check(gpusched_frontend_agg_launch(p->fe, tb->smx, tb->slot, &group, 1, NULL));
            }
            check(gpusched_frontend_tb_done(p->fe, tb->smx, tb->slot));
        }
        check(gpusched_frontend_tick(p->fe, NULL));
        const gpusched_decision *decisions;
        size_t count;
        check(gpusched_frontend_take(p->fe, &decisions, &count));
        p->hash = mix(p->hash, decisions, count * sizeof *decisions);
        for (size_t i = 0; i < count; i++) {
            if (decisions[i].kind == GPUSCHED_DECISION_KIND_TB) running[started++ % 4096] = decisions[i];
        }
        check(gpusched_frontend_get_status(p->fe, &state));
    }
    return NULL;
}

static const struct program kPrograms[] = {
    {.gpu = GPUSCHED_GPU_K20C, .kernels = 20, .tb_threads = 256, .tb_cycles = 300},
    {.gpu = GPUSCHED_GPU_GTX480, .kernels = 12, .tb_threads = 96, .tb_cycles = 41},
};

static void own_objects(void) {
    struct program alone[2], together[2];
    pthread_t threads[2];
    memcpy(alone, kPrograms, sizeof alone);
    memcpy(together, kPrograms, sizeof together);
    for (int i = 0; i < 2; i++) run(&alone[i]);
    for (int i = 0; i < 2; i++) {
        if (pthread_create(&threads[i], NULL, run, &together[i]) != 0) abort();
    }
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    for (int i = 0; i < 2; i++) {
        printf("program %d: %016" PRIx64 " alone, %016" PRIx64 " beside the other\n", i, alone[i].hash, together[i].hash);
        if (alone[i].hash != together[i].hash) exit(EXIT_FAILURE);
        free(alone[i].fe), free(together[i].fe);
    }
}

// ---- One object, many who ask ----

struct question {
    const gpusched_frontend *fe;
    uint64_t hash;
};

// Everything that can be asked of an object that stays as it is.
static void *ask(void *argument) {
    struct question *const q = argument;
    union {
        uint64_t align;
        unsigned char bytes[1 << 16];
    } *const out = calloc(1, sizeof *out);
    size_t size;
    if (out == NULL) abort();
    q->hash = 0xcbf29ce484222325u;
    for (int round = 0; round < 50; round++) {
        const gpusched_kernel kernel = {.pc = 1, .tb = {64, 1, 1}};
        uint64_t cycle;
        uint32_t number;
        gpusched_frontend_stats stats;
        check(gpusched_frontend_now(q->fe, &cycle));
        q->hash = mix(q->hash, &cycle, sizeof cycle);
        check(gpusched_frontend_next_event(q->fe, &cycle));
        q->hash = mix(q->hash, &cycle, sizeof cycle);
        check(gpusched_frontend_get_status(q->fe, &number));
        q->hash = mix(q->hash, &number, sizeof number);
        check(gpusched_frontend_rr(q->fe, &number));
        q->hash = mix(q->hash, &number, sizeof number);
        check(gpusched_frontend_resident_warps(q->fe, &number));
        q->hash = mix(q->hash, &number, sizeof number);
        check(gpusched_frontend_eligible_kernel(q->fe, &kernel, &number));
        q->hash = mix(q->hash, &number, sizeof number);
        check(gpusched_frontend_get_stats(q->fe, &stats));
        q->hash = mix(q->hash, &stats, sizeof stats);
        check(gpusched_frontend_kde(q->fe, 0, (gpusched_kde *)out));
        q->hash = mix(q->hash, out, sizeof(gpusched_kde));
        check(gpusched_frontend_waiting_head(q->fe, 0, (gpusched_waiting_head *)out));
        q->hash = mix(q->hash, out, sizeof(gpusched_waiting_head));
        check(gpusched_frontend_resident_tbs(q->fe, (gpusched_tb *)out, 1024, &size));
        q->hash = mix(q->hash, out, size * sizeof(gpusched_tb));
        check(gpusched_frontend_save(q->fe, out, sizeof *out, &size));
        q->hash = mix(q->hash, out, size);
    }
    free(out);
    return NULL;
}

static void shared_object(void) {
    gpusched_frontend_config config;
    check(gpusched_frontend_config_init(&config, sizeof config, GPUSCHED_GPU_K20C));
    check(gpusched_frontend_config_ideal(&config));
    gpusched_layout layout;
    check(gpusched_frontend_layout(&config, &layout));
    gpusched_frontend *fe;
    check(gpusched_frontend_init(malloc(layout.size), layout.size, &config, &fe));
    const gpusched_kernel kernel = {.pc = 1, .grid = {500, 1, 1}, .tb = {64, 1, 1}};
    check(gpusched_frontend_host_launch(fe, 0, &kernel, 0, NULL));
    const gpusched_decision *decisions;
    size_t count;
    check(gpusched_frontend_run(fe, 100, NULL));
    check(gpusched_frontend_take(fe, &decisions, &count));

    struct question questions[4];
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) {
        questions[i].fe = fe;
        if (pthread_create(&threads[i], NULL, ask, &questions[i]) != 0) abort();
    }
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    struct question alone = {.fe = fe};
    ask(&alone);
    for (int i = 0; i < 4; i++) {
        if (questions[i].hash != alone.hash) exit(EXIT_FAILURE);
    }
    free(fe);
}

int main(void) {
    own_objects();
    shared_object();
    puts("as in one thread");
    return EXIT_SUCCESS;
}
