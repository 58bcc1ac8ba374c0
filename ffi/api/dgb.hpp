// In which order ready nodes are dispatched.
class Policy {
public:
    // Local round robin: a ready node may run, however far it is ahead.
    constexpr Policy() noexcept = default;
    static constexpr Policy lrr() noexcept { return Policy(); }
    // Nodes that run are at most so many levels apart.
    static constexpr Policy lvl(std::uint32_t bound) noexcept { return Policy(bound); }
    // As C has it.
    constexpr explicit Policy(std::uint32_t raw) noexcept : raw_(raw) {}
    constexpr std::uint32_t raw() const noexcept { return raw_; }
    // Empty under LRR.
    constexpr std::optional<std::uint32_t> bound() const noexcept {
        return raw_ == GPUSCHED_NONE ? std::nullopt : std::optional(raw_);
    }

private:
    std::uint32_t raw_ = GPUSCHED_NONE;
};

// An entry of the node array.
class Node {
public:
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
    std::uint64_t bits_;
};

// The part of an array that a request asks for.
template <class T>
constexpr Span<T> asked(const Request& request, Span<T> array) noexcept {
    return {array.data() + request.first(), request.count()};
}

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
    Status add_dependency(std::int64_t x, std::int64_t y, std::int64_t z = 0) noexcept {
        return gpusched_graph_builder_add_dependency(c(), x, y, z);
    }
    Status set_policy(Policy policy) noexcept { return gpusched_graph_builder_set_policy(c(), policy.raw()); }
    Status advance() noexcept { return gpusched_graph_builder_advance(c()); }
    // Uses the builder up; the graph takes its storage along. Cycle: a TB on it or behind it is told.
    Result<Graph> finish(std::uint32_t* tb = nullptr) && noexcept;

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

// A dependency graph in memory, ready to be launched, and the storage it lies in unless that is the caller's.
class Graph {
public:
    Graph() noexcept = default;

    Span<const std::uint64_t> nodes() const noexcept { return {raw_.nodes, raw_.header.v}; }
    Span<const std::uint16_t> edges() const noexcept { return {raw_.edges, raw_.header.e}; }
    // The linear index of each node's TB.
    Span<const std::uint16_t> order() const noexcept { return {raw_.order, raw_.header.v}; }
    std::uint32_t tb(NodeId node) const noexcept { return raw_.order[number(node)]; }
    Policy policy() const noexcept { return Policy(raw_.header.policy); }
    std::uint32_t levels() const noexcept { return raw_.levels; }
    // What a launch says of it, with the addresses where the arrays lie.
    Header header(std::uint64_t node_base, std::uint64_t edge_base) const noexcept {
        return Header{node_base, edge_base, raw_.header.v, raw_.header.e, raw_.header.policy};
    }

private:
    friend class GraphBuilder;
    Graph(GraphBuilder storage, const gpusched_graph& raw) noexcept : storage_(std::move(storage)), raw_(raw) {}

    GraphBuilder storage_;
    gpusched_graph raw_{};
};

inline Result<Graph> GraphBuilder::finish(std::uint32_t* tb) && noexcept {
    gpusched_graph graph{};
    const Status status = gpusched_graph_builder_finish(c(), &graph, tb);
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
Result<Graph> build(const Dim3& grid, std::uint32_t max_edges, Mapping&& mapping, std::uint32_t* tb = nullptr) {
    auto builder = GraphBuilder::create(grid, max_edges);
    if (!builder) return builder.status();
    Links links(*builder);
    while (const auto block = builder->block()) {
        mapping(*block, links);
        if (!links.status()) return links.status();
        if (const Status next = builder->advance(); !next) return next;
    }
    return std::move(*builder).finish(tb);
}

// Whether a graph can deadlock the buffer. Needs a counter per node; Capacity: there are fewer.
inline Result<Admission> admit(const Config& config, Span<const std::uint64_t> nodes, Span<const std::uint16_t> edges,
                               Span<std::uint32_t> scratch) noexcept {
    const auto count = [](std::size_t n) { return n > GPUSCHED_NONE ? GPUSCHED_NONE : static_cast<std::uint32_t>(n); };
    if (scratch.size() < nodes.size()) return Status(Code::Capacity);
    gpusched_dgb_admission told{};
    const Status status = gpusched_admit(&config, nodes.data(), count(nodes.size()), edges.data(), count(edges.size()),
                                         scratch.data(), &told);
    return {status, Admission(told)};
}

// ---
