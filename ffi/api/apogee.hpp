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
