// APOGEE in a toy SM that calls in the simulator's order, once through the adapter and once through the C++ face by another, simpler host:
// the same lines are prefetched in the same cycles.
#ifndef SM_APOGEE_TEST_HPP
#define SM_APOGEE_TEST_HPP

#include "../random.hpp"
#include "report.hpp"

#include <gpusched_gpgpusim/sm_apogee.hpp>

#include <algorithm>
#include <map>
#include <memory>
#include <sstream>
#include <vector>

namespace test {
namespace apogee {

using namespace gpusched;
using gpgpusim::ApogeeSettings;
using gpgpusim::CacheStatus;
using gpgpusim::IssuedLoad;
using gpgpusim::Prefetch;

// The simulator's cache_request_status.
constexpr int kHit = 0, kMiss = 2, kReservationFail = 3;

// A request that went to memory: the toy knows it by its address only.
struct Request {};
using Fetch = const Request*;

// Through the adapter, as a fork would.
struct Adapted {
    explicit Adapted(const ApogeeSettings& settings) : apogee(settings, [this](const std::string& why) { error = why; }) {}

    void issued(const IssuedLoad& load) { seam().load_issued(load); }
    void access(std::uint64_t now, unsigned id, CacheStatus status) { seam().load_access(now, id, status); }
    bool next(std::uint64_t now, Prefetch& prefetch) { return seam().next(now, prefetch); }
    void sent(Fetch fetch) { seam().sent(fetch); }
    void not_sent() { seam().not_sent(); }
    bool filled(Fetch fetch) { return seam().filled(fetch); }
    void threads(unsigned n) { seam().threads(n); }
    void kernel_bound() { seam().kernel_bound(); }

    gpgpusim::ApogeeSeam<Fetch>& seam() { return apogee; }
    std::string error;
    gpgpusim::Apogee<Fetch> apogee;
};

// Directly: a load as a list of lanes, once all its accesses are answered.
struct Direct {
    explicit Direct(const ApogeeSettings& settings_) : settings(settings_), apogee(*gpusched::apogee::Prefetcher::create(settings_.config)) {}

    struct Load {
        IssuedLoad issued;
        std::vector<gpusched::apogee::Lane> lanes;
        std::vector<CacheStatus> answers;
    };

    void issued(const IssuedLoad& load) {
        Load fresh{load, {}, {}};
        for (std::uint32_t lane = 0; lane < settings.config.warp_size; lane++) {
            if ((load.mask >> lane & 1) == 0) continue;
            if (load.addresses[lane] >= std::uint64_t{1} << settings.config.addr_bits) return;
            fresh.lanes.push_back({load.addresses[lane], lane, 0});
        }
        if (!fresh.lanes.empty()) loads[load.id] = fresh;
    }
    void access(std::uint64_t now, unsigned id, CacheStatus status) {
        const auto at = loads.find(id);
        if (at == loads.end() || status == CacheStatus::ReservationFail) return;
        auto& answers = at->second.answers;
        answers.push_back(status);
        if (answers.size() < at->second.issued.accesses) return;
        const auto any = [&](auto... of) { return std::any_of(answers.begin(), answers.end(), [&](CacheStatus s) { return ((s == of) || ...); }); };
        using gpusched::apogee::Verdict;
        const Verdict verdict = any(CacheStatus::Miss) ? Verdict::Absent : any(CacheStatus::MshrHit) ? Verdict::Pending : Verdict::Hit;
        const auto pc = at->second.issued.pc / settings.instruction_bytes % (1u << settings.config.pc_bits);
        ok(apogee.load(now, {pc, gpusched::apogee::WarpId{at->second.issued.warp}, verdict, Span<const gpusched::apogee::Lane>(at->second.lanes)}).status());
        loads.erase(at);
    }
    bool next(std::uint64_t now, Prefetch& prefetch) {
        const auto popped = apogee.pf_pop(now);
        ok(popped.status());
        asked = *popped;
        if (asked) prefetch.line = asked->line(), prefetch.warp = number(asked->warp());
        return asked.has_value();
    }
    void sent(Fetch fetch) { ok(apogee.pf_reply(true).status()), flying[fetch] = *asked; }
    void not_sent() { ok(apogee.pf_reply(false).status()); }
    bool filled(Fetch fetch) {
        if (flying.count(fetch) == 0) return false;
        ok(apogee.pf_fill(flying.at(fetch)).status());
        flying.erase(fetch);
        return true;
    }
    void threads(unsigned n) {
        if (n > 0) ok(apogee.set_threads(n));
    }
    void kernel_bound() { ok(apogee.flush().status()), loads.clear(); }
    void ok(Status status) {
        if (!status) error = status.text();
    }

    ApogeeSettings settings;
    gpusched::apogee::Prefetcher apogee;
    std::map<unsigned, Load> loads;
    std::optional<gpusched::apogee::Request> asked;
    std::map<Fetch, gpusched::apogee::Request> flying;
    std::string error;
};

inline std::uint32_t pick(std::uint64_t seed, std::uint32_t n, std::uint64_t a, std::uint64_t b = 0, std::uint64_t c = 0) {
    return Random(mix(seed + mix(a)) ^ mix(b * 977 + c)).below(n);
}

// The toy SM: warps in a loop of three loads (each thread the next element, all threads one address, anything), one access to the L1 per
// cycle, lines that leave it at random, memory of a fixed latency. What was prefetched, a line per cycle.
template <class Driver>
std::string run(std::uint64_t seed, Driver& driver, const ApogeeSettings& settings) {
    struct Load {
        unsigned id;
        std::vector<std::uint64_t> lines;
    };
    const std::uint32_t warps = settings.config.warps, lanes = settings.config.warp_size, line_bytes = settings.config.line_bytes;
    const std::uint32_t latency = 5 + pick(seed, 60, 1), stride = 4u << pick(seed, 3, 2);
    std::vector<std::uint32_t> iteration(warps);
    std::vector<Load> lsu;
    // Lines, and when they are there.
    std::map<std::uint64_t, std::uint64_t> l1;
    // Requests have addresses of others before them, and loads their numbers.
    std::vector<std::unique_ptr<Request>> requests;
    std::vector<Fetch> free;
    std::multimap<std::uint64_t, Fetch> memory;
    std::ostringstream log;
    unsigned id = 0;
    const auto miss = [&](std::uint64_t now, std::uint64_t line) {
        if (free.empty()) requests.push_back(std::make_unique<Request>()), free.push_back(requests.back().get());
        const Fetch fetch = free.back();
        free.pop_back();
        l1[line] = now + latency;
        memory.emplace(now + latency, fetch);
        return fetch;
    };
    for (std::uint64_t now = 0; now < 600 && driver.error.empty(); now++) {
        for (; !memory.empty() && memory.begin()->first <= now; memory.erase(memory.begin())) {
            log << (driver.filled(memory.begin()->second) ? 'f' : '.');
            free.push_back(memory.begin()->second);
        }
        if (now % 200 == 199 && pick(seed, 2, 3, now) == 0) driver.kernel_bound();
        if (now % 50 == 0) driver.threads(pick(seed, 3, 4, now) * lanes);
        if (!lsu.empty()) {
            Load& load = lsu.front();
            const std::uint64_t line = load.lines.back();
            const auto at = l1.find(line);
            // What data_cache::access returns for a read: nothing but these, and a miss for one that joins a line on its way.
            const int returned = pick(seed, 10, 5, now) == 0 ? kReservationFail : at == l1.end() || at->second > now ? kMiss : kHit;
            const CacheStatus status = gpgpusim::read_status(returned, returned == kMiss && at == l1.end());
            driver.access(now, load.id, status);
            if (at == l1.end() && status != CacheStatus::ReservationFail) miss(now, line);
            if (status != CacheStatus::ReservationFail) load.lines.pop_back();
            if (load.lines.empty()) lsu.erase(lsu.begin());
        } else if (const std::uint32_t warp = pick(seed, warps * 3, 8, now); warp < warps) {
            const std::uint32_t i = iteration[warp]++, kind = i % 3;
            std::vector<unsigned long long> addresses(lanes);
            IssuedLoad load;
            load.id = ++id % 4, load.warp = warp, load.pc = 0x1000 + 8 * kind;
            load.mask = pick(seed, 8, 9, now) == 0 ? mix(now) : ~0ull;
            if (lanes < 64) load.mask &= (1ull << lanes) - 1;
            if (load.mask == 0) continue;
            const std::uint64_t far = pick(seed, 40, 10, now) == 0 ? std::uint64_t{1} << settings.config.addr_bits : 0;
            for (std::uint32_t lane = 0; lane < lanes; lane++) {
                const std::uint64_t element = (std::uint64_t{i / 3} * warps + warp) * lanes + lane;
                addresses[lane] = kind == 0 ? 4096 + element * stride : kind == 1 ? 2048 : pick(seed, 1 << 14, 11, now, lane) * 4;
                addresses[lane] += far;
            }
            load.addresses = addresses.data();
            Load in_lsu{load.id, {}};
            for (std::uint32_t lane = 0; lane < lanes; lane++) {
                const std::uint64_t line = addresses[lane] / line_bytes * line_bytes;
                if ((load.mask >> lane & 1) != 0 && std::find(in_lsu.lines.begin(), in_lsu.lines.end(), line) == in_lsu.lines.end()) in_lsu.lines.push_back(line);
            }
            load.accesses = static_cast<unsigned>(in_lsu.lines.size());
            driver.issued(load);
            lsu.push_back(in_lsu);
        }
        Prefetch prefetch;
        if (driver.next(now, prefetch)) {
            const bool there = l1.count(prefetch.line) != 0;
            log << prefetch.warp << ':' << prefetch.line << (there ? "- " : "+ ");
            if (there) driver.not_sent();
            else driver.sent(miss(now, prefetch.line));
        }
        if (pick(seed, 6, 12, now) == 0 && !l1.empty()) {
            const auto gone = std::next(l1.begin(), pick(seed, static_cast<std::uint32_t>(l1.size()), 13, now));
            if (gone->second <= now) l1.erase(gone);
        }
        log << '\n';
    }
    return log.str();
}

inline void program(std::uint64_t seed) {
    Random random(seed ^ 0xa909ee);
    ApogeeSettings settings;
    auto& config = settings.config;
    config.warps = 1 + random.below(8), config.warp_size = 8u << random.below(4), config.entries = 2 + random.below(8), config.line_bytes = 32u << random.below(3);
    config.pc_bits = 1 + random.below(10), config.conf_bits = 8, config.tidx_bits = 7, config.issue_latency = random.below(12), config.pfq = 1 + random.below(16), config.gap_fill = random.below(2);
    config.addr_bits = 32 + 16 * random.below(2), config.threads = config.warps * config.warp_size;
    if (random.one_in(3)) config = config.with(gpusched::apogee::LalScope::Sm);
    Adapted adapted(settings);
    Direct direct(settings);
    const std::string a = run(seed, adapted, settings), b = run(seed, direct, settings);
    if (!adapted.error.empty() || !direct.error.empty()) return failed("apogee", seed, adapted.error + ", directly " + direct.error);
    if (a != b) {
        const auto at = static_cast<std::size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
        return failed("apogee", seed, "cycle " + std::to_string(std::count(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(at), '\n')) + " differs from that of the machine alone");
    }
    const auto& counts = adapted.apogee.counts();
    seen["apogee loads"] += counts.loads, seen["apogee absent"] += counts.absent, seen["apogee pending"] += counts.pending, seen["apogee confirmed"] += counts.confirmed;
    seen["apogee sent"] += counts.sent, seen["apogee not sent"] += counts.not_sent, seen["apogee dropped"] += counts.dropped, seen["apogee stale"] += counts.stale;
    seen["apogee outside"] += counts.outside, seen["apogee sooner"] += counts.sooner, seen["apogee later"] += counts.later;
}

inline void errors() {
    const unsigned long long addresses[64] = {};
    const auto load = [&](unsigned warp) {
        IssuedLoad load;
        load.id = 7, load.warp = warp, load.pc = 80, load.accesses = 1, load.mask = 1, load.addresses = addresses;
        return load;
    };
    static const Request request{};
    const auto wrong = [&](const char* wanted, auto&& report) {
        Adapted host{ApogeeSettings()};
        report(host.seam());
        expect_error("apogee", host.error, wanted);
        Prefetch prefetch;
        if (host.next(99, prefetch)) failed("apogee", 0, "after an error it goes on");
    };
    wrong("load 7 issued twice", [&](auto& a) { a.load_issued(load(0)), a.load_issued(load(1)); });
    wrong("warp 4 loaded at pc 80: ", [&](auto& a) { a.load_issued(load(4)), a.load_access(1, 7, CacheStatus::Hit); });
    wrong("warp 0 loaded at pc 80: ", [&](auto& a) {
        Prefetch prefetch;
        (void)a.next(5, prefetch), a.load_issued(load(0)), a.load_access(4, 7, CacheStatus::Hit);
    });
    wrong("a prefetch was answered: ", [&](auto& a) { a.sent(&request); });
    wrong("a prefetch was answered: ", [](auto& a) { a.not_sent(); });
    wrong("the next prefetch was asked for: ", [](auto& a) {
        Prefetch prefetch;
        (void)a.next(5, prefetch), (void)a.next(4, prefetch);
    });
    wrong("65536 threads: ", [](auto& a) { a.threads(65536); });
    ApogeeSettings settings;
    settings.config.entries = 0;
    expect_error("apogee", Adapted(settings).error, "gpusched: apogee: entries = 0: ");
    settings = {};
    settings.instruction_bytes = 0;
    expect_error("apogee", Adapted(settings).error, "gpusched: apogee: instruction_bytes = 0: ");
    // What is no error: loads without threads or accesses, and requests that are no prefetches.
    Adapted host{ApogeeSettings()};
    IssuedLoad none = load(0);
    none.mask = 0;
    host.issued(none), host.access(1, 7, CacheStatus::Miss), host.threads(0);
    if (!host.error.empty() || host.filled(&request) || host.apogee.counts().loads != 0) failed("apogee", 0, "a load of nobody, or a fill of nothing, was taken");
}

}  // namespace apogee
}  // namespace test

#endif  // SM_APOGEE_TEST_HPP
