// gpusched_simt.hpp: the C++17 face of what SIMT execution does per instruction, gpusched_coalesce* and
// gpusched_scoreboard_* of gpusched.h, beside the reconvergence stack of gpusched_stack.hpp; gpusched.hpp says how it differs from C.
#ifndef GPUSCHED_SIMT_HPP
#define GPUSCHED_SIMT_HPP

#include <gpusched_base.hpp>

namespace gpusched {
namespace simt {

// Numbers of rows, so that one cannot be taken for another: a warp, a register of it.
enum class WarpId : std::uint32_t {};
enum class RegId : std::uint32_t {};

// Enumerations: the numbers of C ---------------------------------------------------------------------------------------------

enum class Mode : std::uint32_t {
    Combine = GPUSCHED_COALESCE_MODE_COMBINE,
    Legacy = GPUSCHED_COALESCE_MODE_LEGACY,
};

enum class Stall : std::uint32_t {
    None = GPUSCHED_STALL_NONE,
    Raw = GPUSCHED_STALL_RAW,
    Waw = GPUSCHED_STALL_WAW,
    Full = GPUSCHED_STALL_FULL,
};

// The coalescer ------------------------------------------------------------------------------------------------------------------

using Segment = gpusched_segment;

// The transactions of an access.
struct Coalesced {
    Span<const Segment> segments;
    // How many there are, also if the buffer is too short (Capacity).
    std::size_t total;
    bool coalesced;
};

// Parameters, which are all that a coalescer is.
class Coalescer : public gpusched_coalescer_config {
public:
    Coalescer() noexcept : gpusched_coalescer_config{} {
        (void)gpusched_coalescer_config_init(this, sizeof(gpusched_coalescer_config));
    }

    Coalescer with(std::uint32_t gpusched_coalescer_config::* field, std::uint32_t value) const noexcept {
        Coalescer changed = *this;
        changed.*field = value;
        return changed;
    }
    Coalescer with(Mode value) const noexcept { return with(&Coalescer::mode, number(value)); }

    // Says whether every value is in its range; if one is not, and the status is BadConfig, the value tells which.
    Result<Parameter> check() const noexcept {
        return detail::check_of<gpusched_coalescer_config>(gpusched_coalescer_config_check, this);
    }
    static Result<Parameter> parameter(std::uint32_t index) noexcept {
        return detail::parameter_of(gpusched_coalescer_parameter, index);
    }

    // The transactions of an access of `size` bytes per active lane, in the buffer.
    Result<Coalesced> access(std::uint64_t mask, Span<const std::uint64_t> addresses, std::uint32_t size,
                             Span<Segment> buffer) const noexcept {
        std::size_t count = 0;
        std::uint32_t coalesced = 0;
        const Status status = gpusched_coalesce(this, mask, addresses.data(), addresses.size(), size, buffer.data(),
                                                buffer.size(), &count, &coalesced);
        const std::size_t held = count < buffer.size() ? count : buffer.size();
        return {status, Coalesced{Span<const Segment>(buffer.data(), held), count, coalesced != 0}};
    }
};

// The scoreboard of an SM ----------------------------------------------------------------------------------------------------------

using ScoreboardStorageBits = gpusched_scoreboard_storage;
using WarpRegs = gpusched_warp_regs;

// Parameters: the fields of C, set one by one or in a chain.
class ScoreboardConfig : public gpusched_scoreboard_config {
public:
    ScoreboardConfig() noexcept : gpusched_scoreboard_config{} {
        (void)gpusched_scoreboard_config_init(this, sizeof(gpusched_scoreboard_config));
    }
    explicit ScoreboardConfig(const gpusched_scoreboard_config& config) noexcept : gpusched_scoreboard_config(config) {}

    ScoreboardConfig with(std::uint32_t gpusched_scoreboard_config::* field, std::uint32_t value) const noexcept {
        ScoreboardConfig changed = *this;
        changed.*field = value;
        return changed;
    }

    // Says whether every value is in its range; if one is not, and the status is BadConfig, the value tells which.
    Result<Parameter> check() const noexcept {
        return detail::check_of<gpusched_scoreboard_config>(gpusched_scoreboard_config_check, this);
    }
    Result<Layout> layout() const noexcept {
        return detail::layout_of<gpusched_scoreboard_config>(gpusched_scoreboard_layout, this);
    }
    Result<ScoreboardStorageBits> storage_bits() const noexcept {
        return detail::bits_of<ScoreboardStorageBits, gpusched_scoreboard_config>(gpusched_scoreboard_storage_bits, this);
    }
    static Result<Parameter> parameter(std::uint32_t index) noexcept {
        return detail::parameter_of(gpusched_scoreboard_parameter, index);
    }
};

// What becomes of an instruction, or what is pending after a result.
class Issue : public detail::View<gpusched_issue> {
public:
    using View::View;
    constexpr Stall stall() const noexcept { return static_cast<Stall>(raw_.stall); }
    constexpr bool issues() const noexcept { return stall() == Stall::None; }
    // The register that it waits for.
    constexpr std::optional<RegId> reg() const noexcept { return detail::row<RegId>(raw_.reg); }
    constexpr std::uint32_t pending() const noexcept { return raw_.pending; }
    constexpr std::uint32_t mem_in_flight() const noexcept { return raw_.mem_in_flight; }
};

// The scoreboard, and the storage it lives in unless that is the caller's.
class Scoreboard : public detail::Object<gpusched_scoreboard> {
public:
    Scoreboard() noexcept = default;

    // In storage of its own. Null: there is no memory.
    static Result<Scoreboard> create(const ScoreboardConfig& config = ScoreboardConfig()) noexcept {
        return make<Scoreboard>(config, gpusched_scoreboard_init);
    }
    // In the caller's storage, which must stay where it is and outlive the scoreboard.
    static Result<Scoreboard> create_in(Span<std::byte> storage, const ScoreboardConfig& config) noexcept {
        return make_in<Scoreboard>(storage, config, gpusched_scoreboard_init);
    }
    // As the one that an image was saved of, in storage of its own.
    static Result<Scoreboard> from_image(Span<const std::byte> image) noexcept { return make_from<Scoreboard>(image); }

    static Result<ScoreboardConfig> image_config(Span<const std::byte> image) noexcept {
        ScoreboardConfig config;
        const Status status =
            gpusched_scoreboard_image_config(image.data(), image.size(), &config, sizeof(gpusched_scoreboard_config));
        return {status, config};
    }

    // Events.

    // `memory`: its result comes from there.
    Result<Issue> issue(WarpId warp, Span<const std::uint32_t> sources, std::optional<RegId> destination,
                        bool memory = false) noexcept {
        gpusched_issue issue{};
        const Status status = gpusched_scoreboard_issue(c(), number(warp), sources.data(), sources.size(),
                                                        detail::number_or_none(destination), memory ? 1 : 0, &issue);
        return {status, Issue(issue)};
    }
    Result<Issue> writeback(WarpId warp, RegId reg) noexcept {
        gpusched_issue after{};
        const Status status = gpusched_scoreboard_writeback(c(), number(warp), number(reg), &after);
        return {status, Issue(after)};
    }
    // How many registers were pending.
    Result<std::uint32_t> flush(WarpId warp) noexcept {
        std::uint32_t dropped = 0;
        const Status status = gpusched_scoreboard_flush(c(), number(warp), &dropped);
        return {status, dropped};
    }

    // Queries.

    Result<ScoreboardConfig> config() const noexcept {
        ScoreboardConfig config;
        const Status status = gpusched_scoreboard_get_config(c(), &config, sizeof(gpusched_scoreboard_config));
        return {status, config};
    }
    Result<std::uint32_t> mem_in_flight() const noexcept { return ask<std::uint32_t>(gpusched_scoreboard_mem_in_flight); }
    Result<WarpRegs> warp(WarpId warp) const noexcept { return ask<WarpRegs>(gpusched_scoreboard_warp, number(warp)); }

    // Images.

    Result<std::size_t> image_size() const noexcept { return ask<std::size_t>(gpusched_scoreboard_image_size); }
    // The size of the image, also if the buffer is too small for it (ImageTooSmall).
    Result<std::size_t> save(Span<std::byte> image) const noexcept { return save_by(gpusched_scoreboard_save, image); }
    Status restore(Span<const std::byte> image) noexcept {
        return gpusched_scoreboard_restore(c(), image.data(), image.size());
    }
};

}  // namespace simt
}  // namespace gpusched

#endif  // GPUSCHED_SIMT_HPP
