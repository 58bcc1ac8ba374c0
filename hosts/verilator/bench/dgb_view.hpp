// The registers of the core for dgb_bench.cpp, all of them, as they were last looked at.
#pragma once
#include "golden.hpp"

#include <algorithm>

namespace bench::dgb {

// What the RTL is built for, from the list `sizes`, as in dgb_bench.sv.
constexpr uint32_t SMXS = SIZE_SMXS, LNA = SIZE_LNA, LEA = SIZE_LEA, PUB = SIZE_PUB, CHUNK_NODES = SIZE_CHUNK / 8;

// A node of the window, and which it is.
struct Row : gpusched_dgb_node {
    uint32_t node;
};

struct View {
    gpusched_dgb_state state;
    gpusched_dgb_stats stats;
    gpusched_dgb_header graph;
    Row rows[LNA];
    uint32_t edges[LEA], updates[PUB];
    uint64_t nib[CHUNK_NODES];
    size_t n_rows, n_edges, n_updates, n_nib;

    void look(const gpusched_dgb *dgb) {
        MUST(gpusched_dgb_get_state(dgb, &state));
        MUST(gpusched_dgb_get_stats(dgb, &stats));
        gpusched_dgb_node nodes[LNA];
        MUST(gpusched_dgb_resident(dgb, nodes, LNA, &n_rows));
        for (uint32_t i = 0; i < n_rows; i++) rows[i] = {nodes[i], state.tail + i};
        MUST(gpusched_dgb_resident_edges(dgb, edges, LEA, &n_edges));
        MUST(gpusched_dgb_pending_updates(dgb, updates, PUB, &n_updates));
        MUST(gpusched_dgb_landed(dgb, nib, CHUNK_NODES, &n_nib));
        if (gpusched_dgb_graph(dgb, &graph) != GPUSCHED_STATUS_OK) graph = {};
    }
    bool is(uint32_t stage) const { return state.phase.stage == stage; }

    // `start` of the node behind row i, where it is known.
    uint32_t behind(size_t i) const {
        if (i + 1 < n_rows) return rows[i + 1].start;
        if (n_nib > 0) return nib[0] & 0x7fffffff;
        return state.head == graph.v ? graph.e : GPUSCHED_NONE;
    }
    bool end_known(size_t i) const { return i < n_rows && (rows[i].is_childless || behind(i) != GPUSCHED_NONE); }
    bool has_edges(size_t i) const { return rows[i].is_childless || (end_known(i) && behind(i) <= state.edge_head); }

    // The rows in a state, and of these the lowest and the highest level.
    struct Found {
        uint32_t count = 0, with_edges = 0, first = GPUSCHED_NONE, low = GPUSCHED_NONE, high = 0;
    };
    Found find(uint32_t wanted) const {
        Found f;
        for (size_t i = 0; i < n_rows; i++) {
            if (rows[i].state != wanted) continue;
            f.count++, f.with_edges += has_edges(i);
            f.first = std::min(f.first, rows[i].node);
            f.low = std::min(f.low, rows[i].level), f.high = std::max(f.high, rows[i].level);
        }
        return f;
    }
};

} // namespace bench::dgb
