// gpusched_simt.hpp: the C++17 face of the coalescer, gpusched_coalesce* of gpusched.h; gpusched.hpp says how it differs from C.
#ifndef GPUSCHED_SIMT_HPP
#define GPUSCHED_SIMT_HPP

#include <gpusched_base.hpp>
#include <gpusched_simt.h>

namespace gpusched {
namespace simt {

// Enumerations: the numbers of C ---------------------------------------------------------------------------------------------

enum class Mode : std::uint32_t {
    Combine = GPUSCHED_COALESCE_MODE_COMBINE,
    Legacy = GPUSCHED_COALESCE_MODE_LEGACY,
};

// The coalescer ------------------------------------------------------------------------------------------------------------------

using Segment = gpusched_segment;

// The transactions of an access.
struct Coalesced {
    Span<const Segment> segments;
    // How many there are, also if the buffer is too short (Capacity).
    std::size_t total;
    bool coalesced;
};

// Parameters, which are all that a coalescer is.
class Coalescer : public gpusched_coalescer_config {
public:
    Coalescer() noexcept : gpusched_coalescer_config{} {
        (void)gpusched_coalescer_config_init(this, sizeof(gpusched_coalescer_config));
    }

    Coalescer with(std::uint32_t gpusched_coalescer_config::* field, std::uint32_t value) const noexcept {
        Coalescer changed = *this;
        changed.*field = value;
        return changed;
    }
    Coalescer with(Mode value) const noexcept { return with(&Coalescer::mode, number(value)); }

    // Says whether every value is in its range; if one is not, and the status is BadConfig, the value tells which.
    Result<Parameter> check() const noexcept {
        return detail::check_of<gpusched_coalescer_config>(gpusched_coalescer_config_check, this);
    }
    static Result<Parameter> parameter(std::uint32_t index) noexcept {
        return detail::parameter_of(gpusched_coalescer_parameter, index);
    }

    // The transactions of an access of `size` bytes per active lane, in the buffer.
    Result<Coalesced> access(std::uint64_t mask, Span<const std::uint64_t> addresses, std::uint32_t size,
                             Span<Segment> buffer) const noexcept {
        std::size_t count = 0;
        std::uint32_t coalesced = 0;
        const Status status = gpusched_coalesce(this, mask, addresses.data(), addresses.size(), size, buffer.data(),
                                                buffer.size(), &count, &coalesced);
        const std::size_t held = count < buffer.size() ? count : buffer.size();
        return {status, Coalesced{Span<const Segment>(buffer.data(), held), count, coalesced != 0}};
    }
};

}  // namespace simt
}  // namespace gpusched

#endif  // GPUSCHED_SIMT_HPP
