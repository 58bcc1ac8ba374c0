// LaPerm's Adaptive-Bind under DTBL as the sheet `laperm` describes it: a child is bound to the unit of its parent's SMX, and an SMX without
// work of its own takes from a backup unit. With `no_fit` block, `spill` new, `backup_select` next and no limit of backups.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace comparator {

struct Resources {
    uint32_t threads = 0, regs = 0, smem = 0, slots = 0;

    bool fits(const Resources& free) const {
        return threads <= free.threads && regs <= free.regs && smem <= free.smem && slots <= free.slots;
    }
    Resources& operator+=(const Resources& o) {
        threads += o.threads, regs += o.regs, smem += o.smem, slots += o.slots;
        return *this;
    }
    Resources& operator-=(const Resources& o) {
        threads -= o.threads, regs -= o.regs, smem -= o.smem, slots -= o.slots;
        return *this;
    }
};

struct BindConfig {
    uint32_t smxs = 13, cluster = 1, levels = 4, queue_cap = 128, q0_cap = 32, pool_cap = 4096, refill_cycles = 0;
    uint32_t smx_threads = 2048, smx_regs = 65536, smx_smem = 49152, smx_slots = 16;
    // 1: the next SMX that can take a TB is visited, not the next one.
    uint32_t skip = 0;
};

// Where a push has put an entry.
struct Placed {
    bool on_chip;
    std::optional<uint32_t> unit;
    uint32_t level;
    size_t pos;
    uint64_t ready_at;
};

// The answer to a tick: a dispatch, or why there is none.
struct BindTick {
    enum class Word : uint8_t { Dispatch, NoWork, Masked, NoCandidate, NoFit } word;
    std::optional<uint32_t> smx, unit;
    uint64_t tag;
    uint32_t tb, prio, stage;
    bool last;
    std::optional<uint64_t> refill;
};

class AdaptiveBind {
public:
    explicit AdaptiveBind(const BindConfig& config);

    Placed push_host(uint64_t now, uint64_t tag, uint32_t tbs, const Resources& tb);
    Placed push_child(uint64_t now, uint64_t tag, uint32_t tbs, const Resources& tb, uint32_t parent_smx, uint32_t parent_prio);
    BindTick tick(uint64_t now);
    void tb_done(uint64_t now, uint32_t smx, const Resources& tb);
    void set_mask(uint64_t now, uint32_t smx, bool masked);

private:
    struct Entry {
        uint64_t tag = 0;
        uint32_t tbs = 0, next = 0, prio = 0;
        Resources tb;
        uint64_t ready_at = 0;
    };

    // The queues of a unit: a FIFO for each level on chip, and one for each in memory.
    struct Unit {
        std::vector<std::deque<Entry>> sections, overflow;
        uint32_t on_chip = 0, spilled = 0;
    };

    struct Smx {
        Resources free;
        bool masked = false;
        // The unit that was last its backup.
        std::optional<uint32_t> backup;
    };

    void check(uint64_t now, uint32_t tbs, const Resources& tb) const;
    Entry* candidate(uint32_t unit, uint64_t now);
    Entry* candidate_of_queue0(uint64_t now);
    std::optional<uint32_t> select(uint32_t unit, uint64_t now);
    BindTick visit(uint32_t smx, uint64_t now);
    BindTick dispatch(uint32_t smx, uint32_t stage, Entry& entry, std::optional<uint32_t> unit, uint64_t now);

    BindConfig config_;
    Resources capacity_;
    std::vector<Unit> units_;
    std::deque<Entry> queue0_;
    std::vector<Smx> smxs_;
    uint32_t next_smx_ = 0, pool_used_ = 0;
    uint64_t last_time_ = 0;
    std::optional<uint64_t> last_tick_;
};

}  // namespace comparator
