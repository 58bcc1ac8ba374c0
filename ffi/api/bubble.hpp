// The TB that waits: what it takes, and where it may run.
class Waiting : public detail::View<gpusched_bubble_waiting> {
public:
    // On any SMX.
    constexpr explicit Waiting(const Resources& res) noexcept : View(gpusched_bubble_waiting{{}, res, 0}) {}
    // On these SMXs only.
    constexpr Waiting(const Resources& res, const SmxSet& allowed) noexcept
        : View(gpusched_bubble_waiting{allowed.raw(), res, 1}) {}
};

// ---
