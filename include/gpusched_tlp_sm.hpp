// gpusched_tlp_sm.hpp: the C++17 face of TLP modulation on one SM, gpusched_tlp_sm_* of gpusched.h.
#ifndef GPUSCHED_TLP_SM_HPP
#define GPUSCHED_TLP_SM_HPP

#include <gpusched_tlp_config.hpp>

namespace gpusched {
namespace tlp {

enum class Phase : std::uint32_t {
    Waiting = GPUSCHED_TLP_PHASE_WAITING,
    Sampling = GPUSCHED_TLP_PHASE_SAMPLING,
    Await = GPUSCHED_TLP_PHASE_AWAIT,
};

enum class Learn : std::uint32_t {
    Off = GPUSCHED_TLP_LEARN_OFF,
    S1 = GPUSCHED_TLP_LEARN_S1,
    S2 = GPUSCHED_TLP_LEARN_S2,
    S3 = GPUSCHED_TLP_LEARN_S3,
    S4 = GPUSCHED_TLP_LEARN_S4,
    Done = GPUSCHED_TLP_LEARN_DONE,
};

enum class Pipe : std::uint32_t {
    Sp = GPUSCHED_TLP_PIPE_SP,
    Ldst = GPUSCHED_TLP_PIPE_LDST,
};

enum class Action : std::uint32_t {
    Void = GPUSCHED_TLP_ACTION_VOID,
    Off = GPUSCHED_TLP_ACTION_OFF,
    Frozen = GPUSCHED_TLP_ACTION_FROZEN,
    First = GPUSCHED_TLP_ACTION_FIRST,
    Hold = GPUSCHED_TLP_ACTION_HOLD,
    Tie = GPUSCHED_TLP_ACTION_TIE,
    NoWork = GPUSCHED_TLP_ACTION_NO_WORK,
    Blocked = GPUSCHED_TLP_ACTION_BLOCKED,
    Moved = GPUSCHED_TLP_ACTION_MOVED,
};

class Attached : public detail::View<gpusched_tlp_attached> {
public:
    using View::View;
    constexpr Mode mode() const noexcept { return static_cast<Mode>(raw_.mode); }
    constexpr Pair tb() const noexcept { return detail::pair(raw_.tb); }
};

class Detached : public detail::View<gpusched_tlp_detached> {
public:
    using View::View;
    constexpr Mode mode() const noexcept { return static_cast<Mode>(raw_.mode); }
    constexpr Pair tb() const noexcept { return detail::pair(raw_.tb); }
    constexpr bool aborted() const noexcept { return raw_.aborted != 0; }
};

// What an SM takes; the rest means something only if it takes a TB.
class Dispatched : public detail::View<gpusched_tlp_dispatched> {
public:
    using View::View;
    constexpr bool sent() const noexcept { return stall() == Stall::None; }
    constexpr Stall stall() const noexcept { return static_cast<Stall>(raw_.stall); }
    constexpr SlotId slot() const noexcept { return SlotId{raw_.slot}; }
    constexpr KernelId k() const noexcept { return KernelId{raw_.k}; }
    constexpr bool bypass() const noexcept { return raw_.bypass != 0; }
};

class Finished : public detail::View<gpusched_tlp_finished> {
public:
    using View::View;
    constexpr KernelId k() const noexcept { return KernelId{raw_.k}; }
    constexpr bool bypass() const noexcept { return raw_.bypass != 0; }
    // Its counters go to Sm::sample.
    constexpr bool period_end() const noexcept { return raw_.period_end != 0; }
};

class Sampled : public detail::View<gpusched_tlp_sampled> {
public:
    using View::View;
    constexpr Action action() const noexcept { return static_cast<Action>(raw_.action); }
    constexpr std::optional<Pipe> critical() const noexcept { return detail::row<Pipe>(raw_.critical); }
    constexpr std::optional<KernelId> grow() const noexcept { return detail::row<KernelId>(raw_.grow); }
    constexpr Pair tb() const noexcept { return detail::pair(raw_.tb); }
    constexpr Pair by() const noexcept { return detail::pair(raw_.by); }
    constexpr Learn learn() const noexcept { return static_cast<Learn>(raw_.learn); }
    constexpr std::uint32_t cost() const noexcept { return raw_.cost; }
};

class Overridden : public detail::View<gpusched_tlp_overridden> {
public:
    using View::View;
    constexpr bool aborted() const noexcept { return raw_.aborted != 0; }
    constexpr Pair by() const noexcept { return detail::pair(raw_.by); }
};

class SmState : public detail::View<gpusched_tlp_sm_state> {
public:
    using View::View;
    constexpr Mode mode() const noexcept { return static_cast<Mode>(raw_.mode); }
    constexpr KernelId first() const noexcept { return KernelId{raw_.first}; }
    constexpr Pair tb() const noexcept { return detail::pair(raw_.tb); }
    constexpr Pair by() const noexcept { return detail::pair(raw_.by); }
    constexpr Pair resident() const noexcept { return detail::pair(raw_.resident); }
    constexpr Pair bypassing() const noexcept { return detail::pair(raw_.bypassing); }
    constexpr Phase phase() const noexcept { return static_cast<Phase>(raw_.phase); }
    constexpr std::optional<std::uint64_t> start() const noexcept { return detail::cycle(raw_.start); }
    constexpr std::optional<std::uint64_t> end() const noexcept { return detail::cycle(raw_.end); }
    constexpr std::uint32_t cohort() const noexcept { return raw_.cohort; }
    constexpr Learn learn() const noexcept { return static_cast<Learn>(raw_.learn); }
    // Utilisations in the history, in 65536ths.
    constexpr std::uint32_t periods() const noexcept { return raw_.periods; }
    constexpr std::uint32_t sp() const noexcept { return raw_.sp; }
    constexpr std::uint32_t ldst() const noexcept { return raw_.ldst; }
    constexpr Pair sp_of() const noexcept { return detail::pair(raw_.sp_of); }
    constexpr Pair ldst_of() const noexcept { return detail::pair(raw_.ldst_of); }
};

class Resident : public detail::View<gpusched_tlp_resident> {
public:
    using View::View;
    constexpr KernelId k() const noexcept { return KernelId{raw_.k}; }
    constexpr bool bypass() const noexcept { return raw_.bypass != 0; }
};

// TLP modulation on one SM, and the storage it lives in unless that is the caller's.
class Sm : public detail::Object<gpusched_tlp_sm> {
public:
    Sm() noexcept = default;

    // In storage of its own. Null: there is no memory.
    static Result<Sm> create(const Config& config = Config()) noexcept {
        return make<Sm>(detail::Laid{config, gpusched_tlp_sm_layout}, gpusched_tlp_sm_init);
    }
    // In the caller's storage, which must stay where it is and outlive the machine.
    static Result<Sm> create_in(Span<std::byte> storage, const Config& config) noexcept {
        return make_in<Sm>(storage, config, gpusched_tlp_sm_init);
    }
    // As the one that an image was saved of, in storage of its own.
    static Result<Sm> from_image(Span<const std::byte> image) noexcept { return make_from<Sm>(image); }

    static Result<Config> image_config(Span<const std::byte> image) noexcept {
        Config config;
        const Status status = gpusched_tlp_sm_image_config(image.data(), image.size(), &config, sizeof(gpusched_tlp_config));
        return {status, config};
    }
    // The storage that create_in needs.
    static Result<Layout> layout(const Config& config) noexcept {
        return detail::layout_of<gpusched_tlp_config>(gpusched_tlp_sm_layout, &config);
    }

    // Events.

    Result<Attached> attach(std::uint64_t now, KernelId k, const Kernel& kernel) noexcept {
        gpusched_tlp_attached record{};
        const Status status = gpusched_tlp_sm_attach(c(), now, number(k), &kernel, &record);
        return {status, Attached(record)};
    }
    // The kernel will send no more TBs here, and none is resident.
    Result<Detached> done(std::uint64_t now, KernelId k) noexcept {
        gpusched_tlp_detached record{};
        const Status status = gpusched_tlp_sm_done(c(), now, number(k), &record);
        return {status, Detached(record)};
    }
    // Which TB the SM takes next, if kernel 0, or 1, has TBs to be sent.
    Result<Dispatched> dispatch(std::uint64_t now, bool avail0, bool avail1) noexcept {
        gpusched_tlp_dispatched record{};
        const Status status = gpusched_tlp_sm_dispatch(c(), now, avail0 ? 1 : 0, avail1 ? 1 : 0, &record);
        return {status, Dispatched(record)};
    }
    Result<Finished> finish(std::uint64_t now, SlotId slot) noexcept {
        gpusched_tlp_finished record{};
        const Status status = gpusched_tlp_sm_finish(c(), now, number(slot), &record);
        return {status, Finished(record)};
    }
    Result<Sampled> sample(std::uint64_t now, const Metrics& metrics) noexcept {
        gpusched_tlp_sampled record{};
        const Status status = gpusched_tlp_sm_sample(c(), now, &metrics, &record);
        return {status, Sampled(record)};
    }
    // Sets the targets of two kernels.
    Result<Overridden> override_tlp(std::uint64_t now, std::uint32_t tb0, std::uint32_t tb1) noexcept {
        gpusched_tlp_overridden record{};
        const Status status = gpusched_tlp_sm_override(c(), now, tb0, tb1, &record);
        return {status, Overridden(record)};
    }

    // Queries.

    Result<std::uint64_t> now() const noexcept { return ask<std::uint64_t>(gpusched_tlp_sm_now); }
    Result<SmState> state() const noexcept { return view<SmState, gpusched_tlp_sm_state>(gpusched_tlp_sm_get_state); }
    Result<Kernel> kernel(KernelId k) const noexcept { return ask<Kernel>(gpusched_tlp_sm_get_kernel, number(k)); }
    Result<Resident> slot(SlotId slot) const noexcept {
        return view<Resident, gpusched_tlp_resident>(gpusched_tlp_sm_get_slot, number(slot));
    }

    Result<Config> config() const noexcept {
        Config config;
        const Status status = gpusched_tlp_sm_get_config(c(), &config, sizeof(gpusched_tlp_config));
        return {status, config};
    }

    // Images.

    Result<std::size_t> image_size() const noexcept { return ask<std::size_t>(gpusched_tlp_sm_image_size); }
    // The size of the image, also if the buffer is too small for it (ImageTooSmall).
    Result<std::size_t> save(Span<std::byte> image) const noexcept { return save_by(gpusched_tlp_sm_save, image); }
    Status restore(Span<const std::byte> image) noexcept {
        return gpusched_tlp_sm_restore(c(), image.data(), image.size());
    }
};

}  // namespace tlp
}  // namespace gpusched

#endif  // GPUSCHED_TLP_SM_HPP
