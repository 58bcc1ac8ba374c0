// gpusched_tlp_smc.hpp: the C++17 face of the search for a partition of SMC, gpusched_tlp_smc_* of gpusched.h.
#ifndef GPUSCHED_TLP_SMC_HPP
#define GPUSCHED_TLP_SMC_HPP

#include <gpusched_tlp_config.hpp>

namespace gpusched {
namespace tlp {

enum class SmcPhase : std::uint32_t {
    Idle = GPUSCHED_TLP_SMC_PHASE_IDLE,
    Base = GPUSCHED_TLP_SMC_PHASE_BASE,
    B0 = GPUSCHED_TLP_SMC_PHASE_B0,
    B1 = GPUSCHED_TLP_SMC_PHASE_B1,
    More = GPUSCHED_TLP_SMC_PHASE_MORE,
    EvenMore = GPUSCHED_TLP_SMC_PHASE_EVEN_MORE,
    Less = GPUSCHED_TLP_SMC_PHASE_LESS,
};

class Proposal : public detail::View<gpusched_tlp_proposal> {
public:
    using View::View;
    constexpr Pair sm() const noexcept { return detail::pair(raw_.sm); }
    constexpr Pair b() const noexcept { return detail::pair(raw_.b); }
};

class Reported : public detail::View<gpusched_tlp_reported> {
public:
    using View::View;
    constexpr Proposal proposal() const noexcept { return Proposal(raw_.proposal); }
    constexpr bool done() const noexcept { return raw_.done != 0; }
};

class SmcState : public detail::View<gpusched_tlp_smc_state> {
public:
    using View::View;
    constexpr SmcPhase phase() const noexcept { return static_cast<SmcPhase>(raw_.phase); }
    constexpr Proposal current() const noexcept { return Proposal(raw_.current); }
    constexpr Proposal saved() const noexcept { return Proposal(raw_.saved); }
    constexpr std::uint64_t best() const noexcept { return raw_.best; }
};

// SMC, a search by trial, and the storage it lives in unless that is the caller's.
class Smc : public detail::Object<gpusched_tlp_smc> {
public:
    Smc() noexcept = default;

    // In storage of its own. Null: there is no memory.
    static Result<Smc> create(const Config& config = Config()) noexcept {
        return make<Smc>(detail::Laid{config, gpusched_tlp_smc_layout}, gpusched_tlp_smc_init);
    }
    // In the caller's storage, which must stay where it is and outlive the machine.
    static Result<Smc> create_in(Span<std::byte> storage, const Config& config) noexcept {
        return make_in<Smc>(storage, config, gpusched_tlp_smc_init);
    }
    // As the one that an image was saved of, in storage of its own.
    static Result<Smc> from_image(Span<const std::byte> image) noexcept { return make_from<Smc>(image); }

    static Result<Config> image_config(Span<const std::byte> image) noexcept {
        Config config;
        const Status status = gpusched_tlp_smc_image_config(image.data(), image.size(), &config, sizeof(gpusched_tlp_config));
        return {status, config};
    }
    // The storage that create_in needs.
    static Result<Layout> layout(const Config& config) noexcept {
        return detail::layout_of<gpusched_tlp_config>(gpusched_tlp_smc_layout, &config);
    }

    // Events.

    // Starts a search; an SM holds so many TBs of each kernel alone.
    Result<Proposal> start(std::uint32_t max0, std::uint32_t max1) noexcept {
        gpusched_tlp_proposal record{};
        const Status status = gpusched_tlp_smc_start(c(), max0, max1, &record);
        return {status, Proposal(record)};
    }
    // How good what was proposed last is.
    Result<Reported> report(std::uint64_t perf) noexcept {
        gpusched_tlp_reported record{};
        const Status status = gpusched_tlp_smc_report(c(), perf, &record);
        return {status, Reported(record)};
    }

    // Queries.

    Result<SmcState> state() const noexcept {
        return view<SmcState, gpusched_tlp_smc_state>(gpusched_tlp_smc_get_state);
    }

    Result<Config> config() const noexcept {
        Config config;
        const Status status = gpusched_tlp_smc_get_config(c(), &config, sizeof(gpusched_tlp_config));
        return {status, config};
    }

    // Images.

    Result<std::size_t> image_size() const noexcept { return ask<std::size_t>(gpusched_tlp_smc_image_size); }
    // The size of the image, also if the buffer is too small for it (ImageTooSmall).
    Result<std::size_t> save(Span<std::byte> image) const noexcept { return save_by(gpusched_tlp_smc_save, image); }
    Status restore(Span<const std::byte> image) noexcept {
        return gpusched_tlp_smc_restore(c(), image.data(), image.size());
    }
};

}  // namespace tlp
}  // namespace gpusched

#endif  // GPUSCHED_TLP_SMC_HPP
