// gpusched_equalizer.hpp: the C++17 face of Equalizer, gpusched_equalizer_* of gpusched.h; gpusched.hpp says how it differs from C.
//
//   auto sm = gpusched::equalizer::Sm::create();
//   auto fm = gpusched::equalizer::Fm::create(gpusched::equalizer::FmConfig().with(&gpusched::equalizer::FmConfig::sms, 1));
//   if (!sm || !fm) return fail(sm.status().text());
//   const auto epoch = sm->sample(now, counts);
//   if (epoch && epoch->ended()) fm->vote(now, SmxId{0}, epoch->sm_vote(), epoch->mem_vote());
#ifndef GPUSCHED_EQUALIZER_HPP
#define GPUSCHED_EQUALIZER_HPP

#include <gpusched_base.hpp>
#include <gpusched_equalizer.h>

namespace gpusched {
namespace equalizer {

// Enumerations: the numbers of C ---------------------------------------------------------------------------------------------

enum class Objective : std::uint32_t {
    Energy = GPUSCHED_EQUALIZER_OBJECTIVE_ENERGY,
    Performance = GPUSCHED_EQUALIZER_OBJECTIVE_PERFORMANCE,
};

enum class HeadKind : std::uint32_t {
    Alu = GPUSCHED_EQUALIZER_HEAD_KIND_ALU,
    Mem = GPUSCHED_EQUALIZER_HEAD_KIND_MEM,
};

enum class Class : std::uint32_t {
    Absent = GPUSCHED_EQUALIZER_CLASS_ABSENT,
    Paused = GPUSCHED_EQUALIZER_CLASS_PAUSED,
    Issued = GPUSCHED_EQUALIZER_CLASS_ISSUED,
    Unaccounted = GPUSCHED_EQUALIZER_CLASS_UNACCOUNTED,
    Other = GPUSCHED_EQUALIZER_CLASS_OTHER,
    Waiting = GPUSCHED_EQUALIZER_CLASS_WAITING,
    Xalu = GPUSCHED_EQUALIZER_CLASS_XALU,
    Xmem = GPUSCHED_EQUALIZER_CLASS_XMEM,
};

enum class Action : std::uint32_t {
    None = GPUSCHED_EQUALIZER_ACTION_NONE,
    Comp = GPUSCHED_EQUALIZER_ACTION_COMP,
    Mem = GPUSCHED_EQUALIZER_ACTION_MEM,
};

enum class Outcome : std::uint32_t {
    None = GPUSCHED_EQUALIZER_OUTCOME_NONE,
    Busy = GPUSCHED_EQUALIZER_OUTCOME_BUSY,
    Limit = GPUSCHED_EQUALIZER_OUTCOME_LIMIT,
    Start = GPUSCHED_EQUALIZER_OUTCOME_START,
    Done = GPUSCHED_EQUALIZER_OUTCOME_DONE,
};

enum class Average : std::uint32_t {
    Exact = GPUSCHED_EQUALIZER_AVERAGE_EXACT,
    Floor = GPUSCHED_EQUALIZER_AVERAGE_FLOOR,
};

enum class HystMode : std::uint32_t {
    Same = GPUSCHED_EQUALIZER_HYST_MODE_SAME,
    Any = GPUSCHED_EQUALIZER_HYST_MODE_ANY,
};

enum class Pick : std::uint32_t {
    Youngest = GPUSCHED_EQUALIZER_PICK_YOUNGEST,
    Oldest = GPUSCHED_EQUALIZER_PICK_OLDEST,
};

enum class XmemRule : std::uint32_t {
    Accept = GPUSCHED_EQUALIZER_XMEM_RULE_ACCEPT,
    Any = GPUSCHED_EQUALIZER_XMEM_RULE_ANY,
};

// A step of a clock, as configurations have it.
enum class Step : std::uint32_t {
    Hold = GPUSCHED_EQUALIZER_STEP_HOLD,
    Up = GPUSCHED_EQUALIZER_STEP_UP,
    Down = GPUSCHED_EQUALIZER_STEP_DOWN,
};

enum class Majority : std::uint32_t {
    Strict = GPUSCHED_EQUALIZER_MAJORITY_STRICT,
    Plurality = GPUSCHED_EQUALIZER_MAJORITY_PLURALITY,
};

enum class Idle : std::uint32_t {
    Hold = GPUSCHED_EQUALIZER_IDLE_HOLD,
    Relax = GPUSCHED_EQUALIZER_IDLE_RELAX,
};

// What goes in ---------------------------------------------------------------------------------------------------------------

using SmStorageBits = gpusched_equalizer_sm_storage;
using FmStorageBits = gpusched_equalizer_fm_storage;
// Warps of a sample, or sums over an epoch: active, waiting, X_alu, X_mem.
using Counts = gpusched_equalizer_counts;
// A warp at a sampling instant; its kind is a number of HeadKind.
using Warp = gpusched_equalizer_warp;

// Parameters of an Sm: the fields of C, set one by one or in a chain.
class SmConfig : public gpusched_equalizer_sm_config {
public:
    SmConfig() noexcept : gpusched_equalizer_sm_config{} {
        (void)gpusched_equalizer_sm_config_init(this, sizeof(gpusched_equalizer_sm_config));
    }
    explicit SmConfig(const gpusched_equalizer_sm_config& config) noexcept : gpusched_equalizer_sm_config(config) {}

    SmConfig with(std::uint32_t gpusched_equalizer_sm_config::* field, std::uint32_t value) const noexcept {
        SmConfig changed = *this;
        changed.*field = value;
        return changed;
    }
    // Of a map of votes, such as energy_mem_mem, or a pick.
    template <class E, class = std::enable_if_t<std::is_enum_v<E>>>
    SmConfig with(std::uint32_t gpusched_equalizer_sm_config::* field, E value) const noexcept {
        return with(field, number(value));
    }
    SmConfig with(Average value) const noexcept { return with(&SmConfig::average, value); }
    SmConfig with(HystMode value) const noexcept { return with(&SmConfig::hyst_mode, value); }
    SmConfig with(Objective value) const noexcept { return with(&SmConfig::objective, value); }
    SmConfig with(XmemRule value) const noexcept { return with(&SmConfig::xmem_rule, value); }

    // Says whether every value is in its range and right beside the others; if one is not, and the status is BadConfig, the value
    // tells which.
    Result<Parameter> check() const noexcept {
        return detail::check_of<gpusched_equalizer_sm_config>(gpusched_equalizer_sm_config_check, this);
    }
    Result<Layout> layout() const noexcept {
        return detail::layout_of<gpusched_equalizer_sm_config>(gpusched_equalizer_sm_layout, this);
    }
    Result<SmStorageBits> storage_bits() const noexcept {
        return detail::bits_of<SmStorageBits, gpusched_equalizer_sm_config>(gpusched_equalizer_sm_storage_bits, this);
    }
};

// Parameters of an Fm.
class FmConfig : public gpusched_equalizer_fm_config {
public:
    FmConfig() noexcept : gpusched_equalizer_fm_config{} {
        (void)gpusched_equalizer_fm_config_init(this, sizeof(gpusched_equalizer_fm_config));
    }
    explicit FmConfig(const gpusched_equalizer_fm_config& config) noexcept : gpusched_equalizer_fm_config(config) {}

    FmConfig with(std::uint32_t gpusched_equalizer_fm_config::* field, std::uint32_t value) const noexcept {
        FmConfig changed = *this;
        changed.*field = value;
        return changed;
    }
    FmConfig with(Majority value) const noexcept { return with(&FmConfig::majority, number(value)); }
    FmConfig with(Idle value) const noexcept { return with(&FmConfig::idle, number(value)); }

    Result<Parameter> check() const noexcept {
        return detail::check_of<gpusched_equalizer_fm_config>(gpusched_equalizer_fm_config_check, this);
    }
    Result<Layout> layout() const noexcept {
        return detail::layout_of<gpusched_equalizer_fm_config>(gpusched_equalizer_fm_layout, this);
    }
    Result<FmStorageBits> storage_bits() const noexcept {
        return detail::bits_of<FmStorageBits, gpusched_equalizer_fm_config>(gpusched_equalizer_fm_storage_bits, this);
    }
};

inline Result<Parameter> sm_parameter(std::uint32_t index) noexcept {
    return detail::parameter_of(gpusched_equalizer_sm_parameter, index);
}
inline Result<Parameter> fm_parameter(std::uint32_t index) noexcept {
    return detail::parameter_of(gpusched_equalizer_fm_parameter, index);
}

// What comes out -------------------------------------------------------------------------------------------------------------

// Slots by number, in the order in which they were chosen.
using Slots = Span<const std::uint8_t>;

// What the host has to do after an event. Warps of paused slots must not issue. The lists last as long as it.
class Change : public detail::View<gpusched_equalizer_change> {
public:
    using View::View;
    Slots pause() const& noexcept { return {raw_.pause, raw_.pause_count}; }
    Slots unpause() const& noexcept { return {raw_.unpause, raw_.unpause_count}; }
    Slots pause() const&& = delete;
    Slots unpause() const&& = delete;
    constexpr std::uint32_t requests() const noexcept { return raw_.requests; }
};

struct Started {
    std::uint32_t target = 0;
    std::uint32_t requests = 0;
};

struct Granted {
    SlotId slot{};
    Change change;
};

struct Ended {
    std::uint64_t block = 0;
    Change change;
};

class Classified : public detail::View<gpusched_equalizer_classified> {
public:
    using View::View;
    constexpr Class of() const noexcept { return static_cast<Class>(raw_.class_number); }
    constexpr bool active() const noexcept { return raw_.active != 0; }
};

class Decision : public detail::View<gpusched_equalizer_decision> {
public:
    using View::View;
    constexpr std::int32_t delta() const noexcept { return raw_.delta; }
    constexpr Action action() const noexcept { return static_cast<Action>(raw_.action); }
};

// What a sample led to; the rest means something only if it ended an epoch.
class Epoch : public detail::View<gpusched_equalizer_epoch> {
public:
    using View::View;
    constexpr bool ended() const noexcept { return raw_.ended != 0; }
    constexpr std::int32_t delta() const noexcept { return raw_.delta; }
    constexpr Action action() const noexcept { return static_cast<Action>(raw_.action); }
    constexpr std::int32_t sm_vote() const noexcept { return raw_.sm_vote; }
    constexpr std::int32_t mem_vote() const noexcept { return raw_.mem_vote; }
    constexpr std::int32_t changed() const noexcept { return raw_.changed; }
    constexpr bool watchdog() const noexcept { return raw_.watchdog != 0; }
    constexpr std::uint32_t target() const noexcept { return raw_.target; }
    Change change() const noexcept { return Change(raw_.change); }
};

class Resolved : public detail::View<gpusched_equalizer_resolved> {
public:
    using View::View;
    constexpr std::uint32_t up() const noexcept { return raw_.up; }
    constexpr std::uint32_t hold() const noexcept { return raw_.hold; }
    constexpr std::uint32_t down() const noexcept { return raw_.down; }
    constexpr std::int32_t decision() const noexcept { return raw_.decision; }
    constexpr Outcome outcome() const noexcept { return static_cast<Outcome>(raw_.outcome); }
};

// What a vote led to; the rest means something only if it resolved the round.
class Round : public detail::View<gpusched_equalizer_round> {
public:
    using View::View;
    constexpr bool resolved() const noexcept { return raw_.resolved != 0; }
    constexpr Resolved sm() const noexcept { return Resolved(raw_.sm); }
    constexpr Resolved mem() const noexcept { return Resolved(raw_.mem); }
};

class Levels : public detail::View<gpusched_equalizer_levels> {
public:
    using View::View;
    constexpr std::int32_t sm() const noexcept { return raw_.sm; }
    constexpr std::int32_t mem() const noexcept { return raw_.mem; }
    constexpr std::uint32_t sm_permille() const noexcept { return raw_.sm_permille; }
    constexpr std::uint32_t mem_permille() const noexcept { return raw_.mem_permille; }
    constexpr std::optional<std::uint64_t> next() const noexcept { return detail::cycle(raw_.next); }
};

class SmState : public detail::View<gpusched_equalizer_sm_state> {
public:
    using View::View;
    constexpr Counts sums() const noexcept { return raw_.sums; }
    constexpr std::uint32_t samples() const noexcept { return raw_.samples; }
    constexpr std::uint32_t w_cta() const noexcept { return raw_.w_cta; }
    constexpr std::uint32_t limit() const noexcept { return raw_.limit; }
    constexpr std::uint32_t target() const noexcept { return raw_.target; }
    constexpr std::uint32_t run() const noexcept { return raw_.run; }
    constexpr std::int32_t dir() const noexcept { return raw_.dir; }
    constexpr std::uint32_t running() const noexcept { return raw_.running; }
    constexpr std::uint32_t paused() const noexcept { return raw_.paused; }
    constexpr std::uint32_t outstanding() const noexcept { return raw_.outstanding; }
    constexpr bool drained() const noexcept { return raw_.drained != 0; }
    constexpr std::uint32_t watchdog_epochs() const noexcept { return raw_.watchdog_epochs; }
    constexpr Objective objective() const noexcept { return static_cast<Objective>(raw_.objective); }
};

class Block : public detail::View<gpusched_equalizer_block> {
public:
    using View::View;
    constexpr std::uint64_t id() const noexcept { return raw_.id; }
    constexpr bool paused() const noexcept { return raw_.paused != 0; }
};

class Domain : public detail::View<gpusched_equalizer_domain> {
public:
    using View::View;
    constexpr std::int32_t level() const noexcept { return raw_.level; }
    constexpr std::int32_t target() const noexcept { return raw_.target; }
    constexpr std::optional<std::uint64_t> done_at() const noexcept { return detail::cycle(raw_.done_at); }
};

class FmState : public detail::View<gpusched_equalizer_fm_state> {
public:
    using View::View;
    constexpr SmxSet voted() const noexcept { return SmxSet(raw_.voted); }
    constexpr SmxSet enabled() const noexcept { return SmxSet(raw_.enabled); }
    constexpr Domain sm() const noexcept { return Domain(raw_.sm); }
    constexpr Domain mem() const noexcept { return Domain(raw_.mem); }
};

// The machines ---------------------------------------------------------------------------------------------------------------

// Equalizer on one SM, and the storage it lives in unless that is the caller's.
class Sm : public detail::Object<gpusched_equalizer_sm> {
public:
    Sm() noexcept = default;

    // In storage of its own. Null: there is no memory.
    static Result<Sm> create(const SmConfig& config = SmConfig()) noexcept {
        return make<Sm>(config, gpusched_equalizer_sm_init);
    }
    // In the caller's storage, which must stay where it is and outlive the machine.
    static Result<Sm> create_in(Span<std::byte> storage, const SmConfig& config) noexcept {
        return make_in<Sm>(storage, config, gpusched_equalizer_sm_init);
    }
    // As the one that an image was saved of, in storage of its own.
    static Result<Sm> from_image(Span<const std::byte> image) noexcept { return make_from<Sm>(image); }

    static Result<SmConfig> image_config(Span<const std::byte> image) noexcept {
        SmConfig config;
        const Status status = gpusched_equalizer_sm_image_config(image.data(), image.size(), &config,
                                                                 sizeof(gpusched_equalizer_sm_config));
        return {status, config};
    }

    // Events.

    Result<Started> kernel_start(std::uint64_t now, std::uint32_t w_cta, std::uint32_t limit,
                                 bool keep = false) noexcept {
        Started started;
        const Status status = gpusched_equalizer_sm_kernel_start(c(), now, w_cta, limit, keep ? 1 : 0, &started.target,
                                                                 &started.requests);
        return {status, started};
    }
    Result<Granted> grant(std::uint64_t now, std::uint64_t block) noexcept {
        std::uint32_t slot = 0;
        gpusched_equalizer_change change{};
        const Status status = gpusched_equalizer_sm_grant(c(), now, block, &slot, &change);
        return {status, Granted{SlotId{slot}, Change(change)}};
    }
    Result<Change> deny(std::uint64_t now) noexcept {
        gpusched_equalizer_change change{};
        const Status status = gpusched_equalizer_sm_deny(c(), now, &change);
        return {status, Change(change)};
    }
    Result<Change> refill(std::uint64_t now) noexcept {
        gpusched_equalizer_change change{};
        const Status status = gpusched_equalizer_sm_refill(c(), now, &change);
        return {status, Change(change)};
    }
    Result<Ended> block_end(std::uint64_t now, SlotId slot) noexcept {
        std::uint64_t block = 0;
        gpusched_equalizer_change change{};
        const Status status = gpusched_equalizer_sm_block_end(c(), now, number(slot), &block, &change);
        return {status, Ended{block, Change(change)}};
    }
    Result<Epoch> sample(std::uint64_t now, const Counts& counts) noexcept {
        gpusched_equalizer_epoch epoch{};
        const Status status = gpusched_equalizer_sm_sample(c(), now, &counts, &epoch);
        return {status, Epoch(epoch)};
    }
    Status set_objective(std::uint64_t now, Objective objective) noexcept {
        return gpusched_equalizer_sm_set_objective(c(), now, number(objective));
    }
    // When the next sample is due.
    Result<std::uint64_t> resync(std::uint64_t now) noexcept {
        std::uint64_t next = 0;
        const Status status = gpusched_equalizer_sm_resync(c(), now, &next);
        return {status, next};
    }

    // What keeps nothing.

    Result<Classified> classify(const Warp& warp) const noexcept {
        return view<Classified, gpusched_equalizer_classified>(gpusched_equalizer_sm_classify, &warp);
    }
    Result<Decision> decide(const Counts& sums, std::uint32_t samples, std::uint32_t w_cta) const noexcept {
        return view<Decision, gpusched_equalizer_decision>(gpusched_equalizer_sm_decide, &sums, samples, w_cta);
    }

    // Queries.

    Result<SmConfig> config() const noexcept {
        SmConfig config;
        const Status status = gpusched_equalizer_sm_get_config(c(), &config, sizeof(gpusched_equalizer_sm_config));
        return {status, config};
    }
    Result<std::uint64_t> now() const noexcept { return ask<std::uint64_t>(gpusched_equalizer_sm_now); }
    Result<std::uint64_t> next_sample() const noexcept { return ask<std::uint64_t>(gpusched_equalizer_sm_next_sample); }
    Result<SmState> state() const noexcept {
        return view<SmState, gpusched_equalizer_sm_state>(gpusched_equalizer_sm_get_state);
    }
    Result<Block> block(SlotId slot) const noexcept {
        return view<Block, gpusched_equalizer_block>(gpusched_equalizer_sm_get_block, number(slot));
    }

    // Images.

    Result<std::size_t> image_size() const noexcept { return ask<std::size_t>(gpusched_equalizer_sm_image_size); }
    // The size of the image, also if the buffer is too small for it (ImageTooSmall).
    Result<std::size_t> save(Span<std::byte> image) const noexcept { return save_by(gpusched_equalizer_sm_save, image); }
    Status restore(Span<const std::byte> image) noexcept {
        return gpusched_equalizer_sm_restore(c(), image.data(), image.size());
    }
};

// The frequency manager, and the storage it lives in unless that is the caller's.
class Fm : public detail::Object<gpusched_equalizer_fm> {
public:
    Fm() noexcept = default;

    // In storage of its own. Null: there is no memory.
    static Result<Fm> create(const FmConfig& config = FmConfig()) noexcept {
        return make<Fm>(config, gpusched_equalizer_fm_init);
    }
    // In the caller's storage, which must stay where it is and outlive the machine.
    static Result<Fm> create_in(Span<std::byte> storage, const FmConfig& config) noexcept {
        return make_in<Fm>(storage, config, gpusched_equalizer_fm_init);
    }
    // As the one that an image was saved of, in storage of its own.
    static Result<Fm> from_image(Span<const std::byte> image) noexcept { return make_from<Fm>(image); }

    static Result<FmConfig> image_config(Span<const std::byte> image) noexcept {
        FmConfig config;
        const Status status = gpusched_equalizer_fm_image_config(image.data(), image.size(), &config,
                                                                 sizeof(gpusched_equalizer_fm_config));
        return {status, config};
    }

    // Events.

    Result<Round> vote(std::uint64_t now, SmxId sm, std::int32_t sm_vote, std::int32_t mem_vote) noexcept {
        gpusched_equalizer_round round{};
        const Status status = gpusched_equalizer_fm_vote(c(), now, number(sm), sm_vote, mem_vote, &round);
        return {status, Round(round)};
    }
    Result<Round> close(std::uint64_t now) noexcept {
        gpusched_equalizer_round round{};
        const Status status = gpusched_equalizer_fm_close(c(), now, &round);
        return {status, Round(round)};
    }
    Status enable(std::uint64_t now, SmxId sm, bool on) noexcept {
        return gpusched_equalizer_fm_enable(c(), now, number(sm), on ? 1 : 0);
    }
    Result<Levels> levels(std::uint64_t now) noexcept {
        gpusched_equalizer_levels levels{};
        const Status status = gpusched_equalizer_fm_levels(c(), now, &levels);
        return {status, Levels(levels)};
    }

    // Queries.

    Result<FmConfig> config() const noexcept {
        FmConfig config;
        const Status status = gpusched_equalizer_fm_get_config(c(), &config, sizeof(gpusched_equalizer_fm_config));
        return {status, config};
    }
    Result<std::uint64_t> now() const noexcept { return ask<std::uint64_t>(gpusched_equalizer_fm_now); }
    Result<std::optional<std::uint64_t>> next_event() const noexcept { return when(gpusched_equalizer_fm_next_event); }
    Result<FmState> state() const noexcept {
        return view<FmState, gpusched_equalizer_fm_state>(gpusched_equalizer_fm_get_state);
    }

    // Images.

    Result<std::size_t> image_size() const noexcept { return ask<std::size_t>(gpusched_equalizer_fm_image_size); }
    // The size of the image, also if the buffer is too small for it (ImageTooSmall).
    Result<std::size_t> save(Span<std::byte> image) const noexcept { return save_by(gpusched_equalizer_fm_save, image); }
    Status restore(Span<const std::byte> image) noexcept {
        return gpusched_equalizer_fm_restore(c(), image.data(), image.size());
    }
};

}  // namespace equalizer
}  // namespace gpusched

#endif  // GPUSCHED_EQUALIZER_HPP
