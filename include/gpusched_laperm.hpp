// gpusched_laperm.hpp: the C++17 face of LaPerm alone, gpusched_laperm_* of gpusched.h; gpusched.hpp says how it differs from C.
//
//   auto made = gpusched::laperm::LaPerm::create(gpusched::laperm::Config().with(gpusched::laperm::Policy::SmxBind));
//   if (!made) return fail(made.status().text());
//   const auto placed = made->push_host(0, tag, tbs, gpusched::resources(256));
#ifndef GPUSCHED_LAPERM_HPP
#define GPUSCHED_LAPERM_HPP

#include <gpusched_base.hpp>

namespace gpusched {
namespace laperm {

// Enumerations: the numbers of C ---------------------------------------------------------------------------------------------

enum class Policy : std::uint32_t {
    Rr = GPUSCHED_LAPERM_POLICY_RR,
    TbPri = GPUSCHED_LAPERM_POLICY_TB_PRI,
    SmxBind = GPUSCHED_LAPERM_POLICY_SMX_BIND,
    AdaptiveBind = GPUSCHED_LAPERM_POLICY_ADAPTIVE_BIND,
};

enum class Model : std::uint32_t { Dtbl = GPUSCHED_LAPERM_MODEL_DTBL, Cdp = GPUSCHED_LAPERM_MODEL_CDP };
enum class Visit : std::uint32_t { Step = GPUSCHED_LAPERM_VISIT_STEP, Skip = GPUSCHED_LAPERM_VISIT_SKIP };
enum class NoFit : std::uint32_t { Block = GPUSCHED_LAPERM_NO_FIT_BLOCK, TryNext = GPUSCHED_LAPERM_NO_FIT_TRY_NEXT };
enum class Spill : std::uint32_t { New = GPUSCHED_LAPERM_SPILL_NEW, Lowest = GPUSCHED_LAPERM_SPILL_LOWEST };

enum class BackupSelect : std::uint32_t {
    Next = GPUSCHED_LAPERM_BACKUP_SELECT_NEXT,
    Lowest = GPUSCHED_LAPERM_BACKUP_SELECT_LOWEST,
    HighestPrio = GPUSCHED_LAPERM_BACKUP_SELECT_HIGHEST_PRIO,
};

enum class RefillMode : std::uint32_t {
    Fixed = GPUSCHED_LAPERM_REFILL_MODE_FIXED,
    External = GPUSCHED_LAPERM_REFILL_MODE_EXTERNAL,
};

enum class Place : std::uint32_t {
    Queue0 = GPUSCHED_LAPERM_PLACE_QUEUE0,
    OnChip = GPUSCHED_LAPERM_PLACE_ON_CHIP,
    Spilled = GPUSCHED_LAPERM_PLACE_SPILLED,
    Pending = GPUSCHED_LAPERM_PLACE_PENDING,
};

enum class Sched : std::uint32_t {
    Tb = GPUSCHED_LAPERM_SCHED_TB,
    NoWork = GPUSCHED_LAPERM_SCHED_NO_WORK,
    Masked = GPUSCHED_LAPERM_SCHED_MASKED,
    NoCandidate = GPUSCHED_LAPERM_SCHED_NO_CANDIDATE,
    NoFit = GPUSCHED_LAPERM_SCHED_NO_FIT,
};

enum class Stage : std::uint32_t {
    Unit = GPUSCHED_LAPERM_STAGE_UNIT,
    Queue0 = GPUSCHED_LAPERM_STAGE_QUEUE0,
    Backup = GPUSCHED_LAPERM_STAGE_BACKUP,
};

enum class Kmu : std::uint32_t {
    Moved = GPUSCHED_LAPERM_KMU_MOVED,
    Busy = GPUSCHED_LAPERM_KMU_BUSY,
    NothingPending = GPUSCHED_LAPERM_KMU_NOTHING_PENDING,
    KduFull = GPUSCHED_LAPERM_KMU_KDU_FULL,
};

// What goes in ---------------------------------------------------------------------------------------------------------------

using StorageBits = gpusched_laperm_storage;

// Parameters: the fields of C, set one by one or in a chain.
class Config : public gpusched_laperm_config {
public:
    Config() noexcept : gpusched_laperm_config{} {
        (void)gpusched_laperm_config_init(this, sizeof(gpusched_laperm_config));
    }
    explicit Config(const gpusched_laperm_config& config) noexcept : gpusched_laperm_config(config) {}

    Config with(std::uint32_t gpusched_laperm_config::* field, std::uint32_t value) const noexcept {
        Config changed = *this;
        changed.*field = value;
        return changed;
    }
    Config with(Policy value) const noexcept { return with(&Config::policy, number(value)); }
    Config with(Model value) const noexcept { return with(&Config::model, number(value)); }
    Config with(Visit value) const noexcept { return with(&Config::visit, number(value)); }
    Config with(NoFit value) const noexcept { return with(&Config::no_fit, number(value)); }
    Config with(Spill value) const noexcept { return with(&Config::spill, number(value)); }
    Config with(BackupSelect value) const noexcept { return with(&Config::backup_select, number(value)); }
    Config with(RefillMode value) const noexcept { return with(&Config::refill_mode, number(value)); }

    // Says whether every value is in its range; if one is not, and the status is BadConfig, the value tells which.
    Result<Parameter> check() const noexcept {
        return detail::check_of<gpusched_laperm_config>(gpusched_laperm_config_check, this);
    }
    Result<Layout> layout() const noexcept {
        return detail::layout_of<gpusched_laperm_config>(gpusched_laperm_layout, this);
    }
    Result<StorageBits> storage_bits() const noexcept {
        return detail::bits_of<StorageBits, gpusched_laperm_config>(gpusched_laperm_storage_bits, this);
    }
};

inline Result<Parameter> parameter(std::uint32_t index) noexcept {
    return detail::parameter_of(gpusched_laperm_parameter, index);
}

// What comes out -------------------------------------------------------------------------------------------------------------

// Where pushed work went. Which accessors have a meaning depends on its place: see gpusched_laperm_place.
class Placed : public detail::View<gpusched_laperm_placed> {
public:
    using View::View;
    constexpr Place place() const noexcept { return static_cast<Place>(raw_.place); }
    constexpr std::optional<UnitId> unit() const noexcept { return detail::row<UnitId>(raw_.unit); }
    constexpr std::uint32_t level() const noexcept { return raw_.level; }
    constexpr std::uint32_t pos() const noexcept { return raw_.pos; }
    constexpr std::uint64_t ready_at() const noexcept { return raw_.ready_at; }
    constexpr std::optional<std::uint64_t> evicted() const noexcept {
        return raw_.evicts != 0 ? std::optional(raw_.evicted) : std::nullopt;
    }
};

// A TB to run.
class Dispatch : public detail::View<gpusched_laperm_sent> {
public:
    using View::View;
    constexpr SmxId smx() const noexcept { return SmxId{raw_.smx}; }
    constexpr std::uint64_t tag() const noexcept { return raw_.tag; }
    constexpr std::uint32_t tb() const noexcept { return raw_.tb; }
    constexpr std::uint32_t prio() const noexcept { return raw_.prio; }
    constexpr Stage stage() const noexcept { return static_cast<Stage>(raw_.stage); }
    constexpr std::optional<UnitId> unit() const noexcept { return detail::row<UnitId>(raw_.unit); }
    constexpr std::optional<KernelSlot> kde() const noexcept { return detail::row<KernelSlot>(raw_.kde); }
    constexpr bool last() const noexcept { return raw_.last != 0; }
    constexpr std::optional<std::uint64_t> refill() const noexcept {
        return raw_.refills != 0 ? std::optional(raw_.refill) : std::nullopt;
    }
};

// What a cycle did.
class Tick : public detail::View<gpusched_laperm_sent> {
public:
    using View::View;
    constexpr Sched sched() const noexcept { return static_cast<Sched>(raw_.sched); }
    // The TB that it sent.
    constexpr std::optional<Dispatch> dispatch() const noexcept {
        return sched() == Sched::Tb ? std::optional(Dispatch(raw_)) : std::nullopt;
    }
    // The SMX that was visited, if it was one alone.
    constexpr std::optional<SmxId> smx() const noexcept { return detail::row<SmxId>(raw_.smx); }
};

// What a cycle of the KMU did; the rest has a meaning if it moved a kernel.
class KmuTick : public detail::View<gpusched_laperm_moved> {
public:
    using View::View;
    constexpr Kmu kmu() const noexcept { return static_cast<Kmu>(raw_.kmu); }
    constexpr std::uint64_t tag() const noexcept { return raw_.tag; }
    constexpr std::optional<UnitId> unit() const noexcept { return detail::row<UnitId>(raw_.unit); }
    constexpr std::uint32_t level() const noexcept { return raw_.level; }
    constexpr KernelSlot kde() const noexcept { return KernelSlot{raw_.kde}; }
    constexpr std::uint32_t cost() const noexcept { return raw_.cost; }
    constexpr std::uint64_t ready_at() const noexcept { return raw_.ready_at; }
};

class Entry : public detail::View<gpusched_laperm_entry> {
public:
    using View::View;
    constexpr std::uint64_t tag() const noexcept { return raw_.tag; }
    constexpr std::uint64_t ready_at() const noexcept { return raw_.ready_at; }
    constexpr Resources res() const noexcept { return raw_.res; }
    constexpr std::uint32_t tbs() const noexcept { return raw_.tbs; }
    constexpr std::uint32_t next() const noexcept { return raw_.next; }
    constexpr std::uint32_t prio() const noexcept { return raw_.prio; }
    constexpr std::uint32_t section() const noexcept { return raw_.section; }
    constexpr std::optional<KernelSlot> kde() const noexcept { return detail::row<KernelSlot>(raw_.kde); }
};

class Backup : public detail::View<gpusched_laperm_backup> {
public:
    using View::View;
    constexpr std::optional<UnitId> unit() const noexcept { return detail::row<UnitId>(raw_.unit); }
    constexpr std::uint32_t run() const noexcept { return raw_.run; }
};

class WaitingHead : public detail::View<gpusched_laperm_head> {
public:
    using View::View;
    constexpr SmxSet allowed() const noexcept { return SmxSet(raw_.allowed); }
    constexpr std::uint64_t tag() const noexcept { return raw_.tag; }
    constexpr Resources res() const noexcept { return raw_.res; }
};

using Kde = gpusched_laperm_kde;
using Entries = List<Entry, gpusched_laperm_entry>;

// The machine ----------------------------------------------------------------------------------------------------------------

// LaPerm alone, and the storage it lives in unless that is the caller's.
class LaPerm : public detail::Object<gpusched_laperm> {
public:
    LaPerm() noexcept = default;

    // In storage of its own. Null: there is no memory.
    static Result<LaPerm> create(const Config& config = Config()) noexcept {
        return make<LaPerm>(config, gpusched_laperm_init);
    }
    // In the caller's storage, which must stay where it is and outlive the machine.
    static Result<LaPerm> create_in(Span<std::byte> storage, const Config& config) noexcept {
        return make_in<LaPerm>(storage, config, gpusched_laperm_init);
    }
    // As the one that an image was saved of, in storage of its own.
    static Result<LaPerm> from_image(Span<const std::byte> image) noexcept { return make_from<LaPerm>(image); }

    static Result<Config> image_config(Span<const std::byte> image) noexcept {
        Config config;
        const Status status =
            gpusched_laperm_image_config(image.data(), image.size(), &config, sizeof(gpusched_laperm_config));
        return {status, config};
    }

    // Events.

    Result<Placed> push_host(std::uint64_t now, std::uint64_t tag, std::uint32_t tbs, const Resources& res) noexcept {
        gpusched_laperm_placed placed{};
        const Status status = gpusched_laperm_push_host(c(), now, tag, tbs, &res, &placed);
        return {status, Placed(placed)};
    }
    Result<Placed> push_child(std::uint64_t now, std::uint64_t tag, std::uint32_t tbs, const Resources& res,
                              SmxId parent_smx, std::uint32_t parent_prio) noexcept {
        gpusched_laperm_placed placed{};
        const Status status =
            gpusched_laperm_push_child(c(), now, tag, tbs, &res, number(parent_smx), parent_prio, &placed);
        return {status, Placed(placed)};
    }
    Result<Tick> tick(std::uint64_t now) noexcept {
        gpusched_laperm_sent sent{};
        const Status status = gpusched_laperm_tick(c(), now, &sent);
        return {status, Tick(sent)};
    }
    // Whether the entry of the kernel distributor is free now.
    Result<bool> tb_done(std::uint64_t now, SmxId smx, const Resources& res,
                         std::optional<KernelSlot> kde = std::nullopt) noexcept {
        std::uint32_t freed = 0;
        const Status status =
            gpusched_laperm_tb_done(c(), now, number(smx), &res, detail::number_or_none(kde), &freed);
        return {status, freed != 0};
    }
    Result<KmuTick> kmu_tick(std::uint64_t now) noexcept {
        gpusched_laperm_moved moved{};
        const Status status = gpusched_laperm_kmu_tick(c(), now, &moved);
        return {status, KmuTick(moved)};
    }
    Status refilled(std::uint64_t now, std::uint64_t tag) noexcept { return gpusched_laperm_refilled(c(), now, tag); }
    Status set_mask(std::uint64_t now, SmxId smx, bool masked) noexcept {
        return gpusched_laperm_set_mask(c(), now, number(smx), masked ? 1 : 0);
    }

    // Queries. Lists are written to a buffer; if it is too short the status is Capacity and the list holds what fits.

    Result<std::optional<WaitingHead>> waiting_head(std::uint64_t now, UnitId start = UnitId{0}) const noexcept {
        const auto head = ask<gpusched_laperm_head>(gpusched_laperm_waiting_head, now, number(start));
        return {head.status(), head->present != 0 ? std::optional(WaitingHead(*head)) : std::nullopt};
    }
    Result<Config> config() const noexcept {
        Config config;
        const Status status = gpusched_laperm_get_config(c(), &config, sizeof(gpusched_laperm_config));
        return {status, config};
    }
    Result<std::uint64_t> now() const noexcept { return ask<std::uint64_t>(gpusched_laperm_now); }
    Result<std::optional<std::uint64_t>> next_event() const noexcept { return when(gpusched_laperm_next_event); }
    Result<bool> is_idle() const noexcept {
        const auto idle = ask<std::uint32_t>(gpusched_laperm_is_idle);
        return {idle.status(), *idle != 0};
    }
    Result<SmxId> cur() const noexcept { return view<SmxId, std::uint32_t>(gpusched_laperm_cur); }
    Result<Resources> free(SmxId smx) const noexcept { return ask<Resources>(gpusched_laperm_free, number(smx)); }
    Result<SmxSet> mask() const noexcept { return view<SmxSet, gpusched_smx_set>(gpusched_laperm_mask); }
    Result<std::uint32_t> units() const noexcept { return ask<std::uint32_t>(gpusched_laperm_units); }
    // Queue 0 for no unit.
    Result<Entries> queue(std::optional<UnitId> unit, Span<gpusched_laperm_entry> buffer) const noexcept {
        return list<Entries>(gpusched_laperm_queue, buffer, detail::number_or_none(unit));
    }
    // Host kernels for no unit.
    Result<Entries> off_chip(std::optional<UnitId> unit, Span<gpusched_laperm_entry> buffer) const noexcept {
        return list<Entries>(gpusched_laperm_off_chip, buffer, detail::number_or_none(unit));
    }
    Result<std::uint32_t> pool_free() const noexcept { return ask<std::uint32_t>(gpusched_laperm_pool_free); }
    Result<Kde> kde(KernelSlot kde) const noexcept { return ask<Kde>(gpusched_laperm_get_kde, number(kde)); }
    Result<Backup> backup(SmxId smx) const noexcept {
        return view<Backup, gpusched_laperm_backup>(gpusched_laperm_get_backup, number(smx));
    }
    Result<UnitId> kmu_pointer() const noexcept { return view<UnitId, std::uint32_t>(gpusched_laperm_kmu_pointer); }
    Result<std::uint64_t> kmu_free_at() const noexcept { return ask<std::uint64_t>(gpusched_laperm_kmu_free_at); }

    // Images.

    Result<std::size_t> image_size() const noexcept { return ask<std::size_t>(gpusched_laperm_image_size); }
    // The size of the image, also if the buffer is too small for it (ImageTooSmall).
    Result<std::size_t> save(Span<std::byte> image) const noexcept { return save_by(gpusched_laperm_save, image); }
    Status restore(Span<const std::byte> image) noexcept {
        return gpusched_laperm_restore(c(), image.data(), image.size());
    }
};

}  // namespace laperm
}  // namespace gpusched

#endif  // GPUSCHED_LAPERM_HPP
