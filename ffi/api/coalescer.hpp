// The transactions of an access.
struct Coalesced {
    Span<const gpusched_coalescer_segment> segments;
    // How many there are, also if the buffer is too short (Capacity).
    std::size_t total;
    bool coalesced;
};

// --- configuration
    // The transactions of an access of `size` bytes per active lane, in the buffer.
    Result<Coalesced> access(std::uint64_t mask, Span<const std::uint64_t> addresses, std::uint32_t size,
                             Span<Segment> buffer) const noexcept {
        std::size_t count = 0;
        std::uint32_t coalesced = 0;
        const Status status = gpusched_coalescer_access(this, mask, addresses.data(), addresses.size(), size,
                                                        buffer.data(), buffer.size(), &count, &coalesced);
        const std::size_t held = count < buffer.size() ? count : buffer.size();
        return {status, Coalesced{Span<const Segment>(buffer.data(), held), count, coalesced != 0}};
    }
// --- types
