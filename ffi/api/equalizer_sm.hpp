// A step of a clock, as configurations have it.
enum class Step : std::uint32_t {
    Hold = GPUSCHED_EQUALIZER_STEP_HOLD,
    Up = GPUSCHED_EQUALIZER_STEP_UP,
    Down = GPUSCHED_EQUALIZER_STEP_DOWN,
};

// --- configuration
    // Of the map of votes, such as energy_mem_mem.
    Config with(std::uint32_t gpusched_equalizer_sm_config::* field, Step value) const noexcept {
        return with(field, number(value));
    }
// --- types
