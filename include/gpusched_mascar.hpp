// gpusched_mascar.hpp: the C++17 face of Mascar, gpusched_mascar_* of gpusched.h; gpusched.hpp says how it differs from C.
//
//   auto made = gpusched::mascar::Mascar::create();
//   if (!made) return fail(made.status().text());
//   const auto pick = made->pick(cycle);
#ifndef GPUSCHED_MASCAR_HPP
#define GPUSCHED_MASCAR_HPP

#include <gpusched_base.hpp>

namespace gpusched {
namespace mascar {

enum class WarpId : std::uint32_t {};  // A warp of the SM.

// Enumerations: the numbers of C ---------------------------------------------------------------------------------------------

enum class Priority : std::uint32_t {
    Mem = GPUSCHED_MASCAR_PRIORITY_MEM,
    Comp = GPUSCHED_MASCAR_PRIORITY_COMP,
    Merged = GPUSCHED_MASCAR_PRIORITY_MERGED,
};

enum class Order : std::uint32_t {
    Gto = GPUSCHED_MASCAR_ORDER_GTO,
    Oldest = GPUSCHED_MASCAR_ORDER_OLDEST,
    Rr = GPUSCHED_MASCAR_ORDER_RR,
};

enum class Preset : std::uint32_t {
    Gtx480 = GPUSCHED_MASCAR_PRESET_GTX480,
    Lrr = GPUSCHED_MASCAR_PRESET_LRR,
    Gto = GPUSCHED_MASCAR_PRESET_GTO,
};

enum class Kind : std::uint32_t {
    None = GPUSCHED_MASCAR_KIND_NONE,
    Alu = GPUSCHED_MASCAR_KIND_ALU,
    Mem = GPUSCHED_MASCAR_KIND_MEM,
    Sync = GPUSCHED_MASCAR_KIND_SYNC,
};

enum class Mode : std::uint32_t {
    Ep = GPUSCHED_MASCAR_MODE_EP,
    Mp = GPUSCHED_MASCAR_MODE_MP,
};

enum class Pipe : std::uint32_t {
    Comp = GPUSCHED_MASCAR_PIPE_COMP,
    Mem = GPUSCHED_MASCAR_PIPE_MEM,
};

enum class Why : std::uint32_t {
    None = GPUSCHED_MASCAR_WHY_NONE,
    Dep = GPUSCHED_MASCAR_WHY_DEP,
    Sync = GPUSCHED_MASCAR_WHY_SYNC,
    Timeout = GPUSCHED_MASCAR_WHY_TIMEOUT,
    Rescue = GPUSCHED_MASCAR_WHY_RESCUE,
};

enum class Via : std::uint32_t {
    None = GPUSCHED_MASCAR_VIA_NONE,
    Issue = GPUSCHED_MASCAR_VIA_ISSUE,
    Queue = GPUSCHED_MASCAR_VIA_QUEUE,
};

enum class Src : std::uint32_t {
    Idle = GPUSCHED_MASCAR_SRC_IDLE,
    New = GPUSCHED_MASCAR_SRC_NEW,
    Blocked = GPUSCHED_MASCAR_SRC_BLOCKED,
    Rexq = GPUSCHED_MASCAR_SRC_REXQ,
};

enum class Lookup : std::uint32_t {
    Hit = GPUSCHED_MASCAR_LOOKUP_HIT,
    Merge = GPUSCHED_MASCAR_LOOKUP_MERGE,
    Miss = GPUSCHED_MASCAR_LOOKUP_MISS,
};

enum class Action : std::uint32_t {
    Accepted = GPUSCHED_MASCAR_ACTION_ACCEPTED,
    Queued = GPUSCHED_MASCAR_ACTION_QUEUED,
    Blocked = GPUSCHED_MASCAR_ACTION_BLOCKED,
    Popped = GPUSCHED_MASCAR_ACTION_POPPED,
    Recycled = GPUSCHED_MASCAR_ACTION_RECYCLED,
};

enum class Lsu : std::uint32_t {
    Idle = GPUSCHED_MASCAR_LSU_IDLE,
    Await = GPUSCHED_MASCAR_LSU_AWAIT,
    Busy = GPUSCHED_MASCAR_LSU_BUSY,
    Blocked = GPUSCHED_MASCAR_LSU_BLOCKED,
};

// What goes in ---------------------------------------------------------------------------------------------------------------

// Destination of a store.
inline constexpr std::uint32_t store = GPUSCHED_MASCAR_STORE;
// Every scheduler may issue to a compute pipe.
inline constexpr std::uint32_t all = GPUSCHED_MASCAR_ALL;

using StorageBits = gpusched_mascar_storage;
// One cache whose back pressure sets the mode.
using Cache = gpusched_mascar_cache;
// A request of a memory instruction: segment, threads, their offsets.
using Request = gpusched_mascar_request;

// Parameters: the fields of C, set one by one or in a chain.
class Config : public gpusched_mascar_config {
public:
    explicit Config(Preset preset = Preset::Gtx480) noexcept : gpusched_mascar_config{} {
        (void)gpusched_mascar_config_init(this, sizeof(gpusched_mascar_config), number(preset));
    }
    explicit Config(const gpusched_mascar_config& config) noexcept : gpusched_mascar_config(config) {}

    Config with(std::uint32_t gpusched_mascar_config::* field, std::uint32_t value) const noexcept {
        Config changed = *this;
        changed.*field = value;
        return changed;
    }
    Config with(std::uint32_t gpusched_mascar_config::* field, Priority value) const noexcept {
        return with(field, number(value));
    }
    Config with(std::uint32_t gpusched_mascar_config::* field, Order value) const noexcept {
        return with(field, number(value));
    }
    // One more cache that sets the mode, or the only one. More than three are refused where the configuration is used.
    Config with(const Cache& cache, bool only = true) const noexcept {
        Config changed = *this;
        const std::uint32_t at = only ? 0 : sources;
        if (at < sizeof caches / sizeof *caches) changed.caches[at] = cache;
        changed.sources = at + 1;
        return changed;
    }

    // Says whether every value is in its range and right beside the others; if one is not, and the status is BadConfig, the value
    // tells which.
    Result<Parameter> check() const noexcept {
        return detail::check_of<gpusched_mascar_config>(gpusched_mascar_config_check, this);
    }
    Result<Layout> layout() const noexcept {
        return detail::layout_of<gpusched_mascar_config>(gpusched_mascar_layout, this);
    }
    Result<StorageBits> storage_bits() const noexcept {
        return detail::bits_of<StorageBits, gpusched_mascar_config>(gpusched_mascar_storage_bits, this);
    }
};

inline Result<Parameter> parameter(std::uint32_t index) noexcept {
    return detail::parameter_of(gpusched_mascar_parameter, index);
}
inline Result<Parameter> cache_parameter(std::uint32_t index) noexcept {
    return detail::parameter_of(gpusched_mascar_cache_parameter, index);
}

// What comes out -------------------------------------------------------------------------------------------------------------

class Saturation : public detail::View<gpusched_mascar_saturation> {
public:
    using View::View;
    constexpr bool flag() const noexcept { return raw_.flag != 0; }
    constexpr Mode mode() const noexcept { return static_cast<Mode>(raw_.mode); }
};

// A warp whose head issues.
class Issue : public detail::View<gpusched_mascar_issue> {
public:
    using View::View;
    constexpr std::uint32_t sched() const noexcept { return raw_.sched; }
    constexpr WarpId warp() const noexcept { return WarpId{raw_.warp}; }
    constexpr Pipe pipe() const noexcept { return static_cast<Pipe>(raw_.pipe); }
};

// What a cycle issues, and what became of the owner.
class Pick : public detail::View<gpusched_mascar_decision> {
public:
    using View::View;
    constexpr Mode mode() const noexcept { return static_cast<Mode>(raw_.mode); }
    constexpr std::optional<WarpId> owner() const noexcept { return detail::row<WarpId>(raw_.owner); }
    constexpr std::optional<WarpId> released() const noexcept { return detail::row<WarpId>(raw_.released); }
    constexpr Why why() const noexcept { return static_cast<Why>(raw_.why); }
    constexpr std::optional<WarpId> granted() const noexcept { return detail::row<WarpId>(raw_.granted); }
    constexpr Via via() const noexcept { return static_cast<Via>(raw_.via); }
    // They last as long as the pick.
    constexpr List<Issue, gpusched_mascar_issue> issues() const& noexcept {
        return List<Issue, gpusched_mascar_issue>(raw_.issues, raw_.count, raw_.count);
    }
    List<Issue, gpusched_mascar_issue> issues() && = delete;
};

// The request to present to the L1 now.
class Next : public detail::View<gpusched_mascar_next> {
public:
    using View::View;
    constexpr Src src() const noexcept { return static_cast<Src>(raw_.src); }
    // Whether there is one.
    constexpr explicit operator bool() const noexcept { return src() != Src::Idle; }
    constexpr WarpId warp() const noexcept { return WarpId{raw_.warp}; }
    constexpr std::uint32_t index() const noexcept { return raw_.index; }
    constexpr std::uint32_t dst() const noexcept { return raw_.dst; }
    constexpr const Request& request() const& noexcept { return raw_.request; }
    constexpr Request request() && noexcept { return raw_.request; }
};

class Reply : public detail::View<gpusched_mascar_reply> {
public:
    using View::View;
    constexpr bool ack() const noexcept { return raw_.ack != 0; }
    constexpr bool to_l2() const noexcept { return raw_.to_l2 != 0; }
    constexpr Action action() const noexcept { return static_cast<Action>(raw_.action); }
    constexpr bool unblocked() const noexcept { return raw_.unblocked != 0; }
};

// What can be seen of a machine. In masks, bit w is warp w.
class State : public detail::View<gpusched_mascar_state> {
public:
    using View::View;
    constexpr std::optional<std::uint64_t> picked() const noexcept { return detail::cycle(raw_.picked); }
    constexpr std::optional<std::uint64_t> acquired() const noexcept { return detail::cycle(raw_.acquired); }
    constexpr std::uint64_t resident() const noexcept { return raw_.resident; }
    constexpr std::uint64_t wst_mem() const noexcept { return raw_.wst_mem; }
    constexpr std::uint64_t wst_stall() const noexcept { return raw_.wst_stall; }
    constexpr std::uint64_t leftover() const noexcept { return raw_.leftover; }
    constexpr Mode mode() const noexcept { return static_cast<Mode>(raw_.mode); }
    constexpr bool flag(std::uint32_t cache) const noexcept { return cache < 32 && (raw_.flags >> cache & 1) != 0; }
    constexpr std::optional<WarpId> owner() const noexcept { return detail::row<WarpId>(raw_.owner); }
    constexpr std::optional<WarpId> barred() const noexcept { return detail::row<WarpId>(raw_.barred); }
    constexpr std::optional<WarpId> last(std::uint32_t scheduler) const noexcept {
        return scheduler < GPUSCHED_MASCAR_SCHEDULERS ? detail::row<WarpId>(raw_.last[scheduler]) : std::nullopt;
    }
    constexpr Lsu lsu() const noexcept { return static_cast<Lsu>(raw_.lsu); }
    constexpr std::optional<WarpId> lsu_warp() const noexcept { return detail::row<WarpId>(raw_.lsu_warp); }
    constexpr std::uint32_t lsu_left() const noexcept { return raw_.lsu_left; }
    constexpr Src presented() const noexcept { return static_cast<Src>(raw_.presented); }
    constexpr std::uint32_t rexq() const noexcept { return raw_.rexq; }
};

class Warp : public detail::View<gpusched_mascar_warp> {
public:
    using View::View;
    constexpr Kind kind() const noexcept { return static_cast<Kind>(raw_.kind); }
    constexpr bool ready() const noexcept { return raw_.ready != 0; }
    constexpr bool dep_load() const noexcept { return raw_.dep_load != 0; }
    constexpr bool has_requests() const noexcept { return raw_.has_requests != 0; }
};

// An entry of the re-execution queue.
class Entry : public detail::View<gpusched_mascar_entry> {
public:
    using View::View;
    constexpr WarpId warp() const noexcept { return WarpId{raw_.warp}; }
    constexpr std::uint32_t dst() const noexcept { return raw_.dst; }
    constexpr const Request& request() const& noexcept { return raw_.request; }
    constexpr Request request() && noexcept { return raw_.request; }
};

// The machine ----------------------------------------------------------------------------------------------------------------

// One SM's machine, and the storage it lives in unless that is the caller's.
class Mascar : public detail::Object<gpusched_mascar> {
public:
    Mascar() noexcept = default;

    // In storage of its own. Null: there is no memory.
    static Result<Mascar> create(const Config& config = Config()) noexcept {
        return make<Mascar>(config, gpusched_mascar_init);
    }
    // In the caller's storage, which must stay where it is and outlive the machine.
    static Result<Mascar> create_in(Span<std::byte> storage, const Config& config) noexcept {
        return make_in<Mascar>(storage, config, gpusched_mascar_init);
    }
    // As the one that an image was saved of, in storage of its own.
    static Result<Mascar> from_image(Span<const std::byte> image) noexcept { return make_from<Mascar>(image); }

    static Result<Config> image_config(Span<const std::byte> image) noexcept {
        Config config;
        const Status status =
            gpusched_mascar_image_config(image.data(), image.size(), &config, sizeof(gpusched_mascar_config));
        return {status, config};
    }

    // Events.

    // How many started before it.
    Result<std::uint64_t> warp_start(WarpId w) noexcept {
        std::uint64_t age = 0;
        const Status status = gpusched_mascar_warp_start(c(), number(w), &age);
        return {status, age};
    }
    // Whether it was the owner.
    Result<bool> warp_exit(WarpId w) noexcept {
        std::uint32_t released = 0;
        const Status status = gpusched_mascar_warp_exit(c(), number(w), &released);
        return {status, released != 0};
    }
    // dep_load: an operand is the result of an outstanding load.
    Status set_head(WarpId w, Kind kind, bool ready = false, bool dep_load = false) noexcept {
        return gpusched_mascar_set_head(c(), number(w), number(kind), ready, dep_load);
    }
    Result<Saturation> l1_state(std::uint32_t src, std::uint32_t mshr, std::uint32_t missq) noexcept {
        gpusched_mascar_saturation saturation{};
        const Status status = gpusched_mascar_l1_state(c(), src, mshr, missq, &saturation);
        return {status, Saturation(saturation)};
    }
    Result<Pick> pick(std::uint64_t now, bool lsu_accept = true, std::uint32_t comp_accept = all) noexcept {
        gpusched_mascar_decision decision{};
        const Status status = gpusched_mascar_pick(c(), now, lsu_accept, comp_accept, &decision);
        return {status, Pick(decision)};
    }
    Status lsu_begin(WarpId w, std::uint32_t nreq, std::uint32_t dst) noexcept {
        return gpusched_mascar_lsu_begin(c(), number(w), nreq, dst);
    }
    Result<Next> lsu_next() noexcept {
        gpusched_mascar_next next{};
        const Status status = gpusched_mascar_lsu_next(c(), &next);
        return {status, Next(next)};
    }
    // The request is needed if it is a new one.
    Result<Reply> lsu_reply(Lookup result, bool room, const std::optional<Request>& request = std::nullopt) noexcept {
        gpusched_mascar_reply reply{};
        const Status status =
            gpusched_mascar_lsu_reply(c(), number(result), room, request ? &*request : nullptr, &reply);
        return {status, Reply(reply)};
    }

    // Queries.

    Result<Config> config() const noexcept {
        Config config;
        const Status status = gpusched_mascar_get_config(c(), &config, sizeof(gpusched_mascar_config));
        return {status, config};
    }
    Result<State> state() const noexcept { return view<State, gpusched_mascar_state>(gpusched_mascar_get_state); }
    Result<std::optional<std::uint64_t>> next_event() const noexcept { return when(gpusched_mascar_next_event); }
    Result<Warp> warp(WarpId w) const noexcept {
        return view<Warp, gpusched_mascar_warp>(gpusched_mascar_get_warp, number(w));
    }
    // The resident warps, oldest first, in the caller's array.
    Result<List<WarpId, std::uint32_t>> by_age(Span<std::uint32_t> buffer) const noexcept {
        return list<List<WarpId, std::uint32_t>>(gpusched_mascar_by_age, buffer);
    }
    // 0 is the head.
    Result<Entry> rexq(std::uint32_t index) const noexcept {
        return view<Entry, gpusched_mascar_entry>(gpusched_mascar_get_rexq, index);
    }

    // Images.

    Result<std::size_t> image_size() const noexcept { return ask<std::size_t>(gpusched_mascar_image_size); }
    // The size of the image, also if the buffer is too small for it (ImageTooSmall).
    Result<std::size_t> save(Span<std::byte> image) const noexcept { return save_by(gpusched_mascar_save, image); }
    Status restore(Span<const std::byte> image) noexcept {
        return gpusched_mascar_restore(c(), image.data(), image.size());
    }
};

}  // namespace mascar
}  // namespace gpusched

#endif  // GPUSCHED_MASCAR_HPP
