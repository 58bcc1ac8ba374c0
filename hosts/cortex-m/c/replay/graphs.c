// What comes with the dependency-graph buffer, and needs none: the builder, the admission check, its storage.
#include "packed.h"

// A configuration: the form for Rust is passed over.
static gpusched_dgb_config read_config(reader *from) {
    gpusched_dgb_config config;
    read_bytes(from, read_u16(from));
    if (read_u16(from) != sizeof config) from->is_damaged = true;
    read_struct(from, &config, sizeof config);
    return config;
}

static gpusched_status build_new(reader *from) {
    const gpusched_dgb_config config = read_config(from);
    gpusched_layout layout;
    gpusched_dgb *dgb;
    const gpusched_status status = gpusched_dgb_layout(&config, &layout);
    if (status != GPUSCHED_STATUS_OK) return status;
    return gpusched_dgb_init(scratch(from, layout.size), layout.size, &config, &dgb);
}

static gpusched_status storage(reader *from) {
    const gpusched_dgb_config config = read_config(from);
    gpusched_dgb_storage bits;
    const gpusched_status status = gpusched_dgb_storage_bits(&config, &bits);
    if (status == GPUSCHED_STATUS_OK) PUT_NUMBER(bits.total);
    return status;
}

static gpusched_status admit(reader *from) {
    const gpusched_dgb_config config = read_config(from);
    size_t v, e;
    const uint64_t *nodes = read_list(from, sizeof *nodes, &v);
    const uint16_t *edges = read_list(from, sizeof *edges, &e);
    uint32_t *counters = scratch(from, v * sizeof *counters);
    ANSWER(gpusched_dgb_admission, gpusched_admit(&config, nodes, (uint32_t)v, edges, (uint32_t)e, counters, &out));
}

// What a mapping function asks for: a parent, or a policy. It is only read, too, where the builder is null.
static gpusched_status link(gpusched_graph_builder *builder, reader *from) {
    if (read_u8(from) == 0) {
        const uint64_t x = read_u64(from), y = read_u64(from), z = read_u64(from);
        if (builder == NULL) return GPUSCHED_STATUS_OK;
        return gpusched_graph_builder_add_dependency(builder, (int64_t)x, (int64_t)y, (int64_t)z);
    }
    const uint32_t policy = read_u32(from);
    if (builder == NULL) return GPUSCHED_STATUS_OK;
    return gpusched_graph_builder_set_policy(builder, policy);
}

static gpusched_status build(reader *from) {
    gpusched_dim3 grid;
    read_struct(from, &grid, sizeof grid);
    const uint32_t edges = read_u32(from);
    gpusched_layout layout;
    gpusched_graph_builder *builder = NULL;
    uint32_t tb = GPUSCHED_NONE, next = 0;
    gpusched_status status = gpusched_graph_builder_layout(&grid, edges, &layout);
    if (status == GPUSCHED_STATUS_OK) {
        status = gpusched_graph_builder_init(scratch(from, layout.size), layout.size, &grid, edges, &builder);
    }
    for (uint32_t asked = read_u16(from); asked > 0; asked--) {
        if (status == GPUSCHED_STATUS_OK) tb = next++;
        for (uint32_t links = read_u16(from); links > 0; links--) {
            const gpusched_status linked = link(status == GPUSCHED_STATUS_OK ? builder : NULL, from);
            if (status == GPUSCHED_STATUS_OK) status = linked;
        }
        if (status == GPUSCHED_STATUS_OK) status = gpusched_graph_builder_advance(builder);
    }
    gpusched_graph graph;
    if (status == GPUSCHED_STATUS_OK) {
        status = gpusched_graph_builder_finish(builder, &graph, &tb);
    }
    if (status != GPUSCHED_STATUS_OK) {
        PUT_NUMBER(tb);
        return status;
    }
    PUT(graph.header, policy);
    PUT_NUMBER(graph.levels);
    put_list(graph.nodes, graph.header.v, sizeof *graph.nodes);
    put_list(graph.edges, graph.header.e, sizeof *graph.edges);
    put_list(graph.order, graph.header.v, sizeof *graph.order);
    return status;
}

gpusched_status graph_function(uint8_t op, reader *from) {
    switch (op) {
    case OP_DGB_NEW: return build_new(from);
    case OP_DGB_STORAGE: return storage(from);
    case OP_ADMIT: return admit(from);
    case OP_BUILD: return build(from);
    default: return unknown_event(from);
    }
}
