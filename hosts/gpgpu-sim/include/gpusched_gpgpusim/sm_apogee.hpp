// sm_apogee.hpp: APOGEE beside the L1 of one SM: it learns from the loads of warps, and says which lines to prefetch. C++17; the simulator
// sees it as ApogeeSeam. Fetch is what the simulator knows a request by, `mem_fetch *`.
//
//   m_apogee = new gpusched::gpgpusim::Apogee<mem_fetch *>(settings, fail);
//
// What becomes of what:
//
//   G1  A load is told to the machine when the L1 has answered all of its accesses: absent if a line or sector of it missed, else pending if
//       one was on its way, else a hit.
//   G2  PCs are bytes in the simulator, instructions here, of which the lowest pc_bits are kept.
//   G3  Addresses of the simulator have 48 bits; loads beyond addr_bits are not told.
//   G4  A prefetch is known again by its request: what the simulator reuses after the fill is another one.
//   G5  A new kernel empties table and queue; what is on its way then comes back to rows that are gone, and is stale.
#ifndef GPUSCHED_GPGPUSIM_SM_APOGEE_HPP
#define GPUSCHED_GPGPUSIM_SM_APOGEE_HPP

#include <gpusched_apogee.hpp>
#include <gpusched_gpgpusim/sm_seam.hpp>

#include <algorithm>
#include <cinttypes>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

namespace gpusched {
namespace gpgpusim {

struct ApogeeSettings {
    ApogeeSettings() { config.addr_bits = 48; }
    // `warps`, `warp_size` and `line_bytes` (of a sectored L1: 32) are those of the simulator.
    apogee::Config config;
    // Of an instruction: 8 in PTX mode, 16 in traces of Volta and later.
    std::uint32_t instruction_bytes = 8;
};

template <class Fetch>
class Apogee : public ApogeeSeam<Fetch> {
public:
    using Fail = std::function<void(const std::string&)>;

    // Wrong settings, and reports that cannot be, are told to `fail`; after that nothing is prefetched.
    Apogee(ApogeeSettings settings, Fail fail) : settings_(std::move(settings)), fail_(std::move(fail)) { begin(); }
    Apogee(const Apogee&) = delete;
    Apogee& operator=(const Apogee&) = delete;

    void load_issued(const IssuedLoad& load) override {
        if (failed_ || load.mask == 0 || load.accesses == 0) return;
        Load fresh{load, settings_.config.warp_size};
        if (fresh.beyond(settings_.config.addr_bits)) {  // G3
            counts_.outside++;
            return;
        }
        if (!loads_.emplace(load.id, std::move(fresh)).second) failed("load " + std::to_string(load.id) + " issued twice");
    }

    void load_access(unsigned long long now, unsigned id, CacheStatus status) override {  // G1
        const auto at = failed_ ? loads_.end() : loads_.find(id);
        // A load that was not told.
        if (at == loads_.end() || status == CacheStatus::ReservationFail) return;
        Load& load = at->second;
        load.verdict = std::max(load.verdict, verdict(status));
        if (--load.left > 0) return;
        const std::uint64_t pc = load.pc / settings_.instruction_bytes & ((std::uint64_t{1} << settings_.config.pc_bits) - 1);  // G2
        const apogee::Access access(pc, apogee::WarpId{load.warp}, load.verdict, load.mask, load.addresses);
        const auto loaded = machine_.load(now, access);
        if (!loaded) return failed("warp " + std::to_string(load.warp) + " loaded at pc " + std::to_string(load.pc) + ": " + loaded.status().text());
        counts_.loads++, counts_.absent += load.verdict == apogee::Verdict::Absent, counts_.pending += load.verdict == apogee::Verdict::Pending;
        counts_.confirmed += loaded->confirmed();
        counts_.queued += loaded->pushed(), counts_.dropped += loaded->dropped();
        counts_.later += loaded->adjust() == apogee::Adjust::Dec, counts_.sooner += loaded->adjust() == apogee::Adjust::Inc;
        loads_.erase(at);
    }

    bool next(unsigned long long now, Prefetch& prefetch) override {
        if (failed_) return false;
        const auto popped = machine_.pf_pop(now);
        if (!popped) return failed(std::string("the next prefetch was asked for: ") + popped.status().text()), false;
        asked_ = *popped;
        if (!asked_) return false;
        prefetch.line = asked_->line(), prefetch.warp = number(asked_->warp());
        return true;
    }

    void sent(Fetch fetch) override {
        if (!reply(true)) return;
        counts_.sent++;
        if (!sent_.emplace(fetch, *asked_).second) return failed("a request was sent for two prefetches");
        asked_.reset();
    }
    void not_sent() override {
        if (!reply(false)) return;
        counts_.not_sent++;
        asked_.reset();
    }

    bool filled(Fetch fetch) override {  // G4
        const auto at = sent_.find(fetch);
        if (at == sent_.end()) return false;
        if (!failed_) {
            const auto stale = machine_.pf_fill(at->second);
            if (!stale) failed(std::string("a prefetch came back: ") + stale.status().text());
            counts_.stale += *stale;
        }
        sent_.erase(at);
        return true;
    }

    void threads(unsigned n) override {
        if (failed_ || n == 0) return;
        if (const Status set = machine_.set_threads(n); !set) failed(std::to_string(n) + " threads: " + set.text());
    }
    void kernel_bound() override {  // G5
        if (asked_) not_sent();
        if (failed_) return;
        if (const auto dropped = machine_.flush(); !dropped) return failed(std::string("another kernel: ") + dropped.status().text());
        loads_.clear();
    }

    void print(std::FILE* file) const override {
        const auto line = [&](const char* name, std::uint64_t value) { std::fprintf(file, "gpusched_apogee_%s = %" PRIu64 "\n", name, value); };
        line("loads", counts_.loads), line("absent", counts_.absent), line("pending", counts_.pending), line("confirmed", counts_.confirmed);
        line("queued", counts_.queued), line("dropped", counts_.dropped), line("sent", counts_.sent), line("not_sent", counts_.not_sent);
        line("stale", counts_.stale), line("outside", counts_.outside), line("sooner", counts_.sooner), line("later", counts_.later);
    }

    // For reports of the host's own.

    struct Counts {
        // Loads that were told, those of them that missed, or waited for a line on its way, and those on a learnt pattern.
        std::uint64_t loads = 0, absent = 0, pending = 0, confirmed = 0;
        // Lines on a learnt pattern: queued, and without a place in the queue; and all that were asked of the L1.
        std::uint64_t queued = 0, dropped = 0, sent = 0, not_sent = 0;
        // Fills for rows that are gone; loads beyond the address space.
        std::uint64_t stale = 0, outside = 0;
        // How often the distance grew, and shrank.
        std::uint64_t sooner = 0, later = 0;
    };
    const Counts& counts() const { return counts_; }
    const apogee::Prefetcher& machine() const { return machine_; }
    // Prefetches on their way.
    std::size_t in_flight() const { return sent_.size(); }

private:
    struct Load {
        Load(const IssuedLoad& load, std::uint32_t lanes) : warp(load.warp), left(load.accesses), pc(load.pc), mask(load.mask), addresses(lanes) {
            for (std::uint32_t lane = 0; lane < lanes; lane++) addresses[lane] = active(lane) ? load.addresses[lane] : 0;
        }
        bool active(std::uint32_t lane) const { return lane < 64 && (mask >> lane & 1) != 0; }
        bool beyond(std::uint32_t bits) const {
            return std::any_of(addresses.begin(), addresses.end(), [&](std::uint64_t address) { return address >> bits != 0; });
        }

        std::uint32_t warp, left;
        std::uint64_t pc, mask;
        std::vector<std::uint64_t> addresses;
        apogee::Verdict verdict = apogee::Verdict::Hit;
    };

    void begin() {
        apogee::Config& config = settings_.config;
        if (settings_.instruction_bytes == 0) return failed("instruction_bytes = 0: an instruction has a byte at least");
        if (const auto wrong = config.check(); !wrong) {
            return failed((wrong->name == nullptr ? std::string() : wrong->name + (" = " + std::to_string(wrong->value)) + ": ") + wrong.status().text());
        }
        auto made = apogee::Prefetcher::create(config);
        if (!made) return failed(made.status().text());
        machine_ = *std::move(made);
    }

    static apogee::Verdict verdict(CacheStatus status) {
        if (status == CacheStatus::Hit) return apogee::Verdict::Hit;
        const bool on_its_way = status == CacheStatus::HitReserved || status == CacheStatus::MshrHit;
        return on_its_way ? apogee::Verdict::Pending : apogee::Verdict::Absent;
    }

    bool reply(bool sent) {
        if (failed_) return false;
        const auto stale = machine_.pf_reply(sent);
        if (!stale) failed(std::string("a prefetch was answered: ") + stale.status().text());
        return stale.ok();
    }
    void failed(const std::string& why) {
        failed_ = true;
        fail_("gpusched: apogee: " + why);
    }

    ApogeeSettings settings_;
    Fail fail_;
    bool failed_ = false;
    apogee::Prefetcher machine_;
    // By the simulator's number.
    std::unordered_map<unsigned, Load> loads_;
    // What was popped and not answered; what is on its way.
    std::optional<apogee::Request> asked_;
    std::unordered_map<Fetch, apogee::Request> sent_;
    Counts counts_;
};

}  // namespace gpgpusim
}  // namespace gpusched

#endif  // GPUSCHED_GPGPUSIM_SM_APOGEE_HPP
