// Mascar in a toy SM that calls in the simulator's order, once through the adapter and once through the C++ face by another, simpler
// host: the same warps issue in the same cycles, and the same requests are presented and accepted. And the timelines of Figure 4.2.
#ifndef SM_MASCAR_TEST_HPP
#define SM_MASCAR_TEST_HPP

#include "../random.hpp"
#include "report.hpp"

#include <gpusched_gpgpusim/sm_mascar.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <sstream>
#include <vector>

namespace test {
namespace mascar {

using namespace gpusched;
using gpgpusim::CacheStatus;
using gpgpusim::L1Probe;
using gpgpusim::WarpHead;
using gpusched::mascar::Config;
using gpusched::mascar::WarpId;

// A request, as the toy knows it; every request has an address of its own.
struct Request {
    unsigned warp;
    std::uint64_t address;
    bool store = false;
};
using Fetch = const Request*;

// Through the adapter, as a fork would.
struct Adapted {
    Adapted(unsigned warps, unsigned schedulers, const Config& config) : mascar(warps, schedulers, config, [this](const std::string& why) { error = why; }) {}

    void started(unsigned warp) { seam().warp_started(warp); }
    void exited(unsigned warp) { seam().warp_exited(warp); }
    bool has_requests(unsigned warp) { return seam().has_requests(warp); }
    void cache(unsigned mshrs, unsigned queue) { seam().cache(0, mshrs, queue); }
    void head(unsigned warp, const WarpHead& head, bool paused) { seam().head(warp, head, paused); }
    void pick(std::uint64_t now, bool accepts) { seam().pick(now, accepts); }
    unsigned picked(unsigned scheduler, bool memory) { return seam().picked(scheduler, memory); }
    void issued(unsigned warp) { seam().memory_issued(warp); }
    void begin(unsigned warp, unsigned requests, bool store) { seam().lsu_begin(warp, requests, store); }
    gpgpusim::Presented<Fetch> present() { return seam().present(); }
    bool answer(const L1Probe& probe, Fetch fetch) { return seam().answer(probe, fetch, fetch->address); }

    gpgpusim::MascarSeam<Fetch>& seam() { return mascar; }
    std::string error;
    gpgpusim::Mascar<Fetch> mascar;
};

// Directly: requests that were refused are found by the address that the machine says.
struct Direct {
    static constexpr unsigned kNoWarp = gpgpusim::MascarSeam<Fetch>::kNoWarp;

    Direct(unsigned warps, unsigned schedulers, const Config& config)
        : mascar(*gpusched::mascar::Mascar::create(config.with(&Config::warps, warps).with(&Config::schedulers, schedulers))) {}

    void started(unsigned warp) { ok(mascar.warp_start(WarpId{warp}).status()); }
    void exited(unsigned warp) { ok(mascar.warp_exit(WarpId{warp}).status()); }
    bool has_requests(unsigned warp) { return mascar.warp(WarpId{warp})->has_requests(); }
    void cache(unsigned mshrs, unsigned queue) { ok(mascar.l1_state(0, mshrs, queue).status()); }
    void head(unsigned warp, const WarpHead& h, bool paused) {
        using gpusched::mascar::Kind;
        if (paused || h.waits) ok(mascar.set_head(WarpId{warp}, Kind::Sync));
        else if (!h.valid) ok(mascar.set_head(WarpId{warp}, Kind::None));
        else ok(mascar.set_head(WarpId{warp}, h.memory ? Kind::Mem : Kind::Alu, h.ready, !h.ready && h.on_load));
    }
    void pick(std::uint64_t now, bool accepts) {
        if (unissued) ok(mascar.lsu_begin(*unissued, 0, 127));
        unissued.reset(), issues.clear();
        const auto pick = mascar.pick(now, accepts);
        ok(pick.status());
        for (const auto issue : pick->issues()) {
            const bool memory = issue.pipe() == gpusched::mascar::Pipe::Mem;
            issues[{issue.sched(), memory}] = number(issue.warp());
            if (memory) unissued = issue.warp();
        }
    }
    unsigned picked(unsigned scheduler, bool memory) {
        const auto at = issues.find({scheduler, memory});
        return at == issues.end() ? kNoWarp : at->second;
    }
    void issued(unsigned) { unissued.reset(); }
    void begin(unsigned warp, unsigned requests, bool store) { ok(mascar.lsu_begin(WarpId{warp}, requests, store ? 127 : 3)); }
    gpgpusim::Presented<Fetch> present() {
        const auto next = mascar.lsu_next();
        ok(next.status());
        gpgpusim::Presented<Fetch> out{gpgpusim::Presented<Fetch>::Nothing, kNoWarp, nullptr};
        if (!next->warp()) return out;
        fresh = next->src() == gpusched::mascar::Src::New;
        out.source = fresh ? gpgpusim::Presented<Fetch>::New : gpgpusim::Presented<Fetch>::Kept;
        out.warp = number(*next->warp());
        if (!fresh) out.fetch = kept.at(next->request().base);
        return out;
    }
    bool answer(const L1Probe& p, Fetch fetch) {
        using gpusched::mascar::Lookup;
        Lookup lookup = Lookup::Miss;
        bool room = !p.miss_queue_full && (p.sent_on || !p.mshr_full);
        if (!p.sent_on && p.status == CacheStatus::Hit) lookup = Lookup::Hit;
        else if (!p.sent_on && p.status == CacheStatus::ReservationFail) room = false;
        else if (!p.sent_on && p.in_mshr) lookup = Lookup::Merge, room = !p.mshr_full;
        const auto reply = mascar.lsu_reply(lookup, room, fresh ? std::optional(gpusched::mascar::Request{fetch->address, 0xf, {}}) : std::nullopt);
        ok(reply.status());
        if (reply->ack()) kept.erase(fetch->address);
        else kept[fetch->address] = fetch;
        return reply->ack();
    }
    void ok(Status status) {
        if (!status) error = status.text();
    }

    gpusched::mascar::Mascar mascar;
    std::optional<WarpId> unissued;
    std::map<std::pair<unsigned, bool>, unsigned> issues;
    std::map<std::uint64_t, Fetch> kept;
    bool fresh = false;
    std::string error;
};

// A number from 0 to n - 1 that depends on nothing but what it is for.
inline std::uint32_t pick(std::uint64_t seed, std::uint32_t n, std::uint64_t a, std::uint64_t b = 0, std::uint64_t c = 0) {
    return Random(mix(seed + mix(a)) ^ mix(b * 977 + c)).below(n);
}

// The toy SM: warps of random instructions, an L1 of few MSHRs, a miss queue that one request leaves per cycle, memory of a fixed
// latency. What it did, a line per cycle.
template <class Driver>
std::string run(std::uint64_t seed, Driver& driver, unsigned warps, unsigned schedulers, unsigned mshrs, unsigned queue) {
    struct Warp {
        bool live = false;
        std::uint32_t instruction = 0, length = 0, loads = 0;
    };
    // A memory instruction on its way to the LD/ST unit, or in it.
    struct Moving {
        bool live = false, store = false;
        unsigned warp = 0, requests = 0;
        std::uint64_t due = 0;
    };
    std::vector<Warp> all(warps);
    std::vector<std::unique_ptr<Request>> requests;
    std::multimap<std::uint64_t, Fetch> memory;
    Moving moving, in_lsu;
    std::uint32_t left = 0, missq = 0, instructions = 0;
    std::ostringstream log;
    for (std::uint64_t now = 1; now < 400 && driver.error.empty(); now++) {
        for (; !memory.empty() && memory.begin()->first <= now; memory.erase(memory.begin())) all[memory.begin()->second->warp].loads--;
        if (missq > 0 && now % 2 == 0) missq--;
        driver.cache(static_cast<unsigned>(memory.size()), missq);
        for (unsigned w = 0; w < warps; w++) {
            Warp& warp = all[w];
            if (warp.live && warp.instruction >= warp.length && warp.loads == 0 && !driver.has_requests(w) && !(moving.live && moving.warp == w)) driver.exited(w), warp = {};
            if (!warp.live && pick(seed, 8, 1, now, w) == 0) {
                warp = {true, 0, 4 + pick(seed, 20, 2, now, w), 0};
                driver.started(w);
            }
            if (!warp.live) continue;
            WarpHead head;
            const std::uint32_t x = pick(seed, 16, 3, warp.instruction * 64 + w, warp.length);
            head.valid = warp.instruction < warp.length && pick(seed, 12, 4, now, w) != 0;
            head.memory = x < 7;
            head.ready = !(x % 2 == 1 && warp.loads > 0) && pick(seed, 10, 5, now, w) != 0;
            head.on_load = x % 2 == 1 && warp.loads > 0;
            head.waits = x == 15 && pick(seed, 4, 6, now / 8, w) != 0;
            driver.head(w, head, pick(seed, 10, 7, now / 16, w) == 0);
        }
        driver.pick(now, !moving.live);
        for (unsigned s = 0; s < schedulers; s++) {
            for (const bool to_memory : {false, true}) {
                const unsigned w = driver.picked(s, to_memory);
                if (w == gpgpusim::MascarSeam<Fetch>::kNoWarp) continue;
                log << (to_memory ? 'm' : 'c') << w << ' ';
                // The scheduler may find a reason not to.
                if (pick(seed, 15, 8, now, w) == 0) continue;
                Warp& warp = all[w];
                warp.instruction++, instructions++;
                if (!to_memory) continue;
                driver.issued(w);
                const bool store = pick(seed, 5, 9, now, w) == 0;
                moving = {true, store, w, pick(seed, 6, 11, now, w), now + pick(seed, 4, 10, now, w)};
            }
        }
        if (moving.live && moving.due <= now && left == 0) {
            in_lsu = moving, left = moving.requests, moving.live = false;
            driver.begin(in_lsu.warp, in_lsu.requests, in_lsu.store);
        }
        for (unsigned port = 0; port < 2; port++) {
            const auto presented = driver.present();
            if (presented.source == gpgpusim::Presented<Fetch>::Nothing) continue;
            Fetch fetch = presented.fetch;
            if (presented.source == gpgpusim::Presented<Fetch>::New) {
                if (left == 0) return log.str() + "a request of nothing";
                requests.push_back(std::make_unique<Request>(Request{in_lsu.warp, (requests.size() + 1) * 128, in_lsu.store}));
                fetch = requests.back().get();
                left--;
            }
            L1Probe probe;
            probe.status = static_cast<CacheStatus>(pick(seed, 6, 12, now, fetch->address));
            probe.sent_on = fetch->store;
            probe.in_mshr = probe.status == CacheStatus::MshrHit || probe.status == CacheStatus::HitReserved;
            probe.mshr_full = probe.in_mshr ? pick(seed, 4, 13, now, port) == 0 : memory.size() >= mshrs;
            probe.miss_queue_full = missq >= queue;
            const bool taken = driver.answer(probe, fetch);
            log << (taken ? "+" : "-") << fetch->address << ' ';
            if (!taken) continue;
            if (!probe.sent_on && (probe.in_mshr || probe.status == CacheStatus::Hit)) continue;
            missq++;
            if (probe.sent_on) continue;
            memory.emplace(now + 20, fetch);
            all[fetch->warp].loads++;
        }
        log << '\n';
    }
    seen["mascar instructions"] += instructions;
    return log.str();
}

inline Config config_of(std::uint64_t seed, unsigned mshrs, unsigned queue) {
    Random random(seed ^ 0x3a5ca7);
    Config config(random.one_in(6) ? gpusched::mascar::Preset::Lrr : random.one_in(6) ? gpusched::mascar::Preset::Gto : gpusched::mascar::Preset::Gtx480);
    if (config.enable != 0) {
        config.rexq = random.below(9), config.per_pipe = random.below(2), config.owner_first = random.below(2), config.nonowner_merge = random.below(2);
        config.starve_limit = random.below(4), config.owner_timeout = random.one_in(2) ? 0 : 30;
    }
    return config.with(gpgpusim::saturation(mshrs, queue));
}

inline void program(std::uint64_t seed) {
    Random random(seed ^ 0x11);
    const unsigned warps = 2 + random.below(30), schedulers = 1 + random.below(4), mshrs = 2 + random.below(14), queue = 1 + random.below(6);
    const Config config = config_of(seed, mshrs, queue);
    Adapted adapted(warps, schedulers, config);
    Direct direct(warps, schedulers, config);
    const std::string a = run(seed, adapted, warps, schedulers, mshrs, queue), b = run(seed, direct, warps, schedulers, mshrs, queue);
    if (!adapted.error.empty() || !direct.error.empty()) return failed("mascar", seed, adapted.error + ", directly " + direct.error);
    if (a != b) {
        const auto at = static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
        return failed("mascar", seed, "cycle " + std::to_string(1 + std::count(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(at), '\n')) + " differs from that of the machine alone");
    }
    const auto& counts = adapted.mascar.counts();
    seen["mascar MP cycles"] += counts.mp_cycles, seen["mascar EP cycles"] += counts.ep_cycles, seen["mascar blocked cycles"] += counts.blocked_cycles;
    seen["mascar owners"] += counts.owners, seen["mascar queued"] += counts.queued, seen["mascar recycled"] += counts.recycled;
    seen["mascar refused with room"] += counts.refused_with_room, seen["mascar given up"] += counts.given_up;
    seen["mascar presented"] += counts.presented;
}

// Figure 4.2: three warps, each two loads and four adds; a load that is accepted in a cycle is back five later, and its value can be used
// the cycle after. When the last add issues.
inline unsigned figure(const Config& config, unsigned mshrs, bool saturated) {
    struct Warp {
        unsigned instruction = 0;
        std::vector<std::uint64_t> accepted;
    };
    Adapted adapted(3, 1, config);
    gpgpusim::MascarSeam<Fetch>& sm = adapted.seam();
    Warp all[3];
    std::vector<std::unique_ptr<Request>> requests;
    unsigned last = 0;
    for (unsigned w = 0; w < 3; w++) sm.warp_started(w);
    for (unsigned now = 1; now < 60 && adapted.error.empty(); now++) {
        const auto out = [&](std::uint64_t at) { return now <= at + 5; };
        std::size_t used = 0;
        for (const Warp& warp : all) used += static_cast<std::size_t>(std::count_if(warp.accepted.begin(), warp.accepted.end(), out));
        sm.cache(0, saturated ? mshrs : 0, 0);
        for (unsigned w = 0; w < 3; w++) {
            const Warp& warp = all[w];
            WarpHead head;
            head.valid = warp.instruction < 6, head.memory = warp.instruction < 2;
            head.on_load = !head.memory && (warp.accepted.size() < 2 || std::any_of(warp.accepted.begin(), warp.accepted.end(), out));
            head.ready = !head.on_load;
            sm.head(w, head, false);
        }
        sm.pick(now, true);
        for (const bool memory : {false, true}) {
            const unsigned w = sm.picked(0, memory);
            if (w == sm.kNoWarp) continue;
            if (memory) sm.memory_issued(w), sm.lsu_begin(w, 1, false);
            if (++all[w].instruction == 6) last = now;
        }
        const auto presented = sm.present();
        if (presented.source == presented.Nothing) continue;
        Fetch fetch = presented.fetch;
        if (presented.source == presented.New) {
            requests.push_back(std::make_unique<Request>(Request{presented.warp, 128 * (1 + requests.size()), false}));
            fetch = requests.back().get();
        }
        L1Probe probe;
        probe.mshr_full = used >= mshrs;
        if (sm.answer(probe, fetch, fetch->address)) all[fetch->warp].accepted.push_back(now);
    }
    for (const Warp& warp : all) last = warp.instruction < 6 ? 0 : last;
    return adapted.error.empty() ? last : 0;
}

inline void figures() {
    using gpusched::mascar::Order;
    const Config per_pipe = Config().with(&Config::per_pipe, 1u);
    const Config plain = per_pipe.with(&Config::enable, 0u).with(&Config::rexq, 0u).with(&Config::ep_mem_order, Order::Rr).with(&Config::ep_comp_order, Order::Oldest);
    const Config saturated = per_pipe.with(gpgpusim::saturation(2, 8));
    const auto expect = [](const char* what, unsigned got, unsigned wanted) {
        if (got != wanted) failed("mascar", 0, std::string("Figure 4.2, ") + what + ": ends at " + std::to_string(got) + ", not " + std::to_string(wanted));
        seen["mascar timelines"]++;
    };
    expect("unlimited", figure(plain, 100, false), 21);
    expect("round robin", figure(plain, 2, false), 26);
    expect("Mascar", figure(saturated, 2, true), 23);
    expect("Mascar without a queue", figure(saturated.with(&Config::rexq, 0u), 2, true), 23);
}

inline void errors() {
    const auto wrong = [&](const char* wanted, auto&& report) {
        Adapted host(4, 2, Config());
        report(host.seam());
        expect_error("mascar", host.error, wanted);
        host.seam().pick(9, true);
        if (host.picked(0, false) != Direct::kNoWarp || host.present().source != gpgpusim::Presented<Fetch>::Nothing) failed("mascar", 0, "after an error it goes on");
    };
    WarpHead load;
    load.valid = load.memory = load.ready = true;
    static const Request request{0, 128, false};
    wrong("warp 4 started: ", [](auto& m) { m.warp_started(4); });
    wrong("warp 1 exited: ", [](auto& m) { m.warp_exited(1); });
    wrong("warp 2 reported its head: ", [&](auto& m) { m.head(2, load, false); });
    wrong("cache 1 holds 0 MSHRs, 0 misses: ", [](auto& m) { m.cache(1, 0, 0); });
    wrong("cycle 3: ", [](auto& m) { m.pick(3, true), m.pick(3, true); });
    wrong("warp 0 issued to the LD/ST pipe, but was not picked for it", [](auto& m) { m.memory_issued(0); });
    wrong("warp 0 took the LD/ST unit: ", [](auto& m) { m.lsu_begin(0, 1, false); });
    wrong("the L1 answered: ", [](auto& m) { (void)m.answer(L1Probe(), &request, 128); });
    wrong("the L1 was asked again: ", [&](auto& m) { m.warp_started(0), m.head(0, load, false), m.pick(1, true), m.memory_issued(0), m.lsu_begin(0, 1, false), (void)m.present(), (void)m.present(); });
    Adapted host(64, 2, Config());
    expect_error("mascar", host.error, "gpusched: mascar: warps = 64: ");
}

}  // namespace mascar
}  // namespace test

#endif  // SM_MASCAR_TEST_HPP
