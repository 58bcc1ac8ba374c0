// Events that the host program must refuse: each way to be wrong in form or time, one after the other.
#ifndef WRONG_EVENTS_HPP
#define WRONG_EVENTS_HPP

#include "entries.hpp"

namespace bench {

inline Event wrong_event(std::uint32_t n, std::uint64_t now) {
    Event e;
    e.cycle = now;
    const auto raw = [&](std::uint32_t status, std::vector<Words> entries) {
        e.refused = status;
        e.raw = std::move(entries);
        return e;
    };
    const auto entry = [&](std::uint32_t kind, std::uint32_t words, bool more = false) {
        return event_entry(kind, words, now, false, more);
    };
    // The same with a count of elements.
    const auto counted = [&](std::uint32_t kind, std::uint32_t words, bool more, std::uint32_t count) {
        Words w = entry(kind, words, more);
        w[5] = count;
        return w;
    };
    switch (n % 12) {
    case 0: return raw(GPUSCHED_FPGA_STATUS_BAD_KIND, {entry(200, 5)});
    case 1: return raw(GPUSCHED_FPGA_STATUS_BAD_KIND, {event_entry(0, 4, now, true, false)});
    case 2: return raw(GPUSCHED_FPGA_STATUS_BAD_WORDS, {entry(kTB_DONE, 6)});
    case 3: return raw(GPUSCHED_FPGA_STATUS_BAD_WORDS, {entry(kTIME, 0)});
    case 4: return raw(GPUSCHED_FPGA_STATUS_BAD_PARTS, {entry(kTIME, 4, true), entry(kTIME, 4)});
    // Entries that differ in kind are refused as one event, up to the first without MORE.
    case 5:
        return raw(GPUSCHED_FPGA_STATUS_BAD_PARTS,
                   {counted(kGRAPH_NODES, 8, true, 1), entry(kAGG_LAUNCH, 19, true), entry(kTB_DONE, 5)});
    // Entries that differ in what they are about.
    case 6: {
        Words second = counted(kGRAPH_EDGES, 7, false, 1);
        second[4] = 1;
        return raw(GPUSCHED_FPGA_STATUS_BAD_PARTS, {counted(kGRAPH_EDGES, 7, true, 1), second});
    }
    case 7: return raw(GPUSCHED_FPGA_STATUS_BAD_WORDS, {counted(kGRAPH_NODES, 8, false, 40)});
    // More lanes than a warp can have.
    case 8: {
        std::vector<Words> lanes(65, entry(kDEVICE_LAUNCH, 19, true));
        lanes.back() = entry(kDEVICE_LAUNCH, 19);
        return raw(GPUSCHED_FPGA_STATUS_BAD_PARTS, std::move(lanes));
    }
    case 9: return raw(GPUSCHED_FPGA_STATUS_AHEAD, {event_entry(kTIME, 4, now + (std::uint64_t{1} << 40), false, false)});
    // Right in their form: the reference says what becomes of them.
    case 10: e.cycle = now > 40 ? now - 40 : GPUSCHED_NEVER; return e;
    default:
        e.kind = kTB_DONE;
        e.smx = 999;
        return e;
    }
}

}  // namespace bench

#endif
