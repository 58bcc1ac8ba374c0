// The core's side of bubble_bench.sv: a controller and its host for some hundred clocks, then, with a reset, another configuration.
//
// A clock is a cycle of the sheet. In each at most one TB ends, one starts and one sample is taken, in this order.
#include "bubble_rules.hpp"
#include <svdpi.h>

using namespace bubble;

// The sheet's count at the RTL's defaults.
uint64_t bench::storage_bits() {
    Config c = default_config();
    c.drain_samples = DRAIN_SAMPLES, c.transition_samples = TRANSITION_SAMPLES;
    gpusched_bubble_storage bits;
    MUST(gpusched_bubble_storage_bits(&c, &bits));
    return bits.total;
}

namespace {

Rules rules;

// An event of a clock, and what the core says of it.
struct Event {
    bool on = false;
    Tb tb{};
    gpusched_status status = GPUSCHED_STATUS_OK;
    gpusched_bubble_resident resident{};
};

struct Machine {
    Config config;
    bench::Object<gpusched_bubble> core{config, gpusched_bubble_layout, gpusched_bubble_init};
    Host host{config};
    View view{core, config.smxs}; // after the last clock
    uint64_t clock = 0, left = 300 + below(1000);
    uint32_t all = bit(config.smxs) - 1;

    // The clock that is compared next.
    bool reset = true;
    Event completed{}, dispatched{};
    bool sample = false, waits = false;
    gpusched_bubble_waiting waiting{};
    gpusched_status sample_status = GPUSCHED_STATUS_OK;
    gpusched_bubble_record record{};
    uint32_t in_bubble = 0;

    explicit Machine(uint64_t number) : config(draw_config(number)) {}

    // The fewest warps that are no bubble: the RTL counts up to them, one a clock, before it is ready.
    uint64_t no_bubble() const {
        const uint64_t threshold = uint64_t{config.t_num} * (config.smx_threads / config.warp_size);
        return config.inclusive ? threshold / config.t_den + 1 : (threshold + config.t_den - 1) / config.t_den;
    }
    bool ready() const { return clock >= no_bubble(); }

    uint64_t next_sample() const {
        uint64_t next;
        MUST(gpusched_bubble_next_sample(core, &next));
        return next;
    }

    // bubble_dvfs-B1, bubble_dvfs-B2. In `now` the ledger of its SMX is brought up to date.
    void tell(Event &e, decltype(gpusched_bubble_completed) *verb, View &now) {
        e.status = verb(core, clock, e.tb.smx, &e.tb.res, &e.resident);
        if (e.status == GPUSCHED_STATUS_OK) MUST(gpusched_bubble_get_ledger(core, e.tb.smx, &now.ledger[e.tb.smx]));
    }

    // What waits at a sample, perhaps something that no TB may be.
    void draw_waiting(bool bad) {
        waits = host.waits() && !chance(1, 32);
        waiting = host.waiting();
        if (!bad) return;
        waits = true;
        if (chance(1, 2)) {
            waiting.res = Host::odd_amount();
        } else {
            waiting.bound = 1;
            waiting.allowed.words[0] = chance(1, 2) && config.smxs < SMXS ? bit(config.smxs) | below(all + 1) : 0;
        }
    }

    void step() {
        left--;
        const View before = view;
        View now = view;
        reset = false, completed = {}, dispatched = {}, sample = false, record = {}, in_bubble = 0;
        host.tick();

        const uint64_t next = next_sample();
        const bool first = next == GPUSCHED_NEVER, late = !first && clock > next, due = clock == next;
        if ((completed.on = host.ends(now, due, completed.tb))) {
            tell(completed, gpusched_bubble_completed, now);
            rules.completed(completed.status, completed.tb, before);
        }
        const bool ended = completed.on && completed.status == GPUSCHED_STATUS_OK;
        if ((dispatched.on = host.starts(now, dispatched.tb))) {
            tell(dispatched, gpusched_bubble_dispatched, now);
            const bool ok = dispatched.status == GPUSCHED_STATUS_OK;
            if (ok) host.started(dispatched.tb);
            rules.dispatched(dispatched.status, ok && ended && completed.tb.smx == dispatched.tb.smx);
        }

        sample = first ? chance(1, 4) : due ? !chance(1, 2000) : chance(1, late ? 2 : 100);
        if (sample) take_sample(chance(1, due ? 1000 : 2), late);
        if (late) left = std::min<uint64_t>(left, 20);
        view = View(core, config.smxs);
        for (uint32_t s = 0; s < config.smxs; s++)
            if (view.smx[s].bubble != before.smx[s].bubble) in_bubble |= bit(s);
        if (sample && sample_status == GPUSCHED_STATUS_OK) {
            const bool started = dispatched.on && dispatched.status == GPUSCHED_STATUS_OK;
            rules.sampled({config, before, now, record, view, waits ? &waiting : nullptr, ended ? bit(completed.tb.smx) : 0,
                           started ? bit(dispatched.tb.smx) : 0});
        }
        clock++;
    }

    void take_sample(bool bad, bool late) {
        draw_waiting(bad);
        sample_status = GPUSCHED_STATUS_OFF_SAMPLE;
        if (ready()) sample_status = gpusched_bubble_sample(core, clock, waits ? &waiting : nullptr, nullptr, 0, &record);
        if (sample_status != GPUSCHED_STATUS_OK) record = {};
        rules.refused(sample_status, ready(), late, waits && waiting.bound && (set(waiting.allowed) & ~all));
    }
};

uint64_t packed(const Res &r) { return uint64_t{r.threads} << 38 | uint64_t{r.regs} << 21 | r.smem << 5 | r.slots; }

std::unique_ptr<Machine> machine;

} // namespace

// The next clock: whether it resets, else its events.
extern "C" void bubble_events(svBit *reset, svBit *completed, uint32_t *completed_smx, uint64_t *completed_res, svBit *dispatched,
                              uint32_t *dispatched_smx, uint64_t *dispatched_res, svBit *sample, svBit *waiting, uint64_t *waiting_res,
                              uint32_t *allowed) {
    static uint64_t machines = 0;
    if (machine && machine->left > 0) machine->step();
    else machine = std::make_unique<Machine>(machines++);
    const Machine &m = *machine;
    *reset = m.reset;
    *completed = m.completed.on, *completed_smx = m.completed.tb.smx, *completed_res = packed(m.completed.tb.res);
    *dispatched = m.dispatched.on, *dispatched_smx = m.dispatched.tb.smx, *dispatched_res = packed(m.dispatched.tb.res);
    *sample = m.sample, *waiting = m.waits, *waiting_res = packed(m.waiting.res);
    *allowed = m.waiting.bound ? set(m.waiting.allowed) : m.all;
}

// The configuration that a reset brings.
extern "C" void bubble_config(uint32_t *smxs, uint32_t *t_num, uint32_t *t_den, uint32_t *sample_cycles, uint32_t *drain_samples,
                              uint32_t *transition_samples, uint32_t *gpu_idle_samples, uint32_t *retrigger, svBit *enabled,
                              svBit *inclusive, svBit *draining, svBit *gpu_level, svBit *resume_draining, svBit *resume_hold) {
    const Config &c = machine->config;
    *smxs = c.smxs, *t_num = c.t_num, *t_den = c.t_den, *sample_cycles = c.sample_cycles, *drain_samples = c.drain_samples;
    *transition_samples = c.transition_samples, *gpu_idle_samples = c.gpu_idle_samples, *retrigger = c.retrigger;
    *enabled = c.enabled != 0, *inclusive = c.inclusive != 0, *draining = c.draining != 0, *gpu_level = c.gpu_level != 0;
    *resume_draining = c.resume_draining != 0, *resume_hold = c.resume_hold != 0;
}

// What the core says of the TB events and the sample.
extern "C" void bubble_faults(uint32_t *completed, uint32_t *completed_tbs, uint32_t *completed_warps, uint32_t *dispatched,
                              uint32_t *dispatched_tbs, uint32_t *dispatched_warps, uint32_t *sample) {
    const Machine &m = *machine;
    *completed = m.completed.status, *completed_tbs = m.completed.resident.tbs, *completed_warps = m.completed.resident.warps;
    *dispatched = m.dispatched.status, *dispatched_tbs = m.dispatched.resident.tbs, *dispatched_warps = m.dispatched.resident.warps;
    *sample = m.sample_status;
}

// The record of the sample; all 0 if there was none.
extern "C" void bubble_record(uint32_t *in_bubble, uint32_t *low_done, uint32_t *high_done, uint32_t *divert, uint32_t *refused,
                              uint32_t *drain_done, uint32_t *drain_abort, uint32_t *down, uint32_t *cancel, uint32_t *up, svBit *starved,
                              uint32_t *gpu_done, uint32_t *gpu_start, uint32_t *go_low, uint32_t *go_high) {
    const Machine &m = *machine;
    const auto &r = m.record;
    const uint32_t resumed = r.resume == GPUSCHED_BUBBLE_RESUME_NONE ? 0 : bit(r.resume_smx);
    *in_bubble = m.in_bubble, *low_done = set(r.low_done), *high_done = set(r.high_done), *divert = set(r.divert);
    *refused = set(r.refused), *drain_done = set(r.drain_done), *drain_abort = set(r.drain_abort), *down = set(r.down);
    *cancel = r.resume == GPUSCHED_BUBBLE_RESUME_CANCEL ? resumed : 0, *up = r.resume == GPUSCHED_BUBBLE_RESUME_UP ? resumed : 0;
    *starved = r.starved != 0, *gpu_done = r.gpu_done, *gpu_start = r.gpu_start;
    *go_low = *down | (r.gpu_start == GPUSCHED_BUBBLE_GPU_START_DOWN ? m.all & ~set(m.view.level.low) : 0);
    *go_high = *up | (r.gpu_start == GPUSCHED_BUBBLE_GPU_START_UP ? m.all : 0);
}

// The registers after the clock. Counters of the core that go on for ever stop in the RTL where nobody asks any more.
extern "C" void bubble_registers(uint32_t *dvr, uint32_t *drn, uint32_t *dvfs, uint32_t *eligible, uint32_t *armed, svBit *gpu,
                                 svBit *gpu_up, uint32_t *gpu_timer, uint32_t *idle_samples, uint32_t *since, uint32_t *no_bubble,
                                 svBit *ready, uint32_t *timer, uint32_t *drained, uint64_t *free, uint32_t *tbs, uint32_t *warps) {
    const Machine &m = *machine;
    const View &v = m.view;
    *dvr = v.dvr, *drn = v.drn, *dvfs = v.dvfs, *eligible = v.eligible, *armed = v.armed, *gpu = v.gpu;
    *gpu_up = v.level.level == GPUSCHED_BUBBLE_LEVEL_GOING_UP, *gpu_timer = v.level.left;
    *idle_samples = static_cast<uint32_t>(std::min<uint64_t>(v.level.idle_samples, m.config.gpu_idle_samples));
    const uint64_t next = m.next_sample(), cycles = m.config.sample_cycles;
    *since = next == GPUSCHED_NEVER ? 0 : static_cast<uint32_t>(std::min(m.clock + cycles - next, cycles + 1));
    *no_bubble = static_cast<uint32_t>(std::min(m.clock, m.no_bubble())), *ready = m.ready();
    for (uint32_t s = 0; s < SMXS; s++) {
        const bool exists = s < m.config.smxs;
        const auto &smx = v.smx[s];
        timer[s] = smx.level.left, drained[s] = smx.level.samples;
        free[s] = packed(exists ? v.ledger[s].free : Res{2048, 65536, 49152, 16});
        tbs[s] = v.ledger[s].resident.tbs, warps[s] = v.ledger[s].resident.warps;
    }
}
