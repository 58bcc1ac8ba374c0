// The Dependency Graph Buffer under LRR as the sheet `dats` describes it: a window of a graph of thread blocks, fetched in chunks. Without LVL,
// spills, and the checks of a graph that contradicts itself.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <queue>
#include <set>
#include <vector>

namespace comparator {

struct Node {
    uint32_t start;
    bool childless;
    uint16_t parents, level;
};

struct GraphConfig {
    uint32_t smxs = 15, lna = 128, lea = 512, pub = 64, chunk_bytes = 128;
    // 1: the next chunk is fetched before there is room for it.
    uint32_t eager = 0;
};

struct Request {
    bool nodes;
    uint32_t tag, first, count;
    uint64_t address;
};

// What an event has set off; `pending` says why a completed node is not done.
struct Report {
    enum class Pending : uint8_t { None, Edges, Pub } pending = Pending::None;
    uint32_t finalised = 0, updates = 0, pub_in = 0, pub_out = 0, inserted = 0, readied = 0;
    bool finished = false;
};

struct Selection {
    enum class Word : uint8_t { Dispatch, NoReady, Head, NoSmx, Deadlock, Finished } word;
    uint32_t node = 0, smx = 0, kdei = 0;
};

class GraphBuffer {
public:
    explicit GraphBuffer(const GraphConfig& config);

    void launch(uint32_t kdei, uint32_t nodes, uint32_t edges, uint64_t node_base, uint64_t edge_base);
    // Forgets the graph; how many of its TBs run.
    uint32_t abort();
    std::optional<Request> poll();
    Report nodes(uint32_t tag, const Node* entries, uint32_t count);
    Report edges(uint32_t tag, const uint16_t* targets, uint32_t count);
    Selection select(const std::vector<bool>& has_room);
    Report complete(uint32_t node);

private:
    // Waiting, ready, running, ended but not finalised, done.
    enum class State : uint8_t { Waiting, Ready, Running, Pending, Done };

    struct Local {
        State state;
        bool childless;
        uint16_t parents, level;
        uint32_t start;
    };

    struct Flight {
        uint32_t tag, first, count;
    };

    Local& local(uint32_t node) { return window_[node % config_.lna]; }
    std::optional<uint32_t> start_of(uint32_t node);
    std::optional<uint32_t> end_of(uint32_t node);
    bool wants_nodes() const;
    bool edges_here(uint32_t node);
    uint32_t outside(uint32_t node);
    bool can_insert();
    void insert(Report& report);
    bool finalise_one(Report& report);
    void settle(Report& report);

    GraphConfig config_;
    uint32_t chunk_nodes_, chunk_edges_;
    bool running_ = false, deadlock_ = false;
    uint32_t kdei_ = 0, n_ = 0, e_ = 0, tail_ = 0, head_ = 0, fetched_ = 0, tail_edge_ = 0, edge_head_ = 0;
    uint64_t node_base_ = 0, edge_base_ = 0;
    uint32_t next_tag_ = 0, next_smx_ = 0, max_level_range_ = 0;
    std::optional<Flight> nodes_asked_, edges_asked_;
    std::vector<Local> window_;
    std::vector<uint16_t> edges_;
    std::vector<uint16_t> updates_;
    std::deque<Node> landed_;
    std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<uint32_t>> ready_;
    std::set<uint32_t> executing_;
    // In ascending order.
    std::vector<uint32_t> pending_;
};

}  // namespace comparator
