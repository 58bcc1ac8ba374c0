// gpusched_simt.hpp: the C++17 face of what SIMT execution does per instruction, gpusched_stack_*, gpusched_coalesce* and
// gpusched_scoreboard_* of gpusched.h; gpusched.hpp says how it differs from C.
//
//   auto made = gpusched::simt::Stack::create(gpusched::simt::StackConfig(32));
//   if (!made) return fail(made.status().text());
//   const auto running = made->branch({taken, taken_pc, fall_pc, join});
#ifndef GPUSCHED_SIMT_HPP
#define GPUSCHED_SIMT_HPP

#include <gpusched_base.hpp>
#include <gpusched_simt.h>

namespace gpusched {
namespace simt {

// Numbers of rows, so that one cannot be taken for another: a warp, a register of it.
enum class WarpId : std::uint32_t {};
enum class RegId : std::uint32_t {};

// Enumerations: the numbers of C ---------------------------------------------------------------------------------------------

enum class First : std::uint32_t {
    Fall = GPUSCHED_STACK_FIRST_FALL,
    Taken = GPUSCHED_STACK_FIRST_TAKEN,
};

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

// The reconvergence stack of a warp --------------------------------------------------------------------------------------------

using StackStorageBits = gpusched_stack_storage;

// Parameters: the fields of C, set one by one or in a chain.
class StackConfig : public gpusched_stack_config {
public:
    StackConfig() noexcept : gpusched_stack_config{} {
        (void)gpusched_stack_config_init(this, sizeof(gpusched_stack_config));
    }
    // A warp of so many lanes, 1 to 64, with a stack that cannot overflow.
    explicit StackConfig(std::uint32_t of_lanes) noexcept : StackConfig() {
        (void)gpusched_stack_config_of_lanes(this, sizeof(gpusched_stack_config), of_lanes);
    }
    explicit StackConfig(const gpusched_stack_config& config) noexcept : gpusched_stack_config(config) {}

    StackConfig with(std::uint32_t gpusched_stack_config::* field, std::uint32_t value) const noexcept {
        StackConfig changed = *this;
        changed.*field = value;
        return changed;
    }
    StackConfig with(First value) const noexcept { return with(&StackConfig::first, number(value)); }

    // Says whether every value is in its range; if one is not, and the status is BadConfig, the value tells which.
    Result<Parameter> check() const noexcept {
        return detail::check_of<gpusched_stack_config>(gpusched_stack_config_check, this);
    }
    Result<Layout> layout() const noexcept {
        return detail::layout_of<gpusched_stack_config>(gpusched_stack_layout, this);
    }
    Result<StackStorageBits> storage_bits() const noexcept {
        return detail::bits_of<StackStorageBits, gpusched_stack_config>(gpusched_stack_storage_bits, this);
    }
    static Result<Parameter> parameter(std::uint32_t index) noexcept {
        return detail::parameter_of(gpusched_stack_parameter, index);
    }
};

// A branch.
class Branch : public detail::View<gpusched_branch> {
public:
    constexpr Branch(std::uint64_t taken, std::uint32_t taken_pc, std::uint32_t fall_pc,
                     std::optional<std::uint32_t> reconv) noexcept
        : View(gpusched_branch{taken, taken_pc, fall_pc, reconv ? *reconv : GPUSCHED_NONE, 0}) {}
};

// What runs next.
class Running : public detail::View<gpusched_running> {
public:
    using View::View;
    constexpr std::uint32_t pc() const noexcept { return raw_.pc; }
    constexpr std::uint64_t mask() const noexcept { return raw_.mask; }
    constexpr std::uint32_t depth() const noexcept { return raw_.depth; }
    constexpr std::uint32_t pops() const noexcept { return raw_.pops; }
    constexpr bool done() const noexcept { return raw_.done != 0; }
};

// Lanes that wait for their turn.
class Entry : public detail::View<gpusched_stack_entry> {
public:
    using View::View;
    constexpr std::optional<std::uint32_t> reconv() const noexcept {
        return raw_.reconv == GPUSCHED_NONE ? std::nullopt : std::optional(raw_.reconv);
    }
    constexpr std::uint64_t mask() const noexcept { return raw_.mask; }
    constexpr std::uint32_t next() const noexcept { return raw_.next; }
};
using Entries = List<Entry, gpusched_stack_entry>;

// The stack of a warp, and the storage it lives in unless that is the caller's.
class Stack : public detail::Object<gpusched_stack> {
public:
    Stack() noexcept = default;

    // In storage of its own. Null: there is no memory.
    static Result<Stack> create(const StackConfig& config = StackConfig()) noexcept {
        return make<Stack>(config, gpusched_stack_init);
    }
    // In the caller's storage, which must stay where it is and outlive the stack.
    static Result<Stack> create_in(Span<std::byte> storage, const StackConfig& config) noexcept {
        return make_in<Stack>(storage, config, gpusched_stack_init);
    }
    // As the one that an image was saved of, in storage of its own.
    static Result<Stack> from_image(Span<const std::byte> image) noexcept { return make_from<Stack>(image); }

    static Result<StackConfig> image_config(Span<const std::byte> image) noexcept {
        StackConfig config;
        const Status status =
            gpusched_stack_image_config(image.data(), image.size(), &config, sizeof(gpusched_stack_config));
        return {status, config};
    }

    // Events.

    Result<Running> start(std::uint32_t pc, std::uint64_t mask) noexcept {
        return run([=](auto* c, auto* to) { return gpusched_stack_start(c, pc, mask, to); });
    }
    Result<Running> advance(std::uint32_t pc) noexcept {
        return run([=](auto* c, auto* to) { return gpusched_stack_advance(c, pc, to); });
    }
    Result<Running> branch(const Branch& branch) noexcept {
        return run([&](auto* c, auto* to) { return gpusched_stack_branch(c, &branch.raw(), to); });
    }
    Result<Running> exit(std::uint64_t lanes) noexcept {
        return run([=](auto* c, auto* to) { return gpusched_stack_exit(c, lanes, to); });
    }

    // Queries. Lists are written to a buffer; if it is too short the status is Capacity and the list holds what fits.

    Result<StackConfig> config() const noexcept {
        StackConfig config;
        const Status status = gpusched_stack_get_config(c(), &config, sizeof(gpusched_stack_config));
        return {status, config};
    }
    Result<Running> running() const noexcept { return view<Running, gpusched_running>(gpusched_stack_running); }
    Result<Entries> entries(Span<gpusched_stack_entry> buffer) const noexcept {
        return list<Entries>(gpusched_stack_entries, buffer);
    }

    // Images.

    Result<std::size_t> image_size() const noexcept { return ask<std::size_t>(gpusched_stack_image_size); }
    // The size of the image, also if the buffer is too small for it (ImageTooSmall).
    Result<std::size_t> save(Span<std::byte> image) const noexcept { return save_by(gpusched_stack_save, image); }
    Status restore(Span<const std::byte> image) noexcept {
        return gpusched_stack_restore(c(), image.data(), image.size());
    }

private:
    template <class Call>
    Result<Running> run(Call call) noexcept {
        gpusched_running running{};
        const Status status = call(c(), &running);
        return {status, Running(running)};
    }
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
