// The random work of dtbl_driver.hpp, and what the core makes of it.
#pragma once

namespace dtbl {

// Another machine: the RTL is reset.
inline void Driver::reset() {
    MUST(gpusched_frontend_config_init(&config_, sizeof config_, GPUSCHED_GPU_K20C));
    MUST(gpusched_frontend_config_ideal(&config_));
    config_.n_smx = SMXS, config_.tb_slots = SLOTS, config_.n_kde = KDES, config_.agt_size = AGES, config_.pend_limit = RECORDS;
    config_.threads = THREADS, config_.regs = REGS, config_.smem = SMEM;
    config_.warp = 4, config_.n_hwq = is_large ? KDES : 4, config_.hwq_depth = 2, config_.susp_cap = 3, config_.sync_depth = 3;
    config_.lat_dispatch = 1 + below(4), config_.kmu_interval = one_of({1, 1, 2, 5});
    config_.gpb_b = one_of({0, 0, 0, 3}), config_.ld_b = below(4), config_.agt_probe = one_of({0, 0, 0, 1});
    config_.kmu_arb = below(2), config_.fallback = below(2);
    config_.hash_scope = below(2), config_.agt_miss = one_in(4) ? GPUSCHED_AGT_MISS_DEVICE : GPUSCHED_AGT_MISS_SPILL;
    config_.load_mode = below(2), config_.load_cycles = is_large ? below(3) : one_of({0, 1, 2, 3, 20});
    config_.turn_groups = is_large && !one_in(3) ? 0 : one_of({0, 1, 1, 2, 3});
    gpu_.emplace(config_, gpusched_frontend_layout, gpusched_frontend_init);
    launched_.clear(), free_.clear();
    cycles_left_ = 400 + below(1000) + std::min(RECORDS, 1000u); // long enough to fill tables
    mood_ = new_mood();
    now_ = look();
    Step step = idle();
    step.clock.rst = 1;
    step.after = now_;
    clocks_.push_back(step);
}

inline Driver::Mood Driver::new_mood() {
    Mood m{};
    m.cycles = one_of({20, 100, 400});
    m.end = one_of({2, 8, 8, 30, 100}), m.ends = one_of({1, 1, 2, SMXS * SLOTS});
    m.host = one_of({2, 10, 40, 150, 0}), m.agg = one_of({1, 1, 2, 4, 12}), m.device = one_of({0, 0, 8, 40});
    m.unretain = one_of({10, 60}), m.suspend = one_of({0, 6, 40}), m.resume = one_of({3, 30});
    m.answer = one_of({2, 10, 40}), m.wrong = one_of({0, 10, 100});
    m.tids = one_of({1, 4, 16, THREADS, THREADS}), m.classes = one_of({1, 2, 6});
    m.grid = 2;
    // Large machines are crowded half of the time, with units of hundreds of TBs; else there may be many small groups.
    if (is_large && one_in(2))
        m.cycles = 600, m.end = 1000, m.ends = 1, m.host = 5, m.agg = 60, m.device = m.suspend = 0, m.classes = 1, m.grid = 12;
    else if (is_large && !one_in(4))
        m.cycles = 300, m.end = 100, m.host = 200, m.agg = 2, m.device = m.suspend = 0, m.classes = m.grid = 1;
    if (is_large) return m;
    // Calm: the scheduler has caught up, so what comes is sent at once.
    if (one_in(3)) m.cycles = 400, m.end = 20, m.host = 30, m.agg = 20, m.device = 0, m.classes = 1, m.grid = 1;
    return m;
}

// What comes before the tick: ends of TBs by SMX and slot, and now and then one of the rarer calls, or one that is to be refused.
inline void Driver::operations() {
    uint32_t ended = 0;
    again_.reset();
    for (uint32_t i = 0; i < SMXS * SLOTS && ended < mood_.ends; i++)
        if (now_.tb[i].valid && one_in(mood_.end)) operation(TB_DONE, i / SLOTS, i % SLOTS, 0), ended++;
    if (one_in(mood_.unretain)) operation(UNRETAIN, 0, 0, below(KDES));
    if (one_in(mood_.suspend)) operation(SUSPEND, 0, 0, below(KDES));
    if (!one_in(mood_.wrong)) return;
    const Op op = static_cast<Op>(TB_DONE + below(3));
    operation(op, below(SMXS + 1), below(SLOTS + 1), below(KDES + 2));
}

inline void Driver::operation(Op op, uint32_t smx, uint32_t slot, uint32_t kde) {
    gpusched_status status;
    if (op == TB_DONE) status = gpusched_frontend_tb_done(*gpu_, smx, slot);
    else if (op == UNRETAIN) status = gpusched_frontend_unretain(*gpu_, kde);
    else status = gpusched_frontend_suspend(*gpu_, kde, nullptr);
    // These two are the KMU's to refuse, after all that the RTL checks.
    if (status == GPUSCHED_STATUS_SYNC_DEPTH || status == GPUSCHED_STATUS_SUSP_FULL) return;

    Step step = idle();
    Clock &c = step.clock;
    c.op = op, c.op_smx = smx, c.op_slot = slot, c.op_kde = kde, c.op_fault = status;
    const Registers was = now_;
    if (status == GPUSCHED_STATUS_OK && op == TB_DONE) {
        const Tb &tb = was.tb[smx * SLOTS + slot];
        c.left = 1, c.left_smx = smx, c.left_slot = slot, c.left_kde = tb.kdei, c.left_ref = tb.agei, c.left_blkid = tb.blkid;
        c.done = is_group(tb.agei);
        if (c.done) c.done_param = was.group(tb.agei).param;
    }
    for (const gpusched_decision &d : take()) {
        switch (d.kind) {
        case GPUSCHED_DECISION_KIND_GROUP_DONE:
            c.group_done = 1;
            if (c.left_ref != ref(d.unit, d.group)) bench::broken("another group is done than that of the TB");
            again_ = launched_[d.tag];
            free_.push_back(d.tag);
            break;
        case GPUSCHED_DECISION_KIND_KERNEL_DONE:
            c.kernel_done = 1, c.left_kde = d.kde;
            free_.push_back(d.tag);
            break;
        case GPUSCHED_DECISION_KIND_SAVED:
            // One clock each; only the last one is the end of the call.
            if (c.left) c.known = 0, clocks_.push_back(step);
            c.left = 1, c.known = 1, c.left_smx = d.smx, c.left_slot = d.slot, c.left_kde = kde;
            c.left_ref = ref(d.unit, d.group), c.left_blkid = d.blkid;
            break;
        case GPUSCHED_DECISION_KIND_SUSPEND: c.suspended = 1; break;
        }
    }
    step.after = now_ = look();
    clocks_.push_back(step);
}

// A kernel that joins with those of tag `like`, or any.
inline gpusched_kernel Driver::kernel(std::optional<uint64_t> like) {
    // TB shape, registers, shared memory; each resource is once the one that runs out first, and one TB fills an SMX.
    static constexpr uint32_t shapes[6][5] = {{4, 1, 1, 8, 0}, {15, 1, 1, 64, 4}, {5, 2, 2, 32, 30},
                                              {6, 1, 1, 128, 1}, {10, 2, 1, 5, 16}, {30, 2, 1, REGS, SMEM}};
    gpusched_kernel k{};
    if (like) {
        k = launched_[*like].kernel;
    } else {
        const uint32_t c = below(mood_.classes);
        k.pc = 0x1000 + 0x100 * c + below(2);
        k.tb = {shapes[c][0], shapes[c][1], shapes[c][2]};
        k.regs = shapes[c][3], k.smem = shapes[c][4];
    }
    k.grid = {1 + below(one_in(16) ? 12 : mood_.grid), 1 + below(mood_.grid), 1 + below(mood_.grid)};
    // As much as the widths hold: such a grid is still being sent when the machine ends.
    if (cycles_left_ < 150 && one_in(4)) k.grid = {1 + below(0x40000000), 1 + below(2), 1 + below(2)};
    if (cycles_left_ < 150 && one_in(4)) k.grid = {1 + below(4), 1 + below(32768), 1 + below(32768)};
    k.param = static_cast<uint32_t>(run_.random.next());
    k.tag = new_tag();
    return k;
}

inline void Driver::launches() {
    for (uint32_t i = 0; i < config_.susp_cap; i++)
        if (one_in(mood_.resume)) gpusched_frontend_resume(*gpu_, i); // if there is one
    const auto note = [&](const gpusched_kernel &k, bool ok, Launch launch) {
        launch.kernel = k;
        if (ok) launched_[k.tag] = launch;
        else free_.push_back(k.tag);
    };
    if (one_in(mood_.host)) {
        const gpusched_kernel k = kernel({});
        const uint32_t retain = one_in(12);
        const bool ok = gpusched_frontend_host_launch(*gpu_, below(2 * KDES), &k, retain, nullptr) == GPUSCHED_STATUS_OK;
        note(k, ok, {{}, 0, 0, 0, retain});
    }
    for (uint32_t i = 0; i < SMXS * SLOTS; i++) {
        if (!now_.tb[i].valid) continue;
        const uint32_t smx = i / SLOTS, slot = i % SLOTS, count = 1 + (one_in(3) ? below(4) : 0);
        gpusched_kde parent;
        MUST(gpusched_frontend_kde(*gpu_, now_.tb[i].kdei, &parent));
        std::array<gpusched_group, 4> groups{};
        std::array<gpusched_kernel, 4> kernels{};
        std::array<uint32_t, 4> records{};
        // The thread whose group is done launches again, or any does.
        const bool again = again_ && again_->smx == smx && !one_in(4);
        if (again || one_in(mood_.agg * SLOTS)) {
            for (uint32_t l = 0; l < count; l++)
                groups[l] = {kernel(one_in(6) ? std::optional<uint64_t>{} : parent.tag), again ? again_->tid : below(mood_.tids)};
            if (again) again_.reset();
            const bool ok = gpusched_frontend_agg_launch(*gpu_, smx, slot, groups.data(), count, records.data()) == GPUSCHED_STATUS_OK;
            for (uint32_t l = 0; l < count; l++) note(groups[l].kernel, ok, {{}, smx, groups[l].hw_tid, records[l], 0});
        }
        if (one_in(mood_.device * SLOTS)) {
            for (uint32_t l = 0; l < count; l++) kernels[l] = kernel({});
            const bool ok = gpusched_frontend_device_launch(*gpu_, smx, slot, kernels.data(), count, nullptr) == GPUSCHED_STATUS_OK;
            for (uint32_t l = 0; l < count; l++) note(kernels[l], ok, {});
        }
    }
}

// The tick, in as many clocks as its command has lanes; with `merge` the first of them is the clock of the last operation.
inline void Driver::tick(bool merge) {
    Step step = idle();
    if (merge) step = clocks_.back(), clocks_.pop_back();
    Clock &c = step.clock;
    const Registers was = now_;
    const bool waits = was.sscr_valid && was.sscr_load == GPUSCHED_LOAD_WAITING;
    if (one_in(mood_.wrong) || (waits && one_in(mood_.answer))) {
        c.spill_loaded = 1, c.spill_record = waits && !one_in(mood_.wrong) ? was.sscr_agei & ~SPILLED : below(RECORDS);
        const gpusched_status status = gpusched_frontend_spill_loaded(*gpu_, c.spill_record);
        if (status != GPUSCHED_STATUS_NO_LOAD) bench::must(status, "spill_loaded");
        c.no_load = status == GPUSCHED_STATUS_NO_LOAD;
    }
    gpusched_tick did;
    MUST(gpusched_frontend_tick(*gpu_, &did));
    now_ = look();

    uint32_t behind[KDES];
    for (uint32_t k = 0; k < KDES; k++) behind[k] = was.kde[k].nagei == NONE ? NONE : was.kde[k].lagei;
    const std::vector<gpusched_decision> decisions = take();
    const auto is_fall = [](const gpusched_decision &d) {
        return d.kind == GPUSCHED_DECISION_KIND_FALL && d.detail == GPUSCHED_FALL_AGT;
    };
    step.lanes = static_cast<uint32_t>(std::count_if(decisions.begin(), decisions.end(), [&](const gpusched_decision &d) {
        return d.kind == GPUSCHED_DECISION_KIND_JOIN || is_fall(d);
    }));
    for (const gpusched_decision &d : decisions) {
        if (d.kind == GPUSCHED_DECISION_KIND_ISSUE) {
            const Launch &l = launched_[d.tag];
            gpusched_kde e;
            MUST(gpusched_frontend_kde(*gpu_, d.kde, &e));
            c.issue = 1, c.issue_kde = d.kde, c.issue_total = e.total, c.issue_next_native = e.next_native, c.issue_saved = e.saved;
            c.issue_retain = e.retain, c.issue_param = l.kernel.param;
            c.issue_threads = l.kernel.tb.x * l.kernel.tb.y * l.kernel.tb.z, c.issue_regs = l.kernel.regs, c.issue_smem = l.kernel.smem;
        } else if (d.kind == GPUSCHED_DECISION_KIND_ARRIVE) {
            if (c.arrive) bench::broken("two kernels arrive in one cycle");
            c.arrive = 1, c.arrive_kde = d.kde;
        } else if (d.kind == GPUSCHED_DECISION_KIND_JOIN || is_fall(d)) {
            if (c.lane) {
                const uint32_t lanes = step.lanes;
                c.known = 0;
                clocks_.push_back(step);
                step = idle(), step.lanes = lanes;
            }
            const Launch &l = launched_[d.tag];
            c.lane = 1, c.joined = !is_fall(d), c.hit = c.joined && d.unit == GPUSCHED_UNIT_AGE;
            // Which entry a lane found that falls is of no interest: any.
            c.lane_kde = c.joined ? d.kde : below(KDES);
            c.lane_smx = l.smx, c.lane_tid = l.tid, c.lane_param = l.kernel.param, c.lane_record = l.record;
            c.lane_x = l.kernel.grid.x, c.lane_y = l.kernel.grid.y, c.lane_z = l.kernel.grid.z;
            c.behind = behind[c.lane_kde];
            if (c.joined) behind[c.lane_kde] = c.joined_ref = ref(d.unit, d.group);
        }
    }
    // Now and then the scheduler's turn is a clock of its own.
    if (c.lane && one_in(4)) {
        c.known = 0;
        clocks_.push_back(step);
        step = idle();
    }
    c.tick = 1, c.sched = did.sched;
    for (const gpusched_decision &d : decisions) {
        if (d.kind == GPUSCHED_DECISION_KIND_LOAD) c.load_ask = 1, c.tb_ref = SPILLED | d.group;
        c.unmark |= d.kind == GPUSCHED_DECISION_KIND_UNMARK;
        c.rotate |= d.kind == GPUSCHED_DECISION_KIND_ROTATE;
        if (d.kind != GPUSCHED_DECISION_KIND_TB) continue;
        const gpusched_kernel &k = launched_[d.tag].kernel;
        c.tb_smx = d.smx, c.tb_slot = d.slot, c.tb_kde = d.kde, c.tb_ref = ref(d.unit, d.group), c.tb_blkid = d.blkid;
        c.tb_param = k.param, c.tb_total = k.grid.x * k.grid.y * k.grid.z;
        c.send = is_group(c.tb_ref);
        if (c.send) c.last = d.blkid + 1 == c.tb_total, c.tb_next = now_.group(c.tb_ref).next;
    }
    step.after = now_;
    clocks_.push_back(step);
}

inline void Driver::group(const gpusched_group_view &view, Group *group) {
    const gpusched_kernel &k = launched_[view.tag].kernel;
    *group = {1, k.grid.x, k.grid.y, k.grid.z, k.param, ref(view.next.unit, view.next.row), view.exe, view.dist};
}

// Every register, as the views tell it.
inline Registers Driver::look() {
    Registers r{};
    size_t count;
    for (uint32_t i = 0; i < KDES; i++) {
        gpusched_kde e;
        const gpusched_status status = gpusched_frontend_kde(*gpu_, i, &e);
        if (status == GPUSCHED_STATUS_NO_KERNEL) {
            r.kde[i].nagei = r.kde[i].lagei = NONE;
            continue;
        }
        bench::must(status, "kde");
        const gpusched_kernel &k = launched_[e.tag].kernel;
        r.kde[i] = {e.arrives ? 1u : 2u, e.total, e.next_native, e.saved, e.restored, e.exe, e.live, e.retain, k.param,
                    k.tb.x * k.tb.y * k.tb.z, k.regs, k.smem, ref(e.nagei.unit, e.nagei.row), ref(e.lagei.unit, e.lagei.row), e.marked, e.first};
        if (!e.tried) continue;
        if (r.sscr_valid) bench::broken("two entries are being scheduled");
        r.sscr_valid = 1, r.sscr_kdei = i, r.sscr_agei = ref(e.agei.unit, e.agei.row);
        r.sscr_next_bl = e.next_bl, r.sscr_load = e.load, r.sscr_turn = e.turn;
    }
    MUST(gpusched_frontend_fcfs(*gpu_, r.fifo, KDES, &count));
    r.marked = static_cast<uint32_t>(count);
    gpusched_tb tbs[SMXS * SLOTS];
    MUST(gpusched_frontend_resident_tbs(*gpu_, tbs, SMXS * SLOTS, &count));
    for (const gpusched_tb *tb = tbs; tb != tbs + count; tb++)
        r.tb[tb->smx * SLOTS + tb->slot] = {1, tb->kde, ref(tb->tb_ref.unit, tb->tb_ref.row), tb->blkid};
    for (uint32_t s = 0; s < SMXS; s++) {
        gpusched_smx smx;
        MUST(gpusched_frontend_smx(*gpu_, s, &smx));
        r.room[s] = {static_cast<uint32_t>(smx.slots), smx.threads, smx.regs, smx.smem};
    }
    MUST(gpusched_frontend_rr(*gpu_, &r.rr));
    gpusched_group_view groups[RECORDS];
    MUST(gpusched_frontend_agt(*gpu_, groups, RECORDS, &count));
    for (size_t i = 0; i < count; i++) group(groups[i], &r.age[groups[i].at.row]);
    MUST(gpusched_frontend_spilled(*gpu_, groups, RECORDS, &count));
    for (size_t i = 0; i < count; i++) group(groups[i], &r.spilled[groups[i].at.row]);
    return r;
}

} // namespace dtbl
