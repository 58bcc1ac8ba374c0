// The reference: a front end that is driven directly, without the adapter. It runs a program on a GPU that is nothing but the front end's
// own slots, and is told when kernels come from the host; TBs, launches, clocks and graphs it plays by itself.
#ifndef DIRECT_HPP
#define DIRECT_HPP

#include "program.hpp"
#include "simulator.hpp"

#include <deque>
#include <map>

namespace test {

using namespace gpusched;

class Direct {
public:
    Direct(const Program& program, const gpgpusim::Settings& settings, const std::string& log) : program_(program), settings_(settings) {
        config_ = gpgpusim::Attached<Simulator>::configure(program.machine, settings);
        gpu_ = *FrontEnd::create(config_);
        smxs_.resize(program.machine.sms());
        (void)log_.open(log);
    }

    // Until this cycle, with these arrivals.
    bool run(std::uint64_t cycles, const std::vector<Simulator::Arrival>& arrivals) {
        auto next = arrivals.begin();
        for (now_ = 1; now_ <= cycles; now_++) {
            std::vector<At> enders, others, ends;
            execute(enders, others, ends);
            if (!launch(enders)) return false;
            for (const At& at : ends) {
                if (!gpu_.tb_done(SmxId{at.first}, SlotId{at.second})) return false;
                running_.erase(at);
            }
            if (config_.dats != 0 && !memory()) return false;
            if (config_.bubble != 0 && *gpu_.next_sample() == *gpu_.now() && !activity()) return false;
            if (!launch(others)) return false;
            for (; next != arrivals.end() && next->cycle == now_; ++next) {
                if (!arrive(*next)) return false;
            }
            if (!gpu_.tick()) return false;
            for (const Decision d : *gpu_.take()) obey(d);
        }
        return true;
    }

    std::uint64_t tbs() const { return tbs_; }

private:
    // SMX and slot.
    using At = std::pair<std::uint32_t, std::uint32_t>;
    struct Running {
        Job job;
        std::uint32_t tb = 0, executed = 0, work = 0;
        std::vector<Command> commands;
    };
    struct Smx {
        bool slow = false;
        std::uint32_t phase = 0;
        std::uint64_t active = 0, asked = 0;
    };
    struct Graph {
        std::vector<std::uint64_t> nodes;
        dgb::Graph graph;
    };
    struct Asked {
        std::uint64_t due, of;
        dgb::Request request;
    };

    void execute(std::vector<At>& enders, std::vector<At>& others, std::vector<At>& ends) {
        std::vector<bool> edge(smxs_.size());
        for (std::uint32_t i = 0; i < smxs_.size(); i++) {
            Smx& smx = smxs_[i];
            edge[i] = !smx.slow;
            if (smx.slow && (smx.phase += config_.bubble_f_low_mhz) >= config_.bubble_f_high_mhz) smx.phase -= config_.bubble_f_high_mhz, edge[i] = true;
            const auto first = running_.lower_bound({i, 0});
            if (edge[i] && first != running_.end() && first->first.first == i) smx.active++;
        }
        for (auto& [at, tb] : running_) {
            if (!edge[at.first]) continue;
            tb.executed++;
            bool launches = false;
            for (const Command& c : tb.commands) launches = launches || c.at == tb.executed;
            if (launches && settings_.device != gpgpusim::Device::Simulator) (tb.executed == tb.work ? enders : others).push_back(at);
            if (tb.executed == tb.work) ends.push_back(at);
        }
    }

    bool launch(const std::vector<At>& parents) {
        for (const At& at : parents) {
            const Running& tb = running_.at(at);
            for (const Command& c : tb.commands) {
                if (c.at == tb.executed && !launch(at, c)) return false;
            }
        }
        return true;
    }
    bool launch(const At& at, const Command& c) {
        std::vector<Group> groups;
        std::vector<gpusched::Kernel> kernels;
        for (const auto& lane : c.lanes) {
            jobs_[lane.job.path] = lane.job;
            kernels.push_back(gpgpusim::front_end_kernel(lane.job.shape, 32, lane.job.path));
            groups.push_back({kernels.back(), lane.thread});
            limit(lane.job.shape.name, kernels.back().pc);
        }
        const SmxId smx{at.first};
        const SlotId slot{at.second};
        return settings_.device == gpgpusim::Device::Groups ? gpu_.agg_launch(smx, slot, groups).ok() : gpu_.device_launch(smx, slot, kernels).ok();
    }

    void limit(const std::string& name, std::uint64_t pc) {
        const auto limit = settings_.limits.find(name);
        if (limit == settings_.limits.end() || !limited_.emplace(name, true).second) return;
        const ClassId cls{static_cast<std::uint32_t>(limited_.size() - 1)};
        (void)gpu_.set_class(cls, pc);
        const std::uint32_t cap = std::min(limit->second.tbs, config_.tb_slots);
        for (std::uint32_t i = 0; i < config_.n_smx; i++) (void)gpu_.set_class_cap(cls, SmxId{i}, cap, std::min(cap, limit->second.bypass));
    }

    bool arrive(const Simulator::Arrival& arrival) {
        const Job& job = jobs_[arrival.job.path] = arrival.job;
        const gpusched::Kernel kernel = gpgpusim::front_end_kernel(job.shape, 32, job.path);
        limit(job.shape.name, kernel.pc);
        if (settings_.graphs.find(job.shape.name) == settings_.graphs.end()) return gpu_.host_launch(arrival.entry, kernel).ok();
        auto graph = dgb::build(job.shape.grid, 2 * static_cast<std::uint32_t>(job.shape.tbs()), [&](Dim3 tb, dgb::Links& links) {
            links.set_policy(settings_.graph_policy);
            links.add_dependency(std::int64_t{tb.x} - 1, tb.y);
            links.add_dependency(tb.x, std::int64_t{tb.y} - 1);
        });
        if (!graph) return false;
        const std::uint64_t base = (job.path & 0x7ffffff) << 36;
        const bool launched = gpu_.host_launch_graph(arrival.entry, kernel, false, graph->header(base, base + (std::uint64_t{1} << 35))).ok();
        graphs_.emplace(job.path, Graph{{graph->nodes().begin(), graph->nodes().end()}, *std::move(graph)});
        return launched;
    }

    bool memory() {
        while (!asked_.empty() && asked_.front().due <= now_) {
            if (!answer(asked_.front())) return false;
            asked_.pop_front();
        }
        while (const auto request = *gpu_.graph_poll()) {
            asked_.push_back({now_ + settings_.graph_latency, gpu_.kde(**gpu_.dgb_owner())->tag(), *request});
            if (settings_.graph_latency > 0) continue;
            if (!answer(asked_.back())) return false;
            asked_.pop_back();
        }
        return true;
    }
    bool answer(const Asked& asked) {
        Graph& graph = graphs_.at(asked.of);
        const dgb::Request& r = asked.request;
        if (r.kind() == dgb::Kind::Edges) return gpu_.graph_edges(r.tag(), dgb::asked(r, graph.graph.edges())).ok();
        if (r.kind() == dgb::Kind::Nodes) return gpu_.graph_nodes(r.tag(), dgb::asked(r, Span<const std::uint64_t>(graph.nodes))).ok();
        graph.nodes[number(r.node())] -= GPUSCHED_ONE_PARENT;
        return gpu_.graph_spilled(r.tag()).ok();
    }

    bool activity() {
        std::vector<std::uint16_t> shares;
        for (Smx& smx : smxs_) {
            shares.push_back(static_cast<std::uint16_t>(std::min<std::uint64_t>(1000, 1000 * smx.active / std::max<std::uint64_t>(now_ - smx.asked, 1))));
            smx.active = 0, smx.asked = now_;
        }
        return gpu_.activity(shares).ok();
    }

    void obey(const Decision& d) {
        std::uint32_t index = d.blkid();
        if (d.kind() == Kind::Tb) {
            const Job& job = jobs_.at(d.tag());
            if (d.part().unit == Unit::Node) index = graphs_.at(d.tag()).graph.order()[d.blkid()];
            running_[{number(d.smx()), number(d.slot())}] = {job, index, 0, program_.work(job, index), program_.commands(job, index)};
            tbs_++;
        }
        gpgpusim::write(log_, now_, d, index);
        if (d.kind() != Kind::Sample) return;
        for (std::uint32_t i = 0; i < smxs_.size(); i++) {
            const auto state = *gpu_.bubble_pstate(SmxId{i});
            const bool slow = state == bubble::PState::Low || state == bubble::PState::Up;
            if (slow != smxs_[i].slow) smxs_[i].slow = slow, smxs_[i].phase = 0;
        }
    }

    const Program& program_;
    const gpgpusim::Settings& settings_;
    Config config_;
    FrontEnd gpu_;
    gpgpusim::Log log_;
    std::uint64_t now_ = 0, tbs_ = 0;
    std::map<At, Running> running_;
    std::vector<Smx> smxs_;
    // By path.
    std::map<std::uint64_t, Job> jobs_;
    std::map<std::uint64_t, Graph> graphs_;
    std::map<std::string, bool> limited_;
    std::deque<Asked> asked_;
};

}  // namespace test

#endif  // DIRECT_HPP
