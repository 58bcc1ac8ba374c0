// The test host: nothing but the scheduling of GPGPU-Sim, in its order of calls, and with its habits. Streams whose front is tried one
// per turn, entries of running kernels that are reused, launch latencies, completion before dispatch within a cycle and in an order of SMs
// that rotates, kernel objects whose addresses come back, hardware slots that are not the scheduler's, thread ranges that must be
// contiguous, launches by TBs that wait in a list of which one entry per cycle goes to a stream. It dispatches by itself if it has no
// adapter: then it is what `gpgpusim_stock` must equal.
#ifndef SIMULATOR_HPP
#define SIMULATOR_HPP

#include "program.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <tuple>

namespace test {

using gpusched::gpgpusim::AfterTb;
using gpusched::gpgpusim::Seam;

// A kernel of the simulator.
struct Grid {
    Job job;
    std::uint64_t uid = 0;
    std::uint32_t next = 0, issued = 0, running = 0, latency = 0, stream = 0, children = 0;
    Grid* parent = nullptr;
    bool adopted = false, done = false;

    std::uint32_t tbs() const { return static_cast<std::uint32_t>(job.shape.tbs()); }
    bool has_more() const { return issued < tbs(); }
};

// cycle, SM, slot, path, TB.
using Start = std::tuple<std::uint64_t, std::uint32_t, std::uint32_t, std::uint64_t, std::uint32_t>;

class Simulator {
public:
    using Kernel = Grid*;

    explicit Simulator(const Program& program, bool paths_as_uids) : program_(program), paths_as_uids_(paths_as_uids), machine_(program.machine) {
        sms_.resize(machine_.sms());
        for (Sm& sm : sms_) {
            sm.slots.resize(machine_.tb_slots);
            sm.threads.resize(machine_.threads);
        }
        running_.resize(machine_.kernels);
        last_core_.assign(machine_.clusters, machine_.sms_per_cluster - 1);
        last_cluster_ = machine_.clusters - 1;
        streams_.resize(4);
    }
    Simulator(const Simulator&) = delete;
    Simulator& operator=(const Simulator&) = delete;

    void attach(Seam<Grid*>* sched) { sched_ = sched; }
    // Of one in n TBs, now and then, the host keeps the warps from issuing.
    void hold(void (*hold)(void*, std::uint32_t, std::uint32_t, bool), void* of) { hold_ = hold, holder_ = of; }

    // False: see error().
    bool run() {
        while (error_.empty() && (!all_.empty() || launched_ < program_.host.size())) {
            turn();
            if (clock_ - progress_ > 50000) error_ = "deadlock in cycle " + std::to_string(clock_);
        }
        if (error_.empty()) finish();
        return error_.empty();
    }

    const std::string& error() const { return error_; }
    const std::vector<Start>& starts() const { return starts_; }
    // Kernels from the host that took an entry and whose latency was over: cycle, entry, job, in that order.
    struct Arrival {
        std::uint64_t cycle;
        std::uint32_t entry;
        Job job;
    };
    const std::vector<Arrival>& arrivals() const { return arrivals_; }
    std::uint64_t cycles() const { return clock_; }
    std::uint64_t bypasses() const { return bypasses_; }
    std::uint64_t skipped() const { return skipped_; }
    std::uint64_t idle() const { return idle_; }
    // Kernels that had ended before what they launched.
    std::uint64_t kept() const { return kept_; }

    // What the adapter asks.

    std::uint64_t uid(Kernel k) const { return k->uid; }
    Shape shape(Kernel k) const { return k->job.shape; }
    bool more_tbs(Kernel k) const { return k != nullptr && k->has_more(); }
    bool ready(Kernel k) const { return k->latency == 0; }
    unsigned next_tb(Kernel k) const { return k->next; }
    Kernel running(unsigned entry) const { return running_[entry]; }
    bool is_empty(unsigned sm) const { return sms_[sm].tbs == 0; }
    Kernel bound(unsigned sm) const { return sms_[sm].bound; }
    void bind(unsigned sm, Kernel k) { sms_[sm].bound = k; }
    void selected(Kernel) {}
    std::uint16_t activity(unsigned sm) {
        const std::uint64_t cycles = std::max<std::uint64_t>(clock_ - sms_[sm].asked, 1);
        const auto share = static_cast<std::uint16_t>(1000 * sms_[sm].active / cycles);
        sms_[sm].active = 0, sms_[sm].asked = clock_;
        return std::min<std::uint16_t>(share, 1000);
    }
    void fail(const std::string& why) {
        if (error_.empty()) error_ = why;
    }

    bool can_issue(unsigned sm, Kernel k) {
        const Sm& s = sms_[sm];
        const std::uint32_t padded = warps(k) * 32, regs = registers(k);
        if (machine_.concurrent) {
            return s.used_threads + padded <= machine_.threads && s.used_regs + regs <= machine_.regs && s.used_smem + k->job.shape.smem <= machine_.smem &&
                   s.tbs < machine_.tb_slots && (!program_.contiguous || range(s, padded) >= 0);
        }
        return s.tbs < max_tbs(k);
    }

    void issue(unsigned sm, Kernel k, unsigned tb) {
        Sm& s = sms_[sm];
        std::uint32_t slot = 0;
        while (slot < machine_.tb_slots && s.slots[at(slot)].live) slot++;
        if (slot == machine_.tb_slots) return fail("no free slot on SM " + std::to_string(sm));
        slot = at(slot);
        if (!k->has_more()) return fail("a TB of a kernel that has none left");
        if (!machine_.concurrent && s.bound != k) return fail("a TB of a kernel that the SM is not bound to");
        const std::uint32_t padded = warps(k) * 32;
        const int first = machine_.concurrent && program_.contiguous ? range(s, padded) : 0;
        if (!can_issue(sm, k)) return fail("a TB on an SM without room");
        if (machine_.concurrent && program_.contiguous) std::fill_n(s.threads.begin() + first, padded, true);
        k->next = tb + 1, k->issued++, k->running++;
        s.tbs++, s.used_threads += padded, s.used_regs += registers(k), s.used_smem += k->job.shape.smem;
        s.slots[slot] = {true, k, tb, static_cast<std::uint32_t>(first), 0, program_.work(k->job, tb), program_.commands(k->job, tb)};
        starts_.emplace_back(clock_, sm, slot, k->job.path, tb);
        progress_ = clock_;
        if (sched_ == nullptr) return;
        sched_->tb_started(sm, slot, k, tb);
        if (sched_->tb_bypasses_l1(sm, slot)) bypasses_++;
    }

    bool has_children(Kernel k) const {
        kept_ += k->children > 0;
        return k->children > 0;
    }
    void retire(Kernel k) {
        if (k->has_more() || k->running > 0) return fail("a kernel was retired that is not done");
        if (!k->adopted) return set_done(k);
        if (k->children > 0) return fail("a kernel was retired before what it launched");
        release(k);
    }

private:
    struct Slot {
        bool live = false;
        Grid* kernel = nullptr;
        std::uint32_t tb = 0, first_thread = 0, executed = 0, work = 0;
        std::vector<Command> commands;
    };
    struct Sm {
        std::vector<Slot> slots;
        std::vector<bool> threads;
        std::uint32_t tbs = 0, used_threads = 0, used_regs = 0, used_smem = 0;
        Grid* bound = nullptr;
        std::uint64_t active = 0, asked = 0;
    };

    std::uint32_t at(std::uint32_t i) const { return program_.high_slots ? machine_.tb_slots - 1 - i : i; }
    static std::uint32_t warps(const Grid* k) { return static_cast<std::uint32_t>((k->job.shape.threads() + 31) / 32); }
    static std::uint32_t registers(const Grid* k) { return warps(k) * 32 * ((k->job.shape.regs_per_thread + 3) & ~3u); }

    // The first of a free range, in strides of the TB's own size; -1 for none.
    int range(const Sm& s, std::uint32_t size) const {
        for (std::uint32_t first = 0; first + size <= machine_.threads; first += size) {
            if (std::none_of(s.threads.begin() + first, s.threads.begin() + first + size, [](bool taken) { return taken; })) return static_cast<int>(first);
        }
        return -1;
    }

    std::uint32_t max_tbs(const Grid* k) const {
        std::uint32_t most = std::min({machine_.threads / (warps(k) * 32), machine_.regs / registers(k), machine_.tb_slots});
        if (k->job.shape.smem > 0) most = std::min(most, machine_.smem / k->job.shape.smem);
        return k->tbs() < most * machine_.sms() ? (k->tbs() + machine_.sms() - 1) / machine_.sms() : most;
    }

    Grid* make(const Job& job, Grid* parent) {
        // The address that was freed last comes back.
        std::unique_ptr<Grid> grid = free_.empty() ? std::make_unique<Grid>() : std::move(free_.back());
        if (!free_.empty()) free_.pop_back();
        *grid = Grid();
        grid->job = job;
        grid->uid = paths_as_uids_ ? job.path : ++uids_;
        grid->latency = program_.latency;
        grid->parent = parent;
        if (parent != nullptr) parent->children++;
        all_.push_back(std::move(grid));
        return all_.back().get();
    }
    void release(Grid* k) {
        if (k->parent != nullptr) {
            k->parent->children--;
            if (k->parent->adopted) sched_->child_done(k->parent->uid);
        }
        drop(k);
    }
    void drop(Grid* k) {
        const auto found = std::find_if(all_.begin(), all_.end(), [&](const auto& g) { return g.get() == k; });
        free_.push_back(std::move(*found));
        all_.erase(found);
    }

    void set_done(Grid* k) {
        const auto entry = std::find(running_.begin(), running_.end(), k);
        if (entry == running_.end()) return fail("a kernel that is not running was done");
        *entry = nullptr;
        finished_.push_back(k);
    }

    // The stream manager, then a cycle if there is something to do in it.
    void turn() {
        if (!finished_.empty()) {
            Grid* const k = finished_.front();
            finished_.pop_front();
            if (k->children == 0) {
                streams_[k->stream].pop_front();
                release(k);
            } else {
                finished_.push_back(k);
            }
        }
        for (const HostLaunch& launch : program_.host) {
            if (launch.cycle == clock_) submit(launch.job, nullptr, launch.stream), launched_++;
        }
        front();
        cycle();
    }

    void submit(const Job& job, Grid* parent, std::uint32_t stream) {
        Grid* const k = make(job, parent);
        k->stream = stream;
        streams_[stream].push_back(k);
    }

    // Tries the front of one stream.
    void front() {
        for (std::size_t i = 0; i < streams_.size(); i++) {
            turn_ = (turn_ + 1) % static_cast<std::uint32_t>(streams_.size());
            if (streams_[turn_].empty() || streams_[turn_].front()->done) continue;
            Grid* const k = streams_[turn_].front();
            const auto entry = std::find(running_.begin(), running_.end(), nullptr);
            if (entry == running_.end()) return;
            *entry = k;
            k->done = true;  // It has been taken from its stream.
            latest_.push_back({k, static_cast<std::uint32_t>(entry - running_.begin())});
            if (sched_ != nullptr) sched_->kernel_arrived(k, latest_.back().second);
            return;
        }
    }

    void cycle() {
        if (hold_ != nullptr && clock_ % 16 == 0) {
            const std::uint64_t z = mix(clock_ ^ program_.seed);
            hold_(holder_, static_cast<std::uint32_t>(z % sms_.size()), static_cast<std::uint32_t>((z >> 20) % machine_.tb_slots), (z >> 40) % 2 == 0);
        }
        for (std::uint32_t c = 0; c < machine_.clusters; c++) {
            for (std::uint32_t i = 0; i < machine_.sms_per_cluster; i++) {
                core(c * machine_.sms_per_cluster + (i + static_cast<std::uint32_t>(clock_)) % machine_.sms_per_cluster);
            }
        }
        clock_++;
        note_arrivals();
        if (sched_ == nullptr) dispatch();
        else if (program_.skip_idle && all_.empty()) idle_++;
        else sched_->dispatch(clock_);
        for (Grid* const k : running_) {
            if (k != nullptr && k->latency > 0) k->latency--;
        }
        if (!device_.empty()) {
            const auto [job, parent] = device_.front();
            device_.pop_front();
            auto stream = std::find_if(streams_.begin() + 4, streams_.end(), [](const auto& s) { return s.empty(); });
            if (stream == streams_.end()) stream = streams_.emplace(stream);
            submit(job, parent, static_cast<std::uint32_t>(stream - streams_.begin()));
            parent->children--;  // It was counted when it was launched.
        }
    }

    // Arrivals as the front end must see them: ready, in the order in which they took their entries.
    void note_arrivals() {
        std::size_t kept = 0;
        for (const auto& [k, entry] : latest_) {
            if (k->latency > 0) latest_[kept++] = {k, entry};
            else arrivals_.push_back({clock_, entry, k->job});
        }
        latest_.resize(kept);
    }

    // Issue, then fetch, which finds the TBs that ended.
    void core(std::uint32_t sm) {
        Sm& s = sms_[sm];
        if (sched_ != nullptr && !sched_->sm_runs(sm)) {
            skipped_++;
            return;
        }
        if (s.tbs > 0) s.active++;
        for (std::uint32_t i = 0; i < machine_.tb_slots; i++) {
            Slot& slot = s.slots[i];
            if (!slot.live || (sched_ != nullptr && !sched_->tb_may_issue(sm, i))) continue;
            slot.executed++;
            // Last warp first.
            for (auto c = slot.commands.rbegin(); c != slot.commands.rend(); ++c) {
                if (c->at == slot.executed) launch(sm, i, slot, *c);
            }
        }
        for (std::uint32_t i = 0; i < machine_.tb_slots; i++) {
            if (s.slots[i].live && s.slots[i].executed == s.slots[i].work) exit(sm, i);
        }
    }

    void launch(std::uint32_t sm, std::uint32_t i, Slot& slot, const Command& command) {
        for (const Command::Lane& lane : command.lanes) {
            Grid* const child = make(lane.job, slot.kernel);
            if (sched_ != nullptr && sched_->device_launch(sm, i, command.warp, lane.thread, child)) {
                child->adopted = true;
                continue;
            }
            // Made anew when it reaches its stream.
            drop(child);
            device_.emplace_back(lane.job, slot.kernel);
        }
    }

    void exit(std::uint32_t sm, std::uint32_t i) {
        Sm& s = sms_[sm];
        Slot& slot = s.slots[i];
        Grid* const k = slot.kernel;
        slot.live = false;
        s.tbs--, s.used_threads -= warps(k) * 32, s.used_regs -= registers(k), s.used_smem -= k->job.shape.smem;
        if (machine_.concurrent && program_.contiguous) std::fill_n(s.threads.begin() + slot.first_thread, warps(k) * 32, false);
        if (s.tbs == 0) s.bound = nullptr;
        k->running--;
        progress_ = clock_;
        const AfterTb after = sched_ == nullptr ? AfterTb::AsEver : sched_->tb_done(sm, i, k);
        if (after == AfterTb::AsEver && !k->has_more() && k->running == 0) set_done(k);
    }

    // The simulator's own dispatch.
    void dispatch() {
        const std::uint32_t last = last_cluster_;
        for (std::uint32_t i = 0; i < machine_.clusters; i++) {
            const std::uint32_t cluster = (i + last + 1) % machine_.clusters;
            if (dispatch_to(cluster)) last_cluster_ = cluster;
        }
    }
    bool dispatch_to(std::uint32_t cluster) {
        for (std::uint32_t i = 0; i < machine_.sms_per_cluster; i++) {
            const std::uint32_t core = (i + last_core_[cluster] + 1) % machine_.sms_per_cluster, sm = cluster * machine_.sms_per_cluster + core;
            Grid* k = machine_.concurrent ? select() : sms_[sm].bound;
            if (!machine_.concurrent && !more_tbs(k) && is_empty(sm)) {
                if ((k = select()) != nullptr) sms_[sm].bound = k;
            }
            if (!more_tbs(k) || !can_issue(sm, k)) continue;
            issue(sm, k, k->next);
            last_core_[cluster] = core;
            return true;
        }
        return false;
    }
    Grid* select() {
        Grid* const same = running_[last_kernel_];
        if (more_tbs(same) && same->latency == 0) return same;
        for (std::uint32_t i = 0; i < machine_.kernels; i++) {
            const std::uint32_t entry = (i + last_kernel_ + 1) % machine_.kernels;
            if (!more_tbs(running_[entry]) || running_[entry]->latency != 0) continue;
            last_kernel_ = entry;
            return running_[entry];
        }
        return nullptr;
    }

    void finish() {
        if (sched_ != nullptr && sched_->busy()) fail("the adapter is busy with nothing");
        std::vector<std::pair<std::uint64_t, std::uint32_t>> tbs;
        for (const auto& [cycle, sm, slot, path, tb] : starts_) tbs.emplace_back(path, tb);
        std::sort(tbs.begin(), tbs.end());
        if (std::adjacent_find(tbs.begin(), tbs.end()) != tbs.end()) fail("a TB ran twice");
        std::size_t expected = 0;
        for (const HostLaunch& launch : program_.host) expected += count(launch.job);
        if (expected != tbs.size()) fail(std::to_string(tbs.size()) + " TBs ran of " + std::to_string(expected));
    }
    std::size_t count(const Job& job) const {
        std::size_t n = job.shape.tbs();
        for (std::uint32_t tb = 0; tb < job.shape.tbs(); tb++) {
            for (const Command& command : program_.commands(job, tb)) {
                for (const Command::Lane& lane : command.lanes) n += count(lane.job);
            }
        }
        return n;
    }

    const Program& program_;
    const bool paths_as_uids_;
    const Machine machine_;
    Seam<Grid*>* sched_ = nullptr;
    void (*hold_)(void*, std::uint32_t, std::uint32_t, bool) = nullptr;
    void* holder_ = nullptr;
    std::vector<Sm> sms_;
    std::vector<std::unique_ptr<Grid>> all_, free_;
    std::vector<Grid*> running_;
    std::vector<std::pair<Grid*, std::uint32_t>> latest_;
    std::deque<Grid*> finished_;
    std::vector<std::deque<Grid*>> streams_;
    std::deque<std::pair<Job, Grid*>> device_;
    std::vector<std::uint32_t> last_core_;
    std::uint32_t last_cluster_ = 0, last_kernel_ = 0, turn_ = 0;
    std::uint64_t clock_ = 0, progress_ = 0, uids_ = 0, bypasses_ = 0, skipped_ = 0, idle_ = 0;
    std::size_t launched_ = 0;
    mutable std::uint64_t kept_ = 0;
    std::string error_;
    std::vector<Start> starts_;
    std::vector<Arrival> arrivals_;
};

}  // namespace test

#endif  // SIMULATOR_HPP
