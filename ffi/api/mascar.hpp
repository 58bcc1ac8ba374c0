enum class Lsu : std::uint32_t {
    Idle = GPUSCHED_MASCAR_LSU_IDLE,
    Await = GPUSCHED_MASCAR_LSU_AWAIT,
    Busy = GPUSCHED_MASCAR_LSU_BUSY,
    Blocked = GPUSCHED_MASCAR_LSU_BLOCKED,
};

// Destination of a store.
inline constexpr std::uint32_t store = GPUSCHED_MASCAR_STORE;
// Every scheduler may issue to a compute pipe.
inline constexpr std::uint32_t all = GPUSCHED_MASCAR_ALL;

// One cache whose back pressure sets the mode.
using Cache = gpusched_mascar_cache;
// --- configuration
    // One more cache that sets the mode, or the only one. More than three are refused where the configuration is used.
    Config with(const Cache& cache, bool only = true) const noexcept {
        Config changed = *this;
        const std::uint32_t at = only ? 0 : sources;
        if (at < sizeof caches / sizeof *caches) changed.caches[at] = cache;
        changed.sources = at + 1;
        return changed;
    }
// --- types
inline Result<Parameter> cache_parameter(std::uint32_t index) noexcept {
    return detail::parameter_of(gpusched_mascar_cache_parameter, index);
}

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

// ---
    Result<State> state() const noexcept { return view<State, gpusched_mascar_state>(gpusched_mascar_get_state); }
    // 0 is the head.
    Result<Entry> rexq(std::uint32_t index) const noexcept { return rexq_at(index); }
