// gpusched.hpp: the C++17 face of gpusched.h. Header only; needs neither exceptions nor RTTI, and allocates only the storage that a
// machine owns. Here is the front end; the machines that stand alone are in gpusched_laperm.hpp, gpusched_bubble.hpp and
// gpusched_dgb.hpp, which it includes.
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

#include <gpusched_base.hpp>
#include <gpusched_frontend.h>
#include <gpusched_bubble.hpp>
#include <gpusched_dgb.hpp>
#include <gpusched_laperm.hpp>

namespace gpusched {

using dgb::NodeId;

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
enum class Policy : std::uint32_t { FcfsRr = GPUSCHED_POLICY_FCFS_RR, LaPerm = GPUSCHED_POLICY_LA_PERM };

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
    Place = GPUSCHED_DECISION_KIND_PLACE,
    Lap = GPUSCHED_DECISION_KIND_LAP,
    Refill = GPUSCHED_DECISION_KIND_REFILL,
    Sample = GPUSCHED_DECISION_KIND_SAMPLE,
    GraphDone = GPUSCHED_DECISION_KIND_GRAPH_DONE,
    GraphFault = GPUSCHED_DECISION_KIND_GRAPH_FAULT,
    GraphAbort = GPUSCHED_DECISION_KIND_GRAPH_ABORT,
};

enum class Unit : std::uint32_t {
    Native = GPUSCHED_UNIT_NATIVE,
    Age = GPUSCHED_UNIT_AGE,
    Record = GPUSCHED_UNIT_RECORD,
    Restored = GPUSCHED_UNIT_RESTORED,
    None = GPUSCHED_UNIT_NONE,
    Unit = GPUSCHED_UNIT_UNIT,
    Node = GPUSCHED_UNIT_NODE,
};

// Where LaPerm put a unit.
enum class Place : std::uint32_t {
    OnChip = GPUSCHED_PLACE_ON_CHIP,
    Spilled = GPUSCHED_PLACE_SPILLED,
    Queue0 = GPUSCHED_PLACE_QUEUE0,
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
    NoFit = GPUSCHED_SCHED_NO_FIT,
    NoCandidate = GPUSCHED_SCHED_NO_CANDIDATE,
    Masked = GPUSCHED_SCHED_MASKED,
    GraphNoReady = GPUSCHED_SCHED_GRAPH_NO_READY,
    GraphHead = GPUSCHED_SCHED_GRAPH_HEAD,
    GraphLevelBound = GPUSCHED_SCHED_GRAPH_LEVEL_BOUND,
    GraphDeadlock = GPUSCHED_SCHED_GRAPH_DEADLOCK,
    GraphFault = GPUSCHED_SCHED_GRAPH_FAULT,
};

enum class Kmu : std::uint32_t {
    Issue = GPUSCHED_KMU_ISSUE,
    Empty = GPUSCHED_KMU_EMPTY,
    Busy = GPUSCHED_KMU_BUSY,
    KdFull = GPUSCHED_KMU_KD_FULL,
    DgBusy = GPUSCHED_KMU_DG_BUSY,
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
    GraphStuck = GPUSCHED_FRONTEND_STATUS_GRAPH_STUCK,
    GraphWait = GPUSCHED_FRONTEND_STATUS_GRAPH_WAIT,
};

// The dependency graph of a kernel.
enum class GraphState : std::uint32_t {
    None = GPUSCHED_GRAPH_STATE_NONE,
    Coming = GPUSCHED_GRAPH_STATE_COMING,
    Running = GPUSCHED_GRAPH_STATE_RUNNING,
    Finished = GPUSCHED_GRAPH_STATE_FINISHED,
    Faulted = GPUSCHED_GRAPH_STATE_FAULTED,
    Aborted = GPUSCHED_GRAPH_STATE_ABORTED,
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

// What goes in ---------------------------------------------------------------------------------------------------------------

using Kernel = gpusched_kernel;
using Group = gpusched_group;

// A kernel without registers, shared memory and parameters: set these fields if it has some.
constexpr Kernel kernel(std::uint64_t pc, Dim3 grid, Dim3 tb, std::uint64_t tag = 0) noexcept {
    return Kernel{pc, grid, tb, 0, 0, 0, tag};
}

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
    // LaPerm, with this of its policies.
    Config with(laperm::Policy value) const noexcept {
        return with(Policy::LaPerm).with(&Config::laperm_policy, number(value));
    }
    Config with(laperm::Model value) const noexcept { return with(&Config::laperm_model, number(value)); }
    Config with(laperm::Visit value) const noexcept { return with(&Config::laperm_visit, number(value)); }
    Config with(laperm::NoFit value) const noexcept { return with(&Config::laperm_no_fit, number(value)); }
    Config with(laperm::Spill value) const noexcept { return with(&Config::laperm_spill, number(value)); }
    Config with(laperm::BackupSelect value) const noexcept { return with(&Config::laperm_backup_select, number(value)); }
    Config with(laperm::RefillMode value) const noexcept { return with(&Config::laperm_refill_mode, number(value)); }
    // An occupancy-bubble controller.
    Config with_bubble() const noexcept { return with(&Config::bubble, 1); }
    Config with(bubble::Retrigger value) const noexcept { return with(&Config::bubble_retrigger, number(value)); }
    // A dependency-graph buffer.
    Config with_dats() const noexcept { return with(&Config::dats, 1); }
    Config with(dgb::Prefetch value) const noexcept { return with(&Config::dats_prefetch, number(value)); }
    Config with(dgb::LevelRef value) const noexcept { return with(&Config::dats_level_ref, number(value)); }

    // Without launch latencies. What check would refuse stays as it is.
    Config ideal() const noexcept {
        Config changed = *this;
        (void)gpusched_frontend_config_ideal(&changed);
        return changed;
    }

    // Says whether every value is in its range and right beside the others; if one is not, the value tells which.
    Result<Parameter> check() const noexcept {
        return detail::check_of<gpusched_frontend_config>(gpusched_frontend_config_check, this);
    }
    Result<Layout> layout() const noexcept {
        return detail::layout_of<gpusched_frontend_config>(gpusched_frontend_layout, this);
    }
    Result<StorageBits> storage_bits() const noexcept {
        return detail::bits_of<StorageBits, gpusched_frontend_config>(gpusched_frontend_storage_bits, this);
    }
};

inline Result<Parameter> parameter(std::uint32_t index) noexcept {
    return detail::parameter_of(gpusched_frontend_parameter, index);
}

// What comes out ---------------------------------------------------------------------------------------------------------------

// What a TB is part of, or where a group's information is.
struct Part {
    Unit unit = Unit::None;
    std::uint32_t row = 0;

    constexpr std::optional<AgeId> age() const noexcept {
        return unit == Unit::Age ? std::optional(AgeId{row}) : std::nullopt;
    }
    // Also of a group in LaPerm's queues.
    constexpr std::optional<RecordId> record() const noexcept {
        return unit == Unit::Record || unit == Unit::Unit ? std::optional(RecordId{row}) : std::nullopt;
    }
};

constexpr Part part(std::uint32_t unit, std::uint32_t number) noexcept { return Part{static_cast<Unit>(unit), number}; }

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
    constexpr Part part() const noexcept { return gpusched::part(raw_.unit, raw_.group); }
    // Tb of a dependency graph (its part's unit is Unit::Node), and GraphFault.
    constexpr NodeId node() const noexcept { return NodeId{raw_.blkid}; }
    // GraphFault.
    constexpr dgb::GraphFaultKind fault() const noexcept { return static_cast<dgb::GraphFaultKind>(raw_.detail); }
    // GraphAbort: TBs of the graph that still run.
    constexpr std::uint32_t executing() const noexcept { return raw_.blkid; }
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
    // Place.
    constexpr Place place() const noexcept { return static_cast<Place>(raw_.detail); }
    // Place: the bind unit; empty for queue 0.
    constexpr std::optional<UnitId> bind_unit() const noexcept {
        return place() == Place::Queue0 ? std::nullopt : std::optional(UnitId{raw_.smx});
    }
    // Place: the level. Lap: the priority.
    constexpr std::uint32_t level() const noexcept { return raw_.slot; }
    // Place: tag of the unit that went to memory instead.
    constexpr std::optional<std::uint64_t> evicted() const noexcept {
        return raw_.queue != 0 ? std::optional((std::uint64_t{raw_.group} << 32) | raw_.blkid) : std::nullopt;
    }
    // Lap.
    constexpr laperm::Stage stage() const noexcept { return static_cast<laperm::Stage>(raw_.detail); }
    // Sample: tag of the TB that was reported as waiting.
    constexpr std::optional<std::uint64_t> waiting() const noexcept {
        return raw_.detail != 0 ? std::optional(raw_.tag) : std::nullopt;
    }
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
    constexpr Part part() const noexcept { return gpusched::part(raw_.unit, raw_.group); }
    constexpr std::uint32_t blkid() const noexcept { return raw_.blkid; }
    constexpr std::optional<ClassId> class_id() const noexcept { return detail::row<ClassId>(raw_.class_id); }
    constexpr bool bypass() const noexcept { return raw_.bypass != 0; }
    constexpr std::uint32_t prio() const noexcept { return raw_.prio; }
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
    constexpr std::uint32_t prio() const noexcept { return raw_.prio; }
    constexpr std::uint32_t pend() const noexcept { return raw_.pend; }
    constexpr bool retain() const noexcept { return raw_.retain != 0; }
    constexpr bool marked() const noexcept { return raw_.marked != 0; }
    constexpr bool first() const noexcept { return raw_.first != 0; }
    constexpr Part nagei() const noexcept { return gpusched::part(raw_.nagei_unit, raw_.nagei); }
    constexpr Part lagei() const noexcept { return gpusched::part(raw_.lagei_unit, raw_.lagei); }
    constexpr bool tried() const noexcept { return raw_.tried != 0; }
    constexpr Part agei() const noexcept { return gpusched::part(raw_.agei_unit, raw_.agei); }
    constexpr std::uint32_t next_bl() const noexcept { return raw_.next_bl; }
    constexpr Load load() const noexcept { return static_cast<Load>(raw_.load); }
    constexpr std::uint32_t turn() const noexcept { return raw_.turn; }
    constexpr GraphState graph() const noexcept { return static_cast<GraphState>(raw_.graph); }
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
    constexpr std::uint32_t prio() const noexcept { return raw_.prio; }
};

class GroupView : public detail::View<gpusched_group_view> {
public:
    using View::View;
    constexpr std::uint64_t tag() const noexcept { return raw_.tag; }
    constexpr RecordId record() const noexcept { return RecordId{raw_.record}; }
    constexpr Part at() const noexcept { return gpusched::part(raw_.at_unit, raw_.at); }
    constexpr KernelSlot kde() const noexcept { return KernelSlot{raw_.kde}; }
    constexpr Part next() const noexcept { return gpusched::part(raw_.next_unit, raw_.next); }
    constexpr std::uint32_t exe() const noexcept { return raw_.exe; }
    constexpr bool dist() const noexcept { return raw_.dist != 0; }
};

// A spilled group that was asked for before its turn.
class LoadPlace : public detail::View<gpusched_load_place> {
public:
    using View::View;
    constexpr RecordId record() const noexcept { return RecordId{raw_.record}; }
    constexpr Load load() const noexcept { return static_cast<Load>(raw_.load); }
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

// A unit in one of LaPerm's queues.
class LaPermUnit : public detail::View<gpusched_laperm_unit> {
public:
    using View::View;
    constexpr std::uint64_t tag() const noexcept { return raw_.tag; }
    constexpr std::uint64_t ready_at() const noexcept { return raw_.ready_at; }
    constexpr std::uint32_t tbs() const noexcept { return raw_.tbs; }
    constexpr std::uint32_t next() const noexcept { return raw_.next; }
    constexpr std::uint32_t prio() const noexcept { return raw_.prio; }
    constexpr std::uint32_t section() const noexcept { return raw_.section; }
    constexpr KernelSlot kde() const noexcept { return KernelSlot{raw_.kde}; }
    // Empty for the native TBs of a kernel.
    constexpr std::optional<RecordId> record() const noexcept { return detail::row<RecordId>(raw_.record); }
};

using Words = gpusched_words;
using Stats = gpusched_frontend_stats;
using Smx = gpusched_smx;
using ClassCap = gpusched_class_cap;
using Trace = gpusched_trace;

using Decisions = List<Decision, gpusched_decision>;
using Tbs = List<Tb, gpusched_tb>;
using Groups = List<GroupView, gpusched_group_view>;
using LoadPlaces = List<LoadPlace, gpusched_load_place>;
using KernelSlots = List<KernelSlot, std::uint32_t>;
using LaPermUnits = List<LaPermUnit, gpusched_laperm_unit>;

// The front end ----------------------------------------------------------------------------------------------------------------

// A front end, and the storage it lives in unless that is the caller's. Moving it moves the handle: the object stays where it is.
// One that is empty (default, moved from) answers Null to everything.
class FrontEnd : public detail::Object<gpusched_frontend> {
public:
    FrontEnd() noexcept = default;

    // In storage of its own. Null: there is no memory.
    static Result<FrontEnd> create(const Config& config) noexcept {
        return make<FrontEnd>(config, gpusched_frontend_init);
    }
    // In the caller's storage, which must stay where it is and outlive the front end.
    static Result<FrontEnd> create_in(Span<std::byte> storage, const Config& config) noexcept {
        return make_in<FrontEnd>(storage, config, gpusched_frontend_init);
    }
    // As the one that an image was saved of, in storage of its own.
    static Result<FrontEnd> from_image(Span<const std::byte> image) noexcept { return make_from<FrontEnd>(image); }

    static Result<Config> image_config(Span<const std::byte> image) noexcept {
        Config config;
        const Status status =
            gpusched_frontend_image_config(image.data(), image.size(), &config, sizeof(gpusched_frontend_config));
        return {status, config};
    }

    // Launches. Those of a warp write their launch records to `records`, which must hold all of them or none (else Capacity).

    Result<QueueId> host_launch(std::uint32_t stream, const Kernel& kernel, bool retain = false) noexcept {
        std::uint32_t queue = 0;
        const Status status = gpusched_frontend_host_launch(c(), stream, &kernel, retain ? 1 : 0, &queue);
        return {status, QueueId{queue}};
    }
    // A kernel whose TBs are the nodes of a graph.
    Result<QueueId> host_launch_graph(std::uint32_t stream, const Kernel& kernel, const dgb::Header& graph,
                                      bool retain = false) noexcept {
        std::uint32_t queue = 0;
        const Status status =
            gpusched_frontend_host_launch_graph(c(), stream, &kernel, retain ? 1 : 0, &graph, &queue);
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
    Status refilled(std::uint64_t tag) noexcept { return gpusched_frontend_refilled(c(), tag); }
    Status spill_loaded(RecordId record) noexcept { return gpusched_frontend_spill_loaded(c(), number(record)); }

    // Dependency graphs. NoDgb if there is no buffer. Where a call takes an Error, a refusal of the buffer writes its details there.

    // Empty if nothing is due.
    Result<std::optional<dgb::Request>> graph_poll(dgb::Error* error = nullptr) noexcept {
        gpusched_dgb_request request{};
        const Status status = gpusched_frontend_graph_poll(c(), &request, dgb::Error::c(error));
        return {status, request.present != 0 ? std::optional(dgb::Request(request)) : std::nullopt};
    }
    Result<dgb::Report> graph_nodes(std::uint32_t tag, Span<const std::uint64_t> entries,
                                    dgb::Error* error = nullptr) noexcept {
        gpusched_dgb_report report{};
        const Status status =
            gpusched_frontend_graph_nodes(c(), tag, entries.data(), entries.size(), &report, dgb::Error::c(error));
        return {status, dgb::Report(report)};
    }
    Result<dgb::Report> graph_edges(std::uint32_t tag, Span<const std::uint16_t> targets,
                                    dgb::Error* error = nullptr) noexcept {
        gpusched_dgb_report report{};
        const Status status =
            gpusched_frontend_graph_edges(c(), tag, targets.data(), targets.size(), &report, dgb::Error::c(error));
        return {status, dgb::Report(report)};
    }
    Result<dgb::Report> graph_spilled(std::uint32_t tag, dgb::Error* error = nullptr) noexcept {
        gpusched_dgb_report report{};
        const Status status = gpusched_frontend_graph_spilled(c(), tag, &report, dgb::Error::c(error));
        return {status, dgb::Report(report)};
    }
    Status abort_graph(KernelSlot kde) noexcept { return gpusched_frontend_abort_graph(c(), number(kde)); }

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
    // Closes the energy account; activity follows from the occupancy if none is given.
    Status account(Span<const std::uint16_t> activity = {}) noexcept {
        return gpusched_frontend_account(c(), activity.data(), activity.size());
    }

    // Queries. Lists are written to a buffer; if it is too short the status is Capacity and the list holds what fits.

    Result<Config> config() const noexcept {
        Config config;
        const Status status = gpusched_frontend_get_config(c(), &config, sizeof(gpusched_frontend_config));
        return {status, config};
    }
    Result<std::uint64_t> now() const noexcept { return ask<std::uint64_t>(gpusched_frontend_now); }
    Result<std::optional<std::uint64_t>> next_event() const noexcept {
        return when(gpusched_frontend_next_event);
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
    Result<LoadPlaces> load_buffer(Span<gpusched_load_place> buffer) const noexcept {
        return list<LoadPlaces>(gpusched_frontend_load_buffer, buffer);
    }
    Result<Hwq> hwq(QueueId queue) const noexcept { return view<Hwq, gpusched_hwq>(gpusched_frontend_hwq, number(queue)); }
    Result<Suspended> suspended(SuspId index) const noexcept {
        return view<Suspended, gpusched_suspended>(gpusched_frontend_suspended, number(index));
    }

    // LaPerm. WrongModel if the policy is another one.

    Result<laperm::Config> laperm_config() const noexcept {
        laperm::Config config;
        const Status status = gpusched_frontend_laperm_config(c(), &config, sizeof(gpusched_laperm_config));
        return {status, config};
    }
    Result<std::uint32_t> laperm_units() const noexcept { return ask<std::uint32_t>(gpusched_frontend_laperm_units); }
    Result<SmxId> laperm_cur() const noexcept { return view<SmxId, std::uint32_t>(gpusched_frontend_laperm_cur); }
    Result<laperm::Backup> laperm_backup(SmxId smx) const noexcept {
        return view<laperm::Backup, gpusched_laperm_backup>(gpusched_frontend_laperm_backup, number(smx));
    }
    Result<UnitId> laperm_kmu_pointer() const noexcept {
        return view<UnitId, std::uint32_t>(gpusched_frontend_laperm_kmu_pointer);
    }
    Result<std::uint32_t> laperm_pool_free() const noexcept {
        return ask<std::uint32_t>(gpusched_frontend_laperm_pool_free);
    }
    // Queue 0 for no unit.
    Result<LaPermUnits> laperm_queue(std::optional<UnitId> unit, Span<gpusched_laperm_unit> buffer) const noexcept {
        return list<LaPermUnits>(gpusched_frontend_laperm_queue, buffer, detail::number_or_none(unit));
    }
    Result<LaPermUnits> laperm_overflow(UnitId unit, Span<gpusched_laperm_unit> buffer) const noexcept {
        return list<LaPermUnits>(gpusched_frontend_laperm_overflow, buffer, number(unit));
    }

    // The occupancy-bubble controller. NoBubble if there is none.

    Result<bubble::Config> bubble_config() const noexcept {
        bubble::Config config;
        const Status status = gpusched_frontend_bubble_config(c(), &config, sizeof(gpusched_bubble_config));
        return {status, config};
    }
    // The last sample: to be read when there was a decision Kind::Sample.
    Result<bubble::Sample> bubble_record() const noexcept {
        return view<bubble::Sample, gpusched_bubble_record>(gpusched_frontend_bubble_record);
    }
    Result<SmxSet> bubble_armed() const noexcept {
        return view<SmxSet, gpusched_smx_set>(gpusched_frontend_bubble_armed);
    }
    Result<bubble::Registers> bubble_registers() const noexcept {
        return view<bubble::Registers, gpusched_bubble_registers>(gpusched_frontend_bubble_registers);
    }
    Result<bubble::Gpu> bubble_gpu() const noexcept {
        return view<bubble::Gpu, gpusched_bubble_gpu>(gpusched_frontend_bubble_gpu);
    }
    Result<bubble::Smx> bubble_smx(SmxId smx) const noexcept {
        return view<bubble::Smx, gpusched_bubble_smx>(gpusched_frontend_bubble_smx, number(smx));
    }
    Result<Energy> bubble_energy() const noexcept { return view<Energy, gpusched_energy>(gpusched_frontend_bubble_energy); }
    Result<Energy> bubble_energy_uncore() const noexcept {
        return view<Energy, gpusched_energy>(gpusched_frontend_bubble_energy_uncore);
    }
    Result<bubble::Stats> bubble_stats() const noexcept { return ask<bubble::Stats>(gpusched_frontend_bubble_stats); }
    Result<std::optional<std::uint64_t>> bubble_next_sample() const noexcept {
        return when(gpusched_frontend_bubble_next_sample);
    }

    // The dependency-graph buffer. NoDgb if there is none.

    Result<dgb::Config> dgb_config() const noexcept {
        dgb::Config config;
        const Status status = gpusched_frontend_dgb_config(c(), &config, sizeof(gpusched_dgb_config));
        return {status, config};
    }
    // The kernel that has the buffer.
    Result<std::optional<KernelSlot>> dgb_owner() const noexcept {
        const auto kde = ask<std::uint32_t>(gpusched_frontend_dgb_owner);
        return {kde.status(), kde.ok() ? detail::row<KernelSlot>(*kde) : std::nullopt};
    }
    Result<dgb::State> dgb_state() const noexcept {
        return view<dgb::State, gpusched_dgb_state>(gpusched_frontend_dgb_state);
    }
    // NotLaunched: there was no graph, or it was given up.
    Result<dgb::Header> dgb_graph() const noexcept { return ask<dgb::Header>(gpusched_frontend_dgb_graph); }
    Result<dgb::Stats> dgb_stats() const noexcept { return ask<dgb::Stats>(gpusched_frontend_dgb_stats); }
    Result<dgb::LocalNodes> dgb_resident(Span<gpusched_dgb_node> buffer) const noexcept {
        return list<dgb::LocalNodes>(gpusched_frontend_dgb_resident, buffer);
    }
    Result<List<NodeId, std::uint32_t>> dgb_resident_edges(Span<std::uint32_t> buffer) const noexcept {
        return list<List<NodeId, std::uint32_t>>(gpusched_frontend_dgb_resident_edges, buffer);
    }
    Result<List<NodeId, std::uint32_t>> dgb_pending_updates(Span<std::uint32_t> buffer) const noexcept {
        return list<List<NodeId, std::uint32_t>>(gpusched_frontend_dgb_pending_updates, buffer);
    }
    Result<List<std::uint64_t, std::uint64_t>> dgb_landed(Span<std::uint64_t> buffer) const noexcept {
        return list<List<std::uint64_t, std::uint64_t>>(gpusched_frontend_dgb_landed, buffer);
    }

    // Images.

    Result<std::size_t> image_size() const noexcept { return ask<std::size_t>(gpusched_frontend_image_size); }
    // The size of the image, also if the buffer is too small for it (ImageTooSmall).
    Result<std::size_t> save(Span<std::byte> image) const noexcept { return save_by(gpusched_frontend_save, image); }
    Status restore(Span<const std::byte> image) noexcept {
        return gpusched_frontend_restore(c(), image.data(), image.size());
    }

private:
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
};

}  // namespace gpusched

#endif  // GPUSCHED_HPP
