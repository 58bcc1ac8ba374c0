// One cycle of the front end.
#include <algorithm>

#include "frontend.hpp"

namespace comparator {

using Kind = Decision::Kind;

Tick FrontEnd::tick() {
    Tick word;
    word.kmu = issue();
    arrive();
    join();
    word.sched = send();
    stats_.warp_cycles += resident_warps_;
    stats_.ticks++;
    now_++;
    return word;
}

// The KMU (dtbl-T1): the oldest head of a queue that is not held, or kernel of the device whose time has come, goes to the lowest free entry.
Kmu FrontEnd::issue() {
    Queue* queue = nullptr;
    for (Queue& other : queues_) {
        if (other.kernels.empty() || other.busy) continue;
        if (!queue || other.kernels.front().is_before(queue->kernels.front().ready, queue->kernels.front().seq)) queue = &other;
    }
    bool from_device = !kernels_.empty() && kernels_.top().ready <= now_;
    if (from_device && queue) from_device = !queue->kernels.front().is_before(kernels_.top().ready, kernels_.top().seq);
    if (!queue && !from_device) return Kmu::Empty;
    if (now_ < next_issue_) return Kmu::Busy;
    auto free = std::find_if(entries_.begin(), entries_.end(), [](const Entry& e) { return e.state == Entry::State::Free; });
    if (free == entries_.end()) return Kmu::Full;

    Entry entry;
    if (from_device) {
        uint32_t number = kernels_.top().record;
        kernels_.pop();
        const Record& record = records_[number];
        entry.kernel = record.kernel;
        entry.depth = record.depth;
        entry.launched = record.launched;
        entry.from_device = true;
        free_record(number);
    } else {
        const HostKernel& head = queue->kernels.front();
        entry.kernel = head.kernel;
        entry.retain = head.retain;
        entry.queue = int32_t(queue - queues_.data());
        queue->kernels.pop_front();
        queue->busy = true;
    }
    entry.state = Entry::State::Arriving;
    entry.total = uint32_t(entry.kernel.grid.product());
    entry.block_threads = uint32_t(entry.kernel.block.product());
    entry.block_warps = (entry.block_threads + config_.warp - 1) / config_.warp;
    entry.arrive_at = now_ + config_.lat_dispatch;
    *free = entry;
    uint32_t kdei = uint32_t(free - entries_.begin());
    arriving_.push_back(kdei);
    next_issue_ = now_ + config_.kmu_interval;
    Decision& issued = decide(Kind::Issue);
    issued.kdei = kdei;
    issued.queue = entry.queue;
    issued.tag = entry.kernel.tag;
    return Kmu::Issue;
}

// dtbl-T2.
void FrontEnd::arrive() {
    while (!arriving_.empty() && entries_[arriving_.front()].arrive_at <= now_) {
        uint32_t kdei = arriving_.front();
        arriving_.pop_front();
        Entry& entry = entries_[kdei];
        entry.state = Entry::State::Active;
        entry.natives_first = true;
        mark(kdei);
        Decision& arrived = decide(Kind::Arrive);
        arrived.kdei = kdei;
        arrived.tag = entry.kernel.tag;
    }
}

// Coalescing (dtbl-T3): all lanes of the oldest command whose time has come. Those without a kernel to join become kernels of the device.
void FrontEnd::join() {
    if (groups_.empty() || groups_.top().ready > now_) return;
    uint32_t command = groups_.top().command;
    while (!groups_.empty() && groups_.top().command == command) {
        uint32_t record = groups_.top().record;
        groups_.pop();
        if (!join_one(record)) kernels_.push({now_, records_[record].seq, record, 0});
    }
}

bool FrontEnd::join_one(uint32_t number) {
    Record& group = records_[number];
    auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& e) {
        return e.state == Entry::State::Active && e.kernel.same_code(group.kernel);
    });
    if (found == entries_.end()) {
        stats_.kde_miss++;
        decide(Kind::Fall).tag = group.kernel.tag;
        return false;
    }
    stats_.kde_hit++;
    Entry& entry = *found;
    uint32_t kdei = uint32_t(found - entries_.begin());
    uint32_t place = group.hw_tid & (config_.agt_size - 1);
    if (agt_[place] < 0) {
        stats_.agt_hit++;
        agt_[place] = int32_t(number);
        group.age = int32_t(place);
    } else {
        stats_.agt_spill++;
        group.age = -1;
    }
    group.kdei = kdei;
    group.total = uint32_t(group.kernel.grid.product());
    group.running = 0;
    group.next = -1;
    group.distributed = false;
    if (entry.first_group < 0) {
        entry.first_group = int32_t(number);
    } else {
        records_[entry.last_group].next = int32_t(number);
    }
    entry.last_group = int32_t(number);
    entry.groups++;
    if (!entry.marked) mark(kdei);
    Decision& joined = decide(Kind::Join);
    joined.kdei = kdei;
    joined.tag = group.kernel.tag;
    joined.record = int32_t(number);
    joined.age = group.age;
    return true;
}

bool FrontEnd::has_room(const Smx& smx, const Entry& entry) const {
    return smx.slots >= 1 && smx.threads >= entry.block_threads && smx.regs >= entry.kernel.regs && smx.smem >= entry.kernel.smem;
}

// The SMX scheduler (dtbl-T4).
Sched FrontEnd::send() {
    using Load = Current::Load;
    if (!current_.valid) {
        if (fifo_.empty()) return Sched::Idle;
        uint32_t kdei = fifo_.front();
        const Entry& entry = entries_[kdei];
        current_ = Current{};
        current_.valid = true;
        current_.kdei = kdei;
        if (entry.natives_first) {
            current_.next_block = entry.next_native;
        } else {
            current_.record = entry.first_group;
        }
    }
    Entry& entry = entries_[current_.kdei];
    if (current_.record >= 0 && records_[current_.record].age < 0 && current_.load != Load::Here) {
        if (current_.load == Load::NotAsked) {
            Decision& load = decide(Kind::Load);
            load.record = current_.record;
            current_.load = Load::Waiting;
            current_.load_at = now_ + config_.load_cycles;
        }
        if (now_ < current_.load_at) return Sched::Load;
        current_.load = Load::Here;
    }

    uint32_t s = next_smx_;
    uint32_t tried = 0;
    while (!has_room(smxs_[s], entry)) {
        if (++tried == config_.n_smx) return Sched::NoRoom;
        if (++s == config_.n_smx) s = 0;
    }
    Smx& smx = smxs_[s];
    auto slot = std::find_if(smx.tbs.begin(), smx.tbs.end(), [](const Tb& tb) { return !tb.valid; });
    smx.slots--;
    smx.threads -= entry.block_threads;
    smx.regs -= entry.kernel.regs;
    smx.smem -= entry.kernel.smem;
    resident_warps_ += entry.block_warps;
    next_smx_ = s + 1 < config_.n_smx ? s + 1 : 0;
    slot->valid = true;
    slot->kdei = current_.kdei;
    slot->record = current_.record;
    entry.running++;

    Decision& tb = decide(Kind::Tb);
    tb.kdei = current_.kdei;
    tb.smx = uint16_t(s);
    tb.slot = uint16_t(slot - smx.tbs.begin());
    tb.block = current_.next_block;
    tb.record = current_.record;
    stats_.tbs++;
    bool over;
    if (current_.record < 0) {
        if (entry.from_device && current_.next_block == 0) {
            stats_.dyn_n++;
            stats_.dyn_wait += now_ - entry.launched;
        }
        entry.next_native = ++current_.next_block;
        over = current_.next_block == entry.total;
        if (over) entry.natives_first = false;
    } else {
        Record& group = records_[current_.record];
        tb.age = group.age;
        if (current_.next_block == 0) {
            stats_.dyn_n++;
            stats_.dyn_wait += now_ - group.launched;
        }
        group.running++;
        over = ++current_.next_block == group.total;
        if (over) {
            group.distributed = true;
            entry.first_group = group.next;
            if (entry.first_group < 0) entry.last_group = -1;
        }
    }
    if (!over) return Sched::Tb;
    if (entry.first_group < 0) {
        entry.marked = false;
        fifo_.pop_front();
        current_.valid = false;
        Decision& unmark = decide(Kind::Unmark);
        unmark.kdei = current_.kdei;
    } else {
        current_.record = entry.first_group;
        current_.next_block = 0;
        current_.load = Load::NotAsked;
    }
    return Sched::Tb;
}

}  // namespace comparator
