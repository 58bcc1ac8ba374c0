// A simulator of nothing but launches and durations: kernels from the host, with and without dependency graphs, whose TBs launch
// kernels and aggregated groups. Its journal must equal that of tests/src/mini_simulator, the same program on the Rust core.
//
//   mini_simulator FIRST COUNT   one line per seed: seed, lines of its journal, their hash
//   mini_simulator SEED          the journal of a seed
#include "journal.hpp"

#include <array>
#include <cstdlib>
#include <map>
#include <set>

using namespace gpusched;

namespace {

// splitmix64.
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next() {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    // 0 to n - 1.
    std::uint32_t below(std::uint32_t n) { return static_cast<std::uint32_t>(((next() >> 32) * n) >> 32); }

private:
    std::uint64_t state_;
};

// FNV-1a.
template <class Bytes>
std::uint64_t hash(const Bytes& bytes) {
    std::uint64_t h = 0xcbf29ce484222325u;
    for (const auto byte : bytes) h = (h ^ static_cast<unsigned char>(byte)) * 0x100000001b3u;
    return h;
}

// What may happen in a cycle, in the order in which it is reported. An event is its cycle, this, and then
// SMX and slot | record | tag | number | entry | SMX, slot and number | number.
enum Rank : std::uint64_t { kDone, kLoaded, kAnswered, kGate, kUnretain, kLaunch, kHost };
using Event = std::array<std::uint64_t, 5>;

constexpr std::uint32_t kGates = 4;

// Programs 0, 1 and 2 differ in everything that a group and its kernel must share.
Kernel program(std::uint32_t p, Dim3 grid, std::uint64_t tag) {
    Kernel k = kernel(p + 1, grid, dim3(64u << p), tag);
    k.regs = 2048 * (p + 1);
    k.smem = 1024 * p;
    return k;
}

class Simulator {
public:
    explicit Simulator(std::uint64_t seed) : random_(seed), config_(configure()) {
        stepping_ = random_.below(2) == 0;
        auto made = FrontEnd::create(config_);
        if (!made) std::abort();
        gpu_ = std::move(*made);
        for (std::uint32_t i = 0, n = 1 + random_.below(6); i < n; i++) events_.insert({random_.below(2000), kHost, i, 0, 0});
        for (std::uint32_t i = 1; i <= kGates; i++) events_.insert({i * 500 + random_.below(500), kGate, i, 0, 0});
    }

    const Journal& run() {
        while (true) {
            const std::uint64_t now = *gpu_.now();
            while (!events_.empty() && (*events_.begin())[0] <= now) {
                const Event event = *events_.begin();
                events_.erase(events_.begin());
                happen(event);
            }
            ask_memory();
            give_up_stuck_graph();
            if (events_.empty() && *gpu_.state() == State::Drained) break;
            const Status passed = stepping_ ? step() : skip();
            if (!passed) {
                journal_.line("stuck", passed.name());
                break;
            }
            obey_all();
        }
        obey_all();
        conclude();
        return journal_;
    }

private:
    Config configure() {
        Config c(random_.below(2) == 0 ? Gpu::K20c : Gpu::Gtx480);
        if (random_.below(2) == 0) c = c.ideal();
        c.n_smx = 1 + random_.below(16);
        c.tb_slots = 1 + random_.below(16);
        c.n_hwq = 1 + random_.below(32);
        c.n_kde = 2 + random_.below(31);
        c.hwq_depth = 1 + random_.below(4);
        c.pend_limit = 16u << random_.below(6);
        c.agt_size = 1u << random_.below(8);
        c.load_cycles = random_.below(200);
        c.turn_groups = random_.below(4);
        c.n_class = random_.below(3);
        c.pass_capped = random_.below(2);
        c.exclusive = random_.below(2);
        c = c.with(random_.below(2) == 0 ? KmuArb::Fcfs : KmuArb::Rr)
            .with(random_.below(2) == 0 ? HashScope::Smx : HashScope::Global)
            .with(random_.below(2) == 0 ? AgtMiss::Spill : AgtMiss::Device)
            .with(random_.below(2) == 0 ? Fallback::Direct : Fallback::Full)
            .with(random_.below(2) == 0 ? LoadMode::Fixed : LoadMode::External);
        return random_.below(2) == 0 ? with_graphs(c.with_dats()) : c;
    }

    // A buffer that is soon full.
    Config with_graphs(Config c) {
        c.dats_chunk_bytes = 8u << random_.below(4);
        c.dats_lna = c.dats_chunk_bytes / 8 + 1 + random_.below(20);
        c.dats_lea = 4 + random_.below(60);
        c.dats_pub_entries = random_.below(12);
        c = c.with(random_.below(2) == 0 ? dgb::Prefetch::ChunkFree : dgb::Prefetch::Eager)
                .with(random_.below(2) == 0 ? dgb::LevelRef::Incomplete : dgb::LevelRef::Active);
        c.dats_issue_needs_edges = random_.below(2);
        c.dats_spill = random_.below(2);
        c.pass_graph = random_.below(2);
        return c;
    }

    Status step() {
        if (events_.empty() && !*gpu_.next_event()) return Code::TimeOverflow;
        const auto tick = gpu_.tick();
        Words& w = words_;
        std::uint64_t* const sched[] = {&w.tb,     &w.idle,         &w.load,   &w.noroom,     &w.gated,  &w.capped,        &w.no_fit,
                                        &w.no_candidate, &w.masked, &w.g_no_ready, &w.g_head, &w.g_level_bound, &w.g_deadlock, &w.g_fault};
        std::uint64_t* const kmu[] = {&w.issue, &w.empty, &w.busy, &w.kdfull, &w.dgbusy};
        ++*sched[number(tick->sched())];
        ++*kmu[number(tick->kmu())];
        return tick.status();
    }

    Status skip() {
        const auto words = gpu_.advance(events_.empty() ? never : (*events_.begin())[0]);
        words_.tb += words->tb;
        words_.idle += words->idle;
        words_.load += words->load;
        words_.noroom += words->noroom;
        words_.gated += words->gated;
        words_.capped += words->capped;
        words_.issue += words->issue;
        words_.empty += words->empty;
        words_.busy += words->busy;
        words_.kdfull += words->kdfull;
        words_.g_no_ready += words->g_no_ready;
        words_.g_head += words->g_head;
        words_.g_level_bound += words->g_level_bound;
        words_.g_deadlock += words->g_deadlock;
        words_.g_fault += words->g_fault;
        words_.dgbusy += words->dgbusy;
        return words.status();
    }

    void happen(const Event& event) {
        const auto [cycle, rank, a, b, c] = event;
        const auto row = static_cast<std::uint32_t>(a);
        const SmxId smx{row};
        const SlotId slot{static_cast<std::uint32_t>(b)};
        switch (rank) {
        case kDone: return journal_.line(cycle, "> done", smx, slot, gpu_.tb_done(smx, slot).name());
        case kLoaded: return journal_.line(cycle, "> loaded", row, gpu_.spill_loaded(RecordId{row}).name());
        case kAnswered: return answer(cycle, row);
        case kGate: return gate(cycle, row);
        case kUnretain: return journal_.line(cycle, "> unretain", row, gpu_.unretain(KernelSlot{row}).name());
        case kLaunch: return random_.below(2) == 0 ? launch_kernels(cycle, smx, slot) : launch_groups(cycle, smx, slot);
        default: return launch_from_host(cycle, a);
        }
    }

    void launch_from_host(std::uint64_t cycle, std::uint64_t number) {
        const std::uint32_t stream = random_.below(8), p = random_.below(3);
        const std::uint32_t x = random_.below(8), y = 1 + random_.below(3);
        const bool retain = random_.below(4) == 0;
        const Kernel kernel = program(p, dim3(x, y), tag());
        const bool has_graph = config_.dats != 0 && random_.below(2) == 0;
        const auto queue = has_graph ? launch_graph(stream, kernel, retain) : gpu_.host_launch(stream, kernel, retain);
        journal_.line(cycle, "> host", stream, queue.status().name(), *queue);
        parents_.push_back(true);
        retained_.push_back(retain);
        if (queue.status() == Code::HwqFull) events_.insert({cycle + 100, kHost, number, 0, 0});
    }

    // A kernel whose TBs each need some of those before them.
    Result<HwqId> launch_graph(std::uint32_t stream, Kernel kernel, bool retain) {
        kernel.grid.y *= 4;
        const std::uint32_t x = kernel.grid.x, bound = random_.below(4);
        const dgb::Policy policy = random_.below(2) == 0 ? dgb::Policy::lrr() : dgb::Policy::lvl(bound);
        auto graph = dgb::build(kernel.grid, 3 * x * kernel.grid.y, [&](Dim3 block, dgb::Links& links) {
            const std::uint32_t tb = block.x + x * block.y;
            for (std::uint32_t i = 0, n = tb == 0 ? 0 : random_.below(4); i < n; i++) {
                const std::uint32_t parent = random_.below(tb);
                links.add_dependency(parent % x, parent / x);
            }
            links.set_policy(policy);
        });
        if (!graph) {
            journal_.line("no graph", graph.status().name());
            return graph.status();
        }
        const std::uint64_t base = tag() << 16;
        const dgb::Header header = graph->header(base, base + (1u << 15));
        std::vector<std::uint32_t> scratch(header.v);
        const auto verdict = dgb::admit(*gpu_.dgb_config(), graph->nodes(), graph->edges(), scratch);
        journal_.line("graph", header.v, header.e, graph->levels(), "admit", verdict->verdict(), verdict->node());
        const auto queue = gpu_.host_launch_graph(stream, kernel, retain, header);
        graphs_.emplace(tag(), Memory{{graph->nodes().begin(), graph->nodes().end()}, *std::move(graph)});
        return queue;
    }

    // Asks for what is due, and sees to it that it is answered.
    void ask_memory() {
        if (config_.dats == 0) return;
        while (const auto request = *gpu_.graph_poll()) {
            const char* const kinds[] = {"nodes", "edges", "decrement"};
            const bool spills = request->kind() == dgb::Kind::Decrement;
            const std::uint32_t first = spills ? number(request->node()) : request->first(), count = spills ? 1 : request->count();
            journal_.line("request", kinds[number(request->kind())], request->tag(), first, count, request->addr());
            requests_.insert({request->tag(), {*request, gpu_.kde(**gpu_.dgb_owner())->tag()}});
            events_.insert({*gpu_.now() + random_.below(150), kAnswered, request->tag(), 0, 0});
        }
    }

    // Memory answers.
    void answer(std::uint64_t cycle, std::uint32_t tag) {
        const auto [request, of] = requests_.at(tag);
        requests_.erase(tag);
        Memory& memory = graphs_.at(of);
        const auto answered = [&, r = request]() {
            if (r.kind() == dgb::Kind::Nodes) return gpu_.graph_nodes(tag, dgb::asked(r, Span<const std::uint64_t>(memory.nodes)));
            if (r.kind() == dgb::Kind::Edges) return gpu_.graph_edges(tag, dgb::asked(r, memory.graph.edges()));
            std::uint64_t& node = memory.nodes[number(r.node())];
            node = dgb::Node(node).with_parent_done().bits();
            return gpu_.graph_spilled(tag);
        }();
        journal_.line(cycle, "> answer", tag, answered.status().name(), answered->finalised(), answered->updates(), answered->pub_in(),
                      answered->pub_out(), answered->inserted(), answered->readied(), answered->finished());
        // A node that is too large for this buffer: no other answer would do.
        if (answered.status() == Code::BadGraph) abort_owner(cycle);
    }

    // A graph whose window can never move again is given up when its last TB has ended.
    void give_up_stuck_graph() {
        if (const auto s = gpu_.dgb_state(); s && s->deadlock() && s->executing() == 0) abort_owner(*gpu_.now());
    }

    void abort_owner(std::uint64_t cycle) { abort_graph(cycle, **gpu_.dgb_owner()); }

    void abort_graph(std::uint64_t cycle, KernelSlot kde) {
        journal_.line(cycle, "> abort graph", kde, gpu_.abort_graph(kde).name());
    }

    void launch_kernels(std::uint64_t cycle, SmxId smx, SlotId slot) {
        std::vector<Kernel> kernels;
        for (std::uint32_t i = 0, lanes = 1 + random_.below(8); i < lanes; i++) kernels.push_back(child());
        std::array<std::uint32_t, 8> records{};
        const Status status = gpu_.device_launch(smx, slot, kernels, records);
        journal_.line(cycle, "> kernels", smx, slot, static_cast<std::uint32_t>(kernels.size()), status.name());
        launched(status, kernels.size(), records);
    }

    void launch_groups(std::uint64_t cycle, SmxId smx, SlotId slot) {
        std::vector<Group> groups;
        for (std::uint32_t i = 0, lanes = 1 + random_.below(8); i < lanes; i++) {
            const Kernel kernel = child();
            groups.push_back(Group{kernel, random_.below(config_.threads)});
        }
        std::array<std::uint32_t, 8> records{};
        const Status status = gpu_.agg_launch(smx, slot, groups, records);
        journal_.line(cycle, "> groups", smx, slot, static_cast<std::uint32_t>(groups.size()), status.name());
        launched(status, groups.size(), records);
    }

    void launched(Status status, std::size_t lanes, const std::array<std::uint32_t, 8>& records) {
        for (std::size_t i = 0; status.ok() && i < lanes; i++) journal_.line("record", records[i]);
    }

    Kernel child() {
        const std::uint32_t p = random_.below(3);
        const Dim3 grid = dim3(random_.below(40) == 0 ? 0 : 1 + random_.below(6));
        parents_.push_back(false);
        retained_.push_back(false);
        return program(p, grid, parents_.size() - 1);
    }

    // The name of the next launch.
    std::uint64_t tag() const { return parents_.size(); }

    // Closes gates, and opens them all at last.
    void gate(std::uint64_t cycle, std::uint32_t n) {
        const std::uint32_t n_smx = config_.n_smx, slots = config_.tb_slots;
        SmxSet eligible;
        for (std::uint32_t i = 0; i < n_smx; i++) {
            if (random_.below(4) != 0 || n == kGates) eligible.insert(SmxId{i});
        }
        journal_.line(cycle, "> eligible", gpu_.set_eligible(eligible).name());
        const SmxId smx{random_.below(n_smx + 1)};
        journal_.line(cycle, "> block cap", gpu_.set_block_cap(smx, random_.below(slots + 2)).name());
        const ClassId cls{random_.below(config_.n_class + 1)};
        journal_.line(cycle, "> class", gpu_.set_class(cls, 1 + random_.below(3)).name());
        const std::uint32_t cap = random_.below(slots + 2), by = random_.below(3);
        journal_.line(cycle, "> class cap", gpu_.set_class_cap(cls, smx, cap, by).name());
        if (random_.below(4) == 0) journal_.line(cycle, "> clear class", gpu_.clear_class(cls).name());
        for (std::uint32_t i = 0; n == kGates && i < n_smx; i++) {
            (void)gpu_.set_block_cap(SmxId{i}, slots);
            for (std::uint32_t k = 0; k < config_.n_class; k++) (void)gpu_.set_class_cap(ClassId{k}, SmxId{i}, slots);
        }
        if (config_.dats != 0 && random_.below(4) == 0) {
            const KernelSlot any{random_.below(4)};
            abort_graph(cycle, gpu_.dgb_owner()->value_or(any));
        }
        for (std::uint32_t p = 0; p < 3; p++) journal_.line("joins", p, *gpu_.eligible_kernel(program(p, dim3(1), 0)));
        journal_.snapshot(gpu_);
        change_machine();
    }

    // Goes on with a copy of the machine, made of its image.
    void change_machine() {
        obey_all();
        std::vector<std::byte> image(*gpu_.image_size());
        const auto saved = gpu_.save(image);
        auto copy = FrontEnd::from_image(image);
        journal_.line("image", saved.status().name(), copy.status().name(), *saved, hash(image));
        gpu_ = std::move(*copy);
    }

    void obey_all() {
        for (const Decision decision : *gpu_.take()) obey(decision);
    }

    void obey(const Decision& d) {
        journal_.decision(d);
        const std::uint64_t next = d.cycle() + 1;
        if (d.kind() == Kind::Tb) {
            const std::uint64_t smx = number(d.smx()), slot = number(d.slot());
            const std::uint32_t duration = 1 + random_.below(400);
            for (std::uint32_t i = 0, n = parents_[d.tag()] ? random_.below(3) : 0; i < n; i++) {
                events_.insert({next + random_.below(duration), kLaunch, smx, slot, i});
            }
            events_.insert({next + duration, kDone, smx, slot, 0});
        } else if (d.kind() == Kind::Load && config_.load_mode == number(LoadMode::External)) {
            events_.insert({next + random_.below(100), kLoaded, number(d.record()), 0, 0});
        } else if (d.kind() == Kind::Arrive && retained_[d.tag()]) {
            events_.insert({next + random_.below(3000), kUnretain, number(d.kde()), 0, 0});
        }
    }

    void conclude() {
        const Stats s = *gpu_.stats();
        journal_.line("stats", s.kde_hit, s.kde_miss, s.agt_hit, s.agt_spill, s.dyn_n, s.dyn_wait, s.tbs, s.warp_cycles, s.ticks,
                      s.rec_peak, s.gated, s.capped, s.passed, s.graph_tbs);
        const Words w = words_;
        journal_.line("words", w.tb, w.idle, w.load, w.noroom, w.gated, w.capped, w.issue, w.empty, w.busy, w.kdfull);
        journal_.line("graphs", w.g_no_ready, w.g_head, w.g_level_bound, w.g_deadlock, w.g_fault, w.dgbusy);
    }

    Random random_;
    Config config_;
    bool stepping_ = false;
    FrontEnd gpu_;
    std::set<Event> events_;
    // By tag: whether its TBs launch, and whether it was launched with retain.
    std::vector<bool> parents_, retained_;
    // By tag: a graph, and its node array as it is now.
    struct Memory {
        std::vector<std::uint64_t> nodes;
        dgb::Graph graph;
    };
    std::map<std::uint64_t, Memory> graphs_;
    // By tag: requests without answer, and whose graph they are about.
    std::map<std::uint32_t, std::pair<dgb::Request, std::uint64_t>> requests_;
    Words words_{};
    Journal journal_;
};

}  // namespace

int main(int argc, char** argv) {
    const auto argument = [&](int i) { return static_cast<std::uint64_t>(std::strtoull(argv[i], nullptr, 10)); };
    if (argc == 2) {
        std::fputs(Simulator(argument(1)).run().text().c_str(), stdout);
    }
    for (std::uint64_t i = 0; argc == 3 && i < argument(2); i++) {
        Simulator simulator(argument(1) + i);
        const Journal& journal = simulator.run();
        const auto h = static_cast<unsigned long long>(hash(journal.text()));
        std::printf("%llu %zu %llx\n", static_cast<unsigned long long>(argument(1) + i), journal.lines(), h);
    }
    return argc == 2 || argc == 3 ? EXIT_SUCCESS : EXIT_FAILURE;
}
