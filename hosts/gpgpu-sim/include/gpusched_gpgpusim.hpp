// gpusched_gpgpusim.hpp: gpusched in GPGPU-Sim or Accel-Sim. C++17, header only, over gpusched.hpp; no header of the simulator is needed to
// compile it. One new file of the simulator includes it: it describes the simulator to the adapter (host.hpp says how) and makes one
// Adapter, which the simulator's own files call through seam.hpp. README.md shows that file, and docs/ has a page per attachment.
//
//   gpusched::gpgpusim::Settings settings;
//   if (!settings.read("gpusched.toml")) fail(settings.error());
//   gpu->m_sched = new gpusched::gpgpusim::Adapter<Host>(host, machine, settings);
#ifndef GPUSCHED_GPGPUSIM_HPP
#define GPUSCHED_GPGPUSIM_HPP

#include <gpusched_gpgpusim/attached.hpp>
#include <gpusched_gpgpusim/seam.hpp>
#include <gpusched_gpgpusim/stock.hpp>

#include <cinttypes>

namespace gpusched {
namespace gpgpusim {

template <class Host>
class Adapter : public Seam<typename Host::Kernel> {
public:
    using Kernel = typename Host::Kernel;

    // Settings that do not go together are told to host.fail; then nothing is ever dispatched.
    Adapter(Host& host, const Machine& machine, Settings settings)
        : host_(host), machine_(machine), settings_(std::move(settings)), stock_(host, machine),
          attached_(host, machine, settings_, log_), residents_(std::size_t{machine.sms()} * machine.tb_slots) {
        const std::string why = begin();
        if (why.empty()) return;
        failed_ = true;
        host_.fail("gpusched: " + why);
    }
    Adapter(const Adapter&) = delete;
    Adapter& operator=(const Adapter&) = delete;

    void kernel_arrived(Kernel kernel, unsigned entry) override {
        if (attaches()) return attached_.arrived(kernel, entry);
        const Shape shape = host_.shape(kernel);
        const std::uint64_t uid = host_.uid(kernel);
        arrived_.push_back({uid, shape.tbs(), shape.threads(), Log::name(shape.name)});
        left_[uid] = shape.tbs();
    }

    void dispatch(unsigned long long now) override {
        if (failed_) return;
        now_ = now;
        if (attaches()) {
            attached_.cycle(now, [&](std::uint32_t sm, const typename Attached<Host>::Sent& sent) {
                starting_ = {sent.uid, sm, sent.tb, sent.slot, sent.bypass};
            });
            return;
        }
        report_stock();
        stock_.cycle([&](std::uint32_t sm, Kernel kernel, std::uint32_t tb) {
            starting_ = {host_.uid(kernel), sm, tb, GPUSCHED_NONE, false};
            log_.event(now_, "tb", {starting_->uid, tb, sm, {}});
            tbs_++;
        });
    }

    void tb_started(unsigned sm, unsigned slot, Kernel kernel, unsigned tb) override {
        Resident* const at = resident(sm, slot);
        const bool expected = starting_ && starting_->sm == sm && starting_->tb == tb && starting_->uid == host_.uid(kernel);
        if (!expected || at == nullptr || at->live) {
            return fail("TB " + std::to_string(tb) + " of kernel " + std::to_string(host_.uid(kernel)) + " started on SM " + std::to_string(sm) +
                        ", slot " + std::to_string(slot) + (expected ? ", where no slot is free" : ", which was not asked for"));
        }
        *at = {starting_->uid, tb, starting_->slot, true, starting_->bypass, false};
        starting_.reset();
        log_.event(now_, "start", {at->uid, tb, sm, slot});
    }

    AfterTb tb_done(unsigned sm, unsigned slot, Kernel kernel) override {
        Resident* const at = resident(sm, slot);
        if (at == nullptr || !at->live || at->uid != host_.uid(kernel)) {
            fail("a TB of kernel " + std::to_string(host_.uid(kernel)) + " ended on SM " + std::to_string(sm) + ", slot " + std::to_string(slot) +
                 ", where none of it runs");
            return AfterTb::AsEver;
        }
        at->live = false;
        if (attaches()) attached_.ended(sm, at->slot, slot, at->uid, at->tb);
        else ends_.push_back({sm, slot, at->uid, at->tb});
        return attaches() && settings_.device != Device::Simulator ? AfterTb::LeaveToAdapter : AfterTb::AsEver;
    }

    bool device_launch(unsigned sm, unsigned slot, unsigned warp, unsigned thread, Kernel child) override {
        if (failed_ || !attaches() || settings_.device == Device::Simulator) return false;
        const Resident* const at = resident(sm, slot);
        if (at == nullptr || !at->live) {
            fail("a launch from SM " + std::to_string(sm) + ", slot " + std::to_string(slot) + ", where no TB runs");
            return false;
        }
        return attached_.launch(sm, at->slot, warp, thread, at->uid, at->tb, child);
    }

    void child_done(unsigned long long parent) override { attached_.child_done(parent); }

    bool tb_may_issue(unsigned sm, unsigned slot) const override {
        const Resident* const at = resident(sm, slot);
        return at == nullptr || !at->held;
    }
    bool tb_bypasses_l1(unsigned sm, unsigned slot) const override {
        const Resident* const at = resident(sm, slot);
        return at != nullptr && at->live && at->bypass;
    }
    bool sm_runs(unsigned sm) override { return sm >= machine_.sms() || attached_.edge(sm); }
    bool busy() const override { return !failed_ && attaches() && settings_.device != Device::Simulator && attached_.busy(); }

    void print(std::FILE* file) const override {
        const auto line = [&](const char* name, std::uint64_t value) { std::fprintf(file, "gpusched_%s = %" PRIu64 "\n", name, value); };
        std::fprintf(file, "gpusched_dispatch = %s\n", dispatch());
        if (!attaches()) return line("tbs", tbs_);
        const Stats stats = *attached_.front_end().stats();
        const Counts& counts = attached_.counts();
        line("cycles", counts.cycles);
        line("tbs", stats.tbs);
        if (const Deciding* const deciding = attached_.deciding()) {
            line("sent", deciding->sent());
            line("declined", stats.told), line("stalled", stats.stalled), line("rescued", stats.rescued);
            for (const auto& [fault, answers] : deciding->wrong()) line(("wrong_" + fault).c_str(), answers);
        }
        line("refused", counts.refused);
        line("refused_cycles", counts.refused_cycles);
        line("most_waiting", counts.most_waiting);
        line("launches", counts.launches);
        line("launches_left", counts.launches_left);
        line("launch_wait_cycles", stats.dyn_wait);
        line("kde_hit", stats.kde_hit), line("kde_miss", stats.kde_miss);
        line("agt_hit", stats.agt_hit), line("agt_spill", stats.agt_spill);
        line("graph_tbs", stats.graph_tbs);
        line("gated_cycles", stats.gated), line("capped_cycles", stats.capped);
        if (const auto bubble = attached_.front_end().bubble_stats()) {
            line("samples", bubble->samples), line("diverted", bubble->divert);
        }
    }

    // For controllers of the host's own.

    // Keeps the warps of a TB from issuing, until they may again; at its end this is forgotten.
    void hold(unsigned sm, unsigned slot, bool held) {
        if (Resident* const at = resident(sm, slot); at != nullptr && at->live) at->held = held;
    }
    // The graph of a kernel whose name is `given` one in the settings. Before it arrives.
    void give_graph(std::uint64_t uid, dgb::Graph graph) { attached_.give_graph(uid, std::move(graph)); }
    // The kernel that a visit of this SM would start a TB of, under stock rules; for hosts with a visit loop of their own.
    Kernel pick(unsigned sm) { return stock_.pick(sm); }
    FrontEnd& front_end() { return attached_.front_end(); }
    const Counts& counts() const { return attached_.counts(); }

private:
    // What is in a hardware slot.
    struct Resident {
        std::uint64_t uid = 0;
        std::uint32_t tb = 0;
        // The front end's.
        std::uint32_t slot = 0;
        bool live = false, bypass = false, held = false;
    };
    struct Starting {
        std::uint64_t uid;
        std::uint32_t sm, tb, slot;
        bool bypass;
    };
    struct StockArrival {
        std::uint64_t uid, tbs, threads;
        std::string name;
    };
    struct StockEnd {
        std::uint32_t sm, slot;
        std::uint64_t uid;
        std::uint32_t tb;
    };

    bool attaches() const { return settings_.dispatch == Dispatch::Gpusched; }
    // Whose rules hold.
    const char* dispatch() const {
        return !attaches() ? "gpgpusim_stock" : settings_.decider == nullptr ? "gpusched" : settings_.decider->name().c_str();
    }

    std::string begin() {
        if (!abi_fits()) return "the library's interface is not that of this header";
        if (const auto why = needs(); !why.empty()) return why;
        if (attaches()) {
            const Config config = Attached<Host>::configure(machine_, settings_);
            if (!settings_.check(config)) return settings_.error();
            if (auto why = attached_.begin(config); !why.empty()) return why;
        }
        if (!settings_.log.empty() && !log_.open(settings_.log)) return settings_.log + ": cannot be written";
        log_.header("dispatch", dispatch());
        log_.header("smx", machine_.sms()), log_.header("clusters", machine_.clusters), log_.header("slots", machine_.tb_slots);
        log_.header("threads", machine_.threads), log_.header("regs", machine_.regs), log_.header("smem", machine_.smem);
        if (!settings_.file().empty()) log_.header("config", settings_.file());
        log_.header("attach", attachments());
        return {};
    }

    // What one setting asks of others, and of the simulator.
    std::string needs() const {
        const std::string at = settings_.file().empty() ? "" : settings_.file() + ": ";
        const bool told = settings_.is_set("told.stall_limit") || settings_.is_set("told.rescue") || settings_.is_set("told.split_cap");
        const bool laperm = settings_.config.policy == number(Policy::LaPerm), bubble = settings_.config.bubble != 0;
        if (!attaches()) {
            const char* const what = laperm                                    ? "dtbl.policy = \"laperm\""
                                     : bubble                                  ? "bubble.enabled = true"
                                     : settings_.device != Device::Simulator   ? "adapter.device"
                                     : !settings_.graphs.empty()               ? "a section [graphs]"
                                     : !settings_.limits.empty()               ? "a section [limits]"
                                     : told                                    ? "a section [told]"
                                                                               : nullptr;
            return what == nullptr ? "" : at + what + " needs adapter.dispatch = \"gpusched\"";
        }
        if (settings_.decider == nullptr && told) return at + "a section [told] needs a policy as adapter.dispatch";
        if (settings_.decider != nullptr && settings_.is_set("dtbl.policy")) return at + "dtbl.policy does not go with adapter.dispatch, which names another one";
        if (settings_.config.told_rescue != 0 && settings_.config.told_stall_limit == 0) return at + "told.rescue needs told.stall_limit, from 1 up";
        if (settings_.is_set("dtbl.n_hwq") && std::min(machine_.kernels, MOST_QUEUES) > settings_.config.n_hwq) {
            return at + "dtbl.n_hwq = " + std::to_string(settings_.config.n_hwq) + ": the simulator runs " + std::to_string(machine_.kernels) +
                   " kernels, and each needs a queue";
        }
        if (settings_.device != Device::Simulator && !machine_.concurrent) {
            return at + "adapter.device needs -gpgpu_concurrent_kernel_sm 1: else an SM that runs a parent takes none of its children";
        }
        if (settings_.limits.size() > 8) return at + "[limits]: more than 8 kernels";
        return {};
    }

    std::string attachments() const {
        if (!attaches()) return "-";
        std::string list;
        const auto add = [&](bool there, const char* name) { list += !there ? "" : (list.empty() ? "" : ",") + std::string(name); };
        add(settings_.config.policy == number(Policy::LaPerm), "laperm");
        add(settings_.device == Device::Groups, "groups"), add(settings_.device == Device::Kernels, "kernels");
        add(!settings_.graphs.empty(), "graphs"), add(settings_.config.bubble != 0, "diversion"), add(!settings_.limits.empty(), "limits");
        return list.empty() ? "-" : list;
    }

    void report_stock() {
        if (!log_.is_open() && ends_.empty() && arrived_.empty()) return;
        std::sort(ends_.begin(), ends_.end(), [](const StockEnd& a, const StockEnd& b) { return std::tie(a.sm, a.slot) < std::tie(b.sm, b.slot); });
        for (const StockEnd& end : ends_) {
            log_.event(now_, "end", {end.uid, end.tb, end.sm, end.slot});
            const auto left = left_.find(end.uid);
            if (left == left_.end() || --left->second != 0) continue;
            log_.event(now_, "done", {end.uid, {}, {}, {}});
            left_.erase(left);
        }
        for (const StockArrival& kernel : arrived_) {
            log_.event(now_, "kernel", {kernel.uid, {}, {}, {}}, "tbs", kernel.tbs, "threads", kernel.threads, "name", kernel.name);
        }
        ends_.clear(), arrived_.clear();
    }

    void fail(const std::string& why) {
        failed_ = true;
        host_.fail("gpusched: " + why);
    }

    const Resident* resident(unsigned sm, unsigned slot) const {
        const bool there = sm < machine_.sms() && slot < machine_.tb_slots;
        return there ? &residents_[std::size_t{sm} * machine_.tb_slots + slot] : nullptr;
    }
    Resident* resident(unsigned sm, unsigned slot) { return const_cast<Resident*>(static_cast<const Adapter*>(this)->resident(sm, slot)); }

    Host& host_;
    const Machine machine_;
    Settings settings_;
    Log log_;
    Stock<Host> stock_;
    Attached<Host> attached_;
    // By SM and hardware slot.
    std::vector<Resident> residents_;
    std::optional<Starting> starting_;
    std::uint64_t now_ = 0, tbs_ = 0;
    bool failed_ = false;
    // Under stock rules: reports of this cycle, and TBs that have not ended, by uid.
    std::vector<StockArrival> arrived_;
    std::vector<StockEnd> ends_;
    std::unordered_map<std::uint64_t, std::uint64_t> left_;
};

}  // namespace gpgpusim
}  // namespace gpusched

#endif  // GPUSCHED_GPGPUSIM_HPP
