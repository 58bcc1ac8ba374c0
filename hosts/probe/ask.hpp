// What the probe is asked for, word by word; and how it says that it does not do it.

#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace probe {

[[noreturn]] inline void fail(int status, const std::string &why) {
    std::fprintf(stderr, "probe: %s\n", why.c_str());
    std::exit(status);
}

[[noreturn]] inline void refuse(const std::string &why) {
    fail(2, why + " (probe --help tells what can be asked for)");
}

const char *const help =
    "probe [--device N] [--out FILE.log] KERNEL...\n"
    "\n"
    "Runs the kernels, launched in this order, and writes the decision log to FILE.log, or to standard output.\n"
    "A KERNEL is a list of NAME=NUMBER with commas between them:\n"
    "\n"
    "  blocks    blocks of its grid [1]\n"
    "  threads   threads of a block [32]\n"
    "  smem      bytes of shared memory of a block [0]\n"
    "  regs      registers of a thread, at least [as few as it needs]\n"
    "  spin      nanoseconds that each of its blocks spins [1000000]\n"
    "  first     the same for block 0 [as spin]\n"
    "  stream    number of its stream [one of its own]\n"
    "  prio      priority of that: 0 is the lowest, and the default\n"
    "  cluster   blocks that start together (CUDA 11.8, compute capability 9.0) [1]\n"
    "  wait      nanoseconds that the host waits before it launches it [0]\n"
    "\n"
    "  probe blocks=5,threads=256,first=200000 wait=500000,blocks=3,threads=160\n";

// A kernel, as it was asked for.
struct Shape {
    std::uint64_t blocks = 1, threads = 32, smem = 0, regs = 0, spin = 1000000, first = 0, stream = 0, prio = 0, cluster = 1, wait = 0;
};

inline std::uint64_t number(const std::string &word, const std::string &name, std::uint64_t least, std::uint64_t most) {
    const bool is_number = !word.empty() && word.size() < 19 && word.find_first_not_of("0123456789") == std::string::npos;
    const std::uint64_t value = is_number ? std::strtoull(word.c_str(), nullptr, 10) : 0;
    if (!is_number || value < least || value > most)
        refuse(name + "=" + word + ": expected a number from " + std::to_string(least) + " to " + std::to_string(most));
    return value;
}

inline Shape kernel_of(const std::string &text, std::size_t place) {
    Shape kernel;
    std::map<std::string, bool> seen;
    for (std::size_t from = 0; from <= text.size();) {
        const std::size_t to = std::min(text.find(',', from), text.size());
        const std::string pair = text.substr(from, to - from);
        from = to + 1;
        const std::size_t sign = pair.find('=');
        if (sign == std::string::npos) refuse("`" + pair + "`: expected NAME=NUMBER");
        const std::string name = pair.substr(0, sign), word = pair.substr(sign + 1);
        if (seen[name]) refuse(name + " is given twice");
        seen[name] = true;
        const std::uint64_t second = 1000000000;
        if (name == "blocks") kernel.blocks = number(word, name, 1, 1 << 20);
        else if (name == "threads") kernel.threads = number(word, name, 1, 1024);
        else if (name == "smem") kernel.smem = number(word, name, 0, 1 << 20);
        else if (name == "regs") kernel.regs = number(word, name, 1, 255);
        else if (name == "spin") kernel.spin = number(word, name, 1, 2 * second);
        else if (name == "first") kernel.first = number(word, name, 1, 2 * second);
        else if (name == "stream") kernel.stream = number(word, name, 0, 127);
        else if (name == "prio") kernel.prio = number(word, name, 0, 63);
        else if (name == "cluster") kernel.cluster = number(word, name, 1, 16);
        else if (name == "wait") kernel.wait = number(word, name, 0, 2 * second);
        else refuse("`" + name + "`: no such property of a kernel");
    }
    if (!seen["first"]) kernel.first = kernel.spin;
    // Numbers that nobody gives by hand.
    if (!seen["stream"]) kernel.stream = 1000 + place;
    if (kernel.blocks % kernel.cluster != 0) refuse("blocks=" + std::to_string(kernel.blocks) + " are no whole clusters");
    return kernel;
}

struct Asked {
    int device = 0;
    std::string out;
    std::vector<Shape> kernels;
};

inline Asked read(int count, char **words) {
    Asked asked;
    for (int i = 1; i < count; i++) {
        const std::string word = words[i];
        if (word == "--help" || word == "-h") {
            std::fputs(help, stdout);
            std::exit(0);
        }
        if (word == "--device" || word == "--out") {
            if (++i == count) refuse(word + ": expected a value behind it");
            if (word == "--out") asked.out = words[i];
            else asked.device = static_cast<int>(number(words[i], "--device", 0, 255));
        } else if (word.rfind("--", 0) == 0) {
            refuse(word + ": no such option");
        } else {
            asked.kernels.push_back(kernel_of(word, asked.kernels.size()));
        }
    }
    if (asked.kernels.empty()) refuse("no kernel is given");
    return asked;
}

}  // namespace probe
