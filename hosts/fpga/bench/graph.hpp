// A dependency graph in the memory of the bench's GPU: made by chance, asked by the dependency-graph buffer.
#ifndef GRAPH_HPP
#define GRAPH_HPP

#include <stdexcept>
#include <string>

#include "entries.hpp"
#include "load.hpp"

namespace bench {

class Graph {
public:
    // Each TB depends on up to two of the 8 before it.
    Graph(const gpusched::Dim3& grid, Random& random) {
        auto built = gpusched::dgb::build(grid, 2 * grid.x, [&](gpusched::Dim3 tb, gpusched::dgb::Links& links) {
            for (std::uint32_t i = 0, n = random.below(3); tb.x > 0 && i < n; i++)
                links.add_dependency(tb.x - 1 - random.below(tb.x < 8 ? tb.x : 8), 0);
            links.set_policy(gpusched::dgb::Policy::lvl(3));
        });
        if (!built) throw std::runtime_error(std::string("no graph: ") + built.status().name());
        header_ = built->header(0, 0);
        nodes_.assign(built->nodes().begin(), built->nodes().end());
        edges_.assign(built->edges().begin(), built->edges().end());
        parents_.resize(nodes_.size());
        for (std::size_t n = 0; n < nodes_.size(); n++)
            for (std::size_t i = first_edge(n); i < first_edge(n + 1); i++) parents_[edges_[i]].push_back(static_cast<std::uint16_t>(n));
    }

    // Where it lies follows from its tag, and its tag from where it lies: the addresses of a graph differ in their low 20 bits only.
    gpusched_dgb_header header(std::uint64_t tag) const {
        gpusched_dgb_header h = header_;
        h.node_base = tag << 20;
        h.edge_base = (tag << 20) + (1u << 19);
        return h;
    }
    static std::uint64_t tag_of(const Words& request) { return wide(request, GPUSCHED_FPGA_DECISION_MEMORY_ADDR_WORD) >> 20; }

    const std::vector<std::uint16_t>& parents(std::uint32_t node) const { return parents_[node]; }

    // What memory answers.
    Event answer(const Words& request) {
        Event e;
        e.a = request[GPUSCHED_FPGA_DECISION_MEMORY_TAG_WORD];
        const std::uint32_t first = request[GPUSCHED_FPGA_DECISION_MEMORY_FIRST_WORD];
        const std::uint32_t last = first + request[GPUSCHED_FPGA_DECISION_MEMORY_COUNT_WORD];
        switch (request[GPUSCHED_FPGA_DECISION_MEMORY_REQUEST_WORD]) {
        case GPUSCHED_DGB_KIND_NODES:
            e.kind = kGRAPH_NODES;
            e.nodes.assign(nodes_.begin() + first, nodes_.begin() + last);
            return e;
        case GPUSCHED_DGB_KIND_EDGES:
            e.kind = kGRAPH_EDGES;
            e.halves.assign(edges_.begin() + first, edges_.begin() + last);
            return e;
        case GPUSCHED_DGB_KIND_DECREMENT:
            e.kind = kGRAPH_SPILLED;
            nodes_[first] -= GPUSCHED_ONE_PARENT;
            return e;
        default: throw std::runtime_error("a memory request of no kind");
        }
    }

private:
    std::size_t first_edge(std::size_t node) const { return node < nodes_.size() ? nodes_[node] & 0x7fffffff : edges_.size(); }

    gpusched_dgb_header header_{};
    std::vector<std::uint64_t> nodes_;
    std::vector<std::uint16_t> edges_;
    std::vector<std::vector<std::uint16_t>> parents_;
};

}  // namespace bench

#endif
