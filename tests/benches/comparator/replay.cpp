#include "replay.hpp"

#include <istream>
#include <map>
#include <ostream>
#include <sstream>

#include "adaptive_bind.hpp"
#include "frontend.hpp"
#include "graph_buffer.hpp"

namespace comparator {
namespace {

using Parameters = std::map<std::string, uint32_t*>;

template <class T>
T next(std::istream& fields) {
    T value;
    if (!(fields >> value)) throw std::runtime_error("a field is missing");
    return value;
}

uint32_t number(std::istream& fields) { return next<uint32_t>(fields); }

std::string text(const std::string& word) { return '"' + word + '"'; }

template <class T>
std::string or_null(const std::optional<T>& value) {
    return value ? std::to_string(*value) : "null";
}

// ---- front end

Dim3 read_dim(std::istream& fields) {
    Dim3 dim;
    fields >> dim.x >> dim.y >> dim.z;
    return dim;
}

Kernel read_kernel(std::istream& fields) {
    Kernel kernel;
    fields >> kernel.pc;
    kernel.grid = read_dim(fields);
    kernel.block = read_dim(fields);
    fields >> kernel.regs >> kernel.smem >> kernel.tag;
    return kernel;
}

std::string reference(const Decision& d) {
    if (d.record < 0) return text("N");
    return text(d.age >= 0 ? "a" + std::to_string(d.age) : "s" + std::to_string(d.record));
}

void write(std::ostream& out, const Decision& d) {
    using Kind = Decision::Kind;
    auto list = [&](const char* name) -> std::ostream& { return out << "[\"" << name << "\"," << d.cycle << ','; };
    switch (d.kind) {
    case Kind::Issue:
        list("issue") << text(d.queue >= 0 ? "h" + std::to_string(d.queue) : "d") << ',' << d.tag << ',' << d.kdei;
        break;
    case Kind::Arrive: list("arrive") << d.kdei << ',' << d.tag; break;
    case Kind::Join: list("join") << d.tag << ',' << d.kdei << ',' << reference(d); break;
    case Kind::Fall: list("fall") << d.tag << ",\"kde\""; break;
    case Kind::Load: list("load") << d.record; break;
    case Kind::Tb: list("tb") << d.smx << ',' << d.slot << ',' << d.kdei << ',' << reference(d) << ',' << d.block; break;
    case Kind::Unmark: list("unmark") << d.kdei; break;
    case Kind::GroupDone: list("gdone") << d.tag << ',' << reference(d); break;
    case Kind::KernelDone: list("kdone") << d.kdei << ',' << d.tag; break;
    case Kind::QueueFree: list("hwqfree") << d.queue; break;
    }
    out << ']';
}

class FrontEndMachine : public Machine {
public:
    static Parameters parameters(FrontEndConfig& c) {
        return {{"n_smx", &c.n_smx}, {"tb_slots", &c.tb_slots}, {"threads", &c.threads}, {"regs", &c.regs}, {"smem", &c.smem},
                {"warp", &c.warp}, {"n_hwq", &c.n_hwq}, {"n_kde", &c.n_kde}, {"hwq_depth", &c.hwq_depth},
                {"pend_limit", &c.pend_limit}, {"agt_size", &c.agt_size}, {"lat_stream", &c.lat_stream}, {"gpb_b", &c.gpb_b},
                {"gpb_a", &c.gpb_a}, {"ld_b", &c.ld_b}, {"ld_a", &c.ld_a}, {"lat_dispatch", &c.lat_dispatch},
                {"kmu_interval", &c.kmu_interval}, {"kde_scan", &c.kde_scan}, {"agt_probe", &c.agt_probe},
                {"load_cycles", &c.load_cycles}};
    }

    explicit FrontEndMachine(const FrontEndConfig& config) : gpu(config) {}

    bool step(const std::string& event, std::istream& fields, std::ostream& answer) override {
        gpu.decisions.clear();
        std::map<std::string, uint64_t> sched, kmu;
        if (event == "host_launch") {
            uint32_t stream = number(fields);
            bool retain = number(fields);
            gpu.host_launch(stream, read_kernel(fields), retain);
        } else if (event == "device_launch" || event == "agg_launch") {
            uint32_t smx = number(fields), slot = number(fields), count = number(fields);
            std::vector<GroupLaunch> groups;
            std::vector<Kernel> kernels;
            for (uint32_t i = 0; i < count; i++) {
                kernels.push_back(read_kernel(fields));
                if (event == "agg_launch") groups.push_back({kernels.back(), number(fields)});
            }
            if (event == "agg_launch") {
                gpu.agg_launch(smx, slot, groups);
            } else {
                gpu.device_launch(smx, slot, kernels);
            }
        } else if (event == "tb_done") {
            uint32_t smx = number(fields);
            gpu.tb_done(smx, number(fields));
        } else if (event == "unretain") {
            gpu.unretain(number(fields));
        } else if (event == "run") {
            for (uint64_t n = next<uint64_t>(fields); n > 0; n--) {
                Tick tick = gpu.tick();
                sched[SCHED[size_t(tick.sched)]]++;
                kmu[KMU[size_t(tick.kmu)]]++;
            }
        } else {
            return false;
        }
        answer << "{\"out\":[";
        for (size_t i = 0; i < gpu.decisions.size(); i++) {
            if (i > 0) answer << ',';
            write(answer, gpu.decisions[i]);
        }
        answer << "],\"sched\":";
        write_counts(answer, sched);
        answer << ",\"kmu\":";
        write_counts(answer, kmu);
        answer << '}';
        return true;
    }

private:
    static constexpr const char* SCHED[] = {"tb", "idle", "load", "noroom"};
    static constexpr const char* KMU[] = {"issue", "empty", "busy", "kdfull"};

    static void write_counts(std::ostream& out, const std::map<std::string, uint64_t>& counts) {
        out << '{';
        const char* comma = "";
        for (const auto& [word, count] : counts) {
            out << comma << text(word) << ':' << count;
            comma = ",";
        }
        out << '}';
    }

    FrontEnd gpu;
};

// ---- Adaptive-Bind

class BindMachine : public Machine {
public:
    static Parameters parameters(BindConfig& c) {
        return {{"smxs", &c.smxs}, {"cluster", &c.cluster}, {"levels", &c.levels}, {"queue_cap", &c.queue_cap}, {"q0_cap", &c.q0_cap},
                {"pool_cap", &c.pool_cap}, {"refill_cycles", &c.refill_cycles}, {"smx_threads", &c.smx_threads},
                {"smx_regs", &c.smx_regs}, {"smx_smem", &c.smx_smem}, {"smx_slots", &c.smx_slots}, {"skip", &c.skip}};
    }

    explicit BindMachine(const BindConfig& config) : machine(config) {}

    bool step(const std::string& event, std::istream& fields, std::ostream& answer) override {
        uint64_t now = next<uint64_t>(fields);
        if (event == "push_host" || event == "push_child") {
            uint64_t tag = next<uint64_t>(fields);
            uint32_t tbs = number(fields);
            Resources tb = read_resources(fields);
            if (event == "push_host") {
                write(answer, machine.push_host(now, tag, tbs, tb));
            } else {
                uint32_t smx = number(fields);
                write(answer, machine.push_child(now, tag, tbs, tb, smx, number(fields)));
            }
        } else if (event == "tick") {
            write(answer, machine.tick(now));
        } else if (event == "tb_done") {
            uint32_t smx = number(fields);
            machine.tb_done(now, smx, read_resources(fields));
            answer << "{\"ok\":{\"kde_freed\":false}}";
        } else if (event == "set_mask") {
            uint32_t smx = number(fields);
            machine.set_mask(now, smx, number(fields));
            answer << "{\"ok\":{}}";
        } else {
            return false;
        }
        return true;
    }

private:
    static Resources read_resources(std::istream& fields) {
        Resources r;
        fields >> r.threads >> r.regs >> r.smem >> r.slots;
        return r;
    }

    static void write(std::ostream& out, const Placed& p) {
        out << "{\"ok\":{\"where\":" << text(!p.unit ? "queue0" : p.on_chip ? "on_chip" : "spilled");
        if (p.unit) out << ",\"unit\":" << *p.unit << ",\"level\":" << p.level;
        if (p.on_chip) out << ",\"pos\":" << p.pos << ",\"ready_at\":" << p.ready_at;
        if (p.unit && p.on_chip) out << ",\"evicted\":null";
        out << "}}";
    }

    static void write(std::ostream& out, const BindTick& t) {
        static constexpr const char* WORDS[] = {"dispatch", "no_work", "masked", "no_candidate", "no_fit"};
        if (t.word != BindTick::Word::Dispatch) {
            out << "{\"stall\":{\"smx\":" << or_null(t.smx) << ",\"reason\":" << text(WORDS[size_t(t.word)]) << "}}";
            return;
        }
        out << "{\"dispatch\":{\"smx\":" << *t.smx << ",\"tag\":" << t.tag << ",\"tb\":" << t.tb << ",\"prio\":" << t.prio
            << ",\"stage\":" << t.stage << ",\"unit\":" << or_null(t.unit) << ",\"last\":" << (t.last ? "true" : "false")
            << ",\"kdei\":null,\"refill\":" << or_null(t.refill) << "}}";
    }

    AdaptiveBind machine;
};

// ---- dependency graph buffer

class GraphMachine : public Machine {
public:
    static Parameters parameters(GraphConfig& c) {
        return {{"smxs", &c.smxs}, {"lna", &c.lna}, {"lea", &c.lea}, {"pub", &c.pub}, {"chunk_bytes", &c.chunk_bytes}, {"eager", &c.eager}};
    }

    explicit GraphMachine(const GraphConfig& config) : buffer(config), smxs(config.smxs) {}

    bool step(const std::string& event, std::istream& fields, std::ostream& answer) override {
        if (event == "launch") {
            uint32_t kdei = number(fields), nodes = number(fields), edges = number(fields);
            uint64_t node_base = next<uint64_t>(fields);
            buffer.launch(kdei, nodes, edges, node_base, next<uint64_t>(fields));
            answer << "{\"ok\":{}}";
        } else if (event == "abort") {
            answer << "{\"ok\":{\"executing\":" << buffer.abort() << "}}";
        } else if (event == "poll") {
            write(answer, buffer.poll());
        } else if (event == "nodes") {
            uint32_t tag = number(fields);
            std::vector<Node> nodes(number(fields));
            for (Node& node : nodes) fields >> node.start >> node.childless >> node.parents >> node.level;
            write(answer, buffer.nodes(tag, nodes.data(), uint32_t(nodes.size())), "");
        } else if (event == "edges") {
            uint32_t tag = number(fields);
            std::vector<uint16_t> targets(number(fields));
            for (uint16_t& target : targets) fields >> target;
            write(answer, buffer.edges(tag, targets.data(), uint32_t(targets.size())), "");
        } else if (event == "select") {
            std::vector<bool> fits(smxs);
            for (uint32_t smx; fields >> smx;) fits[smx] = true;
            write(answer, buffer.select(fits));
        } else if (event == "complete") {
            static constexpr const char* PENDING[] = {"null", "\"Edges\"", "\"Pub\""};
            Report report = buffer.complete(number(fields));
            write(answer, report, std::string(",\"pending\":") + PENDING[size_t(report.pending)]);
        } else {
            return false;
        }
        return true;
    }

private:
    static void write(std::ostream& out, const std::optional<Request>& request) {
        if (!request) {
            out << "{\"ok\":{\"req\":null}}";
            return;
        }
        out << "{\"ok\":{\"req\":{\"kind\":" << text(request->nodes ? "nodes" : "edges") << ",\"tag\":" << request->tag
            << ",\"first\":" << request->first << ",\"count\":" << request->count << ",\"addr\":" << request->address << "}}}";
    }

    static void write(std::ostream& out, const Report& r, const std::string& pending) {
        out << "{\"ok\":{\"finalised\":" << r.finalised << ",\"updates\":" << r.updates << ",\"pub_in\":" << r.pub_in
            << ",\"pub_out\":" << r.pub_out << ",\"inserted\":" << r.inserted << ",\"readied\":" << r.readied
            << ",\"finished\":" << (r.finished ? "true" : "false") << pending << "}}";
    }

    static void write(std::ostream& out, const Selection& s) {
        static constexpr const char* WORDS[] = {"", "NoReady", "Head", "NoSmx", "Deadlock"};
        if (s.word == Selection::Word::Finished) {
            out << "{\"ok\":{\"finished\":true}}";
        } else if (s.word == Selection::Word::Dispatch) {
            out << "{\"ok\":{\"dispatch\":{\"kdei\":" << s.kdei << ",\"node\":" << s.node << ",\"smx\":" << s.smx << "}}}";
        } else {
            out << "{\"ok\":{\"stall\":" << text(WORDS[size_t(s.word)]) << "}}";
        }
    }

    GraphBuffer buffer;
    uint32_t smxs;
};

// The machine of a configuration that differs from the defaults as told; none, with an answer, if a parameter is not modelled.
template <class M, class Config>
std::unique_ptr<Machine> build(std::istream& fields, std::ostream& answer) {
    Config config;
    Parameters parameters = M::parameters(config);
    std::string name;
    while (fields >> name) {
        auto found = parameters.find(name);
        if (found == parameters.end()) {
            answer << "unsupported " << name;
            return nullptr;
        }
        *found->second = number(fields);
    }
    answer << "ready";
    return std::make_unique<M>(config);
}

}  // namespace

void Replay::step(const std::string& event, std::istream& fields, std::ostream& answer) {
    if (event == "machine") {
        std::string kind = next<std::string>(fields);
        if (kind == "frontend") machine = build<FrontEndMachine, FrontEndConfig>(fields, answer);
        if (kind == "bind") machine = build<BindMachine, BindConfig>(fields, answer);
        if (kind == "graph") machine = build<GraphMachine, GraphConfig>(fields, answer);
        return;
    }
    if (!machine) {
        answer << "unsupported machine";
        return;
    }
    try {
        if (!machine->step(event, fields, answer)) answer << "unsupported " << event;
    } catch (const Refused& fault) {
        answer << "{\"err\":" << text(fault.what()) << '}';
    }
}

}  // namespace comparator
