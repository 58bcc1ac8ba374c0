// A front end of the core with random work, cut into clocks: what the benches of `agt` and `smx_scheduler` share.
//
// Each clock tells the pins, the outputs that the core decided, and, if `known`, the registers that the core has after it. A cycle of the
// core is several clocks when several TBs end in it, a kernel with several TBs is suspended, or a command has several lanes; the core has
// no state to compare between the lanes of a command or the TBs of a suspension, so those clocks are not `known`, all others are.
// Configuration and mood change on the way: bursts and droughts, long and short TBs, full tables, idle phases.
#pragma once
#include "golden.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace dtbl {

// From the list `sizes`, as in dtbl_pins.svh.
constexpr uint32_t SMXS = SIZE_SMXS, SLOTS = SIZE_SLOTS, KDES = SIZE_KDES, AGES = SIZE_AGES, RECORDS = SIZE_RECORDS;
constexpr uint32_t THREADS = SIZE_THREADS, REGS = SIZE_REGS, SMEM = SIZE_SMEM;
constexpr bool is_large = SMXS * SLOTS > 64;
constexpr uint32_t NONE = 0xffffffff, RESTORED = 0xfffffffe, SPILLED = 0x80000000;

// A group reference or what a TB is part of, as the sheet's 32-bit field.
inline uint32_t ref(uint32_t unit, uint32_t number) {
    switch (unit) {
    case GPUSCHED_UNIT_AGE: return number;
    case GPUSCHED_UNIT_RECORD: return SPILLED | number;
    case GPUSCHED_UNIT_RESTORED: return RESTORED;
    default: return NONE;
    }
}
inline bool is_group(uint32_t ref) { return ref < RESTORED; }
inline bool is_spilled(uint32_t ref) { return is_group(ref) && ref >= SPILLED; }

enum Op : uint32_t { NO_OP, TB_DONE, UNRETAIN, SUSPEND };

// As `clock_t` and `registers_t` in dtbl_pins.svh: words in this order.
struct Clock {
    uint32_t rst, known;
    uint32_t hash_global, miss_device, load_external, load_cycles, turn_groups;
    uint32_t op, op_smx, op_slot, op_kde;
    uint32_t spill_loaded, spill_record;
    uint32_t issue, issue_kde, issue_total, issue_next_native, issue_saved, issue_retain, issue_param;
    uint32_t issue_threads, issue_regs, issue_smem;
    uint32_t arrive, arrive_kde;
    uint32_t lane, lane_kde, lane_smx, lane_tid, lane_x, lane_y, lane_z, lane_param, lane_record, behind;
    uint32_t tick;
    // Outputs
    uint32_t op_fault, kernel_done, suspended, left, left_smx, left_slot, left_kde, left_ref, left_blkid;
    uint32_t done, group_done, done_param, no_load;
    uint32_t hit, joined, joined_ref;
    uint32_t sched, load_ask, tb_smx, tb_slot, tb_kde, tb_ref, tb_blkid, tb_param, tb_total, tb_next, unmark, rotate;
    uint32_t send, last;
};
struct Group {
    uint32_t valid, x, y, z, param, next, exe, dist;
};
struct Entry {
    uint32_t state, total, next_native, saved, restored, exe, live, retain, param, threads, regs, smem, nagei, lagei, mark, first;
};
struct Tb {
    uint32_t valid, kdei, agei, blkid;
};
struct Room {
    uint32_t slots, threads, regs, smem;
};
struct Registers {
    Entry kde[KDES];
    uint32_t marked, fifo[KDES];
    uint32_t sscr_valid, sscr_kdei, sscr_agei, sscr_next_bl, sscr_load, sscr_turn;
    Tb tb[SMXS * SLOTS];
    Room room[SMXS];
    uint32_t rr;
    Group age[AGES], spilled[RECORDS];

    const Group &group(uint32_t ref) const { return ref >= SPILLED ? spilled[ref & ~SPILLED] : age[ref]; }
    Group &group(uint32_t ref) { return ref >= SPILLED ? spilled[ref & ~SPILLED] : age[ref]; }
};
struct Step {
    Clock clock{};
    Registers after{};  // if clock.known
    uint32_t lanes = 0; // of the command that this clock's lane belongs to
};

// What was launched; its tag is its place in a list.
struct Launch {
    gpusched_kernel kernel;
    uint32_t smx, tid, record, retain;
};

class Driver {
  public:
    // The next clock. `before()` are the last registers that were known.
    const Step &next() {
        if (clocks_.empty()) cycle();
        if (step_.clock.known) before_ = step_.after;
        step_ = clocks_.front();
        clocks_.pop_front();
        return step_;
    }
    const Registers &before() const { return before_; }

  private:
    // Odds are 1 in so many; 0 is never.
    struct Mood {
        uint32_t cycles, end, ends, host, agg, device, unretain, suspend, resume, answer, wrong, tids, classes, grid;
    };

    void cycle() {
        if (cycles_left_-- == 0 || !gpu_) return reset();
        if (mood_.cycles-- == 0) mood_ = new_mood();
        const size_t earlier = clocks_.size();
        operations();
        launches();
        tick(clocks_.size() > earlier && run_.random.chance(3, 4));
    }

    bool one_in(uint32_t odds) { return odds != 0 && run_.random.below(odds) == 0; }
    uint32_t below(uint32_t n) { return run_.random.below(n); }
    uint32_t one_of(std::initializer_list<uint32_t> list) { return list.begin()[below(static_cast<uint32_t>(list.size()))]; }

    void reset();
    Mood new_mood();
    void operations();
    void operation(Op op, uint32_t smx, uint32_t slot, uint32_t kde);
    void launches();
    gpusched_kernel kernel(std::optional<uint64_t> like);
    void tick(bool merge);
    Registers look();
    void group(const gpusched_group_view &view, Group *group);

    // A clock with the configuration on its pins, in which nothing happens.
    Step idle() const {
        Step step;
        step.clock.known = 1;
        step.clock.hash_global = config_.hash_scope == GPUSCHED_HASH_SCOPE_GLOBAL;
        step.clock.miss_device = config_.agt_miss == GPUSCHED_AGT_MISS_DEVICE;
        step.clock.load_external = config_.load_mode == GPUSCHED_LOAD_MODE_EXTERNAL;
        step.clock.load_cycles = config_.load_cycles;
        step.clock.turn_groups = config_.turn_groups;
        return step;
    }
    std::vector<gpusched_decision> take() {
        const gpusched_decision *first;
        size_t count;
        MUST(gpusched_frontend_take(*gpu_, &first, &count));
        return {first, first + count};
    }
    uint64_t new_tag() {
        if (free_.empty()) free_.push_back(launched_.size()), launched_.emplace_back();
        const uint64_t tag = free_.back();
        free_.pop_back();
        return tag;
    }

    bench::Run &run_ = bench::run();
    gpusched_frontend_config config_{};
    std::optional<bench::Object<gpusched_frontend>> gpu_;
    uint32_t cycles_left_ = 0;
    Mood mood_{};
    std::vector<Launch> launched_;
    std::vector<uint64_t> free_;
    std::optional<Launch> again_; // the group that was done in this cycle
    Registers now_{}; // of the core
    std::deque<Step> clocks_;
    Step step_;
    Registers before_{};
};

// Hands a structure of words to SystemVerilog, where a packed structure's first field is its most significant word.
template <class T> void hand_over(const T &from, uint32_t words, uint32_t *to) {
    if (words * sizeof(uint32_t) != sizeof(T)) bench::broken("dtbl_pins.svh and dtbl_driver.hpp do not agree");
    std::reverse_copy(reinterpret_cast<const uint32_t *>(&from), reinterpret_cast<const uint32_t *>(&from + 1), to);
}

} // namespace dtbl

#include "dtbl_work.hpp"
