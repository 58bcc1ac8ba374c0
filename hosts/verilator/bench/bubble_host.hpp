// The host of bubble_bench: configurations, what the controller looks like from outside, and a TB scheduler of changing mood that
// decides which TBs wait, start and end. It proposes; whether that was right is for the core and the RTL to say.
#pragma once
#include "golden.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace bubble {

constexpr uint32_t SMXS = SIZE_SMXS; // from the list `sizes`
// What the RTL of the bench is built for: the most that a configuration may ask for.
constexpr uint32_t DRAIN_SAMPLES = 10, TRANSITION_SAMPLES = 20, GPU_IDLE_SAMPLES = 3, SAMPLE_CYCLES = 500;
// The bits of the RTL's ledger: more TBs or warps are not given to an SMX.
constexpr uint32_t MOST_TBS = 31, MOST_WARPS = 127;

using Config = gpusched_bubble_config;
using Res = gpusched_resources;
using bench::run;

inline bool chance(uint32_t times, uint32_t of) { return run().random.chance(times, of); }
inline uint32_t below(uint32_t limit) { return run().random.below(limit); }
template <class T, size_t N> T one_of(const T (&values)[N]) { return values[below(N)]; }
inline uint32_t bit(uint32_t s) { return 1u << s; }
inline uint32_t set(const gpusched_smx_set &s) { return static_cast<uint32_t>(s.words[0]); }

inline Config default_config() {
    Config c;
    MUST(gpusched_bubble_config_init(&c, sizeof c));
    return c;
}

// The configurations in turn: the switches one by one, then one in which everything is drawn.
inline Config draw_config(uint64_t number) {
    Config c = default_config();
    c.sample_cycles = 4 + below(5);
    switch (number % 24) {
    case 0: break;
    case 2: c.transition_samples = 20, c.drain_samples = 2; break;
    case 4: c.retrigger = GPUSCHED_BUBBLE_RETRIGGER_LEVEL, c.drain_samples = 2, c.smxs = 6; break;
    case 6: c.retrigger = GPUSCHED_BUBBLE_RETRIGGER_ONCE; break;
    case 8: c.draining = 0, c.transition_samples = 3; break;
    case 10: c.resume_hold = 1, c.transition_samples = 3; break;
    case 12: c.gpu_level = 0, c.drain_samples = 1; break;
    case 14: c.resume_draining = 0, c.smxs = 3, c.t_num = 1, c.t_den = 4; break;
    case 16: c.inclusive = 1, c.drain_samples = 3, c.smxs = 4; break;
    case 18: c.smxs = 1; break;
    case 20: c.smxs = 2, c.t_num = 1, c.t_den = 5; break;
    case 22: c.enabled = chance(1, 2), c.gpu_idle_samples = 3; break;
    default:
        c.smxs = 1 + below(SMXS);
        c.t_den = one_of({1u, 5u, 16u, 64u, 65535u});
        c.t_num = std::min(c.t_den, one_of({0u, 1u, 2u, 3u, 9000u, 65535u}));
        c.sample_cycles = chance(1, 32) ? SAMPLE_CYCLES : 1 + below(8);
        c.drain_samples = one_of({1u, 2u, 4u, DRAIN_SAMPLES});
        c.transition_samples = one_of({1u, 2u, 3u, TRANSITION_SAMPLES});
        c.gpu_idle_samples = 1 + below(GPU_IDLE_SAMPLES);
        c.retrigger = below(3);
        c.enabled = chance(15, 16);
        c.inclusive = below(2), c.draining = chance(3, 4), c.gpu_level = chance(3, 4), c.resume_draining = below(2);
        c.resume_hold = below(2);
    }
    return c;
}

// All that the core shows.
struct View {
    uint32_t dvr, drn, dvfs, armed, eligible;
    bool gpu;
    gpusched_bubble_gpu level;
    gpusched_bubble_smx smx[SMXS];
    gpusched_bubble_ledger ledger[SMXS];

    View() = default;
    View(const gpusched_bubble *core, uint32_t smxs) : View() {
        gpusched_bubble_registers registers;
        MUST(gpusched_bubble_get_registers(core, &registers));
        dvr = set(registers.dvr), drn = set(registers.drn), dvfs = set(registers.dvfs), gpu = registers.gpu != 0;
        gpusched_smx_set some;
        MUST(gpusched_bubble_armed(core, &some));
        armed = set(some);
        MUST(gpusched_bubble_eligible(core, &some));
        eligible = set(some);
        MUST(gpusched_bubble_get_gpu(core, &level));
        for (uint32_t s = 0; s < smxs; s++) {
            MUST(gpusched_bubble_get_smx(core, s, &smx[s]));
            MUST(gpusched_bubble_get_ledger(core, s, &ledger[s]));
        }
    }
    uint32_t at(uint32_t wanted) const {
        uint32_t all = 0;
        for (uint32_t s = 0; s < SMXS; s++)
            if (smx[s].level.stage == wanted) all |= bit(s);
        return all;
    }
};

inline bool fits(const Res &res, const Res &room) {
    return res.threads <= room.threads && res.regs <= room.regs && res.smem <= room.smem && res.slots <= room.slots;
}

struct Tb {
    uint32_t smx;
    Res res;
};

class Host {
  public:
    explicit Host(const Config &config) : config_(config), crooked_(chance(1, 6)), legal_(chance(1, 3)) { draw_mood(); }

    // Begins a clock: TBs arrive or are withdrawn, moods change.
    void tick() {
        if (mood_left_-- == 0) draw_mood();
        if (chance(arrive_, 8)) queued_++;
        if (chance(1, 400)) queued_ = below(60);
        if (chance(1, 100)) queued_ = 0;
        if (chance(1, 300)) queued_ = arrive_ = 0, end_ = end_at_sample_ = 32; // everything ends
        queued_ = std::min(queued_, 60u);
    }

    bool waits() const { return queued_ > 0; }
    gpusched_bubble_waiting waiting() const { return head_; }

    // Whether a TB ends, and which: more often one that a drain waits for.
    bool ends(const View &view, bool sample_due, Tb &tb) {
        if (!legal_ && chance(1, 64)) return tb = {below(16), chance(1, 2) ? odd_amount() : shape()}, true;
        if (crooked_ && chance(1, 3)) return tb = {below(config_.smxs), one_of<Res>({shape(), {1 + below(70), 0, 0, 1}})}, true;
        if (tbs_.empty() || !chance(sample_due ? end_at_sample_ : end_, 32)) return false;
        size_t which = below(static_cast<uint32_t>(tbs_.size()));
        for (int tries = 0; skims_ && tries < 4 && view.ledger[tbs_[which].smx].resident.tbs == 1; tries++)
            which = below(static_cast<uint32_t>(tbs_.size()));
        if (chance(help_drains_, 4))
            for (size_t i = 0; i < tbs_.size(); i++)
                if (view.drn >> tbs_[i].smx & 1) which = i;
        tb = tbs_[which];
        tbs_[which] = tbs_.back();
        tbs_.pop_back();
        return true;
    }

    // Whether a TB starts, and which.
    bool starts(const View &view, Tb &tb) {
        if (!legal_ && chance(1, 64)) {
            tb = {below(16), one_of<Res>({shape(), shape(), odd_amount()})};
        } else {
            if (queued_ == 0 || tbs_.size() >= most_ || !chance(15, 16)) return false;
            uint32_t room = view.eligible & (head_.bound ? set(head_.allowed) : ~0u);
            for (uint32_t s = 0; s < SMXS; s++)
                if (!fits(head_.res, view.ledger[s].free)) room &= ~bit(s);
            if (room == 0) return false;
            if (spread_)
                for (uint32_t skip = below(static_cast<uint32_t>(__builtin_popcount(room))); skip > 0; skip--) room &= room - 1;
            tb = {static_cast<uint32_t>(__builtin_ctz(room)), head_.res};
        }
        if (tb.smx >= config_.smxs) return true;
        const auto &there = view.ledger[tb.smx].resident;
        return there.tbs < MOST_TBS && there.warps + (tb.res.threads + config_.warp_size - 1) / config_.warp_size <= MOST_WARPS;
    }
    // It did; if it is like the TB that waits, that one.
    void started(const Tb &tb) {
        tbs_.push_back(tb);
        const Res &h = head_.res;
        const bool was_head = h.threads == tb.res.threads && h.regs == tb.res.regs && h.smem == tb.res.smem && h.slots == tb.res.slots;
        if (was_head && queued_ > 0) queued_--, draw_head();
    }

    // Something that no TB may be; at times what it may be.
    static Res odd_amount() {
        Res res = {256, 1024, 1024, 1};
        switch (below(7)) {
        case 0: res.threads = 0; break;
        case 1: res.slots = 0; break;
        case 2: res.threads = 2049 + below(2046); break;
        case 3: res.regs = 65537 + below(65534); break;
        case 4: res.smem = 49153 + below(16382); break;
        case 5: res.slots = 17 + below(14); break;
        default: res = {2048, 65536, 49152, 16};
        }
        return res;
    }

  private:
    Res shape() const {
        switch (shape_ == 8 ? below(8) : shape_) {
        case 0: return {1 + below(32), 0, 0, 1};                                    // one warp
        case 1: return {one_of({96u, 97u, 128u, 129u}), 512, 0, 1};                 // around T = 1/16
        case 2: return {one_of({129u, 161u, 225u, 250u}), 0, below(512), 1};        // warps partly filled: full with threads left
        case 3: return {one_of({256u, 512u, 1024u}), 0, 0, 1 + below(2)};           // by threads
        case 4: return {64, one_of({16384u, 8192u, 20000u, 65536u}), 0, 1};         // by registers
        case 5: return {64, 1000, one_of({12288u, 16384u, 10000u, 49152u}), 1};     // by shared memory
        case 6: return {32, 0, 0, one_of({1u, 2u, 4u, 8u})};                        // by slots
        default: return {2048, 0, 0, 1};                                            // a whole SMX
        }
    }
    void draw_head() {
        head_ = {};
        head_.res = chance(1, 5) ? Res{32 + below(32), 0, 0, 1} : shape();
        if (!chance(bind_, 4)) return;
        head_.bound = 1;
        const uint32_t one = bit(below(config_.smxs));
        head_.allowed.words[0] = chance(1, 2) ? one : one | below(1u << config_.smxs);
    }
    void draw_mood() {
        mood_left_ = 10 + below(150);
        most_ = one_of({2u, 4u, 40u, 1000u, 1000u, 1000u}); // TBs at a time
        arrive_ = one_of({0u, 0u, 1u, 4u, 8u, 8u});
        end_ = one_of({0u, 1u, 4u, 16u, 32u, 32u});
        end_at_sample_ = chance(1, 2) ? 32 : end_;
        help_drains_ = below(5);
        bind_ = one_of({0u, 0u, 1u, 4u});
        spread_ = chance(1, 2), skims_ = chance(1, 2);
        shape_ = below(9);
        draw_head();
    }

    Config config_;
    bool crooked_; // TBs end in other shapes than they started in
    bool legal_;   // no event that must be refused
    std::vector<Tb> tbs_;
    gpusched_bubble_waiting head_{};
    uint32_t queued_ = 0, mood_left_ = 0, most_ = 0, arrive_ = 0, end_ = 0, end_at_sample_ = 0, help_drains_ = 0, bind_ = 0, shape_ = 0;
    bool spread_ = false, skims_ = false; // over the SMXs; leaving one TB on each
};

} // namespace bubble
