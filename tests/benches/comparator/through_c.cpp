// The same operations by gpusched, as a simulator in C++ has it: its C functions from libgpusched, and a policy of the simulator's own
// between the two halves of a cycle.
//
//   c++ -std=c++17 -O3 -march=native -Iinclude tests/benches/comparator/through_c.cpp libgpusched.a -o through_c
#include <gpusched.h>
#include <gpusched_laperm.h>

#include "operations.hpp"
#include "serve.hpp"

namespace comparator {
namespace {

void ok(gpusched_status status) {
    if (status != GPUSCHED_STATUS_OK) throw std::logic_error(gpusched_status_str(status));
}

// Storage as a layout asks for it.
std::vector<uint64_t> storage(const gpusched_layout& layout) { return std::vector<uint64_t>((layout.size + 7) / 8); }

gpusched_kernel to_c(const Kernel& k) {
    gpusched_kernel kernel{};
    kernel.pc = k.pc;
    kernel.grid = {k.grid.x, k.grid.y, k.grid.z};
    kernel.tb = {k.block.x, k.block.y, k.block.z};
    kernel.tag = k.tag;
    return kernel;
}

gpusched_frontend_config to_c(const FrontEndConfig& config, uint32_t policy) {
    gpusched_frontend_config c;
    ok(gpusched_frontend_config_init(&c, sizeof c, GPUSCHED_GPU_K20C));
    ok(gpusched_frontend_config_ideal(&c));
    c.n_smx = config.n_smx;
    c.pend_limit = config.pend_limit;
    c.lat_stream = config.lat_stream;
    c.gpb_b = config.gpb_b;
    c.policy = policy;
    return c;
}

// A front end; what is not a cycle.
class FrontEndOfC {
public:
    using Groups = gpusched_group;
    using Kernels = gpusched_kernel;

    static Groups group(const Kernel& kernel) { return {to_c(kernel), 0}; }
    static Kernels kernel(const Kernel& kernel) { return to_c(kernel); }

    FrontEndOfC(const FrontEndConfig& config, uint32_t policy) {
        gpusched_frontend_config c = to_c(config, policy);
        gpusched_layout layout;
        ok(gpusched_frontend_layout(&c, &layout));
        block = storage(layout);
        ok(gpusched_frontend_init(block.data(), layout.size, &c, &gpu));
    }

    void host_launch(const Kernel& kernel) {
        gpusched_kernel c = to_c(kernel);
        ok(gpusched_frontend_host_launch(gpu, 0, &c, 1, nullptr));
    }

    void device_launch(const Kernels& kernel) { ok(gpusched_frontend_device_launch(gpu, 0, 0, &kernel, 1, nullptr)); }
    void agg_launch(const Groups& group) { ok(gpusched_frontend_agg_launch(gpu, 0, 0, &group, 1, nullptr)); }
    void tb_done(Place place) { ok(gpusched_frontend_tb_done(gpu, place.smx, place.slot)); }

    uint32_t records_in_use() const {
        uint32_t count;
        ok(gpusched_frontend_records_in_use(gpu, &count));
        return count;
    }

protected:
    // Where a TB was put in the cycle that has ended, if one was.
    bool placed(Place& place) {
        const gpusched_decision* decisions;
        size_t count;
        ok(gpusched_frontend_take(gpu, &decisions, &count));
        for (size_t i = 0; i < count; i++) {
            if (decisions[i].kind != GPUSCHED_DECISION_KIND_TB) continue;
            place = {decisions[i].smx, decisions[i].slot};
            return true;
        }
        return false;
    }

    std::vector<uint64_t> block;
    gpusched_frontend* gpu = nullptr;
};

// It decides itself.
class ThroughC : public FrontEndOfC {
public:
    explicit ThroughC(const FrontEndConfig& config) : FrontEndOfC(config, GPUSCHED_POLICY_FCFS_RR) {}

    bool tick(Place& place) {
        ok(gpusched_frontend_tick(gpu, nullptr));
        return placed(place);
    }
};

// Its host decides: the first offer goes to the first SMX that is open to it, round robin.
class PolicyInCpp : public FrontEndOfC {
public:
    explicit PolicyInCpp(const FrontEndConfig& config) : FrontEndOfC(config, GPUSCHED_POLICY_TOLD), smxs(config.n_smx) {}

    bool tick(Place& place) {
        gpusched_offer offer;
        size_t count;
        ok(gpusched_frontend_begin(gpu, nullptr));
        ok(gpusched_frontend_offers(gpu, GPUSCHED_NONE, GPUSCHED_NONE, &offer, 1, &count, nullptr));
        if (count > 0) {
            uint32_t smx = first_open(offer);
            if (smx < smxs) {
                ok(gpusched_frontend_send(gpu, offer.id, smx, nullptr));
                turn = smx + 1 < smxs ? smx + 1 : 0;
            }
        }
        ok(gpusched_frontend_end(gpu, nullptr, nullptr));
        return placed(place);
    }

private:
    // From the turn on; `smxs` if there is none.
    uint32_t first_open(const gpusched_offer& offer) const {
        for (uint32_t i = 0, smx = turn; i < smxs; i++) {
            if (offer.open.words[smx / 64] >> (smx % 64) & 1) return smx;
            if (++smx == smxs) smx = 0;
        }
        return smxs;
    }

    uint32_t smxs, turn = 0;
};

class BindThroughC {
public:
    explicit BindThroughC(const BindConfig& config) {
        gpusched_laperm_config c;
        ok(gpusched_laperm_config_init(&c, sizeof c));
        c.smxs = config.smxs;
        c.pool_cap = config.pool_cap;
        gpusched_layout layout;
        ok(gpusched_laperm_layout(&c, &layout));
        block = storage(layout);
        ok(gpusched_laperm_init(block.data(), layout.size, &c, &machine));
    }

    void push(uint64_t now, uint32_t smx) { ok(gpusched_laperm_push_child(machine, now, now, 1, &TB, smx, 2, nullptr)); }
    void tb_done(uint64_t now, uint32_t smx) { ok(gpusched_laperm_tb_done(machine, now, smx, &TB, GPUSCHED_NONE, nullptr)); }

    bool tick(uint64_t now, uint32_t& smx) {
        gpusched_laperm_sent sent;
        ok(gpusched_laperm_tick(machine, now, &sent));
        smx = sent.smx;
        return sent.sched == GPUSCHED_LAPERM_SCHED_TB && sent.stage == GPUSCHED_LAPERM_STAGE_UNIT;
    }

private:
    static constexpr gpusched_resources TB{64, 0, 0, 1};
    std::vector<uint64_t> block;
    gpusched_laperm* machine = nullptr;
};

class GraphThroughC {
public:
    using Entry = uint64_t;

    // As the nodes lie in memory.
    static Entry node(const Node& n) {
        return uint64_t(n.start) | uint64_t(n.childless) << 31 | uint64_t(n.parents) << 32 | uint64_t(n.level) << 48;
    }

    explicit GraphThroughC(const GraphConfig& config) {
        gpusched_dgb_config c;
        ok(gpusched_dgb_config_init(&c, sizeof c, GPUSCHED_DGB_PRESET_GTX480_LRR));
        c.smxs = config.smxs;
        gpusched_layout layout;
        ok(gpusched_dgb_layout(&c, &layout));
        block = storage(layout);
        ok(gpusched_dgb_init(block.data(), layout.size, &c, &buffer));
        for (uint32_t smx = 0; smx < config.smxs; smx++) all.words[smx / 64] |= uint64_t(1) << (smx % 64);
    }

    void launch(uint32_t nodes, uint32_t edges) {
        gpusched_dgb_header header{};
        header.v = nodes;
        header.e = edges;
        header.policy = GPUSCHED_NONE;
        ok(gpusched_dgb_launch(buffer, 0, &header, nullptr));
    }

    bool complete(uint32_t node) {
        gpusched_dgb_report report;
        ok(gpusched_dgb_complete(buffer, node, &report, nullptr));
        return report.finished != 0;
    }

    bool answer(const Entry* nodes, const uint16_t* edges) {
        gpusched_dgb_request request;
        ok(gpusched_dgb_poll(buffer, &request, nullptr));
        if (!request.present) return false;
        if (request.kind == GPUSCHED_DGB_KIND_NODES) {
            ok(gpusched_dgb_nodes(buffer, request.tag, nodes + request.first, request.count, nullptr, nullptr));
        } else {
            ok(gpusched_dgb_edges(buffer, request.tag, edges + request.first, request.count, nullptr, nullptr));
        }
        return true;
    }

    bool select(uint32_t& node) {
        gpusched_dgb_selection selection;
        ok(gpusched_dgb_select(buffer, &all, &selection, nullptr));
        node = selection.node;
        return selection.sched == GPUSCHED_DGB_SCHED_DISPATCH;
    }

private:
    std::vector<uint64_t> block;
    gpusched_dgb* buffer = nullptr;
    gpusched_smx_set all{};
};

std::unique_ptr<Steady> make(const std::string& driver, const std::string& operation, uint32_t smxs, uint32_t pending) {
    if (driver == "cpp-policy") return operation == "rr" ? std::make_unique<Dispatch<PolicyInCpp>>(smxs, pending) : nullptr;
    if (operation == "rr") return std::make_unique<Dispatch<ThroughC>>(smxs, pending);
    if (operation == "idle") return std::make_unique<Idle<ThroughC>>(smxs, pending);
    if (operation == "dtbl") return std::make_unique<Dtbl<ThroughC>>(smxs, pending);
    if (operation == "bind") return std::make_unique<Bind<BindThroughC>>(smxs, pending);
    if (operation == "dats") return std::make_unique<Lrr<GraphThroughC>>(smxs, pending);
    return nullptr;
}

}  // namespace
}  // namespace comparator

int main() {
    comparator::serve(comparator::make, [](const std::string& command, std::istream&) {
        throw std::invalid_argument("there is no command `" + command + "`");
    });
}
