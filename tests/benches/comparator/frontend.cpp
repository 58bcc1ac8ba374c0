// The calls of the front end.
#include <algorithm>

#include "frontend.hpp"

namespace comparator {

using Kind = Decision::Kind;

FrontEnd::FrontEnd(const FrontEndConfig& config)
    : config_(config),
      queues_(config.n_hwq),
      records_(config.pend_limit),
      entries_(config.n_kde),
      agt_(config.agt_size, -1),
      smxs_(config.n_smx, Smx{config.tb_slots, config.threads, config.regs, config.smem, std::vector<Tb>(config.tb_slots)}) {}

// ---- calls

void FrontEnd::check(const Kernel& kernel) const {
    const Dim3& grid = kernel.grid;
    if (grid.x == 0 || grid.y == 0 || grid.z == 0) throw Refused("EmptyGrid");
    if (grid.x > 0x7fffffff || grid.y > 65535 || grid.z > 65535 || uint64_t(grid.x) * grid.y > UINT32_MAX / grid.z)
        throw Refused("GridTooLarge");
    const Dim3& block = kernel.block;
    if (block.x == 0 || block.y == 0 || block.z == 0) throw Refused("EmptyTb");
    // The limit is at most 65536, so that no product of three wraps.
    uint32_t limit = config_.threads;
    if (block.x > limit || block.y > limit || block.z > limit || block.product() > limit) throw Refused("TbTooBig");
    if (kernel.regs > config_.regs || kernel.smem > config_.smem) throw Refused("TbTooBig");
}

FrontEnd::Entry& FrontEnd::check_parent(uint32_t smx, uint32_t slot, size_t lanes) {
    if (smx >= config_.n_smx) throw Refused("BadSmx");
    if (slot >= config_.tb_slots) throw Refused("BadSlot");
    const Tb& parent = smxs_[smx].tbs[slot];
    if (!parent.valid) throw Refused("NoTb");
    if (lanes == 0 || lanes > config_.warp) throw Refused("BadCount");
    return entries_[parent.kdei];
}

uint32_t FrontEnd::host_launch(uint32_t stream, const Kernel& kernel, bool retain) {
    check(kernel);
    uint32_t q = stream % config_.n_hwq;
    if (queues_[q].kernels.size() >= config_.hwq_depth) throw Refused("HwqFull");
    queues_[q].kernels.push_back({kernel, retain, now_, seq_++});
    return q;
}

void FrontEnd::device_launch(uint32_t smx, uint32_t slot, const std::vector<Kernel>& kernels) {
    uint32_t depth = std::min(255u, check_parent(smx, slot, kernels.size()).depth + 1);
    for (const Kernel& kernel : kernels) check(kernel);
    if (config_.pend_limit - records_in_use_ < kernels.size()) throw Refused("PendingLimit");
    uint64_t x = kernels.size();
    uint64_t ready = now_ + config_.lat_stream + config_.gpb_b + config_.gpb_a * x + config_.ld_b + config_.ld_a * x;
    for (const Kernel& kernel : kernels) {
        uint32_t number = take_record();
        Record& record = records_[number];
        record.kernel = kernel;
        record.launched = now_;
        record.depth = depth;
        kernels_.push({ready, seq_++, number, 0});
    }
}

void FrontEnd::agg_launch(uint32_t smx, uint32_t slot, const std::vector<GroupLaunch>& groups) {
    uint32_t depth = std::min(255u, check_parent(smx, slot, groups.size()).depth + 1);
    for (const GroupLaunch& group : groups) {
        check(group.kernel);
        if (group.hw_tid >= config_.threads) throw Refused("BadThread");
    }
    if (config_.pend_limit - records_in_use_ < groups.size()) throw Refused("PendingLimit");
    uint64_t x = groups.size();
    uint64_t allocation = config_.gpb_b + config_.gpb_a * x;
    uint64_t search = uint64_t(config_.kde_scan) * config_.n_kde + config_.agt_probe * x;
    uint64_t ready = now_ + std::max(allocation, search);
    uint32_t command = next_command_++;
    for (const GroupLaunch& group : groups) {
        uint32_t number = take_record();
        Record& record = records_[number];
        record.kernel = group.kernel;
        record.hw_tid = group.hw_tid;
        record.launched = now_;
        record.depth = depth;
        record.seq = seq_;
        groups_.push({ready, seq_++, number, command});
    }
}

void FrontEnd::tb_done(uint32_t smx, uint32_t slot) {
    if (smx >= config_.n_smx) throw Refused("BadSmx");
    if (slot >= config_.tb_slots) throw Refused("BadSlot");
    Smx& on = smxs_[smx];
    Tb& tb = on.tbs[slot];
    if (!tb.valid) throw Refused("NoTb");
    Entry& entry = entries_[tb.kdei];
    on.slots++;
    on.threads += entry.block_threads;
    on.regs += entry.kernel.regs;
    on.smem += entry.kernel.smem;
    resident_warps_ -= entry.block_warps;
    tb.valid = false;
    entry.running--;
    if (tb.record >= 0) {
        Record& group = records_[tb.record];
        group.running--;
        if (group.distributed && group.running == 0) {
            Decision& done = decide(Kind::GroupDone);
            done.tag = group.kernel.tag;
            done.record = tb.record;
            done.age = group.age;
            if (group.age >= 0) agt_[group.age] = -1;
            free_record(tb.record);
            entry.groups--;
        }
    }
    release_if_over(tb.kdei);
}

void FrontEnd::unretain(uint32_t kdei) {
    if (kdei >= config_.n_kde) throw Refused("BadKde");
    if (entries_[kdei].state != Entry::State::Active) throw Refused("NoKernel");
    if (!entries_[kdei].retain) throw Refused("NotRetained");
    entries_[kdei].retain = false;
    release_if_over(kdei);
}

// ---- parts of them

// The lowest free record.
uint32_t FrontEnd::take_record() {
    records_in_use_++;
    if (free_records_.empty()) return unused_records_++;
    uint32_t record = free_records_.top();
    free_records_.pop();
    return record;
}

void FrontEnd::free_record(uint32_t record) {
    free_records_.push(record);
    records_in_use_--;
}

// A decision of this cycle, for the caller to fill in. It is good until the next one.
Decision& FrontEnd::decide(Kind kind) {
    Decision& decision = decisions.emplace_back();
    decision.kind = kind;
    decision.cycle = now_;
    return decision;
}

void FrontEnd::release_if_over(uint32_t kdei) {
    Entry& entry = entries_[kdei];
    if (entry.marked || entry.running > 0 || entry.retain) return;
    entry.state = Entry::State::Free;
    Decision& done = decide(Kind::KernelDone);
    done.kdei = kdei;
    done.tag = entry.kernel.tag;
    if (entry.queue >= 0) {
        queues_[entry.queue].busy = false;
        Decision& free = decide(Kind::QueueFree);
        free.queue = entry.queue;
    }
}

void FrontEnd::mark(uint32_t kdei) {
    entries_[kdei].marked = true;
    fifo_.push_back(kdei);
}

}  // namespace comparator
