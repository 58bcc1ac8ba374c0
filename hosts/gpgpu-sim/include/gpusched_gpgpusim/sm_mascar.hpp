// sm_mascar.hpp: Mascar between the schedulers, the LD/ST unit and the L1 of one SM: which warps issue, and which request is presented to
// the L1. C++17; the simulator sees it as MascarSeam. Fetch is what the simulator knows a request by, `mem_fetch *`; empty by default.
//
//   m_mascar = new gpusched::gpgpusim::Mascar<mem_fetch *>(warps, schedulers, mascar::Config(), fail);
//
// What becomes of what:
//
//   A1  Heads: no valid instruction is none; a barrier, a fence and a paused warp are sync; else alu or mem, as the simulator says.
//   A2  Probes: a line on its way merges if its entry has a place; a miss needs an MSHR, a place in the miss queue and a line of its set;
//       a store that is sent on needs the miss queue only; a hit needs nothing.
//   A3  The machine's re-execution queue holds addresses; the simulator's requests lie here, in the same order.
//   A4  A memory instruction that was picked and did not issue gives the LSU back: it begins with no requests.
#ifndef GPUSCHED_GPGPUSIM_SM_MASCAR_HPP
#define GPUSCHED_GPGPUSIM_SM_MASCAR_HPP

#include <gpusched_gpgpusim/sm_seam.hpp>
#include <gpusched_mascar.hpp>

#include <array>
#include <cinttypes>
#include <deque>
#include <functional>
#include <string>

namespace gpusched {
namespace gpgpusim {

// A cache of so many MSHRs and places in its miss queue that counts as saturated when a sixteenth of the one, or an eighth of the other, is
// left: of 64 and 8 these are the machine's own marks, 60 and 7.
inline mascar::Cache saturation(std::uint32_t mshrs, std::uint32_t miss_queue) {
    const std::uint32_t mshr_mark = mshrs - mshrs / 16, queue_mark = miss_queue - miss_queue / 8;
    mascar::Cache cache{};
    cache.mshr = mshrs, cache.mshr_sat = cache.mshr_clear = mshr_mark;
    cache.missq = miss_queue, cache.missq_sat = cache.missq_clear = queue_mark;
    return cache;
}

template <class Fetch>
class Mascar : public MascarSeam<Fetch> {
public:
    using Fail = std::function<void(const std::string&)>;
    using MascarSeam<Fetch>::kNoWarp;

    // Wrong settings, and reports that cannot be, are told to `fail`; after that nothing is picked.
    Mascar(std::uint32_t warps, std::uint32_t schedulers, mascar::Config config, Fail fail) : fail_(std::move(fail)) {
        config.warps = warps, config.schedulers = schedulers;
        for (auto& of : picked_) of = {kNoWarp, kNoWarp};
        begin(config);
    }
    Mascar(const Mascar&) = delete;
    Mascar& operator=(const Mascar&) = delete;

    void warp_started(unsigned warp) override {
        if (!failed_) check(machine_.warp_start(mascar::WarpId{warp}).status(), warp, "started");
    }
    void warp_exited(unsigned warp) override {
        if (!failed_) check(machine_.warp_exit(mascar::WarpId{warp}).status(), warp, "exited");
    }
    bool has_requests(unsigned warp) const override {
        const auto of = machine_.warp(mascar::WarpId{warp});
        return of && of->has_requests();
    }

    void cache(unsigned cache, unsigned mshrs, unsigned miss_queue) override {
        if (failed_) return;
        const auto saturation = machine_.l1_state(cache, mshrs, miss_queue);
        if (!saturation) return failed("cache " + std::to_string(cache) + " holds " + std::to_string(mshrs) + " MSHRs, " + std::to_string(miss_queue) + " misses: " + saturation.status().text());
    }

    void head(unsigned warp, const WarpHead& head, bool paused) override {  // A1
        if (failed_) return;
        const auto kind = paused || head.waits ? mascar::Kind::Sync
                          : !head.valid        ? mascar::Kind::None
                          : head.memory        ? mascar::Kind::Mem
                                               : mascar::Kind::Alu;
        const bool runs = kind == mascar::Kind::Mem || kind == mascar::Kind::Alu;
        check(machine_.set_head(mascar::WarpId{warp}, kind, runs && head.ready, runs && !head.ready && head.on_load), warp, "reported its head");
    }

    void pick(unsigned long long now, bool lsu_accepts) override {
        if (failed_) return;
        if (picked_memory_ != kNoWarp) {  // A4
            counts_.given_up++;
            check(machine_.lsu_begin(mascar::WarpId{picked_memory_}, 0, mascar::store), picked_memory_, "gave the LSU back");
        }
        picked_memory_ = kNoWarp;
        for (auto& of : picked_) of = {kNoWarp, kNoWarp};
        const auto pick = machine_.pick(now, lsu_accepts);
        if (!pick) return failed("cycle " + std::to_string(now) + ": " + pick.status().text());
        for (const mascar::Issue issue : pick->issues()) {
            const bool memory = issue.pipe() == mascar::Pipe::Mem;
            picked_[issue.sched()][memory] = number(issue.warp());
            if (memory) picked_memory_ = number(issue.warp());
        }
        counts_.ep_cycles += pick->mode() == mascar::Mode::Ep, counts_.mp_cycles += pick->mode() == mascar::Mode::Mp;
        counts_.owners += pick->granted().has_value();
        counts_.blocked_cycles += !held_.empty();
    }

    unsigned picked(unsigned scheduler, bool memory) const override {
        return failed_ || scheduler >= picked_.size() ? kNoWarp : picked_[scheduler][memory];
    }

    void memory_issued(unsigned warp) override {
        if (failed_) return;
        if (warp != picked_memory_) return failed("warp " + std::to_string(warp) + " issued to the LD/ST pipe, but was not picked for it");
        picked_memory_ = kNoWarp;
    }

    void lsu_begin(unsigned warp, unsigned requests, bool store) override {
        if (!failed_) check(machine_.lsu_begin(mascar::WarpId{warp}, requests, store ? mascar::store : 0), warp, "took the LD/ST unit");
    }

    Presented<Fetch> present() override {
        Presented<Fetch> out{Presented<Fetch>::Nothing, kNoWarp, Fetch()};
        if (failed_) return out;
        const auto next = machine_.lsu_next();
        if (!next) return failed(std::string("the L1 was asked again: ") + next.status().text()), out;
        src_ = next->src();
        if (!next->warp()) return out;
        out.warp = number(*next->warp());
        out.source = src_ == mascar::Src::New ? Presented<Fetch>::New : Presented<Fetch>::Kept;
        if (src_ == mascar::Src::Blocked) out.fetch = held_.front();
        if (src_ == mascar::Src::Rexq) out.fetch = kept_.front();
        counts_.presented++;
        return out;
    }

    bool answer(const L1Probe& probe, Fetch fetch, unsigned long long address) override {
        if (failed_) return true;
        const auto [lookup, room] = read(probe);
        mascar::Request request{};
        request.base = address, request.mask = 1;
        const auto reply = machine_.lsu_reply(lookup, room, src_ == mascar::Src::New ? std::optional(request) : std::nullopt);
        if (!reply) return failed(std::string("the L1 answered: ") + reply.status().text()), true;
        switch (reply->action()) {  // A3
        case mascar::Action::Accepted:
            if (src_ == mascar::Src::Blocked) held_.clear();
            break;
        case mascar::Action::Queued:
            counts_.queued++;
            kept_.push_back(fetch);
            break;
        case mascar::Action::Blocked:
            if (src_ == mascar::Src::New) held_.push_back(fetch);
            break;
        case mascar::Action::Popped: kept_.pop_front(); break;
        case mascar::Action::Recycled:
            counts_.recycled++;
            kept_.push_back(kept_.front());
            kept_.pop_front();
            break;
        }
        if (reply->unblocked()) {
            kept_.push_back(held_.front());
            held_.clear();
        }
        counts_.refused_with_room += !reply->ack() && room;
        return reply->ack();
    }

    void print(std::FILE* file) const override {
        const auto line = [&](const char* name, std::uint64_t value) { std::fprintf(file, "gpusched_mascar_%s = %" PRIu64 "\n", name, value); };
        line("ep_cycles", counts_.ep_cycles), line("mp_cycles", counts_.mp_cycles), line("blocked_cycles", counts_.blocked_cycles);
        line("owners", counts_.owners), line("presented", counts_.presented), line("queued", counts_.queued), line("recycled", counts_.recycled);
        line("refused_with_room", counts_.refused_with_room), line("given_up", counts_.given_up);
    }

    // For reports of the host's own.

    struct Counts {
        // Cycles in each mode, and those in which the LSU was blocked.
        std::uint64_t ep_cycles = 0, mp_cycles = 0, blocked_cycles = 0;
        std::uint64_t owners = 0, presented = 0, queued = 0, recycled = 0;
        // Requests that the L1 could have taken, and memory instructions that were picked and did not issue.
        std::uint64_t refused_with_room = 0, given_up = 0;
    };
    const Counts& counts() const { return counts_; }
    const mascar::Mascar& machine() const { return machine_; }
    // Requests that were refused.
    std::size_t kept() const { return kept_.size() + held_.size(); }

private:
    void begin(const mascar::Config& config) {
        if (const auto wrong = config.check(); !wrong) {
            return failed((wrong->name == nullptr ? std::string() : wrong->name + (" = " + std::to_string(wrong->value)) + ": ") + wrong.status().text());
        }
        auto made = mascar::Mascar::create(config);
        if (!made) return failed(made.status().text());
        machine_ = *std::move(made);
    }

    static std::pair<mascar::Lookup, bool> read(const L1Probe& probe) {  // A2
        if (probe.sent_on) return {mascar::Lookup::Miss, !probe.miss_queue_full};
        if (probe.status == CacheStatus::Hit) return {mascar::Lookup::Hit, true};
        if (probe.status == CacheStatus::ReservationFail) return {mascar::Lookup::Miss, false};
        if (probe.in_mshr) return {mascar::Lookup::Merge, !probe.mshr_full};
        return {mascar::Lookup::Miss, !probe.mshr_full && !probe.miss_queue_full};
    }

    void check(Status status, unsigned warp, const char* what) {
        if (!status) failed("warp " + std::to_string(warp) + ' ' + what + ": " + status.text());
    }
    void failed(const std::string& why) {
        failed_ = true;
        fail_("gpusched: mascar: " + why);
    }

    Fail fail_;
    bool failed_ = false;
    mascar::Mascar machine_;
    mascar::Src src_ = mascar::Src::Idle;
    // By scheduler: to another pipe, to the LD/ST pipe; and the warp that has still to issue there.
    std::array<std::array<unsigned, 2>, GPUSCHED_MASCAR_SCHEDULERS> picked_{};
    unsigned picked_memory_ = kNoWarp;
    // The re-execution queue, and the request that the LSU is blocked with, if any.
    std::deque<Fetch> kept_, held_;
    Counts counts_;
};

}  // namespace gpgpusim
}  // namespace gpusched

#endif  // GPUSCHED_GPGPUSIM_SM_MASCAR_HPP
