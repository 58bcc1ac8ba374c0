// Runs the host program against the logic of rtl/ under faults, and holds it to a front end that is driven directly.
//
//   bench                 the tests of single properties, then all runs; fails if a kind of fault never happened
//   bench --short         the same with a quarter of the load, and without asking what happened
//   bench --directed      the tests of single properties
//   bench --run N [SEED]  one run
//   bench --speed         what an event costs the host program
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "board.hpp"
#include "directed.hpp"
#include "speed.hpp"

namespace bench {
namespace {

struct Run {
    const char* name;
    Load load;
    Faults faults;
    bool exact = false;
    std::uint32_t origin = 0;
};

gpusched::Config machine() {
    auto c = gpusched::Config(gpusched::Gpu::K20c).ideal();
    c.n_smx = Board::kSmxs;
    c.tb_slots = Board::kSlots;
    c.n_kde = 6;
    c.n_hwq = 4;
    c.hwq_depth = 4;
    c.pend_limit = 128;
    c.agt_size = 16;
    c.load_cycles = 40;
    c.susp_cap = 4;
    c.n_class = 2;
    c.lat_dispatch = 20;
    c.kmu_interval = 20;
    return c;
}

gpusched::Config groups_external() { return machine().with(gpusched::LoadMode::External); }

gpusched::Config kernels_fifo() { return machine().with(&gpusched::Config::decisions, 1); }

gpusched::Config laperm() {
    auto c = machine().with(gpusched::laperm::Policy::AdaptiveBind);
    c.laperm_queue_cap = 8;
    c.laperm_q0_cap = c.n_kde;
    c.laperm_pool_cap = c.pend_limit + c.n_kde;
    c.laperm_cluster = 1;
    return c;
}

gpusched::Config bubbles() {
    auto c = machine().with_bubble();
    c.bubble_sample_cycles = 3000;
    c.bubble_t_num = 1;
    c.bubble_t_den = 8;
    return c;
}

gpusched::Config graphs() {
    auto c = machine().with_dats();
    c.dats_lna = 40;
    c.dats_lea = 64;
    c.dats_pub_entries = 16;
    c.dats_chunk_bytes = 256;
    c.dats_spill = 1;
    c.pass_graph = 1;
    return c;
}

Load load(const gpusched::Config& config, std::uint64_t cycles, std::uint32_t interval) {
    Load l;
    l.config = config;
    l.cycles = cycles;
    l.interval = interval;
    return l;
}

std::vector<Run> runs() {
    const Faults none{};
    Faults lossy, all;
    lossy.lost_interrupt = 3, lossy.lost_doorbell = 3, lossy.timeout = 700;
    all = lossy;
    all.idle_service = 5, all.repeated_doorbell = 4, all.repeated_entry = 6, all.stale_entry = 6, all.repeated_write = 6;
    all.stale_index = 5, all.slow_bus = 20, all.slow_host = 20, all.slow_gpu = 80, all.slow_post = 80;
    // Where the GPU waits for the host in each cycle, the waits are short.
    Faults all_exact = all;
    all_exact.timeout = 150, all_exact.slow_host = 300;
    Faults crowded = none;
    crowded.slow_host = 10, crowded.slow_gpu = 30, crowded.repeated_entry = 10, crowded.stale_entry = 10;

    std::vector<Run> r;
    // Nothing is lost, and the host never looks unasked: doorbells alone must do.
    r.push_back({"doorbells alone", load(groups_external(), 400000, 12000), none, false, 0});
    r.back().load.groups = r.back().load.kernels = true;
    r.push_back({"doorbells alone, exact", load(machine(), 16000, 500), none, true, 0x7ffffff0});
    r.back().load.groups = r.back().load.kernels = r.back().load.gates = true;
    r.push_back({"lost doorbells", load(kernels_fifo(), 400000, 10000), lossy, false, 0xffffff00});
    r.back().load.kernels = r.back().load.suspends = true;
    r.push_back({"full rings", load(graphs(), 60000, 1500), crowded, false, 0xfffffff0});
    r.back().load.graphs = r.back().load.groups = true;
    r.push_back({"all faults, groups", load(groups_external(), 700000, 15000), all, false, 0xfffffe00});
    r.back().load.groups = r.back().load.kernels = r.back().load.gates = r.back().load.errors = r.back().load.suspends = true;
    r.push_back({"all faults, LaPerm", load(laperm(), 400000, 15000), all, false, 5});
    r.back().load.groups = r.back().load.errors = true;
    r.push_back({"all faults, bubbles", load(bubbles(), 500000, 20000), all, false, 0x80000000});
    r.back().load.groups = r.back().load.gates = true;
    r.push_back({"all faults, graphs", load(graphs(), 800000, 15000), all, false, 0x12345678});
    r.back().load.graphs = r.back().load.kernels = r.back().load.errors = true;
    r.push_back({"all faults, exact", load(graphs(), 5000, 300), all_exact, true, 0xfffff000});
    r.back().load.graphs = r.back().load.groups = r.back().load.gates = r.back().load.errors = r.back().load.suspends = true;
    for (std::size_t i = 0; i < r.size(); i++) r[i].load.seed = i + 1;
    return r;
}

std::string show(const Words& w) {
    std::string text;
    char word[16];
    for (unsigned i = 1; i < GPUSCHED_FPGA_GET(w[1], DECISION_WORDS) && i < w.size(); i++) {
        std::snprintf(word, sizeof word, " %x", w[i]);
        text += word;
    }
    return text;
}

std::string compare(const char* what, const std::vector<Words>& is, const std::vector<Words>& should) {
    for (std::size_t i = 0; i < is.size() || i < should.size(); i++) {
        if (i < is.size() && i < should.size() && is[i] == should[i]) continue;
        return std::string(what) + ": decision " + std::to_string(i) + " is" + (i < is.size() ? show(is[i]) : " none") + ", not" +
               (i < should.size() ? show(should[i]) : " any");
    }
    return "";
}

// The same load with no logic between: events act and decisions come in the cycle itself.
std::vector<Words> closed_loop(const Load& load, std::uint32_t origin) {
    Gpu gpu(load);
    Reference reference(load.config);
    std::uint32_t number = origin;
    std::size_t told = 0;
    for (std::uint64_t cycle = 0; !(gpu.finished() && reference.drained() && told == reference.log().size()); cycle++) {
        if (cycle > 100 * load.cycles) throw std::runtime_error("the direct run does not end");
        gpu.begin(cycle);
        const auto feed = [&](Event e) {
            e.number = number;
            e.entries = static_cast<std::uint32_t>(pack(e).size());
            number += e.entries;
            gpu.posted(e);
            reference.happen(e);
        };
        for (; !gpu.out().empty(); gpu.out().pop_front()) feed(gpu.out().front());
        Event time;
        time.cycle = cycle + 1;
        feed(time);
        for (; told < reference.log().size(); told++) gpu.obey(reference.log()[told]);
    }
    return reference.log();
}

struct Totals {
    std::uint64_t clocks = 0, events = 0, decisions = 0, tbs = 0;
    Coverage faults{};
    std::map<std::uint32_t, std::uint64_t> made, told, refused;
};

void add(Coverage& to, const Coverage& from) {
    static_assert(sizeof(Coverage) % sizeof(std::uint64_t) == 0);
    std::array<std::uint64_t, sizeof(Coverage) / sizeof(std::uint64_t)> a, b;
    std::memcpy(a.data(), &to, sizeof to);
    std::memcpy(b.data(), &from, sizeof from);
    for (std::size_t i = 0; i < a.size(); i++) a[i] += b[i];
    std::memcpy(&to, a.data(), sizeof to);
}

void show(const char* name, std::uint64_t clocks, std::uint64_t events, std::uint64_t decisions, std::uint64_t tbs) {
    std::printf("  %-24s %9llu clocks  %7llu events  %7llu decisions  %6llu TBs\n", name, static_cast<unsigned long long>(clocks),
                static_cast<unsigned long long>(events), static_cast<unsigned long long>(decisions), static_cast<unsigned long long>(tbs));
}

// What is wrong, or nothing.
std::string perform(const Run& run, Totals& totals) {
    Board board(run.load.seed);
    Machine machine(run.load.config);
    Gpu gpu(run.load);
    gpusched_fpga_host host;
    const gpusched_fpga_bus bus = board.bus();
    const std::uint32_t started = gpusched_fpga_start(&host, &bus, machine.c(), run.origin);
    if (started != 0) return std::string("start: ") + gpusched_fpga_status_str(started);
    board.attach(&gpu, run.faults, run.exact, run.origin);

    const std::uint64_t most = 60 * run.load.cycles * (run.exact ? 200 : 1);
    std::uint64_t progress = 0, progressed_at = 0;
    for (;;) {
        const bool woken = board.wait_for_interrupt();
        if (!board.failure().empty()) return board.failure();
        if (!woken) return "no doorbell for 100,000 clocks";
        const std::uint32_t status = gpusched_fpga_service(&host);
        if (!board.failure().empty()) return board.failure();
        const bool goes_on = status == 0 || status == GPUSCHED_FPGA_STATUS_BLOCKED;
        if (!goes_on) return std::string("the host stops: ") + gpusched_fpga_status_str(status);
        const bool all_read = status == 0 && board.quiet() && board.posted_entries() == host.counts.entries;
        if (all_read && gpu.finished() && machine.drained() && board.logic().decisions_taken) break;
        if (const std::uint64_t now = host.counts.entries + host.counts.posted; now != progress) {
            progress = now;
            progressed_at = board.clocks();
        } else if (board.clocks() - progressed_at > 300000) {
            return "no progress for 300,000 clocks";
        }
        if (board.clocks() > most)
            return "it does not end: " + gpu.unfinished() + (machine.drained() ? "" : "; the front end is not drained");
    }

    Coverage faults = board.coverage();
    faults.decision_ring_full = host.counts.blocked;
    if (const std::uint32_t error = board.read(GPUSCHED_FPGA_ERROR)) return "ERROR is " + std::to_string(error);
    if (host.counts.repeated != faults.repeated_entries + faults.stale_entries) return "not every repeated entry was dropped";
    Reference reference(run.load.config);
    for (const Event& e : board.events()) reference.happen(e);
    if (!reference.drained()) return "the front end that is driven directly is not drained";
    std::string difference = compare("against the same events", board.log(), reference.log());
    if (difference.empty() && run.exact) {
        std::vector<Words> should = closed_loop(run.load, run.origin);
        // The board goes on for some cycles after the end, and finds nothing more to do.
        difference = compare("against the same load", board.log(), should);
    }
    if (!difference.empty()) return difference;

    add(totals.faults, faults);
    totals.clocks += board.clocks();
    totals.events += board.events().size();
    totals.decisions += board.log().size();
    totals.tbs += gpu.tbs();
    for (const auto& [kind, n] : gpu.made()) totals.made[kind] += n;
    for (const auto& [kind, n] : gpu.told()) totals.told[kind] += n;
    for (const auto& [status, n] : gpu.refused()) totals.refused[status] += n;
    show(run.name, board.clocks(), board.events().size(), board.log().size(), gpu.tbs());
    return "";
}

// What never happened although it must: kinds of faults, of events, of decisions, of refusals.
int missing(const Totals& t) {
    int n = 0;
    const auto need = [&](const char* what, std::uint64_t count) {
        if (count == 0) std::printf("never happened: %s\n", what), n++;
    };
    const Coverage& f = t.faults;
    const std::pair<const char*, std::uint64_t> faults[] = {
        {"lost interrupts", f.lost_interrupts}, {"services without need", f.idle_services}, {"lost doorbells", f.lost_doorbells},
        {"repeated doorbells", f.repeated_doorbells}, {"repeated entries", f.repeated_entries}, {"stale entries", f.stale_entries},
        {"repeated writes", f.repeated_writes}, {"stale indices", f.stale_indices}, {"delayed accesses", f.delayed_accesses},
        {"clocks with a full event ring", f.event_ring_full}, {"services at a full decision ring", f.decision_ring_full},
        {"events in parts", f.in_parts}, {"index wraps", f.index_wrapped}};
    for (const auto& [what, count] : faults) {
        std::printf("  %-34s %9llu\n", what, static_cast<unsigned long long>(count));
        need(what, count);
    }
#define NEED_EVENT(name, code, least, greatest, parts) need("event " #name, t.made.count(code));
    GPUSCHED_FPGA_EACH_EVENT(NEED_EVENT)
#undef NEED_EVENT
    // All but those that no load here brings about: turns, and graphs whose memory contradicts itself.
    for (std::uint32_t kind = 1; kind <= 21; kind++) {
        const bool left_out = kind == GPUSCHED_DECISION_KIND_ROTATE || kind == GPUSCHED_DECISION_KIND_GRAPH_FAULT;
        if (!left_out) need(("decision " + std::to_string(kind)).c_str(), t.told.count(kind));
    }
    for (const std::uint32_t status : {GPUSCHED_FPGA_STATUS_BAD_KIND, GPUSCHED_FPGA_STATUS_BAD_WORDS, GPUSCHED_FPGA_STATUS_BAD_PARTS,
                                       GPUSCHED_FPGA_STATUS_AHEAD})
        need(gpusched_fpga_status_str(status), t.refused.count(status));
    for (const std::uint32_t status : {GPUSCHED_STATUS_HWQ_FULL, GPUSCHED_STATUS_PENDING_LIMIT, GPUSCHED_STATUS_TIME_BACKWARDS,
                                       GPUSCHED_STATUS_BAD_SMX, GPUSCHED_STATUS_STALE_TAG})
        need(gpusched_fpga_status_str(status), t.refused.count(status));
    return n;
}

int all(const std::vector<Run>& chosen, bool complete) {
    Totals totals;
    for (const Run& run : chosen) {
        std::string wrong;
        try {
            wrong = perform(run, totals);
        } catch (const std::exception& e) {
            wrong = e.what();
        }
        if (!wrong.empty()) {
            std::printf("%s: %s\n", run.name, wrong.c_str());
            return EXIT_FAILURE;
        }
    }
    show("together", totals.clocks, totals.events, totals.decisions, totals.tbs);
    return complete && missing(totals) != 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
    using namespace bench;
    const std::string what = argc > 1 ? argv[1] : "";
    std::vector<Run> chosen = runs();
    if (what == "--speed") return speed();
    if (what == "" || what == "--short" || what == "--directed") {
        if (const std::string wrong = directed(); !wrong.empty()) {
            std::printf("%s\n", wrong.c_str());
            return EXIT_FAILURE;
        }
        if (what == "--directed") return EXIT_SUCCESS;
        if (what == "--short")
            for (Run& run : chosen) run.load.cycles /= 4;
        return all(chosen, what == "");
    }
    const std::size_t n = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : chosen.size();
    if (what != "--run" || n >= chosen.size()) {
        std::fprintf(stderr, "usage: bench [--short | --directed | --run 0..%zu [SEED] | --speed]\n", chosen.size() - 1);
        return 2;
    }
    chosen = {chosen[n]};
    if (argc > 3) chosen[0].load.seed = std::strtoull(argv[3], nullptr, 10);
    return all(chosen, false);
}
