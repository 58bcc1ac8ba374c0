// Equalizer in a toy GPU that calls in the simulator's order, once through the adapter and once through the C++ face by another, simpler
// host: the same TBs are taken, the same are paused in the same cycles, the clocks run at the same levels.
#ifndef SM_EQUALIZER_TEST_HPP
#define SM_EQUALIZER_TEST_HPP

#include "../random.hpp"
#include "report.hpp"

#include <gpusched_gpgpusim/sm_equalizer.hpp>

#include <memory>
#include <sstream>

namespace test {
namespace equalizer {

using namespace gpusched;
using gpgpusim::EqualizerSettings;
using gpgpusim::Machine;
using gpgpusim::WarpHead;

// Through the adapter, as a fork would.
struct Adapted {
    Adapted(const Machine& machine, const EqualizerSettings& settings) : equalizer(machine, settings, [this](const std::string& why) { error = why; }) {}

    void bound(unsigned sm, unsigned warps, unsigned limit) { seam().kernel_bound(sm, warps, limit); }
    bool wants(unsigned sm, bool more) { return seam().wants_tb(sm, more); }
    void started(unsigned sm, unsigned slot) { seam().tb_started(sm, slot); }
    void done(unsigned sm, unsigned slot) { seam().tb_done(sm, slot); }
    bool may_issue(unsigned sm, unsigned slot) { return seam().tb_may_issue(sm, slot); }
    bool due(std::uint64_t) { return seam().sample_due(); }
    void warp(unsigned sm, unsigned warp, unsigned slot, bool issued, const WarpHead& head, bool accepts) {
        if (issued) seam().warp_issued(sm, warp);
        seam().warp(sm, warp, slot, head, accepts);
    }
    void cycle(std::uint64_t now) { seam().cycle(now); }
    std::string clocks() {
        std::ostringstream s;
        s << static_cast<int>(1e6 / seam().period(gpgpusim::Clock::Core, 1000) + 0.5) << ' ' << static_cast<int>(1e6 / seam().period(gpgpusim::Clock::Dram, 1000) + 0.5);
        return s.str();
    }

    gpgpusim::EqualizerSeam& seam() { return equalizer; }
    std::string error;
    gpgpusim::Equalizer equalizer;
};

// Directly. The toy takes the lowest free slot for a TB, and so does the machine, so there is one numbering; warps are classed by the
// equalizer-C1 to C8, here once more; requests are what the machine's state says.
struct Direct {
    Direct(const Machine& machine, const EqualizerSettings& settings) : settings(settings), counts(machine.sms()), paused(machine.sms() * 32) {
        auto config = settings.sm;
        config.max_warps = machine.threads / machine.warp, config.max_blocks = machine.tb_slots, config.counter_bits = 16;
        fm = *gpusched::equalizer_fm::Fm::create(settings.fm.with(&gpusched::equalizer_fm::Config::sms, machine.sms()));
        for (unsigned i = 0; i < machine.sms(); i++) sms.push_back(*gpusched::equalizer_sm::Sm::create(config));
    }

    std::uint32_t outstanding(unsigned sm) { return sms[sm].state()->outstanding(); }
    void deny(unsigned sm) {
        while (outstanding(sm) > 0) obey(sm, *sms[sm].deny(now));
    }
    void bound(unsigned sm, unsigned warps, unsigned limit) {
        deny(sm);
        ok(sms[sm].kernel_start(now, warps, limit, settings.keep).status());
    }
    bool wants(unsigned sm, bool more) {
        if (!more) return deny(sm), false;
        if (sms[sm].state()->drained()) obey(sm, *sms[sm].refill(now));
        return outstanding(sm) > 0;
    }
    void started(unsigned sm, unsigned slot) {
        const auto granted = sms[sm].grant(now, std::uint64_t{sm} << 32 | slot);
        ok(granted.status());
        if (number(granted->slot()) != slot) error = "another slot";
        obey(sm, granted->change());
    }
    void done(unsigned sm, unsigned slot) {
        const auto ended = sms[sm].block_end(now, SlotId{slot});
        ok(ended.status());
        paused[sm * 32 + slot] = false;
        obey(sm, ended->change());
    }
    bool may_issue(unsigned sm, unsigned slot) { return !paused[sm * 32 + slot]; }
    bool due(std::uint64_t next) { return next % settings.sm.sample_interval == 0; }
    void warp(unsigned sm, unsigned, unsigned slot, bool issued, const WarpHead& head, bool accepts) {
        auto& c = counts[sm];
        if (!may_issue(sm, slot) || (!issued && !head.valid)) return;
        const bool sync = !issued && head.waits, busy = issued || sync;
        c.active += !sync || settings.sm.sync_active != 0;
        c.waiting += !busy && !head.ready;
        c.xalu += !busy && head.ready && !head.memory;
        c.xmem += !busy && head.ready && head.memory && (!accepts || settings.sm.xmem_rule == number(gpusched::equalizer_sm::XmemRule::Any));
    }
    void cycle(std::uint64_t at) {
        const std::uint64_t due = *sms[0].next_sample();
        now = at;
        for (unsigned i = 0; i < sms.size(); i++) {
            if (now > due) ok(sms[i].resync(now).status());
            if (now == due) {
                const auto sampled = sms[i].sample(now, counts[i]);
                ok(sampled.status());
                if (const auto& epoch = *sampled) {
                    obey(i, epoch->change());
                    ok(fm.vote(now, SmxId{i}, epoch->sm_vote(), epoch->mem_vote()).status());
                }
            }
            if (now >= due) counts[i] = {};
        }
    }
    std::string clocks() {
        const auto levels = *fm.levels(now);
        return std::to_string(levels.sm_permille()) + ' ' + std::to_string(levels.mem_permille());
    }
    void obey(unsigned sm, const gpusched::equalizer_sm::Change& change) {
        for (const auto slot : change.pause()) paused[sm * 32 + number(slot)] = true;
        for (const auto slot : change.unpause()) paused[sm * 32 + number(slot)] = false;
    }
    void ok(Status status) {
        if (!status) error = status.text();
    }

    EqualizerSettings settings;
    std::vector<gpusched::equalizer_sm::Sm> sms;
    gpusched::equalizer_fm::Fm fm;
    std::vector<gpusched::equalizer_sm::Counts> counts;
    std::vector<bool> paused;
    std::uint64_t now = 0;
    std::string error;
};

struct Program {
    explicit Program(std::uint64_t seed_) : seed(seed_) {
        Random random(seed);
        machine.clusters = 1 + random.below(4), machine.sms_per_cluster = 1 + random.below(2);
        machine.tb_slots = 2 + random.below(7), machine.threads = 32 * (8 + random.below(57));
        auto& sm = settings.sm;
        sm.sample_interval = 2 + random.below(6), sm.epoch_cycles = sm.sample_interval * (1 + random.below(6));
        sm.hysteresis = 1 + random.below(3), sm.sync_active = random.below(2), sm.bw_threshold = random.below(4);
        if (random.one_in(4)) sm = sm.with(gpusched::equalizer_sm::XmemRule::Any);
        if (random.one_in(4)) sm = sm.with(gpusched::equalizer_sm::HystMode::Any);
        if (random.one_in(2)) sm = sm.with(gpusched::equalizer_sm::Objective::Energy);
        if (random.one_in(3)) sm.watchdog = 2;
        auto& fm = settings.fm;
        fm.sm_transition = random.one_in(3) ? 0 : random.below(60), fm.mem_transition = random.one_in(3) ? 0 : random.below(60);
        if (random.one_in(2)) fm = fm.with(gpusched::equalizer_fm::Idle::Relax);
        settings.keep = random.one_in(2), jumps = random.one_in(3);
    }
    // A number from 0 to n - 1 that depends on nothing but what it is for.
    std::uint32_t pick(std::uint32_t n, std::uint64_t a, std::uint64_t b = 0, std::uint64_t c = 0) const {
        return Random(mix(seed + mix(a)) ^ mix(b * 977 + c)).below(n);
    }

    std::uint64_t seed;
    Machine machine;
    EqualizerSettings settings;
    bool jumps;
};

// The toy: what it did, a line per cycle.
template <class Driver>
std::string run(const Program& p, Driver& driver) {
    struct Sm {
        std::uint32_t kernel = 0, left = 0, warps = 0, limit = 0;
        std::vector<bool> live;
    };
    std::vector<Sm> sms(p.machine.sms());
    for (Sm& sm : sms) sm.live.resize(p.machine.tb_slots);
    std::ostringstream log;
    std::uint64_t now = 0;
    for (std::uint32_t step = 0; step < 400 && driver.error.empty(); step++) {
        const std::uint64_t next = now + (p.jumps && p.pick(40, 1, step) == 0 ? 1 + p.pick(100, 2, step) : 1);
        // What the GPU does just now: memory-bound, compute-bound, or waiting.
        const std::uint32_t phase = p.pick(3, 3, step / 60);
        for (unsigned s = 0; s < sms.size(); s++) {
            Sm& sm = sms[s];
            const bool accepts = p.pick(4, 4, step, s) == 0;
            for (unsigned slot = 0; slot < sm.live.size(); slot++) {
                if (!sm.live[slot]) continue;
                for (unsigned w = 0; w < sm.warps && driver.due(now + 1); w++) {
                    const unsigned warp = slot * sm.warps + w;
                    const std::uint32_t x = p.pick(64, 5 + warp, step, s);
                    WarpHead head;
                    head.valid = x % 16 != 0, head.waits = x % 16 == 1, head.ready = phase == 2 ? x % 4 == 3 : x % 4 != 0, head.memory = phase == 0 ? x >= 4 : x >= 60;
                    driver.warp(s, warp, slot, x % 16 == 2 && driver.may_issue(s, slot), head, accepts);
                }
                if (p.pick(30, 6, step, s * 64 + slot) == 0) driver.done(s, slot), sm.live[slot] = false;
            }
        }
        now = next;
        driver.cycle(now);
        for (unsigned s = 0; s < sms.size(); s++) {
            Sm& sm = sms[s];
            const bool empty = std::find(sm.live.begin(), sm.live.end(), true) == sm.live.end();
            if (sm.left == 0 && empty && p.pick(4, 7, step, s) == 0) {
                sm.kernel++;
                sm.left = 1 + p.pick(60, 8, sm.kernel, s);
                sm.warps = 1 + p.pick(4, 9, sm.kernel, s);
                sm.limit = std::max(1u, std::min(p.machine.tb_slots, p.machine.threads / 32 / sm.warps) - p.pick(2, 10, sm.kernel, s));
                driver.bound(s, sm.warps, sm.limit);
            }
            // Its work may run out for a while.
            const bool more = sm.left > 0 && p.pick(6, 11, step / 20, s) != 0, wants = driver.wants(s, more);
            log << wants;
            if (more && wants) {
                const auto slot = static_cast<unsigned>(std::find(sm.live.begin(), sm.live.end(), false) - sm.live.begin());
                sm.live[slot] = true, sm.left--;
                driver.started(s, slot);
            }
            for (unsigned slot = 0; slot < sm.live.size(); slot++) log << (!sm.live[slot] ? '.' : driver.may_issue(s, slot) ? 'r' : 'p');
        }
        log << ' ' << driver.clocks() << '\n';
    }
    return log.str();
}

inline void program(std::uint64_t seed) {
    const Program p(seed);
    Adapted adapted(p.machine, p.settings);
    Direct direct(p.machine, p.settings);
    const std::string a = run(p, adapted), b = run(p, direct);
    if (!adapted.error.empty() || !direct.error.empty()) return failed("equalizer", seed, adapted.error + ", directly " + direct.error);
    if (a != b) {
        const auto at = static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
        return failed("equalizer", seed, "cycle " + std::to_string(std::count(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(at), '\n')) + " differs from that of the machine alone");
    }
    const auto& counts = adapted.equalizer.counts();
    seen["equalizer epochs"] += counts.epochs, seen["equalizer pauses"] += counts.paused, seen["equalizer wakes"] += counts.woken;
    seen["equalizer denials"] += counts.denied, seen["equalizer resyncs"] += counts.resyncs, seen["equalizer watchdog"] += counts.watchdog;
    for (const std::size_t level : {std::size_t{0}, std::size_t{2}}) {
        seen["equalizer SM levels"] += counts.core[level] > 0, seen["equalizer memory levels"] += counts.mem[level] > 0;
    }
    seen["equalizer steps"] += static_cast<std::uint64_t>(std::count(a.begin(), a.end(), '\n'));
}

inline void errors() {
    Machine machine;
    machine.clusters = 2;
    const auto error_of = [&](const EqualizerSettings& settings, auto&& report) {
        Adapted host(machine, settings);
        report(host.seam());
        if (!host.may_issue(0, 0) || !host.wants(0, true)) failed("equalizer", 0, "after an error TBs are held");
        return host.error;
    };
    const auto wrong = [&](const char* wanted, auto&& report) { expect_error("equalizer", error_of({}, report), wanted); };
    wrong("SM 1, slot 0 took a TB: ", [](auto& e) { e.tb_started(1, 0); });
    wrong("SM 0, slot 99 took a TB, but is not free", [](auto& e) { e.kernel_bound(0, 4, 2), e.tb_started(0, 99); });
    wrong("SM 0, slot 3 took a TB, but is not free", [](auto& e) { e.kernel_bound(0, 4, 2), e.tb_started(0, 3), e.tb_started(0, 3); });
    wrong("SM 0, slot 1 reported the end of a TB, but none runs there", [](auto& e) { e.tb_done(0, 1); });
    wrong("SM 0 was bound to a kernel of 4 warps per TB, at most 2 TBs: ", [](auto& e) { e.kernel_bound(0, 4, 2), e.tb_started(0, 0), e.kernel_bound(0, 4, 2); });
    wrong("SM 0 was bound to a kernel of 0 warps per TB", [](auto& e) { e.kernel_bound(0, 0, 2); });
    EqualizerSettings settings;
    settings.sm.hysteresis = 0;
    expect_error("equalizer", error_of(settings, [](auto&) {}), "gpusched: equalizer: Sm: hysteresis: ");
    settings = {};
    settings.fm.step_permille = 1000;
    expect_error("equalizer", error_of(settings, [](auto&) {}), "gpusched: equalizer: Fm: step_permille: ");
}

}  // namespace equalizer
}  // namespace test

#endif  // SM_EQUALIZER_TEST_HPP
