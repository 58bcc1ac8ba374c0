// gpusched_tlp_pool.hpp: the C++17 face of the kernels that wait to be run in pairs, gpusched_tlp_pool_* of gpusched.h.
#ifndef GPUSCHED_TLP_POOL_HPP
#define GPUSCHED_TLP_POOL_HPP

#include <gpusched_tlp_config.hpp>

namespace gpusched {
namespace tlp {

class Picked : public detail::View<gpusched_tlp_picked> {
public:
    using View::View;
    constexpr std::optional<KernelId> a() const noexcept { return detail::row<KernelId>(raw_.a); }
    constexpr std::optional<KernelId> b() const noexcept { return detail::row<KernelId>(raw_.b); }
};

class Next : public detail::View<gpusched_tlp_next> {
public:
    using View::View;
    constexpr std::optional<KernelId> i() const noexcept { return detail::row<KernelId>(raw_.i); }
    constexpr bool complementary() const noexcept { return raw_.complementary != 0; }
};

class Pending : public detail::View<gpusched_tlp_pending> {
public:
    using View::View;
    constexpr KernelType type() const noexcept { return static_cast<KernelType>(raw_.kind); }
    constexpr Pref pref() const noexcept { return static_cast<Pref>(raw_.pref); }
    constexpr bool ready() const noexcept { return raw_.ready != 0; }
    constexpr std::uint64_t seq() const noexcept { return raw_.seq; }
};

// The kernels that wait to be run in pairs, and the storage it lives in unless that is the caller's.
class Pool : public detail::Object<gpusched_tlp_pool> {
public:
    Pool() noexcept = default;

    // In storage of its own. Null: there is no memory.
    static Result<Pool> create(const Config& config = Config()) noexcept {
        return make<Pool>(detail::Laid{config, gpusched_tlp_pool_layout}, gpusched_tlp_pool_init);
    }
    // In the caller's storage, which must stay where it is and outlive the machine.
    static Result<Pool> create_in(Span<std::byte> storage, const Config& config) noexcept {
        return make_in<Pool>(storage, config, gpusched_tlp_pool_init);
    }
    // As the one that an image was saved of, in storage of its own.
    static Result<Pool> from_image(Span<const std::byte> image) noexcept { return make_from<Pool>(image); }

    static Result<Config> image_config(Span<const std::byte> image) noexcept {
        Config config;
        const Status status = gpusched_tlp_pool_image_config(image.data(), image.size(), &config, sizeof(gpusched_tlp_config));
        return {status, config};
    }
    // The storage that create_in needs.
    static Result<Layout> layout(const Config& config) noexcept {
        return detail::layout_of<gpusched_tlp_config>(gpusched_tlp_pool_layout, &config);
    }

    // Events.

    Result<KernelId> add(KernelType type, Pref pref, bool ready = true) noexcept {
        std::uint32_t i = 0;
        const Status status = gpusched_tlp_pool_add(c(), number(type), number(pref), ready ? 1 : 0, &i);
        return {status, KernelId{i}};
    }
    Status ready(KernelId i) noexcept { return gpusched_tlp_pool_ready(c(), number(i)); }
    // Takes out two kernels for an empty machine.
    Result<Picked> pick_pair() noexcept {
        gpusched_tlp_picked record{};
        const Status status = gpusched_tlp_pool_pick_pair(c(), &record);
        return {status, Picked(record)};
    }
    // Takes out the partner for a kernel that was left running.
    Result<Next> pick_next(KernelType type, Pref pref) noexcept {
        gpusched_tlp_next record{};
        const Status status = gpusched_tlp_pool_pick_next(c(), number(type), number(pref), &record);
        return {status, Next(record)};
    }

    // Queries.

    Result<std::uint64_t> added() const noexcept { return ask<std::uint64_t>(gpusched_tlp_pool_added); }
    Result<Pending> pending(KernelId i) const noexcept {
        return view<Pending, gpusched_tlp_pending>(gpusched_tlp_pool_get_pending, number(i));
    }

    Result<Config> config() const noexcept {
        Config config;
        const Status status = gpusched_tlp_pool_get_config(c(), &config, sizeof(gpusched_tlp_config));
        return {status, config};
    }

    // Images.

    Result<std::size_t> image_size() const noexcept { return ask<std::size_t>(gpusched_tlp_pool_image_size); }
    // The size of the image, also if the buffer is too small for it (ImageTooSmall).
    Result<std::size_t> save(Span<std::byte> image) const noexcept { return save_by(gpusched_tlp_pool_save, image); }
    Status restore(Span<const std::byte> image) noexcept {
        return gpusched_tlp_pool_restore(c(), image.data(), image.size());
    }
};

}  // namespace tlp
}  // namespace gpusched

#endif  // GPUSCHED_TLP_POOL_HPP
