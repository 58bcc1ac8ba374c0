// gpusched_base.hpp: what the C++17 faces of all machines have in common. Include gpusched.hpp, gpusched_laperm.hpp,
// gpusched_bubble.hpp or gpusched_dgb.hpp.
#ifndef GPUSCHED_BASE_HPP
#define GPUSCHED_BASE_HPP

#include <gpusched_codes.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

namespace gpusched {

// The number behind a row's name or an enumerator.
template <class E, class = std::enable_if_t<std::is_enum_v<E>>>
constexpr std::uint32_t number(E e) noexcept {
    return static_cast<std::uint32_t>(e);
}

// Results --------------------------------------------------------------------------------------------------------------------

// How a call went. True if it went well.
class [[nodiscard]] Status {
public:
    constexpr Status() noexcept = default;
    constexpr Status(Code code) noexcept : code_(code) {}
    constexpr Status(gpusched_status status) noexcept : code_(static_cast<Code>(status)) {}

    constexpr bool ok() const noexcept { return code_ == Code::Ok; }
    constexpr explicit operator bool() const noexcept { return ok(); }
    constexpr Code code() const noexcept { return code_; }
    // "BadSmx".
    const char* name() const noexcept { return gpusched_status_str(number(code_)); }
    // "no such SMX".
    const char* text() const noexcept { return gpusched_status_text(number(code_)); }

    friend constexpr bool operator==(Status a, Status b) noexcept { return a.code_ == b.code_; }
    friend constexpr bool operator!=(Status a, Status b) noexcept { return a.code_ != b.code_; }

private:
    Code code_ = Code::Ok;
};

// A status, and a value if it is ok. The value of one that is not ok is T{}, unless the function says otherwise, and may look like an
// answer: ask ok() first.
template <class T>
class [[nodiscard]] Result {
public:
    constexpr Result(Status status, T value) noexcept : status_(status), value_(std::move(value)) {}
    constexpr Result(Status status) noexcept : status_(status), value_() {}

    constexpr Status status() const noexcept { return status_; }
    constexpr bool ok() const noexcept { return status_.ok(); }
    constexpr explicit operator bool() const noexcept { return ok(); }

    constexpr T& value() & noexcept { return value_; }
    constexpr const T& value() const& noexcept { return value_; }
    // A copy, so that a loop over the value of a call is a loop over something that lasts.
    constexpr T value() && noexcept { return std::move(value_); }
    constexpr T& operator*() & noexcept { return value_; }
    constexpr const T& operator*() const& noexcept { return value_; }
    constexpr T operator*() && noexcept { return std::move(value_); }
    constexpr T* operator->() noexcept { return &value_; }
    constexpr const T* operator->() const noexcept { return &value_; }

private:
    Status status_;
    T value_;
};

// Arrays of somebody else: an array, a std::vector, a std::array, a std::span, a pointer and a length.
template <class T>
class Span {
public:
    constexpr Span() noexcept = default;
    constexpr Span(T* first, std::size_t size) noexcept : first_(first), size_(size) {}
    template <std::size_t N>
    constexpr Span(T (&array)[N]) noexcept : first_(array), size_(N) {}
    template <class C, class = std::enable_if_t<std::is_convertible_v<
                           std::remove_pointer_t<decltype(std::declval<C&>().data())> (*)[], T (*)[]>>>
    constexpr Span(C&& container) noexcept : first_(container.data()), size_(container.size()) {}

    constexpr T* data() const noexcept { return first_; }
    constexpr std::size_t size() const noexcept { return size_; }
    constexpr bool empty() const noexcept { return size_ == 0; }
    constexpr T* begin() const noexcept { return first_; }
    constexpr T* end() const noexcept { return first_ + size_; }
    constexpr T& operator[](std::size_t i) const noexcept { return first_[i]; }

private:
    T* first_ = nullptr;
    std::size_t size_ = 0;
};

// Plain records of C, seen as T one at a time.
template <class T, class Raw>
class List {
public:
    class Iterator {
    public:
        constexpr explicit Iterator(const Raw* at) noexcept : at_(at) {}
        constexpr T operator*() const noexcept { return T{*at_}; }
        constexpr Iterator& operator++() noexcept { return ++at_, *this; }
        friend constexpr bool operator==(Iterator a, Iterator b) noexcept { return a.at_ == b.at_; }
        friend constexpr bool operator!=(Iterator a, Iterator b) noexcept { return a.at_ != b.at_; }

    private:
        const Raw* at_;
    };

    constexpr List() noexcept = default;
    constexpr List(const Raw* first, std::size_t size, std::size_t total) noexcept
        : raw_(first, size), total_(total) {}

    constexpr std::size_t size() const noexcept { return raw_.size(); }
    constexpr bool empty() const noexcept { return raw_.empty(); }
    constexpr Iterator begin() const noexcept { return Iterator(raw_.begin()); }
    constexpr Iterator end() const noexcept { return Iterator(raw_.end()); }
    constexpr T operator[](std::size_t i) const noexcept { return T{raw_[i]}; }
    constexpr Span<const Raw> raw() const noexcept { return raw_; }
    // How long the whole list is: more than size() if the caller's array was too short.
    constexpr std::size_t total() const noexcept { return total_; }

private:
    Span<const Raw> raw_;
    std::size_t total_ = 0;
};

// What goes in and out of all machines -----------------------------------------------------------------------------------------

using Parameter = gpusched_parameter;
using Layout = gpusched_layout;
// Extent in three dimensions, or a place there.
using Dim3 = gpusched_dim3;

// Clusters of TBs; none if all of it is 0.
using Cluster = gpusched_cluster;

constexpr Cluster cluster(std::uint8_t x, std::uint8_t y = 1, std::uint8_t z = 1, bool nonportable = false) noexcept {
    return Cluster{x, y, z, nonportable};
}

constexpr Dim3 dim3(std::uint32_t x, std::uint32_t y = 1, std::uint32_t z = 1) noexcept { return Dim3{x, y, z}; }

// Resources of one TB, or what is free on one SMX: threads, registers, shared memory in bytes, TB slots.
using Resources = gpusched_resources;

constexpr Resources resources(std::uint32_t threads, std::uint32_t regs = 0, std::uint32_t smem = 0,
                              std::uint32_t slots = 1) noexcept {
    return Resources{threads, regs, smem, slots};
}

// A set of SMXs.
template <class Id, class Raw>
class IdSet {
public:
    constexpr IdSet() noexcept : set_{} {}
    constexpr explicit IdSet(const Raw& set) noexcept : set_(set) {}
    // Rows 0 to n - 1.
    static constexpr IdSet first(std::uint32_t n) noexcept {
        IdSet set;
        for (std::uint32_t i = 0; i < n && i < 256; i++) set.insert(Id{i});
        return set;
    }

    // Nothing if there is no such row on any GPU.
    constexpr IdSet& insert(Id id) noexcept {
        if (number(id) < 256) set_.words[number(id) / 64] |= bit(id);
        return *this;
    }
    constexpr IdSet& erase(Id id) noexcept {
        if (number(id) < 256) set_.words[number(id) / 64] &= ~bit(id);
        return *this;
    }
    constexpr bool contains(Id id) const noexcept { return number(id) < 256 && (set_.words[number(id) / 64] & bit(id)) != 0; }
    constexpr const Raw& raw() const& noexcept { return set_; }
    constexpr Raw raw() && noexcept { return set_; }

private:
    static constexpr std::uint64_t bit(Id id) noexcept { return std::uint64_t{1} << (number(id) % 64); }
    Raw set_;
};

// SMXs.
using SmxSet = IdSet<SmxId, gpusched_smx_set>;
// GPCs.
using GpcSet = IdSet<GpcId, gpusched_gpc_set>;

// No cycle: no limit for advance and run.
inline constexpr std::uint64_t never = GPUSCHED_NEVER;

// Whether the library that this program runs with has the binary interface that it was compiled for.
inline bool abi_fits() noexcept { return gpusched_abi_version() == GPUSCHED_ABI_VERSION; }

namespace detail {

template <class Id>
constexpr std::optional<Id> row(std::uint32_t number) noexcept {
    return number == GPUSCHED_NONE ? std::nullopt : std::optional(Id{number});
}

template <class Id>
constexpr std::uint32_t number_or_none(std::optional<Id> id) noexcept {
    return id ? number(*id) : GPUSCHED_NONE;
}

constexpr std::optional<std::uint64_t> cycle(std::uint64_t number) noexcept {
    return number == GPUSCHED_NEVER ? std::nullopt : std::optional(number);
}

template <class T, class Raw, std::size_t N>
constexpr std::array<T, N> array(const Raw (&values)[N]) noexcept {
    std::array<T, N> all{};
    for (std::size_t i = 0; i < N; i++) all[i] = T(values[i]);
    return all;
}

// The same of rows that there may not be.
template <class Id, std::size_t N>
constexpr std::array<std::optional<Id>, N> rows(const std::uint32_t (&values)[N]) noexcept {
    std::array<std::optional<Id>, N> all{};
    for (std::size_t i = 0; i < N; i++) all[i] = row<Id>(values[i]);
    return all;
}

// A record of C.
template <class Raw>
class View {
public:
    constexpr View() noexcept : raw_{} {}
    constexpr explicit View(const Raw& raw) noexcept : raw_(raw) {}
    constexpr const Raw& raw() const& noexcept { return raw_; }
    constexpr Raw raw() && noexcept { return raw_; }
    // Where C writes it: nowhere, if there is none.
    static constexpr Raw* c(View* view) noexcept { return view == nullptr ? nullptr : &view->raw_; }

protected:
    Raw raw_;
};

// What a function of C tells through its last parameter.
template <class T, class... Params, class... Args>
Result<T> told(gpusched_status (*call)(Params...), Args... args) noexcept {
    T value{};
    const Status status = call(args..., &value);
    return {status, value};
}

// Releases storage of this alignment; 0: it is the caller's.
struct Free {
    std::size_t align = 0;
    void operator()(void* storage) const noexcept {
        if (align != 0) ::operator delete(storage, std::align_val_t(align));
    }
};

// An object of C, and the storage it lives in unless that is the caller's. Moving it moves the handle: the object stays where it is.
// One that is empty (default, moved from) answers Null to everything.
template <class O>
class Object {
public:
    // For the functions of C.
    O* c() noexcept { return object_.get(); }
    const O* c() const noexcept { return object_.get(); }

protected:
    Object() noexcept = default;

    // In storage of its own. Null: there is no memory.
    template <class Self, class Config, class Init>
    static Result<Self> make(const Config& config, Init init) noexcept {
        const auto layout = config.layout();
        if (!layout) return layout.status();
        const Free free{layout->align};
        void* const storage = ::operator new(layout->size, std::align_val_t(layout->align), std::nothrow);
        O* object = nullptr;
        const Status status = init(storage, layout->size, &config, &object);
        if (!status && storage != nullptr) free(storage);
        return adopt<Self>(status, object, free);
    }

    // In the caller's storage, which must stay where it is and outlive the object.
    template <class Self, class Config, class Init>
    static Result<Self> make_in(Span<std::byte> storage, const Config& config, Init init) noexcept {
        O* object = nullptr;
        const Status status = init(storage.data(), storage.size(), &config, &object);
        return adopt<Self>(status, object, Free{});
    }

    // As the one that an image was saved of, in storage of its own.
    template <class Self>
    static Result<Self> make_from(Span<const std::byte> image) noexcept {
        const auto config = Self::image_config(image);
        if (!config) return config.status();
        auto made = Self::create(*config);
        if (!made) return made;
        const Status restored = made->restore(image);
        if (!restored) return restored;
        return made;
    }

    template <class T, class Call, class... Args>
    Result<T> ask(Call call, Args... args) const noexcept {
        return told<T>(call, c(), args...);
    }

    template <class T, class Raw, class Call, class... Args>
    Result<T> view(Call call, Args... args) const noexcept {
        const auto raw = ask<Raw>(call, args...);
        return {raw.status(), T{*raw}};
    }

    template <class L, class Raw, class Call, class... Args>
    Result<L> list(Call call, Span<Raw> buffer, Args... args) const noexcept {
        std::size_t total = 0;
        const Status status = call(c(), args..., buffer.data(), buffer.size(), &total);
        return {status, L(buffer.data(), total < buffer.size() ? total : buffer.size(), total)};
    }

    // The size of the image, also if the buffer is too small for it (ImageTooSmall).
    template <class Call>
    Result<std::size_t> save_by(Call call, Span<std::byte> image) const noexcept {
        std::size_t size = 0;
        const Status status = call(c(), image.data(), image.size(), &size);
        return {status, size};
    }

private:
    template <class Self>
    static Result<Self> adopt(Status status, O* object, Free free) noexcept {
        Self made;
        static_cast<Object&>(made).object_ = std::unique_ptr<O, Free>(object, free);
        return {status, std::move(made)};
    }

    std::unique_ptr<O, Free> object_;
};

// A configuration of several objects, and the function that tells the storage of the one that it is for.
template <class Config, class Raw>
class Laid : public Config {
public:
    using Call = gpusched_status (*)(const Raw*, gpusched_layout*);
    Laid(const Config& config, Call call) noexcept : Config(config), call_(call) {}
    Result<Layout> layout() const noexcept { return told<Layout>(call_, this); }

private:
    Call call_;
};

}  // namespace detail

// Energy in mW x cycles, exactly, in 128 bits. A cycle lasts 1 / f_high_mhz us.
class Energy : public detail::View<gpusched_energy> {
public:
    using View::View;
    constexpr std::uint64_t lo() const noexcept { return raw_.lo; }
    constexpr std::uint64_t hi() const noexcept { return raw_.hi; }
    // Rounded; exact below 2^53.
    constexpr double mw_cycles() const noexcept {
        return static_cast<double>(raw_.hi) * 18446744073709551616.0 + static_cast<double>(raw_.lo);
    }
    constexpr double joules(std::uint32_t f_high_mhz) const noexcept { return mw_cycles() / (1e9 * f_high_mhz); }

    friend constexpr Energy operator+(Energy a, Energy b) noexcept {
        const std::uint64_t lo = a.lo() + b.lo();
        return Energy(gpusched_energy{lo, a.hi() + b.hi() + (lo < a.lo() ? 1 : 0)});
    }
    friend constexpr bool operator==(Energy a, Energy b) noexcept { return a.hi() == b.hi() && a.lo() == b.lo(); }
    friend constexpr bool operator!=(Energy a, Energy b) noexcept { return !(a == b); }
    friend constexpr bool operator<(Energy a, Energy b) noexcept {
        return a.hi() != b.hi() ? a.hi() < b.hi() : a.lo() < b.lo();
    }
};

// An answer, and the input to blame if it is refused because of one.
template <class T>
class Evaluated : public Result<T> {
public:
    Evaluated(Status status, T value, const char* field) noexcept : Result<T>(status, value), field_(field) {}
    // Static; null if no input is to blame.
    const char* field() const noexcept { return field_; }

private:
    const char* field_;
};

namespace detail {

template <class T, class Raw, class Call>
Evaluated<T> evaluated(Call call) noexcept {
    Raw told{};
    const char* field = nullptr;
    const Status status = call(&told, &field);
    return {status, T(told), field};
}

}  // namespace detail

}  // namespace gpusched

#endif  // GPUSCHED_BASE_HPP
