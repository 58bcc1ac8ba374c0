// A board: the logic of rtl/, as Verilator has made it, clocked; on one side of it the host program's bus, on the other the GPU of the
// bench. Both can be made to misbehave in every way that the protocol is meant to stand. The host program runs between the clocks of
// its own accesses, so all that it does takes time.
#ifndef BOARD_HPP
#define BOARD_HPP

#include "Vgpusched_fpga.h"
#include "../host.h"
#include "gpu.hpp"
#include "reference.hpp"

namespace bench {

// What may go wrong: once in so many times, 0 for never.
struct Faults {
    std::uint32_t lost_interrupt = 0, idle_service = 0, lost_doorbell = 0, repeated_doorbell = 0;
    std::uint32_t repeated_entry = 0, stale_entry = 0, repeated_write = 0, stale_index = 0;
    std::uint32_t slow_bus = 0, slow_host = 0, slow_gpu = 0, slow_post = 0;
    // Clocks after which the host looks without an interrupt; 0: it relies on interrupts alone.
    std::uint32_t timeout = 0;
};

// How often it did. Each must have happened in the runs together.
struct Coverage {
    std::uint64_t lost_interrupts, idle_services, lost_doorbells, repeated_doorbells, repeated_entries, stale_entries, repeated_writes,
        stale_indices, delayed_accesses, event_ring_full, decision_ring_full, in_parts, index_wrapped;
};

class Board {
public:
    // As `run` builds the logic.
    static constexpr std::uint32_t kSmxs = BENCH_SMXS, kSlots = BENCH_SLOTS;

    explicit Board(std::uint64_t seed) : random_(seed) { reset(); }
    void reset() {
        logic_.reset = 1;
        for (int i = 0; i < 4; i++) clock();
        logic_.reset = 0;
    }
    ~Board() { logic_.final(); }
    Board(const Board&) = delete;

    gpusched_fpga_bus bus() { return {read_register, write_register, this}; }
    std::uint64_t clocks() const { return clocks_; }
    Vgpusched_fpga& logic() { return logic_; }
    const Coverage& coverage() const { return coverage_; }
    // The first thing that went wrong, or nothing. Not thrown, since the host program is C.
    const std::string& failure() const { return failure_; }
    void fail(const std::string& what) {
        if (failure_.empty()) failure_ = what;
    }

    // Runs a load: posts its events, obeys. Exact: the GPU's cycle ends only when the host has carried it out; else it goes on.
    void attach(Gpu* gpu, const Faults& faults, bool exact, std::uint32_t origin) {
        gpu_ = gpu;
        faults_ = faults;
        exact_ = exact;
        number_ = obeyed_ = origin;
        cycle_ = stamped_ = 0;
        posted_entries_ = 0;
        begun_ = false;
        events_.clear();
        log_.clear();
        history_.clear();
    }
    const std::vector<Event>& events() const { return events_; }
    const std::vector<Words>& log() const { return log_; }
    // Entries that were posted, repeated ones and all.
    std::uint64_t posted_entries() const { return posted_entries_; }
    std::uint64_t cycle() const { return cycle_; }
    bool quiet() const { return line_.empty() && obeying_ == 0; }

    // One cycle of the logic's clock.
    void clock() {
        const bool enabled = logic_.enabled;
        if (gpu_ != nullptr && enabled && failure_.empty()) live();
        const bool has_word = !line_.empty() && gap_ == 0;
        if (gap_ != 0) gap_--;
        logic_.event_valid = has_word;
        logic_.event_data = has_word && line_at_ < GPUSCHED_FPGA_ENTRY_WORDS ? line_.front().words[line_at_] : 0;
        logic_.event_last = has_word && line_at_ + 1 == line_.front().count;
        logic_.decision_ready = stall_ == 0;
        if (stall_ != 0) stall_--;
        logic_.cycle = cycle_;
        logic_.clk = 0;
        logic_.eval();
        const bool posts = logic_.event_valid && logic_.event_ready, obeys = logic_.decision_valid && logic_.decision_ready;
        const std::uint32_t word = logic_.decision_data;
        const bool last = logic_.decision_last;
        coverage_.event_ring_full += enabled && logic_.event_valid && !logic_.event_ready;
        ar_ = logic_.s_axi_arvalid && logic_.s_axi_arready;
        r_ = logic_.s_axi_rvalid && logic_.s_axi_rready;
        aw_ = logic_.s_axi_awvalid && logic_.s_axi_awready;
        w_ = logic_.s_axi_wvalid && logic_.s_axi_wready;
        b_ = logic_.s_axi_bvalid && logic_.s_axi_bready;
        data_ = logic_.s_axi_rdata;
        response_ = r_ ? logic_.s_axi_rresp : logic_.s_axi_bresp;
        logic_.clk = 1;
        logic_.eval();
        clocks_++;
        if (posts) post_word();
        if (obeys) obey_word(word, last);
    }

    // Single accesses, as the host makes them. `response`: 0 if it was good.
    std::uint32_t read(std::uint32_t offset) {
        wait();
        logic_.s_axi_araddr = offset & 0x3fff;
        logic_.s_axi_arvalid = 1;
        until(ar_, "a read is not taken");
        logic_.s_axi_arvalid = 0;
        wait();
        logic_.s_axi_rready = 1;
        until(r_, "a read is not answered");
        logic_.s_axi_rready = 0;
        return data_;
    }
    void write(std::uint32_t offset, std::uint32_t value, std::uint32_t strobes = 15) {
        wait();
        logic_.s_axi_awaddr = offset & 0x3fff;
        logic_.s_axi_wdata = value;
        logic_.s_axi_wstrb = strobes;
        const bool address_first = random_.once_in(2), data_first = !address_first && random_.once_in(2);
        logic_.s_axi_awvalid = !data_first;
        logic_.s_axi_wvalid = !address_first;
        clock();
        bool address = aw_, data = w_;
        logic_.s_axi_awvalid = !address;
        logic_.s_axi_wvalid = !data;
        for (int i = 0; !(address && data); i++) {
            if (i == 1000) return fail("a write is not taken");
            clock();
            if (aw_) address = true, logic_.s_axi_awvalid = 0;
            if (w_) data = true, logic_.s_axi_wvalid = 0;
        }
        logic_.s_axi_bready = 1;
        until(b_, "a write is not answered");
        logic_.s_axi_bready = 0;
    }
    std::uint32_t response() const { return response_; }

    // Waits for the interrupt, as long as the host waits for one. False if it never came.
    bool wait_for_interrupt() {
        const bool lost = random_.once_in(faults_.lost_interrupt);
        if (random_.once_in(faults_.idle_service)) {
            coverage_.idle_services++;
            return true;
        }
        if (random_.once_in(faults_.slow_host))
            for (std::uint32_t i = random_.below(20000); i > 0; i--) clock();
        for (std::uint32_t waited = 0; lost || !logic_.irq; waited++) {
            if (faults_.timeout != 0 && waited >= faults_.timeout) {
                // Somebody has seen to it, and forgot to wake the host.
                if (lost && logic_.irq) {
                    coverage_.lost_interrupts++;
                    write(GPUSCHED_FPGA_IRQ, GPUSCHED_FPGA_PUT(1u, IRQ_EVENT) | GPUSCHED_FPGA_PUT(1u, IRQ_ROOM));
                }
                return true;
            }
            if (waited > 100000) return false;
            clock();
            if (!failure_.empty()) return false;
        }
        return true;
    }

    // The GPU's cycle, where there is no GPU.
    void set_cycle(std::uint64_t cycle) { cycle_ = cycle; }
    // Posts an entry as it is; for tests that post wrong ones.
    void post(const Words& words, std::uint32_t count) { line_.push_back({words, count}); }

private:
    struct Entry {
        Words words;
        std::uint32_t count;
    };

    // The GPU's side of a clock.
    void live() {
        try {
            if (!begun_) {
                begun_ = true;
                gpu_->begin(cycle_);
            } else if (!exact_) {
                gpu_->begin(++cycle_);
            } else if (line_.empty() && gpu_->finished()) {
                return;
            } else if (line_.empty() && obeying_ == 0 && logic_.host_cycle > cycle_ && logic_.decisions_taken && stamped_ > cycle_) {
                gpu_->begin(++cycle_);
            }
            if (!line_.empty()) return;
            if (!gpu_->out().empty()) {
                Event e = std::move(gpu_->out().front());
                gpu_->out().pop_front();
                queue(std::move(e));
            } else if (exact_ ? stamped_ <= cycle_ : cycle_ >= stamped_ + 64) {
                Event time;
                time.cycle = exact_ ? cycle_ + 1 : cycle_;
                stamped_ = time.cycle;
                queue(std::move(time));
            }
        } catch (const std::exception& e) {
            fail(e.what());
        }
    }

    // An event takes its numbers and gets in line; some of its entries, or those before them, more than once.
    void queue(Event e) {
        std::vector<Words> entries = pack(e);
        e.number = number_;
        e.entries = static_cast<std::uint32_t>(entries.size());
        coverage_.in_parts += entries.size() > 1;
        for (Words& w : entries) {
            w[0] = number_++;
            coverage_.index_wrapped += number_ == 0;
            const std::uint32_t said = GPUSCHED_FPGA_GET(w[1], EVENT_WORDS);
            line_.push_back({w, said < 4 ? 4 : said > 32 ? 32 : said});
            history_.push_back(line_.back());
            if (history_.size() > 40) history_.pop_front();
            if (random_.once_in(faults_.repeated_entry)) {
                coverage_.repeated_entries++;
                line_.push_back(line_.back());
            }
            if (random_.once_in(faults_.stale_entry)) {
                coverage_.stale_entries++;
                line_.push_back(history_[random_.below(static_cast<std::uint32_t>(history_.size()))]);
            }
        }
        gpu_->posted(e);
        events_.push_back(std::move(e));
    }

    void post_word() {
        if (random_.once_in(faults_.slow_post)) gap_ = random_.below(300);
        if (++line_at_ < line_.front().count) return;
        line_at_ = 0;
        line_.pop_front();
        posted_entries_++;
    }

    void obey_word(std::uint32_t word, bool last) {
        if (obeying_ < GPUSCHED_FPGA_ENTRY_WORDS) entry_[obeying_] = word;
        obeying_++;
        if (!last) {
            if (random_.once_in(faults_.slow_gpu)) stall_ = 1 + random_.below(3);
            return;
        }
        if (obeying_ > GPUSCHED_FPGA_ENTRY_WORDS) fail("a decision is too long");
        for (std::size_t i = obeying_; i < entry_.size(); i++) entry_[i] = 0;
        obeying_ = 0;
        if (random_.once_in(faults_.slow_gpu)) stall_ = random_.below(4000);
        if (entry_[0] != obeyed_++) fail("a decision has not the number that comes next");
        entry_[0] = 0;
        log_.push_back(entry_);
        if (gpu_ == nullptr || !failure_.empty()) return;
        try {
            gpu_->obey(entry_);
        } catch (const std::exception& e) {
            fail(e.what());
        }
    }

    void wait() {
        if (!random_.once_in(faults_.slow_bus)) return;
        coverage_.delayed_accesses++;
        for (std::uint32_t i = 1 + random_.below(60); i > 0; i--) clock();
    }

    void until(const bool& happened, const char* what) {
        for (int i = 0; i < 1000; i++) {
            clock();
            if (happened) return;
        }
        fail(what);
    }

    static std::uint32_t read_register(void* board, std::uint32_t offset) {
        auto& b = *static_cast<Board*>(board);
        const std::uint32_t value = b.read(offset);
        if (b.response_ != 0) b.fail("the host reads where nothing is");
        return value;
    }

    // The host's write, on a bus that may lose doorbells, and do a write a second time, at once or late.
    static void write_register(void* board, std::uint32_t offset, std::uint32_t value) {
        auto& b = *static_cast<Board*>(board);
        const bool index = offset == GPUSCHED_FPGA_EVENT_HEAD || offset == GPUSCHED_FPGA_DECISION_TAIL;
        if (offset == GPUSCHED_FPGA_DOORBELL && b.random_.once_in(b.faults_.lost_doorbell)) {
            b.coverage_.lost_doorbells++;
            return;
        }
        b.write(offset, value);
        if (b.response_ != 0) b.fail("the host writes where nothing is");
        if (offset == GPUSCHED_FPGA_DOORBELL && b.random_.once_in(b.faults_.repeated_doorbell)) {
            b.coverage_.repeated_doorbells++;
            b.write(offset, value);
        }
        const bool entry = offset >= GPUSCHED_FPGA_DECISIONS && offset < GPUSCHED_FPGA_DECISIONS + GPUSCHED_FPGA_DECISIONS_BYTES;
        if ((index || entry) && b.random_.once_in(b.faults_.repeated_write)) {
            b.coverage_.repeated_writes++;
            b.write(offset, value);
        }
        if (!index) return;
        std::uint32_t& before = offset == GPUSCHED_FPGA_EVENT_HEAD ? b.old_head_ : b.old_tail_;
        if (b.random_.once_in(b.faults_.stale_index) && value - before < 32) {
            b.coverage_.stale_indices++;
            b.write(offset, before);
        }
        before = value;
    }

    Vgpusched_fpga logic_;
    Random random_;
    Faults faults_{};
    Coverage coverage_{};
    Gpu* gpu_ = nullptr;
    bool exact_ = false, begun_ = false;
    std::string failure_;
    std::uint64_t clocks_ = 0, cycle_ = 0, stamped_ = 0, posted_entries_ = 0;
    std::uint32_t number_ = 0, obeyed_ = 0, old_head_ = 0, old_tail_ = 0, stall_ = 0, gap_ = 0;
    bool ar_ = false, r_ = false, aw_ = false, w_ = false, b_ = false;
    std::uint32_t data_ = 0, response_ = 0;
    std::deque<Entry> line_, history_;
    std::uint32_t line_at_ = 0;
    Words entry_{};
    std::size_t obeying_ = 0;
    std::vector<Event> events_;
    std::vector<Words> log_;
};

}  // namespace bench

#endif
