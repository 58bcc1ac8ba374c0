// clocks.hpp: clocks of SMs at P-states. At the low one, and on the way up from it, an SM runs f_low of each f_high core cycles, evenly
// spread; at the high one, and on the way down, all of them.
#ifndef GPUSCHED_GPGPUSIM_CLOCKS_HPP
#define GPUSCHED_GPGPUSIM_CLOCKS_HPP

#include <gpusched.hpp>

#include <vector>

namespace gpusched {
namespace gpgpusim {

class Clocks {
public:
    Clocks(std::uint32_t sms, std::uint32_t f_high, std::uint32_t f_low) : f_high_(f_high), f_low_(f_low), sms_(sms) {}

    void set(std::uint32_t sm, bubble::PState state) {
        const bool slow = state == bubble::PState::Low || state == bubble::PState::Up;
        if (slow != sms_[sm].slow) sms_[sm] = {slow, 0};
    }
    // Whether the SM has an edge in this core cycle.
    bool edge(std::uint32_t sm) {
        Clock& clock = sms_[sm];
        if (!clock.slow) return true;
        clock.phase += f_low_;
        if (clock.phase < f_high_) return false;
        clock.phase -= f_high_;
        return true;
    }

private:
    struct Clock {
        bool slow = false;
        std::uint32_t phase = 0;
    };
    std::uint32_t f_high_, f_low_;
    std::vector<Clock> sms_;
};

}  // namespace gpgpusim
}  // namespace gpusched

#endif  // GPUSCHED_GPGPUSIM_CLOCKS_HPP
