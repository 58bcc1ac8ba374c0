// The text of a decision log (hosts/gpgpu-sim/docs/log.md).

#pragma once

#include <algorithm>
#include <cctype>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace probe {

// The log grows here, and is summed up in the end.
class Log {
public:
    void header(const std::string &name, const std::string &value) { text_ += "! " + name + " " + value + "\n"; }
    void header(const std::string &name, std::uint64_t value) { header(name, std::to_string(value)); }
    void line(const std::string &line) { text_ += line + "\n"; }
    void event(std::uint64_t at, const std::string &rest) {
        text_ += std::to_string(at) + " " + rest + "\n";
        events_++;
    }
    const std::string &finish() {
        std::uint64_t sum = 0xcbf29ce484222325;  // FNV-1a 64
        for (const char letter : text_) sum = (sum ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
        char hex[17];
        std::snprintf(hex, sizeof hex, "%016" PRIx64, sum);
        header("end", std::to_string(events_) + " " + hex);
        return text_;
    }

private:
    std::string text_ = "gpusched-log 2\n";
    std::uint64_t events_ = 0;
};

// A name as the log has it.
inline std::string plain(std::string name) {
    for (char &letter : name)
        if (std::strchr("_.:,()<>+-", letter) == nullptr && !std::isalnum(static_cast<unsigned char>(letter))) letter = '_';
    return name;
}

// Events of one time stand in this order: who ends makes room, who has come can be sent.
enum Rank { Ended, Done, Launched, Sent };

struct Event {
    std::uint64_t at;
    Rank rank;
    std::uint64_t uid, tb;
    unsigned smx, in_cluster;
    std::uint64_t cycles;  // of its SM's clock, that it took
    bool operator<(const Event &other) const {
        return std::tie(at, rank, uid, tb) < std::tie(other.at, other.rank, other.uid, other.tb);
    }
};

// What a log tells of a kernel.
struct Told {
    std::string keys;
    std::uint64_t cluster;  // blocks
};

// All events, in order; kernels are numbered from 1.
inline void tell(Log &log, const std::vector<Event> &events, const std::vector<Told> &kernels, std::size_t smxs) {
    // A block names no slot: it gets the lowest that is free.
    std::vector<std::vector<bool>> taken(smxs);
    std::map<std::pair<std::uint64_t, std::uint64_t>, std::size_t> slots;
    for (const Event &event : events) {
        const std::uint64_t at = event.at - events.front().at, cluster = kernels[event.uid - 1].cluster;
        const std::string uid = std::to_string(event.uid);
        if (event.rank == Launched) {
            log.event(at, "kernel " + uid + " - - - " + kernels[event.uid - 1].keys);
            continue;
        }
        if (event.rank == Done) {
            log.event(at, "done " + uid + " - - -");
            continue;
        }
        std::vector<bool> &here = taken[event.smx];
        std::size_t &slot = slots[{event.uid, event.tb}];
        if (event.rank == Sent) {
            slot = static_cast<std::size_t>(std::find(here.begin(), here.end(), false) - here.begin());
            if (slot == here.size()) here.push_back(false);
        }
        here[slot] = event.rank == Sent;
        const std::string place =
            uid + " " + std::to_string(event.tb) + " " + std::to_string(event.smx) + " " + std::to_string(slot);
        if (event.rank == Ended) {
            log.event(at, "end " + place + " cycles=" + std::to_string(event.cycles));
            continue;
        }
        const std::string number = std::to_string(event.tb / cluster), rank = std::to_string(event.in_cluster);
        log.event(at, "tb " + place + (cluster > 1 ? " cluster=" + number + " rank=" + rank : ""));
        log.event(at, "start " + place);
    }
}

}  // namespace probe
