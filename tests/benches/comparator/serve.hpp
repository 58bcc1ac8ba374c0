// Commands for machines in a steady state: a line each on the standard input, and a line that answers each.
//
//   row DRIVER OPERATION SMXS PENDING   such a machine; PENDING is what waits meanwhile, or the nodes of a graph
//   steps N                             carries its operation out N times: the CPU time in nanoseconds
//   count N                             the same between two marks for an instruction counter
#pragma once

#include <cstdint>
#include <ctime>
#include <iostream>
#include <memory>
#include <sstream>
#include <string>

// Where an instruction counter writes down what it has counted, and begins anew.
extern "C" [[gnu::noinline]] inline void comparator_mark() { asm volatile(""); }

namespace comparator {

class Steady {
public:
    virtual ~Steady() = default;

    // Carries out the operation so often.
    virtual void steps(uint64_t times) = 0;
};

inline int64_t cpu_time() {
    timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return int64_t(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

// Serves until the input ends. `make` builds the machine of a row; commands of other names are `other`'s.
template <class Make, class Other>
void serve(Make make, Other other) {
    std::unique_ptr<Steady> steady;
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream words(line);
        std::string command;
        words >> command;
        if (command == "row") {
            std::string driver, operation;
            uint32_t smxs, pending;
            words >> driver >> operation >> smxs >> pending;
            steady.reset();
            steady = make(driver, operation, smxs, pending);
            if (!steady) throw std::invalid_argument("there is no row `" + line + "`");
            std::cout << "ready" << std::endl;
        } else if (command == "steps" && steady) {
            uint64_t times;
            words >> times;
            int64_t begin = cpu_time();
            steady->steps(times);
            std::cout << cpu_time() - begin << std::endl;
        } else if (command == "count" && steady) {
            uint64_t times;
            words >> times;
            comparator_mark();
            steady->steps(times);
            comparator_mark();
            std::cout << "counted" << std::endl;
        } else {
            other(command, words);
        }
    }
}

}  // namespace comparator
