// Events and decisions as the GPU of the bench knows them, and as entries of words. Written against the generated header only, not
// against the host program, so that each checks the other.
#ifndef ENTRIES_HPP
#define ENTRIES_HPP

#include <array>
#include <cstdint>
#include <gpusched.hpp>
#include <vector>

#include "../generated/gpusched_fpga_regs.h"

namespace bench {

using Words = std::array<std::uint32_t, GPUSCHED_FPGA_ENTRY_WORDS>;

enum EventKind : std::uint32_t {
#define KIND(name, code, least, greatest, parts) k##name = code,
    GPUSCHED_FPGA_EACH_EVENT(KIND)
#undef KIND
};

// Something that happened. Which fields have a meaning depends on the kind.
struct Event {
    std::uint32_t kind = kTIME;
    std::uint64_t cycle = 0;
    bool ack = false;
    std::uint32_t smx = 0, slot = 0;
    // Stream, row, tag, class, and what follows them.
    std::uint32_t a = 0, b = 0, c = 0, d = 0;
    std::uint64_t pc = 0;
    gpusched_dgb_header graph{};
    gpusched_smx_set set{};
    std::vector<gpusched_group> lanes;
    std::vector<std::uint64_t> nodes;
    std::vector<std::uint16_t> halves;
    // An event that is wrong in its form: its entries, all but their numbers, and the status with which it must be refused.
    std::vector<Words> raw;
    std::uint32_t refused = 0;
    // Given when it is posted.
    std::uint32_t number = 0, entries = 0;
};

inline void put_wide(Words& w, unsigned word, std::uint64_t value) {
    w[word] = static_cast<std::uint32_t>(value);
    w[word + 1] = static_cast<std::uint32_t>(value >> 32);
}

inline std::uint64_t wide(const Words& w, unsigned word) { return w[word] | std::uint64_t{w[word + 1]} << 32; }

// The words that all events have.
inline Words event_entry(std::uint32_t kind, std::uint32_t words, std::uint64_t cycle, bool ack, bool more) {
    Words w{};
    w[1] = GPUSCHED_FPGA_PUT(kind, EVENT_KIND) | GPUSCHED_FPGA_PUT(words, EVENT_WORDS) |
           GPUSCHED_FPGA_PUT(std::uint32_t{more}, EVENT_MORE) | GPUSCHED_FPGA_PUT(std::uint32_t{ack}, EVENT_ACK);
    put_wide(w, GPUSCHED_FPGA_EVENT_CYCLE_WORD, cycle);
    return w;
}

inline void put_kernel(Words& w, unsigned at, const gpusched_kernel& k) {
    put_wide(w, at + GPUSCHED_FPGA_KERNEL_PC_WORD, k.pc);
    const std::uint32_t words[] = {k.grid.x, k.grid.y, k.grid.z, k.tb.x, k.tb.y, k.tb.z, k.regs, k.smem, k.param};
    for (unsigned i = 0; i < 9; i++) w[at + GPUSCHED_FPGA_KERNEL_GRID_X_WORD + i] = words[i];
    put_wide(w, at + GPUSCHED_FPGA_KERNEL_TAG_WORD, k.tag);
}

inline Words put_halves(const Event& e, std::size_t from, std::size_t count, unsigned per_entry) {
    const bool more = from + count < e.halves.size();
    Words w = event_entry(e.kind, static_cast<std::uint32_t>(6 + (count + 1) / 2), e.cycle, e.ack, more);
    w[5] = static_cast<std::uint32_t>(count);
    for (std::size_t i = 0; i < count && i < per_entry; i++)
        w[6 + i / 2] |= static_cast<std::uint32_t>(e.halves[from + i]) << (i % 2 * 16);
    return w;
}

// The entries of an event, all but their numbers.
inline std::vector<Words> pack(const Event& e) {
    if (!e.raw.empty()) return e.raw;
    std::vector<Words> entries;
    const auto one = [&](std::uint32_t words) -> Words& {
        entries.push_back(event_entry(e.kind, words, e.cycle, e.ack, false));
        return entries.back();
    };
    const std::uint32_t place = GPUSCHED_FPGA_PUT(e.smx, EVENT_TB_DONE_SMX) | GPUSCHED_FPGA_PUT(e.slot, EVENT_TB_DONE_SLOT);
    switch (e.kind) {
    case kTIME: one(4); break;
    case kTB_DONE: one(5)[4] = place; break;
    case kHOST_LAUNCH:
    case kGRAPH_LAUNCH: {
        Words& w = one(e.kind == kHOST_LAUNCH ? 19 : 27);
        w[4] = e.a;
        w[5] = e.b;
        put_kernel(w, GPUSCHED_FPGA_EVENT_HOST_LAUNCH_KERNEL_WORD, e.lanes[0].kernel);
        if (e.kind == kHOST_LAUNCH) break;
        const unsigned at = GPUSCHED_FPGA_EVENT_GRAPH_LAUNCH_GRAPH_WORD;
        put_wide(w, at + GPUSCHED_FPGA_GRAPH_NODE_BASE_WORD, e.graph.node_base);
        put_wide(w, at + GPUSCHED_FPGA_GRAPH_EDGE_BASE_WORD, e.graph.edge_base);
        w[at + GPUSCHED_FPGA_GRAPH_V_WORD] = e.graph.v;
        w[at + GPUSCHED_FPGA_GRAPH_E_WORD] = e.graph.e;
        w[at + GPUSCHED_FPGA_GRAPH_POLICY_WORD] = e.graph.policy;
        break;
    }
    case kDEVICE_LAUNCH:
    case kAGG_LAUNCH:
        for (std::size_t i = 0; i < e.lanes.size(); i++) {
            Words w = event_entry(e.kind, 19, e.cycle, e.ack, i + 1 < e.lanes.size());
            w[4] = place;
            w[5] = e.lanes[i].hw_tid;
            put_kernel(w, GPUSCHED_FPGA_EVENT_AGG_LAUNCH_KERNEL_WORD, e.lanes[i].kernel);
            entries.push_back(w);
        }
        break;
    case kGRAPH_NODES:
        for (std::size_t from = 0; from < e.nodes.size(); from += GPUSCHED_FPGA_EVENT_GRAPH_NODES_NODES_COUNT) {
            const std::size_t left = e.nodes.size() - from, most = GPUSCHED_FPGA_EVENT_GRAPH_NODES_NODES_COUNT;
            const std::size_t count = left < most ? left : most;
            Words w = event_entry(e.kind, static_cast<std::uint32_t>(6 + 2 * count), e.cycle, e.ack, count < left);
            w[4] = e.a;
            w[5] = static_cast<std::uint32_t>(count);
            for (std::size_t i = 0; i < count; i++) put_wide(w, static_cast<unsigned>(6 + 2 * i), e.nodes[from + i]);
            entries.push_back(w);
        }
        break;
    case kGRAPH_EDGES:
    case kACTIVITY:
        for (std::size_t from = 0; from < e.halves.size(); from += GPUSCHED_FPGA_EVENT_GRAPH_EDGES_EDGES_COUNT) {
            const std::size_t left = e.halves.size() - from, most = GPUSCHED_FPGA_EVENT_GRAPH_EDGES_EDGES_COUNT;
            Words w = put_halves(e, from, left < most ? left : most, most);
            if (e.kind == kGRAPH_EDGES) w[4] = e.a;
            entries.push_back(w);
        }
        break;
    case kSET_ELIGIBLE: {
        Words& w = one(12);
        for (unsigned i = 0; i < 4; i++) put_wide(w, 4 + 2 * i, e.set.words[i]);
        break;
    }
    case kSET_BLOCK_CAP: {
        Words& w = one(6);
        w[4] = e.a, w[5] = e.b;
        break;
    }
    case kSET_CLASS: {
        Words& w = one(7);
        w[4] = e.a;
        put_wide(w, 5, e.pc);
        break;
    }
    case kSET_CLASS_CAP: {
        Words& w = one(8);
        w[4] = e.a, w[5] = e.b, w[6] = e.c, w[7] = e.d;
        break;
    }
    default: one(5)[4] = e.a; break;
    }
    return entries;
}

// A decision as it is in an entry, all but its number.
inline Words decision_entry(std::uint32_t kind, std::uint32_t words, std::uint64_t cycle) {
    Words w{};
    w[1] = GPUSCHED_FPGA_PUT(kind, DECISION_KIND) | GPUSCHED_FPGA_PUT(words, DECISION_WORDS);
    put_wide(w, GPUSCHED_FPGA_DECISION_CYCLE_WORD, cycle);
    return w;
}

inline std::uint32_t kind_of(const Words& w) { return GPUSCHED_FPGA_GET(w[1], DECISION_KIND); }

}  // namespace bench

#endif
