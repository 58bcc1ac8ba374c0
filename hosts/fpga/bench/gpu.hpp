// The GPU of the bench: SMXs whose TBs are timers, that launch, and a memory that answers. It makes events, obeys decisions, and sees to
// it that what it is told can be: every TB once, in a free slot, after those that it depends on, and every launch ended.
//
// What it does follows from its seed, the decisions and its cycle alone. So if decisions come in the cycle in which they were taken, it
// does the same however they came.
#ifndef GPU_HPP
#define GPU_HPP

#include <deque>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <tuple>

#include "entries.hpp"
#include "graph.hpp"
#include "load.hpp"
#include "wrong_events.hpp"

namespace bench {

class Gpu {
public:
    explicit Gpu(const Load& load) : load_(load), random_(load.seed), slots_(load.config.n_smx * load.config.tb_slots) {
        std::uint64_t cycle = 1;
        for (std::uint32_t n = 0; cycle < load.cycles; n++, cycle += 1 + random_.below(2 * load.interval)) plan(cycle, kHost, n);
        for (cycle = 700; load.gates && cycle < load.cycles; cycle += 300 + random_.below(3000)) plan(cycle, kGate, 0);
        if (load.gates) plan(load.cycles, kGate, 1);
        for (cycle = 400; load.suspends && cycle < load.cycles; cycle += 100 + random_.below(2000)) plan(cycle, kSuspend, 0);
        for (cycle = 50; load.errors && cycle < load.cycles; cycle += 100 + random_.below(2500)) plan(cycle, kError, 0);
        const std::uint32_t period = load.config.bubble_sample_cycles;
        for (cycle = period; load.config.bubble != 0 && cycle < load.cycles; cycle += period) plan(cycle, kSample, 0);
    }

    // Events that wait to be posted, oldest first.
    std::deque<Event>& out() { return out_; }

    // A cycle begins: what is due happens. TBs stand still while a suspension is on its way, for it must not overtake their ends.
    void begin(std::uint64_t now) {
        now_ = now;
        while (!frozen_ && !plans_.empty() && plans_.begin()->cycle <= now) {
            const Plan p = *plans_.begin();
            plans_.erase(plans_.begin());
            happen(p);
        }
    }

    // Nothing is planned, nothing runs, and everything that was launched has ended.
    bool finished() const {
        if (frozen_ || !plans_.empty() || !out_.empty() || unanswered_ != 0) return false;
        for (const auto& [tag, b] : books_)
            if (!b.ended && !b.withdrawn) return false;
        return true;
    }

    // Why it is not finished.
    std::string unfinished() const {
        std::size_t open = 0;
        for (const auto& [tag, b] : books_) open += !b.ended && !b.withdrawn;
        return std::to_string(plans_.size()) + " plans, " + std::to_string(out_.size()) + " events to post, " +
               std::to_string(unanswered_) + " without answer, " + std::to_string(open) + " launches open" +
               (frozen_ ? ", a suspension under way" : "");
    }

    void obey(const Words& w) {
        const std::uint32_t kind = kind_of(w), blkid = w[6];
        const std::uint64_t tag = wide(w, 4);
        const std::uint32_t smx = w[8] & 0xffff, slot = w[8] >> 16 & 0xff, kde = w[8] >> 24, detail = w[9] >> 16 & 0xff;
        told_[kind]++;
        switch (kind) {
        case GPUSCHED_DECISION_KIND_TB: return start(tag, blkid, w[9] & 0xff, smx, slot);
        case GPUSCHED_DECISION_KIND_ISSUE: owner_[kde] = tag; return;
        case GPUSCHED_DECISION_KIND_ARRIVE:
            if (book(tag).retained) plan(now_ + 1 + mix(tag) % 2000, kUnretain, kde);
            return;
        case GPUSCHED_DECISION_KIND_LOAD:
            if (load_.config.load_mode == GPUSCHED_LOAD_MODE_EXTERNAL) plan(now_ + 1 + mix(w[7]) % 100, kLoaded, w[7]);
            return;
        case GPUSCHED_DECISION_KIND_SAVED: return save(smx, slot);
        case GPUSCHED_DECISION_KIND_SUSPEND:
            saved_[owner_.at(kde)] = std::move(saving_);
            saving_.clear();
            plan(now_ + 1 + mix(now_) % 500, kResume, detail);
            return;
        case GPUSCHED_DECISION_KIND_GRAPH_ABORT: book(owner_.at(kde)).given_up = true; return;
        case GPUSCHED_DECISION_KIND_GRAPH_FAULT: throw std::runtime_error("a graph in a fault");
        case GPUSCHED_DECISION_KIND_GROUP_DONE:
        case GPUSCHED_DECISION_KIND_KERNEL_DONE: return end(tag);
        case GPUSCHED_FPGA_DECISION_MEMORY: return fetch(w);
        case GPUSCHED_FPGA_DECISION_REPLY: return answered(w);
        default: return;
        }
    }

    // How often each event was made and each decision came, by kind; each refusal, by status.
    const std::map<std::uint32_t, std::uint64_t>& made() const { return made_; }
    const std::map<std::uint32_t, std::uint64_t>& told() const { return told_; }
    const std::map<std::uint32_t, std::uint64_t>& refused() const { return refused_; }
    std::uint64_t tbs() const { return tbs_; }
    std::uint64_t launches() const { return books_.size(); }

private:
    // What may happen in a cycle, in the order in which it does (frontend O).
    enum Rank { kDone, kLoaded, kAnswer, kSample, kGate, kUnretain, kSuspend, kResume, kAbort, kChild, kHost, kRetry, kError };
    struct Plan {
        std::uint64_t cycle;
        Rank rank;
        std::uint64_t what, order;
        bool operator<(const Plan& o) const {
            return std::tie(cycle, rank, what, order) < std::tie(o.cycle, o.rank, o.what, o.order);
        }
    };
    struct Tb {
        std::uint64_t tag, end, launches_at;
        std::uint32_t blkid, unit;
    };
    struct Slot {
        bool taken = false;
        std::uint64_t id = 0;
        Tb tb{};
    };
    // What is known of a launch.
    struct Book {
        std::uint32_t total = 0, ended_tbs = 0, depth = 0;
        bool retained = false, ended = false, withdrawn = false, given_up = false, graph = false;
        std::vector<bool> sent, done;
    };

    [[noreturn]] void wrong(const std::string& what) const {
        throw std::runtime_error("cycle " + std::to_string(now_) + ": " + what);
    }

    Book& book(std::uint64_t tag) {
        const auto found = books_.find(tag);
        if (found == books_.end()) wrong("a decision about launch " + std::to_string(tag) + ", which there is not");
        return found->second;
    }

    void plan(std::uint64_t cycle, Rank rank, std::uint64_t what) { plans_.insert({cycle, rank, what, order_++}); }

    Event& emit(Event e) {
        made_[e.kind]++;
        out_.push_back(std::move(e));
        return out_.back();
    }

    Event& emit(std::uint32_t kind) {
        Event e;
        e.kind = kind;
        return emit_now(std::move(e));
    }

    Event& emit_now(Event e) {
        e.cycle = now_;
        e.ack = random_.once_in(4);
        return emit(std::move(e));
    }

    void happen(const Plan& p) {
        const auto row = static_cast<std::uint32_t>(p.what);
        switch (p.rank) {
        case kDone: return finish(p);
        case kLoaded: emit(kSPILL_LOADED).a = row; return;
        case kAnswer: return answer(p.what);
        case kSample: return sample();
        case kGate: return row == 0 ? close_gates() : open_gates();
        case kUnretain: emit(kUNRETAIN).a = row; return;
        case kSuspend: {
            Event& e = emit(kSUSPEND);
            e.a = random_.below(load_.config.n_kde + 1);
            e.ack = true;
            unanswered_++;
            frozen_ = true;
            return;
        }
        case kResume: emit(kRESUME).a = row; return;
        case kAbort: emit(kABORT_GRAPH).a = row; return;
        case kChild: return launch_children(p);
        case kHost: return launch();
        case kRetry: {
            Event again = waiting_.at(p.what);
            waiting_.erase(p.what);
            again.cycle = now_;
            unanswered_++;
            emit(std::move(again));
            return;
        }
        case kError: emit(wrong_event(errors_++, now_)); return;
        }
    }

    // TBs.

    void start(std::uint64_t tag, std::uint32_t blkid, std::uint32_t unit, std::uint32_t smx, std::uint32_t slot) {
        Book& b = book(tag);
        const std::string name = "TB " + std::to_string(blkid) + " of launch " + std::to_string(tag);
        const std::size_t at = smx * load_.config.tb_slots + slot;
        if (smx >= load_.config.n_smx || slot >= load_.config.tb_slots) wrong(name + " is sent to no slot");
        if (slots_[at].taken) wrong(name + " is sent to a slot that is taken");
        Slot& s = slots_[at];
        s.taken = true;
        s.id = ++ids_;
        if (unit == GPUSCHED_UNIT_RESTORED) {
            if (blkid >= saved_[tag].size()) wrong(name + " was never saved");
            s.tb = saved_[tag][blkid];
            s.tb.end += now_;
        } else {
            if (blkid >= b.total || b.sent[blkid]) wrong(name + " is sent twice, or does not exist");
            b.sent[blkid] = true;
            if (b.graph)
                for (const auto parent : graphs_.at(tag).parents(blkid))
                    if (!b.done[parent]) wrong(name + " is sent before " + std::to_string(parent) + " has ended");
            tbs_++;
            const std::uint64_t r = mix(load_.seed ^ tag << 20 ^ blkid), length = 20 + r % 600;
            s.tb = {tag, now_ + length, 0, blkid, unit};
            const bool launches = (load_.kernels || load_.groups) && b.depth < 2 && (r >> 32) % 4 == 0;
            if (launches) plan(now_ + 1 + (r >> 40) % (length - 1), kChild, at << 32 | (s.id & 0xffffffff));
        }
        plan(s.tb.end, kDone, at << 32 | (s.id & 0xffffffff));
    }

    // The slot of a plan, if the TB that it is about is still there.
    Slot* slot_of(const Plan& p) {
        Slot& s = slots_[p.what >> 32];
        return s.taken && (s.id & 0xffffffff) == (p.what & 0xffffffff) ? &s : nullptr;
    }

    Event& emit_from(std::uint32_t kind, const Plan& p) {
        Event& e = emit(kind);
        e.smx = static_cast<std::uint32_t>(p.what >> 32) / load_.config.tb_slots;
        e.slot = static_cast<std::uint32_t>(p.what >> 32) % load_.config.tb_slots;
        return e;
    }

    void finish(const Plan& p) {
        Slot* const s = slot_of(p);
        if (s == nullptr) return;
        s->taken = false;
        Book& b = book(s->tb.tag);
        b.ended_tbs++;
        b.done[s->tb.blkid] = true;
        emit_from(kTB_DONE, p);
    }

    void save(std::uint32_t smx, std::uint32_t slot) {
        Slot& s = slots_.at(smx * load_.config.tb_slots + slot);
        if (!s.taken) wrong("a TB is saved that is not there");
        s.taken = false;
        // What is left of it, at least a cycle.
        s.tb.end = s.tb.end > now_ ? s.tb.end - now_ : 1;
        saving_.push_back(s.tb);
    }

    void end(std::uint64_t tag) {
        Book& b = book(tag);
        if (b.ended) wrong("launch " + std::to_string(tag) + " ends twice");
        if (b.ended_tbs != b.total && !b.given_up) wrong("launch " + std::to_string(tag) + " ends before its TBs");
        b.ended = true;
    }

    // Launches.

    gpusched_kernel kernel(std::uint32_t most_tbs, std::uint32_t depth) {
        const std::uint32_t program = random_.below(3), total = 1 + random_.below(most_tbs);
        gpusched_kernel k = gpusched::kernel(0x1000 * (program + 1), gpusched::dim3(total), gpusched::dim3(64u << program), ++tags_);
        k.regs = 1024 * (program + 1);
        k.smem = 512 * program;
        k.param = static_cast<std::uint32_t>(random_.next());
        Book& b = books_[tags_];
        b.total = total;
        b.depth = depth;
        b.sent.assign(total, false);
        b.done.assign(total, false);
        return k;
    }

    void launch() {
        if (load_.graphs && random_.once_in(3)) return launch_graph();
        const gpusched_kernel k = kernel(24, 0);
        Event& e = emit(kHOST_LAUNCH);
        e.lanes = {{k, 0}};
        e.a = random_.below(1000);
        e.b = random_.once_in(8) ? 1 : 0;
        e.ack = true;
        unanswered_++;
        books_[k.tag].retained = e.b != 0;
    }

    // A kernel whose TBs each depend on some of the 8 before them: safe in the buffers of the runs.
    void launch_graph() {
        gpusched_kernel k = kernel(120, 2);
        Graph g(k.grid, random_);
        Event& e = emit(kGRAPH_LAUNCH);
        e.lanes = {{k, 0}};
        e.a = random_.below(1000);
        e.graph = g.header(k.tag);
        e.ack = true;
        unanswered_++;
        books_[k.tag].graph = true;
        graphs_.emplace(k.tag, std::move(g));
    }

    void launch_children(const Plan& p) {
        const Slot* const s = slot_of(p);
        if (s == nullptr) return;
        const std::uint32_t depth = book(s->tb.tag).depth + 1, lanes = 1 + random_.below(random_.once_in(8) ? load_.config.warp : 3);
        const bool as_groups = load_.groups && (!load_.kernels || random_.below(2) == 0);
        std::vector<gpusched_group> children;
        for (std::uint32_t i = 0; i < lanes; i++) children.push_back({kernel(4, depth), random_.below(load_.config.threads)});
        Event& e = emit_from(as_groups ? kAGG_LAUNCH : kDEVICE_LAUNCH, p);
        e.lanes = std::move(children);
        e.ack = true;
        unanswered_++;
    }

    // A launch was accepted or refused. A host launch that found its queue full comes again; children that were refused do not.
    void answered(const Words& w) {
        const std::uint32_t number = w[GPUSCHED_FPGA_DECISION_REPLY_EVENT_WORD], status = w[GPUSCHED_FPGA_DECISION_REPLY_STATUS_WORD];
        if (status != 0) refused_[status]++;
        const auto found = posted_.find(number);
        if (found == posted_.end()) return;
        Event e = std::move(found->second);
        posted_.erase(found);
        if (e.raw.empty() && (e.kind == kSUSPEND || !e.lanes.empty())) unanswered_--;
        if (e.kind == kSUSPEND) frozen_ = false;
        if (status == 0 || e.lanes.empty() || !e.raw.empty()) return;
        if (status == GPUSCHED_STATUS_HWQ_FULL) {
            waiting_.emplace(number, std::move(e));
            plan(now_ + 200, kRetry, number);
            return;
        }
        for (const auto& lane : e.lanes) book(lane.kernel.tag).withdrawn = true;
    }

public:
    // An event was posted under this number.
    void posted(const Event& e) {
        if (e.ack) posted_.emplace(e.number, e);
    }

private:
    // Memory.

    void fetch(const Words& w) {
        requests_.emplace(request_, w);
        plan(now_ + 1 + mix(request_) % 120, kAnswer, request_);
        request_++;
        const std::uint64_t tag = Graph::tag_of(w);
        if (book(tag).graph && random_.once_in(60))
            for (const auto& [kde, owner] : owner_)
                if (owner == tag) plan(now_ + 1, kAbort, kde);
    }

    void answer(std::uint64_t request) {
        const Words w = requests_.at(request);
        requests_.erase(request);
        emit_now(graphs_.at(Graph::tag_of(w)).answer(w));
    }

    // Gates and samples.

    void sample() {
        Event& e = emit(kACTIVITY);
        for (std::uint32_t i = 0; i < load_.config.n_smx; i++) e.halves.push_back(static_cast<std::uint16_t>(random_.below(1001)));
    }

    void close_gates() {
        const std::uint32_t n_smx = load_.config.n_smx, slots = load_.config.tb_slots, classes = load_.config.n_class;
        Event& eligible = emit(kSET_ELIGIBLE);
        for (std::uint32_t i = 0; i < n_smx; i++) eligible.set.words[i / 64] |= std::uint64_t{random_.below(4) != 0} << i % 64;
        Event& cap = emit(kSET_BLOCK_CAP);
        cap.a = random_.below(n_smx + 1);
        cap.b = random_.below(slots + 1);
        Event& bind = emit(kSET_CLASS);
        bind.a = random_.below(classes + 1);
        bind.pc = 0x1000 * (1 + random_.below(3));
        Event& limit = emit(kSET_CLASS_CAP);
        limit.a = random_.below(classes + 1);
        limit.b = random_.below(n_smx);
        limit.c = random_.below(slots + 1);
        limit.d = random_.below(limit.c + 1);
        if (random_.once_in(3)) emit(kCLEAR_CLASS).a = random_.below(classes + 1);
    }

    void open_gates() {
        const std::uint32_t n_smx = load_.config.n_smx, slots = load_.config.tb_slots;
        Event& eligible = emit(kSET_ELIGIBLE);
        for (std::uint32_t i = 0; i < n_smx; i++) eligible.set.words[i / 64] |= std::uint64_t{1} << i % 64;
        for (std::uint32_t i = 0; i < n_smx; i++) {
            Event& cap = emit(kSET_BLOCK_CAP);
            cap.a = i, cap.b = slots;
            for (std::uint32_t k = 0; k < load_.config.n_class; k++) {
                Event& limit = emit(kSET_CLASS_CAP);
                limit.a = k, limit.b = i, limit.c = slots;
            }
        }
    }

    Load load_;
    Random random_;
    std::uint64_t now_ = 0, order_ = 0, ids_ = 0, tags_ = 0, request_ = 0, tbs_ = 0;
    std::uint32_t unanswered_ = 0, errors_ = 0;
    bool frozen_ = false;
    std::set<Plan> plans_;
    std::vector<Slot> slots_;
    std::deque<Event> out_;
    std::map<std::uint64_t, Book> books_;
    std::map<std::uint64_t, Graph> graphs_;
    std::map<std::uint32_t, std::uint64_t> owner_;
    std::map<std::uint64_t, std::vector<Tb>> saved_;
    std::vector<Tb> saving_;
    std::map<std::uint64_t, Words> requests_;
    std::map<std::uint64_t, Event> waiting_;
    std::map<std::uint32_t, Event> posted_;
    std::map<std::uint32_t, std::uint64_t> made_, told_, refused_;
};

}  // namespace bench

#endif
