// The core's side of laperm_bench.sv: what happens in a cycle, first in the core, and then what the pins of the RTL have to say.
#include "laperm_rules.hpp"
#include <svdpi.h>

using bench::Host, bench::Push, bench::Registers, bench::Tb, bench::packed, bench::run;
using bench::POOL_CAP, bench::Q0_CAP, bench::QUEUE_CAP, bench::SMXS;

static Host host;
static bench::Rules rules;
static Registers was, is;

// What happens in the cycle, and what the core says of it.
static bool machine_is_new, ticks, masks, mask_value;
static uint32_t mask_smx;
static const Push *push;
static Push pushed;
static std::optional<Tb> done;
static gpusched_laperm_sent sent;
static gpusched_laperm_placed placed;
static gpusched_status done_status, mask_status, push_status;
static bool push_ready;

// The default configuration of the RTL, that of the sheet. Its backup records have their counts: `backup_limit` is an input.
uint64_t bench::storage_bits() {
    gpusched_laperm_config c;
    gpusched_laperm_storage bits;
    MUST(gpusched_laperm_config_init(&c, sizeof c));
    c.backup_limit = 1;
    MUST(gpusched_laperm_storage_bits(&c, &bits));
    return bits.on_chip + bits.baseline + bits.off_chip;
}

// The codes of the error outputs.
static svBitVecVal code(gpusched_status status) {
    switch (status) {
        case GPUSCHED_STATUS_OK: return 0;
        case GPUSCHED_STATUS_BAD_SMX: return 1;
        case GPUSCHED_STATUS_BAD_PRIORITY: return 2;
        case GPUSCHED_STATUS_EMPTY_GROUP: return 3;
        case GPUSCHED_STATUS_BAD_RESOURCES: return 4;
        case GPUSCHED_STATUS_TB_TOO_BIG: return 5;
        case GPUSCHED_STATUS_QUEUE0_FULL: return 6;
        case GPUSCHED_STATUS_POOL_FULL: return 7;
        case GPUSCHED_STATUS_RELEASE_UNDERFLOW: return 8;
        default: bench::broken(gpusched_status_text(status));
    }
}

// What one TB of the dispatched entry needs.
static gpusched_resources need() {
    for (const auto &e : was.queue[sent.unit == GPUSCHED_NONE ? SMXS : sent.unit])
        if (e.tag == sent.tag) return e.res;
    bench::broken("a TB of an entry that was not queued");
}

// One cycle of the core, in the order in which the RTL takes its events.
static void cycle() {
    gpusched_laperm *core = host.core();
    bool changes = false;
    sent = {}, placed = {}, done_status = mask_status = push_status = GPUSCHED_STATUS_OK;

    ticks = host.ticks();
    if (ticks) {
        MUST(gpusched_laperm_tick(core, host.now, &sent));
        changes |= sent.sched != GPUSCHED_LAPERM_SCHED_NO_WORK;
        if (sent.sched == GPUSCHED_LAPERM_SCHED_TB) host.running.push_back({sent.smx, need()});
    }
    const gpusched_laperm_sent *const tick = ticks ? &sent : nullptr;

    bool legal;
    done = host.done(legal);
    if (done) {
        done_status = gpusched_laperm_tb_done(core, host.now, done->smx, &done->res, GPUSCHED_NONE, nullptr);
        if (legal) MUST(done_status);
        if (done_status == GPUSCHED_STATUS_OK) rules.ended(tick, *done), changes = true;
        else rules.refused("done", done_status);
    }
    masks = host.masks(mask_smx, mask_value);
    if (masks) {
        mask_status = gpusched_laperm_set_mask(core, host.now, mask_smx, mask_value);
        if (mask_status == GPUSCHED_STATUS_OK) rules.masked(mask_value), changes = true;
        else rules.refused("mask", mask_status);
    }
    push = host.push(was, sent);
    push_ready = !sent.refills;
    const bool pushes = push && push_ready;
    if (push && !push_ready) rules.waited();
    if (push) pushed = *push;
    if (pushes) {
        const Push &p = pushed;
        push_status = p.host ? gpusched_laperm_push_host(core, host.now, p.tag, p.tbs, &p.res, &placed)
                             : gpusched_laperm_push_child(core, host.now, p.tag, p.tbs, &p.res, p.smx, p.prio, &placed);
        if (push_status == GPUSCHED_STATUS_OK) changes = true;
        else rules.refused("push", push_status, host.config.spill == GPUSCHED_LAPERM_SPILL_LOWEST);
        host.pushed();
    }

    if (changes) is.read(core);
    else is = was;
    if (ticks) rules.ticked(host, was, is, sent);
    if (pushes && push_status == GPUSCHED_STATUS_OK) rules.placed(host, was, tick, pushed, placed, is);
}

extern "C" void laperm_step(svBit *rst, uint64_t *now, uint32_t *cluster, svBitVecVal *policy, svBit *visit_skip, svBit *try_next,
                            svBit *spill_lowest, svBitVecVal *backup_select, svBitVecVal *backup_limit, svBitVecVal *refill_cycles,
                            svBit *charge_insert, svBit *tick, svBit *done_, svBitVecVal *done_smx, uint64_t *done_res,
                            svBit *set_mask, svBitVecVal *mask_smx_, svBit *mask_value_, svBit *push_, svBit *push_host,
                            uint64_t *push_tag, uint32_t *push_tbs, uint64_t *push_res, svBitVecVal *push_smx,
                            svBitVecVal *push_prio) {
    static bool begun = false;
    machine_is_new = !begun || !host.goes_on();
    begun = true;
    std::swap(was, is);
    if (machine_is_new) {
        // The cycle of the reset.
        is.read(host.machine());
        rules.restart();
        ticks = masks = false, push = nullptr, done.reset();
        sent = {}, placed = {}, push_ready = true;
    } else cycle();

    const auto &c = host.config;
    *rst = machine_is_new;
    *now = host.now;
    *cluster = c.cluster, *policy = c.policy, *backup_select = c.backup_select;
    *backup_limit = c.backup_limit, *refill_cycles = c.refill_cycles, *charge_insert = static_cast<svBit>(c.charge_insert);
    *visit_skip = c.visit == GPUSCHED_LAPERM_VISIT_SKIP, *try_next = c.no_fit == GPUSCHED_LAPERM_NO_FIT_TRY_NEXT;
    *spill_lowest = c.spill == GPUSCHED_LAPERM_SPILL_LOWEST;
    *tick = ticks;
    *done_ = done.has_value();
    if (done) *done_smx = done->smx, *done_res = packed(done->res);
    *set_mask = masks, *mask_smx_ = mask_smx, *mask_value_ = mask_value;
    *push_ = push != nullptr;
    if (push)
        *push_host = pushed.host, *push_tag = pushed.tag, *push_tbs = pushed.tbs, *push_res = packed(pushed.res), *push_smx = pushed.smx,
        *push_prio = pushed.prio;
}

extern "C" void laperm_sent(svBitVecVal *sched, uint32_t *smx, svBitVecVal *stage, uint32_t *unit, uint64_t *tag, uint32_t *tb,
                            uint32_t *prio, svBit *last, svBit *refills, uint64_t *refill_tag) {
    *sched = sent.sched, *smx = sent.smx, *stage = sent.stage, *unit = sent.unit, *tag = sent.tag, *tb = sent.tb, *prio = sent.prio;
    *last = static_cast<svBit>(sent.last), *refills = static_cast<svBit>(sent.refills), *refill_tag = sent.refill;
}

extern "C" void laperm_placed(svBitVecVal *done_error, svBitVecVal *mask_error, svBit *ready, svBitVecVal *push_error,
                              svBitVecVal *place, uint32_t *place_unit, uint32_t *level, uint32_t *pos, uint64_t *ready_at, svBit *evicts,
                              uint64_t *evicted) {
    *done_error = code(done_status), *mask_error = code(mask_status), *ready = push_ready, *push_error = code(push_status);
    *place = placed.place, *place_unit = placed.unit, *level = placed.level, *pos = placed.pos, *ready_at = placed.ready_at;
    *evicts = static_cast<svBit>(placed.evicts), *evicted = placed.evicted;
}

// Of the registers before the cycle, which are those that the RTL still has when it is about to carry it out.
extern "C" void laperm_registers(uint32_t *cur, svBitVecVal *mask, uint64_t *free, uint32_t *rec, uint32_t *run_, uint32_t *pool_free) {
    *cur = was.cur, *mask = static_cast<svBitVecVal>(was.mask), *pool_free = was.pool_free;
    for (uint32_t s = 0; s < SMXS; s++) free[s] = packed(was.free[s]), rec[s] = was.backup[s].unit, run_[s] = was.backup[s].run;
}

static void tell(const gpusched_laperm_entry &e, uint64_t *tag, uint32_t *prio, uint64_t *res, uint32_t *tbs, uint32_t *next,
                 uint32_t *section) {
    *tag = e.tag, *prio = e.prio, *res = packed(e.res), *tbs = e.tbs, *next = e.next, *section = e.section;
}

extern "C" svBit laperm_queued(uint32_t unit, uint32_t i, uint64_t *tag, uint32_t *prio, uint64_t *res, uint32_t *tbs, uint32_t *next,
                               uint32_t *section, uint64_t *ready_at) {
    const auto &queue = was.queue[unit];
    if (i >= queue.size()) return 0;
    tell(queue[i], tag, prio, res, tbs, next, section), *ready_at = queue[i].ready_at;
    return 1;
}

extern "C" svBit laperm_off_chip(uint32_t i, uint64_t *tag, uint32_t *prio, uint64_t *res, uint32_t *tbs, uint32_t *next,
                                 uint32_t *section, uint32_t *unit) {
    for (uint32_t u = 0; u < SMXS; i -= static_cast<uint32_t>(was.off_chip[u].size()), u++) {
        if (i >= was.off_chip[u].size()) continue;
        tell(was.off_chip[u][i], tag, prio, res, tbs, next, section), *unit = u;
        return 1;
    }
    return 0;
}
