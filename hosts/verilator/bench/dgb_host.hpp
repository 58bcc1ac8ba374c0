// A host of the dependency-graph buffer, for dgb_bench.cpp: it launches random graphs on random configurations, answers requests late and
// in any order, now and then wrongly, ends TBs, and gives graphs up. Each clock it draws what it does, tells the core, which acts at once,
// and hands the RTL the same as pins.
#pragma once
#include "dgb_graph.hpp"
#include "dgb_rules.hpp"
#include "dgb_view.hpp"

#include <svdpi.h>

#include <algorithm>
#include <optional>

extern "C" void bench_differs(const char *name, int index, uint64_t rtl, uint64_t core);

namespace bench::dgb {

// More clocks than any settling of such a buffer takes: as many passes over all of its nodes and edges as nodes land at once.
constexpr uint32_t LONGEST = 3000 + CHUNK_NODES * (LNA + LEA);

struct Flight { // a request that is not answered
    bool edges;
    uint32_t tag, first, count;
    uint64_t due;
};
struct Answer { // one under way, entry by entry
    bool edges;
    uint32_t tag;
    std::vector<uint64_t> data;
    size_t at;
    bool is_true;
};
struct Tb {
    uint32_t node;
    uint64_t due;
};

// One clock: pins, and what the core answers on the others.
struct Clock {
    svBit rst, launch, abort, valid, edges, last, ready, complete, complete_ready, poll, req, select;
    uint32_t kde, launch_error, executing, tag, ans_error, at, node, complete_error, fits, sched, smx, dispatched;
    uint64_t data;
    gpusched_dgb_header graph;
    gpusched_dgb_request request;
};

class Host {
  public:
    Clock clock{};
    View view{};
    gpusched_dgb_config config{};
    uint32_t kde = 0, settles = 0, longest = 0;
    uint64_t busy_clocks = 0, edges_applied = 0;
    bool flying[2] = {}; // nodes, edges
    uint32_t next_tag = 0;

    void step(bool settled) {
        now_++;
        const svBit had_answer = clock.valid && !clock.ready;
        clock = Clock{};
        if (now_ >= mood_end_) change_mood();
        busy_ = settled ? 0 : busy_ + 1;
        if (!settled) busy_clocks++, longest = std::max(longest, busy_);
        if (busy_ > LONGEST) bench_differs("settled", -1, 0, 1);
        if (!dgb_ || (settled && !view.is(GPUSCHED_DGB_STAGE_RUNNING) && graphs_ == 0 && r_.chance(1, 8)) || r_.chance(1, 10000)) {
            reset_running.hit(!tbs_.empty());
            reset();
            return;
        }
        if (draw_abort()) abort(settled);
        const bool open = settled && !clock.abort;
        poll(open);
        select(open);
        launch(open);
        complete(open && !clock.launch);
        answer(open && !clock.launch, had_answer);
        look();
    }

  private:
    bool chance(uint32_t n, uint32_t of) { return r_.chance(n, of); }

    void change_mood() {
        mood_end_ = now_ + 100 + r_.below(900);
        for (uint32_t &latency : memory_) latency = chance(2, 3) ? 3 : chance(2, 3) ? 40 : 200;
        tb_ = chance(1, 2) ? 2 : chance(3, 4) ? 10 : 100;
        room_ = chance(1, 2) ? 0 : r_.below(5);
        polls_ = chance(1, 4) ? 3 : 16;
        selects_ = chance(1, 4) ? 3 : 16;
        beats_ = chance(1, 4) ? 4 : 16;
        // What is large fills quickly, and at times has many TBs at once.
        if (is_large && chance(7, 8)) tb_ = chance(1, 4) ? 500 : 2, memory_[0] = memory_[1] = 3, polls_ = selects_ = beats_ = 16, room_ = 0;
    }

    void reset() {
        clock.rst = 1;
        // What is large is mostly used as a whole.
        const bool whole = is_large && chance(3, 4);
        do {
            MUST(gpusched_dgb_config_init(&config, sizeof config, GPUSCHED_DGB_PRESET_GTX480));
            config.smxs = SMXS;
            config.lna = whole ? LNA : chance(1, 2) ? LNA - r_.below(5) : 1 + r_.below(LNA);
            config.lea = whole ? LEA : chance(1, 2) ? LEA - r_.below(9) : 1 + r_.below(LEA);
            config.pub_entries = whole ? PUB : chance(1, 16) ? 0 : chance(1, 3) ? r_.below(PUB + 1) : PUB - r_.below(3);
            config.chunk_bytes = 8 * (whole ? CHUNK_NODES : 1 + r_.below(CHUNK_NODES));
            config.prefetch = chance(1, 3) ? GPUSCHED_DGB_PREFETCH_EAGER : GPUSCHED_DGB_PREFETCH_CHUNK_FREE;
            config.level_ref = chance(1, 2) ? GPUSCHED_DGB_LEVEL_REF_ACTIVE : GPUSCHED_DGB_LEVEL_REF_INCOMPLETE;
            config.issue_needs_edges = chance(1, 3);
        } while (gpusched_dgb_config_check(&config, nullptr) != GPUSCHED_STATUS_OK);
        dgb_.emplace(config, gpusched_dgb_layout, gpusched_dgb_init);
        graphs_ = 1 + r_.below(4);
        flights_.clear(), late_.clear(), tbs_.clear(), answer_.reset();
        next_tag = 0, busy_ = 0;
        look();
    }

    // The registers that the RTL has to have when it has settled.
    void look() {
        view.look(*dgb_);
        flying[0] = flying[1] = false;
        for (const Flight &f : flights_) flying[f.edges] = true;
    }

    // A ---------------------------------------------------------------------------------------------------------------------
    bool draw_abort() {
        if (view.is(GPUSCHED_DGB_STAGE_FAULTED)) return chance(1, 12);
        if (view.state.deadlock != GPUSCHED_NONE) return chance(1, tbs_.empty() ? 6 : 60);
        if (graph_.is_far && view.state.head > 60) return chance(1, 2);
        return chance(refused_ >= 3 ? 500 : 1, 3000);
    }

    void abort(bool settled) {
        clock.abort = 1;
        MUST(gpusched_dgb_abort(*dgb_, &clock.executing));
        aborts.hit(clock.executing > 0), abort_unsettled.hit(!settled), abort_idle.hit(view.is(GPUSCHED_DGB_STAGE_IDLE));
        late_ = flights_;
        flights_.clear(), tbs_.clear();
    }

    // M ---------------------------------------------------------------------------------------------------------------------
    void poll(bool open) {
        clock.poll = chance(polls_, 16);
        if (!clock.poll || !open) return;
        const gpusched_status status = gpusched_dgb_poll(*dgb_, &clock.request, nullptr);
        if (status == GPUSCHED_STATUS_GRAPH_FAULT) return;
        must(status, "poll");
        const gpusched_dgb_request &q = clock.request;
        const uint32_t free = config.lna - (view.state.head - view.state.tail);
        const uint32_t chunk = config.chunk_bytes / 8, nodes = std::min(chunk, graph_.v() - std::min(view.state.fetched, graph_.v()));
        const bool quiet = view.is(GPUSCHED_DGB_STAGE_RUNNING) && nodes > 0 && view.n_nib == 0 && !flying[0];
        const bool no_room = quiet && free < nodes;
        clock.req = q.present;
        if (!clock.req) {
            m4.hit(), chunk_free.hit(no_room);
            return;
        }
        const bool edges = q.kind == GPUSCHED_DGB_KIND_EDGES;
        const uint32_t end = q.first + q.count, ring = view.state.tail_edge + config.lea;
        const bool whole = end % (4 * chunk) == 0;
        m2.hit(edges && whole && end < ring), m2_ring.hit(edges && !whole && end == ring && end < graph_.e());
        m2_graph.hit(edges && !whole && end == graph_.e()), m3_both.hit(edges && quiet && (!no_room || config.prefetch));
        m3.hit(!edges && q.count == chunk), m3_last.hit(!edges && q.count < chunk), eager.hit(!edges && no_room);
        tags.hit(q.first == 0 && !edges && q.tag > 0);
        next_tag = q.tag + 1;
        flights_.push_back({edges, q.tag, q.first, q.count, now_ + 1 + r_.below(memory_[edges])});
    }

    // T ---------------------------------------------------------------------------------------------------------------------
    void select(bool open) {
        clock.select = chance(selects_, 16);
        const uint32_t all = (1u << SMXS) - 1, one = 1u << r_.below(SMXS);
        const uint32_t rooms[] = {all, one, chance(1, 8) ? one : 0, static_cast<uint32_t>(r_.next()) & all, all & ~one};
        clock.fits = rooms[room_];
        clock.sched = 7;
        if (!clock.select || !open) return;
        gpusched_dgb_selection s;
        const gpusched_smx_set fits{{clock.fits, 0, 0, 0}};
        const gpusched_status status = gpusched_dgb_select(*dgb_, &fits, &s, nullptr);
        if (status == GPUSCHED_STATUS_NOT_LAUNCHED || status == GPUSCHED_STATUS_GRAPH_FAULT) return;
        must(status, "select");
        clock.sched = s.sched, clock.dispatched = s.node, clock.smx = s.smx;
        const View::Found ready = view.find(GPUSCHED_DGB_NODE_STATE_READY), executing = view.find(GPUSCHED_DGB_NODE_STATE_EXECUTING);
        t_finished.hit(s.sched == GPUSCHED_DGB_SCHED_FINISHED), t_smx.hit(s.sched == GPUSCHED_DGB_SCHED_NO_SMX);
        t_deadlock.hit(s.sched == GPUSCHED_DGB_SCHED_DEADLOCK), t_ready.hit(s.sched == GPUSCHED_DGB_SCHED_NO_READY);
        t_head.hit(s.sched == GPUSCHED_DGB_SCHED_HEAD && ready.first == view.state.head - 1 && !view.end_known(view.n_rows - 1));
        t_edges.hit(s.sched == GPUSCHED_DGB_SCHED_HEAD && view.end_known(ready.first - view.state.tail) && ready.with_edges == 0);
        t_incomplete.hit(s.sched == GPUSCHED_DGB_SCHED_LEVEL_BOUND && !config.level_ref);
        t_active.hit(s.sched == GPUSCHED_DGB_SCHED_LEVEL_BOUND && config.level_ref);
        t_older.hit(s.sched == GPUSCHED_DGB_SCHED_LEVEL_BOUND && config.level_ref && ready.low < executing.low);
        if (s.sched != GPUSCHED_DGB_SCHED_DISPATCH) return;
        t5.hit(), t_wrap.hit(s.smx < view.state.next_smx), t_still.hit(view.state.deadlock != GPUSCHED_NONE);
        t_behind.hit(s.node > ready.first);
        const uint32_t before = view.stats.max_level_range;
        MUST(gpusched_dgb_get_stats(*dgb_, &view.stats));
        range.hit(view.stats.max_level_range > before);
        tbs_.push_back({s.node, now_ + 1 + r_.below(chance(1, 12) && !is_large ? 10 * tb_ : tb_)});
    }

    // C ---------------------------------------------------------------------------------------------------------------------
    void complete(bool open) {
        clock.complete_ready = open;
        size_t ends = tbs_.size();
        for (size_t i = 0; i < tbs_.size() && ends == tbs_.size(); i++)
            if (tbs_[i].due <= now_) ends = i;
        if (ends < tbs_.size()) clock.node = tbs_[ends].node;
        else if (chance(1, 100)) clock.node = r_.below(graph_.v() + 4);
        else return;
        // The TB that starts in this clock cannot end in it.
        if (ends == tbs_.size() && clock.sched == GPUSCHED_DGB_SCHED_DISPATCH && clock.node == clock.dispatched) return;
        clock.complete = 1;
        if (!open) return;
        gpusched_dgb_report report{};
        const gpusched_status status = gpusched_dgb_complete(*dgb_, clock.node, &report, nullptr);
        const bool was_faulted = view.is(GPUSCHED_DGB_STAGE_FAULTED);
        switch (status) {
        case GPUSCHED_STATUS_OK: break;
        case GPUSCHED_STATUS_GRAPH_FAULT: clock.complete_error = was_faulted ? 1 : 0, c_fault.hit(was_faulted); break;
        case GPUSCHED_STATUS_NOT_LAUNCHED: clock.complete_error = 2, c_idle.hit(); break;
        case GPUSCHED_STATUS_NOT_RUNNING: clock.complete_error = 3, c_running.hit(); break;
        default: must(status, "complete");
        }
        if (clock.complete_error != 0) return;
        // An illegal end may have hit a TB that runs.
        tbs_.erase(std::find_if(tbs_.begin(), tbs_.end(), [&](const Tb &tb) { return tb.node == clock.node; }));
        c2.hit(status == GPUSCHED_STATUS_OK && report.pending == 0);
        c_edges.hit(report.pending == GPUSCHED_DGB_PENDING_EDGES), c_pub.hit(report.pending == GPUSCHED_DGB_PENDING_PUB);
        settle(status, report);
    }

    // N, E ------------------------------------------------------------------------------------------------------------------
    void answer(bool open, bool had_answer) {
        clock.ready = 1;
        if (!answer_) begin_answer();
        if (!answer_) return;
        Answer &a = *answer_;
        // What was offered and not taken stays.
        if (!had_answer && !chance(beats_, 16)) return;
        clock.valid = 1, clock.edges = a.edges, clock.tag = a.tag, clock.data = a.data[a.at], clock.last = a.at + 1 == a.data.size();
        clock.ready = !clock.last || (open && !clock.complete);
        if (!clock.ready || !clock.last) {
            a.at += clock.ready;
            return;
        }
        gpusched_dgb_report report{};
        gpusched_dgb_error error{};
        gpusched_status status;
        if (a.edges) {
            const std::vector<uint16_t> targets(a.data.begin(), a.data.end());
            status = gpusched_dgb_edges(*dgb_, a.tag, targets.data(), targets.size(), &report, &error);
        } else status = gpusched_dgb_nodes(*dgb_, a.tag, a.data.data(), a.data.size(), &report, &error);
        const bool was_faulted = view.is(GPUSCHED_DGB_STAGE_FAULTED);
        switch (status) {
        case GPUSCHED_STATUS_OK: (a.edges ? e2 : n2).hit(); break;
        case GPUSCHED_STATUS_GRAPH_FAULT: clock.ans_error = was_faulted ? 1 : 0; break;
        case GPUSCHED_STATUS_STALE_TAG: clock.ans_error = 2, stale.hit(), h12.hit(a.is_true); break;
        case GPUSCHED_STATUS_BAD_LENGTH: clock.ans_error = 3, length.hit(); break;
        case GPUSCHED_STATUS_BAD_EDGE: clock.ans_error = 4, clock.at = error.edge, e1.hit(); break;
        case GPUSCHED_STATUS_BAD_GRAPH: {
            Rule *const flaws[] = {&n1_start, &n1_childless, &n1_oversize, &n1_level, &n1_parents};
            clock.ans_error = 8 + error.what, clock.at = error.node, flaws[error.what - 1]->hit();
            break;
        }
        default: must(status, "answer");
        }
        if (clock.ans_error == 0) {
            const auto f = std::find_if(flights_.begin(), flights_.end(), [&](const Flight &f) { return f.tag == a.tag; });
            any_order.hit(f != flights_.begin()), h13.hit(refused_ > 0);
            flights_.erase(f);
            refused_ = 0;
            settle(status, report);
        } else refused_ += clock.ans_error > 2;
        answer_.reset();
    }

    void begin_answer() {
        if (!late_.empty() && chance(1, 10)) {
            const Flight f = late_.back();
            late_.pop_back();
            answer_ = {f.edges, f.tag, std::vector<uint64_t>(f.count, 1), 0, true};
            return;
        }
        std::vector<const Flight *> due;
        for (const Flight &f : flights_)
            if (f.due <= now_) due.push_back(&f);
        if (due.empty()) return;
        const Flight &f = *due[r_.below(static_cast<uint32_t>(due.size()))];
        answer_ = {f.edges, f.tag, {}, 0, true};
        auto &data = answer_->data;
        if (f.edges) data.assign(graph_.edges.begin() + f.first, graph_.edges.begin() + f.first + f.count);
        else data.assign(graph_.nodes.begin() + f.first, graph_.nodes.begin() + f.first + f.count);
        if (chance(1, 10)) spoil(*answer_);
    }

    void spoil(Answer &a) {
        a.is_true = false;
        uint64_t &x = a.data[r_.below(static_cast<uint32_t>(a.data.size()))];
        switch (r_.below(a.edges ? 5 : 8)) {
        case 0: a.tag -= 1 + r_.below(3); break;
        case 1: a.data.push_back(x); break;
        case 2: a.data.size() > 1 ? a.data.pop_back() : a.data.resize(2 + r_.below(600), x); break;
        case 3: a.edges ? x = 0 : x += r_.chance(1, 2) ? 1 : LEA; break;
        case 4: a.edges ? x = graph_.v() + r_.below(2) : x -= (x & 0x7fffffff) != 0; break;
        case 5: x ^= uint64_t{1} << CHILDLESS; break;
        case 6: x += uint64_t{chance(1, 2) ? 1u : 0xffff} << LEVEL; break;
        default: x = (x >> LEVEL) == 0 ? x | uint64_t{1} << PARENTS : x & ~(uint64_t{0xffff} << PARENTS); break;
        }
    }

    // L ---------------------------------------------------------------------------------------------------------------------
    void launch(bool open) {
        const bool running = view.is(GPUSCHED_DGB_STAGE_RUNNING), faulted = view.is(GPUSCHED_DGB_STAGE_FAULTED);
        if (!chance(1, running ? 400 : faulted ? 20 : 6) || (!running && !faulted && graphs_ == 0)) return;
        Graph graph = running ? graph_ : draw_graph(r_, config.lea);
        clock.launch = 1;
        clock.kde = r_.below(32);
        gpusched_dgb_header &h = clock.graph;
        h.v = chance(1, 12) ? 0 : graph.v();
        h.e = graph.e();
        h.node_base = (r_.next() >> 12) * config.chunk_bytes, h.edge_base = (r_.next() >> 12) * config.chunk_bytes;
        const bool lvl = chance(2, 3), bound = lvl && chance(1, 2);
        h.policy = bound ? r_.below(4) : lvl ? 0 : GPUSCHED_NONE;
        if (!open) return;
        const gpusched_status status = gpusched_dgb_launch(*dgb_, clock.kde, &h, nullptr);
        switch (status) {
        case GPUSCHED_STATUS_GRAPH_FAULT: clock.launch_error = 1, l_fault.hit(); return;
        case GPUSCHED_STATUS_BUSY: clock.launch_error = 2, l_busy.hit(); return;
        case GPUSCHED_STATUS_EMPTY_GRAPH: clock.launch_error = 3, l_empty.hit(); return;
        default: must(status, "launch");
        }
        l_ok.hit();
        graphs_--, refused_ = 0, kde = clock.kde;
        if (graph.wants_late_edges) memory_[1] = 120, tb_ = 20, mood_end_ = now_ + 400;
        graph_ = std::move(graph);
        tbs_.clear();
    }

    // S: what an event led to, from the registers before and after -----------------------------------------------------------
    void settle(gpusched_status status, const gpusched_dgb_report &report) {
        settles++;
        const View before = view;
        look();
        if (status == GPUSCHED_STATUS_GRAPH_FAULT) {
            Rule &underflow = view.state.phase.node >= before.state.head ? underflow_outside : underflow_inside;
            Rule *const kinds[] = {&order, &underflow, &excess};
            kinds[view.state.phase.kind - 1]->hit();
            return;
        }
        const gpusched_dgb_state &a = before.state, &b = view.state;
        edges_applied += report.updates;
        s1.hit(b.tail > a.tail + 1), finish.hit(report.finished), s2_pub.hit(report.pub_out > report.inserted);
        s5.hit(b.deadlock != a.deadlock), s5_else.hit(b.deadlock != a.deadlock && b.executing > 0);
        no_pub.hit(b.deadlock != a.deadlock && config.pub_entries == 0);
        full_pub.hit(report.pub_in && view.n_updates == config.pub_entries);
        bool older = false;
        for (size_t i = 0; i < before.n_rows; i++) {
            const Row &n = before.rows[i];
            const bool was_pending = n.state == GPUSCHED_DGB_NODE_STATE_PENDING;
            const Row *const after = n.node >= b.tail ? &view.rows[n.node - b.tail] : nullptr;
            const bool is_pending = after && after->state == GPUSCHED_DGB_NODE_STATE_PENDING;
            const bool is_final = n.state != GPUSCHED_DGB_NODE_STATE_DONE && (!after || after->state == GPUSCHED_DGB_NODE_STATE_DONE);
            s4_behind.hit(is_final && older), s4_retry.hit(is_final && was_pending);
            s4_refused.hit(was_pending && is_pending && b.head > a.head && view.has_edges(n.node - b.tail));
            big.hit(is_final && i + 1 < before.n_rows && before.rows[i + 1].start - n.start == config.lea);
            older |= is_pending;
        }
        for (size_t i = 0; i < view.n_rows; i++)
            s2_ready.hit(view.rows[i].node >= a.head && view.rows[i].state == GPUSCHED_DGB_NODE_STATE_READY && view.rows[i].level > 0);
        unknown.hit(view.n_rows > 0 && !view.end_known(view.n_rows - 1) && b.head > a.head);
        if (view.n_nib > 0) {
            const uint32_t start = view.nib[0] & 0x7fffffff;
            const bool has_row = b.head - b.tail < config.lna, has_start = start - b.tail_edge <= config.lea;
            i1.hit(!has_row && has_start), i2.hit(has_row && !has_start), i3.hit(has_row && has_start);
        }
    }

  private:
    Random &r_ = run().random;
    std::optional<Object<gpusched_dgb>> dgb_;
    Graph graph_;
    std::vector<Flight> flights_, late_; // late_: of an aborted graph
    std::vector<Tb> tbs_;
    std::optional<Answer> answer_;
    uint64_t now_ = 0, mood_end_ = 0;
    uint32_t busy_ = 0, graphs_ = 0, refused_ = 0;
    uint32_t memory_[2] = {1, 1}, tb_ = 1, room_ = 0, polls_ = 16, selects_ = 16, beats_ = 16;
};

} // namespace bench::dgb
