// gpusched.hpp: the C++17 face of gpusched.h. Header only; needs neither exceptions nor RTTI, and allocates only the storage that a
// FrontEnd owns.
//
//   auto made = gpusched::FrontEnd::create(gpusched::Config(gpusched::Gpu::K20c).with(&gpusched::Config::n_smx, 8));
//   if (!made) return fail(made.status().text());
//   gpusched::FrontEnd gpu = std::move(*made);
//
// Each function is the C function of its name: gpusched.h says what it does and which statuses it gives. What differs:
// - Results come back as a Result: a status, and a value if it is ok.
// - Row numbers and enumerations are types of their own. SmxId{3} makes a row number, number(id) reads it.
// - Records are views with typed accessors; raw() is the plain record of C.
// - GPUSCHED_NONE and GPUSCHED_NEVER are an empty std::optional.
#ifndef GPUSCHED_HPP
#define GPUSCHED_HPP

#include <gpusched.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

namespace gpusched {

// Row numbers ----------------------------------------------------------------------------------------------------------------

enum class SmxId : std::uint32_t {};       // A streaming multiprocessor.
enum class SlotId : std::uint32_t {};      // A TB slot of an SMX.
enum class QueueId : std::uint32_t {};     // A hardware work queue.
enum class KernelSlot : std::uint32_t {};  // A kernel distributor entry (KDE).
enum class RecordId : std::uint32_t {};    // A launch record.
enum class AgeId : std::uint32_t {};       // An entry of the aggregated group table.
enum class SuspId : std::uint32_t {};      // A place in the list of suspended kernels.
enum class ClassId : std::uint32_t {};     // A class of kernels.

// The number behind a row's name or an enumerator.
template <class E, class = std::enable_if_t<std::is_enum_v<E>>>
constexpr std::uint32_t number(E e) noexcept {
    return static_cast<std::uint32_t>(e);
}

// Enumerations: the numbers of C ---------------------------------------------------------------------------------------------

enum class Gpu : std::uint32_t {
    Gtx480 = GPUSCHED_GPU_GTX480,
    Gtx680 = GPUSCHED_GPU_GTX680,
    K20c = GPUSCHED_GPU_K20C,
    Titan = GPUSCHED_GPU_TITAN,
    K40 = GPUSCHED_GPU_K40,
    Gtx980 = GPUSCHED_GPU_GTX980,
    V100 = GPUSCHED_GPU_V100,
    A100 = GPUSCHED_GPU_A100,
    H100 = GPUSCHED_GPU_H100,
};

enum class KmuArb : std::uint32_t { Fcfs = GPUSCHED_KMU_ARB_FCFS, Rr = GPUSCHED_KMU_ARB_RR };
enum class HashScope : std::uint32_t { Smx = GPUSCHED_HASH_SCOPE_SMX, Global = GPUSCHED_HASH_SCOPE_GLOBAL };
enum class AgtMiss : std::uint32_t { Spill = GPUSCHED_AGT_MISS_SPILL, Device = GPUSCHED_AGT_MISS_DEVICE };
enum class Fallback : std::uint32_t { Direct = GPUSCHED_FALLBACK_DIRECT, Full = GPUSCHED_FALLBACK_FULL };
enum class LoadMode : std::uint32_t { Fixed = GPUSCHED_LOAD_MODE_FIXED, External = GPUSCHED_LOAD_MODE_EXTERNAL };
enum class Policy : std::uint32_t { FcfsRr = GPUSCHED_POLICY_FCFS_RR };

enum class Kind : std::uint32_t {
    Tb = GPUSCHED_DECISION_KIND_TB,
    Bypass = GPUSCHED_DECISION_KIND_BYPASS,
    Issue = GPUSCHED_DECISION_KIND_ISSUE,
    Arrive = GPUSCHED_DECISION_KIND_ARRIVE,
    Join = GPUSCHED_DECISION_KIND_JOIN,
    Fall = GPUSCHED_DECISION_KIND_FALL,
    Load = GPUSCHED_DECISION_KIND_LOAD,
    Unmark = GPUSCHED_DECISION_KIND_UNMARK,
    Rotate = GPUSCHED_DECISION_KIND_ROTATE,
    GroupDone = GPUSCHED_DECISION_KIND_GROUP_DONE,
    KernelDone = GPUSCHED_DECISION_KIND_KERNEL_DONE,
    HwqFree = GPUSCHED_DECISION_KIND_HWQ_FREE,
    Saved = GPUSCHED_DECISION_KIND_SAVED,
    Suspend = GPUSCHED_DECISION_KIND_SUSPEND,
};

enum class Unit : std::uint32_t {
    Native = GPUSCHED_UNIT_NATIVE,
    Age = GPUSCHED_UNIT_AGE,
    Record = GPUSCHED_UNIT_RECORD,
    Restored = GPUSCHED_UNIT_RESTORED,
    None = GPUSCHED_UNIT_NONE,
};

enum class Source : std::uint32_t {
    Hwq = GPUSCHED_SOURCE_HWQ,
    Device = GPUSCHED_SOURCE_DEVICE,
    Suspended = GPUSCHED_SOURCE_SUSPENDED,
};

enum class Fall : std::uint32_t { Kde = GPUSCHED_FALL_KDE, Agt = GPUSCHED_FALL_AGT };

enum class Sched : std::uint32_t {
    Tb = GPUSCHED_SCHED_TB,
    Idle = GPUSCHED_SCHED_IDLE,
    Load = GPUSCHED_SCHED_LOAD,
    NoRoom = GPUSCHED_SCHED_NO_ROOM,
    Gated = GPUSCHED_SCHED_GATED,
    Capped = GPUSCHED_SCHED_CAPPED,
};

enum class Kmu : std::uint32_t {
    Issue = GPUSCHED_KMU_ISSUE,
    Empty = GPUSCHED_KMU_EMPTY,
    Busy = GPUSCHED_KMU_BUSY,
    KdFull = GPUSCHED_KMU_KD_FULL,
};

// What a front end waits for: gpusched_frontend_status.
enum class State : std::uint32_t {
    Running = GPUSCHED_FRONTEND_STATUS_RUNNING,
    Gated = GPUSCHED_FRONTEND_STATUS_GATED,
    KdBlocked = GPUSCHED_FRONTEND_STATUS_KD_BLOCKED,
    Suspended = GPUSCHED_FRONTEND_STATUS_SUSPENDED,
    HwqBlocked = GPUSCHED_FRONTEND_STATUS_HWQ_BLOCKED,
    Retained = GPUSCHED_FRONTEND_STATUS_RETAINED,
    Drained = GPUSCHED_FRONTEND_STATUS_DRAINED,
};

enum class Load : std::uint32_t {
    NotAsked = GPUSCHED_LOAD_NOT_ASKED,
    Waiting = GPUSCHED_LOAD_WAITING,
    Here = GPUSCHED_LOAD_HERE,
};

enum class RecordState : std::uint32_t {
    Agg = GPUSCHED_RECORD_STATE_AGG,
    Dev = GPUSCHED_RECORD_STATE_DEV,
    Grp = GPUSCHED_RECORD_STATE_GRP,
};

enum class Code : std::uint32_t {
    Ok = GPUSCHED_STATUS_OK,
    BadConfig = GPUSCHED_STATUS_BAD_CONFIG,
    EmptyGrid = GPUSCHED_STATUS_EMPTY_GRID,
    GridTooLarge = GPUSCHED_STATUS_GRID_TOO_LARGE,
    EmptyTb = GPUSCHED_STATUS_EMPTY_TB,
    TbTooBig = GPUSCHED_STATUS_TB_TOO_BIG,
    HwqFull = GPUSCHED_STATUS_HWQ_FULL,
    BadSmx = GPUSCHED_STATUS_BAD_SMX,
    BadSlot = GPUSCHED_STATUS_BAD_SLOT,
    NoTb = GPUSCHED_STATUS_NO_TB,
    BadCount = GPUSCHED_STATUS_BAD_COUNT,
    BadThread = GPUSCHED_STATUS_BAD_THREAD,
    PendingLimit = GPUSCHED_STATUS_PENDING_LIMIT,
    BadKde = GPUSCHED_STATUS_BAD_KDE,
    NoKernel = GPUSCHED_STATUS_NO_KERNEL,
    NotRetained = GPUSCHED_STATUS_NOT_RETAINED,
    Retained = GPUSCHED_STATUS_RETAINED,
    HasGroups = GPUSCHED_STATUS_HAS_GROUPS,
    RestorePending = GPUSCHED_STATUS_RESTORE_PENDING,
    NothingResident = GPUSCHED_STATUS_NOTHING_RESIDENT,
    SyncDepth = GPUSCHED_STATUS_SYNC_DEPTH,
    SuspFull = GPUSCHED_STATUS_SUSP_FULL,
    BadSusp = GPUSCHED_STATUS_BAD_SUSP,
    AlreadyResumed = GPUSCHED_STATUS_ALREADY_RESUMED,
    NoLoad = GPUSCHED_STATUS_NO_LOAD,
    TimeOverflow = GPUSCHED_STATUS_TIME_OVERFLOW,
    BadMask = GPUSCHED_STATUS_BAD_MASK,
    BadCap = GPUSCHED_STATUS_BAD_CAP,
    BadClass = GPUSCHED_STATUS_BAD_CLASS,
    ClassTaken = GPUSCHED_STATUS_CLASS_TAKEN,
    NoBubble = GPUSCHED_STATUS_NO_BUBBLE,
    BadActivity = GPUSCHED_STATUS_BAD_ACTIVITY,
    BadUnit = GPUSCHED_STATUS_BAD_UNIT,
    TimeReversed = GPUSCHED_STATUS_TIME_REVERSED,
    SameCycle = GPUSCHED_STATUS_SAME_CYCLE,
    BadPriority = GPUSCHED_STATUS_BAD_PRIORITY,
    EmptyGroup = GPUSCHED_STATUS_EMPTY_GROUP,
    BadResources = GPUSCHED_STATUS_BAD_RESOURCES,
    NeverFits = GPUSCHED_STATUS_NEVER_FITS,
    Queue0Full = GPUSCHED_STATUS_QUEUE0_FULL,
    PoolFull = GPUSCHED_STATUS_POOL_FULL,
    ReleaseUnderflow = GPUSCHED_STATUS_RELEASE_UNDERFLOW,
    WrongModel = GPUSCHED_STATUS_WRONG_MODEL,
    NotEligible = GPUSCHED_STATUS_NOT_ELIGIBLE,
    NoFit = GPUSCHED_STATUS_NO_FIT,
    OffSample = GPUSCHED_STATUS_OFF_SAMPLE,
    Null = GPUSCHED_STATUS_NULL,
    Misaligned = GPUSCHED_STATUS_MISALIGNED,
    StorageTooSmall = GPUSCHED_STATUS_STORAGE_TOO_SMALL,
    NotInitialised = GPUSCHED_STATUS_NOT_INITIALISED,
    WrongType = GPUSCHED_STATUS_WRONG_TYPE,
    WrongVersion = GPUSCHED_STATUS_WRONG_VERSION,
    Moved = GPUSCHED_STATUS_MOVED,
    BadStructSize = GPUSCHED_STATUS_BAD_STRUCT_SIZE,
    Capacity = GPUSCHED_STATUS_CAPACITY,
    Unread = GPUSCHED_STATUS_UNREAD,
    BadIndex = GPUSCHED_STATUS_BAD_INDEX,
    BadEnum = GPUSCHED_STATUS_BAD_ENUM,
    ImageTooSmall = GPUSCHED_STATUS_IMAGE_TOO_SMALL,
    ImageTruncated = GPUSCHED_STATUS_IMAGE_TRUNCATED,
    NotAnImage = GPUSCHED_STATUS_NOT_AN_IMAGE,
    ImageWrongType = GPUSCHED_STATUS_IMAGE_WRONG_TYPE,
    ImageWrongVersion = GPUSCHED_STATUS_IMAGE_WRONG_VERSION,
    ImageCorrupted = GPUSCHED_STATUS_IMAGE_CORRUPTED,
    ImageContent = GPUSCHED_STATUS_IMAGE_CONTENT,
    ImageOther = GPUSCHED_STATUS_IMAGE_OTHER,
};

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

// A status, and a value if it is ok. The value of one that is not ok is T{}, unless the function says otherwise.
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

// What goes in ---------------------------------------------------------------------------------------------------------------

using Dim3 = gpusched_dim3;
using Kernel = gpusched_kernel;
using Group = gpusched_group;

constexpr Dim3 dim3(std::uint32_t x, std::uint32_t y = 1, std::uint32_t z = 1) noexcept { return Dim3{x, y, z}; }

// A kernel without registers, shared memory and parameters: set these fields if it has some.
constexpr Kernel kernel(std::uint64_t pc, Dim3 grid, Dim3 tb, std::uint64_t tag = 0) noexcept {
    return Kernel{pc, grid, tb, 0, 0, 0, tag};
}

// A set of SMXs.
class SmxSet {
public:
    constexpr SmxSet() noexcept : set_{} {}
    constexpr explicit SmxSet(const gpusched_smx_set& set) noexcept : set_(set) {}
    // SMXs 0 to n - 1.
    static constexpr SmxSet first(std::uint32_t n) noexcept {
        SmxSet set;
        for (std::uint32_t i = 0; i < n && i < 256; i++) set.insert(SmxId{i});
        return set;
    }

    // Nothing if there is no such SMX on any GPU.
    constexpr SmxSet& insert(SmxId smx) noexcept {
        if (number(smx) < 256) set_.words[number(smx) / 64] |= bit(smx);
        return *this;
    }
    constexpr SmxSet& erase(SmxId smx) noexcept {
        if (number(smx) < 256) set_.words[number(smx) / 64] &= ~bit(smx);
        return *this;
    }
    constexpr bool contains(SmxId smx) const noexcept {
        return number(smx) < 256 && (set_.words[number(smx) / 64] & bit(smx)) != 0;
    }
    constexpr const gpusched_smx_set& raw() const& noexcept { return set_; }
    constexpr gpusched_smx_set raw() && noexcept { return set_; }

private:
    static constexpr std::uint64_t bit(SmxId smx) noexcept { return std::uint64_t{1} << (number(smx) % 64); }
    gpusched_smx_set set_;
};

using Parameter = gpusched_parameter;
using Layout = gpusched_layout;
using StorageBits = gpusched_frontend_storage;

// Parameters of a front end: the fields of C, set one by one or in a chain:
//   Config(Gpu::K20c).ideal().with(&Config::n_smx, 8).with(LoadMode::External)
class Config : public gpusched_frontend_config {
public:
    explicit Config(Gpu gpu = Gpu::K20c) noexcept : gpusched_frontend_config{} {
        (void)gpusched_frontend_config_init(this, sizeof(gpusched_frontend_config), number(gpu));
    }
    explicit Config(const gpusched_frontend_config& config) noexcept : gpusched_frontend_config(config) {}

    Config with(std::uint32_t gpusched_frontend_config::* field, std::uint32_t value) const noexcept {
        Config changed = *this;
        changed.*field = value;
        return changed;
    }
    Config with(KmuArb value) const noexcept { return with(&Config::kmu_arb, number(value)); }
    Config with(HashScope value) const noexcept { return with(&Config::hash_scope, number(value)); }
    Config with(AgtMiss value) const noexcept { return with(&Config::agt_miss, number(value)); }
    Config with(Fallback value) const noexcept { return with(&Config::fallback, number(value)); }
    Config with(LoadMode value) const noexcept { return with(&Config::load_mode, number(value)); }
    Config with(Policy value) const noexcept { return with(&Config::policy, number(value)); }

    // Without launch latencies. What check would refuse stays as it is.
    Config ideal() const noexcept {
        Config changed = *this;
        (void)gpusched_frontend_config_ideal(&changed);
        return changed;
    }

    // Says whether every value is in its range; if one is not, and the status is BadConfig, the value tells which.
    Result<Parameter> check() const noexcept {
        Parameter wrong{};
        const Status status = gpusched_frontend_config_check(this, &wrong);
        return {status, wrong};
    }
    Result<Layout> layout() const noexcept {
        Layout layout{};
        const Status status = gpusched_frontend_layout(this, &layout);
        return {status, layout};
    }
    Result<StorageBits> storage_bits() const noexcept {
        StorageBits bits{};
        const Status status = gpusched_frontend_storage_bits(this, &bits);
        return {status, bits};
    }
};

inline Result<Parameter> parameter(std::uint32_t index) noexcept {
    Parameter parameter{};
    const Status status = gpusched_frontend_parameter(index, &parameter);
    return {status, parameter};
}

// Whether the library that this program runs with has the binary interface that it was compiled for.
inline bool abi_fits() noexcept { return gpusched_abi_version() == GPUSCHED_ABI_VERSION; }

// What comes out ---------------------------------------------------------------------------------------------------------------

// What a TB is part of, or where a group's information is.
struct Part {
    Unit unit = Unit::None;
    std::uint32_t row = 0;

    constexpr std::optional<AgeId> age() const noexcept {
        return unit == Unit::Age ? std::optional(AgeId{row}) : std::nullopt;
    }
    constexpr std::optional<RecordId> record() const noexcept {
        return unit == Unit::Record ? std::optional(RecordId{row}) : std::nullopt;
    }
};

namespace detail {

template <class Id>
constexpr std::optional<Id> row(std::uint32_t number) noexcept {
    return number == GPUSCHED_NONE ? std::nullopt : std::optional(Id{number});
}

constexpr std::optional<std::uint64_t> cycle(std::uint64_t number) noexcept {
    return number == GPUSCHED_NEVER ? std::nullopt : std::optional(number);
}

// A record of C.
template <class Raw>
class View {
public:
    constexpr View() noexcept : raw_{} {}
    constexpr explicit View(const Raw& raw) noexcept : raw_(raw) {}
    constexpr const Raw& raw() const& noexcept { return raw_; }
    constexpr Raw raw() && noexcept { return raw_; }

protected:
    static constexpr Part part(std::uint32_t unit, std::uint32_t number) noexcept {
        return Part{static_cast<Unit>(unit), number};
    }
    Raw raw_;
};

// Releases storage of this alignment; 0: it is the caller's.
struct Free {
    std::size_t align = 0;
    void operator()(void* storage) const noexcept {
        if (align != 0) ::operator delete(storage, std::align_val_t(align));
    }
};

}  // namespace detail

// A decision. Which accessors have a meaning depends on its kind: see gpusched_decision_kind.
class Decision : public detail::View<gpusched_decision> {
public:
    using View::View;
    constexpr Kind kind() const noexcept { return static_cast<Kind>(raw_.kind); }
    constexpr std::uint64_t cycle() const noexcept { return raw_.cycle; }
    constexpr std::uint64_t tag() const noexcept { return raw_.tag; }
    constexpr SmxId smx() const noexcept { return SmxId{raw_.smx}; }
    constexpr SlotId slot() const noexcept { return SlotId{raw_.slot}; }
    constexpr KernelSlot kde() const noexcept { return KernelSlot{raw_.kde}; }
    constexpr std::uint32_t blkid() const noexcept { return raw_.blkid; }
    constexpr Part part() const noexcept { return View::part(raw_.unit, raw_.group); }
    // Load: the launch record that is fetched.
    constexpr RecordId record() const noexcept { return RecordId{raw_.group}; }
    // Issue and HwqFree.
    constexpr QueueId queue() const noexcept { return QueueId{raw_.queue}; }
    // Issue.
    constexpr Source source() const noexcept { return static_cast<Source>(raw_.detail); }
    // Fall.
    constexpr Fall cause() const noexcept { return static_cast<Fall>(raw_.detail); }
    // Suspend: the place in the list of suspended kernels.
    constexpr SuspId index() const noexcept { return SuspId{raw_.detail}; }
};

class Tick : public detail::View<gpusched_tick> {
public:
    using View::View;
    constexpr Sched sched() const noexcept { return static_cast<Sched>(raw_.sched); }
    constexpr Kmu kmu() const noexcept { return static_cast<Kmu>(raw_.kmu); }
};

class Tb : public detail::View<gpusched_tb> {
public:
    using View::View;
    constexpr SmxId smx() const noexcept { return SmxId{raw_.smx}; }
    constexpr SlotId slot() const noexcept { return SlotId{raw_.slot}; }
    constexpr KernelSlot kde() const noexcept { return KernelSlot{raw_.kde}; }
    constexpr Part part() const noexcept { return View::part(raw_.unit, raw_.group); }
    constexpr std::uint32_t blkid() const noexcept { return raw_.blkid; }
    constexpr std::optional<ClassId> class_id() const noexcept { return detail::row<ClassId>(raw_.class_id); }
    constexpr bool bypass() const noexcept { return raw_.bypass != 0; }
};

class Kde : public detail::View<gpusched_kde> {
public:
    using View::View;
    constexpr std::uint64_t tag() const noexcept { return raw_.tag; }
    constexpr std::uint64_t pc() const noexcept { return raw_.pc; }
    // Empty if it is there: active.
    constexpr std::optional<std::uint64_t> arrives() const noexcept {
        return raw_.arrives != 0 ? std::optional(raw_.arrives) : std::nullopt;
    }
    constexpr std::uint32_t total() const noexcept { return raw_.total; }
    constexpr std::uint32_t next_native() const noexcept { return raw_.next_native; }
    constexpr std::uint32_t saved() const noexcept { return raw_.saved; }
    constexpr std::uint32_t restored() const noexcept { return raw_.restored; }
    constexpr std::uint32_t exe() const noexcept { return raw_.exe; }
    constexpr std::uint32_t live() const noexcept { return raw_.live; }
    constexpr std::optional<QueueId> queue() const noexcept { return detail::row<QueueId>(raw_.queue); }
    constexpr std::optional<SmxId> psmx() const noexcept { return detail::row<SmxId>(raw_.psmx); }
    constexpr std::uint32_t depth() const noexcept { return raw_.depth; }
    constexpr bool retain() const noexcept { return raw_.retain != 0; }
    constexpr bool marked() const noexcept { return raw_.marked != 0; }
    constexpr bool first() const noexcept { return raw_.first != 0; }
    constexpr Part nagei() const noexcept { return part(raw_.nagei_unit, raw_.nagei); }
    constexpr Part lagei() const noexcept { return part(raw_.lagei_unit, raw_.lagei); }
    constexpr bool tried() const noexcept { return raw_.tried != 0; }
    constexpr Part agei() const noexcept { return part(raw_.agei_unit, raw_.agei); }
    constexpr std::uint32_t next_bl() const noexcept { return raw_.next_bl; }
    constexpr Load load() const noexcept { return static_cast<Load>(raw_.load); }
    constexpr std::uint32_t turn() const noexcept { return raw_.turn; }
};

class Record : public detail::View<gpusched_record> {
public:
    using View::View;
    constexpr std::uint64_t tag() const noexcept { return raw_.tag; }
    constexpr std::uint64_t ready() const noexcept { return raw_.ready; }
    constexpr std::uint64_t called() const noexcept { return raw_.called; }
    constexpr RecordState state() const noexcept { return static_cast<RecordState>(raw_.state); }
    constexpr std::uint32_t total() const noexcept { return raw_.total; }
    constexpr SmxId psmx() const noexcept { return SmxId{raw_.psmx}; }
    constexpr std::uint32_t depth() const noexcept { return raw_.depth; }
};

class GroupView : public detail::View<gpusched_group_view> {
public:
    using View::View;
    constexpr std::uint64_t tag() const noexcept { return raw_.tag; }
    constexpr RecordId record() const noexcept { return RecordId{raw_.record}; }
    constexpr Part at() const noexcept { return part(raw_.at_unit, raw_.at); }
    constexpr KernelSlot kde() const noexcept { return KernelSlot{raw_.kde}; }
    constexpr Part next() const noexcept { return part(raw_.next_unit, raw_.next); }
    constexpr std::uint32_t exe() const noexcept { return raw_.exe; }
    constexpr bool dist() const noexcept { return raw_.dist != 0; }
};

class Hwq : public detail::View<gpusched_hwq> {
public:
    using View::View;
    constexpr bool busy() const noexcept { return raw_.busy != 0; }
    constexpr std::uint32_t len() const noexcept { return raw_.len; }
};

class Suspended : public detail::View<gpusched_suspended> {
public:
    using View::View;
    constexpr std::uint64_t tag() const noexcept { return raw_.tag; }
    constexpr std::uint32_t saved() const noexcept { return raw_.saved; }
    constexpr bool resumed() const noexcept { return raw_.resumed != 0; }
};

class WaitingHead : public detail::View<gpusched_waiting_head> {
public:
    using View::View;
    constexpr SmxSet allowed() const noexcept { return SmxSet(raw_.allowed); }
    constexpr std::uint64_t tag() const noexcept { return raw_.tag; }
    constexpr std::uint32_t threads() const noexcept { return raw_.threads; }
    constexpr std::uint32_t regs() const noexcept { return raw_.regs; }
    constexpr std::uint32_t smem() const noexcept { return raw_.smem; }
    constexpr std::uint32_t warps() const noexcept { return raw_.warps; }
};

using Words = gpusched_words;
using Stats = gpusched_frontend_stats;
using Smx = gpusched_smx;
using ClassCap = gpusched_class_cap;
using Trace = gpusched_trace;

using Decisions = List<Decision, gpusched_decision>;
using Tbs = List<Tb, gpusched_tb>;
using Groups = List<GroupView, gpusched_group_view>;
using KernelSlots = List<KernelSlot, std::uint32_t>;

// No cycle: no limit for advance and run.
inline constexpr std::uint64_t never = GPUSCHED_NEVER;

// The front end ----------------------------------------------------------------------------------------------------------------

// A front end, and the storage it lives in unless that is the caller's. Moving it moves the handle: the object stays where it is.
// One that is empty (default, moved from) answers Null to everything.
class FrontEnd {
public:
    FrontEnd() noexcept = default;

    // In storage of its own. Null: there is no memory.
    static Result<FrontEnd> create(const Config& config) noexcept {
        const auto layout = config.layout();
        if (!layout) return layout.status();
        const detail::Free free{layout->align};
        void* const storage = ::operator new(layout->size, std::align_val_t(layout->align), std::nothrow);
        gpusched_frontend* frontend = nullptr;
        const Status status = gpusched_frontend_init(storage, layout->size, &config, &frontend);
        if (!status && storage != nullptr) free(storage);
        return {status, FrontEnd(frontend, free)};
    }

    // In the caller's storage, which must stay where it is and outlive the front end.
    static Result<FrontEnd> create_in(Span<std::byte> storage, const Config& config) noexcept {
        gpusched_frontend* frontend = nullptr;
        const Status status = gpusched_frontend_init(storage.data(), storage.size(), &config, &frontend);
        return {status, FrontEnd(frontend, detail::Free{})};
    }

    // As the one that an image was saved of, in storage of its own.
    static Result<FrontEnd> from_image(Span<const std::byte> image) noexcept {
        const auto config = image_config(image);
        if (!config) return config.status();
        auto made = create(*config);
        if (!made) return made;
        const Status restored = made->restore(image);
        if (!restored) return restored;
        return made;
    }

    static Result<Config> image_config(Span<const std::byte> image) noexcept {
        Config config;
        const Status status =
            gpusched_frontend_image_config(image.data(), image.size(), &config, sizeof(gpusched_frontend_config));
        return {status, config};
    }

    // For the functions of C.
    gpusched_frontend* c() noexcept { return object_.get(); }
    const gpusched_frontend* c() const noexcept { return object_.get(); }

    // Launches. Those of a warp write their launch records to `records`, which must hold all of them or none (else Capacity).

    Result<QueueId> host_launch(std::uint32_t stream, const Kernel& kernel, bool retain = false) noexcept {
        std::uint32_t queue = 0;
        const Status status = gpusched_frontend_host_launch(c(), stream, &kernel, retain ? 1 : 0, &queue);
        return {status, QueueId{queue}};
    }
    Status device_launch(SmxId smx, SlotId slot, Span<const Kernel> kernels, Span<RecordId> records = {}) noexcept {
        return launch(gpusched_frontend_device_launch, smx, slot, kernels, records);
    }
    Status agg_launch(SmxId smx, SlotId slot, Span<const Group> groups, Span<RecordId> records = {}) noexcept {
        return launch(gpusched_frontend_agg_launch, smx, slot, groups, records);
    }

    // Completion and suspension.

    Status tb_done(SmxId smx, SlotId slot) noexcept { return gpusched_frontend_tb_done(c(), number(smx), number(slot)); }
    Status unretain(KernelSlot kde) noexcept { return gpusched_frontend_unretain(c(), number(kde)); }
    Result<SuspId> suspend(KernelSlot kde) noexcept {
        std::uint32_t index = 0;
        const Status status = gpusched_frontend_suspend(c(), number(kde), &index);
        return {status, SuspId{index}};
    }
    Status resume(SuspId index) noexcept { return gpusched_frontend_resume(c(), number(index)); }
    Status spill_loaded(RecordId record) noexcept { return gpusched_frontend_spill_loaded(c(), number(record)); }

    // Time.

    Result<Tick> tick() noexcept {
        gpusched_tick tick{};
        const Status status = gpusched_frontend_tick(c(), &tick);
        return {status, Tick(tick)};
    }
    Result<Words> advance(std::uint64_t until = never) noexcept { return span(gpusched_frontend_advance, until); }
    Result<Words> run(std::uint64_t until = never) noexcept { return span(gpusched_frontend_run, until); }

    // All unread decisions, in place: valid until the next call that changes the front end.
    Result<Decisions> take() noexcept {
        const gpusched_decision* first = nullptr;
        std::size_t count = 0;
        const Status status = gpusched_frontend_take(c(), &first, &count);
        return {status, Decisions(first, count, count)};
    }
    // The oldest unread decisions, copied into a buffer.
    Result<Decisions> read(Span<gpusched_decision> buffer) noexcept {
        std::size_t count = 0;
        const Status status = gpusched_frontend_read(c(), buffer.data(), buffer.size(), &count);
        return {status, Decisions(buffer.data(), count, count)};
    }
    Result<std::size_t> unread() const noexcept { return ask<std::size_t>(gpusched_frontend_unread); }

    // The ring and its events must stay in place until untrace.
    Status trace(Trace& ring) noexcept { return gpusched_frontend_trace(c(), &ring); }
    Status untrace() noexcept { return gpusched_frontend_trace(c(), nullptr); }

    // Gates.

    Status set_eligible(const SmxSet& eligible) noexcept { return gpusched_frontend_set_eligible(c(), &eligible.raw()); }
    Result<SmxSet> eligible() const noexcept { return view<SmxSet, gpusched_smx_set>(gpusched_frontend_eligible); }
    Status set_block_cap(SmxId smx, std::uint32_t cap) noexcept {
        return gpusched_frontend_set_block_cap(c(), number(smx), cap);
    }
    Result<std::uint32_t> block_cap(SmxId smx) const noexcept {
        return ask<std::uint32_t>(gpusched_frontend_block_cap, number(smx));
    }
    Status set_class(ClassId cls, std::uint64_t pc) noexcept { return gpusched_frontend_set_class(c(), number(cls), pc); }
    Status clear_class(ClassId cls) noexcept { return gpusched_frontend_clear_class(c(), number(cls)); }
    Result<std::optional<std::uint64_t>> get_class(ClassId cls) const noexcept {
        std::uint32_t bound = 0;
        std::uint64_t pc = 0;
        const Status status = gpusched_frontend_get_class(c(), number(cls), &bound, &pc);
        return {status, bound != 0 ? std::optional(pc) : std::nullopt};
    }
    Status set_class_cap(ClassId cls, SmxId smx, std::uint32_t cap, std::uint32_t by = 0) noexcept {
        return gpusched_frontend_set_class_cap(c(), number(cls), number(smx), cap, by);
    }
    Result<ClassCap> class_cap(ClassId cls, SmxId smx) const noexcept {
        return ask<ClassCap>(gpusched_frontend_class_cap, number(cls), number(smx));
    }
    Result<bool> has_work(ClassId cls) const noexcept {
        const auto work = ask<std::uint32_t>(gpusched_frontend_has_work, number(cls));
        return {work.status(), *work != 0};
    }
    Result<std::optional<WaitingHead>> waiting_head(std::uint32_t start = 0) const noexcept {
        const auto head = ask<gpusched_waiting_head>(gpusched_frontend_waiting_head, start);
        return {head.status(), head->present != 0 ? std::optional(WaitingHead(*head)) : std::nullopt};
    }
    Status activity(Span<const std::uint16_t> per_smx) noexcept {
        return gpusched_frontend_activity(c(), per_smx.data(), per_smx.size());
    }

    // Queries. Lists are written to a buffer; if it is too short the status is Capacity and the list holds what fits.

    Result<Config> config() const noexcept {
        Config config;
        const Status status = gpusched_frontend_get_config(c(), &config, sizeof(gpusched_frontend_config));
        return {status, config};
    }
    Result<std::uint64_t> now() const noexcept { return ask<std::uint64_t>(gpusched_frontend_now); }
    Result<std::optional<std::uint64_t>> next_event() const noexcept {
        const auto at = ask<std::uint64_t>(gpusched_frontend_next_event);
        return {at.status(), at.ok() ? detail::cycle(*at) : std::nullopt};
    }
    Result<State> state() const noexcept {
        const auto state = ask<std::uint32_t>(gpusched_frontend_get_status);
        return {state.status(), static_cast<State>(*state)};
    }
    Result<Stats> stats() const noexcept { return ask<Stats>(gpusched_frontend_get_stats); }
    Result<SmxId> rr() const noexcept { return view<SmxId, std::uint32_t>(gpusched_frontend_rr); }
    Result<Smx> smx(SmxId smx) const noexcept { return ask<Smx>(gpusched_frontend_smx, number(smx)); }
    Result<std::uint32_t> resident_warps() const noexcept {
        return ask<std::uint32_t>(gpusched_frontend_resident_warps);
    }
    Result<Tb> tb(SmxId smx, SlotId slot) const noexcept {
        return view<Tb, gpusched_tb>(gpusched_frontend_tb, number(smx), number(slot));
    }
    Result<Tbs> resident_tbs(Span<gpusched_tb> buffer) const noexcept {
        return list<Tbs>(gpusched_frontend_resident_tbs, buffer);
    }
    Result<Kde> kde(KernelSlot kde) const noexcept { return view<Kde, gpusched_kde>(gpusched_frontend_kde, number(kde)); }
    Result<KernelSlots> fcfs(Span<std::uint32_t> buffer) const noexcept {
        return list<KernelSlots>(gpusched_frontend_fcfs, buffer);
    }
    Result<std::optional<KernelSlot>> eligible_kernel(const Kernel& kernel) const noexcept {
        const auto kde = ask<std::uint32_t>(gpusched_frontend_eligible_kernel, &kernel);
        return {kde.status(), kde.ok() ? detail::row<KernelSlot>(*kde) : std::nullopt};
    }
    Result<Record> record(RecordId record) const noexcept {
        return view<Record, gpusched_record>(gpusched_frontend_record, number(record));
    }
    Result<std::uint32_t> records_in_use() const noexcept {
        return ask<std::uint32_t>(gpusched_frontend_records_in_use);
    }
    Result<GroupView> group(RecordId record) const noexcept {
        return view<GroupView, gpusched_group_view>(gpusched_frontend_group, number(record));
    }
    Result<Groups> agt(Span<gpusched_group_view> buffer) const noexcept {
        return list<Groups>(gpusched_frontend_agt, buffer);
    }
    Result<Groups> spilled(Span<gpusched_group_view> buffer) const noexcept {
        return list<Groups>(gpusched_frontend_spilled, buffer);
    }
    Result<Hwq> hwq(QueueId queue) const noexcept { return view<Hwq, gpusched_hwq>(gpusched_frontend_hwq, number(queue)); }
    Result<Suspended> suspended(SuspId index) const noexcept {
        return view<Suspended, gpusched_suspended>(gpusched_frontend_suspended, number(index));
    }

    // Images.

    Result<std::size_t> image_size() const noexcept { return ask<std::size_t>(gpusched_frontend_image_size); }
    // The size of the image, also if the buffer is too small for it (ImageTooSmall).
    Result<std::size_t> save(Span<std::byte> image) const noexcept {
        std::size_t size = 0;
        const Status status = gpusched_frontend_save(c(), image.data(), image.size(), &size);
        return {status, size};
    }
    Status restore(Span<const std::byte> image) noexcept {
        return gpusched_frontend_restore(c(), image.data(), image.size());
    }

private:
    FrontEnd(gpusched_frontend* frontend, detail::Free free) noexcept : object_(frontend, free) {}

    // The most lanes of a warp.
    static constexpr std::size_t kLanes = 64;

    template <class Call, class T>
    Status launch(Call call, SmxId smx, SlotId slot, Span<const T> lanes, Span<RecordId> records) noexcept {
        // More than a warp has are told apart from none by the library, which does not read them.
        const auto count = static_cast<std::uint32_t>(lanes.size() > kLanes ? kLanes + 1 : lanes.size());
        std::uint32_t rows[kLanes] = {};
        if (!records.empty() && count <= kLanes && records.size() < count) return Code::Capacity;
        const Status status = call(c(), number(smx), number(slot), lanes.data(), count, rows);
        for (std::size_t i = 0; status.ok() && !records.empty() && i < count; i++) records[i] = RecordId{rows[i]};
        return status;
    }

    template <class Call>
    Result<Words> span(Call call, std::uint64_t until) noexcept {
        Words words{};
        const Status status = call(c(), until, &words);
        return {status, words};
    }

    template <class T, class Call, class... Args>
    Result<T> ask(Call call, Args... args) const noexcept {
        T value{};
        const Status status = call(c(), args..., &value);
        return {status, value};
    }

    template <class T, class Raw, class Call, class... Args>
    Result<T> view(Call call, Args... args) const noexcept {
        const auto raw = ask<Raw>(call, args...);
        return {raw.status(), T{*raw}};
    }

    template <class L, class Call, class Raw>
    Result<L> list(Call call, Span<Raw> buffer) const noexcept {
        std::size_t total = 0;
        const Status status = call(c(), buffer.data(), buffer.size(), &total);
        return {status, L(buffer.data(), total < buffer.size() ? total : buffer.size(), total)};
    }

    std::unique_ptr<gpusched_frontend, detail::Free> object_;
};

}  // namespace gpusched

#endif  // GPUSCHED_HPP
