// sm_equalizer.hpp: Equalizer in the simulator's SMs and clocks. One object for the GPU: a gpusched::equalizer_sm::Sm per SM, fed with the
// classes of its warps, and the Fm that their votes go to. C++17; the simulator sees it as EqualizerSeam.
//
//   gpu->m_equalizer = new gpusched::gpgpusim::Equalizer(machine, {}, fail);
//
// What becomes of what:
//
//   E1  Cycles of the SM clock are core cycles: the simulator has one core clock, and Equalizer one SM domain, for all SMs.
//   E2  A core cycle belongs to the dispatch that ends it (step 6). What is reported in between takes effect at once.
//   E3  A sample holds the warps that were reported in its cycle. An SM that reports none, for the simulator skips empty clusters, is
//       sampled as idle.
//   E4  Requests are what dispatch may start: an SM takes a TB while one is outstanding. That its kernel has none left denies them all.
//   E5  If samples were passed over (cycles the simulator did not show), all SMs start their epoch anew (resync).
#ifndef GPUSCHED_GPGPUSIM_SM_EQUALIZER_HPP
#define GPUSCHED_GPGPUSIM_SM_EQUALIZER_HPP

#include <gpusched_equalizer_fm.hpp>
#include <gpusched_equalizer_sm.hpp>
#include <gpusched_gpgpusim/host.hpp>
#include <gpusched_gpgpusim/sm_seam.hpp>

#include <algorithm>
#include <array>
#include <bitset>
#include <cinttypes>
#include <functional>
#include <string>
#include <vector>

namespace gpusched {
namespace gpgpusim {

struct EqualizerSettings {
    // Warps, TB slots and SMs follow the simulator's; sums are as wide as they must be, or wider if that is said here.
    equalizer_sm::Config sm;
    equalizer_fm::Config fm;
    // A kernel starts with the number of TBs that the SM had reached with the one before.
    bool keep = false;
    // Which clocks are the memory domain.
    bool icnt = true, l2 = true, dram = true;
};

class Equalizer : public EqualizerSeam {
public:
    using Fail = std::function<void(const std::string&)>;

    // Wrong settings, and reports that cannot be, are told to `fail`; after that nothing is paused and every TB is taken.
    Equalizer(const Machine& machine, EqualizerSettings settings, Fail fail) : settings_(std::move(settings)), fail_(std::move(fail)) {
        begin(machine);
    }
    Equalizer(const Equalizer&) = delete;
    Equalizer& operator=(const Equalizer&) = delete;

    void kernel_bound(unsigned sm, unsigned warps_per_tb, unsigned limit) override {
        Smx* const at = smx(sm);
        if (at == nullptr || !deny(*at, sm)) return;
        const auto started = at->machine.kernel_start(now_, warps_per_tb, limit, settings_.keep);
        if (!started) {
            return failed("SM " + std::to_string(sm) + " was bound to a kernel of " + std::to_string(warps_per_tb) + " warps per TB, at most " +
                          std::to_string(limit) + " TBs: " + started.status().text());
        }
        at->outstanding = started->requests, at->drained = false;
    }

    bool wants_tb(unsigned sm, bool more) override {  // E4
        Smx* const at = smx(sm);
        if (at == nullptr) return true;
        if (!more) {
            if (at->outstanding > 0) (void)deny(*at, sm);
            return false;
        }
        if (at->drained) {
            at->drained = false;
            const auto change = at->machine.refill(now_);
            if (!change) return failed(reason(sm, "was offered TBs again", change.status())), true;
            obey(*at, *change);
        }
        return at->outstanding > 0;
    }

    void tb_started(unsigned sm, unsigned slot) override {
        Smx* const at = smx(sm);
        if (at == nullptr) return;
        if (slot >= at->slots.size() || at->slots[slot].live) return failed(reason(sm, slot, "took a TB, but is not free"));
        const auto granted = at->machine.grant(now_, ++blocks_);
        if (!granted) return failed(reason(sm, slot, "took a TB", granted.status()));
        at->outstanding--;
        at->slots[slot] = {true, false, number(granted->slot())};
        at->hardware[number(granted->slot())] = slot;
        obey(*at, granted->change());
    }

    void tb_done(unsigned sm, unsigned slot) override {
        Smx* const at = smx(sm);
        if (at == nullptr) return;
        if (slot >= at->slots.size() || !at->slots[slot].live) return failed(reason(sm, slot, "reported the end of a TB, but none runs there"));
        const auto ended = at->machine.block_end(now_, SlotId{at->slots[slot].of});
        if (!ended) return failed(reason(sm, slot, "reported the end of a TB", ended.status()));
        at->slots[slot] = {};
        obey(*at, ended->change());
    }

    bool tb_may_issue(unsigned sm, unsigned slot) const override {
        return failed_ || sm >= sms_.size() || slot >= sms_[sm].slots.size() || !sms_[sm].slots[slot].paused;
    }

    bool sample_due() const override { return !failed_ && now_ + 1 == next_sample_; }

    void warp_issued(unsigned sm, unsigned warp) override {
        if (Smx* const at = smx(sm); at != nullptr && warp < at->issued.size()) at->issued.set(warp);
    }

    void warp(unsigned sm, unsigned warp, unsigned slot, const WarpHead& head, bool lsu_accepts) override {
        Smx* const at = smx(sm);
        if (at == nullptr) return;
        equalizer_sm::Warp seen{};
        seen.resident = 1;
        seen.paused = !tb_may_issue(sm, slot);
        seen.issued = warp < at->issued.size() && at->issued.test(warp);
        seen.valid = head.valid, seen.sync = head.waits, seen.ready = head.ready, seen.mem = head.memory;
        seen.accept = lsu_accepts;
        const auto classified = at->machine.classify(seen);
        if (!classified) return failed(reason(sm, "reported a warp", classified.status()));
        at->counts.active += classified->active();
        at->counts.waiting += classified->of() == equalizer_sm::Class::Waiting;
        at->counts.xalu += classified->of() == equalizer_sm::Class::Xalu;
        at->counts.xmem += classified->of() == equalizer_sm::Class::Xmem;
    }

    void cycle(unsigned long long now) override {
        if (failed_) return;
        now_ = now;
        if (now > next_sample_) resync();
        else if (now == next_sample_) sample();
        if (!failed_ && fm_done_ <= now) set_levels();
        count();
    }

    double period(Clock clock, double nominal) const override {
        if (clock == Clock::Core) return nominal * 1000 / core_permille_;
        const bool follows = clock == Clock::Icnt ? settings_.icnt : clock == Clock::Cache ? settings_.l2 : settings_.dram;
        return follows ? nominal * 1000 / mem_permille_ : nominal;
    }

    void print(std::FILE* file) const override {
        const auto line = [&](const char* name, std::uint64_t value) { std::fprintf(file, "gpusched_equalizer_%s = %" PRIu64 "\n", name, value); };
        line("samples", counts_.samples), line("epochs", counts_.epochs), line("resyncs", counts_.resyncs);
        line("paused", counts_.paused), line("woken", counts_.woken), line("denied", counts_.denied), line("watchdog", counts_.watchdog);
        static const char* const levels[] = {"low", "normal", "high"};
        for (std::size_t i = 0; i < 3; i++) line((std::string("core_cycles_") + levels[i]).c_str(), counts_.core[i]);
        for (std::size_t i = 0; i < 3; i++) line((std::string("core_cycles_memory_") + levels[i]).c_str(), counts_.mem[i]);
    }

    // For reports of the host's own.

    struct Counts {
        // Of the GPU, and epochs of SMs.
        std::uint64_t samples = 0, epochs = 0, resyncs = 0;
        // TBs, and requests that no TB was left for.
        std::uint64_t paused = 0, woken = 0, denied = 0;
        std::uint64_t watchdog = 0;
        // Core cycles at each level: low, normal, high.
        std::array<std::uint64_t, 3> core{}, mem{};
    };
    const Counts& counts() const { return counts_; }
    const equalizer_sm::Sm& machine(unsigned sm) const { return sms_.at(sm).machine; }
    const equalizer_fm::Fm& frequencies() const { return fm_; }
    void set_objective(equalizer_sm::Objective objective) {
        for (Smx& at : sms_) (void)at.machine.set_objective(now_, objective);
    }

private:
    struct Slot {
        bool live = false, paused = false;
        // The machine's slot.
        std::uint32_t of = 0;
    };
    struct Smx {
        Smx() = default;
        equalizer_sm::Sm machine;
        // By hardware slot, and the hardware slot of each of the machine's.
        std::vector<Slot> slots;
        std::array<std::uint32_t, 32> hardware{};
        std::uint32_t outstanding = 0;
        bool drained = false;
        // Of this core cycle.
        std::bitset<128> issued;
        equalizer_sm::Counts counts{};
    };

    void begin(const Machine& machine) {
        equalizer_sm::Config& config = settings_.sm;
        config.max_warps = machine.threads / machine.warp, config.max_blocks = machine.tb_slots;
        const std::uint64_t most = std::uint64_t{config.max_warps} * config.epoch_cycles / std::max(config.sample_interval, 1u);
        while (config.counter_bits < 32 && most >> config.counter_bits != 0) config.counter_bits++;
        settings_.fm.sms = machine.sms();
        if (const auto wrong = config.check(); !wrong) return failed(parameter(wrong, "Sm"));
        if (const auto wrong = settings_.fm.check(); !wrong) return failed(parameter(wrong, "Fm"));
        auto fm = equalizer_fm::Fm::create(settings_.fm);
        if (!fm) return failed(fm.status().text());
        fm_ = *std::move(fm);
        for (std::uint32_t i = 0; i < machine.sms(); i++) {
            auto sm = equalizer_sm::Sm::create(config);
            if (!sm) return failed(sm.status().text());
            sms_.emplace_back();
            sms_.back().machine = *std::move(sm);
            sms_.back().slots.resize(machine.tb_slots);
        }
        next_sample_ = *sms_.front().machine.next_sample();
    }

    Smx* smx(unsigned sm) { return failed_ || sm >= sms_.size() ? nullptr : &sms_[sm]; }

    bool deny(Smx& at, unsigned sm) {
        for (; at.outstanding > 0; at.outstanding--, counts_.denied++) {
            const auto change = at.machine.deny(now_);
            if (!change) return failed(reason(sm, "was denied a TB", change.status())), false;
            at.drained = true;
            obey(at, *change);
        }
        return true;
    }

    void obey(Smx& at, const equalizer_sm::Change& change) {
        for (const SlotId slot : change.pause()) at.slots[at.hardware[number(slot)]].paused = true, counts_.paused++;
        for (const SlotId slot : change.unpause()) at.slots[at.hardware[number(slot)]].paused = false, counts_.woken++;
        at.outstanding += change.requests();
    }

    void sample() {  // E3
        counts_.samples++;
        for (unsigned sm = 0; sm < sms_.size(); sm++) {
            Smx& at = sms_[sm];
            const auto sampled = at.machine.sample(now_, at.counts);
            if (!sampled) return failed(reason(sm, "was sampled", sampled.status()));
            at.counts = {}, at.issued.reset();
            const auto& epoch = *sampled;
            if (!epoch) continue;
            counts_.epochs++, counts_.watchdog += epoch->watchdog();
            const equalizer_sm::Change change = epoch->change();
            obey(at, change);
            if (const auto round = fm_.vote(now_, SmxId{sm}, epoch->sm_vote(), epoch->mem_vote()); !round) {
                return failed(reason(sm, "voted", round.status()));
            }
            fm_done_ = 0;
        }
        next_sample_ = *sms_.front().machine.next_sample();
    }

    void resync() {  // E5
        counts_.resyncs++;
        for (Smx& at : sms_) {
            at.counts = {}, at.issued.reset();
            if (const auto next = at.machine.resync(now_)) next_sample_ = *next;
        }
    }

    void set_levels() {
        const auto levels = fm_.levels(now_);
        if (!levels) return failed(levels.status().text());
        core_ = levels->sm(), mem_ = levels->mem();
        core_permille_ = levels->sm_permille(), mem_permille_ = levels->mem_permille();
        fm_done_ = levels->next().value_or(never);
    }

    void count() {
        counts_.core[static_cast<std::size_t>(core_ + 1)]++;
        counts_.mem[static_cast<std::size_t>(mem_ + 1)]++;
    }

    template <class R>
    static std::string parameter(const R& wrong, const char* machine) {
        return std::string(machine) + ": " + (wrong->name == nullptr ? "" : wrong->name) + ": " + wrong.status().text();
    }
    static std::string reason(unsigned sm, const char* what, Status status) {
        return "SM " + std::to_string(sm) + ' ' + what + ": " + status.text();
    }
    static std::string reason(unsigned sm, unsigned slot, const char* what) {
        return "SM " + std::to_string(sm) + ", slot " + std::to_string(slot) + ' ' + what;
    }
    static std::string reason(unsigned sm, unsigned slot, const char* what, Status status) { return reason(sm, slot, what) + ": " + status.text(); }
    void failed(const std::string& why) {
        failed_ = true;
        fail_("gpusched: equalizer: " + why);
    }

    EqualizerSettings settings_;
    Fail fail_;
    bool failed_ = false;
    std::vector<Smx> sms_;
    equalizer_fm::Fm fm_;
    std::uint64_t now_ = 0, next_sample_ = never, blocks_ = 0;
    // When the Fm has to be asked again.
    std::uint64_t fm_done_ = never;
    std::int32_t core_ = 0, mem_ = 0;
    std::uint32_t core_permille_ = 1000, mem_permille_ = 1000;
    Counts counts_;
};

}  // namespace gpgpusim
}  // namespace gpusched

#endif  // GPUSCHED_GPGPUSIM_SM_EQUALIZER_HPP
