enum class Verdict : std::uint32_t {
    Hit = GPUSCHED_APOGEE_VERDICT_HIT,
    Pending = GPUSCHED_APOGEE_VERDICT_PENDING,
    Absent = GPUSCHED_APOGEE_VERDICT_ABSENT,
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

using Lane = gpusched_apogee_lane;

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

// ---
    // What the load lists goes to the buffers as far as they reach: lines that were queued, rows that were triggered.
    Result<Loaded> load(std::uint64_t now, const Access& access, Span<std::uint64_t> lines = {},
                        Span<gpusched_apogee_triggered> rows = {}) noexcept {
        gpusched_apogee_loaded loaded{};
        const gpusched_apogee_lists lists{lines.data(), lines.size(), rows.data(), rows.size()};
        const Status status = gpusched_apogee_load(c(), now, &access.raw(), &loaded, &lists);
        return {status, Loaded(loaded)};
    }
    // As above, of a request as it was popped.
    Result<bool> pf_fill(const Request& request) noexcept {
        return pf_fill(request.entry(), request.generation(), request.warp());
    }
