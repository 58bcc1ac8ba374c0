// gpusched_apogee.hpp: the C++17 face of the prefetcher of one SM, gpusched_apogee_* of gpusched.h; gpusched.hpp says how it differs from
// C.
//
//   auto made = gpusched::apogee::Prefetcher::create(gpusched::apogee::Config().with(&gpusched::apogee::Config::warps, 8));
//   if (!made) return fail(made.status().text());
//   const auto loaded = made->load(now, gpusched::apogee::Access(pc, warp, gpusched::apogee::Verdict::Hit, mask, addresses));
#ifndef GPUSCHED_APOGEE_HPP
#define GPUSCHED_APOGEE_HPP

#include <gpusched_base.hpp>

namespace gpusched {
namespace apogee {

// Numbers of rows, so that one cannot be taken for another: a row of the prefetch table, a warp.
enum class RowId : std::uint32_t {};
enum class WarpId : std::uint32_t {};

// Enumerations: the numbers of C ---------------------------------------------------------------------------------------------

enum class LaneSet : std::uint32_t {
    All = GPUSCHED_APOGEE_LANE_SET_ALL,
    Active = GPUSCHED_APOGEE_LANE_SET_ACTIVE,
};

enum class LalScope : std::uint32_t {
    Warp = GPUSCHED_APOGEE_LAL_SCOPE_WARP,
    Sm = GPUSCHED_APOGEE_LAL_SCOPE_SM,
};

enum class Early : std::uint32_t {
    Pattern = GPUSCHED_APOGEE_EARLY_PATTERN,
    Literal = GPUSCHED_APOGEE_EARLY_LITERAL,
};

enum class SlowRule : std::uint32_t {
    Any = GPUSCHED_APOGEE_SLOW_RULE_ANY,
    Miss = GPUSCHED_APOGEE_SLOW_RULE_MISS,
};

enum class Merge : std::uint32_t {
    Queue = GPUSCHED_APOGEE_MERGE_QUEUE,
    Group = GPUSCHED_APOGEE_MERGE_GROUP,
};

enum class Verdict : std::uint32_t {
    Hit = GPUSCHED_APOGEE_VERDICT_HIT,
    Pending = GPUSCHED_APOGEE_VERDICT_PENDING,
    Absent = GPUSCHED_APOGEE_VERDICT_ABSENT,
};

enum class Adjust : std::uint32_t {
    None = GPUSCHED_APOGEE_ADJUST_NONE,
    Inc = GPUSCHED_APOGEE_ADJUST_INC,
    IncSat = GPUSCHED_APOGEE_ADJUST_INC_SAT,
    Dec = GPUSCHED_APOGEE_ADJUST_DEC,
    DecMin = GPUSCHED_APOGEE_ADJUST_DEC_MIN,
};

enum class Tia : std::uint32_t {
    None = GPUSCHED_APOGEE_TIA_NONE,
    Added = GPUSCHED_APOGEE_TIA_ADDED,
    Kept = GPUSCHED_APOGEE_TIA_KEPT,
    Slow = GPUSCHED_APOGEE_TIA_SLOW,
    SelfLoad = GPUSCHED_APOGEE_TIA_SELF_LOAD,
    NoLal = GPUSCHED_APOGEE_TIA_NO_LAL,
    NoRoom = GPUSCHED_APOGEE_TIA_NO_ROOM,
};

enum class Push : std::uint32_t {
    Pushed = GPUSCHED_APOGEE_PUSH_PUSHED,
    Merged = GPUSCHED_APOGEE_PUSH_MERGED,
    Dropped = GPUSCHED_APOGEE_PUSH_DROPPED,
};

enum class Kind : std::uint32_t {
    Foa = GPUSCHED_APOGEE_KIND_FOA,
    Tia = GPUSCHED_APOGEE_KIND_TIA,
};

enum class RowType : std::uint32_t {
    Free = GPUSCHED_APOGEE_ROW_TYPE_FREE,
    Train = GPUSCHED_APOGEE_ROW_TYPE_TRAIN,
    Foa = GPUSCHED_APOGEE_ROW_TYPE_FOA,
    Trig = GPUSCHED_APOGEE_ROW_TYPE_TRIG,
};

enum class State : std::uint32_t {
    Idle = GPUSCHED_APOGEE_STATE_IDLE,
    Sent = GPUSCHED_APOGEE_STATE_SENT,
    Back = GPUSCHED_APOGEE_STATE_BACK,
    Queued = GPUSCHED_APOGEE_STATE_QUEUED,
};

// What goes in ---------------------------------------------------------------------------------------------------------------

using StorageBits = gpusched_apogee_storage;
using Lane = gpusched_apogee_lane;

// Parameters: the fields of C, set one by one or in a chain.
class Config : public gpusched_apogee_config {
public:
    Config() noexcept : gpusched_apogee_config{} {
        (void)gpusched_apogee_config_init(this, sizeof(gpusched_apogee_config));
    }
    explicit Config(const gpusched_apogee_config& config) noexcept : gpusched_apogee_config(config) {}

    Config with(std::uint32_t gpusched_apogee_config::* field, std::uint32_t value) const noexcept {
        Config changed = *this;
        changed.*field = value;
        return changed;
    }
    Config with(LaneSet value) const noexcept { return with(&Config::lanes, number(value)); }
    Config with(LalScope value) const noexcept { return with(&Config::lal, number(value)); }
    Config with(Early value) const noexcept { return with(&Config::early, number(value)); }
    Config with(SlowRule value) const noexcept { return with(&Config::slow_rule, number(value)); }
    Config with(Merge value) const noexcept { return with(&Config::merge, number(value)); }

    // Says whether every value is in its range and right beside the others; if one is not, and the status is BadConfig, the value
    // tells which.
    Result<Parameter> check() const noexcept {
        return detail::check_of<gpusched_apogee_config>(gpusched_apogee_config_check, this);
    }
    Result<Layout> layout() const noexcept {
        return detail::layout_of<gpusched_apogee_config>(gpusched_apogee_layout, this);
    }
    Result<StorageBits> storage_bits() const noexcept {
        return detail::bits_of<StorageBits, gpusched_apogee_config>(gpusched_apogee_storage_bits, this);
    }
};

inline Result<Parameter> parameter(std::uint32_t index) noexcept {
    return detail::parameter_of(gpusched_apogee_parameter, index);
}

// A load of a warp, as the cache has answered it. It refers to the caller's array.
class Access : public detail::View<gpusched_apogee_access> {
public:
    // Active threads as a mask, and an address per lane.
    constexpr Access(std::uint64_t pc, WarpId warp, Verdict verdict, std::uint64_t mask,
                     Span<const std::uint64_t> addresses) noexcept
        : View(gpusched_apogee_access{pc, mask, addresses.data(), nullptr, addresses.size(), number(warp), number(verdict), 0, 0}) {
    }
    // A list of active threads, ascending.
    constexpr Access(std::uint64_t pc, WarpId warp, Verdict verdict, Span<const Lane> lanes) noexcept
        : View(gpusched_apogee_access{pc, 0, nullptr, lanes.data(), lanes.size(), number(warp), number(verdict), 0, 0}) {}
    // Active threads as a mask, the address of the first one, and the bytes from lane to lane.
    constexpr Access(std::uint64_t pc, WarpId warp, Verdict verdict, std::uint64_t mask, std::uint64_t first,
                     std::int64_t stride) noexcept
        : View(gpusched_apogee_access{pc, mask, nullptr, nullptr, 0, number(warp), number(verdict), first, stride}) {}
};

// What comes out -------------------------------------------------------------------------------------------------------------

// What a load found and did.
class Loaded : public detail::View<gpusched_apogee_loaded> {
public:
    using View::View;
    constexpr RowId entry() const noexcept { return RowId(raw_.entry); }
    constexpr bool is_new() const noexcept { return raw_.is_new != 0; }
    constexpr std::optional<std::uint32_t> evicted() const noexcept { return pc(raw_.evicts, raw_.evicted); }
    constexpr Adjust adjust() const noexcept { return static_cast<Adjust>(raw_.adjust); }
    constexpr bool mismatch() const noexcept { return raw_.mismatch != 0; }
    constexpr bool confirmed() const noexcept { return raw_.confirmed != 0; }
    constexpr std::uint32_t pushed() const noexcept { return raw_.pushed; }
    constexpr std::uint32_t merged() const noexcept { return raw_.merged; }
    constexpr std::uint32_t dropped() const noexcept { return raw_.dropped; }
    constexpr std::uint32_t outside() const noexcept { return raw_.outside; }
    constexpr std::uint32_t triggered() const noexcept { return raw_.triggered; }
    constexpr Tia tia() const noexcept { return static_cast<Tia>(raw_.tia); }
    constexpr std::optional<RowId> tia_entry() const noexcept { return detail::row<RowId>(raw_.tia_entry); }
    constexpr std::optional<std::uint32_t> tia_evicted() const noexcept { return pc(raw_.tia_evicts, raw_.tia_evicted); }

private:
    static constexpr std::optional<std::uint32_t> pc(std::uint32_t evicts, std::uint32_t evicted) noexcept {
        return evicts != 0 ? std::optional<std::uint32_t>(evicted) : std::nullopt;
    }
};

// A trigger row whose load came.
class Triggered : public detail::View<gpusched_apogee_triggered> {
public:
    using View::View;
    constexpr RowId entry() const noexcept { return RowId(raw_.entry); }
    constexpr bool moved() const noexcept { return raw_.moved != 0; }
    constexpr Push result() const noexcept { return static_cast<Push>(raw_.result); }
};

// A line to be prefetched.
class Request : public detail::View<gpusched_apogee_request> {
public:
    using View::View;
    constexpr std::uint64_t line() const noexcept { return raw_.line; }
    constexpr RowId entry() const noexcept { return RowId(raw_.entry); }
    constexpr std::uint32_t generation() const noexcept { return raw_.generation; }
    constexpr WarpId warp() const noexcept { return WarpId(raw_.warp); }
    constexpr Kind kind() const noexcept { return static_cast<Kind>(raw_.kind); }
};

// A request in the prefetch queue.
class Waiting : public detail::View<gpusched_apogee_waiting> {
public:
    using View::View;
    constexpr Request request() const noexcept { return Request(raw_.request); }
    constexpr std::uint64_t ready() const noexcept { return raw_.ready; }
};
using Queue = List<Waiting, gpusched_apogee_waiting>;

// A row of the prefetch table.
class Row : public detail::View<gpusched_apogee_row> {
public:
    using View::View;
    constexpr RowType type() const noexcept { return static_cast<RowType>(raw_.row_type); }
    constexpr std::uint32_t pc() const noexcept { return raw_.pc; }
    constexpr std::uint64_t address() const noexcept { return raw_.address; }
    constexpr std::uint32_t confidence() const noexcept { return raw_.confidence; }
    constexpr std::uint32_t generation() const noexcept { return raw_.generation; }
    constexpr State state(WarpId warp) const noexcept {
        const auto bit = [warp](std::uint64_t plane) { return static_cast<std::uint32_t>(plane >> number(warp) & 1); };
        return static_cast<State>(bit(raw_.states_high) << 1 | bit(raw_.states_low));
    }
    constexpr std::int32_t offset() const noexcept { return raw_.offset; }
    constexpr std::uint32_t thread() const noexcept { return raw_.thread; }
    constexpr std::uint32_t distance() const noexcept { return raw_.distance; }
    constexpr std::uint32_t target() const noexcept { return raw_.target; }
    constexpr bool slow() const noexcept { return raw_.slow != 0; }
};

// The machine ----------------------------------------------------------------------------------------------------------------

// The prefetcher of one SM, and the storage it lives in unless that is the caller's.
class Prefetcher : public detail::Object<gpusched_apogee> {
public:
    Prefetcher() noexcept = default;

    // In storage of its own. Null: there is no memory.
    static Result<Prefetcher> create(const Config& config = Config()) noexcept {
        return make<Prefetcher>(config, gpusched_apogee_init);
    }
    // In the caller's storage, which must stay where it is and outlive the machine.
    static Result<Prefetcher> create_in(Span<std::byte> storage, const Config& config) noexcept {
        return make_in<Prefetcher>(storage, config, gpusched_apogee_init);
    }
    // As the one that an image was saved of, in storage of its own.
    static Result<Prefetcher> from_image(Span<const std::byte> image) noexcept { return make_from<Prefetcher>(image); }

    static Result<Config> image_config(Span<const std::byte> image) noexcept {
        Config config;
        const Status status =
            gpusched_apogee_image_config(image.data(), image.size(), &config, sizeof(gpusched_apogee_config));
        return {status, config};
    }

    // Events.

    // What the load lists goes to the buffers as far as they reach: lines that were queued, rows that were triggered.
    Result<Loaded> load(std::uint64_t now, const Access& access, Span<std::uint64_t> lines = {},
                        Span<gpusched_apogee_triggered> rows = {}) noexcept {
        gpusched_apogee_loaded loaded{};
        const gpusched_apogee_lists lists{lines.data(), lines.size(), rows.data(), rows.size()};
        const Status status = gpusched_apogee_load(c(), now, &access.raw(), &loaded, &lists);
        return {status, Loaded(loaded)};
    }
    Result<std::optional<Request>> pf_pop(std::uint64_t now) noexcept {
        gpusched_apogee_request request{};
        std::uint32_t popped = 0;
        const Status status = gpusched_apogee_pf_pop(c(), now, &request, &popped);
        return {status, popped != 0 ? std::optional<Request>(Request(request)) : std::nullopt};
    }
    // Whether the row was displaced meanwhile.
    Result<bool> pf_reply(bool sent) noexcept {
        std::uint32_t stale = 0;
        const Status status = gpusched_apogee_pf_reply(c(), sent ? 1 : 0, &stale);
        return {status, stale != 0};
    }
    Result<bool> pf_fill(const Request& request) noexcept {
        std::uint32_t stale = 0;
        const Status status = gpusched_apogee_pf_fill(c(), number(request.entry()), request.generation(),
                                                      number(request.warp()), &stale);
        return {status, stale != 0};
    }
    Status set_threads(std::uint32_t n) noexcept { return gpusched_apogee_set_threads(c(), n); }
    // How many requests waited.
    Result<std::uint32_t> flush() noexcept {
        std::uint32_t dropped = 0;
        const Status status = gpusched_apogee_flush(c(), &dropped);
        return {status, dropped};
    }

    // Queries. Lists are written to a buffer; if it is too short the status is Capacity and the list holds what fits.

    Result<Config> config() const noexcept {
        Config config;
        const Status status = gpusched_apogee_get_config(c(), &config, sizeof(gpusched_apogee_config));
        return {status, config};
    }
    Result<std::uint64_t> now() const noexcept { return ask<std::uint64_t>(gpusched_apogee_now); }
    Result<std::optional<std::uint64_t>> next_event() const noexcept { return when(gpusched_apogee_next_event); }
    Result<std::uint32_t> threads() const noexcept { return ask<std::uint32_t>(gpusched_apogee_threads); }
    Result<std::optional<std::uint32_t>> last_load(WarpId warp) const noexcept {
        gpusched_apogee_last_load last{};
        const Status status = gpusched_apogee_get_last_load(c(), number(warp), &last);
        return {status, last.valid != 0 ? std::optional<std::uint32_t>(last.pc) : std::nullopt};
    }
    Result<Row> row(RowId entry) const noexcept {
        return view<Row, gpusched_apogee_row>(gpusched_apogee_get_row, number(entry));
    }
    Result<Queue> queue(Span<gpusched_apogee_waiting> buffer) const noexcept {
        return list<Queue>(gpusched_apogee_queue, buffer);
    }
    Result<std::optional<Request>> unanswered() const noexcept {
        gpusched_apogee_request request{};
        std::uint32_t pending = 0;
        const Status status = gpusched_apogee_unanswered(c(), &request, &pending);
        return {status, pending != 0 ? std::optional<Request>(Request(request)) : std::nullopt};
    }

    // Images.

    Result<std::size_t> image_size() const noexcept { return ask<std::size_t>(gpusched_apogee_image_size); }
    // The size of the image, also if the buffer is too small for it (ImageTooSmall).
    Result<std::size_t> save(Span<std::byte> image) const noexcept { return save_by(gpusched_apogee_save, image); }
    Status restore(Span<const std::byte> image) noexcept {
        return gpusched_apogee_restore(c(), image.data(), image.size());
    }
};

}  // namespace apogee
}  // namespace gpusched

#endif  // GPUSCHED_APOGEE_HPP
