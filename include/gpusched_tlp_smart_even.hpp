// gpusched_tlp_smart_even.hpp: the C++17 face of Smart-Even, gpusched_tlp_smart_even_* of gpusched.h.
#ifndef GPUSCHED_TLP_SMART_EVEN_HPP
#define GPUSCHED_TLP_SMART_EVEN_HPP

#include <gpusched_tlp_config.hpp>

namespace gpusched {
namespace tlp {

class SharerEnded : public detail::View<gpusched_tlp_sharer_ended> {
public:
    using View::View;
    constexpr KernelId k() const noexcept { return KernelId{raw_.k}; }
    // SMs may have another owner.
    constexpr bool done() const noexcept { return raw_.done != 0; }
};

class OwnedSm : public detail::View<gpusched_tlp_owned_sm> {
public:
    using View::View;
    constexpr std::optional<KernelId> owner() const noexcept { return detail::row<KernelId>(raw_.owner); }
    constexpr std::uint32_t resident() const noexcept { return raw_.resident; }
};

class Sharer : public detail::View<gpusched_tlp_sharer> {
public:
    using View::View;
    constexpr std::uint32_t max() const noexcept { return raw_.max; }
    constexpr std::uint32_t n_tb() const noexcept { return raw_.n_tb; }
    constexpr std::uint32_t next() const noexcept { return raw_.next; }
    constexpr std::uint32_t finished() const noexcept { return raw_.finished; }
};

class SmartEvenState : public detail::View<gpusched_tlp_smart_even_state> {
public:
    using View::View;
    constexpr std::uint32_t kernels() const noexcept { return raw_.kernels; }
    constexpr bool running() const noexcept { return raw_.running != 0; }
    constexpr SmxId pointer() const noexcept { return SmxId{raw_.pointer}; }
};

// Smart-Even, SMs shared out among kernels, and the storage it lives in unless that is the caller's.
class SmartEven : public detail::Object<gpusched_tlp_smart_even> {
public:
    SmartEven() noexcept = default;

    // In storage of its own. Null: there is no memory.
    static Result<SmartEven> create(const Config& config = Config()) noexcept {
        return make<SmartEven>(detail::Laid{config, gpusched_tlp_smart_even_layout}, gpusched_tlp_smart_even_init);
    }
    // In the caller's storage, which must stay where it is and outlive the machine.
    static Result<SmartEven> create_in(Span<std::byte> storage, const Config& config) noexcept {
        return make_in<SmartEven>(storage, config, gpusched_tlp_smart_even_init);
    }
    // As the one that an image was saved of, in storage of its own.
    static Result<SmartEven> from_image(Span<const std::byte> image) noexcept { return make_from<SmartEven>(image); }

    static Result<Config> image_config(Span<const std::byte> image) noexcept {
        Config config;
        const Status status = gpusched_tlp_smart_even_image_config(image.data(), image.size(), &config, sizeof(gpusched_tlp_config));
        return {status, config};
    }
    // The storage that create_in needs.
    static Result<Layout> layout(const Config& config) noexcept {
        return detail::layout_of<gpusched_tlp_config>(gpusched_tlp_smart_even_layout, &config);
    }

    // Events.

    // Shares the SMs among kernels; sm() tells the result.
    Status start(Span<const Job> jobs) noexcept {
        return gpusched_tlp_smart_even_start(c(), jobs.data(), jobs.size());
    }
    Result<Sent> dispatch() noexcept {
        gpusched_tlp_sent record{};
        const Status status = gpusched_tlp_smart_even_dispatch(c(), &record);
        return {status, Sent(record)};
    }
    Result<SharerEnded> finish(SmxId sm) noexcept {
        gpusched_tlp_sharer_ended record{};
        const Status status = gpusched_tlp_smart_even_finish(c(), number(sm), &record);
        return {status, SharerEnded(record)};
    }

    // Queries.

    Result<OwnedSm> sm(SmxId sm) const noexcept {
        return view<OwnedSm, gpusched_tlp_owned_sm>(gpusched_tlp_smart_even_get_sm, number(sm));
    }
    Result<Sharer> kernel(KernelId k) const noexcept {
        return view<Sharer, gpusched_tlp_sharer>(gpusched_tlp_smart_even_get_kernel, number(k));
    }
    Result<SmartEvenState> state() const noexcept {
        return view<SmartEvenState, gpusched_tlp_smart_even_state>(gpusched_tlp_smart_even_get_state);
    }

    Result<Config> config() const noexcept {
        Config config;
        const Status status = gpusched_tlp_smart_even_get_config(c(), &config, sizeof(gpusched_tlp_config));
        return {status, config};
    }

    // Images.

    Result<std::size_t> image_size() const noexcept { return ask<std::size_t>(gpusched_tlp_smart_even_image_size); }
    // The size of the image, also if the buffer is too small for it (ImageTooSmall).
    Result<std::size_t> save(Span<std::byte> image) const noexcept { return save_by(gpusched_tlp_smart_even_save, image); }
    Status restore(Span<const std::byte> image) noexcept {
        return gpusched_tlp_smart_even_restore(c(), image.data(), image.size());
    }
};

}  // namespace tlp
}  // namespace gpusched

#endif  // GPUSCHED_TLP_SMART_EVEN_HPP
