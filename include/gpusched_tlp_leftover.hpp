// gpusched_tlp_leftover.hpp: the C++17 face of LeftOver, gpusched_tlp_leftover_* of gpusched.h.
#ifndef GPUSCHED_TLP_LEFTOVER_HPP
#define GPUSCHED_TLP_LEFTOVER_HPP

#include <gpusched_tlp_config.hpp>

namespace gpusched {
namespace tlp {

class Submitted : public detail::View<gpusched_tlp_submitted> {
public:
    using View::View;
    constexpr Needs needs() const noexcept { return raw_.needs; }
    constexpr std::uint32_t n_tb() const noexcept { return raw_.n_tb; }
    constexpr std::uint32_t next() const noexcept { return raw_.next; }
    constexpr std::uint32_t finished() const noexcept { return raw_.finished; }
    constexpr std::uint64_t seq() const noexcept { return raw_.seq; }
};

class LeftOverState : public detail::View<gpusched_tlp_leftover_state> {
public:
    using View::View;
    constexpr std::uint64_t submitted() const noexcept { return raw_.submitted; }
    constexpr SmxId pointer() const noexcept { return SmxId{raw_.pointer}; }
};

// LeftOver, the hardware's way to run kernels side by side, and the storage it lives in unless that is the caller's.
class LeftOver : public detail::Object<gpusched_tlp_leftover> {
public:
    LeftOver() noexcept = default;

    // In storage of its own. Null: there is no memory.
    static Result<LeftOver> create(const Config& config = Config()) noexcept {
        return make<LeftOver>(detail::Laid{config, gpusched_tlp_leftover_layout}, gpusched_tlp_leftover_init);
    }
    // In the caller's storage, which must stay where it is and outlive the machine.
    static Result<LeftOver> create_in(Span<std::byte> storage, const Config& config) noexcept {
        return make_in<LeftOver>(storage, config, gpusched_tlp_leftover_init);
    }
    // As the one that an image was saved of, in storage of its own.
    static Result<LeftOver> from_image(Span<const std::byte> image) noexcept { return make_from<LeftOver>(image); }

    static Result<Config> image_config(Span<const std::byte> image) noexcept {
        Config config;
        const Status status = gpusched_tlp_leftover_image_config(image.data(), image.size(), &config, sizeof(gpusched_tlp_config));
        return {status, config};
    }
    // The storage that create_in needs.
    static Result<Layout> layout(const Config& config) noexcept {
        return detail::layout_of<gpusched_tlp_config>(gpusched_tlp_leftover_layout, &config);
    }

    // Events.

    Result<KernelId> submit(const Needs& needs, std::uint32_t n_tb) noexcept {
        std::uint32_t k = 0;
        const Status status = gpusched_tlp_leftover_submit(c(), &needs, n_tb, &k);
        return {status, KernelId{k}};
    }
    Result<Sent> dispatch() noexcept {
        gpusched_tlp_sent record{};
        const Status status = gpusched_tlp_leftover_dispatch(c(), &record);
        return {status, Sent(record)};
    }
    // Whether it was the kernel's last TB.
    Result<bool> finish(SmxId sm, KernelId k) noexcept {
        std::uint32_t done = 0;
        const Status status = gpusched_tlp_leftover_finish(c(), number(sm), number(k), &done);
        return {status, done != 0};
    }

    // Queries.

    Result<Submitted> kernel(KernelId k) const noexcept {
        return view<Submitted, gpusched_tlp_submitted>(gpusched_tlp_leftover_get_kernel, number(k));
    }
    Result<std::uint32_t> resident(SmxId sm, KernelId k) const noexcept {
        return ask<std::uint32_t>(gpusched_tlp_leftover_resident, number(sm), number(k));
    }
    Result<LeftOverState> state() const noexcept {
        return view<LeftOverState, gpusched_tlp_leftover_state>(gpusched_tlp_leftover_get_state);
    }

    Result<Config> config() const noexcept {
        Config config;
        const Status status = gpusched_tlp_leftover_get_config(c(), &config, sizeof(gpusched_tlp_config));
        return {status, config};
    }

    // Images.

    Result<std::size_t> image_size() const noexcept { return ask<std::size_t>(gpusched_tlp_leftover_image_size); }
    // The size of the image, also if the buffer is too small for it (ImageTooSmall).
    Result<std::size_t> save(Span<std::byte> image) const noexcept { return save_by(gpusched_tlp_leftover_save, image); }
    Status restore(Span<const std::byte> image) noexcept {
        return gpusched_tlp_leftover_restore(c(), image.data(), image.size());
    }
};

}  // namespace tlp
}  // namespace gpusched

#endif  // GPUSCHED_TLP_LEFTOVER_HPP
