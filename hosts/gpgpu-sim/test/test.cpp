// Runs the adapter in the test host.
//
//   test FOLDER PROGRAMS [FIRST]     so many random programs of each kind, from this seed on; logs go to the folder, beside which
//                                    policies/ has those that `run` has compiled
//
// stock     the host with its own dispatch and with `gpgpusim_stock`: the same TBs in the same slots in the same cycles
// equal     the host with the front end attached, and the front end driven directly (direct.hpp): the same decisions, line by line
// any       any settings on any machine, where the host refuses TBs: each TB runs once, nothing hangs, the log holds together
// told      somebody else decides (told.hpp)
// settings  wrong settings: what the errors say
// sample    writes FOLDER/sample.log, which is docs/sample.log
#include "checks.hpp"
#include "direct.hpp"
#include "simulator.hpp"
#include "told.hpp"

#include <cstdlib>

using namespace gpusched::gpgpusim;

namespace test {

// A stock program, with the adapter or without.
void stock(std::uint64_t seed, const std::string& folder) {
    Program p = program(seed);
    p.settings = "[adapter]\ndispatch = 'gpgpusim_stock'\n";
    Simulator plain(p, false), with(p, false);
    const std::string log = folder + "/stock.log";
    {
        Adapter<Simulator> adapter(with, p.machine, settings_of(p, log));
        with.attach(&adapter);
        if (!with.run()) return failed("stock", seed, with.error());
    }
    if (!plain.run()) return failed("stock", seed, "without the adapter: " + plain.error());
    if (plain.starts() != with.starts() || plain.cycles() != with.cycles()) return failed("stock", seed, "other TBs than without the adapter");
    const LogRead read = read_log(log, true);
    if (!read.wrong.empty()) return failed("stock", seed, read.wrong);
    if (read.kinds.at("tb") != with.starts().size()) return failed("stock", seed, "TBs are missing in the log");
    seen["stock TBs"] += with.starts().size();
    seen[p.machine.concurrent ? "stock concurrent" : "stock default"]++;
}

void equal(std::uint64_t seed, const std::string& folder) {
    Program p = program(seed);
    Random random(seed ^ 0x5eed);
    p.machine.concurrent = true, p.contiguous = false;
    p.settings = attachments(random, true);
    const std::string log = folder + "/attached.log", reference = folder + "/direct.log";
    const Settings settings = settings_of(p, log);
    // Samples of the bubble controller must be seen when they are due: they change clocks.
    p.skip_idle = settings.config.bubble == 0 && random.one_in(2);
    Simulator simulator(p, true);
    {
        Adapter<Simulator> adapter(simulator, p.machine, settings);
        simulator.attach(&adapter);
        if (!simulator.run()) return failed("equal", seed, simulator.error());
        if (adapter.counts().refused != 0) return failed("equal", seed, "the simulator refused a TB");
        seen["equal bypassing TBs"] += simulator.bypasses();
        seen["equal clock edges left out"] += simulator.skipped();
        seen["equal cycles not shown"] += simulator.idle();
    }
    {
        Direct direct(p, settings, reference);
        if (!direct.run(simulator.cycles(), simulator.arrivals())) return failed("equal", seed, "the reference was refused something");
    }
    const LogRead read = read_log(log, false);
    if (!read.wrong.empty()) return failed("equal", seed, read.wrong);
    std::vector<std::string> wanted;
    std::ifstream file(reference);
    for (std::string line; std::getline(file, line);) wanted.push_back(line);
    wanted.erase(wanted.begin());
    wanted.pop_back();
    for (std::size_t i = 0; i < std::max(wanted.size(), read.decisions.size()); i++) {
        const std::string& a = i < read.decisions.size() ? read.decisions[i] : "nothing";
        const std::string& b = i < wanted.size() ? wanted[i] : "nothing";
        if (a != b) return failed("equal", seed, "decision " + std::to_string(i) + " is " + a + ", directly " + b);
    }
    see(read, "equal ");
    seen["equal decisions"] += wanted.size();
}

void any(std::uint64_t seed, const std::string& folder) {
    Program p = program(seed);
    Random random(seed ^ 0xa11);
    p.settings = attachments(random, p.machine.concurrent);
    const bool few_records = random.one_in(3);
    p.skip_idle = random.one_in(2);
    Settings settings = settings_of(p, folder + "/any.log");
    if (few_records && !settings.set("dtbl.pend_limit=4")) return failed("any", seed, settings.error());
    Simulator simulator(p, false);
    {
        Adapter<Simulator> adapter(simulator, p.machine, settings);
        simulator.attach(&adapter);
        simulator.hold([](void* of, std::uint32_t sm, std::uint32_t slot, bool held) { static_cast<Adapter<Simulator>*>(of)->hold(sm, slot, held); }, &adapter);
        if (!simulator.run()) return failed("any", seed, simulator.error());
        seen["any TBs refused"] += adapter.counts().refused;
        seen["any launches left to the simulator"] += adapter.counts().launches_left;
        seen["any kernels kept for what they launched"] += simulator.kept();
    }
    const LogRead read = read_log(folder + "/any.log", false);
    if (!read.wrong.empty()) return failed("any", seed, read.wrong);
    see(read, "any ");
}

// Settings, and how the error begins. Empty: there is none.
void wrong_settings(const std::string& folder) {
    const std::string edges = folder + "/edges.txt";
    const auto write = [&](const std::string& text) { std::ofstream(edges) << text; };
    struct Case {
        std::string text, error;
    };
    const std::string attach = "[adapter]\ndispatch = 'gpusched'\n", graph = attach + "[graphs]\n'kernel A' = '" + edges + "'\n";
    const Case cases[] = {
        {"base = 'k21'\n", "t.toml:1: base: expected one of `gtx480`, `gtx680`"},
        {"\n\nx = 1\n", "t.toml:3: x: expected a section [x]"},
        {"[dtbl]\nagt_size = 1000\n", "t.toml:2: dtbl.agt_size = 1000: expected a power of two from 1 to 65536"},
        {"[dtbl]\nagt_size = '8'\n", "t.toml:2: dtbl.agt_size = \"8\": expected a power of two"},
        {"[dtbl]\nn_kde = 65\n", "t.toml:2: dtbl.n_kde = 65: expected an integer from 1 to 64"},
        {"[dtbl]\nn_kde = -1\n", "t.toml:2: dtbl.n_kde = -1: expected an integer from 1 to 64"},
        {"[dtbl]\n\nkmu_arb = 'lifo'\n", "t.toml:3: dtbl.kmu_arb = \"lifo\": expected one of `fcfs`, `rr`"},
        {"[dtbl]\nexclusive = 1\n", "t.toml:2: dtbl.exclusive = 1: expected `true` or `false`"},
        {"[dtbl]\nagt = 1\n", "t.toml:2: dtbl.agt: no such parameter"},
        {"[dtbl]\nload_mode = 'external'\n", "t.toml:2: dtbl.load_mode: the adapter knows `fixed` only"},
        {"[sm]\ncount = 3\n", "t.toml:2: sm.count: not set here; it follows the simulator's configuration"},
        {"[l1]\nsets = 3\n", "t.toml:2: no section `l1`; there are `adapter`, `dtbl`"},
        {"[dats]\npub = 65536\n", "t.toml:2: dats.pub_entries = 65536: expected an integer from 0 to 65535"},
        {"[adapter]\ndispatch = 'rr'\n", "t.toml:2: adapter.dispatch = \"rr\": expected one of `gpgpusim_stock`, `gpusched`"},
        {"[adapter]\ndispatch = 'most-rom'\n", "t.toml:2: adapter.dispatch = \"most-rom\": expected one of `gpgpusim_stock`, `gpusched`, `round-robin`"},
        {"[adapter]\ndevice = 'cdp'\n", "t.toml:2: adapter.device = \"cdp\": expected one of `simulator`"},
        {"[adapter]\ngraph_policy = 'lvl:65536'\n", "t.toml:2: adapter.graph_policy = \"lvl:65536\": expected lrr, or lvl:BOUND"},
        {"[adapter]\nideal = 'no'\n", "t.toml:2: adapter.ideal = \"no\": expected `true` or `false`"},
        {"[limits]\na = { tbs = 1, bypass = 2 }\n", "t.toml:2: limits.a: expected { tbs = N }"},
        {"[limits]\na = 3\n", "t.toml:2: limits.a = 3: expected { tbs = N }"},
        {"[dtbl\n", "t.toml:1: "},
        {"[dtbl]\nn_kde = 3\nn_kde = 4\n", "t.toml:3: "},
        // What does not go together.
        {"[dtbl]\npolicy = 'laperm'\n", "gpusched: t.toml: dtbl.policy = \"laperm\" needs adapter.dispatch"},
        {"[bubble]\nenabled = true\n", "gpusched: t.toml: bubble.enabled = true needs adapter.dispatch"},
        {attach + "[dtbl]\npolicy = 'laperm'\nturn_groups = 4\n", "gpusched: t.toml:5: dtbl.turn_groups = 4: "},
        {attach + "[laperm]\ncluster = 9\n[dtbl]\npolicy = 'laperm'\n", "gpusched: t.toml:4: laperm.cluster = 9: expected an integer from 1 to 4"},
        {attach + "[dtbl]\nn_hwq = 1\n", "gpusched: t.toml: dtbl.n_hwq = 1: the simulator runs 8 kernels"},
        {attach + "device = 'groups'\n", "gpusched: t.toml: adapter.device needs -gpgpu_concurrent_kernel_sm 1"},
        {attach + "log = '/no/such/folder/log'\n", "gpusched: /no/such/folder/log: cannot be written"},
        // Graphs: seen when the kernel arrives.
        {attach + "[graphs]\n'kernel A' = 'nothing.txt'\n", "gpusched: kernel 1 (kernel A): nothing.txt: cannot be read"},
        {attach + "[graphs]\n'kernel A' = 'given'\n", "gpusched: kernel 1 (kernel A): no graph was given"},
        {graph, ""},
    };
    Program p;
    p.machine.clusters = 4;
    p.launches = false;
    p.host.push_back({0, 0, {7, 0, shape(0, dim3(4, 2))}});
    const auto error_of = [&](const std::string& text) {
        Settings settings;
        if (!settings.parse(text, "t.toml")) return settings.error();
        Simulator simulator(p, false);
        Adapter<Simulator> adapter(simulator, p.machine, settings);
        simulator.attach(&adapter);
        if (simulator.error().empty()) (void)simulator.run();
        return simulator.error();
    };
    const auto expect = [&](const std::string& text, const std::string& error) {
        const std::string got = error_of(text);
        if (error.empty() ? !got.empty() : got.compare(0, error.size(), error) != 0) failed("settings", seen["settings"], "expected \"" + error + "\", got \"" + got + "\" of\n" + text);
        seen["settings"]++;
    };
    write("# one behind the other\n0 1\n1 2\n\n2, 3\n7\n");
    for (const Case& c : cases) expect(c.text, c.error);
    for (const auto& [text, error] : told::wrong(folder)) expect(text, error);
    const std::string of = "gpusched: kernel 1 (kernel A): " + edges;
    write("0 1\n1 8\n");
    expect(graph, of + ":2: TB 8 of a grid of 8");
    write("0 1 2\n");
    expect(graph, of + ":1: expected at most two TBs");
    write("\n0 x\n");
    expect(graph, of + ":2: expected the number of a TB");
    write("0 1\n1 0\n");
    expect(graph, of + ": TB ");

    Settings settings;
    const std::pair<const char*, const char*> sets[] = {
        {"dtbl.agt_size", "dtbl.agt_size: expected SECTION.KEY=VALUE"},      {"agt_size=4", "agt_size=4: expected SECTION.KEY=VALUE"},
        {"dtbl.agt_size=9", "dtbl.agt_size=9: dtbl.agt_size = 9: expected a power of two"}, {"laperm.policy=smx_bind", ""},
        {"dtbl.exclusive=true", ""},                                          {"dtbl.n_kde=", "dtbl.n_kde=: dtbl.n_kde = \"\": expected an integer"},
    };
    for (const auto& [word, error] : sets) {
        const bool ok = settings.set(word);
        const std::string wanted = error;
        if (ok != wanted.empty() || (!ok && settings.error().compare(0, wanted.size(), wanted) != 0)) failed("settings", 0, std::string(word) + ": " + settings.error());
        seen["settings"]++;
    }
    if (settings.read(folder + "/none.toml") || settings.error().find("none.toml") == std::string::npos) failed("settings", 0, "a file that is not there: " + settings.error());
}

// A host that reports what cannot be.
void wrong_reports() {
    Program p;
    Settings settings;
    const auto error_of = [&](auto&& report) {
        Simulator simulator(p, false);
        Adapter<Simulator> adapter(simulator, p.machine, settings);
        Grid grid;
        grid.uid = 5;
        report(adapter, &grid);
        return simulator.error();
    };
    // A kernel in an entry beyond the hardware queues is none of these.
    p.machine.kernels = 2 * MOST_QUEUES, settings.dispatch = Dispatch::Gpusched;
    const std::string far = error_of([](auto& a, Grid* g) {
        g->job.shape = shape(0, dim3(1));
        a.kernel_arrived(g, MOST_QUEUES + 6);
        a.dispatch(1);
    });
    if (!far.empty()) failed("reports", 0, "a kernel in a far entry: " + far);
    p = Program(), settings = Settings();
    const auto expect = [&](const std::string& got, const char* wanted) {
        if (got.find(wanted) == std::string::npos) failed("reports", 0, "expected \"" + std::string(wanted) + "\", got \"" + got + '"');
        seen["reports"]++;
    };
    expect(error_of([](auto& a, Grid* g) { a.tb_started(0, 0, g, 3); }), "TB 3 of kernel 5 started on SM 0, slot 0, which was not asked for");
    expect(error_of([](auto& a, Grid* g) { (void)a.tb_done(0, 99, g); }), "a TB of kernel 5 ended on SM 0, slot 99, where none of it runs");
    settings.dispatch = Dispatch::Gpusched, settings.device = Device::Kernels, p.machine.concurrent = true;
    expect(error_of([](auto& a, Grid* g) { (void)a.device_launch(0, 1, 0, 0, g); }), "a launch from SM 0, slot 1, where no TB runs");
}

// docs/sample.log: two SMs, LaPerm, groups.
void sample(const std::string& folder) {
    Program p;
    p.machine.clusters = 2, p.machine.tb_slots = 2, p.machine.concurrent = true;
    p.host.push_back({0, 0, {16, 0, shape(0, dim3(3))}});
    p.host.push_back({30, 1, {12, 0, shape(1, dim3(2))}});
    p.settings = "[adapter]\ndispatch = 'gpusched'\ndevice = 'groups'\n[dtbl]\npolicy = 'laperm'\n";
    Settings settings;
    if (!settings.parse(p.settings, "sample.toml") || !settings.set("adapter.log=" + folder + "/sample.log")) return failed("sample", 0, settings.error());
    Simulator simulator(p, false);
    {
        Adapter<Simulator> adapter(simulator, p.machine, settings);
        simulator.attach(&adapter);
        if (!simulator.run()) return failed("sample", 0, simulator.error());
    }
    const LogRead read = read_log(folder + "/sample.log", false);
    if (!read.wrong.empty()) failed("sample", 0, read.wrong);
}

}  // namespace test

int main(int argc, char** argv) {
    using namespace test;
    if (argc < 3 || argc > 4) return std::puts("test FOLDER PROGRAMS [FIRST]"), 2;
    const std::string folder = argv[1];
    const std::uint64_t programs = std::strtoull(argv[2], nullptr, 10), first = argc == 4 ? std::strtoull(argv[3], nullptr, 10) : 0;
    for (std::uint64_t i = first; i < first + programs; i++) stock(i, folder), equal(i, folder), any(i, folder), told::run(i, folder);
    told::parameters();
    told::hang(folder);
    wrong_settings(folder);
    wrong_reports();
    sample(folder);
    // What was never seen was not tested.
    if (programs >= 100) {
        for (const char* const kind : {"stock concurrent", "stock default", "equal tb", "equal bypass", "equal issue", "equal join", "equal fall", "equal load", "equal place",
                                       "equal refill", "equal lap", "equal sample", "equal divert", "equal admit", "equal pstate", "equal graph_done", "equal group_done",
                                       "equal clock edges left out", "equal cycles not shown", "equal bypassing TBs", "any TBs refused", "any launches left to the simulator",
                                       "any kernels kept for what they launched", "any refuse"}) {
            if (seen[kind] == 0) failed("coverage", 0, std::string("never seen: ") + kind);
        }
        for (const std::string& kind : told::coverage(folder)) {
            if (seen[kind] == 0) failed("coverage", 0, "never seen: " + kind);
        }
    }
    const auto n = [](const char* what) { return static_cast<unsigned long long>(seen[what]); };
    std::printf("%llu programs of each kind: %llu TBs as the simulator starts them itself, %llu decisions as of the front end alone,\n"
                "%llu TBs that the simulator refused at first, %llu wrong settings, %llu wrong reports,\n"
                "%llu decisions of the front end taken by policies in its place, %llu TBs sent by others, %llu by the rescue\n",
                static_cast<unsigned long long>(programs), n("stock TBs"), n("equal decisions"), n("any TBs refused"), n("settings"), n("reports"), n("told decisions"), n("told sent"), n("told rescued"));
    if (failures > 0) std::printf("%d failures\n", failures);
    return failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
