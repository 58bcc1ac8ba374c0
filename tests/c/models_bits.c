// Evaluates the models on many inputs and folds the bits of every answer into one number, which is the same on every target: hosted, it
// prints that; freestanding, it needs no libc. Ends with 0 if the number is the one that x86-64 gives.
//
// Inputs are small multiples of an eighth, which every compiler computes exactly; so a difference is the library's.
#include <gpusched.h>
#include <stddef.h>

#if __STDC_HOSTED__
#include <inttypes.h>
#include <stdio.h>
#endif

#define EXPECTED 0x679984d80635f16eull

static uint64_t digest = 14695981039346656037ull;
// What a freestanding start-up prints.
gpusched_layout layout;

// FNV-1a.
static void fold(const void *bytes, size_t count) {
    for (size_t i = 0; i < count; i++) digest = (digest ^ ((const unsigned char *)bytes)[i]) * 1099511628211ull;
}

// A refusal is an answer, too.
static void answer(gpusched_status status, const void *value, size_t size) {
    fold(&status, sizeof status);
    if (status == GPUSCHED_STATUS_OK) fold(value, size);
}
#define ANSWER(call, value) answer((call), &(value), sizeof(value))

static uint64_t numbers[512];
static size_t next_number = 512;
static uint32_t batches;

static uint32_t below(uint32_t n) {
    if (next_number == 512) {
        gpusched_monte_rng(2012, batches++, 0, numbers, 512);
        next_number = 0;
    }
    return (uint32_t)(numbers[next_number++] >> 33) % n;
}

// From an eighth to n, in eighths; now and then 0.
static double pick(uint32_t n) { return below(40) == 0 ? 0.0 : (double)(below(8 * n) + 1) * 0.125; }

static void execution(void) {
    gpusched_models_exec_inputs k;
    gpusched_models_exec_estimate estimate;
    gpusched_models_exec_config c;
    gpusched_models_exec_inputs_init(&k);
    c.size_unit = below(2), c.clamp_bfp = below(2), k.has_amat = below(2), k.has_fp_lat = below(2);
    k.insts = 1000 + pick(9000), k.mem_insts = pick(900), k.sync_insts = pick(4), k.sfu_insts = pick(2000), k.fp_insts = pick(999);
    k.total_warps = pick(20000), k.active_sms = pick(16), k.n = pick(64), k.avg_trans_warp = 1 + pick(31), k.avg_inst_lat = pick(40);
    k.miss_ratio = pick(1), k.size_of_data = pick(100000), k.ilp = pick(4), k.mlp = pick(8), k.gamma = pick(64), k.delta = pick(50);
    k.dram_lat = 100 + pick(500), k.fp_lat = pick(30), k.hit_lat = pick(60), k.simd_width = pick(64), k.sfu_width = pick(8);
    k.freq = pick(2), k.mem_peak_bw = pick(300), k.o_cfdiv = pick(1000), k.o_bank = pick(1000), k.amat = pick(600);
    ANSWER(gpusched_models_estimate(&c, &k, &estimate, NULL), estimate);
}

static void theory(void) {
    gpusched_models_roof roof;
    gpusched_models_brent_time time;
    gpusched_models_matmul matmul;
    gpusched_models_private_misses misses;
    gpusched_models_balanced balanced;
    gpusched_models_ulist_estimate ulist;
    gpusched_models_reduction reduction;
    double t;
    // One after the other: the order of arguments is the compiler's.
    double v[8];
    v[0] = pick(2000), v[1] = pick(300), v[2] = pick(64);
    ANSWER(gpusched_models_roofline(v[0], v[1], v[2], &roof, NULL), roof);
    v[0] = pick(5000), v[1] = pick(50), v[2] = pick(64);
    ANSWER(gpusched_models_brent(v[0], v[1], v[2], &time, NULL), time);
    v[0] = pick(512), v[1] = pick(100000), v[2] = pick(64);
    answer(gpusched_models_matmul_io(v[0], v[1], v[2], &matmul, NULL), &matmul, offsetof(gpusched_models_matmul, is_blocked));
    const uint32_t l = below(6), z = l + 1 + below(6), n = z + 1 + below(20);
    ANSWER(gpusched_models_reduction_io(1ull << n, 1ull << z, 1ull << l, &reduction, NULL), reduction);
    gpusched_models_private_caches private;
    private.q1 = pick(9999), private.p = pick(64), private.z = pick(4096), private.d = pick(99), private.l = pick(64), private.c = pick(4);
    ANSWER(gpusched_models_qp_bound(&private, &misses, NULL), misses);
    gpusched_models_traffic traffic;
    traffic.alpha = pick(99), traffic.d = pick(99), traffic.q = pick(9999), traffic.l = pick(64), traffic.beta = pick(300);
    ANSWER(gpusched_models_t_mem(&traffic, &t, NULL), t);
    gpusched_models_machine machine;
    machine.p = 1 + pick(64), machine.c0 = pick(3), machine.beta = pick(300), machine.alpha = pick(99), machine.l = pick(64);
    machine.q = pick(9999), machine.d = pick(50), machine.w = machine.d + pick(9999);
    ANSWER(gpusched_models_balance(&machine, &balanced, NULL), balanced);
    gpusched_models_boxes boxes;
    boxes.kappa = pick(20), boxes.q = pick(512), boxes.balance = pick(40), boxes.words_per_point = pick(8), boxes.bytes_per_word = pick(8);
    boxes.dims = 1 + below(6), boxes.reserved = 0;
    ANSWER(gpusched_models_ulist(&boxes, &ulist, NULL), ulist);
}

static void work_flow(void) {
    enum { NODES = 9 };
    gpusched_models_wfg_config config;
    gpusched_models_flow flow;
    gpusched_models_node nodes[NODES];
    gpusched_models_arc arcs[2 * NODES];
    gpusched_models_dependence deps[NODES];
    size_t arc_count = 0, dep_count = 0;
    gpusched_models_wfg_config_init(&config);
    config.warp_size = 32, config.simd_width = pick(64), config.dram_lat = pick(600), config.delta = pick(40), config.n_warps = pick(48);
    for (uint32_t i = 0; i < NODES; i++) {
        const uint32_t kind = i == 0 ? GPUSCHED_MODELS_KIND_ENTRY : i + 1 == NODES ? GPUSCHED_MODELS_KIND_EXIT : 1 + below(4);
        nodes[i].weight = 1 + pick(20), nodes[i].kind = kind, nodes[i].reserved = 0;
        if (i + 1 == NODES) break;
        // All warps go to the next node, or some of them skip it.
        const uint32_t eighths = i + 2 < NODES ? below(9) : 0;
        arcs[arc_count].fraction = (8 - eighths) * 0.125, arcs[arc_count].from = i, arcs[arc_count].to = i + 1;
        arc_count++;
        if (eighths == 0) continue;
        arcs[arc_count].fraction = eighths * 0.125, arcs[arc_count].from = i, arcs[arc_count].to = i + 2;
        arc_count++;
    }
    for (uint32_t i = 0; i + 2 < NODES; i++) {
        if (nodes[i].kind != GPUSCHED_MODELS_KIND_GMEM) continue;
        deps[dep_count].from = i, deps[dep_count].to = i + 1 + below(NODES - 1 - i);
        dep_count++;
    }
    ANSWER(gpusched_models_work_flow(&config, nodes, NODES, arcs, arc_count, deps, dep_count, &flow, NULL), flow);
}

int main(void) {
    for (int i = 0; i < 400; i++) execution();
    for (int i = 0; i < 200; i++) theory();
    for (int i = 0; i < 200; i++) work_flow();
    layout.size = (size_t)(digest & 0xffffffff);
#if __STDC_HOSTED__
    printf("%016" PRIx64 "\n", digest);
#endif
    return digest == EXPECTED ? 0 : 1;
}
