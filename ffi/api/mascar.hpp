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
    return detail::told<Parameter>(gpusched_mascar_cache_parameter, index);
}

// ---
