// gpusched_monte.hpp: the C++17 face of the stochastic memory hierarchy, gpusched_monte_* of gpusched.h; gpusched.hpp says how it differs
// from C.
#ifndef GPUSCHED_MONTE_HPP
#define GPUSCHED_MONTE_HPP

#include <gpusched_base.hpp>
#include <gpusched_monte.h>

namespace gpusched {
namespace monte {

enum class Order : std::uint32_t {
    UniformWarp = GPUSCHED_MONTE_ORDER_UNIFORM_WARP,
    Weighted = GPUSCHED_MONTE_ORDER_WEIGHTED,
};

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

}  // namespace monte
}  // namespace gpusched

#endif  // GPUSCHED_MONTE_HPP
