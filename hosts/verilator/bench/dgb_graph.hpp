// Random dependency graphs for dgb_bench.cpp, in the form that the buffer reads. Each is described to the library's builder, so that it is
// levelled and legal; some are then made what only a foreign builder would make: unordered, with edges twice, or contradictory.
#pragma once
#include "golden.hpp"

#include <gpusched_dgb.hpp>

#include <algorithm>

namespace bench {

struct Graph {
    std::vector<uint64_t> nodes;
    std::vector<uint16_t> edges;
    bool wants_late_edges = false;
    bool is_far = false; // long, and of interest only at its beginning

    uint32_t v() const { return static_cast<uint32_t>(nodes.size()); }
    uint32_t e() const { return static_cast<uint32_t>(edges.size()); }
    uint32_t start(uint32_t node) const { return node == v() ? e() : nodes[node] & 0x7fffffff; }
};

// Graphs grow with the window that they go through.
constexpr uint32_t SCALE = SIZE_LNA / 16;
constexpr bool is_large = SCALE > 1;

// A node of memory: start, childless, parents, level.
constexpr unsigned CHILDLESS = 31, PARENTS = 32, LEVEL = 48;

// The edges of a node in another order: the sheet asks for none inside a node.
inline void shuffle(Graph &g, Random &r) {
    for (uint32_t n = 0; n < g.v(); n++)
        for (uint32_t i = g.start(n); i + 1 < g.start(n + 1); i++) std::swap(g.edges[i], g.edges[i + r.below(g.start(n + 1) - i)]);
}

// Levels that rise more often than they need to, so that nodes beside each other are at several.
inline void stretch(Graph &g, Random &r) {
    uint64_t level = 0;
    for (uint64_t &node : g.nodes) {
        if (node >> LEVEL != 0) level += level == 0 || r.chance(3, 4);
        node = (node & ~(uint64_t{0xffff} << LEVEL)) | level << LEVEL;
    }
}

// One edge twice, counted twice (dats-H7).
inline void duplicate(Graph &g, Random &r, uint32_t lea) {
    const uint32_t n = r.below(g.v());
    const uint32_t count = g.start(n + 1) - g.start(n);
    if (count == 0 || count >= lea) return;
    const uint32_t edge = g.start(n) + r.below(count);
    g.nodes[g.edges[edge]] += uint64_t{1} << PARENTS;
    g.edges.insert(g.edges.begin() + edge, g.edges[edge]);
    for (uint32_t i = n + 1; i < g.v(); i++) g.nodes[i]++;
}

// A parent too many or too few, or an edge back: a GraphFault once it is met.
inline void contradict(Graph &g, Random &r) {
    const auto parents = [&](uint32_t n) { return g.nodes[n] >> PARENTS & 0xffff; };
    uint32_t n = r.below(g.v());
    // Most nodes have one; what has many shows more.
    for (uint32_t i = 0; i < 6; i++)
        if (const uint32_t other = r.below(g.v()); parents(other) > parents(n)) n = other;
    if (parents(n) >= 1 && r.chance(1, 4)) g.nodes[n] += uint64_t{1} << PARENTS;
    else if (parents(n) >= 2 && r.chance(4, 5)) g.nodes[n] -= uint64_t{1 + r.below(static_cast<uint32_t>(parents(n)) - 1)} << PARENTS;
    else if (n > 0 && g.start(n) < g.start(n + 1)) g.edges[g.start(n)] = static_cast<uint16_t>(1 + r.below(n));
}

// A graph of one of several kinds, none of whose nodes has more than `most` children.
inline Graph describe(Random &r, uint32_t most) {
    using gpusched::Dim3;
    enum { WAVEFRONT, SWEEPS, LAYERS, CHAIN, FANS, LOOSE, RANDOM, BARRIERS, SINGLE, LATE, KINDS };
    // The last kind more often: few other graphs lead to what it does. What is large is filled by four of them.
    const uint32_t kind = is_large && r.chance(7, 8) ? FANS + r.below(4) : std::min<uint32_t>(r.below(KINDS + 4), LATE);
    // Barriers of about 20 fill the LEA; if they were much wider, they would find no room in the PUB.
    const uint32_t width = is_large ? 8 + r.below(16) : 1 + r.below(8), reach = 1 + r.below(40 * SCALE);
    const uint32_t group = 1 + r.below(std::min(most, (is_large ? 36 : 12) * SCALE));
    const uint32_t size = r.chance(1, 10) && !is_large ? 300 : 50 * SCALE;
    Dim3 grid{1 + r.below(size), 1, 1};
    if (is_large && kind == BARRIERS) grid.x = 4 * width;
    if (kind == WAVEFRONT) grid = {2 + r.below(r.chance(1, 4) ? 16 : 8), 2 + r.below(r.chance(1, 4) ? 16 : 8), 1};
    if (kind == SWEEPS) grid = {2 + r.below(4), 2 + r.below(4), 2 + r.below(3)};
    if (kind == LATE) grid.x = 10 + r.below(6);
    if (kind == SINGLE) grid = {1, 1, 1};

    std::vector<uint32_t> children(grid.x * grid.y * grid.z);
    const auto map = [&](Dim3 tb, gpusched::dgb::Links &links) {
        const auto add = [&](int64_t x, int64_t y, int64_t z) {
            if (x < 0 || y < 0 || z < 0 || x >= grid.x || y >= grid.y) return;
            uint32_t &n = children[static_cast<size_t>(x + grid.x * (y + grid.y * z))];
            if (n < most) n++, links.add_dependency(x, y, z);
        };
        const int64_t x = tb.x, y = tb.y, z = tb.z;
        const uint32_t i = tb.x;
        switch (kind) {
        case WAVEFRONT: add(x - 1, y, z), add(x, y - 1, z); break;
        case SWEEPS: add(x - 1, y, z), add(x, y - 1, z), add(x, y, z - 1), add(x + 1, y, z - 1), add(x, y + 1, z - 1); break;
        case LAYERS:
            for (uint32_t k = 0; i >= width && k <= r.below(3); k++)
                add(r.chance(1, 8) ? r.below(i) : i - i % width - 1 - r.below(width), 0, 0);
            break;
        case CHAIN: add(x - 1, 0, 0); break;
        case FANS: // one, a group of it, one behind all of these, and so on
            if (i % (group + 1) != 0) add(i - i % (group + 1), 0, 0);
            else
                for (uint32_t k = 1; i > 0 && k <= group; k++) add(i - k, 0, 0);
            break;
        case LOOSE:
            if (i > 0 && r.chance(1, 5)) add(r.below(i), 0, 0);
            break;
        case RANDOM:
            for (uint32_t k = 0; i > 0 && k < r.below(5); k++) add(i - 1 - r.below(i < reach ? i : reach), 0, 0);
            break;
        case LATE: // 3 is the oldest of its level, and its parent is the last to get its edges
            if (i > 0) add(i < 3 ? 0 : i == 3 ? 2 : i < 10 ? 1 : i - 1, 0, 0);
            break;
        case BARRIERS:
            for (uint32_t k = 0; i >= width && k < width; k++) add(i - i % width - 1 - k, 0, 0);
            break;
        }
    };
    auto graph = gpusched::dgb::build(grid, 8192, map);
    if (!graph) broken(std::string("build: ") + graph.status().text());
    return {{graph->nodes().begin(), graph->nodes().end()}, {graph->edges().begin(), graph->edges().end()}, kind == LATE, false};
}

// One edge from the first level to the last node, beyond 4096 others: of the numbers that meet in the PUB all bits count.
inline Graph far(Random &r) {
    const gpusched::Dim3 grid{4096 + 20 + r.below(40), 1, 1};
    auto graph = gpusched::dgb::build(grid, 1, [&](gpusched::Dim3 tb, gpusched::dgb::Links &links) {
        if (tb.x == grid.x - 1) links.add_dependency(0, 0, 0);
    });
    if (!graph) broken(std::string("build: ") + graph.status().text());
    return {{graph->nodes().begin(), graph->nodes().end()}, {graph->edges().begin(), graph->edges().end()}, false, true};
}

// A graph for a buffer with so many edges; now and then with a node that has more.
inline Graph draw_graph(Random &r, uint32_t lea) {
    if (r.chance(1, 80)) return far(r);
    Graph g = describe(r, r.chance(1, 5) ? lea + 1 + r.below(2) : lea);
    if (r.chance(1, 4)) shuffle(g, r);
    if (r.chance(1, 2)) stretch(g, r);
    for (uint32_t i = r.chance(1, 6) ? 1 + r.below(6) : 0; i > 0; i--) duplicate(g, r, lea);
    for (uint32_t i = r.chance(1, is_large ? 8 : 2) ? 1 + r.below(2) : 0; i > 0; i--) contradict(g, r);
    return g;
}

} // namespace bench
