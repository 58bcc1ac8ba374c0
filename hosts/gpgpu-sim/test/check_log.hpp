// Reads a decision log as docs/log.md describes it, and says what is wrong with it.
#ifndef CHECK_LOG_HPP
#define CHECK_LOG_HPP

#include <fstream>
#include <iomanip>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

namespace test {

struct LogRead {
    std::string wrong;
    // Lines of decisions of the front end.
    std::vector<std::string> decisions;
    std::map<std::string, std::uint64_t> kinds;
};

inline LogRead read_log(const std::string& name, bool stock) {
    static const std::set<std::string> reports{"kernel", "launch", "start", "end", "refuse", "done"}, states{"divert", "admit", "pstate"};
    static const std::set<std::string> decisions{"tb",         "bypass",      "issue",    "arrive", "join",    "fall", "load",   "unmark", "rotate",     "group_done",
                                                 "kernel_done", "hwq_free", "stalled", "saved",  "suspend", "place", "lap", "refill", "sample", "graph_done", "graph_fault", "graph_abort",
                                                 "cluster",    "drained",     "drain_end", "save",   "restore", "complete", "tail", "opened", "released", "kgstart", "kgdone"};
    LogRead log;
    std::ifstream file(name);
    std::string line;
    std::size_t number = 0;
    const auto wrong = [&](const std::string& why) {
        if (log.wrong.empty()) log.wrong = name + ':' + std::to_string(number) + ": " + why + ": " + line;
    };
    std::uint64_t cycle = 0;
    bool events = false;
    using Tb = std::tuple<std::string, std::string, std::string>;
    std::set<Tb> sent;
    std::map<std::pair<std::string, std::string>, Tb> slots;
    std::uint64_t sum = 0xcbf29ce484222325, count = 0;
    bool ended = false;
    while (std::getline(file, line)) {
        if (ended) wrong("behind the end");
        std::ostringstream end;
        end << "! end " << count << ' ' << std::hex << std::setw(16) << std::setfill('0') << sum;
        for (const char c : line + '\n') sum = (sum ^ static_cast<unsigned char>(c)) * 0x100000001b3;
        if (++number == 1) {
            if (line != "gpusched-log 2") wrong("not the first line");
            continue;
        }
        if (line.compare(0, 6, "! end ") == 0) {
            if (line != end.str()) wrong("not the end: " + end.str());
            ended = true;
            continue;
        }
        if (line.compare(0, 2, "! ") == 0) {
            if (events) wrong("a header behind an event");
            continue;
        }
        events = true;
        count++;
        std::vector<std::string> words;
        std::istringstream in(line);
        for (std::string word; in >> word;) words.push_back(word);
        std::string joined;
        for (const std::string& word : words) joined += (joined.empty() ? "" : " ") + word;
        if (joined != line || words.size() < 6) {
            wrong("not six columns, separated by single blanks");
            continue;
        }
        for (std::size_t i = 6; i < words.size(); i++) {
            if (words[i].find('=') == std::string::npos || words[i].back() == '=') wrong("not KEY=VALUE");
        }
        for (const std::size_t i : {0, 2, 3, 4, 5}) {
            if (words[i] != "-" && words[i].find_first_not_of("0123456789") != std::string::npos) wrong("not a number");
        }
        const std::uint64_t at = std::stoull(words[0]);
        if (at < cycle) wrong("time goes back");
        cycle = at;
        const std::string& kind = words[1];
        log.kinds[kind]++;
        if (decisions.count(kind) != 0) {
            log.decisions.push_back(line);
            if (stock && kind != "tb") wrong("not a decision under stock rules");
        } else if (reports.count(kind) == 0 && states.count(kind) == 0) {
            wrong("unknown kind");
        }
        const Tb tb{words[2], words[3], words[4]};
        const std::pair<std::string, std::string> slot{words[4], words[5]};
        if (kind == "tb" && !sent.insert(tb).second) wrong("sent twice");
        if (kind == "start" && sent.count(tb) == 0) wrong("started without being sent");
        if (kind == "start" && !slots.emplace(slot, tb).second) wrong("a slot with two TBs");
        if (kind == "end" && (slots.count(slot) == 0 || slots.at(slot) != tb)) wrong("ended where it does not run");
        if (kind == "end") slots.erase(slot);
    }
    if (!ended) wrong("no end");
    if (log.kinds["start"] != log.kinds["tb"] || log.kinds["end"] != log.kinds["tb"] || !slots.empty()) wrong("not every TB that was sent ran");
    return log;
}

}  // namespace test

#endif  // CHECK_LOG_HPP
