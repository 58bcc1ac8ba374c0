// gpusched_bubble.hpp: the C++17 face of the occupancy-bubble controller alone, gpusched_bubble_* of gpusched.h; gpusched.hpp says how
// it differs from C.
//
//   auto made = gpusched::bubble::Controller::create(gpusched::bubble::Config().with(&gpusched::bubble::Config::smxs, 4));
//   if (!made) return fail(made.status().text());
//   const auto sample = made->sample(0);
#ifndef GPUSCHED_BUBBLE_HPP
#define GPUSCHED_BUBBLE_HPP

#include <gpusched_base.hpp>

namespace gpusched {

// Energy in mW x cycles, exactly, in 128 bits. A cycle lasts 1 / f_high_mhz us.
class Energy : public detail::View<gpusched_energy> {
public:
    using View::View;
    constexpr std::uint64_t lo() const noexcept { return raw_.lo; }
    constexpr std::uint64_t hi() const noexcept { return raw_.hi; }
    // Rounded; exact below 2^53.
    constexpr double mw_cycles() const noexcept {
        return static_cast<double>(raw_.hi) * 18446744073709551616.0 + static_cast<double>(raw_.lo);
    }
    constexpr double joules(std::uint32_t f_high_mhz) const noexcept { return mw_cycles() / (1e9 * f_high_mhz); }

    friend constexpr Energy operator+(Energy a, Energy b) noexcept {
        const std::uint64_t lo = a.lo() + b.lo();
        return Energy(gpusched_energy{lo, a.hi() + b.hi() + (lo < a.lo() ? 1 : 0)});
    }
    friend constexpr bool operator==(Energy a, Energy b) noexcept { return a.hi() == b.hi() && a.lo() == b.lo(); }
    friend constexpr bool operator!=(Energy a, Energy b) noexcept { return !(a == b); }
    friend constexpr bool operator<(Energy a, Energy b) noexcept {
        return a.hi() != b.hi() ? a.hi() < b.hi() : a.lo() < b.lo();
    }
};

namespace bubble {

// Enumerations: the numbers of C ---------------------------------------------------------------------------------------------

enum class Retrigger : std::uint32_t {
    Level = GPUSCHED_BUBBLE_RETRIGGER_LEVEL,
    Rearm = GPUSCHED_BUBBLE_RETRIGGER_REARM,
    Once = GPUSCHED_BUBBLE_RETRIGGER_ONCE,
};

enum class GpuDone : std::uint32_t {
    None = GPUSCHED_BUBBLE_GPU_DONE_NONE,
    Low = GPUSCHED_BUBBLE_GPU_DONE_LOW,
    High = GPUSCHED_BUBBLE_GPU_DONE_HIGH,
};

enum class GpuStart : std::uint32_t {
    None = GPUSCHED_BUBBLE_GPU_START_NONE,
    Down = GPUSCHED_BUBBLE_GPU_START_DOWN,
    Up = GPUSCHED_BUBBLE_GPU_START_UP,
};

enum class Resume : std::uint32_t {
    None = GPUSCHED_BUBBLE_RESUME_NONE,
    Up = GPUSCHED_BUBBLE_RESUME_UP,
    Cancel = GPUSCHED_BUBBLE_RESUME_CANCEL,
};

enum class Level : std::uint32_t {
    Normal = GPUSCHED_BUBBLE_LEVEL_NORMAL,
    Draining = GPUSCHED_BUBBLE_LEVEL_DRAINING,
    GoingDown = GPUSCHED_BUBBLE_LEVEL_GOING_DOWN,
    Low = GPUSCHED_BUBBLE_LEVEL_LOW,
    GoingUp = GPUSCHED_BUBBLE_LEVEL_GOING_UP,
};

enum class PState : std::uint32_t {
    High = GPUSCHED_BUBBLE_PSTATE_HIGH,
    Down = GPUSCHED_BUBBLE_PSTATE_DOWN,
    Low = GPUSCHED_BUBBLE_PSTATE_LOW,
    Up = GPUSCHED_BUBBLE_PSTATE_UP,
};

// What goes in ---------------------------------------------------------------------------------------------------------------

using StorageBits = gpusched_bubble_storage;

// Parameters: the fields of C, set one by one or in a chain.
class Config : public gpusched_bubble_config {
public:
    Config() noexcept : gpusched_bubble_config{} {
        (void)gpusched_bubble_config_init(this, sizeof(gpusched_bubble_config));
    }
    explicit Config(const gpusched_bubble_config& config) noexcept : gpusched_bubble_config(config) {}

    Config with(std::uint32_t gpusched_bubble_config::* field, std::uint32_t value) const noexcept {
        Config changed = *this;
        changed.*field = value;
        return changed;
    }
    Config with(Retrigger value) const noexcept { return with(&Config::retrigger, number(value)); }

    // Says whether every value is in its range and right beside the others; if one is not, and the status is BadConfig, the value
    // tells which.
    Result<Parameter> check() const noexcept {
        return detail::check_of<gpusched_bubble_config>(gpusched_bubble_config_check, this);
    }
    Result<Layout> layout() const noexcept {
        return detail::layout_of<gpusched_bubble_config>(gpusched_bubble_layout, this);
    }
    Result<StorageBits> storage_bits() const noexcept {
        return detail::bits_of<StorageBits, gpusched_bubble_config>(gpusched_bubble_storage_bits, this);
    }
};

inline Result<Parameter> parameter(std::uint32_t index) noexcept {
    return detail::parameter_of(gpusched_bubble_parameter, index);
}

// The TB that waits: what it takes, and where it may run.
class Waiting : public detail::View<gpusched_bubble_waiting> {
public:
    // On any SMX.
    constexpr explicit Waiting(const Resources& res) noexcept : View(gpusched_bubble_waiting{{}, res, 0}) {}
    // On these SMXs only.
    constexpr Waiting(const Resources& res, const SmxSet& allowed) noexcept
        : View(gpusched_bubble_waiting{allowed.raw(), res, 1}) {}
};

// What comes out -------------------------------------------------------------------------------------------------------------

class Registers : public detail::View<gpusched_bubble_registers> {
public:
    using View::View;
    constexpr SmxSet dvr() const noexcept { return SmxSet(raw_.dvr); }
    constexpr SmxSet drn() const noexcept { return SmxSet(raw_.drn); }
    constexpr SmxSet dvfs() const noexcept { return SmxSet(raw_.dvfs); }
    constexpr bool gpu() const noexcept { return raw_.gpu != 0; }
};

// What a sample found and decided.
class Sample : public detail::View<gpusched_bubble_record> {
public:
    using View::View;
    constexpr GpuDone gpu_done() const noexcept { return static_cast<GpuDone>(raw_.gpu_done); }
    constexpr GpuStart gpu_start() const noexcept { return static_cast<GpuStart>(raw_.gpu_start); }
    constexpr SmxSet low_done() const noexcept { return SmxSet(raw_.low_done); }
    constexpr SmxSet high_done() const noexcept { return SmxSet(raw_.high_done); }
    constexpr SmxSet divert() const noexcept { return SmxSet(raw_.divert); }
    constexpr SmxSet refused() const noexcept { return SmxSet(raw_.refused); }
    constexpr SmxSet drain_done() const noexcept { return SmxSet(raw_.drain_done); }
    constexpr SmxSet drain_abort() const noexcept { return SmxSet(raw_.drain_abort); }
    constexpr SmxSet down() const noexcept { return SmxSet(raw_.down); }
    constexpr Resume resume() const noexcept { return static_cast<Resume>(raw_.resume); }
    constexpr std::optional<SmxId> resume_smx() const noexcept { return detail::row<SmxId>(raw_.resume_smx); }
    constexpr bool starved() const noexcept { return raw_.starved != 0; }
    constexpr SmxSet eligible() const noexcept { return SmxSet(raw_.eligible); }
    constexpr Registers registers() const noexcept { return Registers(raw_.registers); }
};

class Gpu : public detail::View<gpusched_bubble_gpu> {
public:
    using View::View;
    constexpr Level level() const noexcept { return static_cast<Level>(raw_.level); }
    constexpr std::uint32_t left() const noexcept { return raw_.left; }
    constexpr std::uint64_t idle_samples() const noexcept { return raw_.idle_samples; }
    constexpr SmxSet low() const noexcept { return SmxSet(raw_.low); }
};

class Smx : public detail::View<gpusched_bubble_smx> {
public:
    using View::View;
    constexpr Level level() const noexcept { return static_cast<Level>(raw_.level); }
    constexpr std::uint32_t samples() const noexcept { return raw_.samples; }
    constexpr PState pstate() const noexcept { return static_cast<PState>(raw_.pstate); }
    constexpr bool armed() const noexcept { return raw_.armed != 0; }
    constexpr std::uint64_t bubble() const noexcept { return raw_.bubble; }
    constexpr std::uint64_t low() const noexcept { return raw_.low; }
    constexpr Energy energy() const noexcept { return Energy(raw_.energy); }
    constexpr Energy energy_bubble() const noexcept { return Energy(raw_.energy_bubble); }
};

using Resident = gpusched_bubble_resident;
using Ledger = gpusched_bubble_ledger;
using Stats = gpusched_bubble_stats;

// The machine ----------------------------------------------------------------------------------------------------------------

// The controller alone, and the storage it lives in unless that is the caller's.
class Controller : public detail::Object<gpusched_bubble> {
public:
    Controller() noexcept = default;

    // In storage of its own. Null: there is no memory.
    static Result<Controller> create(const Config& config = Config()) noexcept {
        return make<Controller>(config, gpusched_bubble_init);
    }
    // In the caller's storage, which must stay where it is and outlive the controller.
    static Result<Controller> create_in(Span<std::byte> storage, const Config& config) noexcept {
        return make_in<Controller>(storage, config, gpusched_bubble_init);
    }
    // As the one that an image was saved of, in storage of its own.
    static Result<Controller> from_image(Span<const std::byte> image) noexcept { return make_from<Controller>(image); }

    static Result<Config> image_config(Span<const std::byte> image) noexcept {
        Config config;
        const Status status =
            gpusched_bubble_image_config(image.data(), image.size(), &config, sizeof(gpusched_bubble_config));
        return {status, config};
    }

    // Events.

    // What is resident there now.
    Result<Resident> dispatched(std::uint64_t now, SmxId smx, const Resources& res) noexcept {
        Resident resident{};
        const Status status = gpusched_bubble_dispatched(c(), now, number(smx), &res, &resident);
        return {status, resident};
    }
    Result<Resident> completed(std::uint64_t now, SmxId smx, const Resources& res) noexcept {
        Resident resident{};
        const Status status = gpusched_bubble_completed(c(), now, number(smx), &res, &resident);
        return {status, resident};
    }
    // Activity follows from the occupancy if none is given.
    Result<Sample> sample(std::uint64_t now, const std::optional<Waiting>& waiting = std::nullopt,
                          Span<const std::uint16_t> activity = {}) noexcept {
        gpusched_bubble_record record{};
        const gpusched_bubble_waiting* const tb = waiting ? &waiting->raw() : nullptr;
        const Status status = gpusched_bubble_sample(c(), now, tb, activity.data(), activity.size(), &record);
        return {status, Sample(record)};
    }
    Status account(std::uint64_t now, Span<const std::uint16_t> activity = {}) noexcept {
        return gpusched_bubble_account(c(), now, activity.data(), activity.size());
    }

    // Queries.

    Result<Config> config() const noexcept {
        Config config;
        const Status status = gpusched_bubble_get_config(c(), &config, sizeof(gpusched_bubble_config));
        return {status, config};
    }
    Result<std::uint64_t> now() const noexcept { return ask<std::uint64_t>(gpusched_bubble_now); }
    Result<std::optional<std::uint64_t>> next_sample() const noexcept { return when(gpusched_bubble_next_sample); }
    Result<SmxSet> eligible() const noexcept { return view<SmxSet, gpusched_smx_set>(gpusched_bubble_eligible); }
    Result<SmxSet> armed() const noexcept { return view<SmxSet, gpusched_smx_set>(gpusched_bubble_armed); }
    Result<Registers> registers() const noexcept {
        return view<Registers, gpusched_bubble_registers>(gpusched_bubble_get_registers);
    }
    Result<Gpu> gpu() const noexcept { return view<Gpu, gpusched_bubble_gpu>(gpusched_bubble_get_gpu); }
    Result<Smx> smx(SmxId smx) const noexcept {
        return view<Smx, gpusched_bubble_smx>(gpusched_bubble_get_smx, number(smx));
    }
    Result<Ledger> ledger(SmxId smx) const noexcept { return ask<Ledger>(gpusched_bubble_get_ledger, number(smx)); }
    Result<Energy> energy() const noexcept { return view<Energy, gpusched_energy>(gpusched_bubble_energy); }
    Result<Energy> energy_uncore() const noexcept {
        return view<Energy, gpusched_energy>(gpusched_bubble_energy_uncore);
    }
    Result<Stats> stats() const noexcept { return ask<Stats>(gpusched_bubble_get_stats); }

    // Images.

    Result<std::size_t> image_size() const noexcept { return ask<std::size_t>(gpusched_bubble_image_size); }
    // The size of the image, also if the buffer is too small for it (ImageTooSmall).
    Result<std::size_t> save(Span<std::byte> image) const noexcept { return save_by(gpusched_bubble_save, image); }
    Status restore(Span<const std::byte> image) noexcept {
        return gpusched_bubble_restore(c(), image.data(), image.size());
    }
};

}  // namespace bubble
}  // namespace gpusched

#endif  // GPUSCHED_BUBBLE_HPP
