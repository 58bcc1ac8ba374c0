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

// The TB that waits: what it takes, and where it may run.
class Waiting : public detail::View<gpusched_bubble_waiting> {
public:
    // On any SMX.
    constexpr explicit Waiting(const Resources& res) noexcept : View(gpusched_bubble_waiting{{}, res, 0}) {}
    // On these SMXs only.
    constexpr Waiting(const Resources& res, const SmxSet& allowed) noexcept
        : View(gpusched_bubble_waiting{allowed.raw(), res, 1}) {}
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

// ---
    // One SMX: P-state, what is under way, bubbles, energy.
    Result<Smx> smx(SmxId smx) const noexcept {
        return view<Smx, gpusched_bubble_smx>(gpusched_bubble_get_smx, number(smx));
    }
