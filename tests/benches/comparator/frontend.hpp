// Kernel and thread-block dispatch as the sheets `dtbl` and `frontend` describe it, written as one writes it inside a simulator: standard
// containers, a structure for each table, a loop where the sheet says "each". Without suspension, external loads, look-ahead and turns.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <queue>
#include <stdexcept>
#include <vector>

namespace comparator {

// A call that the sheets refuse; its text is the fault's name.
struct Refused : std::invalid_argument {
    using std::invalid_argument::invalid_argument;
};

struct Dim3 {
    uint32_t x = 1, y = 1, z = 1;

    uint64_t product() const { return uint64_t(x) * y * z; }
    bool operator==(const Dim3& o) const { return x == o.x && y == o.y && z == o.z; }
};

struct Kernel {
    uint64_t pc = 0;
    Dim3 grid, block;
    uint32_t regs = 0, smem = 0;
    uint64_t tag = 0;

    // Whether a group of this kernel may join `o` (dtbl-T3).
    bool same_code(const Kernel& o) const {
        return pc == o.pc && block == o.block && regs == o.regs && smem == o.smem;
    }
};

struct GroupLaunch {
    Kernel kernel;
    uint32_t hw_tid = 0;
};

struct FrontEndConfig {
    uint32_t n_smx = 13, tb_slots = 16, threads = 2048, regs = 65536, smem = 49152, warp = 32;
    uint32_t n_hwq = 32, n_kde = 32, hwq_depth = 64, pend_limit = 2048, agt_size = 1024;
    uint32_t lat_stream = 7165, gpb_b = 8023, gpb_a = 129, ld_b = 12187, ld_a = 1592;
    uint32_t lat_dispatch = 283, kmu_interval = 283, kde_scan = 1, agt_probe = 1, load_cycles = 300;
};

// What was decided, in the words of the sheet. `ref` is the record of a group, with its place in the table of groups if it is on chip.
struct Decision {
    enum class Kind : uint8_t { Issue, Arrive, Join, Fall, Load, Tb, Unmark, GroupDone, KernelDone, QueueFree };

    Kind kind = Kind::Issue;
    uint16_t smx = 0, slot = 0;
    uint32_t kdei = 0, block = 0;
    int32_t queue = -1, record = -1, age = -1;
    uint64_t cycle = 0, tag = 0;
};

enum class Sched : uint8_t { Tb, Idle, Load, NoRoom };
enum class Kmu : uint8_t { Issue, Empty, Busy, Full };

struct Tick {
    Sched sched;
    Kmu kmu;
};

struct Stats {
    uint64_t kde_hit = 0, kde_miss = 0, agt_hit = 0, agt_spill = 0, dyn_n = 0, dyn_wait = 0, tbs = 0, warp_cycles = 0, ticks = 0;
};

class FrontEnd {
public:
    explicit FrontEnd(const FrontEndConfig& config);

    // The hardware queue that the kernel is in.
    uint32_t host_launch(uint32_t stream, const Kernel& kernel, bool retain);
    void device_launch(uint32_t smx, uint32_t slot, const std::vector<Kernel>& kernels);
    void agg_launch(uint32_t smx, uint32_t slot, const std::vector<GroupLaunch>& groups);
    void tb_done(uint32_t smx, uint32_t slot);
    void unretain(uint32_t kdei);
    Tick tick();

    // What was decided since the caller has last cleared it.
    std::vector<Decision> decisions;

    const Stats& stats() const { return stats_; }
    uint32_t records_in_use() const { return records_in_use_; }

private:
    struct HostKernel {
        Kernel kernel;
        bool retain;
        uint64_t ready, seq;

        bool is_before(uint64_t other_ready, uint64_t other_seq) const {
            return ready != other_ready ? ready < other_ready : seq < other_seq;
        }
    };

    struct Queue {
        std::deque<HostKernel> kernels;
        bool busy = false;
    };

    // A group or a kernel launched by the device: from its launch until it is done, or issued.
    struct Record {
        Kernel kernel;
        uint64_t launched = 0, seq = 0;
        uint32_t hw_tid = 0, depth = 0;
        // Of a group that has joined.
        uint32_t kdei = 0, total = 0, running = 0;
        int32_t next = -1, age = -1;
        bool distributed = false;
    };

    // A record that waits until its time has come.
    struct Waiting {
        uint64_t ready, seq;
        uint32_t record, command;

        bool operator>(const Waiting& o) const { return ready != o.ready ? ready > o.ready : seq > o.seq; }
    };
    using Heap = std::priority_queue<Waiting, std::vector<Waiting>, std::greater<Waiting>>;

    // An entry of the kernel distributor.
    struct Entry {
        enum class State : uint8_t { Free, Arriving, Active } state = State::Free;
        Kernel kernel;
        uint32_t total = 0, block_threads = 0, block_warps = 0, next_native = 0, running = 0, groups = 0, depth = 0;
        int32_t queue = -1;
        // The next group with TBs to send, and the last one.
        int32_t first_group = -1, last_group = -1;
        uint64_t arrive_at = 0, launched = 0;
        bool retain = false, marked = false, natives_first = false, from_device = false;
    };

    // What runs in a slot.
    struct Tb {
        bool valid = false;
        uint32_t kdei = 0;
        int32_t record = -1;
    };

    struct Smx {
        uint32_t slots, threads, regs, smem;
        std::vector<Tb> tbs;
    };

    // What the SMX scheduler is sending.
    struct Current {
        enum class Load : uint8_t { NotAsked, Waiting, Here };

        bool valid = false;
        uint32_t kdei = 0, next_block = 0;
        int32_t record = -1;
        Load load = Load::NotAsked;
        uint64_t load_at = 0;
    };

    void check(const Kernel& kernel) const;
    Entry& check_parent(uint32_t smx, uint32_t slot, size_t lanes);
    uint32_t take_record();
    void free_record(uint32_t record);
    Decision& decide(Decision::Kind kind);
    void release_if_over(uint32_t kdei);
    void mark(uint32_t kdei);
    Kmu issue();
    void arrive();
    void join();
    bool join_one(uint32_t record);
    Sched send();
    bool has_room(const Smx& smx, const Entry& entry) const;

    FrontEndConfig config_;
    std::vector<Queue> queues_;
    std::vector<Record> records_;
    // Records that were used and are free; from `unused_records_` on none was ever used.
    std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<uint32_t>> free_records_;
    uint32_t unused_records_ = 0, records_in_use_ = 0;
    Heap groups_, kernels_;
    std::vector<Entry> entries_;
    // Entries on their way from the KMU, in the order of their issue, which is that of their arrival.
    std::deque<uint32_t> arriving_;
    // Marked entries.
    std::deque<uint32_t> fifo_;
    // The aggregated group table: the record of each place, or -1.
    std::vector<int32_t> agt_;
    std::vector<Smx> smxs_;
    Current current_;
    uint32_t next_smx_ = 0, next_command_ = 0;
    uint64_t now_ = 0, seq_ = 0, next_issue_ = 0, resident_warps_ = 0;
    Stats stats_;
};

}  // namespace comparator
