// What a dispatcher of somebody else may do: a front end of the core whose policy is told, so that every TB that the RTL sends goes through
// `send`, which refuses what has no room or is closed, and books of ours for what a map promises beyond that. Beside it, policies of the
// core's catalogue say where they would have sent that TB.
//
// Clock by clock: `end`, `launch`, `begin`, `send`, `finished`, `settle`. What is wrong is told with `wrong`, and ends the run.
#pragma once
#include "golden.hpp"
#include "map.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace own {

// The last events, for whoever has to find out what went wrong.
class Journal {
  public:
    template <class... T> void note(const char *form, T... values) {
        char text[200];
        std::snprintf(text, sizeof text, form, values...);
        events_.push_back("clock " + std::to_string(bench::run().cycles) + ": " + text);
        if (events_.size() > 50) events_.pop_front();
    }
    // Only the first is told; what follows are its consequences.
    template <class... T> void wrong(const char *form, T... values) {
        if (bench::run().differences++ != 0) return;
        for (const std::string &event : events_) std::printf("  %s\n", event.c_str());
        char text[400];
        std::snprintf(text, sizeof text, form, values...);
        std::printf("clock %llu: %s\n", static_cast<unsigned long long>(bench::run().cycles), text);
    }

  private:
    std::deque<std::string> events_;
};

struct Tb {
    uint32_t kernel, tb, smx, threads, tag;
    uint32_t regs_at, smem_at;
    uint32_t slot = 0; // the core's
};
struct Kernel {
    bool inside = false;
    uint64_t serial = 0;
    uint32_t tbs = 0, threads = 0, last_threads = 0, regs = 0, smem = 0;
    std::vector<bool> sent;
    uint32_t unsent = 0, resident = 0;
    uint64_t over = 0;   // the clock in which its last TB has ended
    uint32_t waits = 0;  // clocks in which its next TB has room and is not sent
    bool is_over() const { return unsent == 0 && resident == 0; }
    uint32_t threads_of(uint32_t tb) const { return tb + 1 == tbs ? last_threads : threads; }
};
struct Counts {
    uint64_t resets = 0, kernels = 0, sent = 0, ended = 0, several = 0, full = 0, lost_in_reset = 0;
    uint64_t sending = 0, idle = 0, no_room = 0, empty = 0; // clocks
    uint32_t longest_idle = 0;
    std::array<uint64_t, std::size(map::POLICIES)> agreed{};
};

class Model {
  public:
    Model(Journal &journal, Counts &counts) : journal_(journal), counts_(counts) { reset(); }

    void reset() {
        gpusched_frontend_config c;
        MUST(gpusched_frontend_config_init(&c, sizeof c, GPUSCHED_GPU_K20C));
        MUST(gpusched_frontend_config_ideal(&c));
        c.n_smx = map::SMXS, c.tb_slots = map::SLOTS, c.threads = map::THREADS, c.regs = map::REGS, c.smem = map::SMEM;
        c.n_kde = c.n_hwq = map::KERNELS, c.pend_limit = c.agt_size = 1;
        c.policy = GPUSCHED_POLICY_TOLD, c.told_units = GPUSCHED_TOLD_UNITS_FREE, c.told_dispatch_per_cycle = map::LANES;
        if (!map::ASCENDING) c.told_split_cap = std::min(65535u, map::KERNELS * map::WORK_TBS.most);
        gpusched_parameter bad;
        if (gpusched_frontend_config_check(&c, &bad) != GPUSCHED_STATUS_OK)
            bench::broken("the core has no machine with " + std::string(bad.name) + " " + std::to_string(bad.value));
        gpu_.emplace(c, gpusched_frontend_layout, gpusched_frontend_init);
        for (size_t i = 0; i < std::size(map::POLICIES); i++) {
            gpusched_catalogue_config p;
            MUST(gpusched_catalogue_config_init(&p, sizeof p, map::POLICIES[i].preset));
            p.n_smx = map::SMXS, p.units = map::KERNELS + 1, p.slots = map::SLOTS;
            p.threads = map::THREADS, p.regs = map::REGS, p.smem = map::SMEM;
            policies_[i].emplace(p, gpusched_catalogue_layout, gpusched_catalogue_init);
        }
        counts_.lost_in_reset += running_.size();
        kernels_.fill({}), running_.clear(), idle_ = 0;
    }

    void open(const std::array<bool, map::SMXS> &open) {
        gpusched_smx_set set{};
        for (uint32_t s = 0; s < map::SMXS; s++) set.words[s / 64] |= static_cast<uint64_t>(open[s]) << s % 64;
        MUST(gpusched_frontend_set_eligible(*gpu_, &set));
    }

    void launch(uint32_t id, const Kernel &kernel) {
        Kernel &k = kernels_[id] = kernel;
        k.inside = true, k.serial = ++counts_.kernels, k.unsent = k.tbs, k.sent.assign(k.tbs, false);
        const gpusched_kernel g = {.pc = 1, .grid = {k.tbs, 1, 1}, .tb = {k.threads, 1, 1}, .regs = k.regs, .smem = k.smem,
                                   .param = 0, .cluster = {}, .tag = id};
        MUST(gpusched_frontend_host_launch(*gpu_, id, &g, 0, nullptr));
    }

    void end(const Tb &tb) {
        gpusched_completion done;
        MUST(gpusched_frontend_completion(*gpu_, tb.smx, tb.slot, &done));
        for (auto &policy : policies_) MUST(gpusched_catalogue_done(*policy, &done));
        MUST(gpusched_frontend_tb_done(*gpu_, tb.smx, tb.slot));
        counts_.ended++;
        Kernel &k = kernels_[tb.kernel];
        k.resident--;
        if (k.is_over()) k.over = bench::run().cycles;
        if (k.is_over() && !map::SAYS_FINISHED) k.inside = false;
        running_.erase(std::find_if(running_.begin(), running_.end(),
                                    [&](const Tb &r) { return r.smx == tb.smx && r.slot == tb.slot; }));
    }

    void begin() { MUST(gpusched_frontend_begin(*gpu_, nullptr)); }

    // A TB that the RTL has sent. What a map does not say of it is what the promises leave.
    bool send(Tb &tb) {
        if (!map::SAYS_KERNEL) tb.kernel = oldest([](const Kernel &k) { return k.unsent != 0; });
        if (tb.kernel >= map::KERNELS || !kernels_[tb.kernel].inside)
            return journal_.wrong("a TB of kernel %d -> SMX %u, but no such kernel is inside", static_cast<int>(tb.kernel), tb.smx), false;
        Kernel &k = kernels_[tb.kernel];
        const uint32_t next = static_cast<uint32_t>(std::find(k.sent.begin(), k.sent.end(), false) - k.sent.begin());
        if (!map::SAYS_TB) tb.tb = next;
        const auto wrong = [&](const char *why) {
            journal_.wrong("TB %u of kernel %u -> SMX %u: %s", tb.tb, tb.kernel, tb.smx, why);
            return false;
        };
        if (tb.tb >= k.tbs) return wrong(next == k.tbs ? "all its TBs were sent before" : "the kernel has no such TB");
        if (k.sent[tb.tb]) return wrong("it was sent before");
        if (map::ASCENDING && tb.tb != next) return wrong("out of order, an earlier one was not sent");
        if (map::OLDEST && oldest([](const Kernel &other) { return other.unsent != 0; }) != tb.kernel)
            return wrong("an older kernel has TBs to send");
        if (map::SAYS_THREADS && tb.threads != k.threads_of(tb.tb))
            return wrong(("it was told " + std::to_string(tb.threads) + " threads, not " + std::to_string(k.threads_of(tb.tb))).c_str());
        tb.threads = k.threads_of(tb.tb);
        std::string clash;
        if (map::SAYS_REGS_AT) clash = overlap("registers", tb, map::REGS, &Tb::regs_at, &Kernel::regs);
        if (map::SAYS_SMEM_AT && clash.empty()) clash = overlap("shared memory", tb, map::SMEM, &Tb::smem_at, &Kernel::smem);
        if (!clash.empty()) return wrong(clash.c_str());

        look();
        const gpusched_offer *offer = nullptr;
        for (const gpusched_offer &o : offers_)
            if (o.tag == tb.kernel && o.blkid <= tb.tb && tb.tb - o.blkid < o.left) offer = &o;
        if (offer == nullptr) bench::broken("the core does not offer a TB that is not sent");
        uint32_t id = offer->id;
        compare(offer, tb);
        if (tb.tb != offer->blkid) MUST(gpusched_frontend_split(*gpu_, id, tb.tb, &id));
        gpusched_placement placed;
        const gpusched_status status = gpusched_frontend_send(*gpu_, id, tb.smx, &placed);
        if (status != GPUSCHED_STATUS_OK) {
            gpusched_smx room{};
            if (tb.smx < map::SMXS) MUST(gpusched_frontend_smx(*gpu_, tb.smx, &room));
            char why[350];
            std::snprintf(why, sizeof why, "%s, %s. It wants %u threads%s, %u registers, %u shared memory; free are %u, %u, %u, and %u slots",
                          gpusched_status_str(status), gpusched_status_text(status), k.threads,
                          tb.threads == k.threads ? "" : " (of a full TB: the last one takes as much room)", k.regs, k.smem,
                          room.threads, room.regs, room.smem, static_cast<unsigned>(__builtin_popcountll(room.slots)));
            return wrong(why);
        }
        tb.slot = placed.slot;
        k.sent[tb.tb] = true, k.unsent--, k.resident++, k.waits = 0;
        running_.push_back(tb);
        counts_.sent++;
        journal_.note("TB %u of kernel %u -> SMX %u", tb.tb, tb.kernel, tb.smx);
        return true;
    }

    // The RTL says that a kernel is over.
    void finished(uint32_t id) {
        if (!map::SAYS_FINISHED_KERNEL) id = oldest([](const Kernel &) { return true; });
        if (id >= map::KERNELS || !kernels_[id].inside)
            return journal_.wrong("kernel %d is said to be over, but is not inside", static_cast<int>(id));
        Kernel &k = kernels_[id];
        if (!k.is_over()) return journal_.wrong("kernel %u is said to be over: %u TBs were not sent, %u run", id, k.unsent, k.resident);
        journal_.note("kernel %u is over", id);
        k.inside = false;
    }

    // The clock is over: what has not happened in it that should have?
    void settle(uint32_t sent) {
        look();
        bool could = false;
        uint32_t first = map::KERNELS;
        for (const gpusched_offer &o : offers_) {
            Kernel &k = kernels_[o.tag];
            // Under the promise of age the oldest kernel's turn ends with its last TB.
            const bool is_its_turn = !map::OLDEST || first == map::KERNELS || first == o.tag;
            first = first == map::KERNELS ? static_cast<uint32_t>(o.tag) : first;
            const bool has_room = (o.open.words[0] | o.open.words[1] | o.open.words[2] | o.open.words[3]) != 0;
            if (!is_its_turn) continue;
            could |= has_room;
            k.waits = has_room ? k.waits + 1 : 0;
            if (k.waits > map::MOST_STARVE)
                journal_.wrong("kernel %u starves: for %u clocks its TB %u has room and is not sent", static_cast<unsigned>(o.tag), k.waits,
                               o.blkid);
        }
        idle_ = could && sent == 0 ? idle_ + 1 : 0;
        counts_.longest_idle = std::max(counts_.longest_idle, idle_);
        (sent ? counts_.sending : could ? counts_.idle : !offers_.empty() ? counts_.no_room : counts_.empty)++;
        counts_.several += sent > 1;
        if (idle_ > map::MOST_IDLE)
            journal_.wrong("stalled: for %u clocks TB %u of kernel %u could be sent, and nothing is", idle_, offers_[0].blkid,
                           static_cast<unsigned>(offers_[0].tag));
        for (uint32_t id = 0; id < map::KERNELS; id++) {
            const Kernel &k = kernels_[id];
            if (k.inside && k.is_over() && bench::run().cycles - k.over > map::FINISHED_WITHIN)
                journal_.wrong("kernel %u: its last TB ended %u clocks ago, and it is not said to be over", id, map::FINISHED_WITHIN);
        }
        MUST(gpusched_frontend_end(*gpu_, nullptr, nullptr));
        const gpusched_decision *made;
        size_t count;
        MUST(gpusched_frontend_take(*gpu_, &made, &count));
    }

    const Kernel &kernel(uint32_t id) const { return kernels_[id]; }
    bool is_inside() const { return std::any_of(kernels_.begin(), kernels_.end(), [](const Kernel &k) { return k.inside; }); }

  private:
    template <class Which> uint32_t oldest(Which which) const {
        uint32_t id = map::KERNELS;
        for (uint32_t i = 0; i < map::KERNELS; i++)
            if (kernels_[i].inside && which(kernels_[i]) && (id == map::KERNELS || kernels_[i].serial < kernels_[id].serial)) id = i;
        return id;
    }

    // What is wrong with the place of a TB in registers or shared memory, if anything is.
    std::string overlap(const char *of, const Tb &tb, uint32_t room, uint32_t Tb::*at, uint32_t Kernel::*size) const {
        const auto place = [&](const Tb &t) {
            const uint32_t has = kernels_[t.kernel].*size;
            return std::make_pair(static_cast<uint64_t>(t.*at), static_cast<uint64_t>(t.*at) + has);
        };
        const auto [from, to] = place(tb);
        const std::string what = std::string("its ") + of + ", " + std::to_string(from) + " to " + std::to_string(to) + ", ";
        if (from == to) return {};
        if (to > room) return what + "leave the SMX";
        for (const Tb &other : running_) {
            const auto [begin, end] = place(other);
            if (other.smx == tb.smx && from < end && begin < to)
                return what + "overlap " + std::to_string(begin) + " to " + std::to_string(end) + " of TB " + std::to_string(other.tb)
                    + " of kernel " + std::to_string(other.kernel);
        }
        return {};
    }

    // What can be sent now.
    void look() {
        offers_.clear();
        for (uint32_t from = GPUSCHED_NONE; offers_.empty() || from != GPUSCHED_NONE;) {
            gpusched_offer some[16];
            size_t count;
            MUST(gpusched_frontend_offers(*gpu_, from, GPUSCHED_NONE, some, std::size(some), &count, &from));
            offers_.insert(offers_.end(), some, some + count);
            if (count == 0) break;
        }
    }

    // Where the policies would send a TB now.
    void compare(const gpusched_offer *offer, const Tb &tb) {
        std::array<gpusched_resources, map::SMXS> free;
        for (uint32_t s = 0; s < map::SMXS; s++) {
            gpusched_smx room;
            MUST(gpusched_frontend_smx(*gpu_, s, &room));
            free[s] = {room.threads, room.regs, room.smem, static_cast<uint32_t>(__builtin_popcountll(room.slots))};
        }
        gpusched_catalogue_view view{};
        MUST(gpusched_frontend_now(*gpu_, &view.now));
        view.offers = offers_.data(), view.offer_count = offers_.size(), view.free = free.data();
        for (size_t i = 0; i < policies_.size(); i++) {
            gpusched_catalogue_choice choice;
            uint32_t chosen;
            MUST(gpusched_catalogue_choose(*policies_[i], &view, &choice, &chosen));
            counts_.agreed[i] += chosen && &offers_[choice.offer] == offer && choice.smx == tb.smx && choice.blkid == tb.tb;
        }
    }

    Journal &journal_;
    Counts &counts_;
    std::optional<bench::Object<gpusched_frontend>> gpu_;
    std::array<std::optional<bench::Object<gpusched_catalogue>>, std::size(map::POLICIES)> policies_;
    std::array<Kernel, map::KERNELS> kernels_{};
    std::vector<Tb> running_;
    std::vector<gpusched_offer> offers_;
    uint32_t idle_ = 0;
};

} // namespace own
