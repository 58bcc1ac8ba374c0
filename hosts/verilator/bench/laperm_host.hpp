// A machine of the core in one random configuration after the other, and a random host of it: what it pushes, which TBs end, which SMXs
// it masks, at times legally and at times not. Moods of some hundred cycles make queues run empty and lists run full.
#pragma once
#include "golden.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace bench {

// From the list `sizes`, as in laperm_bench.sv.
constexpr uint32_t SMXS = SIZE_SMXS, LEVELS = SIZE_LEVELS, QUEUE_CAP = SIZE_QUEUE_CAP, Q0_CAP = SIZE_Q0_CAP, POOL_CAP = SIZE_POOL_CAP;
constexpr gpusched_resources MOST{SIZE_THREADS, SIZE_REGS, SIZE_SMEM, SIZE_SLOTS};
constexpr bool is_large = POOL_CAP > 1000;

// The bits that hold 0 .. most.
constexpr uint32_t width(uint32_t most) { return most == 0 ? 0 : 1 + width(most / 2); }
// Something above `most` that they hold, too.
inline uint32_t above(uint32_t most) { return most + 1 + run().random.below((1u << width(most)) - 1 - most); }

// {threads, regs, smem, slots} as the pins have them.
inline uint64_t packed(const gpusched_resources &r) {
    uint64_t all = r.threads;
    all = all << width(MOST.regs) | r.regs;
    all = all << width(MOST.smem) | r.smem;
    return all << width(MOST.slots) | r.slots;
}
inline bool fits(const gpusched_resources &need, const gpusched_resources &free) {
    return need.threads <= free.threads && need.regs <= free.regs && need.smem <= free.smem && need.slots <= free.slots;
}

// Queue entries, in order. `unit` SMXS is queue 0.
using Entries = std::vector<gpusched_laperm_entry>;

// All registers of the core.
struct Registers {
    uint32_t cur, units, pool_free;
    uint64_t mask;
    std::array<gpusched_resources, SMXS> free;
    std::array<gpusched_laperm_backup, SMXS> backup;
    std::array<Entries, SMXS + 1> queue;
    std::array<Entries, SMXS> off_chip;

    void read(gpusched_laperm *core) {
        MUST(gpusched_laperm_cur(core, &cur));
        MUST(gpusched_laperm_units(core, &units));
        MUST(gpusched_laperm_pool_free(core, &pool_free));
        gpusched_smx_set set;
        MUST(gpusched_laperm_mask(core, &set));
        mask = set.words[0];
        for (uint32_t s = 0; s < SMXS; s++) {
            MUST(gpusched_laperm_free(core, s, &free[s]));
            MUST(gpusched_laperm_get_backup(core, s, &backup[s]));
        }
        for (uint32_t u = 0; u < SMXS; u++) {
            queue[u].resize(u < units ? queue[u].size() : 0), off_chip[u].resize(u < units ? off_chip[u].size() : 0);
            if (u < units) list(core, gpusched_laperm_queue, u, queue[u]), list(core, gpusched_laperm_off_chip, u, off_chip[u]);
        }
        list(core, gpusched_laperm_queue, GPUSCHED_NONE, queue[SMXS]);
    }
    // Lists grow by few entries from cycle to cycle, and `to` is what this one was not long ago.
    template <class List> static void list(const gpusched_laperm *core, List list, uint32_t unit, Entries &to) {
        size_t count;
        to.resize(to.size() + 2);
        gpusched_status status = list(core, unit, to.data(), to.size(), &count);
        if (status == GPUSCHED_STATUS_CAPACITY) to.resize(count), status = list(core, unit, to.data(), count, &count);
        MUST(status);
        to.resize(count);
    }
    // laperm-R6, for what a rule's condition wants to know: the candidate of a unit, or of queue 0.
    const gpusched_laperm_entry *candidate(uint32_t u, uint64_t now) const {
        uint32_t section = GPUSCHED_NONE;
        for (const auto &e : queue[u]) {
            if (e.section != section && e.ready_at <= now) return &e;
            section = e.section;
        }
        return nullptr;
    }
};

struct Push {
    bool host;
    uint64_t tag;
    uint32_t tbs;
    gpusched_resources res;
    uint32_t smx, prio; // of the parent
};
struct Tb {
    uint32_t smx;
    gpusched_resources res;
};

class Host {
  public:
    gpusched_laperm_config config{};
    uint64_t now = 0;
    std::vector<Tb> running;

    // A new machine, empty, at a cycle of its own.
    gpusched_laperm *machine() {
        Random &r = run().random;
        MUST(gpusched_laperm_config_init(&config, sizeof config));
        config.smxs = SMXS, config.levels = LEVELS, config.queue_cap = QUEUE_CAP, config.q0_cap = Q0_CAP, config.pool_cap = POOL_CAP;
        config.smx_threads = MOST.threads, config.smx_regs = MOST.regs, config.smx_smem = MOST.smem, config.smx_slots = MOST.slots;
        config.cluster = 1 + r.below(r.chance(1, 2) ? 1 : SMXS);
        // Every second one adaptive_bind, every fourth smx_bind.
        const uint32_t policy = r.below(8);
        config.policy = policy < 4 ? policy : policy < 5 ? uint32_t{GPUSCHED_LAPERM_POLICY_SMX_BIND} : GPUSCHED_LAPERM_POLICY_ADAPTIVE_BIND;
        config.visit = r.below(2), config.no_fit = r.below(2), config.spill = r.below(2), config.backup_select = r.below(3);
        config.backup_limit = r.chance(1, 2) ? 0 : 1 + r.below(3);
        const uint32_t refills[] = {r.below(2), r.below(24), r.below(200), r.below(65536)};
        config.refill_cycles = refills[r.below(r.chance(1, 8) ? 4 : 3)];
        config.charge_insert = r.below(2);
        // Of large machines every second one fills its tables, and that takes as many cycles.
        fills_ = is_large && (machines_++ & 1) == 0;
        if (fills_) {
            config.policy = GPUSCHED_LAPERM_POLICY_ADAPTIVE_BIND, config.cluster = 1, config.refill_cycles = 0;
            config.backup_limit = 20 + r.below(40), config.charge_insert = machines_ >> 1 & 1;
        }
        // Entries that load are often evicted only in queues that often refill (laperm-R4c).
        loads_ = !fills_ && r.chance(1, 6);
        if (loads_) {
            if (config.policy == GPUSCHED_LAPERM_POLICY_RR) config.policy = GPUSCHED_LAPERM_POLICY_TB_PRI;
            config.spill = GPUSCHED_LAPERM_SPILL_LOWEST, config.refill_cycles = 10 + r.below(100), config.charge_insert = 0;
        }
        now = r.chance(1, 2) ? 0 : r.next() >> (1 + r.below(40)); // not too near the end of time
        running.clear();
        push_.reset();
        core_.emplace(config, gpusched_laperm_layout, gpusched_laperm_init);
        left_ = fills_ ? SMXS * QUEUE_CAP + POOL_CAP + 1000 : 100 + r.below(600);
        mood_left_ = 0;
        return *core_;
    }
    gpusched_laperm *core() { return *core_; }
    // Whether the machine has one more cycle.
    bool goes_on() {
        now++;
        if (mood_left_-- == 0) change_mood();
        return left_-- > 0;
    }

    bool ticks() { return run().random.chance(tick_, 16); }

    // What waits to be pushed. It waits until it is taken, or refused.
    const Push *push(const Registers &was, const gpusched_laperm_sent &sent) {
        Random &r = run().random;
        if (!push_ && r.chance(push_odds_, 64)) {
            const uint32_t prio = deep_ == 0 ? r.below(2) * LEVELS : deep_ < 3 ? 1 + r.below(LEVELS) : r.below(LEVELS + 1);
            push_ = Push{r.chance(host_, 16), r.next(), tbs(), res(), parent(), prio};
            for (bool bad = r.chance(1, 24); bad; bad = r.chance(1, 4)) spoil(*push_);
        }
        if (!push_ && loads_) provoke(was, sent);
        return push_ ? &*push_ : nullptr;
    }
    void pushed() { push_.reset(); }

    // A TB that ends, or something that cannot have ended; `legal` then is false.
    std::optional<Tb> done(bool &legal) {
        Random &r = run().random;
        legal = true;
        if (!running.empty() && r.chance(done_, 64)) {
            const size_t which = r.below(static_cast<uint32_t>(running.size()));
            const Tb tb = running[which];
            running[which] = running.back();
            running.pop_back();
            return tb;
        }
        if (!r.chance(1, 64)) return {};
        legal = false;
        Tb tb{r.below(SMXS), res()};
        gpusched_resources free;
        MUST(gpusched_laperm_free(core(), tb.smx, &free));
        // More than is taken of one component, by one.
        switch (r.below(7)) {
            case 0: tb.smx = above(SMXS - 1); break;
            case 1: tb.res.threads = 0; break;
            case 2: tb.res.slots = 0; break;
            case 3: tb.res = {MOST.threads - free.threads + 1, 0, 0, 1}; break;
            case 4: tb.res = {1, MOST.regs - free.regs + 1, 0, 1}; break;
            case 5: tb.res = {1, 0, MOST.smem - free.smem + 1, 1}; break;
            default: tb.res = {1, 0, 0, MOST.slots - free.slots + 1}; break;
        }
        return tb;
    }

    bool masks(uint32_t &smx, bool &value) {
        Random &r = run().random;
        smx = r.chance(1, 16) ? r.below(1u << width(SMXS - 1)) : r.below(SMXS);
        value = r.chance(mask_, 8);
        return r.chance(1, 24);
    }

  private:
    std::optional<Object<gpusched_laperm>> core_;
    std::optional<Push> push_;
    uint32_t left_ = 0, mood_left_ = 0;
    uint32_t machines_ = 0;
    bool loads_ = false, fills_ = false;
    uint32_t tick_ = 16, push_odds_ = 16, host_ = 4, done_ = 16, mask_ = 2, large_ = 4, long_ = 2, hot_ = 1, deep_ = 0;

    void change_mood() {
        Random &r = run().random;
        mood_left_ = 20 + r.below(200);
        tick_ = r.chance(1, 4) ? r.below(17) : 16;
        push_odds_ = std::array<uint32_t, 5>{0, 4, 16, 40, 64}[r.below(5)];
        host_ = std::array<uint32_t, 4>{0, 2, 4, 12}[r.below(4)];
        done_ = std::array<uint32_t, 5>{2, 16, 40, 64, 64}[r.below(5)];
        mask_ = r.chance(1, 4) ? 7 : r.below(4);
        large_ = r.chance(1, 2) ? 0 : r.below(17);
        long_ = r.below(9);
        hot_ = 1 + r.below((1 << SMXS) - 1); // SMXs on which parents run
        // Many units wait, with TBs of which some fit and some do not.
        if (r.chance(1, 4)) hot_ = (1 << SMXS) - 1, host_ = 0, push_odds_ = 40, large_ = 8, done_ = 40, mask_ = 1;
        if (loads_) large_ = 0, done_ = 64, long_ = 8;
        deep_ = loads_ ? 1 : r.below(4); // children of the lowest and the highest level, or not of the lowest, or any
        if (!fills_) return;
        // Some large groups of small TBs; first from parents on one SMX, so that all others have it as their backup.
        tick_ = 16, push_odds_ = 64, host_ = 0, done_ = 40, mask_ = 1, large_ = 0, long_ = 4, hot_ = 1 << (SMXS - 1 - machines_ % SMXS);
        uint32_t pool_free;
        MUST(gpusched_laperm_pool_free(core(), &pool_free));
        if (pool_free < POOL_CAP / 2) host_ = r.below(2), hot_ = (1 << SMXS) - 1;
    }
    uint32_t parent() {
        Random &r = run().random;
        uint32_t smx = r.below(SMXS);
        while (!(hot_ >> smx & 1)) smx = (smx + 1) % SMXS;
        return smx;
    }
    uint32_t tbs() {
        Random &r = run().random;
        if (r.chance(1, 1000)) return static_cast<uint32_t>(r.next() | 1);
        return r.chance(long_, 16) ? 1 + r.below(is_large ? 200 : 12) : 1 + r.below(2);
    }
    gpusched_resources res() {
        Random &r = run().random;
        if (r.chance(large_, 16))
            return {1 + r.below(MOST.threads), r.below(MOST.regs + 1), r.below(MOST.smem + 1), 1 + r.below(MOST.slots)};
        // Of which about as many fit as there are slots.
        return {1 + r.below(MOST.threads / (MOST.slots - 1)), r.below(MOST.regs / MOST.slots), r.below(MOST.smem / (MOST.slots - 1)), 1};
    }
    // Chance seldom makes a full queue evict the very entry that sends: it must be the last one, and all others loading.
    void provoke(const Registers &was, const gpusched_laperm_sent &sent) {
        for (uint32_t u = 0; u < was.units; u++) {
            const auto &queue = was.queue[u];
            const bool all_load = queue.size() == QUEUE_CAP - 1 && !was.candidate(u, now);
            const bool last_sends = queue.size() == QUEUE_CAP && sent.tag == queue.back().tag;
            if (all_load || last_sends)
                push_ = Push{false, run().random.next(), 4, {1, 0, 0, 1}, u * config.cluster, last_sends ? LEVELS : 0};
        }
    }
    static void spoil(Push &p) {
        Random &r = run().random;
        switch (r.below(9)) {
            case 0: p.smx = above(SMXS - 1); break;
            case 1: p.prio = above(LEVELS); break;
            case 2: p.tbs = 0; break;
            case 3: p.res.threads = 0; break;
            case 4: p.res.slots = 0; break;
            case 5: p.res.threads = above(MOST.threads); break;
            case 6: p.res.regs = above(MOST.regs); break;
            case 7: p.res.smem = above(MOST.smem); break;
            default: p.res.slots = above(MOST.slots); break;
        }
    }
};

} // namespace bench
