// Every model that is a function and no object, called as it must not be: the right status and the input to blame, and nothing written
// that is not to be written.
#include "misuse_models_table.h"

enum { FILLING = 0xa5, FILLED = 512 };

static void fill(void) { memset(&out, FILLING, FILLED); }

static void kept(void) {
    for (size_t at = 0; at < FILLED; at++) TRUE(out.bytes[at] == FILLING);
}

static void blamed(const char *name, const char *field) {
    TRUE(name == NULL ? field == NULL : field != NULL && strcmp(field, name) == 0);
}

// A refused call, which writes nothing.
#define KEPT(name, call) (fill(), expect(__FILE__, __LINE__, #call, GPUSCHED_STATUS_##name, (call)), kept())
// A refused call that tells the field to blame; NULL: none is.
#define BLAMES(name, blame, call) \
    (field = "not written", fill(), expect(__FILE__, __LINE__, #call, GPUSCHED_STATUS_##name, (call)), kept(), blamed(blame, field))

static const gpusched_models_exec_config as_printed = {GPUSCHED_MODELS_SIZE_UNIT_LITERAL, 0};

static gpusched_models_exec_inputs kernel(void) {
    gpusched_models_exec_inputs k;
    IS(OK, gpusched_models_exec_inputs_init(&k));
    TRUE(k.gamma == 64 && k.has_amat == 0);
    k.insts = 100, k.mem_insts = 10, k.fp_insts = 50, k.total_warps = 448, k.active_sms = 14, k.n = 16, k.avg_inst_lat = 20;
    k.dram_lat = 400, k.delta = 20, k.freq = 1, k.mem_peak_bw = 89.6;
    return k;
}

static void execution(void) {
    gpusched_models_exec_inputs k = kernel();
    gpusched_models_exec_estimate estimate;
    const char *field = "not written";
    IS(OK, gpusched_models_estimate(&as_printed, &k, &estimate, &field));
    TRUE(field == NULL && estimate.t_comp == 4000);
    KEPT(MISALIGNED, gpusched_models_estimate(&as_printed, &k, OUT, ODD(&field)));
    const double nan = strtod("nan", NULL), inf = strtod("inf", NULL);
    k = kernel(), k.n = nan, BLAMES(NOT_FINITE, "n", gpusched_models_estimate(&as_printed, &k, OUT, &field));
    k = kernel(), k.o_bank = -inf, BLAMES(NOT_FINITE, "o_bank", gpusched_models_estimate(&as_printed, &k, OUT, &field));
    k = kernel(), k.delta = -1, BLAMES(NEGATIVE, "delta", gpusched_models_estimate(&as_printed, &k, OUT, &field));
    k = kernel(), k.freq = 0, BLAMES(ZERO_INPUT, "freq", gpusched_models_estimate(&as_printed, &k, OUT, &field));
    k = kernel(), k.n = 0.5, BLAMES(OUT_OF_RANGE, "n", gpusched_models_estimate(&as_printed, &k, OUT, &field));
    k = kernel(), k.insts = k.total_warps = 1e308, BLAMES(OVERFLOW, NULL, gpusched_models_estimate(&as_printed, &k, OUT, &field));
    // What is not said to be there is not looked at.
    k = kernel(), k.amat = k.fp_lat = nan, IS(OK, gpusched_models_estimate(&as_printed, &k, OUT, &field));
    k.has_fp_lat = 1, BLAMES(NOT_FINITE, "fp_lat", gpusched_models_estimate(&as_printed, &k, OUT, &field));
    k.has_fp_lat = 0, k.has_amat = 1, BLAMES(NOT_FINITE, "amat", gpusched_models_estimate(&as_printed, &k, OUT, &field));
    k = kernel();
    const gpusched_models_exec_config none[] = {{2, 0}, {kEverything, 0}};
    for (size_t i = 0; i < COUNT(none); i++) BLAMES(BAD_ENUM, NULL, gpusched_models_estimate(&none[i], &k, OUT, &field));
}

static void theory(void) {
    const gpusched_models_private_caches private = {1, 1, 1, 1, 0, 1};
    const gpusched_models_traffic traffic = {1, 1, 1, 1, 0};
    const gpusched_models_machine machine = {1, 1, 1, 1, 1, 0, 1, 1};
    gpusched_models_boxes boxes = {11, 64, 10, 4, 4, 0, 0};
    const char *field;
    BLAMES(ZERO_INPUT, "bw", gpusched_models_roofline(1, 0, 1, OUT, &field));
    BLAMES(DEPTH_EXCEEDS_WORK, NULL, gpusched_models_brent(1, 2, 1, OUT, &field));
    BLAMES(ZERO_INPUT, "eps", gpusched_models_inefficiency(1, 0, OUT, &field));
    BLAMES(NOT_POW2, "n", gpusched_models_reduction_tree(12, OUT, &field));
    BLAMES(NOT_POW2, "l", gpusched_models_reduction_io(64, 16, 3, OUT, &field));
    BLAMES(BAD_ORDER, NULL, gpusched_models_reduction_io(16, 16, 4, OUT, &field));
    BLAMES(OUT_OF_RANGE, "z", gpusched_models_matmul_io(1, 9007199254740992.0, 1, OUT, &field));
    BLAMES(ZERO_INPUT, "l", gpusched_models_qp_bound(&private, OUT, &field));
    BLAMES(ZERO_INPUT, "beta", gpusched_models_t_mem(&traffic, OUT, &field));
    BLAMES(ZERO_INPUT, "q", gpusched_models_balance(&machine, OUT, &field));
    BLAMES(OUT_OF_RANGE, "dims", gpusched_models_ulist(&boxes, OUT, &field));
    boxes.dims = kEverything;
    BLAMES(OUT_OF_RANGE, "dims", gpusched_models_ulist(&boxes, OUT, &field));
    KEPT(MISALIGNED, gpusched_models_roofline(1, 1, 1, OUT, ODD(&field)));
}

static void work_flow(void) {
    gpusched_models_wfg_config c;
    IS(OK, gpusched_models_wfg_config_init(&c));
    TRUE(c.balance_tol == 0.1 && c.n_warps == 0);
    c.warp_size = 32, c.simd_width = 8, c.n_warps = 8;
    gpusched_models_node nodes[65] = {{0, GPUSCHED_MODELS_KIND_ENTRY, 0}, {1, GPUSCHED_MODELS_KIND_GMEM, 0}, {0, GPUSCHED_MODELS_KIND_EXIT, 0}};
    gpusched_models_arc arcs[129] = {{1, 0, 1}, {1, 1, 2}};
    gpusched_models_dependence deps[65] = {{1, 2}};
    const char *field;
#define GRAPH(node_count, arc_count, dep_count) \
    gpusched_models_work_flow(&c, nodes, node_count, arcs, arc_count, deps, dep_count, OUT, &field)
    IS(OK, GRAPH(3, 2, 1));
    BLAMES(TOO_BIG, NULL, GRAPH(65, 2, 1));
    BLAMES(TOO_BIG, NULL, GRAPH(3, 129, 1));
    BLAMES(TOO_BIG, NULL, GRAPH(3, 2, 65));
    BLAMES(BAD_GRAPH, NULL, GRAPH(2, 2, 1));
    BLAMES(BAD_GRAPH, NULL, gpusched_models_work_flow(&c, NULL, 0, arcs, 2, deps, 1, OUT, &field));
    const uint32_t kinds[] = {6, 256, 65537, kEverything};
    for (size_t i = 0; i < COUNT(kinds); i++) {
        nodes[1].kind = kinds[i], BLAMES(BAD_ENUM, NULL, GRAPH(3, 2, 1));
    }
    nodes[1].kind = GPUSCHED_MODELS_KIND_GMEM, nodes[1].weight = 0.5;
    BLAMES(BAD_WEIGHT, NULL, GRAPH(3, 2, 1));
    nodes[1].weight = 1;
    const uint32_t beyond[] = {0, 1, 3, 64, 256, 65538, 1u << 31, kEverything};
    for (size_t i = 0; i < COUNT(beyond); i++) {
        arcs[1].to = beyond[i], BLAMES(NOT_TOPOLOGICAL, NULL, GRAPH(3, 2, 1));
        arcs[1].to = 2, deps[0].to = beyond[i], BLAMES(NOT_TOPOLOGICAL, NULL, GRAPH(3, 2, 1));
        deps[0].to = 2;
    }
    arcs[1].fraction = 0.5, BLAMES(BAD_FRACTION, NULL, GRAPH(3, 2, 1));
    arcs[1].fraction = 1, deps[0].from = 0, BLAMES(BAD_DEPENDENCE, NULL, GRAPH(3, 2, 1));
    deps[0].from = 1, c.n_warps = 0, BLAMES(ZERO_INPUT, "n_warps", GRAPH(3, 2, 1));
    c.n_warps = 8;
    BLAMES(CAPACITY, NULL, GRAPH(SIZE_MAX, 2, 1));
#undef GRAPH
}

int main(void) {
    derived_pointers();
    execution();
    theory();
    work_flow();
    puts("all as promised");
    return EXIT_SUCCESS;
}
