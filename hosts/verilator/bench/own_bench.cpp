// The harness around a dispatcher of somebody else: random kernels, TBs that run for random times, SMXs that open and close, resets at
// random times. What the dispatcher does goes to own_model.hpp. The module around it is written by own/map.
#include "own_model.hpp"

#include <svdpi.h>

#include <functional>
#include <map>
#include <utility>

using bench::run;
using namespace own;

static bench::Rule launched("a kernel is launched"), sent("a TB is sent"), noroom("a TB finds no room"), ended("a TB ends");
// Of maps that have them.
static std::optional<bench::Rule> several, closed, reset_with_work;

static uint32_t drawn(map::Range range) { return range.least + run().random.below(range.most - range.least + 1); }

class Harness {
  public:
    Harness() {
        if (map::LANES > 1) several.emplace("several TBs are sent in a clock");
        if (map::WORK_GATE.most) closed.emplace("an SMX is closed");
        if (map::WORK_RESET) reset_with_work.emplace("a reset while TBs run");
    }

    // What the dispatcher is told in the next clock.
    struct Pins {
        bool rst = false, launch = false;
        uint32_t id = 0;
        Kernel kernel;
        std::array<bool, map::SMXS> open;
        std::array<std::optional<Tb>, map::SMXS> done;
    };

    const Pins &clock() {
        if (reset_left_ == 0 && is_due()) begin_reset();
        pins_.rst = reset_left_ != 0;
        if (pins_.rst) {
            reset_left_--;
            return pins_;
        }
        // What was lost stalls when nothing else is left.
        if (!is_running()) is_quiet_ = false;
        else if (map::WORK_QUIET && run().random.chance(1, map::WORK_QUIET)) is_quiet_ = true;
        if (map::WORK_GATE.most && gate_left_-- == 0) {
            pins_.open[run().random.below(map::SMXS)] ^= true;
            gate_left_ = drawn(map::WORK_GATE);
        }
        if (!pins_.launch && gap_ != 0) gap_--;
        else if (!pins_.launch && free_id(&pins_.id)) show();
        for (const Running &r : tbs_)
            if (r.until <= run().cycles && !pins_.done[r.tb.smx]) pins_.done[r.tb.smx] = r.tb;
        return pins_;
    }

    struct Seen {
        bool taken, finished;
        uint32_t finished_kernel;
        std::vector<Tb> sent;
        std::array<bool, map::SMXS> ended;
    };

    void seen(Seen &s) {
        if (pins_.rst) return;
        later([this, open = pins_.open] { model_.open(open); });
        for (uint32_t i = 0; i < map::SMXS; i++) {
            if (!s.ended[i]) continue;
            const Tb tb = *std::exchange(pins_.done[i], std::nullopt);
            ended.hit();
            journal_.note("TB %u of kernel %u ends on SMX %u", tb.tb, tb.kernel, tb.smx);
            tbs_.erase(std::find_if(tbs_.begin(), tbs_.end(), [&](const Running &r) { return r.tb.smx == i && r.tb.slot == tb.slot; }));
            later([this, tb] { model_.end(tb); }, map::DONE_AFTER);
        }
        if (s.taken) {
            launched.hit();
            const Kernel k = pins_.kernel;
            journal_.note("kernel %u launched: %u TBs of %u threads, %u registers, %u shared memory", pins_.id, k.tbs, k.threads, k.regs,
                          k.smem);
            coming_[pins_.id] = true, pins_.launch = false;
            needs_reset_ = map::WORK_RESET_BETWEEN;
            gap_ = drawn(map::WORK_GAP);
            later([this, id = pins_.id, k] { coming_[id] = false, model_.launch(id, k); });
        } else if (pins_.launch && ++shown_ > map::MOST_LAUNCH) {
            journal_.wrong("a launch is shown for %u clocks and not taken", map::MOST_LAUNCH);
        }
        for (; !events_.empty() && events_.begin()->first <= run().cycles; events_.erase(events_.begin())) events_.begin()->second();
        model_.begin();
        // Those of one clock have no order.
        std::stable_sort(s.sent.begin(), s.sent.end(), [&](const Tb &a, const Tb &b) {
            const auto key = [&](const Tb &tb) {
                return std::make_pair(tb.kernel < map::KERNELS ? model_.kernel(tb.kernel).serial : 0, tb.tb);
            };
            return key(a) < key(b);
        });
        for (Tb &tb : s.sent) {
            if (!model_.send(tb)) return;
            sent.hit();
            tbs_.push_back({tb, run().cycles + drawn(map::WORK_RUN)});
        }
        if (several) several->hit(s.sent.size() > 1);
        if (closed) closed->hit(std::find(pins_.open.begin(), pins_.open.end(), false) != pins_.open.end());
        if (s.finished) model_.finished(s.finished_kernel);
        const uint64_t before = counts_.no_room;
        model_.settle(static_cast<uint32_t>(s.sent.size()));
        noroom.hit(counts_.no_room != before);
    }

    bool is_running() const { return model_.is_inside() || std::find(coming_.begin(), coming_.end(), true) != coming_.end(); }
    const Counts &counts() const { return counts_; }

  private:
    struct Running {
        Tb tb;
        uint64_t until;
    };

    // What the dispatcher decides with what it knows in this clock is seen `pipeline` clocks later: until then the core does not know it.
    void later(std::function<void()> event, uint32_t more = 0) { events_.emplace(run().cycles + map::PIPELINE + more, std::move(event)); }

    bool is_due() {
        if (is_new_ || (needs_reset_ && !is_running())) return true;
        return map::WORK_RESET && run().random.chance(1, map::WORK_RESET);
    }

    // Nothing is left of what was.
    void begin_reset() {
        journal_.note("reset");
        if (reset_with_work) reset_with_work->hit(!tbs_.empty());
        counts_.resets++;
        reset_left_ = 1 + run().random.below(4);
        model_.reset();
        tbs_.clear(), events_.clear(), coming_.fill(false), pins_.done.fill({}), pins_.open.fill(true), pins_.launch = false;
        is_new_ = needs_reset_ = false, gate_left_ = drawn(map::WORK_GATE), gap_ = run().random.below(4);
    }

    // A number for the next kernel, if there is one.
    bool free_id(uint32_t *id) const {
        if (needs_reset_ || is_quiet_) return false;
        const uint32_t from = run().random.below(map::KERNELS);
        for (uint32_t i = 0; i < map::KERNELS; i++) {
            *id = (from + i) % map::KERNELS;
            if (!model_.kernel(*id).inside && !coming_[*id]) return true;
        }
        return false;
    }

    void show() {
        Kernel &k = pins_.kernel = {};
        const auto threads = [](uint32_t most) {
            const map::Range range = {map::WORK_THREADS.least / map::WORK_UNIT, most / map::WORK_UNIT};
            return drawn(range) * map::WORK_UNIT;
        };
        k.tbs = drawn(map::WORK_TBS), k.threads = threads(map::WORK_THREADS.most);
        k.last_threads = map::WORK_PARTIAL ? 1 + run().random.below(k.threads) : k.threads;
        k.regs = drawn(map::WORK_REGS), k.smem = drawn(map::WORK_SMEM);
        pins_.launch = true, shown_ = 0;
    }

    Journal journal_;
    Counts counts_;
    Model model_{journal_, counts_};
    Pins pins_;
    std::vector<Running> tbs_;
    std::multimap<uint64_t, std::function<void()>> events_; // and when
    std::array<bool, map::KERNELS> coming_{};                       // launched, and not yet known
    bool is_new_ = true, needs_reset_ = false, is_quiet_ = false;
    uint32_t reset_left_ = 0, gap_ = 0, gate_left_ = 0, shown_ = 0;
};

static Harness &harness() {
    static Harness the;
    return the;
}

// The sheet counts nothing of somebody else's dispatcher.
uint64_t bench::storage_bits() { return 0; }

static void set_bit(svBitVecVal *words, uint32_t bit, bool value) {
    words[bit / 32] = (words[bit / 32] & ~(1u << bit % 32)) | static_cast<uint32_t>(value) << bit % 32;
}
static bool bit(const svBitVecVal *words, uint32_t bit) { return words[bit / 32] >> bit % 32 & 1; }

extern "C" void own_clock(svBit *rst, svBit *launch, svBit *running, uint32_t *kernel, uint32_t *tbs, uint32_t *threads,
                          uint32_t *last_threads, uint32_t *regs, uint32_t *smem, svBitVecVal *open, svBitVecVal *done,
                          svBitVecVal *done_kernel, svBitVecVal *done_tb, svBitVecVal *done_tag, svBitVecVal *done_threads) {
    const Harness::Pins &p = harness().clock();
    *rst = p.rst, *launch = p.launch, *running = !p.rst && harness().is_running();
    *kernel = p.id, *tbs = p.kernel.tbs, *threads = p.kernel.threads, *last_threads = p.kernel.last_threads;
    *regs = p.kernel.regs, *smem = p.kernel.smem;
    for (uint32_t s = 0; s < map::SMXS; s++) {
        const Tb tb = p.done[s].value_or(Tb{});
        set_bit(open, s, p.open[s]), set_bit(done, s, p.done[s].has_value());
        done_kernel[s] = tb.kernel, done_tb[s] = tb.tb, done_tag[s] = tb.tag, done_threads[s] = tb.threads;
    }
}

extern "C" void own_seen(svBit taken, const svBitVecVal *ended, const svBitVecVal *valid, const svBitVecVal *smx, const svBitVecVal *kernel,
                         const svBitVecVal *tb, const svBitVecVal *tag, const svBitVecVal *threads, const svBitVecVal *regs_at,
                         const svBitVecVal *smem_at, svBit finished, uint32_t finished_kernel) {
    Harness::Seen seen{static_cast<bool>(taken), static_cast<bool>(finished), finished_kernel, {}, {}};
    for (uint32_t s = 0; s < map::SMXS; s++) seen.ended[s] = bit(ended, s);
    for (uint32_t l = 0; l < map::LANES; l++)
        if (bit(valid, l)) seen.sent.push_back({kernel[l], tb[l], smx[l], threads[l], tag[l], regs_at[l], smem_at[l]});
    harness().seen(seen);
}

static double percent(uint64_t part, uint64_t whole) { return whole ? 100.0 * static_cast<double>(part) / static_cast<double>(whole) : 0; }

extern "C" void own_report() {
    const Counts &c = harness().counts();
    const auto n = [](uint64_t value) { return static_cast<unsigned long long>(value); };
    const uint64_t clocks = c.sending + c.idle + c.no_room + c.empty;
    std::printf("%s: %llu kernels, %llu TBs sent, %llu ended, %llu running at one of %llu resets\n", map::TOP, n(c.kernels), n(c.sent),
                n(c.ended), n(c.lost_in_reset), n(c.resets));
    std::printf("of %llu clocks: a TB is sent in %.1f %%, could be and is not in %.1f %% (%u in a row at most), has no room in %.1f %%, "
                "none waits in %.1f %%\n", n(clocks), percent(c.sending, clocks), percent(c.idle, clocks), c.longest_idle,
                percent(c.no_room, clocks), percent(c.empty, clocks));
    for (size_t i = 0; i < std::size(map::POLICIES); i++)
        std::printf("%s sends the same TB to the same SMX: %.1f %% of TBs\n", map::POLICIES[i].name, percent(c.agreed[i], c.sent));
}
