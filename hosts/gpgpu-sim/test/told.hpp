// Somebody else decides which TB goes to which SMX: policies of the catalogue, and those in test/policies and hosts/policies.
//
//   - A policy from outside that does what the front end does gives its decisions, line by line of the log but for loads (sheet policy,
//     E1 and E2), and so does the rescue for one that never answers (E3).
//   - With any policy, on any machine and with any attachments, each TB runs once and nothing hangs; what the statistics say adds up.
//   - The table of parameters is the library's.
#ifndef TOLD_HPP
#define TOLD_HPP

#include "checks.hpp"
#include "simulator.hpp"

namespace test {
namespace told {

using namespace gpusched;
using namespace gpusched::gpgpusim;

inline std::string file(const std::string& folder, const char* name) { return folder + "/../policies/" + name + ".so"; }

// Policies that answer well.
inline std::vector<std::string> good(const std::string& folder) {
    std::vector<std::string> all;
    for (const auto& about : FromCatalogue::all()) {
        const std::string name = about.name;
        if (name != "lcs") all.push_back(name);
    }
    for (const char* const more : {"bcs:block=4:pass=any", "leftover-tbs:place=lowest:prio_first=true", "most-room:order=even_odd", "chunked:domain=tpc:spill=true:chunk=3",
                                   "fair-streams:streams=3:weights=3+1+1", "fair-streams:cost=threads:quantum=65536", "random:what=both:seed=7", "affinity:probe=1:grain=4",
                                   "srk:metric=time", "oldest-parent:place=lowest", "depth-first:tie=oldest:place=parent", "dist:order=own", "strided:order=own", "steal:amount=one:min_steal=2"}) {
        all.push_back(more);
    }
    all.push_back(file(folder, "template"));
    all.push_back(file(folder, "rr"));
    return all;
}

// What was printed, by name.
inline std::map<std::string, std::string> printed(const Adapter<Simulator>& adapter) {
    std::map<std::string, std::string> lines;
    std::FILE* const out = std::tmpfile();
    adapter.print(out);
    std::rewind(out);
    char line[200], name[100], value[100];
    while (std::fgets(line, sizeof line, out) != nullptr) {
        if (std::sscanf(line, "gpusched_%99s = %99s", name, value) == 2) lines[name] = value;
    }
    std::fclose(out);
    return lines;
}

// Runs a program; empty, or why it failed.
inline std::string run(const Program& p, const Settings& settings, std::map<std::string, std::string>& told) {
    Simulator simulator(p, false);
    Adapter<Simulator> adapter(simulator, p.machine, settings);
    simulator.attach(&adapter);
    if (!simulator.run()) return simulator.error();
    told = printed(adapter);
    return "";
}

// Decisions that do not tell who decided how.
inline std::vector<std::string> plain(const LogRead& log) {
    std::vector<std::string> lines;
    for (const std::string& line : log.decisions) {
        std::istringstream in(line);
        std::string cycle, kind;
        in >> cycle >> kind;
        if (kind != "load" && kind != "place" && kind != "lap" && kind != "refill" && kind != "stalled") lines.push_back(line);
    }
    return lines;
}

// One policy with settings, beside what the front end decides with others.
inline void same(std::uint64_t seed, const std::string& folder) {
    Program p = program(seed);
    Random random(seed ^ 0x7071d);
    const std::uint32_t kind = static_cast<std::uint32_t>(seed % 3);
    p.skip_idle = random.one_in(2);
    // E2 and E3 hold for classes with caps only if nobody passes others.
    const bool limits = random.one_in(2), passes = random.one_in(2) && (kind == 0 || (kind == 1 && !limits));
    const std::string device = !p.machine.concurrent ? "simulator" : random.one_in(2) ? "groups" : "kernels";
    std::string dtbl = std::string("load_cycles = 0\npass_capped = ") + (passes ? "true" : "false") + "\nagt_size = " + std::to_string(1u << random.below(5)) +
                       "\nn_kde = " + std::to_string(2 + random.below(30)) + '\n';
    if (limits) dtbl += "[limits]\n'kernel A' = { tbs = 2 }\n'kernel B' = { tbs = 1 }\n";
    const auto settings_with = [&](const std::string& dispatch, const char* policy) {
        return "[adapter]\ndispatch = '" + dispatch + "'\ndevice = '" + device + "'\n[dtbl]\n" + policy + dtbl;
    };
    const std::string pass = passes ? "" : ":pass=head";
    const std::string outside[] = {file(folder, "rr") + pass, "round-robin" + pass, file(folder, "wrong") + ":never"};
    const std::string told = settings_with(outside[kind], "") + (kind == 2 ? "[told]\nstall_limit = 1\nrescue = 'rr'\n" : "");
    const std::string own = settings_with("gpusched", kind == 0 ? "" : "policy = 'laperm'\n") + "[laperm]\npolicy = 'rr'\nvisit = 'skip'\nrefill_cycles = 0\n";
    std::vector<std::string> decisions[2];
    std::map<std::string, std::string> says;
    for (const bool is_told : {false, true}) {
        p.settings = is_told ? told : own;
        const Settings settings = settings_of(p, folder + "/same.log");
        if (const std::string why = run(p, settings, says); !why.empty()) return failed("same", seed, why + " with\n" + p.settings);
        const LogRead read = read_log(folder + "/same.log", false);
        if (!read.wrong.empty()) return failed("same", seed, read.wrong);
        decisions[is_told] = plain(read);
        if (is_told) see(read, "told ");
    }
    for (std::size_t i = 0; i < std::max(decisions[0].size(), decisions[1].size()); i++) {
        const std::string& a = i < decisions[1].size() ? decisions[1][i] : "nothing";
        const std::string& b = i < decisions[0].size() ? decisions[0][i] : "nothing";
        if (a != b) return failed("same", seed, "decision " + std::to_string(i) + " is " + a + ", of the front end " + b + " with\n" + told);
    }
    seen["told decisions"] += decisions[0].size();
    seen["told rescued"] += std::stoull(says.at("rescued"));
}

// A good policy, or one that answers nonsense and is rescued, under any settings.
inline void any(std::uint64_t seed, const std::string& folder) {
    const std::vector<std::string> all = good(folder);
    Program p = program(seed);
    Random random(seed ^ 0x7a11d);
    const bool nonsense = seed % (all.size() + 1) == all.size();
    const std::string policy = nonsense ? file(folder, "wrong") + ":nonsense" : all[seed % (all.size() + 1)];
    p.skip_idle = random.one_in(2);
    p.settings = attachments(random, p.machine.concurrent, policy);
    // One that waits for certain SMXs waits for ever if they are diverted.
    const bool diverts = p.settings.find("[bubble]") != std::string::npos;
    if (nonsense || diverts) p.settings += std::string("[told]\nstall_limit = ") + (nonsense ? "20" : "2000") + "\nrescue = 'rr'\n";
    std::map<std::string, std::string> says;
    const Settings settings = settings_of(p, folder + "/told.log");
    if (const std::string why = run(p, settings, says); !why.empty()) return failed("told", seed, why + " with\n" + p.settings);
    const LogRead read = read_log(folder + "/told.log", false);
    if (!read.wrong.empty()) return failed("told", seed, read.wrong);
    see(read, "told ");
    const auto count = [&](const char* name) { return std::stoull(says.at(name)); };
    if (count("sent") + count("rescued") != count("tbs")) return failed("told", seed, "TBs that nobody has sent");
    if (says.at("dispatch") != settings.decider->name()) return failed("told", seed, "dispatch is " + says.at("dispatch"));
    for (const auto& [name, answers] : says) {
        if (name.compare(0, 6, "wrong_") != 0) continue;
        // One that names TBs does not know which the rescue has sent, and may name each once more.
        const bool is_gone = settings.decider->splits() && name == "wrong_NoSplit" && std::stoull(answers) <= count("rescued");
        if (!nonsense && !is_gone) return failed("told", seed, policy + ": " + answers + " times " + name);
        seen["told " + name] += std::stoull(answers);
    }
    seen["told by " + policy] += count("sent");
    seen["told sent"] += count("sent");
    seen["told rescued"] += count("rescued");
}

// Of every second seed, for time.
inline void run(std::uint64_t seed, const std::string& folder) {
    if (seed % 2 == 0) same(seed, folder), any(seed / 2, folder);
}

// What must have been seen.
inline std::vector<std::string> coverage(const std::string& folder) {
    std::vector<std::string> all{"told bypass", "told graph_done", "told divert", "told join", "told fall", "told load", "told stalled", "told rescued",
                                 "told wrong_BadOffer", "told wrong_BadSmx", "told wrong_ClosedR"};
    for (const std::string& policy : good(folder)) all.push_back("told by " + policy);
    return all;
}

// A parameter that the table has is none that the library says the policy has not, and the other way round.
inline void parameters() {
    const std::map<std::string, std::string> values{
        {"pass", "any"}, {"place", "lowest"}, {"prio_first", "true"}, {"order", "own"}, {"listed", "1+0"}, {"warp", "16"}, {"block", "3"}, {"samples", "3"},
        {"domain", "tpc"}, {"chunk", "5"}, {"spill", "true"}, {"seed", "9"}, {"grain", "3"}, {"probe", "1"}, {"metric", "time"}, {"streams", "4"},
        {"weights", "1+1"}, {"cost", "threads"}, {"quantum", "2"}, {"what", "both"}, {"tie", "oldest"}, {"amount", "one"}, {"min_steal", "2"}};
    FromCatalogue::About any{"any", {}};
    for (const auto& [name, value] : values) any.parameters.push_back(name);
    for (std::uint32_t i = 0; i < FromCatalogue::all().size(); i++) {
        const auto& about = FromCatalogue::all()[i];
        for (const auto& [name, value] : values) {
            catalogue::Config config{static_cast<catalogue::Preset>(i)};
            const bool sorts_smxs = config.policy == number(catalogue::Policy::MostRoom) && name == "order";
            const bool has = std::find(about.parameters.begin(), about.parameters.end(), name) != about.parameters.end();
            std::string wrong = FromCatalogue::set(config, any, name + '=' + (sorts_smxs ? "even_odd" : value));
            // Weights must be as many as streams.
            if (name == "weights" && has) config.streams = 2;
            // The SMXs that are listed must be all.
            if (name == "listed" && has) config = config.with(&catalogue::Config::order, GPUSCHED_CATALOGUE_ORDER_LISTED).with(&catalogue::Config::n_smx, 2);
            const auto checked = config.check();
            if (!checked && name == checked->name) wrong += checked->name;
            if (wrong.empty() != has) failed("parameters", i, std::string(about.name) + ": " + name + (has ? " is one of its parameters: " : " is none of its parameters") + wrong);
        }
    }
    const std::size_t policies = FromCatalogue::all().size();
    if (policies != GPUSCHED_CATALOGUE_POLICY_SPATIAL + 1) failed("parameters", policies, "policies");
}

// Nobody comes to the rescue of one that never sends: the simulator finds that it hangs, and the statistics say why.
inline void hang(const std::string& folder) {
    Program p;
    p.launches = false;
    p.host.push_back({0, 0, {7, 0, shape(0, dim3(4, 2))}});
    Settings settings;
    if (!settings.parse("[adapter]\ndispatch = '" + file(folder, "wrong") + ":never'\n[told]\nstall_limit = 1000\n", "hang.toml")) return failed("hang", 0, settings.error());
    Simulator simulator(p, false);
    Adapter<Simulator> adapter(simulator, p.machine, settings);
    simulator.attach(&adapter);
    if (simulator.run() || simulator.error().compare(0, 8, "deadlock") != 0) return failed("hang", 0, simulator.error());
    const auto says = printed(adapter);
    if (says.at("dispatch") != "wrong:never" || says.at("sent") != "0" || std::stoull(says.at("declined")) < 1000 || says.at("stalled") != "1") failed("hang", 0, "the statistics do not say so");
}

// Wrong settings, and how the error begins.
inline std::vector<std::pair<std::string, std::string>> wrong(const std::string& folder) {
    std::vector<std::pair<std::string, std::string>> all;
    const auto at = [&](const std::string& word, const std::string& why) {
        all.emplace_back("[adapter]\ndispatch = '" + word + "'\n", "t.toml:2: adapter.dispatch = \"" + word + "\": " + why);
    };
    at("bcs:chunk=4", "bcs: no parameter chunk; it has: pass, block");
    at("bcs:block=99", "block = 99: expected a value from 1 to 64");
    at("bcs:block=x", "bcs: block=x: expected an integer");
    at("bcs:block", "block: not NAME=VALUE");
    at("bcs:block=2:pass=any:block=4", "bcs: block is given twice");
    at("bcs:pass=some", "bcs: pass=some: expected one of `head`, `capped`, `any`");
    at("most-room:order=ascending", "order: it does not go with the policy's other parameters");
    at("most-room:listed=1+0", "listed: it does not go with the policy's other parameters");
    at("most-room:order=listed:listed=2+0+3", "listed: it does not go with the policy's other parameters");
    at("random:seed=18446744073709551616", "random: seed=18446744073709551616: expected an integer from 0 to 2^64-1");
    at("fair-streams:weights=1+256", "fair-streams: weights=1+256: expected up to 64 integers from 0 to 255");
    at("lcs:samples=2", "lcs: it counts the instructions of each TB (catalogue-X3)");
    at("fcfs", "expected one of `gpgpusim_stock`, `gpusched`, `round-robin`");
    at("./none.so", "./none.so: cannot open shared object file");
    at("none.so", "./none.so: cannot open shared object file");
    const auto bad = [&](const char* name, const std::string& why) { at(file(folder, name), file(folder, name) + ": " + why); };
    bad("nothing", "it exports no gpusched_plugin_table, so it is no policy");
    bad("version", "its table is of version 7, and this program's is 1");
    bad("size", "its table has no struct_size of this version");
    bad("init", "its table has no init");
    bad("units", "units of its table is 7, not 0 or 1");
    // What the policy, or the machine, refuses.
    all.emplace_back("[adapter]\ndispatch = '" + file(folder, "template") + ":a=1'\n", "gpusched: most-threads:a=1: it has no parameters");
    all.emplace_back("[adapter]\ndispatch = 'fair-streams:cost=threads:quantum=2000'\n", "");
    all.emplace_back("[adapter]\ndispatch = 'fair-streams:cost=threads:quantum=1000'\n", "gpusched: fair-streams:cost=threads:quantum=1000: quantum: it does not go with");
    all.emplace_back("[adapter]\ndispatch = '" + file(folder, "a:b/template") + ":a=1'\n", "gpusched: most-threads:a=1: it has no parameters");
    const std::string attach = "[adapter]\ndispatch = 'most-room'\n";
    all.emplace_back(attach + "[told]\nsplit_cap = 65536\n", "gpusched: t.toml:4: told.split_cap = 65536: expected an integer from 0 to 65535");
    all.emplace_back("[told]\nstall_limit = -1\n", "t.toml:2: told.stall_limit = -1: expected an integer from 0 to 4294967295");
    all.emplace_back("[told]\nrescue = 'laperm'\n", "t.toml:2: told.rescue = \"laperm\": expected one of `none`, `rr`");
    all.emplace_back("[told]\nunits = 'free'\n", "t.toml:2: told.units: not set here; it is the policy's");
    all.emplace_back("[told]\ndispatch_per_cycle = 2\n", "t.toml:2: told.dispatch_per_cycle: not set here; a policy is asked once in a cycle");
    all.emplace_back("[told]\nstall_limit = 3\n", "gpusched: t.toml: a section [told] needs adapter.dispatch = \"gpusched\"");
    all.emplace_back("[told]\nstall_limit = 3\n[adapter]\ndispatch = 'gpusched'\n", "gpusched: t.toml: a section [told] needs a policy as adapter.dispatch");
    all.emplace_back(attach + "[told]\nrescue = 'rr'\n", "gpusched: t.toml: told.rescue needs told.stall_limit, from 1 up");
    all.emplace_back(attach + "[dtbl]\npolicy = 'laperm'\n", "gpusched: t.toml: dtbl.policy does not go with adapter.dispatch, which names another one");
    all.emplace_back(attach + "[dtbl]\nturn_groups = 4\n", "gpusched: t.toml:4: dtbl.turn_groups = 4: ");
    return all;
}

}  // namespace told
}  // namespace test

#endif  // TOLD_HPP
