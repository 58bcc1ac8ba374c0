// What a run of the mini-simulator did, one line per event. tests/src/mini_simulator/journal.rs writes the same text in Rust.
#ifndef JOURNAL_HPP
#define JOURNAL_HPP

#include <gpusched.hpp>

#include <cstdio>
#include <string>
#include <vector>

class Journal {
public:
    // A line of words, separated by spaces.
    template <class... Words>
    void line(const Words&... words) {
        (word(words), ...);
        text_.back() = '\n';  // In place of the last space.
        lines_++;
    }

    void decision(const gpusched::Decision& d) {
        using gpusched::Kind;
        switch (d.kind()) {
        case Kind::Tb: return line(d.cycle(), "tb", d.smx(), d.slot(), d.kde(), d.part(), d.blkid(), d.tag());
        case Kind::Bypass: return line(d.cycle(), "bypass", d.smx(), d.slot());
        case Kind::Issue:
            if (d.source() == gpusched::Source::Hwq) return line(d.cycle(), "issue hwq", d.queue(), d.tag(), d.kde());
            return line(d.cycle(), d.source() == gpusched::Source::Device ? "issue device" : "issue suspended", d.tag(), d.kde());
        case Kind::Arrive: return line(d.cycle(), "arrive", d.kde(), d.tag());
        case Kind::Join: return line(d.cycle(), "join", d.tag(), d.kde(), d.part());
        case Kind::Fall: return line(d.cycle(), d.cause() == gpusched::Fall::Kde ? "fall kde" : "fall agt", d.tag());
        case Kind::Load: return line(d.cycle(), "load", d.record());
        case Kind::Unmark: return line(d.cycle(), "unmark", d.kde());
        case Kind::Rotate: return line(d.cycle(), "rotate", d.kde());
        case Kind::GroupDone: return line(d.cycle(), "group done", d.tag(), d.part());
        case Kind::KernelDone: return line(d.cycle(), "kernel done", d.kde(), d.tag());
        case Kind::HwqFree: return line(d.cycle(), "hwq free", d.queue());
        case Kind::Stalled: return line(d.cycle(), "stalled");
        case Kind::Saved: return line(d.cycle(), "saved", d.smx(), d.slot(), d.part(), d.blkid());
        case Kind::Place: return line(d.cycle(), "place", d.tag(), kPlaces[gpusched::number(d.place())], d.bind_unit(), d.level(), d.evicted());
        case Kind::Lap: return line(d.cycle(), "lap", d.stage(), d.level());
        case Kind::Refill: return line(d.cycle(), "refill", d.tag());
        case Kind::Sample: return line(d.cycle(), "sample", d.waiting());
        case Kind::GraphDone: return line(d.cycle(), "graph done", d.kde());
        case Kind::GraphFault: return line(d.cycle(), "graph fault", d.kde(), d.fault(), d.node());
        case Kind::GraphAbort: return line(d.cycle(), "graph abort", d.kde(), d.executing());
        case Kind::Cluster: return line(d.cycle(), "cluster", d.kde(), d.cluster(), d.gpc(), d.tbs());
        case Kind::Complete: return line(d.cycle(), "complete", d.tag());
        case Kind::Tail: return line(d.cycle(), "tail", d.tag());
        case Kind::Opened: return line(d.cycle(), "opened", d.kde(), d.tag());
        case Kind::Released: return line(d.cycle(), "released", d.smx(), d.slot());
        case Kind::KgraphStart: return line(d.cycle(), "kgstart", d.instance(), d.kgraph(), d.queue());
        case Kind::KgraphDone: return line(d.cycle(), "kgdone", d.instance(), d.kgraph());
        case Kind::Drained: return line(d.cycle(), "drained", d.drain());
        case Kind::DrainEnd: return line(d.cycle(), "drain end", d.drain());
        case Kind::Save: return line(d.cycle(), "save", d.kde(), d.until());
        case Kind::Restore: return line(d.cycle(), "restore", d.smx(), d.slot(), d.cycles());
        case Kind::Suspend: return line(d.cycle(), "suspend", d.kde(), d.index());
        }
        line("no decision");
    }

    // Everything that can be seen of a front end.
    void snapshot(const gpusched::FrontEnd& gpu) {
        const gpusched::Config config = *gpu.config();
        const auto state = static_cast<std::size_t>(*gpu.state());
        line("at", *gpu.now(), kStates[state], "next", *gpu.next_event(), "rr", *gpu.rr(), "warps", *gpu.resident_warps());
        const gpusched::SmxSet eligible = *gpu.eligible();
        for (std::uint32_t i = 0; i < config.n_smx; i++) {
            const gpusched::SmxId smx{i};
            const gpusched::Smx free = *gpu.smx(smx);
            line("smx", smx, bits(free.slots), free.threads, free.regs, free.smem, *gpu.block_cap(smx), eligible.contains(smx));
        }
        for (std::uint32_t i = 0; i < config.n_class; i++) {
            const gpusched::ClassId cls{i};
            line("class", cls, *gpu.class_pc(cls), *gpu.has_work(cls));
            for (std::uint32_t smx = 0; smx < config.n_smx; smx++) {
                const gpusched::ClassCap cap = *gpu.class_cap(cls, gpusched::SmxId{smx});
                line("cap", smx, cap.cap, cap.by, cap.resident, cap.bypassing);
            }
        }
        if (const auto head = *gpu.waiting_head()) {
            const auto& allowed = head->allowed().raw().words;
            line("head", head->tag(), head->threads(), head->regs(), head->smem(), head->warps(), allowed[0]);
        }
        for (std::uint32_t i = 0; i < config.n_hwq; i++) {
            const gpusched::Hwq queue = *gpu.hwq(gpusched::HwqId{i});
            if (queue.busy() || queue.len() > 0) line("queue", i, queue.busy(), queue.len());
        }
        for (std::uint32_t i = 0; i < config.n_kde; i++) {
            if (const auto entry = gpu.kde(gpusched::KernelSlot{i})) kde(i, *entry);
        }
        std::vector<std::uint32_t> kdes(config.n_kde);
        for (const auto kde : *gpu.fcfs(kdes)) line("fcfs", kde);
        std::vector<gpusched_tb> tbs(std::size_t{config.n_smx} * config.tb_slots);
        for (const auto tb : *gpu.resident_tbs(tbs)) {
            line("tb", tb.smx(), tb.slot(), tb.kde(), tb.tb_ref(), tb.blkid(), tb.class_id(), tb.bypass());
        }
        std::vector<gpusched_group_view> groups(config.pend_limit);
        for (const auto group : *gpu.agt(groups)) line("age", group.at(), group.record());
        for (const auto group : *gpu.spilled(groups)) line("spilled", group.at(), group.record());
        line("records", *gpu.records_in_use());
        for (std::uint32_t i = 0; i < config.pend_limit; i++) record(gpu, gpusched::RecordId{i});
        for (std::uint32_t i = 0; i < config.susp_cap; i++) {
            if (gpu.suspended(gpusched::SuspId{i})) line("suspended", i);
        }
        if (config.dats != 0) dgb(gpu, config);
    }

    const std::string& text() const { return text_; }
    std::size_t lines() const { return lines_; }

private:
    static constexpr const char* kGraphs[] = {"None", "Coming", "Running", "Finished", "Faulted", "Aborted"};
    static constexpr const char* kPlaces[] = {"on chip", "spilled", "queue 0"};
    static constexpr const char* kStates[] = {"Running",   "GraphStuck", "GraphWait",  "Gated",    "KdBlocked",
                                              "Suspended", "HwqBlocked", "Retained", "Drained"};

    void kde(std::uint32_t i, const gpusched::Kde& e) {
        line("kde", i, e.tag(), e.queue(), e.arrives(), e.exe(), e.live(), e.next_native(), e.saved(), e.restored(), e.depth(),
             e.retain(), e.psmx());
        if (e.marked()) line("marked", e.first());
        if (e.nagei().unit != gpusched::Unit::None) line("chain", e.nagei(), e.lagei());
        if (e.tried()) line("cursor", e.agei(), e.next_bl(), static_cast<std::uint32_t>(e.load()), e.turn());
    }

    // The dependency-graph buffer.
    void dgb(const gpusched::FrontEnd& gpu, const gpusched::Config& config) {
        const gpusched::dgb::State s = *gpu.dgb_state();
        const gpusched::dgb::Stats stats = *gpu.dgb_stats();
        line("dgb", *gpu.dgb_owner(), s.phase().stage(), s.tail(), s.head(), s.fetched(), s.tail_edge(), s.edge_head());
        line("at", s.executing(), s.spilling(), s.deadlock(), s.next_smx(), s.next_node(), s.waits_for_memory());
        line("of", stats.dispatched, stats.node_requests, stats.edge_requests, stats.spills, stats.pub_max, stats.max_level_range);
        std::vector<gpusched_dgb_node> nodes(config.dats_lna);
        std::uint32_t vid = s.tail();
        for (const auto n : *gpu.dgb_resident(nodes)) {
            line("node", vid++, n.state(), n.parents(), n.level(), n.start(), n.is_childless());
        }
        std::vector<std::uint32_t> vids(config.dats_lea + config.dats_pub_entries);
        for (const auto node : *gpu.dgb_resident_edges(vids)) line("edge", node);
        for (const auto node : *gpu.dgb_pending_updates(vids)) line("update", node);
        std::vector<std::uint64_t> entries(config.dats_chunk_bytes / 8);
        for (const auto bits : *gpu.dgb_landed(entries)) {
            const gpusched::dgb::Node e(bits);
            line("landed", e.start(), e.childless(), e.parents(), e.level());
        }
        if (const auto g = gpu.dgb_graph()) {
            const auto bound = gpusched::dgb::Policy(g->policy).bound();
            line("header", g->v, g->e, g->node_base, g->edge_base, bound.has_value(), bound.value_or(0));
        }
        for (std::uint32_t i = 0; i < config.n_kde; i++) {
            const auto entry = gpu.kde(gpusched::KernelSlot{i});
            if (entry && entry->graph() != gpusched::GraphState::None) line("graph of", i, kGraphs[gpusched::number(entry->graph())]);
        }
    }

    void record(const gpusched::FrontEnd& gpu, gpusched::RecordId id) {
        const auto record = gpu.record(id);
        if (!record) return;
        switch (record->state()) {
        case gpusched::RecordKind::Agg: return line("agg", id, record->tag(), record->psmx(), record->ready());
        case gpusched::RecordKind::Dev: return line("dev", id, record->tag(), record->psmx(), record->ready());
        case gpusched::RecordKind::Tail: return line("closed", id, record->tag(), record->psmx(), record->ready());
        case gpusched::RecordKind::Grp: break;
        }
        const gpusched::GroupView group = *gpu.group(id);
        line("grp", id, group.tag(), record->psmx(), group.at(), group.kde(), group.next(), group.exe(), group.dist());
    }

    static std::uint32_t bits(std::uint64_t word) {
        std::uint32_t n = 0;
        for (; word != 0; word &= word - 1) n++;
        return n;
    }

    void word(const char* words) { (text_ += words) += ' '; }
    void word(std::uint64_t number) { word(std::to_string(number).c_str()); }
    void word(std::uint32_t number) { word(std::uint64_t{number}); }
    void word(bool flag) { word(flag ? "1" : "0"); }
    void word(gpusched::Part part) {
        const char* const letters[] = {"N", "A", "R", "S", "-", "U", "V"};
        text_ += letters[static_cast<std::size_t>(part.unit)];
        const bool numbered = part.age() || part.record();
        word(numbered ? std::to_string(part.row).c_str() : "");
    }
    template <class E>
    auto word(E id) -> decltype(gpusched::number(id), void()) {
        word(gpusched::number(id));
    }
    template <class T>
    void word(const std::optional<T>& value) {
        if (value) word(*value);
        else word("-");
    }

    std::string text_;
    std::size_t lines_ = 0;
};

#endif  // JOURNAL_HPP
