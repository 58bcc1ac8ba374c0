// The operations that are timed, each in a steady state that can be repeated for ever: those of tests/src/operation.rs,
// tests/src/laperm/steady.rs and tests/src/dats/steady.rs, call for call. They are templates, so that the machines written by hand and
// gpusched's are driven by the same lines.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <deque>
#include <stdexcept>
#include <vector>

#include "adaptive_bind.hpp"
#include "frontend.hpp"
#include "graph_buffer.hpp"
#include "serve.hpp"

namespace comparator {

// Nothing else than the operation is ever measured.
inline void require(bool holds, const char* what) {
    if (!holds) throw std::logic_error(what);
}

// Where a TB runs.
struct Place {
    uint32_t smx, slot;
};

// A K20c of so many SMXs without launch latencies, and with room for what is pending.
inline FrontEndConfig ideal(uint32_t smxs, uint32_t pending) {
    FrontEndConfig config;
    config.n_smx = smxs;
    while (config.pend_limit <= pending) config.pend_limit *= 2;
    config.lat_stream = config.gpb_b = config.gpb_a = config.ld_b = config.ld_a = config.lat_dispatch = 0;
    config.kde_scan = config.agt_probe = 0;
    config.kmu_interval = 1;
    return config;
}

// The kernel whose first TB launches all others, with so many TBs, and what it launches.
inline Kernel parent(uint32_t tbs) { return {0x400, {tbs, 1, 1}, {64, 1, 1}, 0, 0, 1}; }
inline Kernel child() { return {0x400, {1, 1, 1}, {64, 1, 1}, 0, 0, 2}; }

// A TB ends and another one takes its place, on a GPU whose slots are all taken, while what was launched never matures. `Gpu` is a front
// end: see ByHand in comparator.cpp.
template <class Gpu>
class Dispatch : public Steady {
public:
    Dispatch(uint32_t smxs, uint32_t pending) : gpu(never(ideal(smxs, pending))) {
        gpu.host_launch(parent(0x7fffffff));
        Place place;
        require(gpu.tick(place), "an empty machine sends a TB");
        typename Gpu::Groups group = Gpu::group(child());
        typename Gpu::Kernels kernel = Gpu::kernel(child());
        for (uint32_t i = 0; i < pending; i++) {
            if (i % 2 == 0) {
                gpu.agg_launch(group);
            } else {
                gpu.device_launch(kernel);
            }
        }
        while (gpu.tick(place)) running.push_back(place);
        require(running.size() + 1 == size_t(smxs) * 16, "every slot is taken");
        require(gpu.records_in_use() == pending, "all of it waits");
    }

    void steps(uint64_t times) override {
        for (uint64_t i = 0; i < times; i++) {
            turn = turn + 1 < running.size() ? turn + 1 : 0;
            gpu.tb_done(running[turn]);
            require(gpu.tick(running[turn]), "a TB takes the place");
        }
    }

private:
    static FrontEndConfig never(FrontEndConfig config) {
        config.lat_stream = config.gpb_b = UINT32_MAX;
        return config;
    }

protected:
    Gpu gpu;

private:
    std::vector<Place> running;
    size_t turn = 0;
};

// On the same GPU a cycle in which no TB ends.
template <class Gpu>
class Idle : public Dispatch<Gpu> {
public:
    using Dispatch<Gpu>::Dispatch;

    void steps(uint64_t times) override {
        for (uint64_t i = 0; i < times; i++) {
            Place place;
            require(!this->gpu.tick(place), "every slot is taken");
        }
    }
};

// A group is launched, one joins its kernel, its TB is sent and ends.
template <class Gpu>
class Dtbl : public Steady {
public:
    Dtbl(uint32_t smxs, uint32_t pending) : gpu(late(ideal(smxs, pending), pending)), group(Gpu::group(child())) {
        gpu.host_launch(parent(1));
        Place place;
        require(gpu.tick(place), "an empty machine sends a TB");
        for (uint32_t i = 0; i < pending; i++) {
            gpu.agg_launch(group);
            gpu.tick(place);
        }
        require(gpu.records_in_use() == pending, "all of it waits");
    }

    void steps(uint64_t times) override {
        for (uint64_t i = 0; i < times; i++) {
            gpu.agg_launch(group);
            Place place;
            require(gpu.tick(place), "a launch of `pending` cycles ago sends its TB");
            gpu.tb_done(place);
        }
    }

private:
    static FrontEndConfig late(FrontEndConfig config, uint32_t cycles) {
        config.gpb_b = cycles;
        return config;
    }

    Gpu gpu;
    typename Gpu::Groups group;
};

// Under Adaptive-Bind: a group of one TB is pushed, one is sent and leaves its queue, a TB ends. `LaPerm` is a machine.
template <class LaPerm>
class Bind : public Steady {
public:
    Bind(uint32_t smxs, uint32_t pending) : n(smxs), machine(of(smxs, pending)) {
        for (uint32_t smx = 0; smx < n; smx++) machine.push(now, smx);
        for (uint32_t i = 0; i < pending; i++) machine.push(now, i % n);
        for (uint32_t i = 0; i < 2 * n; i++) machine.push(now, send());
        steps(1000);
    }

    void steps(uint64_t times) override {
        for (uint64_t i = 0; i < times; i++) {
            machine.push(now, uint32_t(now % n));
            send();
            machine.tb_done(now, running.front());
            running.pop_front();
        }
    }

private:
    static BindConfig of(uint32_t smxs, uint32_t pending) {
        BindConfig config;
        config.smxs = smxs;
        config.pool_cap = std::max(config.pool_cap, pending);
        return config;
    }

    // The SMX.
    uint32_t send() {
        uint32_t smx;
        require(machine.tick(++now, smx), "there is room and work");
        running.push_back(smx);
        return smx;
    }

    uint32_t n;
    uint64_t now = 0;
    LaPerm machine;
    std::deque<uint32_t> running;
};

// A TB of a wavefront ends, memory is asked and answers, and the slot is filled again. As many run at a time as there are SMXs. `Buffer` is
// a machine.
template <class Buffer>
class Lrr : public Steady {
public:
    Lrr(uint32_t smxs, uint32_t nodes) : buffer(of(smxs)), slots(smxs) {
        build(uint32_t(std::lround(std::sqrt(nodes))));
        launch();
        steps(1000);
    }

    void steps(uint64_t times) override {
        for (uint64_t i = 0; i < times; i++) {
            uint32_t node = running.front();
            running.pop_front();
            if (buffer.complete(node)) {
                launch();
            } else {
                fill();
            }
        }
    }

private:
    static GraphConfig of(uint32_t smxs) {
        GraphConfig config;
        config.smxs = smxs;
        config.lna = 512;
        config.lea = 2048;
        return config;
    }

    // Each TB of a square needs those to its west and north. Nodes are numbered diagonal by diagonal, in each by rows.
    void build(uint32_t side) {
        std::vector<uint32_t> number(size_t(side) * side), cell(number.size());
        uint32_t next = 0;
        for (uint32_t d = 0; d < 2 * side - 1; d++)
            for (uint32_t y = d < side ? 0 : d - side + 1; y <= std::min(d, side - 1); y++) number[y * side + d - y] = next++;
        for (uint32_t i = 0; i < number.size(); i++) cell[number[i]] = i;
        for (uint32_t vid = 0; vid < number.size(); vid++) {
            uint32_t x = cell[vid] % side, y = cell[vid] / side;
            std::vector<uint16_t> children;
            if (x + 1 < side) children.push_back(uint16_t(number[y * side + x + 1]));
            if (y + 1 < side) children.push_back(uint16_t(number[(y + 1) * side + x]));
            std::sort(children.begin(), children.end());
            nodes.push_back(Buffer::node({uint32_t(edges.size()), children.empty(), uint16_t((x > 0) + (y > 0)), uint16_t(x + y)}));
            edges.insert(edges.end(), children.begin(), children.end());
        }
    }

    void launch() {
        buffer.launch(uint32_t(nodes.size()), uint32_t(edges.size()));
        fill();
    }

    void fill() {
        while (buffer.answer(nodes.data(), edges.data())) {
        }
        uint32_t node;
        while (running.size() < slots && buffer.select(node)) running.push_back(node);
        require(!running.empty(), "a TB runs");
    }

    Buffer buffer;
    size_t slots;
    std::vector<typename Buffer::Entry> nodes;
    std::vector<uint16_t> edges;
    std::deque<uint32_t> running;
};

}  // namespace comparator
