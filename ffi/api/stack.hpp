// --- configuration
    // A warp of so many lanes, 1 to 64, with a stack that cannot overflow.
    explicit Config(std::uint32_t of_lanes) noexcept : Config() {
        (void)gpusched_stack_config_of_lanes(this, sizeof(gpusched_stack_config), of_lanes);
    }
// --- types
// A branch.
class Branch : public detail::View<gpusched_stack_branching> {
public:
    constexpr Branch(std::uint64_t taken, std::uint32_t taken_pc, std::uint32_t fall_pc,
                     std::optional<std::uint32_t> reconv) noexcept
        : View(gpusched_stack_branching{taken, taken_pc, fall_pc, reconv.value_or(GPUSCHED_NONE), 0}) {}
};

// ---
