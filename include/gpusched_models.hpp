// gpusched_models.hpp: the C++17 face of the analytical models, gpusched_exec_*, gpusched_theory_*, gpusched_wfg_* and gpusched_monte_* of
// gpusched.h; gpusched.hpp says how it differs from C.
//
//   gpusched::models::Inputs kernel;
//   kernel.insts = 100, kernel.n = 16, ...;
//   const auto estimate = gpusched::models::exec(kernel);
//   if (!estimate) return fail(estimate.field(), estimate.status().text());
#ifndef GPUSCHED_MODELS_HPP
#define GPUSCHED_MODELS_HPP

#include <gpusched_base.hpp>
#include <gpusched_models.h>

namespace gpusched {
namespace models {

// Enumerations: the numbers of C ---------------------------------------------------------------------------------------------

enum class SizeUnit : std::uint32_t {
    Literal = GPUSCHED_EXEC_SIZE_UNIT_LITERAL,
    Bytes = GPUSCHED_EXEC_SIZE_UNIT_BYTES,
};

enum class Bound : std::uint32_t {
    Compute = GPUSCHED_THEORY_BOUND_COMPUTE,
    Memory = GPUSCHED_THEORY_BOUND_MEMORY,
};

enum class Kind : std::uint32_t {
    Entry = GPUSCHED_WFG_KIND_ENTRY,
    Comp = GPUSCHED_WFG_KIND_COMP,
    Smem = GPUSCHED_WFG_KIND_SMEM,
    Gmem = GPUSCHED_WFG_KIND_GMEM,
    Barrier = GPUSCHED_WFG_KIND_BARRIER,
    Exit = GPUSCHED_WFG_KIND_EXIT,
};

enum class Order : std::uint32_t {
    UniformWarp = GPUSCHED_MONTE_ORDER_UNIFORM_WARP,
    Weighted = GPUSCHED_MONTE_ORDER_WEIGHTED,
};

// What a model answers: a result, and the input to blame if it is refused because of one.
template <class T>
class Evaluated : public Result<T> {
public:
    Evaluated(Status status, T value, const char* field) noexcept : Result<T>(status, value), field_(field) {}
    // Static; null if no input is to blame.
    const char* field() const noexcept { return field_; }

private:
    const char* field_;
};

namespace detail {

template <class T, class Call>
Evaluated<T> ask(Call call) noexcept {
    T value{};
    const char* field = nullptr;
    const Status status = call(&value, &field);
    return {status, value, field};
}

}  // namespace detail

// Execution time and benefits ------------------------------------------------------------------------------------------------

using Estimate = gpusched_exec_estimate;

// What is known about a kernel and its GPU: the fields of C.
class Inputs : public gpusched_exec_inputs {
public:
    Inputs() noexcept : gpusched_exec_inputs{} {
        (void)gpusched_exec_inputs_init(this, sizeof(gpusched_exec_inputs));
    }
    Inputs& amat_is(double cycles) noexcept {
        has_amat = 1, amat = cycles;
        return *this;
    }
    Inputs& fp_lat_is(double cycles) noexcept {
        has_fp_lat = 1, fp_lat = cycles;
        return *this;
    }
    Inputs& sizes_are(SizeUnit unit) noexcept {
        size_unit = number(unit);
        return *this;
    }
};

inline Evaluated<Estimate> exec(const Inputs& inputs) noexcept {
    return detail::ask<Estimate>([&](auto* to, auto* field) { return gpusched_exec_eval(&inputs, to, field); });
}

// Closed forms -------------------------------------------------------------------------------------------------------------------

using Roof = gpusched_theory_roof;
using Brent = gpusched_theory_brent_time;
using Speed = gpusched_theory_speed;
using Tree = gpusched_theory_tree;
using Reduction = gpusched_theory_reduction;
using Matmul = gpusched_theory_matmul;
using Private = gpusched_theory_private;
using Misses = gpusched_theory_misses;
using Traffic = gpusched_theory_traffic;
using Machine = gpusched_theory_machine;
using Balanced = gpusched_theory_balanced;
using Boxes = gpusched_theory_boxes;
using UlistEstimate = gpusched_theory_ulist_estimate;

inline Bound bound(const Roof& roof) noexcept { return static_cast<Bound>(roof.bound); }

inline Evaluated<Roof> roofline(double peak, double bw, double intensity) noexcept {
    return detail::ask<Roof>(
        [=](auto* to, auto* field) { return gpusched_theory_roofline(peak, bw, intensity, to, field); });
}
inline Evaluated<Brent> brent(double w, double d, double p) noexcept {
    return detail::ask<Brent>([=](auto* to, auto* field) { return gpusched_theory_brent(w, d, p, to, field); });
}
inline Evaluated<Speed> inefficiency(double p, double eps) noexcept {
    return detail::ask<Speed>([=](auto* to, auto* field) { return gpusched_theory_inefficiency(p, eps, to, field); });
}
inline Evaluated<Tree> reduction_tree(std::uint64_t n) noexcept {
    return detail::ask<Tree>([=](auto* to, auto* field) { return gpusched_theory_reduction_tree(n, to, field); });
}
inline Evaluated<Reduction> reduction_io(std::uint64_t n, std::uint64_t z, std::uint64_t l) noexcept {
    return detail::ask<Reduction>(
        [=](auto* to, auto* field) { return gpusched_theory_reduction_io(n, z, l, to, field); });
}
inline Evaluated<Matmul> matmul_io(double n, double z, double l) noexcept {
    return detail::ask<Matmul>([=](auto* to, auto* field) { return gpusched_theory_matmul_io(n, z, l, to, field); });
}
inline Evaluated<Misses> qp_bound(const Private& of) noexcept {
    return detail::ask<Misses>([&](auto* to, auto* field) { return gpusched_theory_qp_bound(&of, to, field); });
}
inline Evaluated<double> t_mem(const Traffic& of) noexcept {
    return detail::ask<double>([&](auto* to, auto* field) { return gpusched_theory_t_mem(&of, to, field); });
}
inline Evaluated<Balanced> balance(const Machine& of) noexcept {
    return detail::ask<Balanced>([&](auto* to, auto* field) { return gpusched_theory_balance(&of, to, field); });
}
inline Evaluated<UlistEstimate> ulist(const Boxes& of) noexcept {
    return detail::ask<UlistEstimate>([&](auto* to, auto* field) { return gpusched_theory_ulist(&of, to, field); });
}

// Work-flow graphs ---------------------------------------------------------------------------------------------------------------

using Arc = gpusched_wfg_arc;
using Dependence = gpusched_wfg_dependence;
using Flow = gpusched_wfg_flow;

// A stretch of a kernel, with its weight if it has one.
struct Node : gpusched_wfg_node {
    explicit constexpr Node(Kind node_kind, double node_weight = 0) noexcept
        : gpusched_wfg_node{node_weight, number(node_kind), 0} {}
};

// The machine, and how many warps it has: the fields of C.
class WfgConfig : public gpusched_wfg_config {
public:
    WfgConfig() noexcept : gpusched_wfg_config{} {
        (void)gpusched_wfg_config_init(this, sizeof(gpusched_wfg_config));
    }
};

inline Evaluated<Flow> wfg(const WfgConfig& config, Span<const gpusched_wfg_node> nodes, Span<const Arc> arcs,
                           Span<const Dependence> deps) noexcept {
    const gpusched_wfg_graph graph{nodes.data(), nodes.size(), arcs.data(), arcs.size(), deps.data(), deps.size()};
    return detail::ask<Flow>([&](auto* to, auto* field) { return gpusched_wfg_eval(&config, &graph, to, field); });
}

// The stochastic memory hierarchy ----------------------------------------------------------------------------------------------------

using Request = gpusched_monte_request;
using Warp = gpusched_monte_warp;
using Slot = gpusched_monte_slot;
using Tally = gpusched_monte_tally;
using Site = gpusched_monte_site;
using Summary = gpusched_monte_summary;

enum class Level : std::uint32_t { L1 = 1, L2 = 2 };
enum class SiteId : std::uint32_t {};

// Parameters: the fields of C, set one by one or in a chain.
class MonteConfig : public gpusched_monte_config {
public:
    MonteConfig() noexcept : gpusched_monte_config{} {
        (void)gpusched_monte_config_init(this, sizeof(gpusched_monte_config));
    }
    explicit MonteConfig(const gpusched_monte_config& config) noexcept : gpusched_monte_config(config) {}

    MonteConfig with(std::uint32_t gpusched_monte_config::* field, std::uint32_t value) const noexcept {
        MonteConfig changed = *this;
        changed.*field = value;
        return changed;
    }
    MonteConfig with(Order value) const noexcept { return with(&MonteConfig::pick, number(value)); }

    // Says whether every value is in its range; if one is not, and the status is BadConfig, the value tells which.
    Result<Parameter> check() const noexcept {
        return gpusched::detail::check_of<gpusched_monte_config>(gpusched_monte_config_check, this);
    }
    Result<Layout> layout() const noexcept {
        return gpusched::detail::layout_of<gpusched_monte_config>(gpusched_monte_layout, this);
    }
    static Result<Parameter> parameter(std::uint32_t index) noexcept {
        return gpusched::detail::parameter_of(gpusched_monte_parameter, index);
    }
};

// What the runs came to, and the storage that is in unless that is the caller's.
class Monte : public gpusched::detail::Object<gpusched_monte> {
public:
    Monte() noexcept = default;

    // In storage of its own. Null: there is no memory.
    static Result<Monte> create(const MonteConfig& config = MonteConfig()) noexcept {
        return make<Monte>(config, gpusched_monte_init);
    }
    // In the caller's storage, which must stay where it is and outlive the object.
    static Result<Monte> create_in(Span<std::byte> storage, const MonteConfig& config) noexcept {
        return make_in<Monte>(storage, config, gpusched_monte_init);
    }
    // As the one that an image was saved of, in storage of its own.
    static Result<Monte> from_image(Span<const std::byte> image) noexcept { return make_from<Monte>(image); }

    static Result<MonteConfig> image_config(Span<const std::byte> image) noexcept {
        MonteConfig config;
        const Status status =
            gpusched_monte_image_config(image.data(), image.size(), &config, sizeof(gpusched_monte_config));
        return {status, config};
    }

    // Events. Scratch memory has a slot per request.

    Status simulate(Span<const Warp> warps, Span<Slot> scratch, std::uint32_t runs, std::uint64_t seed) noexcept {
        const gpusched_monte_trace trace{warps.data(), warps.size(), scratch.data(), scratch.size()};
        return gpusched_monte_simulate(c(), &trace, runs, seed);
    }
    Status start(std::uint64_t seed) noexcept { return gpusched_monte_start(c(), seed); }
    Status run(Span<const Warp> warps, Span<Slot> scratch) noexcept {
        const gpusched_monte_trace trace{warps.data(), warps.size(), scratch.data(), scratch.size()};
        return gpusched_monte_run(c(), &trace);
    }

    // Queries. Bins are written to a buffer; if it is too short the status is Capacity.

    Result<MonteConfig> config() const noexcept {
        MonteConfig config;
        const Status status = gpusched_monte_get_config(c(), &config, sizeof(gpusched_monte_config));
        return {status, config};
    }
    Result<Summary> summary() const noexcept { return ask<Summary>(gpusched_monte_get_summary); }
    Result<Tally> level(Level level) const noexcept { return ask<Tally>(gpusched_monte_level, number(level)); }
    // How many bins there are.
    Result<std::size_t> histogram(Level level, Span<std::uint32_t> bins) const noexcept {
        std::size_t count = 0;
        const Status status = gpusched_monte_histogram(c(), number(level), bins.data(), bins.size(), &count);
        return {status, count};
    }
    Result<Site> site(SiteId site) const noexcept { return ask<Site>(gpusched_monte_get_site, number(site)); }

    // Images.

    Result<std::size_t> image_size() const noexcept { return ask<std::size_t>(gpusched_monte_image_size); }
    // The size of the image, also if the buffer is too small for it (ImageTooSmall).
    Result<std::size_t> save(Span<std::byte> image) const noexcept { return save_by(gpusched_monte_save, image); }
    Status restore(Span<const std::byte> image) noexcept {
        return gpusched_monte_restore(c(), image.data(), image.size());
    }
};

// Random numbers of a run, for tests; `below` 0: of 64 bits.
inline Status random(std::uint64_t seed, std::uint32_t run, std::uint64_t below, Span<std::uint64_t> numbers) noexcept {
    return gpusched_monte_rng(seed, run, below, numbers.data(), numbers.size());
}

}  // namespace models
}  // namespace gpusched

#endif  // GPUSCHED_MODELS_HPP
