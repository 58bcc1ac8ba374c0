// Writes down what GPGPU-Sim executes: every warp instruction as it issues, with its lanes and addresses, for `convert.py` to turn into a
// trace that the reference GPU executes again. C++11, for the simulator's own compiler.
//
// Two steps of docs/patch.md include it in the simulator's `shader.cc`, and call `trace` where the addresses have been found.
//
// The file is the one that GPUSCHED_TRACE names; without it nothing is written. Its lines:
//
//     kernel UID NAME GRIDx GRIDy GRIDz TBx TBy TBz SHARED REGISTERS
//     code PC TEXT                      the PTX of an instruction, before it is first executed
//     UID TB WARP PC LANES [ADDRESS]*   an instruction: linear numbers; lanes that are active and not switched off, and of a memory access
//                                       the address of each, lowest lane first; PC, lanes and addresses in hexadecimal
#pragma once

#include <cstdio>
#include <cstdlib>
#include <set>

namespace gpusched {

/// The file, and what it already says.
struct Tracer {
    std::FILE *file = nullptr;
    std::set<unsigned> kernels;
    std::set<address_type> code;

    Tracer() {
        const char *name = std::getenv("GPUSCHED_TRACE");
        if (name && !(file = std::fopen(name, "w"))) {
            std::perror(name);
            std::exit(1);
        }
    }
    Tracer(const Tracer &) = delete;
    Tracer &operator=(const Tracer &) = delete;
    ~Tracer() {
        if (file && std::fclose(file)) std::perror("GPUSCHED_TRACE");
    }
};

inline unsigned linear(dim3 at, dim3 of) { return (at.z * of.y + at.y) * of.x + at.x; }

/// An instruction that issues; `first` is the thread of the warp's first lane.
inline void trace(const warp_inst_t &inst, ptx_thread_info &first, gpgpu_context *context) {
    static Tracer tracer;
    if (!tracer.file) return;
    kernel_info_t &kernel = first.get_kernel();
    const dim3 grid = kernel.get_grid_dim(), tb = kernel.get_cta_dim();
    if (tracer.kernels.insert(kernel.get_uid()).second) {
        const gpgpu_ptx_sim_info *needs = ptx_sim_kernel_info(kernel.entry());
        std::fprintf(tracer.file, "kernel %u %s %u %u %u %u %u %u %d %d\n", kernel.get_uid(), kernel.name().c_str(), grid.x, grid.y, grid.z,
                     tb.x, tb.y, tb.z, needs->smem, needs->regs);
    }
    if (tracer.code.insert(inst.pc).second)
        std::fprintf(tracer.file, "code %llx %s\n", static_cast<unsigned long long>(inst.pc), context->func_sim->ptx_get_insn_str(inst.pc).c_str());
    std::fprintf(tracer.file, "%u %u %u %llx %lx", kernel.get_uid(), linear(first.get_ctaid(), grid), linear(first.get_tid(), tb) / inst.warp_size(),
                 static_cast<unsigned long long>(inst.pc), inst.get_active_mask().to_ulong());
    if (inst.is_load() || inst.is_store() || inst.isatomic())
        for (unsigned lane = 0; lane < inst.warp_size(); lane++)
            if (inst.active(lane)) std::fprintf(tracer.file, " %llx", static_cast<unsigned long long>(inst.get_addr(lane)));
    std::fputc('\n', tracer.file);
}

} // namespace gpusched
