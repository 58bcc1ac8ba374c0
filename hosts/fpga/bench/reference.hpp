// The front end without rings and without a host program: it is fed with the same events, goes on cycle by cycle, and writes down what
// entries there must be for its decisions.
#ifndef REFERENCE_HPP
#define REFERENCE_HPP

#include <memory>
#include <new>
#include <stdexcept>
#include <string>

#include "entries.hpp"

namespace bench {

inline void check(const char* what, std::uint32_t status) {
    if (status != 0) throw std::runtime_error(std::string(what) + ": " + gpusched_status_str(status));
}

// A front end in memory of its own.
class Machine {
public:
    explicit Machine(const gpusched_frontend_config& config) {
        gpusched_layout layout{};
        check("configuration", gpusched_frontend_layout(&config, &layout));
        size_ = layout.size;
        memory_.reset(static_cast<std::byte*>(::operator new(size_, std::align_val_t{kAlign})));
        if (layout.align > kAlign) throw std::runtime_error("the front end asks for an odd alignment");
        check("init", gpusched_frontend_init(memory_.get(), size_, &config, &object_));
    }
    gpusched_frontend* c() { return object_; }
    std::size_t size() const { return size_; }
    std::uint64_t now() const {
        std::uint64_t cycle = 0;
        check("now", gpusched_frontend_now(object_, &cycle));
        return cycle;
    }
    bool drained() const {
        std::uint32_t waits_for = 0;
        check("get_status", gpusched_frontend_get_status(object_, &waits_for));
        return waits_for == GPUSCHED_FRONTEND_STATUS_DRAINED;
    }

private:
    static constexpr std::size_t kAlign = 64;
    struct Free {
        void operator()(std::byte* memory) const { ::operator delete(memory, std::align_val_t{kAlign}); }
    };
    std::unique_ptr<std::byte, Free> memory_;
    std::size_t size_ = 0;
    gpusched_frontend* object_ = nullptr;
};

class Reference {
public:
    explicit Reference(const gpusched::Config& config) : gpu_(config), dats_(config.dats != 0) {}

    const std::vector<Words>& log() const { return log_; }
    bool drained() const { return gpu_.drained(); }

    void happen(const Event& e) {
        if (e.refused != 0) return reply(e, e.refused, 0, kNothing);
        if (e.cycle == GPUSCHED_NEVER) return reply(e, GPUSCHED_STATUS_TIME_OVERFLOW, 0, kNothing);
        if (e.cycle < gpu_.now()) return reply(e, GPUSCHED_STATUS_TIME_BACKWARDS, 0, kNothing);
        while (gpu_.now() < e.cycle) {
            ask();
            check("tick", gpusched_frontend_tick(gpu_.c(), nullptr));
            write_down();
        }
        std::uint32_t value = 0;
        gpusched_dgb_error error = kNothing;
        const std::uint32_t status = apply(e, value, error);
        write_down();
        if (status != 0 || e.ack) reply(e, status, value, error);
    }

private:
    static constexpr gpusched_dgb_error kNothing = {};

    std::uint32_t apply(const Event& e, std::uint32_t& value, gpusched_dgb_error& error) {
        gpusched_frontend* const f = gpu_.c();
        std::uint32_t records[64] = {};
        std::uint32_t status = 0;
        switch (e.kind) {
        case kTIME: return 0;
        case kTB_DONE: return gpusched_frontend_tb_done(f, e.smx, e.slot);
        case kHOST_LAUNCH: return gpusched_frontend_host_launch(f, e.a, &e.lanes[0].kernel, e.b, &value);
        case kGRAPH_LAUNCH: return gpusched_frontend_host_launch_graph(f, e.a, &e.lanes[0].kernel, e.b, &e.graph, &value);
        case kDEVICE_LAUNCH: {
            std::vector<gpusched_kernel> kernels;
            for (const auto& lane : e.lanes) kernels.push_back(lane.kernel);
            status = gpusched_frontend_device_launch(f, e.smx, e.slot, kernels.data(), static_cast<std::uint32_t>(kernels.size()), records);
            value = records[0];
            return status;
        }
        case kAGG_LAUNCH:
            status = gpusched_frontend_agg_launch(f, e.smx, e.slot, e.lanes.data(), static_cast<std::uint32_t>(e.lanes.size()), records);
            value = records[0];
            return status;
        case kGRAPH_NODES: return gpusched_frontend_graph_nodes(f, e.a, e.nodes.data(), e.nodes.size(), nullptr, &error);
        case kGRAPH_EDGES: return gpusched_frontend_graph_edges(f, e.a, e.halves.data(), e.halves.size(), nullptr, &error);
        case kGRAPH_SPILLED: return gpusched_frontend_graph_spilled(f, e.a, nullptr, &error);
        case kSPILL_LOADED: return gpusched_frontend_spill_loaded(f, e.a);
        case kUNRETAIN: return gpusched_frontend_unretain(f, e.a);
        case kSUSPEND: return gpusched_frontend_suspend(f, e.a, &value);
        case kRESUME: return gpusched_frontend_resume(f, e.a);
        case kABORT_GRAPH: return gpusched_frontend_abort_graph(f, e.a);
        case kSET_ELIGIBLE: return gpusched_frontend_set_eligible(f, &e.set);
        case kSET_BLOCK_CAP: return gpusched_frontend_set_block_cap(f, e.a, e.b);
        case kSET_CLASS: return gpusched_frontend_set_class(f, e.a, e.pc);
        case kCLEAR_CLASS: return gpusched_frontend_clear_class(f, e.a);
        case kSET_CLASS_CAP: return gpusched_frontend_set_class_cap(f, e.a, e.b, e.c, e.d);
        case kACTIVITY: return gpusched_frontend_activity(f, e.halves.data(), e.halves.size());
        default: throw std::runtime_error("an event of no kind");
        }
    }

    // Before each tick memory is asked.
    void ask() {
        if (!dats_) return;
        gpusched_dgb_request r{};
        while (gpusched_frontend_graph_poll(gpu_.c(), &r, nullptr) == GPUSCHED_STATUS_OK && r.present != 0) {
            Words w = decision_entry(GPUSCHED_FPGA_DECISION_MEMORY, GPUSCHED_FPGA_DECISION_MEMORY_LENGTH, gpu_.now());
            put_wide(w, GPUSCHED_FPGA_DECISION_MEMORY_ADDR_WORD, r.addr);
            w[GPUSCHED_FPGA_DECISION_MEMORY_TAG_WORD] = r.tag;
            const bool spills = r.kind == GPUSCHED_DGB_KIND_DECREMENT;
            w[GPUSCHED_FPGA_DECISION_MEMORY_FIRST_WORD] = spills ? r.node : r.first;
            w[GPUSCHED_FPGA_DECISION_MEMORY_COUNT_WORD] = spills ? 1 : r.count;
            w[GPUSCHED_FPGA_DECISION_MEMORY_REQUEST_WORD] = r.kind;
            log_.push_back(w);
        }
    }

    void write_down() {
        const gpusched_decision* first = nullptr;
        std::size_t count = 0;
        check("take", gpusched_frontend_take(gpu_.c(), &first, &count));
        for (std::size_t i = 0; i < count; i++) {
            const gpusched_decision& d = first[i];
            const bool sample = d.kind == GPUSCHED_DECISION_KIND_SAMPLE;
            Words w = decision_entry(d.kind, sample ? GPUSCHED_FPGA_DECISION_SAMPLE_LENGTH : GPUSCHED_FPGA_DECISION_CORE_LENGTH, d.cycle);
            put_wide(w, GPUSCHED_FPGA_DECISION_CORE_TAG_WORD, d.tag);
            w[6] = d.blkid;
            w[7] = d.group;
            w[8] = static_cast<std::uint32_t>(d.smx | d.slot << 16) | static_cast<std::uint32_t>(d.kde) << 24;
            w[9] = static_cast<std::uint32_t>(d.unit | d.queue << 8 | d.detail << 16);
            if (sample) {
                gpusched_bubble_record record{};
                check("bubble_record", gpusched_frontend_bubble_record(gpu_.c(), &record));
                for (unsigned k = 0; k < 4; k++) {
                    put_wide(w, GPUSCHED_FPGA_DECISION_SAMPLE_ELIGIBLE_WORD + 2 * k, record.eligible.words[k]);
                    put_wide(w, GPUSCHED_FPGA_DECISION_SAMPLE_DOWN_WORD + 2 * k, record.down.words[k]);
                }
                w[26] = record.resume | record.gpu_start << 8;
                w[27] = record.resume_smx;
            }
            log_.push_back(w);
        }
    }

    void reply(const Event& e, std::uint32_t status, std::uint32_t value, const gpusched_dgb_error& error) {
        Words w = decision_entry(GPUSCHED_FPGA_DECISION_REPLY, GPUSCHED_FPGA_DECISION_REPLY_LENGTH, gpu_.now());
        w[GPUSCHED_FPGA_DECISION_REPLY_EVENT_WORD] = e.number;
        w[GPUSCHED_FPGA_DECISION_REPLY_ENTRIES_WORD] = e.entries;
        w[GPUSCHED_FPGA_DECISION_REPLY_STATUS_WORD] = status;
        w[GPUSCHED_FPGA_DECISION_REPLY_VALUE_WORD] = value;
        w[GPUSCHED_FPGA_DECISION_REPLY_NODE_WORD] = error.node;
        w[GPUSCHED_FPGA_DECISION_REPLY_EDGE_WORD] = error.edge;
        w[GPUSCHED_FPGA_DECISION_REPLY_WHAT_WORD] = error.what != 0 ? error.what : error.kind;
        log_.push_back(w);
    }

    Machine gpu_;
    bool dats_;
    std::vector<Words> log_;
};

}  // namespace bench

#endif
