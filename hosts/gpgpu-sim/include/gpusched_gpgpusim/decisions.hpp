// decisions.hpp: decisions of the front end as lines of the decision log. docs/log.md says what the keys mean.
#ifndef GPUSCHED_GPGPUSIM_DECISIONS_HPP
#define GPUSCHED_GPGPUSIM_DECISIONS_HPP

#include <gpusched_gpgpusim/log.hpp>

namespace gpusched {
namespace gpgpusim {

inline std::string word_of(Part part) {
    const auto numbered = [&](const char* unit) { return unit + std::to_string(part.row); };
    switch (part.unit) {
    case Unit::Native: return "native";
    case Unit::Age: return numbered("age");
    case Unit::Record: return numbered("rec");
    case Unit::Restored: return numbered("saved");
    case Unit::Unit: return numbered("rec");
    case Unit::Node: return "node";
    case Unit::None: break;
    }
    return "none";
}

// `tb` is the linear number of a Tb's TB, which for a node of a dependency graph is not blkid.
inline void write(Log& log, std::uint64_t cycle, const Decision& d, std::uint32_t tb) {
    if (!log.is_open()) return;
    const Columns nobody, whom{d.tag(), {}, {}, {}};
    const auto kde = number(d.kde());
    switch (d.kind()) {
    case Kind::Tb: {
        const std::string part = d.part().unit == Unit::Node ? "node" + std::to_string(d.blkid()) : word_of(d.part());
        return log.event(cycle, "tb", {d.tag(), tb, number(d.smx()), number(d.slot())}, "part", part, "kde", kde);
    }
    case Kind::Bypass: return log.event(cycle, "bypass", {{}, {}, number(d.smx()), number(d.slot())});
    case Kind::Issue:
        if (d.source() == Source::Hwq) return log.event(cycle, "issue", whom, "from", "hwq", "kde", kde, "queue", number(d.queue()));
        if (d.source() == Source::Node) return log.event(cycle, "issue", whom, "from", "node", "kde", kde, "instance", number(d.instance()));
        return log.event(cycle, "issue", whom, "from", d.source() == Source::Device ? "device" : "suspended", "kde", kde);
    case Kind::Arrive: return log.event(cycle, "arrive", whom, "kde", kde);
    case Kind::Join: return log.event(cycle, "join", whom, "part", word_of(d.part()), "kde", kde);
    case Kind::Fall: return log.event(cycle, "fall", whom, "for", d.cause() == Fall::Kde ? "kde" : "agt");
    case Kind::Load: return log.event(cycle, "load", nobody, "rec", number(d.record()));
    case Kind::Unmark: return log.event(cycle, "unmark", nobody, "kde", kde);
    case Kind::Rotate: return log.event(cycle, "rotate", nobody, "kde", kde);
    case Kind::GroupDone: return log.event(cycle, "group_done", whom, "part", word_of(d.part()));
    case Kind::KernelDone: return log.event(cycle, "kernel_done", whom, "kde", kde);
    case Kind::HwqFree: return log.event(cycle, "hwq_free", nobody, "queue", number(d.queue()));
    case Kind::Stalled: return log.event(cycle, "stalled", nobody);
    case Kind::Saved: return log.event(cycle, "saved", {{}, d.blkid(), number(d.smx()), number(d.slot())}, "part", word_of(d.part()));
    case Kind::Suspend: return log.event(cycle, "suspend", whom, "kde", kde, "place", number(d.index()));
    case Kind::Place: {
        const char* const places[] = {"chip", "memory", "queue0"};
        const std::optional<std::uint32_t> unit = d.bind_unit() ? std::optional(number(*d.bind_unit())) : std::nullopt;
        const char* const in = places[number(d.place())];
        if (const auto evicted = d.evicted()) return log.event(cycle, "place", whom, "in", in, "unit", unit, "level", d.level(), "evicts", *evicted);
        return log.event(cycle, "place", whom, "in", in, "unit", unit, "level", d.level());
    }
    case Kind::Lap: {
        const char* const stage = d.stage() == laperm::Stage::Unit ? "unit" : d.stage() == laperm::Stage::Queue0 ? "queue0" : "backup";
        return log.event(cycle, "lap", nobody, "stage", stage, "level", d.level());
    }
    case Kind::Refill: return log.event(cycle, "refill", whom);
    case Kind::Sample: return log.event(cycle, "sample", {d.waiting(), {}, {}, {}});
    case Kind::GraphDone: return log.event(cycle, "graph_done", nobody, "kde", kde);
    case Kind::GraphFault: {
        const char* const faults[] = {"edge_order", "parent_underflow", "parent_excess"};
        return log.event(cycle, "graph_fault", nobody, "kde", kde, "fault", faults[(number(d.fault()) - 1) % 3], "node", number(d.node()));
    }
    case Kind::Cluster:
        return log.event(cycle, "cluster", nobody, "kde", kde, "cluster", d.cluster(), "gpc", number(d.gpc()), "tbs", d.tbs());
    case Kind::Complete: return log.event(cycle, "complete", whom);
    case Kind::Tail: return log.event(cycle, "tail", whom);
    case Kind::Opened: return log.event(cycle, "opened", whom, "kde", kde);
    case Kind::Released: return log.event(cycle, "released", {{}, {}, number(d.smx()), number(d.slot())});
    case Kind::KgraphStart:
        return log.event(cycle, "kgstart", nobody, "instance", number(d.instance()), "graph", number(d.kgraph()), "queue", number(d.queue()));
    case Kind::KgraphDone: return log.event(cycle, "kgdone", nobody, "instance", number(d.instance()), "graph", number(d.kgraph()));
    case Kind::Drained: return log.event(cycle, "drained", nobody, "drain", number(d.drain()));
    case Kind::DrainEnd: return log.event(cycle, "drain_end", nobody, "drain", number(d.drain()));
    case Kind::Save: return log.event(cycle, "save", nobody, "kde", kde, "until", d.until());
    case Kind::Restore: return log.event(cycle, "restore", {{}, {}, number(d.smx()), number(d.slot())}, "cycles", d.cycles());
    case Kind::GraphAbort: return log.event(cycle, "graph_abort", nobody, "kde", kde, "executing", d.executing());
    }
}

}  // namespace gpgpusim
}  // namespace gpusched

#endif  // GPUSCHED_GPGPUSIM_DECISIONS_HPP
