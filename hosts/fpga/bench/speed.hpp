// What an event costs the host program by itself: the map is an array here, and a GPU without SMX time ends each TB in the cycle after
// its dispatch.
#ifndef SPEED_HPP
#define SPEED_HPP

#include <chrono>
#include <cstdio>

#include "../host.h"
#include "reference.hpp"

namespace bench {

class Array {
public:
    static constexpr std::uint32_t kEvents = 32, kDecisions = 32;

    explicit Array(const gpusched::Config& config) {
        set(GPUSCHED_FPGA_ID, GPUSCHED_FPGA_ID_VALUE_RESET);
        set(GPUSCHED_FPGA_VERSION, GPUSCHED_FPGA_VERSION_MAJOR_RESET << 16);
        set(GPUSCHED_FPGA_CAPACITY, GPUSCHED_FPGA_ENTRY_WORDS << 16 | kDecisions << 8 | kEvents);
        set(GPUSCHED_FPGA_GEOMETRY, config.tb_slots << 16 | config.n_smx);
    }
    gpusched_fpga_bus bus() { return {read, write, this}; }
    std::uint64_t reads() const { return reads_; }
    std::uint64_t writes() const { return writes_; }
    std::uint64_t dispatched() const { return dispatched_; }

    // Obeys, and posts what follows from that; a kernel when the last has ended. False when there are no kernels left.
    bool live() {
        for (; head_ != get(GPUSCHED_FPGA_DECISION_TAIL); head_++) {
            const std::uint32_t at = GPUSCHED_FPGA_DECISIONS / 4 + head_ % kDecisions * 32;
            const std::uint32_t kind = GPUSCHED_FPGA_GET(words_[at + 1], DECISION_KIND);
            if (kind == GPUSCHED_DECISION_KIND_TB) {
                Words w = event_entry(kTB_DONE, 5, cycle_, false, false);
                w[4] = words_[at + 8] & 0xffff;
                w[4] |= (words_[at + 8] >> 16 & 0xff) << 16;
                ended_.push_back(w);
                dispatched_++;
            }
            running_ -= kind == GPUSCHED_DECISION_KIND_KERNEL_DONE;
        }
        set(GPUSCHED_FPGA_DECISION_HEAD, head_);
        cycle_ += 16;
        set(GPUSCHED_FPGA_CYCLE_LO, static_cast<std::uint32_t>(cycle_));
        set(GPUSCHED_FPGA_CYCLE_HI, static_cast<std::uint32_t>(cycle_ >> 32));
        if (running_ == 0 && kernels_ != 0) {
            kernels_--;
            running_++;
            Words w = event_entry(kHOST_LAUNCH, 19, cycle_, false, false);
            put_kernel(w, 6, gpusched::kernel(1, gpusched::dim3(10000), gpusched::dim3(128), kernels_));
            post(w);
        }
        for (const Words& w : ended_) {
            Words now = w;
            put_wide(now, GPUSCHED_FPGA_EVENT_CYCLE_WORD, cycle_);
            post(now);
        }
        const bool time = ended_.empty();
        ended_.clear();
        if (time) post(event_entry(kTIME, 4, cycle_, false, false));
        return running_ != 0;
    }

private:
    std::uint32_t get(std::uint32_t offset) const { return words_[offset / 4]; }
    void set(std::uint32_t offset, std::uint32_t value) { words_[offset / 4] = value; }
    void post(Words w) {
        const std::uint32_t tail = get(GPUSCHED_FPGA_EVENT_TAIL);
        w[0] = tail;
        const std::uint32_t at = GPUSCHED_FPGA_EVENTS / 4 + tail % kEvents * 32;
        for (std::uint32_t i = 0; i < GPUSCHED_FPGA_GET(w[1], EVENT_WORDS); i++) words_[at + i] = w[i];
        set(GPUSCHED_FPGA_EVENT_TAIL, tail + 1);
    }
    static std::uint32_t read(void* array, std::uint32_t offset) {
        auto& a = *static_cast<Array*>(array);
        a.reads_++;
        return a.get(offset);
    }
    static void write(void* array, std::uint32_t offset, std::uint32_t value) {
        auto& a = *static_cast<Array*>(array);
        a.writes_++;
        a.set(offset, value);
    }

    std::array<std::uint32_t, GPUSCHED_FPGA_SPAN / 4> words_{};
    std::vector<Words> ended_;
    std::uint64_t cycle_ = 0, reads_ = 0, writes_ = 0, dispatched_ = 0;
    std::uint32_t head_ = 0, running_ = 0, kernels_ = 100;
};

inline int speed() {
    auto config = gpusched::Config(gpusched::Gpu::K20c).ideal();
    Machine machine(config);
    Array array(config);
    gpusched_fpga_host host;
    const gpusched_fpga_bus bus = array.bus();
    std::uint32_t status = gpusched_fpga_start(&host, &bus, machine.c(), 0);
    const auto begin = std::chrono::steady_clock::now();
    while (status == 0 && array.live()) status = gpusched_fpga_service(&host);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const double events = static_cast<double>(host.counts.events);
    if (status != 0 || array.dispatched() != 1000000 || host.counts.refused != 0) {
        std::printf("the host stops: %s, after %llu TBs\n", gpusched_fpga_status_str(status),
                    static_cast<unsigned long long>(array.dispatched()));
        return 1;
    }
    std::printf("  %.2f million events a second; per event %.2f decisions, %.2f reads and %.2f writes of registers\n",
                events / seconds / 1e6, static_cast<double>(host.counts.posted) / events, static_cast<double>(array.reads()) / events,
                static_cast<double>(array.writes()) / events);
    std::printf("  state: %zu bytes of the host program, %zu of the K20c's front end\n", sizeof host, machine.size());
    return 0;
}

}  // namespace bench

#endif
