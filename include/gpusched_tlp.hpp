// gpusched_tlp.hpp: the C++17 face of TLP modulation, gpusched_tlp_* of gpusched.h; gpusched.hpp says how it differs from C.
//
//   auto sm = gpusched::tlp::Sm::create();
//   if (!sm) return fail(sm.status().text());
//   sm->attach(now, KernelId{0}, kernel({128, 1024, 0}, KernelType::Down, 1));
//   const auto tb = sm->dispatch(now, true, false);
//   if (tb && tb->sent()) launch(tb->slot(), tb->bypass());
#ifndef GPUSCHED_TLP_HPP
#define GPUSCHED_TLP_HPP

#include <gpusched_base.hpp>

#include <array>

namespace gpusched {
namespace tlp {

// A kernel of a unit: 0 or 1 on a shared SM, elsewhere its place.
enum class KernelId : std::uint32_t {};

// Enumerations: the numbers of C ---------------------------------------------------------------------------------------------

enum class PuhpTie : std::uint32_t {
    Hold = GPUSCHED_TLP_PUHP_TIE_HOLD,
    Grow0 = GPUSCHED_TLP_PUHP_TIE_GROW0,
};

enum class HistoryRule : std::uint32_t {
    Ewma = GPUSCHED_TLP_HISTORY_RULE_EWMA,
    Mean = GPUSCHED_TLP_HISTORY_RULE_MEAN,
};

enum class Order : std::uint32_t {
    Concurrent = GPUSCHED_TLP_ORDER_CONCURRENT,
    BypassFirst = GPUSCHED_TLP_ORDER_BYPASS_FIRST,
};

enum class StallNorm : std::uint32_t {
    Raw = GPUSCHED_TLP_STALL_NORM_RAW,
    PerCycle = GPUSCHED_TLP_STALL_NORM_PER_CYCLE,
};

enum class SoloTlp : std::uint32_t {
    Max = GPUSCHED_TLP_SOLO_MAX,
    Opt = GPUSCHED_TLP_SOLO_OPT,
};

enum class UpUp : std::uint32_t {
    Leftover = GPUSCHED_TLP_UPUP_LEFTOVER,
    Half = GPUSCHED_TLP_UPUP_HALF,
};

enum class KernelType : std::uint32_t {
    Down = GPUSCHED_TLP_TYPE_DOWN,
    Optimal = GPUSCHED_TLP_TYPE_OPTIMAL,
    Up = GPUSCHED_TLP_TYPE_UP,
};

enum class Pref : std::uint32_t {
    Compute = GPUSCHED_TLP_PREF_COMPUTE,
    Memory = GPUSCHED_TLP_PREF_MEMORY,
};

enum class Mode : std::uint32_t {
    Idle = GPUSCHED_TLP_MODE_IDLE,
    Solo = GPUSCHED_TLP_MODE_SOLO,
    Pair = GPUSCHED_TLP_MODE_PAIR,
    Leftover = GPUSCHED_TLP_MODE_LEFTOVER,
};

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

enum class Stall : std::uint32_t {
    None = GPUSCHED_TLP_STALL_NONE,
    Idle = GPUSCHED_TLP_STALL_IDLE,
    AtTarget = GPUSCHED_TLP_STALL_AT_TARGET,
    NoWork = GPUSCHED_TLP_STALL_NO_WORK,
    NoRoom = GPUSCHED_TLP_STALL_NO_ROOM,
    Empty = GPUSCHED_TLP_STALL_EMPTY,
};

enum class SmcPhase : std::uint32_t {
    Idle = GPUSCHED_TLP_SMC_PHASE_IDLE,
    Base = GPUSCHED_TLP_SMC_PHASE_BASE,
    B0 = GPUSCHED_TLP_SMC_PHASE_B0,
    B1 = GPUSCHED_TLP_SMC_PHASE_B1,
    More = GPUSCHED_TLP_SMC_PHASE_MORE,
    EvenMore = GPUSCHED_TLP_SMC_PHASE_EVEN_MORE,
    Less = GPUSCHED_TLP_SMC_PHASE_LESS,
};

// What goes in ---------------------------------------------------------------------------------------------------------------

using StorageBits = gpusched_tlp_storage;
// What one TB takes of an SM: threads, registers, shared memory in bytes.
using Needs = gpusched_tlp_needs;
// A kernel that is modulated.
using Kernel = gpusched_tlp_kernel;
// A kernel of Smart-Even: what one TB takes, and TBs of the kernel.
using Job = gpusched_tlp_job;
// The counters of a period: busy cycles of SP and LD/ST by kernel 0 and 1, stalls for memory, structural stalls, who has TBs to send.
using Metrics = gpusched_tlp_metrics;
// One of each of kernel 0 and 1.
using Pair = std::array<std::uint32_t, 2>;

constexpr Kernel kernel(Needs needs, KernelType type, std::uint32_t opt) noexcept {
    return Kernel{needs, gpusched_tlp_category{number(type), opt}};
}

namespace detail {

using namespace gpusched::detail;

constexpr Pair pair(const std::uint32_t (&values)[2]) noexcept { return {values[0], values[1]}; }

}  // namespace detail

class Category : public detail::View<gpusched_tlp_category> {
public:
    using View::View;
    constexpr KernelType type() const noexcept { return static_cast<KernelType>(raw_.kind); }
    constexpr std::uint32_t opt() const noexcept { return raw_.opt; }
};

class Targets : public detail::View<gpusched_tlp_targets> {
public:
    using View::View;
    constexpr Pair tb() const noexcept { return detail::pair(raw_.tb); }
    constexpr Mode mode() const noexcept { return static_cast<Mode>(raw_.mode); }
    // The kernel that was served first.
    constexpr KernelId a() const noexcept { return KernelId{raw_.a}; }
};

// Parameters of all units: the fields of C, set one by one or in a chain.
class Config : public gpusched_tlp_config {
public:
    Config() noexcept : gpusched_tlp_config{} { (void)gpusched_tlp_config_init(this, sizeof(gpusched_tlp_config)); }
    explicit Config(const gpusched_tlp_config& config) noexcept : gpusched_tlp_config(config) {}

    Config with(std::uint32_t gpusched_tlp_config::* field, std::uint32_t value) const noexcept {
        Config changed = *this;
        changed.*field = value;
        return changed;
    }
    Config with(PuhpTie value) const noexcept { return with(&Config::puhp_tie, number(value)); }
    Config with(HistoryRule value) const noexcept { return with(&Config::his_rule, number(value)); }
    Config with(Order value) const noexcept { return with(&Config::order, number(value)); }
    Config with(StallNorm value) const noexcept { return with(&Config::stall_norm, number(value)); }
    Config with(SoloTlp value) const noexcept { return with(&Config::solo_tlp, number(value)); }
    Config with(UpUp value) const noexcept { return with(&Config::upup, number(value)); }

    // Says whether every value is in its range; if one is not, and the status is BadConfig, the value tells which.
    Result<Parameter> check() const noexcept {
        return detail::check_of<gpusched_tlp_config>(gpusched_tlp_config_check, this);
    }
    Result<StorageBits> storage_bits() const noexcept {
        return detail::bits_of<StorageBits, gpusched_tlp_config>(gpusched_tlp_storage_bits, this);
    }

    // What needs no machine.

    // The type of a kernel by how fast it is alone with 1, 2, ... TBs per SM.
    Result<Category> categorise(Span<const std::uint64_t> profile) const noexcept {
        gpusched_tlp_category category{};
        const Status status = gpusched_tlp_categorise(this, profile.data(), profile.size(), &category);
        return {status, Category(category)};
    }
    // What a kernel leans on that keeps the pipelines busy for so many cycles.
    Result<Pref> pref_of(std::uint64_t sp, std::uint64_t ldst) const noexcept {
        std::uint32_t pref = 0;
        const Status status = gpusched_tlp_pref_of(this, sp, ldst, &pref);
        return {status, static_cast<Pref>(pref)};
    }
    // How many TBs of a kernel an empty SM holds.
    Result<std::uint32_t> max(const Kernel& kernel) const noexcept {
        std::uint32_t most = 0;
        const Status status = gpusched_tlp_max(this, &kernel, &most);
        return {status, most};
    }
    // How many TBs of a kernel fit beside n of another.
    Result<std::uint32_t> remain(const Kernel& kernel, const Kernel& other, std::uint32_t n) const noexcept {
        std::uint32_t room = 0;
        const Status status = gpusched_tlp_remain(this, &kernel, &other, n, &room);
        return {status, room};
    }
    // Targets that two kernels start with (Algorithm 1).
    Result<Targets> static_tlp(const Kernel& k0, const Kernel& k1, KernelId first = KernelId{0}) const noexcept {
        gpusched_tlp_targets targets{};
        const Status status = gpusched_tlp_static(this, &k0, &k1, number(first), &targets);
        return {status, Targets(targets)};
    }
};

namespace detail {

// A configuration, and the function that tells the storage of the machine that it is for.
struct Laid : Config {
    using Call = gpusched_status (*)(const gpusched_tlp_config*, gpusched_layout*);
    Laid(const Config& config, Call call) noexcept : Config(config), call_(call) {}
    Result<Layout> layout() const noexcept { return layout_of<gpusched_tlp_config>(call_, this); }

private:
    Call call_;
};

}  // namespace detail

inline Result<Parameter> parameter(std::uint32_t index) noexcept {
    return detail::parameter_of(gpusched_tlp_parameter, index);
}

// What comes out -------------------------------------------------------------------------------------------------------------

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

class Picked : public detail::View<gpusched_tlp_picked> {
public:
    using View::View;
    constexpr std::optional<KernelId> a() const noexcept { return detail::row<KernelId>(raw_.a); }
    constexpr std::optional<KernelId> b() const noexcept { return detail::row<KernelId>(raw_.b); }
};

class Next : public detail::View<gpusched_tlp_next> {
public:
    using View::View;
    constexpr std::optional<KernelId> i() const noexcept { return detail::row<KernelId>(raw_.i); }
    constexpr bool complementary() const noexcept { return raw_.complementary != 0; }
};

class Pending : public detail::View<gpusched_tlp_pending> {
public:
    using View::View;
    constexpr KernelType type() const noexcept { return static_cast<KernelType>(raw_.kind); }
    constexpr Pref pref() const noexcept { return static_cast<Pref>(raw_.pref); }
    constexpr bool ready() const noexcept { return raw_.ready != 0; }
    constexpr std::uint64_t seq() const noexcept { return raw_.seq; }
};

// What a work distributor does; the rest means something only if it sends a TB.
class Sent : public detail::View<gpusched_tlp_sent> {
public:
    using View::View;
    constexpr bool sent() const noexcept { return stall() == Stall::None; }
    constexpr Stall stall() const noexcept { return static_cast<Stall>(raw_.stall); }
    constexpr SmxId sm() const noexcept { return SmxId{raw_.sm}; }
    constexpr KernelId k() const noexcept { return KernelId{raw_.k}; }
    constexpr std::uint32_t tb() const noexcept { return raw_.tb; }
};

class Submitted : public detail::View<gpusched_tlp_submitted> {
public:
    using View::View;
    constexpr Needs needs() const noexcept { return raw_.needs; }
    constexpr std::uint32_t n_tb() const noexcept { return raw_.n_tb; }
    constexpr std::uint32_t next() const noexcept { return raw_.next; }
    constexpr std::uint32_t finished() const noexcept { return raw_.finished; }
    constexpr std::uint64_t seq() const noexcept { return raw_.seq; }
};

class LeftOverState : public detail::View<gpusched_tlp_leftover_state> {
public:
    using View::View;
    constexpr std::uint64_t submitted() const noexcept { return raw_.submitted; }
    constexpr SmxId pointer() const noexcept { return SmxId{raw_.pointer}; }
};

class SharerEnded : public detail::View<gpusched_tlp_sharer_ended> {
public:
    using View::View;
    constexpr KernelId k() const noexcept { return KernelId{raw_.k}; }
    // SMs may have another owner.
    constexpr bool done() const noexcept { return raw_.done != 0; }
};

class OwnedSm : public detail::View<gpusched_tlp_owned_sm> {
public:
    using View::View;
    constexpr std::optional<KernelId> owner() const noexcept { return detail::row<KernelId>(raw_.owner); }
    constexpr std::uint32_t resident() const noexcept { return raw_.resident; }
};

class Sharer : public detail::View<gpusched_tlp_sharer> {
public:
    using View::View;
    constexpr std::uint32_t max() const noexcept { return raw_.max; }
    constexpr std::uint32_t n_tb() const noexcept { return raw_.n_tb; }
    constexpr std::uint32_t next() const noexcept { return raw_.next; }
    constexpr std::uint32_t finished() const noexcept { return raw_.finished; }
};

class SmartEvenState : public detail::View<gpusched_tlp_smart_even_state> {
public:
    using View::View;
    constexpr std::uint32_t kernels() const noexcept { return raw_.kernels; }
    constexpr bool running() const noexcept { return raw_.running != 0; }
    constexpr SmxId pointer() const noexcept { return SmxId{raw_.pointer}; }
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

// The machines ---------------------------------------------------------------------------------------------------------------

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

// The kernels that wait to be run in pairs, and the storage it lives in unless that is the caller's.
class Pool : public detail::Object<gpusched_tlp_pool> {
public:
    Pool() noexcept = default;

    // In storage of its own. Null: there is no memory.
    static Result<Pool> create(const Config& config = Config()) noexcept {
        return make<Pool>(detail::Laid{config, gpusched_tlp_pool_layout}, gpusched_tlp_pool_init);
    }
    // In the caller's storage, which must stay where it is and outlive the machine.
    static Result<Pool> create_in(Span<std::byte> storage, const Config& config) noexcept {
        return make_in<Pool>(storage, config, gpusched_tlp_pool_init);
    }
    // As the one that an image was saved of, in storage of its own.
    static Result<Pool> from_image(Span<const std::byte> image) noexcept { return make_from<Pool>(image); }

    static Result<Config> image_config(Span<const std::byte> image) noexcept {
        Config config;
        const Status status = gpusched_tlp_pool_image_config(image.data(), image.size(), &config, sizeof(gpusched_tlp_config));
        return {status, config};
    }
    // The storage that create_in needs.
    static Result<Layout> layout(const Config& config) noexcept {
        return detail::layout_of<gpusched_tlp_config>(gpusched_tlp_pool_layout, &config);
    }

    // Events.

    Result<KernelId> add(KernelType type, Pref pref, bool ready = true) noexcept {
        std::uint32_t i = 0;
        const Status status = gpusched_tlp_pool_add(c(), number(type), number(pref), ready ? 1 : 0, &i);
        return {status, KernelId{i}};
    }
    Status ready(KernelId i) noexcept { return gpusched_tlp_pool_ready(c(), number(i)); }
    // Takes out two kernels for an empty machine.
    Result<Picked> pick_pair() noexcept {
        gpusched_tlp_picked record{};
        const Status status = gpusched_tlp_pool_pick_pair(c(), &record);
        return {status, Picked(record)};
    }
    // Takes out the partner for a kernel that was left running.
    Result<Next> pick_next(KernelType type, Pref pref) noexcept {
        gpusched_tlp_next record{};
        const Status status = gpusched_tlp_pool_pick_next(c(), number(type), number(pref), &record);
        return {status, Next(record)};
    }

    // Queries.

    Result<std::uint64_t> added() const noexcept { return ask<std::uint64_t>(gpusched_tlp_pool_added); }
    Result<Pending> pending(KernelId i) const noexcept {
        return view<Pending, gpusched_tlp_pending>(gpusched_tlp_pool_get_pending, number(i));
    }

    Result<Config> config() const noexcept {
        Config config;
        const Status status = gpusched_tlp_pool_get_config(c(), &config, sizeof(gpusched_tlp_config));
        return {status, config};
    }

    // Images.

    Result<std::size_t> image_size() const noexcept { return ask<std::size_t>(gpusched_tlp_pool_image_size); }
    // The size of the image, also if the buffer is too small for it (ImageTooSmall).
    Result<std::size_t> save(Span<std::byte> image) const noexcept { return save_by(gpusched_tlp_pool_save, image); }
    Status restore(Span<const std::byte> image) noexcept {
        return gpusched_tlp_pool_restore(c(), image.data(), image.size());
    }
};

// LeftOver, the hardware's way to run kernels side by side, and the storage it lives in unless that is the caller's.
class LeftOver : public detail::Object<gpusched_tlp_leftover> {
public:
    LeftOver() noexcept = default;

    // In storage of its own. Null: there is no memory.
    static Result<LeftOver> create(const Config& config = Config()) noexcept {
        return make<LeftOver>(detail::Laid{config, gpusched_tlp_leftover_layout}, gpusched_tlp_leftover_init);
    }
    // In the caller's storage, which must stay where it is and outlive the machine.
    static Result<LeftOver> create_in(Span<std::byte> storage, const Config& config) noexcept {
        return make_in<LeftOver>(storage, config, gpusched_tlp_leftover_init);
    }
    // As the one that an image was saved of, in storage of its own.
    static Result<LeftOver> from_image(Span<const std::byte> image) noexcept { return make_from<LeftOver>(image); }

    static Result<Config> image_config(Span<const std::byte> image) noexcept {
        Config config;
        const Status status = gpusched_tlp_leftover_image_config(image.data(), image.size(), &config, sizeof(gpusched_tlp_config));
        return {status, config};
    }
    // The storage that create_in needs.
    static Result<Layout> layout(const Config& config) noexcept {
        return detail::layout_of<gpusched_tlp_config>(gpusched_tlp_leftover_layout, &config);
    }

    // Events.

    Result<KernelId> submit(const Needs& needs, std::uint32_t n_tb) noexcept {
        std::uint32_t k = 0;
        const Status status = gpusched_tlp_leftover_submit(c(), &needs, n_tb, &k);
        return {status, KernelId{k}};
    }
    Result<Sent> dispatch() noexcept {
        gpusched_tlp_sent record{};
        const Status status = gpusched_tlp_leftover_dispatch(c(), &record);
        return {status, Sent(record)};
    }
    // Whether it was the kernel's last TB.
    Result<bool> finish(SmxId sm, KernelId k) noexcept {
        std::uint32_t done = 0;
        const Status status = gpusched_tlp_leftover_finish(c(), number(sm), number(k), &done);
        return {status, done != 0};
    }

    // Queries.

    Result<Submitted> kernel(KernelId k) const noexcept {
        return view<Submitted, gpusched_tlp_submitted>(gpusched_tlp_leftover_get_kernel, number(k));
    }
    Result<std::uint32_t> resident(SmxId sm, KernelId k) const noexcept {
        return ask<std::uint32_t>(gpusched_tlp_leftover_resident, number(sm), number(k));
    }
    Result<LeftOverState> state() const noexcept {
        return view<LeftOverState, gpusched_tlp_leftover_state>(gpusched_tlp_leftover_get_state);
    }

    Result<Config> config() const noexcept {
        Config config;
        const Status status = gpusched_tlp_leftover_get_config(c(), &config, sizeof(gpusched_tlp_config));
        return {status, config};
    }

    // Images.

    Result<std::size_t> image_size() const noexcept { return ask<std::size_t>(gpusched_tlp_leftover_image_size); }
    // The size of the image, also if the buffer is too small for it (ImageTooSmall).
    Result<std::size_t> save(Span<std::byte> image) const noexcept { return save_by(gpusched_tlp_leftover_save, image); }
    Status restore(Span<const std::byte> image) noexcept {
        return gpusched_tlp_leftover_restore(c(), image.data(), image.size());
    }
};

// Smart-Even, SMs shared out among kernels, and the storage it lives in unless that is the caller's.
class SmartEven : public detail::Object<gpusched_tlp_smart_even> {
public:
    SmartEven() noexcept = default;

    // In storage of its own. Null: there is no memory.
    static Result<SmartEven> create(const Config& config = Config()) noexcept {
        return make<SmartEven>(detail::Laid{config, gpusched_tlp_smart_even_layout}, gpusched_tlp_smart_even_init);
    }
    // In the caller's storage, which must stay where it is and outlive the machine.
    static Result<SmartEven> create_in(Span<std::byte> storage, const Config& config) noexcept {
        return make_in<SmartEven>(storage, config, gpusched_tlp_smart_even_init);
    }
    // As the one that an image was saved of, in storage of its own.
    static Result<SmartEven> from_image(Span<const std::byte> image) noexcept { return make_from<SmartEven>(image); }

    static Result<Config> image_config(Span<const std::byte> image) noexcept {
        Config config;
        const Status status = gpusched_tlp_smart_even_image_config(image.data(), image.size(), &config, sizeof(gpusched_tlp_config));
        return {status, config};
    }
    // The storage that create_in needs.
    static Result<Layout> layout(const Config& config) noexcept {
        return detail::layout_of<gpusched_tlp_config>(gpusched_tlp_smart_even_layout, &config);
    }

    // Events.

    // Shares the SMs among kernels; sm() tells the result.
    Status start(Span<const Job> jobs) noexcept {
        return gpusched_tlp_smart_even_start(c(), jobs.data(), jobs.size());
    }
    Result<Sent> dispatch() noexcept {
        gpusched_tlp_sent record{};
        const Status status = gpusched_tlp_smart_even_dispatch(c(), &record);
        return {status, Sent(record)};
    }
    Result<SharerEnded> finish(SmxId sm) noexcept {
        gpusched_tlp_sharer_ended record{};
        const Status status = gpusched_tlp_smart_even_finish(c(), number(sm), &record);
        return {status, SharerEnded(record)};
    }

    // Queries.

    Result<OwnedSm> sm(SmxId sm) const noexcept {
        return view<OwnedSm, gpusched_tlp_owned_sm>(gpusched_tlp_smart_even_get_sm, number(sm));
    }
    Result<Sharer> kernel(KernelId k) const noexcept {
        return view<Sharer, gpusched_tlp_sharer>(gpusched_tlp_smart_even_get_kernel, number(k));
    }
    Result<SmartEvenState> state() const noexcept {
        return view<SmartEvenState, gpusched_tlp_smart_even_state>(gpusched_tlp_smart_even_get_state);
    }

    Result<Config> config() const noexcept {
        Config config;
        const Status status = gpusched_tlp_smart_even_get_config(c(), &config, sizeof(gpusched_tlp_config));
        return {status, config};
    }

    // Images.

    Result<std::size_t> image_size() const noexcept { return ask<std::size_t>(gpusched_tlp_smart_even_image_size); }
    // The size of the image, also if the buffer is too small for it (ImageTooSmall).
    Result<std::size_t> save(Span<std::byte> image) const noexcept { return save_by(gpusched_tlp_smart_even_save, image); }
    Status restore(Span<const std::byte> image) noexcept {
        return gpusched_tlp_smart_even_restore(c(), image.data(), image.size());
    }
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

#endif  // GPUSCHED_TLP_HPP
