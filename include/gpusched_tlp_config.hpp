// gpusched_tlp_config.hpp: what the units of TLP modulation have in common in C++17: their configuration, codes, kernels.
#ifndef GPUSCHED_TLP_CONFIG_HPP
#define GPUSCHED_TLP_CONFIG_HPP

#include <gpusched_base.hpp>
#include <gpusched_tlp.h>

#include <array>

namespace gpusched {
namespace tlp {

// A kernel of a unit: 0 or 1 on a shared SM, elsewhere its place.
enum class KernelId : std::uint32_t {};

// Enumerations: the numbers of C ---------------------------------------------------------------------------------------------

enum class PuhpTie : std::uint32_t {
    Hold = GPUSCHED_TLP_PUHP_TIE_HOLD,
    Grow0 = GPUSCHED_TLP_PUHP_TIE_GROW0,
};

enum class HistoryRule : std::uint32_t {
    Ewma = GPUSCHED_TLP_HISTORY_RULE_EWMA,
    Mean = GPUSCHED_TLP_HISTORY_RULE_MEAN,
};

enum class Order : std::uint32_t {
    Concurrent = GPUSCHED_TLP_ORDER_CONCURRENT,
    BypassFirst = GPUSCHED_TLP_ORDER_BYPASS_FIRST,
};

enum class StallNorm : std::uint32_t {
    Raw = GPUSCHED_TLP_STALL_NORM_RAW,
    PerCycle = GPUSCHED_TLP_STALL_NORM_PER_CYCLE,
};

enum class SoloTlp : std::uint32_t {
    Max = GPUSCHED_TLP_SOLO_MAX,
    Opt = GPUSCHED_TLP_SOLO_OPT,
};

enum class UpUp : std::uint32_t {
    Leftover = GPUSCHED_TLP_UPUP_LEFTOVER,
    Half = GPUSCHED_TLP_UPUP_HALF,
};

enum class KernelType : std::uint32_t {
    Down = GPUSCHED_TLP_TYPE_DOWN,
    Optimal = GPUSCHED_TLP_TYPE_OPTIMAL,
    Up = GPUSCHED_TLP_TYPE_UP,
};

enum class Pref : std::uint32_t {
    Compute = GPUSCHED_TLP_PREF_COMPUTE,
    Memory = GPUSCHED_TLP_PREF_MEMORY,
};

enum class Mode : std::uint32_t {
    Idle = GPUSCHED_TLP_MODE_IDLE,
    Solo = GPUSCHED_TLP_MODE_SOLO,
    Pair = GPUSCHED_TLP_MODE_PAIR,
    Leftover = GPUSCHED_TLP_MODE_LEFTOVER,
};

enum class Stall : std::uint32_t {
    None = GPUSCHED_TLP_STALL_NONE,
    Idle = GPUSCHED_TLP_STALL_IDLE,
    AtTarget = GPUSCHED_TLP_STALL_AT_TARGET,
    NoWork = GPUSCHED_TLP_STALL_NO_WORK,
    NoRoom = GPUSCHED_TLP_STALL_NO_ROOM,
    Empty = GPUSCHED_TLP_STALL_EMPTY,
};

// What goes in ---------------------------------------------------------------------------------------------------------------

using StorageBits = gpusched_tlp_storage;
// What one TB takes of an SM: threads, registers, shared memory in bytes.
using Needs = gpusched_tlp_needs;
// A kernel that is modulated.
using Kernel = gpusched_tlp_kernel;
// A kernel of Smart-Even: what one TB takes, and TBs of the kernel.
using Job = gpusched_tlp_job;
// The counters of a period: busy cycles of SP and LD/ST by kernel 0 and 1, stalls for memory, structural stalls, who has TBs to send.
using Metrics = gpusched_tlp_metrics;
// One of each of kernel 0 and 1.
using Pair = std::array<std::uint32_t, 2>;

constexpr Kernel kernel(Needs needs, KernelType type, std::uint32_t opt) noexcept {
    return Kernel{needs, gpusched_tlp_category{number(type), opt}};
}

namespace detail {

using namespace gpusched::detail;

constexpr Pair pair(const std::uint32_t (&values)[2]) noexcept { return {values[0], values[1]}; }

}  // namespace detail

class Category : public detail::View<gpusched_tlp_category> {
public:
    using View::View;
    constexpr KernelType type() const noexcept { return static_cast<KernelType>(raw_.kind); }
    constexpr std::uint32_t opt() const noexcept { return raw_.opt; }
};

class Targets : public detail::View<gpusched_tlp_targets> {
public:
    using View::View;
    constexpr Pair tb() const noexcept { return detail::pair(raw_.tb); }
    constexpr Mode mode() const noexcept { return static_cast<Mode>(raw_.mode); }
    // The kernel that was served first.
    constexpr KernelId a() const noexcept { return KernelId{raw_.a}; }
};

// Parameters of all units: the fields of C, set one by one or in a chain.
class Config : public gpusched_tlp_config {
public:
    Config() noexcept : gpusched_tlp_config{} { (void)gpusched_tlp_config_init(this, sizeof(gpusched_tlp_config)); }
    explicit Config(const gpusched_tlp_config& config) noexcept : gpusched_tlp_config(config) {}

    Config with(std::uint32_t gpusched_tlp_config::* field, std::uint32_t value) const noexcept {
        Config changed = *this;
        changed.*field = value;
        return changed;
    }
    Config with(PuhpTie value) const noexcept { return with(&Config::puhp_tie, number(value)); }
    Config with(HistoryRule value) const noexcept { return with(&Config::his_rule, number(value)); }
    Config with(Order value) const noexcept { return with(&Config::order, number(value)); }
    Config with(StallNorm value) const noexcept { return with(&Config::stall_norm, number(value)); }
    Config with(SoloTlp value) const noexcept { return with(&Config::solo_tlp, number(value)); }
    Config with(UpUp value) const noexcept { return with(&Config::upup, number(value)); }

    // Says whether every value is in its range; if one is not, and the status is BadConfig, the value tells which.
    Result<Parameter> check() const noexcept {
        return detail::check_of<gpusched_tlp_config>(gpusched_tlp_config_check, this);
    }
    Result<StorageBits> storage_bits() const noexcept {
        return detail::bits_of<StorageBits, gpusched_tlp_config>(gpusched_tlp_storage_bits, this);
    }

    // What needs no machine.

    // The type of a kernel by how fast it is alone with 1, 2, ... TBs per SM.
    Result<Category> categorise(Span<const std::uint64_t> profile) const noexcept {
        gpusched_tlp_category category{};
        const Status status = gpusched_tlp_categorise(this, profile.data(), profile.size(), &category);
        return {status, Category(category)};
    }
    // What a kernel leans on that keeps the pipelines busy for so many cycles.
    Result<Pref> pref_of(std::uint64_t sp, std::uint64_t ldst) const noexcept {
        std::uint32_t pref = 0;
        const Status status = gpusched_tlp_pref_of(this, sp, ldst, &pref);
        return {status, static_cast<Pref>(pref)};
    }
    // How many TBs of a kernel an empty SM holds.
    Result<std::uint32_t> max(const Kernel& kernel) const noexcept {
        std::uint32_t most = 0;
        const Status status = gpusched_tlp_max(this, &kernel, &most);
        return {status, most};
    }
    // How many TBs of a kernel fit beside n of another.
    Result<std::uint32_t> remain(const Kernel& kernel, const Kernel& other, std::uint32_t n) const noexcept {
        std::uint32_t room = 0;
        const Status status = gpusched_tlp_remain(this, &kernel, &other, n, &room);
        return {status, room};
    }
    // Targets that two kernels start with (Algorithm 1).
    Result<Targets> static_tlp(const Kernel& k0, const Kernel& k1, KernelId first = KernelId{0}) const noexcept {
        gpusched_tlp_targets targets{};
        const Status status = gpusched_tlp_static(this, &k0, &k1, number(first), &targets);
        return {status, Targets(targets)};
    }
};

namespace detail {

// A configuration, and the function that tells the storage of the machine that it is for.
struct Laid : Config {
    using Call = gpusched_status (*)(const gpusched_tlp_config*, gpusched_layout*);
    Laid(const Config& config, Call call) noexcept : Config(config), call_(call) {}
    Result<Layout> layout() const noexcept { return layout_of<gpusched_tlp_config>(call_, this); }

private:
    Call call_;
};

}  // namespace detail

inline Result<Parameter> parameter(std::uint32_t index) noexcept {
    return detail::parameter_of(gpusched_tlp_parameter, index);
}

// What comes out -------------------------------------------------------------------------------------------------------------

// What a work distributor does; the rest means something only if it sends a TB.
class Sent : public detail::View<gpusched_tlp_sent> {
public:
    using View::View;
    constexpr bool sent() const noexcept { return stall() == Stall::None; }
    constexpr Stall stall() const noexcept { return static_cast<Stall>(raw_.stall); }
    constexpr SmxId sm() const noexcept { return SmxId{raw_.sm}; }
    constexpr KernelId k() const noexcept { return KernelId{raw_.k}; }
    constexpr std::uint32_t tb() const noexcept { return raw_.tb; }
};

}  // namespace tlp
}  // namespace gpusched

#endif  // GPUSCHED_TLP_CONFIG_HPP
