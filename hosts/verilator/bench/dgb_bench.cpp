// The core's side of dgb_bench.sv: hands out what the host of dgb_host.hpp does in a clock, and the registers that the core has.
#include "dgb_host.hpp"

using namespace bench::dgb;

static Host &host() {
    static Host the;
    return the;
}

// At the defaults, as Yosys is asked for them.
uint64_t bench::storage_bits() {
    gpusched_dgb_config c;
    gpusched_dgb_storage bits;
    MUST(gpusched_dgb_config_init(&c, sizeof c, GPUSCHED_DGB_PRESET_GTX480));
    MUST(gpusched_dgb_storage_bits(&c, &bits));
    return bits.total;
}

extern "C" void dgb_step(svBit settled) { host().step(settled); }

extern "C" void dgb_config(svBit *rst, uint32_t *lna, uint32_t *lea, uint32_t *pub, uint32_t *chunk_nodes, svBit *eager, svBit *active,
                           svBit *needs_edges) {
    const gpusched_dgb_config &c = host().config;
    *rst = host().clock.rst;
    *lna = c.lna, *lea = c.lea, *pub = c.pub_entries, *chunk_nodes = c.chunk_bytes / 8;
    *eager = c.prefetch == GPUSCHED_DGB_PREFETCH_EAGER, *active = c.level_ref == GPUSCHED_DGB_LEVEL_REF_ACTIVE;
    *needs_edges = c.issue_needs_edges != 0;
}

extern "C" void dgb_launch(svBit *launch, uint32_t *kde, uint32_t *v, uint32_t *e, uint64_t *node_base, uint64_t *edge_base, svBit *lvl,
                           uint32_t *bound, uint32_t *error, svBit *abort_graph, uint32_t *executing) {
    const Clock &c = host().clock;
    *launch = c.launch, *kde = c.kde, *error = c.launch_error, *abort_graph = c.abort, *executing = c.executing;
    *v = c.graph.v, *e = c.graph.e, *node_base = c.graph.node_base, *edge_base = c.graph.edge_base;
    *lvl = c.graph.policy != GPUSCHED_NONE, *bound = *lvl ? c.graph.policy : 0;
}

extern "C" void dgb_poll(svBit *poll, svBit *req, svBit *edges, uint32_t *tag, uint32_t *first, uint32_t *count, uint64_t *addr) {
    const Clock &c = host().clock;
    *poll = c.poll, *req = c.req, *edges = c.request.kind == GPUSCHED_DGB_KIND_EDGES;
    *tag = c.request.tag, *first = c.request.first, *count = c.request.count, *addr = c.request.addr;
}

extern "C" void dgb_answer(svBit *ans, svBit *edges, svBit *last, uint32_t *tag, uint64_t *data, svBit *ready, uint32_t *error,
                           uint32_t *at) {
    const Clock &c = host().clock;
    *ans = c.valid, *edges = c.edges, *last = c.last, *tag = c.tag, *data = c.data, *ready = c.ready, *error = c.ans_error, *at = c.at;
}

extern "C" void dgb_complete(svBit *complete, uint32_t *node, svBit *ready, uint32_t *error) {
    const Clock &c = host().clock;
    *complete = c.complete, *node = c.node, *ready = c.complete_ready, *error = c.complete_error;
}

extern "C" void dgb_select(svBit *select, uint32_t *fits, uint32_t *sched, uint32_t *node, uint32_t *smx, uint32_t *kde) {
    const Clock &c = host().clock;
    *select = c.select, *fits = c.fits, *sched = c.sched, *node = c.dispatched, *smx = c.smx, *kde = host().kde;
}

// In the order of dgb_bench.sv.
extern "C" void dgb_registers(uint32_t *r) {
    const gpusched_dgb_state &s = host().view.state;
    const gpusched_dgb_stats &t = host().view.stats;
    const uint32_t fault_node = host().view.is(GPUSCHED_DGB_STAGE_FAULTED) ? s.phase.node : GPUSCHED_NONE;
    const uint32_t all[] = {s.phase.stage, s.phase.kind, fault_node, s.tail, s.head, s.fetched, s.tail_edge, s.edge_head, s.executing,
                            s.deadlock != GPUSCHED_NONE, s.next_smx, s.next_node, t.dispatched, t.node_requests, t.edge_requests,
                            t.pub_max, t.max_level_range, host().flying[0], host().flying[1], static_cast<uint32_t>(host().view.n_updates),
                            host().next_tag};
    std::copy(std::begin(all), std::end(all), r);
    if (s.deadlock != GPUSCHED_NONE && s.deadlock != s.tail) bench::broken("a deadlock that is not the tail's");
}

// By their slots: `live` says which of these hold something.
extern "C" void dgb_rows(uint32_t *live, uint32_t *state, uint32_t *vid, uint32_t *parents, uint32_t *level, uint32_t *les,
                         uint32_t *childless, uint32_t *has_edges) {
    std::fill(live, live + LNA, 0);
    for (size_t i = 0; i < host().view.n_rows; i++) {
        const Row &n = host().view.rows[i];
        const uint32_t slot = n.node % host().config.lna;
        live[slot] = 1, state[slot] = n.state, vid[slot] = n.node, parents[slot] = n.parents, level[slot] = n.level;
        les[slot] = n.start % host().config.lea, childless[slot] = n.is_childless, has_edges[slot] = host().view.has_edges(i);
    }
}

extern "C" void dgb_edges(uint32_t *live, uint32_t *child) {
    std::fill(live, live + LEA, 0);
    for (size_t i = 0; i < host().view.n_edges; i++) {
        const uint32_t slot = (host().view.state.tail_edge + i) % host().config.lea;
        live[slot] = 1, child[slot] = host().view.edges[i];
    }
}

extern "C" void dgb_queues(uint32_t *updates, uint64_t *nib, uint32_t *n_nib) {
    std::copy(host().view.updates, host().view.updates + host().view.n_updates, updates);
    std::copy(host().view.nib, host().view.nib + host().view.n_nib, nib);
    *n_nib = static_cast<uint32_t>(host().view.n_nib);
}

extern "C" void dgb_end() {
    const Host &h = host();
    std::printf("%u events settled, in %.1f clocks each, %u at most; %.1f clocks for an edge applied\n", h.settles,
                h.settles == 0 ? 0.0 : static_cast<double>(h.busy_clocks) / h.settles, h.longest,
                h.edges_applied == 0 ? 0.0 : static_cast<double>(h.busy_clocks) / static_cast<double>(h.edges_applied));
}
