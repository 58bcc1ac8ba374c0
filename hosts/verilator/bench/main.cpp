// The program around a verilated bench: command line, clock, waveform, report. All benches share it.
//
//   bench [--cycles N] [--seed N] [--mutant N] [--partial 1] [--vcd FILE --from CYCLE]
//   bench --storage     the bits that the sheet counts for the block
//
// Ends with 0 if RTL and core agreed in every cycle and every rule was reached (with --partial: or not), with 1 if not, with 2 if it could
// not run.
#include "Vbench.h"
#include "golden.hpp"
#include "verilated.h"
#if VM_TRACE
#include "verilated_vcd_c.h"
#endif

#include <cctype>

namespace bench {

Run &run() {
    static Run the;
    return the;
}

static std::vector<Rule *> &rules() {
    static std::vector<Rule *> the;
    return the;
}

Rule::Rule(const char *name) : name_(name) { rules().push_back(this); }
const std::vector<Rule *> &Rule::all() { return rules(); }

void broken(const std::string &what) {
    std::fprintf(stderr, "bench, cycle %llu: %s\n", static_cast<unsigned long long>(run().cycles), what.c_str());
    std::exit(2);
}

} // namespace bench

using bench::run;

extern "C" void bench_differs(const char *name, int index, uint64_t rtl, uint64_t core) {
    // The first cycle that differs tells the cause, what follows are its consequences.
    if (++run().differences > 20) return;
    std::string where = name;
    if (index >= 0) where += "[" + std::to_string(index) + "]";
    std::printf("cycle %llu: %s is 0x%llx in RTL, 0x%llx in the core\n", static_cast<unsigned long long>(run().cycles), where.c_str(),
                static_cast<unsigned long long>(rtl), static_cast<unsigned long long>(core));
}

extern "C" uint32_t bench_mutant() { return run().mutant; }

static uint64_t number(const char *text, const char *option) {
    char *end;
    const uint64_t value = std::strtoull(text, &end, 0);
    if (!std::isdigit(static_cast<unsigned char>(*text)) || *end != '\0')
        bench::broken(std::string(option) + " wants a number, not `" + text + "`");
    return value;
}

// The waveform, if there is to be one. Mutated copies are built without.
class Wave {
  public:
#if VM_TRACE
    Wave(Vbench &top, const char *file) : open_(file != nullptr) {
        if (!open_) return;
        top.trace(&vcd_, 99);
        vcd_.open(file);
    }
    ~Wave() { if (open_) vcd_.close(); }
    void dump(uint64_t time) { if (open_) vcd_.dump(time); }

  private:
    bool open_;
    VerilatedVcdC vcd_;
#else
    Wave(Vbench &, const char *file) { if (file) bench::broken("this bench was built without a waveform"); }
    void dump(uint64_t) {}
#endif
};

int main(int argc, char **argv) {
    uint64_t cycles = 1000000, seed = 1, from = 0, partial = 0;
    const char *vcd = nullptr;
    for (int i = 1; i < argc; i += 2) {
        const std::string option = argv[i];
        if (option == "--storage") {
            std::printf("%llu\n", static_cast<unsigned long long>(bench::storage_bits()));
            return 0;
        }
        if (i + 1 == argc) bench::broken(option + " wants a value");
        const char *value = argv[i + 1];
        if (option == "--cycles") cycles = number(value, argv[i]);
        else if (option == "--seed") seed = number(value, argv[i]);
        else if (option == "--mutant") run().mutant = static_cast<uint32_t>(number(value, argv[i]));
        else if (option == "--from") from = number(value, argv[i]);
        else if (option == "--partial") partial = number(value, argv[i]);
        else if (option == "--vcd") vcd = value;
        else bench::broken("no option `" + option + "`");
    }
    run().random.seed(seed);

    VerilatedContext context;
    context.traceEverOn(vcd != nullptr);
    // Registers start with anything: what a reset forgets is seen.
    context.randReset(2);
    context.randSeed(static_cast<int>(seed));
    Vbench top(&context);
    Wave wave(top, vcd);

    for (; run().cycles < cycles && run().differences == 0; run().cycles++) {
        for (int level = 0; level < 2; level++) {
            top.clk = static_cast<uint8_t>(level);
            top.eval();
            if (run().cycles >= from) wave.dump(2 * run().cycles + static_cast<uint64_t>(level));
        }
    }
    top.final();

    if (run().differences != 0) {
        std::printf("RTL and core differ in cycle %llu, seed %llu\n", static_cast<unsigned long long>(run().cycles - 1),
                    static_cast<unsigned long long>(seed));
        return 1;
    }
    int missed = 0;
    for (const bench::Rule *rule : bench::Rule::all()) {
        std::printf("%12llu  %s\n", static_cast<unsigned long long>(rule->count()), rule->name());
        missed += rule->count() == 0;
    }
    std::printf("%llu cycles, no difference, %zu rules reached of %zu\n", static_cast<unsigned long long>(cycles),
                bench::Rule::all().size() - static_cast<size_t>(missed), bench::Rule::all().size());
    return missed == 0 || partial ? 0 : 1;
}
