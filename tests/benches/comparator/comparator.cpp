// The schedulers as one writes them by hand, as a program: it serves rows (serve.hpp) and steps of golden vectors (replay.hpp). It is one
// translation unit, so that the compiler sees all of it at once, as it does of gpusched:
//
//   c++ -std=c++17 -O3 -march=native tests/benches/comparator/comparator.cpp -o comparator
#include "adaptive_bind.cpp"
#include "cycle.cpp"
#include "frontend.cpp"
#include "graph_buffer.cpp"
#include "operations.hpp"
#include "replay.cpp"
#include "serve.hpp"

namespace comparator {
namespace {

// What the parent of all launches runs on.
constexpr uint32_t PARENT_SMX = 0, PARENT_SLOT = 0;

// A front end that is read as a host reads it: where a TB was put is among what was decided.
class ByHand {
public:
    using Groups = std::vector<GroupLaunch>;
    using Kernels = std::vector<Kernel>;

    static Groups group(const Kernel& kernel) { return {{kernel, 0}}; }
    static Kernels kernel(const Kernel& kernel) { return {kernel}; }

    explicit ByHand(const FrontEndConfig& config) : gpu(config) {}

    void host_launch(const Kernel& kernel) { gpu.host_launch(0, kernel, true); }
    void device_launch(const Kernels& kernels) { gpu.device_launch(PARENT_SMX, PARENT_SLOT, kernels); }
    void agg_launch(const Groups& groups) { gpu.agg_launch(PARENT_SMX, PARENT_SLOT, groups); }
    void tb_done(Place place) { gpu.tb_done(place.smx, place.slot); }
    uint32_t records_in_use() const { return gpu.records_in_use(); }

    bool tick(Place& place) {
        gpu.tick();
        bool sent = false;
        for (const Decision& decision : gpu.decisions) {
            if (decision.kind != Decision::Kind::Tb) continue;
            place = {decision.smx, decision.slot};
            sent = true;
            break;
        }
        gpu.decisions.clear();
        return sent;
    }

private:
    FrontEnd gpu;
};

constexpr Resources TB{64, 0, 0, 1};

class BindByHand {
public:
    explicit BindByHand(const BindConfig& config) : machine(config) {}

    void push(uint64_t now, uint32_t smx) { machine.push_child(now, now, 1, TB, smx, 2); }
    void tb_done(uint64_t now, uint32_t smx) { machine.tb_done(now, smx, TB); }

    // Whether a TB was sent by its own SMX's queue, and where.
    bool tick(uint64_t now, uint32_t& smx) {
        BindTick sent = machine.tick(now);
        if (sent.word != BindTick::Word::Dispatch || sent.stage != 1) return false;
        smx = *sent.smx;
        return true;
    }

private:
    AdaptiveBind machine;
};

class GraphByHand {
public:
    using Entry = Node;

    static Entry node(const Node& node) { return node; }

    explicit GraphByHand(const GraphConfig& config) : buffer(config), all(config.smxs, true) {}

    void launch(uint32_t nodes, uint32_t edges) { buffer.launch(0, nodes, edges, 0, 0); }
    // Whether the graph is finished.
    bool complete(uint32_t node) { return buffer.complete(node).finished; }

    // Answers what memory is asked, if it is.
    bool answer(const Entry* nodes, const uint16_t* edges) {
        std::optional<Request> request = buffer.poll();
        if (!request) return false;
        if (request->nodes) {
            buffer.nodes(request->tag, nodes + request->first, request->count);
        } else {
            buffer.edges(request->tag, edges + request->first, request->count);
        }
        return true;
    }

    bool select(uint32_t& node) {
        Selection selection = buffer.select(all);
        node = selection.node;
        return selection.word == Selection::Word::Dispatch;
    }

private:
    GraphBuffer buffer;
    std::vector<bool> all;
};

std::unique_ptr<Steady> make(const std::string&, const std::string& operation, uint32_t smxs, uint32_t pending) {
    if (operation == "rr") return std::make_unique<Dispatch<ByHand>>(smxs, pending);
    if (operation == "idle") return std::make_unique<Idle<ByHand>>(smxs, pending);
    if (operation == "dtbl") return std::make_unique<Dtbl<ByHand>>(smxs, pending);
    if (operation == "bind") return std::make_unique<Bind<BindByHand>>(smxs, pending);
    if (operation == "dats") return std::make_unique<Lrr<GraphByHand>>(smxs, pending);
    return nullptr;
}

}  // namespace
}  // namespace comparator

int main() {
    comparator::Replay replay;
    comparator::serve(comparator::make, [&](const std::string& event, std::istream& fields) {
        replay.step(event, fields, std::cout);
        std::cout << std::endl;
    });
}
