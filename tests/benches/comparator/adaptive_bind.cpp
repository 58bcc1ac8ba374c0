#include "adaptive_bind.hpp"

#include "frontend.hpp"

namespace comparator {

using Word = BindTick::Word;

AdaptiveBind::AdaptiveBind(const BindConfig& config)
    : config_(config),
      capacity_{config.smx_threads, config.smx_regs, config.smx_smem, config.smx_slots},
      units_((config.smxs + config.cluster - 1) / config.cluster),
      smxs_(config.smxs) {
    for (Unit& unit : units_) {
        unit.sections.resize(config.levels + 1);
        unit.overflow.resize(config.levels + 1);
    }
    for (Smx& smx : smxs_) smx.free = capacity_;
}

void AdaptiveBind::check(uint64_t now, uint32_t tbs, const Resources& tb) const {
    if (now < last_time_) throw Refused("TimeBackwards");
    if (tbs == 0) throw Refused("EmptyGroup");
    if (tb.threads == 0 || tb.slots == 0) throw Refused("BadResources");
    if (!tb.fits(capacity_)) throw Refused("TbTooBig");
}

Placed AdaptiveBind::push_host(uint64_t now, uint64_t tag, uint32_t tbs, const Resources& tb) {
    check(now, tbs, tb);
    if (queue0_.size() >= config_.q0_cap) throw Refused("Queue0Full");
    last_time_ = now;
    queue0_.push_back({tag, tbs, 0, 0, tb, now});
    return {true, std::nullopt, 0, queue0_.size() - 1, now};
}

Placed AdaptiveBind::push_child(uint64_t now, uint64_t tag, uint32_t tbs, const Resources& tb, uint32_t parent_smx,
                                uint32_t parent_prio) {
    check(now, tbs, tb);
    if (parent_smx >= config_.smxs) throw Refused("BadSmx");
    if (parent_prio > config_.levels) throw Refused("BadPriority");
    uint32_t prio = parent_prio < config_.levels ? parent_prio + 1 : config_.levels;
    uint32_t u = parent_smx / config_.cluster;
    Unit& unit = units_[u];
    Entry entry{tag, tbs, 0, prio, tb, now};
    if (unit.on_chip >= config_.queue_cap) {
        if (pool_used_ >= config_.pool_cap) throw Refused("PoolFull");
        last_time_ = now;
        pool_used_++;
        unit.spilled++;
        unit.overflow[prio].push_back(entry);
        return {false, u, prio, 0, now};
    }
    last_time_ = now;
    size_t pos = 0;
    for (uint32_t level = prio; level <= config_.levels; level++) pos += unit.sections[level].size();
    unit.sections[prio].push_back(entry);
    unit.on_chip++;
    return {true, u, prio, pos, now};
}

void AdaptiveBind::tb_done(uint64_t now, uint32_t smx, const Resources& tb) {
    if (now < last_time_) throw Refused("TimeBackwards");
    if (smx >= config_.smxs) throw Refused("BadSmx");
    if (tb.threads == 0 || tb.slots == 0) throw Refused("BadResources");
    Resources free = smxs_[smx].free;
    free += tb;
    if (!free.fits(capacity_)) throw Refused("ReleaseUnderflow");
    smxs_[smx].free = free;
    last_time_ = now;
}

void AdaptiveBind::set_mask(uint64_t now, uint32_t smx, bool masked) {
    if (now < last_time_) throw Refused("TimeBackwards");
    if (smx >= config_.smxs) throw Refused("BadSmx");
    smxs_[smx].masked = masked;
    last_time_ = now;
}

// laperm-R6: the first entry of the highest section that is visible.
AdaptiveBind::Entry* AdaptiveBind::candidate(uint32_t unit, uint64_t now) {
    if (units_[unit].on_chip == 0) return nullptr;
    for (uint32_t level = config_.levels; level >= 1; level--) {
        std::deque<Entry>& section = units_[unit].sections[level];
        if (!section.empty() && section.front().ready_at <= now) return &section.front();
    }
    return nullptr;
}

AdaptiveBind::Entry* AdaptiveBind::candidate_of_queue0(uint64_t now) {
    return !queue0_.empty() && queue0_.front().ready_at <= now ? &queue0_.front() : nullptr;
}

// The next unit behind `unit` that has a candidate.
std::optional<uint32_t> AdaptiveBind::select(uint32_t unit, uint64_t now) {
    uint32_t n = uint32_t(units_.size());
    for (uint32_t i = 1; i < n; i++) {
        uint32_t other = (unit + i) % n;
        if (candidate(other, now)) return other;
    }
    return std::nullopt;
}

// laperm-R7.
BindTick AdaptiveBind::tick(uint64_t now) {
    if (now < last_time_) throw Refused("TimeBackwards");
    if (last_tick_ && now <= *last_tick_) throw Refused("SameCycle");
    last_time_ = now;
    last_tick_ = now;
    bool work = candidate_of_queue0(now) != nullptr;
    for (uint32_t unit = 0; !work && unit < units_.size(); unit++) work = candidate(unit, now) != nullptr;
    BindTick none{};
    none.word = Word::NoWork;
    if (!work) return none;
    if (config_.skip == 0) {
        uint32_t smx = next_smx_;
        next_smx_ = (smx + 1) % config_.smxs;
        BindTick visited = visit(smx, now);
        visited.smx = smx;
        return visited;
    }
    none.word = Word::Masked;
    for (uint32_t i = 0; i < config_.smxs; i++) {
        uint32_t smx = (next_smx_ + i) % config_.smxs;
        BindTick visited = visit(smx, now);
        if (visited.word == Word::Dispatch) {
            next_smx_ = (smx + 1) % config_.smxs;
            return visited;
        }
        if (visited.word > none.word) none.word = visited.word;
    }
    return none;
}

// laperm-R8: the three stages.
BindTick AdaptiveBind::visit(uint32_t s, uint64_t now) {
    Smx& smx = smxs_[s];
    BindTick stall{};
    stall.word = Word::Masked;
    if (smx.masked) return stall;
    uint32_t unit = s / config_.cluster;
    stall.word = Word::NoFit;
    if (Entry* own = candidate(unit, now)) return own->tb.fits(smx.free) ? dispatch(s, 1, *own, unit, now) : stall;
    if (Entry* host = candidate_of_queue0(now)) return host->tb.fits(smx.free) ? dispatch(s, 2, *host, std::nullopt, now) : stall;
    Entry* entry = smx.backup ? candidate(*smx.backup, now) : nullptr;
    if (!entry) {
        std::optional<uint32_t> selected = select(unit, now);
        stall.word = Word::NoCandidate;
        if (!selected) return stall;
        smx.backup = selected;
        entry = candidate(*selected, now);
    }
    stall.word = Word::NoFit;
    return entry->tb.fits(smx.free) ? dispatch(s, 3, *entry, smx.backup, now) : stall;
}

// laperm-R9.
BindTick AdaptiveBind::dispatch(uint32_t s, uint32_t stage, Entry& entry, std::optional<uint32_t> unit, uint64_t now) {
    BindTick sent{};
    sent.smx = s;
    sent.unit = unit;
    sent.tag = entry.tag;
    sent.tb = entry.next++;
    sent.prio = entry.prio;
    sent.stage = stage;
    sent.last = entry.next == entry.tbs;
    smxs_[s].free -= entry.tb;
    if (!sent.last) return sent;
    if (!unit) {
        queue0_.pop_front();
        return sent;
    }
    Unit& of = units_[*unit];
    of.sections[entry.prio].pop_front();
    of.on_chip--;
    if (of.spilled == 0) return sent;
    for (uint32_t level = config_.levels; level >= 1; level--) {
        std::deque<Entry>& list = of.overflow[level];
        if (list.empty()) continue;
        list.front().ready_at = now + config_.refill_cycles;
        sent.refill = list.front().tag;
        of.sections[level].push_back(list.front());
        list.pop_front();
        of.on_chip++;
        of.spilled--;
        pool_used_--;
        break;
    }
    return sent;
}

}  // namespace comparator
