// gpusched_dgb.hpp: the C++17 face of dependency graphs, gpusched_graph_*, gpusched_admit and gpusched_dgb_* of gpusched.h;
// gpusched.hpp says how it differs from C.
//
//   // A wavefront of 8 x 8 TBs: each needs its neighbours to the west and to the north.
//   auto graph = gpusched::dgb::build(gpusched::dim3(8, 8), 128, [](gpusched::Dim3 tb, gpusched::dgb::Links& links) {
//       links.add_dependency(tb.x - 1, tb.y, tb.z);
//       links.add_dependency(tb.x, tb.y - 1, tb.z);
//   });
//   if (!graph) return fail(graph.status().text());
//   auto dgb = gpusched::dgb::Buffer::create();
//   if (!dgb) return fail(dgb.status().text());
//   const auto launched = dgb->launch(graph->header(0x10000, 0x20000));
#ifndef GPUSCHED_DGB_HPP
#define GPUSCHED_DGB_HPP

#include <gpusched_base.hpp>
#include <gpusched_dats.h>

namespace gpusched {
namespace dgb {

// Enumerations: the numbers of C ---------------------------------------------------------------------------------------------

enum class Preset : std::uint32_t {
    Gtx480 = GPUSCHED_DGB_PRESET_GTX480,
    Gtx480Lrr = GPUSCHED_DGB_PRESET_GTX480_LRR,
};

enum class Prefetch : std::uint32_t {
    ChunkFree = GPUSCHED_DGB_PREFETCH_CHUNK_FREE,
    Eager = GPUSCHED_DGB_PREFETCH_EAGER,
};

enum class LevelRef : std::uint32_t {
    Incomplete = GPUSCHED_DGB_LEVEL_REF_INCOMPLETE,
    Active = GPUSCHED_DGB_LEVEL_REF_ACTIVE,
};

enum class PolicyKind : std::uint32_t { Lrr = GPUSCHED_GRAPH_POLICY_LRR, Lvl = GPUSCHED_GRAPH_POLICY_LVL };

enum class NodeFlaw : std::uint32_t {
    EdgeStart = GPUSCHED_NODE_FLAW_EDGE_START,
    Childless = GPUSCHED_NODE_FLAW_CHILDLESS,
    Oversize = GPUSCHED_NODE_FLAW_OVERSIZE,
    Level = GPUSCHED_NODE_FLAW_LEVEL,
    Parents = GPUSCHED_NODE_FLAW_PARENTS,
};

enum class GraphFault : std::uint32_t {
    EdgeOrder = GPUSCHED_GRAPH_FAULT_EDGE_ORDER,
    ParentUnderflow = GPUSCHED_GRAPH_FAULT_PARENT_UNDERFLOW,
    ParentExcess = GPUSCHED_GRAPH_FAULT_PARENT_EXCESS,
};

enum class Admission : std::uint32_t {
    Safe = GPUSCHED_ADMISSION_SAFE,
    MayDeadlock = GPUSCHED_ADMISSION_MAY_DEADLOCK,
    Deadlocks = GPUSCHED_ADMISSION_DEADLOCKS,
    Oversize = GPUSCHED_ADMISSION_OVERSIZE,
};

enum class RequestKind : std::uint32_t {
    None = GPUSCHED_GRAPH_REQUEST_KIND_NONE,
    Nodes = GPUSCHED_GRAPH_REQUEST_KIND_NODES,
    Edges = GPUSCHED_GRAPH_REQUEST_KIND_EDGES,
    Decrement = GPUSCHED_GRAPH_REQUEST_KIND_DECREMENT,
};

enum class Pending : std::uint32_t {
    None = GPUSCHED_GRAPH_PENDING_NONE,
    Edges = GPUSCHED_GRAPH_PENDING_EDGES,
    Pub = GPUSCHED_GRAPH_PENDING_PUB,
    Tail = GPUSCHED_GRAPH_PENDING_TAIL,
    Spill = GPUSCHED_GRAPH_PENDING_SPILL,
};

enum class Sched : std::uint32_t {
    Dispatch = GPUSCHED_DGB_SCHED_DISPATCH,
    NoReady = GPUSCHED_DGB_SCHED_NO_READY,
    Head = GPUSCHED_DGB_SCHED_HEAD,
    LevelBound = GPUSCHED_DGB_SCHED_LEVEL_BOUND,
    NoSmx = GPUSCHED_DGB_SCHED_NO_SMX,
    Deadlock = GPUSCHED_DGB_SCHED_DEADLOCK,
    Finished = GPUSCHED_DGB_SCHED_FINISHED,
};

enum class Phase : std::uint32_t {
    Idle = GPUSCHED_DGB_PHASE_IDLE,
    Running = GPUSCHED_DGB_PHASE_RUNNING,
    Finished = GPUSCHED_DGB_PHASE_FINISHED,
    Faulted = GPUSCHED_DGB_PHASE_FAULTED,
};

enum class NodeState : std::uint32_t {
    Waiting = GPUSCHED_NODE_STATE_WAITING,
    Ready = GPUSCHED_NODE_STATE_READY,
    Executing = GPUSCHED_NODE_STATE_EXECUTING,
    Pending = GPUSCHED_NODE_STATE_PENDING,
    Done = GPUSCHED_NODE_STATE_DONE,
};

// Graphs ---------------------------------------------------------------------------------------------------------------------

// In which order ready nodes are dispatched.
class Policy {
public:
    // Local round robin: a ready node may run, however far it is ahead.
    constexpr Policy() noexcept = default;
    static constexpr Policy lrr() noexcept { return Policy(); }
    // Nodes that run are at most so many levels apart.
    static constexpr Policy lvl(std::uint32_t bound) noexcept { return Policy(PolicyKind::Lvl, bound); }
    constexpr explicit Policy(const gpusched_graph_header& header) noexcept
        : Policy(static_cast<PolicyKind>(header.policy), header.bound) {}

    constexpr PolicyKind kind() const noexcept { return kind_; }
    constexpr std::uint32_t bound() const noexcept { return bound_; }

private:
    constexpr Policy(PolicyKind kind, std::uint32_t bound) noexcept : kind_(kind), bound_(bound) {}
    PolicyKind kind_ = PolicyKind::Lrr;
    std::uint32_t bound_ = 0;
};

// An entry of the node array.
class Node {
public:
    constexpr Node() noexcept = default;
    constexpr explicit Node(std::uint64_t bits) noexcept : bits_(bits) {}
    constexpr Node(std::uint32_t start, bool childless, std::uint16_t parents, std::uint16_t level) noexcept
        : bits_((start & 0x7fffffffU) | (std::uint64_t{childless} << 31) | (std::uint64_t{parents} << 32) |
                (std::uint64_t{level} << 48)) {}

    constexpr std::uint64_t bits() const noexcept { return bits_; }
    constexpr std::uint32_t start() const noexcept { return static_cast<std::uint32_t>(bits_ & 0x7fffffffU); }
    constexpr bool childless() const noexcept { return (bits_ >> 31 & 1) != 0; }
    constexpr std::uint32_t parents() const noexcept { return static_cast<std::uint32_t>(bits_ >> 32 & 0xffff); }
    constexpr std::uint32_t level() const noexcept { return static_cast<std::uint32_t>(bits_ >> 48); }
    // What a decrement makes of it.
    constexpr Node with_parent_done() const noexcept { return Node(bits_ - GPUSCHED_ONE_PARENT); }

private:
    std::uint64_t bits_ = 0;
};

using Header = gpusched_graph_header;

constexpr Header header(std::uint32_t v, std::uint32_t e, std::uint64_t node_base, std::uint64_t edge_base,
                        Policy policy = Policy()) noexcept {
    return Header{node_base, edge_base, v, e, number(policy.kind()), policy.bound()};
}

// What a refusal is about. Which accessors have a meaning depends on the status.
class Error : public detail::View<gpusched_graph_error> {
public:
    constexpr Error() noexcept
        : View(gpusched_graph_error{GPUSCHED_NONE, GPUSCHED_NONE, GPUSCHED_NONE, GPUSCHED_NONE, 0}) {}
    // BadGraph, GraphFault.
    constexpr std::optional<NodeId> node() const noexcept { return detail::row<NodeId>(raw_.node); }
    // BadGraph.
    constexpr NodeFlaw flaw() const noexcept { return static_cast<NodeFlaw>(raw_.what); }
    // GraphFault.
    constexpr GraphFault fault() const noexcept { return static_cast<GraphFault>(raw_.what); }
    // BadEdge: the index in the edge array.
    constexpr std::uint32_t edge() const noexcept { return raw_.edge; }
    // BadSmx.
    constexpr std::optional<SmxId> smx() const noexcept { return detail::row<SmxId>(raw_.smx); }
    // Cycle: linear index of a TB.
    constexpr std::uint32_t tb() const noexcept { return raw_.tb; }

    // For the functions of C.
    static constexpr gpusched_graph_error* c(Error* error) noexcept { return error == nullptr ? nullptr : &error->raw_; }
};

class GraphBuilder;

// A dependency graph in memory, ready to be launched, and the storage it lies in unless that is the caller's.
class Graph;

// A graph that is being described, TB by TB.
class GraphBuilder : public detail::Object<gpusched_graph_builder> {
public:
    GraphBuilder() noexcept = default;

    // In storage of its own. Null: there is no memory.
    static Result<GraphBuilder> create(const Dim3& grid, std::uint32_t max_edges) noexcept {
        return make<GraphBuilder>(Shape{grid, max_edges}, begin);
    }
    // In the caller's storage, which must stay where it is and outlive the builder and its graph.
    static Result<GraphBuilder> create_in(Span<std::byte> storage, const Dim3& grid, std::uint32_t max_edges) noexcept {
        return make_in<GraphBuilder>(storage, Shape{grid, max_edges}, begin);
    }
    static Result<Layout> layout(const Dim3& grid, std::uint32_t max_edges) noexcept {
        return Shape{grid, max_edges}.layout();
    }

    // The TB whose turn it is. GraphComplete: every TB has had its turn.
    Result<Dim3> block() const noexcept { return ask<Dim3>(gpusched_graph_builder_block); }
    Result<std::uint32_t> tb() const noexcept { return ask<std::uint32_t>(gpusched_graph_builder_tb); }
    Status add_dependency(std::int64_t x, std::int64_t y, std::int64_t z = 0) noexcept {
        return gpusched_graph_builder_add_dependency(c(), x, y, z);
    }
    Status barrier(std::uint32_t before, std::uint32_t before_end, std::uint32_t after, std::uint32_t after_end) noexcept {
        return gpusched_graph_builder_barrier(c(), before, before_end, after, after_end);
    }
    Status set_policy(Policy policy) noexcept {
        return gpusched_graph_builder_set_policy(c(), number(policy.kind()), policy.bound());
    }
    Status advance() noexcept { return gpusched_graph_builder_advance(c()); }
    // Uses the builder up; the graph takes its storage along.
    Result<Graph> finish(Error* error = nullptr) && noexcept;

private:
    struct Shape {
        Dim3 grid;
        std::uint32_t max_edges;

        Result<Layout> layout() const noexcept {
            Layout layout{};
            const Status status = gpusched_graph_builder_layout(&grid, max_edges, &layout);
            return {status, layout};
        }
    };

    static gpusched_status begin(void* storage, std::size_t size, const Shape* shape, gpusched_graph_builder** builder) noexcept {
        return gpusched_graph_builder_init(storage, size, &shape->grid, shape->max_edges, builder);
    }
};

class Graph {
public:
    Graph() noexcept = default;

    Span<const std::uint64_t> nodes() const noexcept { return {raw_.nodes, raw_.header.v}; }
    Span<const std::uint16_t> edges() const noexcept { return {raw_.edges, raw_.header.e}; }
    // The linear index of each node's TB.
    Span<const std::uint16_t> order() const noexcept { return {raw_.order, raw_.header.v}; }
    std::uint32_t tb(NodeId node) const noexcept { return raw_.order[number(node)]; }
    Policy policy() const noexcept { return Policy(raw_.header); }
    std::uint32_t levels() const noexcept { return raw_.levels; }
    // What a launch says of it, with the addresses where the arrays lie.
    Header header(std::uint64_t node_base, std::uint64_t edge_base) const noexcept {
        return dgb::header(raw_.header.v, raw_.header.e, node_base, edge_base, policy());
    }
    const gpusched_graph& raw() const noexcept { return raw_; }

private:
    friend class GraphBuilder;
    Graph(GraphBuilder storage, const gpusched_graph& raw) noexcept : storage_(std::move(storage)), raw_(raw) {}

    GraphBuilder storage_;
    gpusched_graph raw_{};
};

inline Result<Graph> GraphBuilder::finish(Error* error) && noexcept {
    gpusched_graph graph{};
    const Status status = gpusched_graph_builder_finish(c(), &graph, Error::c(error));
    if (!status) return status;
    return {status, Graph(std::move(*this), graph)};
}

// The turn of a TB in a mapping function. After the first refusal nothing more is named.
class Links {
public:
    explicit Links(GraphBuilder& builder) noexcept : builder_(builder) {}

    void add_dependency(std::int64_t x, std::int64_t y, std::int64_t z = 0) noexcept {
        if (status_) status_ = builder_.add_dependency(x, y, z);
    }
    void barrier(std::uint32_t before, std::uint32_t before_end, std::uint32_t after, std::uint32_t after_end) noexcept {
        if (status_) status_ = builder_.barrier(before, before_end, after, after_end);
    }
    void set_policy(Policy policy) noexcept {
        if (status_) status_ = builder_.set_policy(policy);
    }
    Status status() const noexcept { return status_; }

private:
    GraphBuilder& builder_;
    Status status_;
};

// A graph from a mapping function, which is called once for each TB with its coordinates and what it names its parents to. The first
// refusal ends it.
template <class Mapping>
Result<Graph> build(const Dim3& grid, std::uint32_t max_edges, Mapping&& mapping, Error* error = nullptr) {
    auto builder = GraphBuilder::create(grid, max_edges);
    if (!builder) return builder.status();
    Links links(*builder);
    while (const auto tb = builder->block()) {
        mapping(*tb, links);
        if (!links.status()) return links.status();
        if (const Status next = builder->advance(); !next) return next;
    }
    return std::move(*builder).finish(error);
}

// What goes in ---------------------------------------------------------------------------------------------------------------

using StorageBits = gpusched_dgb_storage;

// Parameters: the fields of C, set one by one or in a chain.
class Config : public gpusched_dgb_config {
public:
    explicit Config(Preset preset = Preset::Gtx480) noexcept : gpusched_dgb_config{} {
        (void)gpusched_dgb_config_init(this, sizeof(gpusched_dgb_config), number(preset));
    }
    explicit Config(const gpusched_dgb_config& config) noexcept : gpusched_dgb_config(config) {}

    Config with(std::uint32_t gpusched_dgb_config::* field, std::uint32_t value) const noexcept {
        Config changed = *this;
        changed.*field = value;
        return changed;
    }
    Config with(Prefetch value) const noexcept { return with(&Config::prefetch, number(value)); }
    Config with(LevelRef value) const noexcept { return with(&Config::level_ref, number(value)); }

    // Says whether every value is in its range and right beside the others; if one is not, and the status is BadConfig, the value
    // tells which.
    Result<Parameter> check() const noexcept {
        return detail::check_of<gpusched_dgb_config>(gpusched_dgb_config_check, this);
    }
    Result<Layout> layout() const noexcept { return detail::layout_of<gpusched_dgb_config>(gpusched_dgb_layout, this); }
    Result<StorageBits> storage_bits() const noexcept {
        return detail::bits_of<StorageBits, gpusched_dgb_config>(gpusched_dgb_storage_bits, this);
    }
};

inline Result<Parameter> parameter(std::uint32_t index) noexcept {
    return detail::parameter_of(gpusched_dgb_parameter, index);
}

// Whether a graph can deadlock the buffer.
class Verdict {
public:
    constexpr Verdict() noexcept = default;
    constexpr Verdict(Admission admission, std::uint32_t node) noexcept : admission_(admission), node_(node) {}
    constexpr Admission admission() const noexcept { return admission_; }
    // The node that it is about; empty if the graph is safe.
    constexpr std::optional<NodeId> node() const noexcept { return detail::row<NodeId>(node_); }

private:
    Admission admission_ = Admission::Safe;
    std::uint32_t node_ = GPUSCHED_NONE;
};

// Needs a counter per node; Capacity: there are fewer.
inline Result<Verdict> admit(const Config& config, Span<const std::uint64_t> nodes, Span<const std::uint16_t> edges,
                             Span<std::uint32_t> scratch) noexcept {
    const auto count = [](std::size_t n) { return n > GPUSCHED_NONE ? GPUSCHED_NONE : static_cast<std::uint32_t>(n); };
    if (scratch.size() < nodes.size()) return Status(Code::Capacity);
    std::uint32_t admission = 0, node = GPUSCHED_NONE;
    const Status status = gpusched_admit(&config, nodes.data(), count(nodes.size()), edges.data(), count(edges.size()),
                                         scratch.data(), &admission, &node);
    return {status, Verdict(static_cast<Admission>(admission), node)};
}

// What comes out -------------------------------------------------------------------------------------------------------------

// A memory request, to be answered under its tag.
class Request : public detail::View<gpusched_graph_request> {
public:
    using View::View;
    constexpr RequestKind kind() const noexcept { return static_cast<RequestKind>(raw_.kind); }
    constexpr std::uint32_t tag() const noexcept { return raw_.tag; }
    // A VID, or an index in the edge array.
    constexpr std::uint32_t first() const noexcept { return raw_.first; }
    constexpr std::uint32_t count() const noexcept { return raw_.count; }
    constexpr std::uint64_t addr() const noexcept { return raw_.addr; }
    // The part of the array that it asks for.
    template <class T>
    constexpr Span<T> of(Span<T> array) const noexcept {
        return {array.data() + raw_.first, raw_.count};
    }
};

// What an event set in motion.
class Report : public detail::View<gpusched_graph_report> {
public:
    using View::View;
    constexpr std::uint32_t finalised() const noexcept { return raw_.finalised; }
    constexpr std::uint32_t updates() const noexcept { return raw_.updates; }
    constexpr std::uint32_t pub_in() const noexcept { return raw_.pub_in; }
    constexpr std::uint32_t pub_out() const noexcept { return raw_.pub_out; }
    constexpr std::uint32_t inserted() const noexcept { return raw_.inserted; }
    constexpr std::uint32_t readied() const noexcept { return raw_.readied; }
    constexpr bool finished() const noexcept { return raw_.finished != 0; }
    // Behind the end of a TB: what keeps its node from being final.
    constexpr Pending pending() const noexcept { return static_cast<Pending>(raw_.pending); }
};

// A TB to run.
class Dispatch : public detail::View<gpusched_dgb_selection> {
public:
    using View::View;
    constexpr KernelSlot kde() const noexcept { return KernelSlot{raw_.kde}; }
    constexpr NodeId node() const noexcept { return NodeId{raw_.node}; }
    constexpr SmxId smx() const noexcept { return SmxId{raw_.smx}; }
};

// What the buffer decided.
class Selection : public detail::View<gpusched_dgb_selection> {
public:
    using View::View;
    constexpr Sched sched() const noexcept { return static_cast<Sched>(raw_.sched); }
    constexpr std::optional<Dispatch> dispatch() const noexcept {
        return sched() == Sched::Dispatch ? std::optional(Dispatch(raw_)) : std::nullopt;
    }
};

// What the buffer is doing, and where the window stands.
class State : public detail::View<gpusched_dgb_state> {
public:
    using View::View;
    constexpr Phase phase() const noexcept { return static_cast<Phase>(raw_.phase); }
    // If it is faulted: how, and where.
    constexpr GraphFault fault() const noexcept { return static_cast<GraphFault>(raw_.fault); }
    constexpr std::optional<NodeId> fault_node() const noexcept { return detail::row<NodeId>(raw_.fault_node); }
    constexpr std::uint32_t tail() const noexcept { return raw_.tail; }
    constexpr std::uint32_t head() const noexcept { return raw_.head; }
    constexpr std::uint32_t fetched() const noexcept { return raw_.fetched; }
    constexpr std::uint32_t tail_edge() const noexcept { return raw_.tail_edge; }
    constexpr std::uint32_t edge_head() const noexcept { return raw_.edge_head; }
    constexpr std::uint32_t executing() const noexcept { return raw_.executing; }
    constexpr std::optional<NodeId> spilling() const noexcept { return detail::row<NodeId>(raw_.spilling); }
    constexpr std::optional<NodeId> deadlock() const noexcept { return detail::row<NodeId>(raw_.deadlock); }
    constexpr SmxId next_smx() const noexcept { return SmxId{raw_.next_smx}; }
    constexpr std::optional<NodeId> next_node() const noexcept { return detail::row<NodeId>(raw_.next_node); }
    constexpr bool waits_for_memory() const noexcept { return raw_.waits_for_memory != 0; }
};

// A node in the window.
class LocalNode : public detail::View<gpusched_dgb_node> {
public:
    using View::View;
    constexpr NodeId node() const noexcept { return NodeId{raw_.node}; }
    constexpr NodeState state() const noexcept { return static_cast<NodeState>(raw_.state); }
    constexpr std::uint32_t parents() const noexcept { return raw_.parents; }
    constexpr std::uint32_t level() const noexcept { return raw_.level; }
    constexpr std::uint32_t start() const noexcept { return raw_.start; }
    constexpr bool childless() const noexcept { return raw_.childless != 0; }
};

using Stats = gpusched_dgb_stats;
using LocalNodes = List<LocalNode, gpusched_dgb_node>;
using NodeIds = List<NodeId, std::uint16_t>;
using Nodes = List<Node, std::uint64_t>;

// The machine ----------------------------------------------------------------------------------------------------------------

// The dependency-graph buffer alone, and the storage it lives in unless that is the caller's. Where a call takes an Error, a refusal
// of the buffer writes its details there.
class Buffer : public detail::Object<gpusched_dgb> {
public:
    Buffer() noexcept = default;

    // In storage of its own. Null: there is no memory.
    static Result<Buffer> create(const Config& config = Config()) noexcept {
        return make<Buffer>(config, gpusched_dgb_init);
    }
    // In the caller's storage, which must stay where it is and outlive the buffer.
    static Result<Buffer> create_in(Span<std::byte> storage, const Config& config) noexcept {
        return make_in<Buffer>(storage, config, gpusched_dgb_init);
    }
    // As the one that an image was saved of, in storage of its own.
    static Result<Buffer> from_image(Span<const std::byte> image) noexcept { return make_from<Buffer>(image); }

    static Result<Config> image_config(Span<const std::byte> image) noexcept {
        Config config;
        const Status status =
            gpusched_dgb_image_config(image.data(), image.size(), &config, sizeof(gpusched_dgb_config));
        return {status, config};
    }

    // Events.

    Status launch(const Header& graph, KernelSlot kde = KernelSlot{0}, Error* error = nullptr) noexcept {
        return gpusched_dgb_launch(c(), number(kde), &graph, Error::c(error));
    }
    // Empty if nothing is due.
    Result<std::optional<Request>> poll(Error* error = nullptr) noexcept {
        gpusched_graph_request request{};
        const Status status = gpusched_dgb_poll(c(), &request, Error::c(error));
        return {status, request.kind != 0 ? std::optional(Request(request)) : std::nullopt};
    }
    Result<Report> nodes(std::uint32_t tag, Span<const std::uint64_t> entries, Error* error = nullptr) noexcept {
        gpusched_graph_report report{};
        const Status status = gpusched_dgb_nodes(c(), tag, entries.data(), entries.size(), &report, Error::c(error));
        return {status, Report(report)};
    }
    Result<Report> edges(std::uint32_t tag, Span<const std::uint16_t> targets, Error* error = nullptr) noexcept {
        gpusched_graph_report report{};
        const Status status = gpusched_dgb_edges(c(), tag, targets.data(), targets.size(), &report, Error::c(error));
        return {status, Report(report)};
    }
    Result<Report> spilled(std::uint32_t tag, Error* error = nullptr) noexcept {
        gpusched_graph_report report{};
        const Status status = gpusched_dgb_spilled(c(), tag, &report, Error::c(error));
        return {status, Report(report)};
    }
    Result<Selection> select(const SmxSet& fits, Error* error = nullptr) noexcept {
        gpusched_dgb_selection selection{};
        const Status status = gpusched_dgb_select(c(), &fits.raw(), &selection, Error::c(error));
        return {status, Selection(selection)};
    }
    Result<Report> complete(NodeId node, Error* error = nullptr) noexcept {
        gpusched_graph_report report{};
        const Status status = gpusched_dgb_complete(c(), number(node), &report, Error::c(error));
        return {status, Report(report)};
    }
    // How many of its TBs still run.
    Result<std::uint32_t> abort() noexcept {
        std::uint32_t executing = 0;
        const Status status = gpusched_dgb_abort(c(), &executing);
        return {status, executing};
    }

    // Queries. Lists are written to a buffer; if it is too short the status is Capacity and the list holds what fits.

    Result<Config> config() const noexcept {
        Config config;
        const Status status = gpusched_dgb_get_config(c(), &config, sizeof(gpusched_dgb_config));
        return {status, config};
    }
    Result<State> state() const noexcept { return view<State, gpusched_dgb_state>(gpusched_dgb_get_state); }
    // NotLaunched: there was no graph, or it was aborted.
    Result<Header> graph() const noexcept { return ask<Header>(gpusched_dgb_get_graph); }
    Result<Stats> stats() const noexcept { return ask<Stats>(gpusched_dgb_get_stats); }
    Result<LocalNodes> resident(Span<gpusched_dgb_node> buffer) const noexcept {
        return list<LocalNodes>(gpusched_dgb_resident, buffer);
    }
    Result<NodeIds> resident_edges(Span<std::uint16_t> buffer) const noexcept {
        return list<NodeIds>(gpusched_dgb_resident_edges, buffer);
    }
    Result<NodeIds> pending_updates(Span<std::uint16_t> buffer) const noexcept {
        return list<NodeIds>(gpusched_dgb_pending_updates, buffer);
    }
    Result<Nodes> landed(Span<std::uint64_t> buffer) const noexcept { return list<Nodes>(gpusched_dgb_landed, buffer); }

    // Images.

    Result<std::size_t> image_size() const noexcept { return ask<std::size_t>(gpusched_dgb_image_size); }
    // The size of the image, also if the buffer is too small for it (ImageTooSmall).
    Result<std::size_t> save(Span<std::byte> image) const noexcept { return save_by(gpusched_dgb_save, image); }
    Status restore(Span<const std::byte> image) noexcept {
        return gpusched_dgb_restore(c(), image.data(), image.size());
    }
};

}  // namespace dgb
}  // namespace gpusched

#endif  // GPUSCHED_DGB_HPP
