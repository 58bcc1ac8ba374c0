// attached.hpp: the front end of gpusched in the simulator's place. It hears what the simulator reports in the order that decides ties
// (frontend-O5), ticks once per core cycle, and its TBs start when the simulator has room for them.
//
//   A1  A kernel comes to the front end once its launch latency in the simulator is over, as a host kernel in a stream of its own: the
//       simulator's streams have already put kernels in line. Its entry in the list of running kernels is its stream; with more entries
//       than a front end has hardware queues, entries that are MOST_QUEUES apart share one.
//   A2  Reports of a cycle go in before its tick: launches of TBs that also end in it; ends by SMX and slot; answers from memory; activity;
//       other launches by SMX, slot, warp and thread; kernels from the host in the order in which they came.
//   A3  Launches of one warp in one cycle are one command of so many lanes.
//   A4  A TB that was sent waits at the door of its SM, in order, until the simulator has room, and the visit of Visits comes by. A refusal
//       is a stall: it changes no decision. It is counted, and logged when it begins.
//   A5  Default mode: a TB at the door needs an SM that is bound to its kernel, or that is empty and then is bound to it.
//   A6  A kernel that a TB launched is retired when those that its own TBs launched are, wherever they ran.
#ifndef GPUSCHED_GPGPUSIM_ATTACHED_HPP
#define GPUSCHED_GPGPUSIM_ATTACHED_HPP

#include <gpusched_gpgpusim/clocks.hpp>
#include <gpusched_gpgpusim/decisions.hpp>
#include <gpusched_gpgpusim/graphs.hpp>
#include <gpusched_gpgpusim/host.hpp>
#include <gpusched_gpgpusim/policy.hpp>
#include <gpusched_gpgpusim/settings.hpp>

#include <algorithm>
#include <deque>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace gpusched {
namespace gpgpusim {

// Hardware queues of a front end, at most: dtbl.n_hwq.
constexpr std::uint32_t MOST_QUEUES = 64;

// What an attached front end counts, besides its own statistics.
struct Counts {
    std::uint64_t cycles = 0;
    // TBs that had to wait at the door, cycles in which one did, summed over SMs, and the most that waited at once.
    std::uint64_t refused = 0, refused_cycles = 0, most_waiting = 0;
    // Launches by TBs: taken, and left to the simulator because no launch record was free.
    std::uint64_t launches = 0, launches_left = 0;
};

template <class Host>
class Attached {
public:
    using Kernel = typename Host::Kernel;

    // A TB that was sent to an SM.
    struct Sent {
        Kernel kernel;
        std::uint64_t uid;
        std::uint32_t tb, slot;
        bool bypass, refused;
    };

    Attached(Host& host, const Machine& machine, const Settings& settings, Log& log)
        : host_(host), machine_(machine), settings_(settings), log_(log), visits_(machine), doors_(machine.sms()),
          clocks_(machine.sms(), settings.config.bubble_f_high_mhz, settings.config.bubble_f_low_mhz), graphs_(settings.graph_latency),
          smxs_(machine.sms()), activity_(machine.sms()) {}

    // Empty, or why it cannot be.
    std::string begin(const Config& config) {
        config_ = config;
        auto made = FrontEnd::create(config);
        if (!made) return std::string("the front end: ") + made.status().text();
        gpu_ = *std::move(made);
        if (settings_.decider == nullptr) return {};
        std::string why;
        auto chooser = settings_.decider->start(Facts(machine_, config), why);
        if (chooser == nullptr) return settings_.decider->name() + ": " + why;
        deciding_.emplace(std::move(chooser), config);
        return {};
    }
    // The front end as the settings and the simulator make it.
    static Config configure(const Machine& machine, const Settings& settings) {
        Config c = settings.config;
        c.n_smx = machine.sms();
        c.tb_slots = machine.tb_slots;
        c.threads = machine.threads;
        c.regs = machine.regs;
        c.smem = machine.smem;
        c.warp = machine.warp;
        // A1: not a property of the GPU here.
        if (!settings.is_set("dtbl.n_hwq")) c.n_hwq = std::max(c.n_hwq, std::min(machine.kernels, MOST_QUEUES));
        c.n_class = std::max(c.n_class, static_cast<std::uint32_t>(settings.limits.size()));
        c.laperm_model = number(settings.device == Device::Kernels ? laperm::Model::Cdp : laperm::Model::Dtbl);
        if (c.bubble != 0) c.bubble_enabled = 1;
        c.dats = settings.graphs.empty() ? 0 : 1;
        if (settings.decider != nullptr) c = c.with(settings.decider->units());
        if (settings.decider != nullptr && settings.decider->splits() && !settings.is_set("told.split_cap")) c.told_split_cap = 65535;
        // An SM that is bound to a kernel has no use for TBs of others.
        if (!machine.concurrent && !settings.is_set("dtbl.exclusive")) c.exclusive = 1;
        return settings.ideal ? c.ideal() : c;
    }

    void arrived(Kernel kernel, unsigned entry) { arrivals_.push_back({kernel, entry}); }

    // False: it is the simulator's.
    bool launch(std::uint32_t sm, std::uint32_t slot, std::uint32_t warp, std::uint32_t thread, std::uint64_t parent, std::uint32_t parent_tb,
                Kernel child) {
        if (*gpu_.records_in_use() + launches_.size() >= config_.pend_limit) {
            counts_.launches_left++;
            return false;
        }
        counts_.launches++;
        launches_.push_back({sm, slot, warp, thread, parent, parent_tb, child});
        taken_.emplace(host_.uid(child), Taken{child, false});
        return true;
    }

    void child_done(std::uint64_t parent) {
        const auto found = taken_.find(parent);
        if (found != taken_.end() && found->second.is_over) retire(found->second.kernel);
    }

    void ended(std::uint32_t sm, std::uint32_t slot, std::uint32_t hw_slot, std::uint64_t uid, std::uint32_t tb) {
        ends_.push_back({sm, slot, hw_slot, uid, tb});
    }

    // `starting(sm, sent)` hears of each TB before it is issued.
    template <class Starting>
    void cycle(std::uint64_t now, Starting&& starting) {
        if (counts_.cycles++ == 0) base_ = now;
        catch_up(now);
        if (report(now) && tick(now)) place(now, starting);
        for (const Kernel kernel : retired_) retire(kernel);
        retired_.clear();
    }

    bool edge(std::uint32_t sm) { return clocks_.edge(sm); }
    bool busy() const { return !kernels_.empty() || !launches_.empty() || !arrivals_.empty(); }
    const Counts& counts() const { return counts_; }
    // Null: nobody decides in the front end's place.
    const Deciding* deciding() const { return deciding_ ? &*deciding_ : nullptr; }
    FrontEnd& front_end() { return gpu_; }
    const FrontEnd& front_end() const { return gpu_; }
    // Before the kernel arrives.
    void give_graph(std::uint64_t uid, dgb::Graph graph) { graphs_.add(uid, std::move(graph)); }

private:
    struct Arrival {
        Kernel kernel;
        std::uint32_t entry;
    };
    struct Launch {
        std::uint32_t sm, slot, warp, thread;
        std::uint64_t parent;
        std::uint32_t parent_tb;
        Kernel kernel;

        auto warp_key() const { return std::tuple(sm, slot, warp); }
        auto key() const { return std::tuple(sm, slot, warp, thread); }
    };
    struct End {
        std::uint32_t sm, slot, hw_slot;
        std::uint64_t uid;
        std::uint32_t tb;

        auto key() const { return std::tuple(sm, slot); }
    };
    // A kernel or group that has not ended, by uid.
    struct Info {
        Kernel kernel;
        std::uint64_t tbs, ended;
        bool has_graph;
        std::string name;
    };

    struct Taken {
        Kernel kernel;
        // All its TBs have ended.
        bool is_over;
    };

    bool fail(const std::string& why) {
        failed_ = true;
        host_.fail("gpusched: " + why);
        return false;
    }
    bool check(Status status, const std::string& what) {
        return status ? true : fail(what + ": " + status.text() + " (" + status.name() + ')');
    }

    // Cycles that the simulator did not show.
    void catch_up(std::uint64_t now) {
        while (!failed_ && *gpu_.now() < now - base_) {
            if (deciding_) {
                if (!check(deciding_->cycle(gpu_, now - base_).status(), "idle cycles") || !obey()) return;
                continue;
            }
            const auto words = gpu_.advance(now - base_);
            if (!check(words.status(), "idle cycles") || !obey()) return;
        }
    }

    // A2
    bool report(std::uint64_t now) {
        if (failed_) return false;
        std::sort(ends_.begin(), ends_.end(), [](const End& a, const End& b) { return a.key() < b.key(); });
        std::sort(launches_.begin(), launches_.end(), [](const Launch& a, const Launch& b) { return a.key() < b.key(); });
        const auto ends_too = [&](const Launch& launch) {
            const End of{launch.sm, launch.slot, 0, 0, 0};
            return std::binary_search(ends_.begin(), ends_.end(), of, [](const End& a, const End& b) { return a.key() < b.key(); });
        };
        const auto later = std::stable_partition(launches_.begin(), launches_.end(), ends_too);
        if (!command(now, launches_.begin(), later)) return false;
        for (const End& end : ends_) {
            Info& info = kernels_.at(end.uid);
            log_.event(now, "end", {end.uid, end.tb, end.sm, end.hw_slot});
            if (++info.ended == info.tbs) log_.event(now, "done", {end.uid, {}, {}, {}});
            if (deciding_ && !check(deciding_->done(gpu_, SmxId{end.sm}, SlotId{end.slot}), "a TB that ended")) return false;
            if (!check(gpu_.tb_done(SmxId{end.sm}, SlotId{end.slot}), "a TB that ended")) return false;
        }
        ends_.clear();
        if (config_.dats != 0 && !check(graphs_.cycle(gpu_, now), "a dependency graph")) return false;
        if (config_.bubble != 0 && *gpu_.next_sample() == *gpu_.now()) {
            for (std::uint32_t sm = 0; sm < activity_.size(); sm++) activity_[sm] = std::min<std::uint16_t>(host_.activity(sm), 1000);
            if (!check(gpu_.activity(activity_), "activity")) return false;
        }
        if (!command(now, later, launches_.end())) return false;
        launches_.clear();
        return admit(now);
    }

    // A3
    template <class At>
    bool command(std::uint64_t now, At at, At end) {
        while (at != end) {
            const At first = at;
            lanes_.clear();
            for (; at != end && at->warp_key() == first->warp_key() && lanes_.size() < machine_.warp; ++at) {
                const Shape shape = host_.shape(at->kernel);
                const std::uint64_t uid = host_.uid(at->kernel);
                log_.event(now, "launch", {uid, at->parent_tb, at->sm, at->slot}, "parent", at->parent, "as",
                           settings_.device == Device::Groups ? "group" : "kernel", "tbs", shape.tbs(), "threads", shape.threads(), "name",
                           Log::name(shape.name));
                kernels_.emplace(uid, Info{at->kernel, shape.tbs(), 0, false, shape.name});
                lanes_.push_back(Group{front_end_kernel(shape, machine_.warp, uid), at->thread});
                bind_class(shape.name, lanes_.back().kernel.pc);
            }
            const SmxId smx{first->sm};
            const SlotId slot{first->slot};
            const std::string what = "a launch by TB " + std::to_string(first->parent_tb) + " of kernel " + std::to_string(first->parent);
            if (settings_.device == Device::Groups) {
                if (!check(gpu_.agg_launch(smx, slot, lanes_), what)) return false;
                continue;
            }
            std::vector<gpusched::Kernel> kernels;
            for (const Group& lane : lanes_) kernels.push_back(lane.kernel);
            if (!check(gpu_.device_launch(smx, slot, kernels), what)) return false;
        }
        return true;
    }

    // A1
    bool admit(std::uint64_t now) {
        std::size_t kept = 0;
        for (const Arrival& arrival : arrivals_) {
            if (!host_.ready(arrival.kernel)) {
                arrivals_[kept++] = arrival;
                continue;
            }
            if (!launch_from_host(now, arrival)) return false;
        }
        arrivals_.resize(kept);
        return true;
    }

    bool launch_from_host(std::uint64_t now, const Arrival& arrival) {
        const Shape shape = host_.shape(arrival.kernel);
        const std::uint64_t uid = host_.uid(arrival.kernel);
        const std::string what = "kernel " + std::to_string(uid) + " (" + shape.name + ')';
        log_.event(now, "kernel", {uid, {}, {}, {}}, "tbs", shape.tbs(), "threads", shape.threads(), "name", Log::name(shape.name));
        const gpusched::Kernel kernel = front_end_kernel(shape, machine_.warp, uid);
        bind_class(shape.name, kernel.pc);
        if (!find_graph(uid, shape, what)) return false;
        const dgb::Graph* const graph = graphs_.of(uid);
        kernels_.emplace(uid, Info{arrival.kernel, shape.tbs(), 0, graph != nullptr, shape.name});
        const std::uint32_t queue = arrival.entry % config_.n_hwq;
        if (graph == nullptr) return check(gpu_.host_launch(queue, kernel).status(), what);
        return check(gpu_.host_launch_graph(queue, kernel, false, Graphs::header(uid, *graph)).status(), what);
    }

    bool find_graph(std::uint64_t uid, const Shape& shape, const std::string& what) {
        const auto named = settings_.graphs.find(shape.name);
        if (named == settings_.graphs.end()) return true;
        if (named->second == "given") {
            if (graphs_.of(uid) == nullptr) return fail(what + ": no graph was given before it arrived");
        } else if (named->second == "wavefront") {
            auto graph = wavefront(shape.grid, settings_.graph_policy);
            if (!check(graph.status(), what + ": its wavefront")) return false;
            graphs_.add(uid, *std::move(graph));
        } else {
            std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
            std::string why;
            std::uint32_t cycle = 0;
            if (!read_edges(named->second, shape.tbs(), edges, why)) return fail(what + ": " + why);
            auto graph = graph_of_edges(shape.grid, std::move(edges), settings_.graph_policy, &cycle);
            if (!graph && graph.status() == Code::Cycle) return fail(what + ": " + named->second + ": TB " + std::to_string(cycle) + " waits for itself");
            if (!check(graph.status(), what + ": " + named->second)) return false;
            graphs_.add(uid, *std::move(graph));
        }
        const dgb::Graph& graph = *graphs_.of(uid);
        std::vector<std::uint32_t> scratch(graph.nodes().size());
        const auto verdict = dgb::admit(*gpu_.dgb_config(), graph.nodes(), graph.edges(), scratch);
        if (!check(verdict.status(), what + ": its graph")) return false;
        if (verdict->verdict() == dgb::Verdict::Safe || verdict->verdict() == dgb::Verdict::MayDeadlock) return true;
        return fail(what + ": its graph cannot run on this buffer; enlarge dats.lna, dats.lea, dats.pub, or set dats.spill");
    }

    // A kernel with limits takes a class of gate K when it is first seen.
    void bind_class(const std::string& name, std::uint64_t pc) {
        if (settings_.limits.empty()) return;
        const auto limit = settings_.limits.find(name);
        if (limit == settings_.limits.end() || !classes_.emplace(name, pc).second) return;
        const ClassId cls{static_cast<std::uint32_t>(classes_.size() - 1)};
        if (!check(gpu_.set_class(cls, pc), "limits." + name)) return;
        for (std::uint32_t sm = 0; sm < machine_.sms(); sm++) {
            const std::uint32_t cap = std::min(limit->second.tbs, machine_.tb_slots);
            (void)gpu_.set_class_cap(cls, SmxId{sm}, cap, std::min(limit->second.bypass, cap));
        }
    }

    bool tick(std::uint64_t now) {
        const auto word = deciding_ ? deciding_->cycle(gpu_, now - base_ + 1) : ticked();
        if (!check(word.status(), "cycle " + std::to_string(now)) || !obey()) return false;
        if (*word == gpusched::Sched::GraphDeadlock && gpu_.dgb_state()->executing() == 0) return fail("a dependency graph can never go on: its buffer is too small; see docs/graphs.md");
        return true;
    }

    Result<gpusched::Sched> ticked() {
        const auto did = gpu_.tick();
        return {did.status(), did->sched()};
    }

    bool obey() {
        const auto decisions = gpu_.take();
        if (!check(decisions.status(), "decisions")) return false;
        for (const Decision d : *decisions) {
            if (!obey(d)) return false;
        }
        return true;
    }

    bool obey(const Decision& d) {
        const std::uint64_t cycle = base_ + d.cycle();
        std::uint32_t tb = d.blkid();
        if (d.kind() == Kind::Tb) {
            const Info& info = kernels_.at(d.tag());
            if (d.part().unit == Unit::Node) tb = graphs_.of(d.tag())->tb(d.node());
            doors_[number(d.smx())].push_back({info.kernel, d.tag(), tb, number(d.slot()), false, false});
            counts_.most_waiting = std::max(counts_.most_waiting, ++waiting_);
        }
        write(log_, cycle, d, tb);
        switch (d.kind()) {
        case Kind::Bypass: doors_[number(d.smx())].back().bypass = true; break;
        case Kind::Sample: sampled(cycle); break;
        case Kind::KernelDone:
        case Kind::GroupDone: forget(d.tag()); break;
        case Kind::GraphFault: return fail("the dependency graph of the kernel in entry " + std::to_string(number(d.kde())) + " contradicts itself");
        default: break;
        }
        return true;
    }

    // A6
    void retire(Kernel kernel) {
        const auto found = taken_.find(host_.uid(kernel));
        if (found != taken_.end()) {
            found->second.is_over = true;
            if (host_.has_children(kernel)) return;
            taken_.erase(found);
        }
        host_.retire(kernel);
    }

    void forget(std::uint64_t uid) {
        const auto found = kernels_.find(uid);
        if (settings_.device != Device::Simulator) retired_.push_back(found->second.kernel);
        if (found->second.has_graph) graphs_.drop(uid);
        kernels_.erase(found);
    }

    // What the bubble controller changed.
    void sampled(std::uint64_t cycle) {
        const SmxSet eligible = *gpu_.eligible();
        for (std::uint32_t sm = 0; sm < smxs_.size(); sm++) {
            const SmxId smx{sm};
            const Smx now{eligible.contains(smx), *gpu_.bubble_pstate(smx)};
            const Columns where{{}, {}, sm, {}};
            if (now.eligible != smxs_[sm].eligible) log_.event(cycle, now.eligible ? "admit" : "divert", where);
            if (now.pstate != smxs_[sm].pstate) {
                const char* const states[] = {"high", "down", "low", "up"};
                log_.event(cycle, "pstate", where, "to", states[number(now.pstate)]);
                clocks_.set(sm, now.pstate);
            }
            smxs_[sm] = now;
        }
    }

    // A4
    template <class Starting>
    void place(std::uint64_t now, Starting&& starting) {
        if (waiting_ == 0) return;
        visits_.cycle([&](std::uint32_t sm) {
            auto& door = doors_[sm];
            if (door.empty()) return false;
            Sent& sent = door.front();
            if (!fits(sm, sent.kernel)) {
                counts_.refused_cycles++;
                if (!sent.refused) {
                    counts_.refused++;
                    log_.event(now, "refuse", {sent.uid, sent.tb, sm, {}});
                }
                sent.refused = true;
                return false;
            }
            const Sent starts = sent;
            door.pop_front();
            waiting_--;
            starting(sm, starts);
            host_.issue(sm, starts.kernel, starts.tb);
            return true;
        });
    }

    bool fits(std::uint32_t sm, Kernel kernel) {
        if (!machine_.concurrent && host_.bound(sm) != kernel) {  // A5
            if (!host_.is_empty(sm)) return false;
            host_.bind(sm, kernel);
        }
        return host_.can_issue(sm, kernel);
    }

    struct Smx {
        bool eligible = true;
        bubble::PState pstate = bubble::PState::High;
    };

    Host& host_;
    const Machine machine_;
    const Settings& settings_;
    Log& log_;
    Config config_;
    FrontEnd gpu_;
    std::optional<Deciding> deciding_;
    Visits visits_;
    // By SM: TBs that were sent and have not started.
    std::vector<std::deque<Sent>> doors_;
    std::uint64_t waiting_ = 0;
    Clocks clocks_;
    Graphs graphs_;
    std::vector<Smx> smxs_;
    std::vector<std::uint16_t> activity_;
    std::unordered_map<std::uint64_t, Info> kernels_;
    // Launches taken from the simulator and not yet retired, by uid.
    std::unordered_map<std::uint64_t, Taken> taken_;
    // Kernels with limits: their classes are numbered in this order of arrival.
    std::map<std::string, std::uint64_t> classes_;
    // Of this cycle.
    std::vector<Arrival> arrivals_;
    std::vector<Launch> launches_;
    std::vector<End> ends_;
    std::vector<Group> lanes_;
    std::vector<Kernel> retired_;
    Counts counts_;
    // The simulator's cycle that is the front end's first.
    std::uint64_t base_ = 0;
    bool failed_ = false;
};

}  // namespace gpgpusim
}  // namespace gpusched

#endif  // GPUSCHED_GPGPUSIM_ATTACHED_HPP
