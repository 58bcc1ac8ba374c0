// Functions without a machine: the analytical models, and the coalescer.
#include "packed.h"

// Ends the event with a call that writes `out`, or the name of the field to blame.
#define TOLD(type, call)                                   \
    do {                                                   \
        type out;                                          \
        const char *field = NULL;                          \
        const gpusched_status status = (call);             \
        if (status == GPUSCHED_STATUS_OK) PUT_NUMBER(out); \
        if (status != GPUSCHED_STATUS_OK) put_text(field); \
        return status;                                     \
    } while (0)

static void put_text(const char *text) {
    size_t length = 0;
    while (text != NULL && text[length] != '\0') length++;
    put_list(text, length, 1);
}

static gpusched_status work_flow(reader *from) {
    ARGUMENT(gpusched_wfg_config, config);
    LIST(gpusched_wfg_node, nodes, node_count);
    LIST(gpusched_wfg_arc, arcs, arc_count);
    LIST(gpusched_wfg_dependence, deps, dep_count);
    const gpusched_wfg_graph graph = {nodes, node_count, arcs, arc_count, deps, dep_count};
    TOLD(gpusched_wfg_flow, gpusched_wfg_eval(&config, &graph, &out, &field));
}

static gpusched_status coalesce(reader *from) {
    static gpusched_segment segments[128];
    ARGUMENT(gpusched_coalescer_config, config);
    IN(uint64_t mask; uint32_t size);
    LIST(uint64_t, addresses, lanes);
    size_t count;
    uint32_t coalesced;
    const gpusched_status status =
        gpusched_coalesce(&config, in.mask, addresses, lanes, in.size, segments, sizeof segments / sizeof *segments,
                          &count, &coalesced);
    if (status != GPUSCHED_STATUS_OK) return status;
    PUT_NUMBER(coalesced);
    put_list(segments, count, sizeof *segments);
    return status;
}

static gpusched_status functions_event(void *object, uint8_t op, reader *from) {
    (void)object;
    switch (op) {
    case OP_EXEC_EVAL: {
        ARGUMENT(gpusched_exec_inputs, of);
        TOLD(gpusched_exec_estimate, gpusched_exec_eval(&of, &out, &field));
    }
    case OP_WFG_EVAL: return work_flow(from);
    case OP_ROOFLINE: {
        IN(double peak, bw, intensity);
        TOLD(gpusched_theory_roof, gpusched_theory_roofline(in.peak, in.bw, in.intensity, &out, &field));
    }
    case OP_BRENT: {
        IN(double w, d, p);
        TOLD(gpusched_theory_brent_time, gpusched_theory_brent(in.w, in.d, in.p, &out, &field));
    }
    case OP_INEFFICIENCY: {
        IN(double p, eps);
        TOLD(gpusched_theory_speed, gpusched_theory_inefficiency(in.p, in.eps, &out, &field));
    }
    case OP_REDUCTION_TREE: {
        IN(uint64_t n);
        TOLD(gpusched_theory_tree, gpusched_theory_reduction_tree(in.n, &out, &field));
    }
    case OP_REDUCTION_IO: {
        IN(uint64_t n, z, l);
        TOLD(gpusched_theory_reduction, gpusched_theory_reduction_io(in.n, in.z, in.l, &out, &field));
    }
    case OP_MATMUL_IO: {
        IN(double n, z, l);
        TOLD(gpusched_theory_matmul, gpusched_theory_matmul_io(in.n, in.z, in.l, &out, &field));
    }
    case OP_QP_BOUND: {
        ARGUMENT(gpusched_theory_private, of);
        TOLD(gpusched_theory_misses, gpusched_theory_qp_bound(&of, &out, &field));
    }
    case OP_T_MEM: {
        ARGUMENT(gpusched_theory_traffic, of);
        TOLD(double, gpusched_theory_t_mem(&of, &out, &field));
    }
    case OP_BALANCE: {
        ARGUMENT(gpusched_theory_machine, of);
        TOLD(gpusched_theory_balanced, gpusched_theory_balance(&of, &out, &field));
    }
    case OP_ULIST: {
        ARGUMENT(gpusched_theory_boxes, of);
        TOLD(gpusched_theory_ulist_estimate, gpusched_theory_ulist(&of, &out, &field));
    }
    case OP_COALESCE: return coalesce(from);
    default: return graph_function(op, from);
    }
}

gpusched_status function_event(uint8_t op, reader *from) {
    return functions_event(NULL, op, from);
}

static gpusched_status functions_layout(const void *config, gpusched_layout *layout) {
    (void)config;
    *layout = (gpusched_layout){.size = 0, .align = 1};
    return GPUSCHED_STATUS_OK;
}

static gpusched_status functions_init(void *storage, size_t size, const void *config, void **object) {
    (void)size, (void)config;
    *object = storage;
    return GPUSCHED_STATUS_OK;
}

const machine_type functions_machine = {functions_layout, functions_init, save_nothing, restore_nothing,
                                        functions_event};
