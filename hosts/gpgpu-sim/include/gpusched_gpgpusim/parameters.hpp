// parameters.hpp: the parameters of the front end that a configuration file sets, under the names that they have there.
#ifndef GPUSCHED_GPGPUSIM_PARAMETERS_HPP
#define GPUSCHED_GPGPUSIM_PARAMETERS_HPP

#include <gpusched.hpp>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace gpusched {
namespace gpgpusim {

// A parameter of the front end: its section and name in files, its field, its words (none: a number; `false` `true`: a switch).
struct Field {
    const char* section;
    const char* key;
    std::uint32_t gpusched_frontend_config::* member;
    std::array<const char*, 4> words;

    // What gpusched calls it: the front end's own section has no name there.
    std::string field() const { return std::string_view(section) == "dtbl" ? key : std::string(section) + '_' + key; }
};

inline const std::vector<Field>& fields() {
    using C = gpusched_frontend_config;
    constexpr std::array<const char*, 4> number{}, yes{"false", "true"};
    static const std::vector<Field> all{
        {"dtbl", "n_hwq", &C::n_hwq, number},
        {"dtbl", "n_kde", &C::n_kde, number},
        {"dtbl", "hwq_depth", &C::hwq_depth, number},
        {"dtbl", "pend_limit", &C::pend_limit, number},
        {"dtbl", "susp_cap", &C::susp_cap, number},
        {"dtbl", "sync_depth", &C::sync_depth, number},
        {"dtbl", "agt_size", &C::agt_size, number},
        {"dtbl", "lat_stream", &C::lat_stream, number},
        {"dtbl", "gpb_b", &C::gpb_b, number},
        {"dtbl", "gpb_a", &C::gpb_a, number},
        {"dtbl", "ld_b", &C::ld_b, number},
        {"dtbl", "ld_a", &C::ld_a, number},
        {"dtbl", "lat_dispatch", &C::lat_dispatch, number},
        {"dtbl", "kmu_interval", &C::kmu_interval, number},
        {"dtbl", "kde_scan", &C::kde_scan, number},
        {"dtbl", "agt_probe", &C::agt_probe, number},
        {"dtbl", "load_cycles", &C::load_cycles, number},
        {"dtbl", "turn_groups", &C::turn_groups, number},
        {"dtbl", "n_class", &C::n_class, number},
        {"dtbl", "kmu_arb", &C::kmu_arb, {"fcfs", "rr"}},
        {"dtbl", "hash_scope", &C::hash_scope, {"smx", "global"}},
        {"dtbl", "agt_miss", &C::agt_miss, {"spill", "device"}},
        {"dtbl", "fallback", &C::fallback, {"direct", "full"}},
        {"dtbl", "policy", &C::policy, {"fcfs_rr", "laperm"}},
        {"dtbl", "pass_capped", &C::pass_capped, yes},
        {"dtbl", "exclusive", &C::exclusive, yes},
        {"dtbl", "pass_graph", &C::pass_graph, yes},
        {"laperm", "cluster", &C::laperm_cluster, number},
        {"laperm", "levels", &C::laperm_levels, number},
        {"laperm", "queue_cap", &C::laperm_queue_cap, number},
        {"laperm", "q0_cap", &C::laperm_q0_cap, number},
        {"laperm", "pool_cap", &C::laperm_pool_cap, number},
        {"laperm", "backup_limit", &C::laperm_backup_limit, number},
        {"laperm", "refill_cycles", &C::laperm_refill_cycles, number},
        {"laperm", "policy", &C::laperm_policy, {"rr", "tb_pri", "smx_bind", "adaptive_bind"}},
        {"laperm", "visit", &C::laperm_visit, {"step", "skip"}},
        {"laperm", "no_fit", &C::laperm_no_fit, {"block", "try_next"}},
        {"laperm", "spill", &C::laperm_spill, {"new", "lowest"}},
        {"laperm", "backup_select", &C::laperm_backup_select, {"next", "lowest", "highest_prio"}},
        {"laperm", "charge_insert", &C::laperm_charge_insert, yes},
        {"bubble", "t_num", &C::bubble_t_num, number},
        {"bubble", "t_den", &C::bubble_t_den, number},
        {"bubble", "sample_cycles", &C::bubble_sample_cycles, number},
        {"bubble", "drain_samples", &C::bubble_drain_samples, number},
        {"bubble", "transition_samples", &C::bubble_transition_samples, number},
        {"bubble", "gpu_idle_samples", &C::bubble_gpu_idle_samples, number},
        {"bubble", "v_high_mv", &C::bubble_v_high_mv, number},
        {"bubble", "v_low_mv", &C::bubble_v_low_mv, number},
        {"bubble", "f_high_mhz", &C::bubble_f_high_mhz, number},
        {"bubble", "f_low_mhz", &C::bubble_f_low_mhz, number},
        {"bubble", "leak_exp", &C::bubble_leak_exp, number},
        {"bubble", "p_leak_mw", &C::bubble_p_leak_mw, number},
        {"bubble", "p_idle_mw", &C::bubble_p_idle_mw, number},
        {"bubble", "p_dyn_mw", &C::bubble_p_dyn_mw, number},
        {"bubble", "p_uncore_mw", &C::bubble_p_uncore_mw, number},
        {"bubble", "retrigger", &C::bubble_retrigger, {"level", "rearm", "once"}},
        {"bubble", "enabled", &C::bubble, yes},
        {"bubble", "inclusive", &C::bubble_inclusive, yes},
        {"bubble", "draining", &C::bubble_draining, yes},
        {"bubble", "gpu_level", &C::bubble_gpu_level, yes},
        {"bubble", "resume_draining", &C::bubble_resume_draining, yes},
        {"bubble", "resume_hold", &C::bubble_resume_hold, yes},
        {"told", "stall_limit", &C::told_stall_limit, number},
        {"told", "rescue", &C::told_rescue, {"none", "rr"}},
        {"told", "split_cap", &C::told_split_cap, number},
        {"dats", "lna", &C::dats_lna, number},
        {"dats", "lea", &C::dats_lea, number},
        {"dats", "pub_entries", &C::dats_pub_entries, number},
        {"dats", "chunk_bytes", &C::dats_chunk_bytes, number},
        {"dats", "prefetch", &C::dats_prefetch, {"chunk_free", "eager"}},
        {"dats", "level_ref", &C::dats_level_ref, {"incomplete", "active"}},
        {"dats", "issue_needs_edges", &C::dats_issue_needs_edges, yes},
        {"dats", "spill", &C::dats_spill, yes},
    };
    return all;
}

inline std::string range(std::uint32_t min, std::uint32_t max, bool power_of_two) {
    return std::string(power_of_two ? "a power of two" : "an integer") + " from " + std::to_string(min) + " to " + std::to_string(max);
}

// The range of a number, from the machine that it belongs to.
inline Result<Parameter> range_of(const Field& field) {
    const std::string_view section = field.section;
    const auto ask = section == "laperm" ? laperm::parameter
                     : section == "bubble" ? bubble::parameter
                     : section == "dats"   ? dgb::parameter
                                           : gpusched::parameter;
    for (std::uint32_t i = 0;; i++) {
        const auto parameter = ask(i);
        if (!parameter || std::string_view(parameter->name) == field.key) return parameter;
    }
}

}  // namespace gpgpusim
}  // namespace gpusched

#endif  // GPUSCHED_GPGPUSIM_PARAMETERS_HPP
