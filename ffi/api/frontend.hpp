enum class Unit : std::uint32_t {
    Native = GPUSCHED_UNIT_NATIVE,
    Age = GPUSCHED_UNIT_AGE,
    Record = GPUSCHED_UNIT_RECORD,
    Restored = GPUSCHED_UNIT_RESTORED,
    None = GPUSCHED_UNIT_NONE,
    Unit = GPUSCHED_UNIT_UNIT,
    Node = GPUSCHED_UNIT_NODE,
};

using dgb::NodeId;

// How SMXs are numbered.
enum class Numbering : std::uint32_t {
    Gpc = GPUSCHED_NUMBERING_GPC,
    Interleaved = GPUSCHED_NUMBERING_INTERLEAVED,
};

// Layouts of GPUs: which SMXs lie in which GPC. In part they are guesses, as the sheet says.
enum class LayoutPreset : std::uint32_t {
    V100 = GPUSCHED_LAYOUT_PRESET_V100,
    A100 = GPUSCHED_LAYOUT_PRESET_A100,
    H100Sxm = GPUSCHED_LAYOUT_PRESET_H100_SXM,
    H100SxmEven = GPUSCHED_LAYOUT_PRESET_H100_SXM_EVEN,
    H100Pcie = GPUSCHED_LAYOUT_PRESET_H100_PCIE,
    H100Pcie7 = GPUSCHED_LAYOUT_PRESET_H100_PCIE7,
    H200 = GPUSCHED_LAYOUT_PRESET_H200,
    H100SxmMeasured = GPUSCHED_LAYOUT_PRESET_H100_SXM_MEASURED,
    H100PcieMeasured = GPUSCHED_LAYOUT_PRESET_H100_PCIE_MEASURED,
    H200Measured = GPUSCHED_LAYOUT_PRESET_H200_MEASURED,
};

// What a TB is part of, or where a group's information is.
struct Part {
    Unit unit = Unit::None;
    std::uint32_t row = 0;

    constexpr Part() noexcept = default;
    constexpr Part(std::uint32_t of, std::uint32_t number) noexcept : unit(static_cast<Unit>(of)), row(number) {}
    constexpr explicit Part(const gpusched_part& part) noexcept : Part(part.unit, part.row) {}

    constexpr std::optional<AgeId> age() const noexcept {
        return unit == Unit::Age ? std::optional(AgeId{row}) : std::nullopt;
    }
    // Also of a group in LaPerm's queues.
    constexpr std::optional<RecordId> record() const noexcept {
        return unit == Unit::Record || unit == Unit::Unit ? std::optional(RecordId{row}) : std::nullopt;
    }
};

// The name of an offer while it is made: an entry of the kernel distributor, a group by itself, or a piece that was split off.
enum class OfferId : std::uint32_t {};

constexpr OfferId offer(KernelSlot entry) noexcept { return OfferId{number(entry)}; }
constexpr OfferId offer(RecordId record) noexcept { return OfferId{GPUSCHED_OFFER_RECORD + number(record)}; }
constexpr OfferId offer(PieceId piece) noexcept { return OfferId{static_cast<std::uint32_t>(GPUSCHED_OFFER_PIECE) + number(piece)}; }

// When a unit became visible, and its number: no two units share it, and both only grow.
class UnitKey : public detail::View<gpusched_unit_key> {
public:
    using View::View;
    constexpr std::uint64_t ready() const noexcept { return raw_.ready; }
    constexpr std::uint64_t no() const noexcept { return raw_.no; }

    friend constexpr bool operator==(UnitKey a, UnitKey b) noexcept { return a.no() == b.no(); }
    friend constexpr bool operator!=(UnitKey a, UnitKey b) noexcept { return !(a == b); }
    friend constexpr bool operator<(UnitKey a, UnitKey b) noexcept { return a.no() < b.no(); }
};

// --- configuration
    Config with(Policy value) const noexcept { return with(&Config::policy, number(value)); }
    // LaPerm, by one of its policies.
    Config with(laperm::Policy value) const noexcept {
        return with(Policy::LaPerm).with(&Config::laperm_policy, number(value));
    }
    // The host as the policy, and what it is offered.
    Config with(Units value) const noexcept { return with(Policy::Told).with(&Config::told_units, number(value)); }
    // An occupancy-bubble controller.
    Config with_bubble() const noexcept { return with(&Config::bubble, 1); }
    // A dependency-graph buffer.
    Config with_dats() const noexcept { return with(&Config::dats, 1); }

    // SMXs that lie as in a GPU: n_smx, and in which GPC and TPC each is.
    Config with(LayoutPreset value) const noexcept {
        Config changed = *this;
        (void)gpusched_frontend_config_layout(&changed, number(value));
        return changed;
    }
    Config with(Numbering value) const noexcept { return with(&Config::topology_numbering, number(value)); }
    // One more GPC: the SMXs of each of its TPCs. One that cannot be is left out, so that check finds too few SMXs.
    Config with_gpc(Span<const std::uint32_t> tpcs) const noexcept {
        Config changed = *this;
        (void)gpusched_frontend_config_gpc(&changed, tpcs.data(), tpcs.size());
        return changed;
    }
    // Clusters of TBs, which need to know where SMXs lie; priorities of streams; contexts; draining and saving.
    Config with_clusters() const noexcept { return with(&Config::cluster, 1); }
    Config with_priorities() const noexcept { return with(&Config::priority, 1); }
    Config with_contexts(std::uint32_t contexts) const noexcept {
        return with(&Config::partition, 1).with(&Config::partition_contexts, contexts);
    }
    Config with_preemption() const noexcept { return with(&Config::preempt, 1); }

    // Without launch latencies. What check would refuse stays as it is.
    Config ideal() const noexcept {
        Config changed = *this;
        (void)gpusched_frontend_config_ideal(&changed);
        return changed;
    }

// --- types
// A kernel without registers, shared memory and parameters: set these fields if it has some.
constexpr Kernel kernel(std::uint64_t pc, Dim3 grid, Dim3 tb, std::uint64_t tag = 0) noexcept {
    return Kernel{pc, grid, tb, 0, 0, 0, {}, tag};
}

namespace detail {
inline gpusched_context_spec share(std::optional<std::uint32_t> quota, std::optional<std::uint32_t> kdes) noexcept {
    gpusched_context_spec spec{};
    spec.quota = quota.value_or(GPUSCHED_NONE);
    spec.kdes = kdes.value_or(GPUSCHED_NONE);
    return spec;
}
}  // namespace detail

// What a context is given: all SMXs, these, or those of these GPCs; a share of their threads in percent, and entries, where less than all.
inline ContextSpec context_spec(std::optional<std::uint32_t> quota = {}, std::optional<std::uint32_t> kdes = {}) noexcept {
    return ContextSpec(detail::share(quota, kdes));
}
inline ContextSpec context_spec(const SmxSet& smxs, std::optional<std::uint32_t> quota = {}, std::optional<std::uint32_t> kdes = {}) noexcept {
    gpusched_context_spec spec = detail::share(quota, kdes);
    spec.has_smxs = 1;
    spec.smxs = smxs.raw();
    return ContextSpec(spec);
}
inline ContextSpec context_spec(const GpcSet& gpcs, std::optional<std::uint32_t> quota = {}, std::optional<std::uint32_t> kdes = {}) noexcept {
    gpusched_context_spec spec = detail::share(quota, kdes);
    spec.has_gpcs = 1;
    spec.gpcs = gpcs.raw();
    return ContextSpec(spec);
}

// Whose TBs are to go: everybody's, a context's, a kernel's.
inline Victim everybody() noexcept { return Victim(gpusched_victim{number(VictimKind::All), 0, 0}); }
inline Victim victim(ContextId context) noexcept { return Victim(gpusched_victim{number(VictimKind::Context), number(context), 0}); }
inline Victim victim(KernelSlot entry) noexcept { return Victim(gpusched_victim{number(VictimKind::Kernel), 0, number(entry)}); }

// A unit with TBs to send.
class Offer : public detail::View<gpusched_offer> {
public:
    using View::View;
    constexpr OfferId id() const noexcept { return OfferId{raw_.id}; }
    // Its unit's place in tables: no other unit's until all TBs of this one have ended.
    constexpr std::uint32_t row() const noexcept { return raw_.row; }
    constexpr OfferKind kind() const noexcept { return static_cast<OfferKind>(raw_.kind); }
    constexpr std::uint64_t tag() const noexcept { return raw_.tag; }
    // What one TB takes.
    constexpr Resources res() const noexcept { return raw_.res; }
    // The next TB; none for a node that is not known.
    constexpr std::optional<std::uint32_t> blkid() const noexcept { return detail::row<std::uint32_t>(raw_.blkid); }
    // TBs still to be sent, of so many.
    constexpr std::uint32_t left() const noexcept { return raw_.left; }
    constexpr std::uint32_t total() const noexcept { return raw_.total; }
    constexpr std::uint32_t prio() const noexcept { return raw_.prio; }
    // SMX of the TB that launched it.
    constexpr std::optional<SmxId> psmx() const noexcept { return detail::row<SmxId>(raw_.psmx); }
    constexpr std::optional<ClassId> class_id() const noexcept { return detail::row<ClassId>(raw_.class_id); }
    constexpr std::uint32_t stream() const noexcept { return raw_.stream; }
    constexpr UnitKey key() const noexcept { return UnitKey(raw_.key); }
    // The key of the unit whose TB launched it.
    constexpr std::optional<UnitKey> parent() const noexcept {
        return raw_.parent.no == GPUSCHED_NEVER ? std::nullopt : std::optional(UnitKey(raw_.parent));
    }
    // SMXs on which nothing stands against its next TB; and those on which its class has its share.
    constexpr SmxSet open() const noexcept { return SmxSet(raw_.open); }
    constexpr SmxSet capped() const noexcept { return SmxSet(raw_.capped); }
    constexpr OfferLoad load() const noexcept { return static_cast<OfferLoad>(raw_.load); }
};

// Offers, or the first of them, and the one to go on with.
class Offers : public List<Offer, gpusched_offer> {
public:
    constexpr Offers() noexcept = default;
    constexpr Offers(const gpusched_offer* first, std::size_t count, std::uint32_t next) noexcept
        : List(first, count, count), next_(next) {}
    // None: there are no more.
    constexpr std::optional<OfferId> next() const noexcept { return detail::row<OfferId>(next_); }

private:
    std::uint32_t next_ = GPUSCHED_NONE;
};

using Trace = gpusched_trace;

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
    constexpr Part part() const noexcept { return {raw_.unit, raw_.group}; }
    // Tb of a dependency graph (its part's unit is Unit::Node), and GraphFault.
    constexpr NodeId node() const noexcept { return NodeId{raw_.blkid}; }
    // GraphFault.
    constexpr dgb::GraphFaultKind fault() const noexcept { return static_cast<dgb::GraphFaultKind>(raw_.detail); }
    // GraphAbort: TBs of the graph that still run.
    constexpr std::uint32_t executing() const noexcept { return raw_.blkid; }
    // Cluster: its number in the grid, its GPC, and its TBs, which follow at once.
    constexpr std::uint32_t cluster() const noexcept { return raw_.group; }
    constexpr GpcId gpc() const noexcept { return GpcId{raw_.detail}; }
    constexpr std::uint32_t tbs() const noexcept { return raw_.blkid; }
    // Drained and DrainEnd: the request.
    constexpr DrainId drain() const noexcept { return DrainId{raw_.detail}; }
    // KgraphStart and KgraphDone: the kernel graph, and what runs it; Issue from one: what runs it.
    constexpr KgraphId kgraph() const noexcept { return KgraphId{raw_.blkid}; }
    constexpr InstanceId instance() const noexcept {
        return InstanceId{kind() == Kind::Issue ? raw_.queue : raw_.detail};
    }
    // Save: the cycle in which the frozen TBs are taken off.
    constexpr std::uint64_t until() const noexcept { return raw_.tag; }
    // Restore: cycles until the TB starts.
    constexpr std::uint64_t cycles() const noexcept { return raw_.tag; }
    // Load: the launch record that is fetched.
    constexpr RecordId record() const noexcept { return RecordId{raw_.group}; }
    // Issue, HwqFree and KgraphStart.
    constexpr HwqId queue() const noexcept { return HwqId{raw_.queue}; }
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

using Decisions = List<Decision, gpusched_decision>;

// ---
    Result<Words> run(std::uint64_t until = never) noexcept {
        Words words{};
        const Status status = gpusched_frontend_run(c(), until, &words);
        return {status, words};
    }

    // What may be sent, as many as the buffer takes, from an offer on that was the next one; and of that what is open on an SMX, if one is
    // named.
    Result<Offers> offers(Span<gpusched_offer> buffer, std::optional<OfferId> from = std::nullopt,
                          std::optional<SmxId> smx = std::nullopt) const noexcept {
        std::size_t count = 0;
        std::uint32_t next = GPUSCHED_NONE;
        const Status status = gpusched_frontend_offers(c(), detail::number_or_none(from), detail::number_or_none(smx),
                                                       buffer.data(), buffer.size(), &count, &next);
        return {status, Offers(buffer.data(), count, next)};
    }

    // Ends the cycle. The host promises that it would send nothing until `wake`, or ever, unless something happens before; so next_event and
    // skip need not ask it.
    Result<Sched> end(std::optional<std::uint64_t> wake = std::nullopt) noexcept {
        std::uint32_t told = 0;
        const Status status = gpusched_frontend_end(c(), wake ? &*wake : nullptr, &told);
        return {status, static_cast<Sched>(told)};
    }

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

    // The last sample: to be read when there was a decision Kind::Sample.
    Result<bubble::Sample> bubble_record() const noexcept {
        return view<bubble::Sample, gpusched_bubble_record>(gpusched_frontend_bubble_record);
    }
