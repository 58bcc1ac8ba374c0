// graphs.hpp: dependency graphs of kernels, and the memory that they lie in: it answers the buffer's requests, after a fixed time.
#ifndef GPUSCHED_GPGPUSIM_GRAPHS_HPP
#define GPUSCHED_GPGPUSIM_GRAPHS_HPP

#include <gpusched.hpp>

#include <algorithm>
#include <charconv>
#include <deque>
#include <fstream>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace gpusched {
namespace gpgpusim {

// A line `PARENT CHILD` each, linear numbers of TBs; `#` begins a remark, a TB alone on a line has no dependency there. Wrong lines are
// told in `error`.
inline bool read_edges(const std::string& name, std::uint64_t tbs, std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges,
                       std::string& error) {
    std::ifstream file(name);
    if (!file) {
        error = name + ": cannot be read";
        return false;
    }
    std::string line;
    for (std::size_t number = 1; std::getline(file, line); number++) {
        const auto wrong = [&](const std::string& why) {
            error = name + ':' + std::to_string(number) + ": " + why;
            return false;
        };
        line.resize(std::min(line.size(), line.find('#')));
        std::uint32_t tb[2], words = 0;
        const char* at = line.data();
        const char* const end = at + line.size();
        for (;; words++) {
            while (at != end && (*at == ' ' || *at == '\t' || *at == ',' || *at == '\r')) at++;
            if (at == end) break;
            if (words == 2) return wrong("expected at most two TBs");
            const auto [rest, status] = std::from_chars(at, end, tb[words]);
            if (status != std::errc()) return wrong("expected the number of a TB");
            if (tb[words] >= tbs) return wrong("TB " + std::to_string(tb[words]) + " of a grid of " + std::to_string(tbs));
            at = rest;
        }
        if (words == 2) edges.emplace_back(tb[0], tb[1]);
    }
    return true;
}

// A graph whose TBs wait for those that `edges` say.
inline Result<dgb::Graph> graph_of_edges(const Dim3& grid, std::vector<std::pair<std::uint32_t, std::uint32_t>> edges, dgb::Policy policy,
                                         std::uint32_t* cycle) {
    std::stable_sort(edges.begin(), edges.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    auto at = edges.begin();
    std::uint32_t tb = 0;
    return dgb::build(
        grid, static_cast<std::uint32_t>(edges.size()),
        [&](Dim3, dgb::Links& links) {
            for (; at != edges.end() && at->second == tb; ++at) {
                links.add_dependency(at->first % grid.x, at->first / grid.x % grid.y, at->first / grid.x / grid.y);
            }
            links.set_policy(policy);
            tb++;
        },
        cycle);
}

// Each TB waits for its neighbours to the west and to the north.
inline Result<dgb::Graph> wavefront(const Dim3& grid, dgb::Policy policy) {
    return dgb::build(grid, 2 * grid.x * grid.y * grid.z, [&](Dim3 tb, dgb::Links& links) {
        links.add_dependency(std::int64_t{tb.x} - 1, tb.y, tb.z);
        links.add_dependency(tb.x, std::int64_t{tb.y} - 1, tb.z);
        links.set_policy(policy);
    });
}

class Graphs {
public:
    explicit Graphs(std::uint32_t latency) : latency_(latency) {}

    void add(std::uint64_t uid, dgb::Graph graph) {
        std::vector<std::uint64_t> nodes(graph.nodes().begin(), graph.nodes().end());
        graphs_.insert_or_assign(uid, Memory{std::move(nodes), std::move(graph)});
    }
    void drop(std::uint64_t uid) { graphs_.erase(uid); }
    const dgb::Graph* of(std::uint64_t uid) const {
        const auto found = graphs_.find(uid);
        return found == graphs_.end() ? nullptr : &found->second.graph;
    }
    // What a launch says of it: the arrays lie at addresses of its own.
    static dgb::Header header(std::uint64_t uid, const dgb::Graph& graph) {
        const std::uint64_t base = (uid & 0x7ffffff) << 36;
        return graph.header(base, base + (std::uint64_t{1} << 35));
    }

    // Answers what is due, then asks what the buffer wants.
    Status cycle(FrontEnd& gpu, std::uint64_t now) {
        while (!asked_.empty() && asked_.front().due <= now) {
            const Asked asked = asked_.front();
            asked_.pop_front();
            const Status answered = answer(gpu, asked);
            // What was asked for a graph that has been given up meanwhile.
            if (!answered && answered.code() != Code::StaleTag) return answered;
        }
        for (;;) {
            const auto request = gpu.graph_poll();
            if (!request) return request.status();
            if (!*request) return Status();
            const auto owner = gpu.dgb_owner();
            if (!owner || !*owner) return owner.status();
            const Asked asked{now + latency_, (*owner).has_value() ? gpu.kde(**owner)->tag() : 0, **request};
            if (latency_ == 0) {
                if (const Status answered = answer(gpu, asked); !answered) return answered;
            } else {
                asked_.push_back(asked);
            }
        }
    }

private:
    struct Memory {
        // As they are now: the buffer may change them.
        std::vector<std::uint64_t> nodes;
        dgb::Graph graph;
    };
    struct Asked {
        std::uint64_t due, uid;
        dgb::Request request;
    };

    Status answer(FrontEnd& gpu, const Asked& asked) {
        const auto found = graphs_.find(asked.uid);
        if (found == graphs_.end()) return Code::StaleTag;
        Memory& memory = found->second;
        const dgb::Request& r = asked.request;
        if (r.kind() == dgb::Kind::Nodes) return gpu.graph_nodes(r.tag(), dgb::asked(r, Span<const std::uint64_t>(memory.nodes))).status();
        if (r.kind() == dgb::Kind::Edges) return gpu.graph_edges(r.tag(), dgb::asked(r, memory.graph.edges())).status();
        std::uint64_t& node = memory.nodes[number(r.node())];
        node = dgb::Node(node).with_parent_done().bits();
        return gpu.graph_spilled(r.tag()).status();
    }

    std::uint32_t latency_;
    std::map<std::uint64_t, Memory> graphs_;
    std::deque<Asked> asked_;
};

}  // namespace gpgpusim
}  // namespace gpusched

#endif  // GPUSCHED_GPGPUSIM_GRAPHS_HPP
