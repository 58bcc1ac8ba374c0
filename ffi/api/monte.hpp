// What a warp accesses, scratch memory for one request, and random numbers of a run.
using Warp = gpusched_monte_warp;
using Slot = gpusched_monte_slot;

// For tests; `below` 0: numbers of 64 bits.
inline Status random(std::uint64_t seed, std::uint32_t run, std::uint64_t below, Span<std::uint64_t> numbers) noexcept {
    return gpusched_monte_rng(seed, run, below, numbers.data(), numbers.size());
}

// ---
    // Scratch memory has a slot per request.
    Status simulate(Span<const Warp> warps, Span<Slot> scratch, std::uint32_t runs, std::uint64_t seed) noexcept {
        const gpusched_monte_trace trace{warps.data(), warps.size(), scratch.data(), scratch.size()};
        return gpusched_monte_simulate(c(), &trace, runs, seed);
    }
    Status run(Span<const Warp> warps, Span<Slot> scratch) noexcept {
        const gpusched_monte_trace trace{warps.data(), warps.size(), scratch.data(), scratch.size()};
        return gpusched_monte_run(c(), &trace);
    }
