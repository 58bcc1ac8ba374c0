// What the kinds of tests share: failures, what was seen, settings at random.
#ifndef CHECKS_HPP
#define CHECKS_HPP

#include "check_log.hpp"
#include "program.hpp"

#include <cstdio>

namespace test {

using gpusched::gpgpusim::Settings;

inline int failures = 0;

inline void failed(const char* kind, std::uint64_t seed, const std::string& why) {
    if (failures++ < 10) std::printf("FAILED %s %llu: %s\n", kind, static_cast<unsigned long long>(seed), why.c_str());
}

// What the programs had in them, summed.
inline std::map<std::string, std::uint64_t> seen;

inline Settings settings_of(const Program& program, const std::string& log) {
    Settings settings;
    if (!settings.parse(program.settings, "settings") || !settings.set("adapter.log=" + log)) failed("settings", program.seed, settings.error());
    return settings;
}

// Settings that attach the front end, at random; or a policy that decides in its place.
inline std::string attachments(Random& random, bool concurrent, const std::string& policy = "") {
    static const char* const policies[] = {"rr", "tb_pri", "smx_bind", "adaptive_bind"};
    static const char* const devices[] = {"simulator", "kernels", "groups"};
    const auto flag = [&](std::uint32_t n) { return random.one_in(n) ? "true" : "false"; };
    std::string s = random.one_in(2) ? "base = 'gtx480'\n" : "base = 'k20c'\n";
    s += "[adapter]\ndispatch = '" + (policy.empty() ? "gpusched" : policy) + "'\n";
    s += std::string("device = '") + devices[concurrent ? random.below(3) : 0] + "'\n";
    const bool ideal = !random.one_in(4);
    s += std::string("ideal = ") + (ideal ? "true" : "false") + '\n';
    s += "graph_latency = " + std::to_string(random.one_in(2) ? 0 : random.below(80)) + '\n';
    s += random.one_in(2) ? "graph_policy = 'lrr'\n" : "graph_policy = 'lvl:" + std::to_string(random.below(4)) + "'\n";
    const bool laperm = random.one_in(2);
    s += "[dtbl]\n" + (!policy.empty() ? "" : std::string("policy = '") + (laperm ? "laperm" : "fcfs_rr") + "'\n") + "agt_size = " + std::to_string(1u << random.below(5)) + '\n';
    if (!ideal) s += "lat_stream = 20\ngpb_b = 30\ngpb_a = 2\nld_b = 25\nld_a = 3\nlat_dispatch = 12\nkmu_interval = 5\nload_cycles = 40\n";
    s += std::string("kmu_arb = '") + (random.one_in(2) ? "fcfs" : "rr") + "'\nn_kde = " + std::to_string(2 + random.below(30)) + '\n';
    s += std::string("[laperm]\npolicy = '") + policies[random.below(4)] + "'\nvisit = '" + (random.one_in(2) ? "step" : "skip") + "'\nqueue_cap = " +
         std::to_string(2 + random.below(8)) + '\n';
    if (random.one_in(3)) {
        s += std::string("[bubble]\nenabled = true\nsample_cycles = ") + std::to_string(20 + random.below(60)) + "\ndraining = " + flag(2) +
             "\ntransition_samples = " + std::to_string(1 + random.below(3)) + "\nt_num = " + std::to_string(4 + random.below(8)) + '\n';
    }
    if (random.one_in(3)) s += std::string("[dats]\nspill = true\nlna = 17\nlea = 24\npub = 8\n[graphs]\n'kernel ") + static_cast<char>('A' + random.below(3)) + "' = 'wavefront'\n";
    if (random.one_in(3)) {
        s += "[limits]\n";
        for (const char letter : {'A', 'B'}) {
            const std::uint32_t tbs = 1 + random.below(3);
            s += std::string("'kernel ") + letter + "' = { tbs = " + std::to_string(tbs) + ", bypass = " + std::to_string(random.below(tbs + 1)) + " }\n";
        }
    }
    return s;
}

inline void see(const LogRead& read, const std::string& prefix) {
    for (const auto& [kind, count] : read.kinds) seen[prefix + kind] += count;
}

}  // namespace test

#endif  // CHECKS_HPP
