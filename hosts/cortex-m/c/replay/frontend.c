// Events of the front end.
#include "packed.h"

static gpusched_kernel read_kernel(reader *from) {
    gpusched_kernel kernel;
    kernel.pc = read_u64(from);
    read_struct(from, &kernel.grid, sizeof kernel.grid);
    read_struct(from, &kernel.tb, sizeof kernel.tb);
    kernel.regs = read_u32(from);
    kernel.smem = read_u32(from);
    kernel.param = read_u32(from);
    read_struct(from, &kernel.cluster, sizeof kernel.cluster);
    kernel.tag = read_u64(from);
    return kernel;
}

// Puts what was decided, each sample with its record behind it.
static gpusched_status put_decisions(gpusched_frontend *gpu) {
    const gpusched_decision *decisions;
    size_t count;
    gpusched_status status = gpusched_frontend_take(gpu, &decisions, &count);
    for (size_t i = 0; status == GPUSCHED_STATUS_OK && i < count; i++) {
        PUT(decisions[i], detail);
        if (decisions[i].kind != GPUSCHED_DECISION_KIND_SAMPLE) continue;
        gpusched_bubble_record record;
        status = gpusched_frontend_bubble_record(gpu, &record);
        PUT(record, starved);
    }
    return status;
}

// The words of one tick, as a run counts them.
static void count_tick(gpusched_words *words, const gpusched_tick *tick) {
    uint64_t *const of_sched[] = {&words->tb,     &words->idle,         &words->load,   &words->noroom,     &words->gated,
                                  &words->capped, &words->no_fit,       &words->no_candidate, &words->masked, &words->g_no_ready,
                                  &words->g_head, &words->g_level_bound, &words->g_deadlock, &words->g_fault, &words->told,
                                  &words->frag,   &words->quota};
    uint64_t *const of_kmu[] = {&words->issue, &words->empty, &words->busy, &words->kdfull, &words->dgbusy};
    ++*of_sched[tick->sched];
    ++*of_kmu[tick->kmu];
}

static void add_words(gpusched_words *to, const gpusched_words *more) {
    // All of its fields are of this type.
    uint64_t *sum = (uint64_t *)to;
    const uint64_t *add = (const uint64_t *)more;
    for (size_t i = 0; i < sizeof *to / sizeof *sum; i++) sum[i] += add[i];
}

// `cycles` of them, one that decides something at a time, so that each sample's record can be read. A run that ends with time itself
// takes a tick, since a limit at the last cycle means none.
static gpusched_status run(gpusched_frontend *gpu, uint64_t cycles) {
    gpusched_words all = {0}, some;
    uint64_t now;
    gpusched_status status = gpusched_frontend_now(gpu, &now);
    if (status != GPUSCHED_STATUS_OK) return status;
    if (cycles > UINT64_MAX - now) return GPUSCHED_STATUS_TIME_OVERFLOW;
    const uint64_t end = now + cycles, until = end < UINT64_MAX ? end : UINT64_MAX - 1;
    while (status == GPUSCHED_STATUS_OK && now < until) {
        status = gpusched_frontend_advance(gpu, until, &some);
        if (status == GPUSCHED_STATUS_OK) status = put_decisions(gpu);
        if (status == GPUSCHED_STATUS_OK) status = gpusched_frontend_now(gpu, &now);
        add_words(&all, &some);
    }
    if (status == GPUSCHED_STATUS_OK && now < end) {
        gpusched_tick tick;
        status = gpusched_frontend_tick(gpu, &tick);
        if (status == GPUSCHED_STATUS_OK) status = put_decisions(gpu);
        if (status == GPUSCHED_STATUS_OK) count_tick(&all, &tick);
    }
    if (status == GPUSCHED_STATUS_OK) PUT(all, quota);
    return status;
}

// A launch command of the lanes of a warp, and the records that it got.
static gpusched_status launch(gpusched_frontend *gpu, uint8_t op, reader *from) {
    const uint32_t smx = read_u32(from), slot = read_u32(from);
    const uint32_t count = read_u16(from);
    uint32_t *ids = scratch(from, count * sizeof *ids);
    gpusched_kernel *kernels = scratch(from, count * sizeof *kernels);
    gpusched_group *groups = scratch(from, count * sizeof *groups);
    gpusched_device_launch *named = scratch(from, count * sizeof *named);
    if (from->is_damaged) return GPUSCHED_STATUS_OK;
    for (uint32_t i = 0; i < count; i++) {
        kernels[i] = read_kernel(from);
        if (op == OP_AGG_LAUNCH) groups[i] = (gpusched_group){kernels[i], read_u32(from)};
        if (op == OP_DEVICE_LAUNCH_NAMED) named[i] = (gpusched_device_launch){kernels[i], read_u32(from)};
    }
    const gpusched_status status =
        op == OP_AGG_LAUNCH            ? gpusched_frontend_agg_launch(gpu, smx, slot, groups, count, ids)
        : op == OP_DEVICE_LAUNCH_NAMED ? gpusched_frontend_device_launch_named(gpu, smx, slot, named, count, ids)
                                       : gpusched_frontend_device_launch(gpu, smx, slot, kernels, count, ids);
    if (status == GPUSCHED_STATUS_OK) put_bytes(ids, count * sizeof *ids);
    return status;
}

// A kernel graph, and its number.
static gpusched_status define(gpusched_frontend *gpu, reader *from) {
    const uint32_t nodes_count = read_u16(from);
    gpusched_kernel_node *nodes = scratch(from, nodes_count * sizeof *nodes);
    if (from->is_damaged) return GPUSCHED_STATUS_OK;
    for (uint32_t i = 0; i < nodes_count; i++) {
        nodes[i].kernel = read_kernel(from);
        nodes[i].retain = read_u32(from);
    }
    LIST(gpusched_kernel_edge, edges, edges_count);
    ANSWER(uint32_t, gpusched_frontend_kgraph_define(gpu, nodes, nodes_count, edges, edges_count, &out));
}

// A call to the dependency-graph buffer, which tells the details of a refusal.
static gpusched_status graph(gpusched_frontend *gpu, uint8_t op, reader *from) {
    gpusched_dgb_request request;
    gpusched_dgb_report report;
    gpusched_dgb_error error;
    gpusched_status status;
    if (op == OP_GRAPH_POLL) {
        status = gpusched_frontend_graph_poll(gpu, &request, &error);
    } else {
        const uint32_t tag = read_u32(from);
        size_t count = 0;
        if (op == OP_GRAPH_NODES) {
            const uint64_t *entries = read_list(from, sizeof *entries, &count);
            status = gpusched_frontend_graph_nodes(gpu, tag, entries, count, &report, &error);
        } else if (op == OP_GRAPH_EDGES) {
            const uint16_t *targets = read_list(from, sizeof *targets, &count);
            status = gpusched_frontend_graph_edges(gpu, tag, targets, count, &report, &error);
        } else {
            status = gpusched_frontend_graph_spilled(gpu, tag, &report, &error);
        }
    }
    const gpusched_status taken = put_decisions(gpu);
    if (taken != GPUSCHED_STATUS_OK) return taken;
    if (status != GPUSCHED_STATUS_OK) {
        PUT(error, kind);
    } else if (op == OP_GRAPH_POLL) {
        PUT(request, present);
    } else {
        PUT(report, pending);
    }
    return status;
}

// Every offer, in pieces.
static gpusched_status offers(const gpusched_frontend *gpu) {
    gpusched_offer some[2];
    uint32_t next = GPUSCHED_NONE;
    do {
        size_t count;
        const gpusched_status status = gpusched_frontend_offers(gpu, next, GPUSCHED_NONE, some, 2, &count, &next);
        if (status != GPUSCHED_STATUS_OK) return status;
        put_bytes(some, count * sizeof *some);
    } while (next != GPUSCHED_NONE);
    return GPUSCHED_STATUS_OK;
}

// An image that nobody needs, or why there is none.
static gpusched_status save(const gpusched_frontend *gpu, reader *from) {
    size_t size;
    gpusched_status status = gpusched_frontend_image_size(gpu, &size);
    if (status != GPUSCHED_STATUS_OK) return status;
    void *const image = scratch(from, size);
    return from->is_damaged ? GPUSCHED_STATUS_OK : gpusched_frontend_save(gpu, image, size, &size);
}

static gpusched_status frontend_event(void *object, uint8_t op, reader *from) {
    gpusched_frontend *gpu = object;
    gpusched_status status;
    uint32_t number = 0;
    bool has_number = false;
    switch (op) {
    case OP_HOST_LAUNCH:
    case OP_HOST_LAUNCH_DEPENDENT: {
        const uint32_t stream = read_u32(from), retain = read_u32(from);
        const gpusched_kernel kernel = read_kernel(from);
        has_number = true;
        status = op == OP_HOST_LAUNCH ? gpusched_frontend_host_launch(gpu, stream, &kernel, retain, &number)
                                      : gpusched_frontend_host_launch_dependent(gpu, stream, &kernel, retain, &number);
        break;
    }
    case OP_HOST_LAUNCH_GRAPH:
    case OP_HOST_LAUNCH_GRAPH_DEPENDENT: {
        const uint32_t stream = read_u32(from), retain = read_u32(from);
        const gpusched_kernel kernel = read_kernel(from);
        RECORD(gpusched_dgb_header, header, policy);
        has_number = true;
        status = op == OP_HOST_LAUNCH_GRAPH
                     ? gpusched_frontend_host_launch_graph(gpu, stream, &kernel, retain, &header, &number)
                     : gpusched_frontend_host_launch_graph_dependent(gpu, stream, &kernel, retain, &header, &number);
        break;
    }
    case OP_HOST_LAUNCH_CROSS: {
        const uint32_t stream = read_u32(from), retain = read_u32(from);
        const gpusched_kernel kernel = read_kernel(from);
        RECORD(gpusched_dgb_header, header, policy);
        RECORD(gpusched_consumers, consumers, first);
        has_number = true;
        status = read_u32(from)
                     ? gpusched_frontend_host_launch_cross_dependent(gpu, stream, &kernel, retain, &header, &consumers, &number)
                     : gpusched_frontend_host_launch_cross(gpu, stream, &kernel, retain, &header, &consumers, &number);
        break;
    }
    case OP_KGRAPH_DEFINE: return define(gpu, from);
    case OP_KGRAPH_LAUNCH: {
        const uint32_t graph = read_u32(from), stream = read_u32(from);
        has_number = true;
        status = gpusched_frontend_kgraph_launch(gpu, graph, stream, &number);
        break;
    }
    case OP_KGRAPH_DESTROY: status = gpusched_frontend_kgraph_destroy(gpu, read_u32(from)); break;
    case OP_DEVICE_LAUNCH:
    case OP_DEVICE_LAUNCH_NAMED:
    case OP_AGG_LAUNCH: return launch(gpu, op, from);
    case OP_TB_DONE:
    case OP_TB_TRIGGER:
    case OP_TB_WAIT: {
        const uint32_t smx = read_u32(from), slot = read_u32(from);
        status = op == OP_TB_DONE      ? gpusched_frontend_tb_done(gpu, smx, slot)
                 : op == OP_TB_TRIGGER ? gpusched_frontend_tb_trigger(gpu, smx, slot)
                                       : gpusched_frontend_tb_wait(gpu, smx, slot);
        break;
    }
    case OP_UNRETAIN: status = gpusched_frontend_unretain(gpu, read_u32(from)); break;
    case OP_SUSPEND:
        has_number = true;
        status = gpusched_frontend_suspend(gpu, read_u32(from), &number);
        break;
    case OP_RESUME: status = gpusched_frontend_resume(gpu, read_u32(from)); break;
    case OP_REFILLED: status = gpusched_frontend_refilled(gpu, read_u64(from)); break;
    case OP_SPILL_LOADED: status = gpusched_frontend_spill_loaded(gpu, read_u32(from)); break;
    case OP_SET_ELIGIBLE: {
        gpusched_smx_set set;
        read_struct(from, &set, sizeof set);
        status = gpusched_frontend_set_eligible(gpu, &set);
        break;
    }
    case OP_SET_BLOCK_CAP: {
        const uint32_t smx = read_u32(from), cap = read_u32(from);
        status = gpusched_frontend_set_block_cap(gpu, smx, cap);
        break;
    }
    case OP_SET_CLASS: {
        const uint32_t class_id = read_u32(from), has_pc = read_u32(from);
        const uint64_t pc = read_u64(from);
        status = has_pc ? gpusched_frontend_set_class(gpu, class_id, pc) : gpusched_frontend_clear_class(gpu, class_id);
        break;
    }
    case OP_SET_CLASS_CAP: {
        const uint32_t class_id = read_u32(from), smx = read_u32(from), cap = read_u32(from), by = read_u32(from);
        status = gpusched_frontend_set_class_cap(gpu, class_id, smx, cap, by);
        break;
    }
    case OP_SET_STREAM: {
        const uint32_t stream = read_u32(from), context = read_u32(from), priority = read_u32(from);
        status = gpusched_frontend_set_stream(gpu, stream, context, priority);
        break;
    }
    case OP_SET_CONTEXT: {
        const uint32_t context = read_u32(from);
        RECORD(gpusched_context_spec, spec, kdes);
        status = gpusched_frontend_set_context(gpu, context, &spec);
        break;
    }
    case OP_DRAIN: {
        RECORD(gpusched_smx_set, smxs, words);
        RECORD(gpusched_victim, victim, kde);
        has_number = true;
        status = gpusched_frontend_drain(gpu, &smxs, &victim, &number);
        break;
    }
    case OP_RELEASE_DRAIN: status = gpusched_frontend_release_drain(gpu, read_u32(from)); break;
    case OP_SAVE_KERNEL: {
        uint64_t until;
        status = gpusched_frontend_save_kernel(gpu, read_u32(from), &until);
        const gpusched_status taken = put_decisions(gpu);
        if (taken != GPUSCHED_STATUS_OK) return taken;
        if (status == GPUSCHED_STATUS_OK) PUT_NUMBER(until);
        return status;
    }
    case OP_MAX_ACTIVE_CLUSTERS: {
        const gpusched_kernel kernel = read_kernel(from);
        ANSWER(uint32_t, gpusched_frontend_max_active_clusters(gpu, &kernel, read_u32(from), &out));
    }
    case OP_GPC_OF: ANSWER(uint32_t, gpusched_frontend_gpc_of(gpu, read_u32(from), &out));
    case OP_ACTIVITY: {
        size_t count;
        const uint16_t *per_smx = read_list(from, sizeof *per_smx, &count);
        status = gpusched_frontend_activity(gpu, per_smx, count);
        break;
    }
    case OP_HAS_WORK:
        has_number = true;
        status = gpusched_frontend_has_work(gpu, read_u32(from), &number);
        break;
    case OP_WAITING_HEAD: {
        gpusched_waiting_head head;
        status = gpusched_frontend_waiting_head(gpu, read_u32(from), &head);
        if (status == GPUSCHED_STATUS_OK) PUT(head, warps);
        break;
    }
    case OP_RUN: return run(gpu, read_u64(from));
    case OP_ABORT_GRAPH: status = gpusched_frontend_abort_graph(gpu, read_u32(from)); break;
    case OP_GRAPH_POLL:
    case OP_GRAPH_NODES:
    case OP_GRAPH_EDGES:
    case OP_GRAPH_SPILLED: return graph(gpu, op, from);
    case OP_BEGIN:
        has_number = true;
        status = gpusched_frontend_begin(gpu, &number);
        break;
    case OP_OFFERS: return offers(gpu);
    case OP_LOAD: status = gpusched_frontend_load(gpu, read_u32(from)); break;
    case OP_SEND: {
        const uint32_t id = read_u32(from), smx = read_u32(from);
        gpusched_placement tb;
        status = gpusched_frontend_send(gpu, id, smx, &tb);
        const gpusched_status taken = put_decisions(gpu);
        if (taken != GPUSCHED_STATUS_OK) return taken;
        if (status == GPUSCHED_STATUS_OK) PUT(tb, blkid);
        return status;
    }
    case OP_SPLIT: {
        const uint32_t id = read_u32(from), at = read_u32(from);
        has_number = true;
        status = gpusched_frontend_split(gpu, id, at, &number);
        break;
    }
    case OP_END: {
        const uint32_t wakes = read_u32(from);
        const uint64_t wake = read_u64(from);
        has_number = true;
        status = gpusched_frontend_end(gpu, wakes ? &wake : NULL, &number);
        break;
    }
    case OP_SKIP: {
        uint64_t cycles;
        status = gpusched_frontend_skip(gpu, read_u64(from), &cycles);
        if (status == GPUSCHED_STATUS_OK) PUT_NUMBER(cycles);
        return status;
    }
    case OP_NEXT_EVENT: {
        uint64_t cycle;
        status = gpusched_frontend_next_event(gpu, &cycle);
        if (status == GPUSCHED_STATUS_OK) PUT_NUMBER(cycle);
        return status;
    }
    case OP_SAVE: return save(gpu, from);
    default: return unknown_event(from);
    }
    const gpusched_status taken = put_decisions(gpu);
    if (taken != GPUSCHED_STATUS_OK) return taken;
    if (has_number && status == GPUSCHED_STATUS_OK) PUT_NUMBER(number);
    return status;
}

MACHINE_TYPE(frontend);
