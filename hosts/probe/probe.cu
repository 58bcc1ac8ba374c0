// Which SM runs which thread block of which kernel, and when: on the GPU of this machine, as a decision log that
// `gpusched replay-log` reads. README.md says how to build it, what to ask for and how far to trust the answer.
//
// A block does nothing but note where and when it is, and spin. So kernels of any shape can be put beside each other, and all that
// decides where their blocks go is the shape, the stream, its priority, and the cluster.

#include <algorithm>
#include <chrono>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include "ask.hpp"
#include "log.hpp"

#if CUDART_VERSION >= 11080
#define HAS_CLUSTERS 1
#else
#define HAS_CLUSTERS 0
#endif

namespace {

using namespace probe;
using Nanoseconds = std::uint64_t;

// ---- On the GPU

// What a block notes.
struct Stamp {
    Nanoseconds start, end;
    long long clock_start, clock_end;  // of its SM, which no other SM shares
    unsigned smx, rank;                // its rank in its cluster
};

// The compiler of the host sees these, too, and knows no registers of the GPU.
__device__ Nanoseconds global_time() {
    Nanoseconds now = 0;
#ifdef __CUDA_ARCH__
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
#endif
    return now;
}

__device__ unsigned smx_number() {
    unsigned number = 0;
#ifdef __CUDA_ARCH__
    asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
#endif
    return number;
}

__device__ unsigned cluster_rank() {
    unsigned rank = 0;
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
#endif
    return rank;
}

// Words that each thread reads and keeps while it spins, so that it needs registers for them.
const int most_held = 192;
__device__ volatile unsigned words[1024 + most_held];

// Notes and spins, and keeps `Held` words meanwhile: a volatile word may not be read later or twice, what becomes of them is not known
// before, and those of two threads differ, so that no register holds them for a warp.
template <int Held>
__global__ void spin(Stamp *stamps, Nanoseconds first, Nanoseconds others, unsigned *never) {
    const Nanoseconds start = global_time();
    const long long clock_start = clock64();
    unsigned held[Held + 1];
#pragma unroll
    for (int i = 0; i < Held; i++) held[i] = words[threadIdx.x + i];
    const Nanoseconds duration = blockIdx.x == 0 ? first : others;
    while (global_time() - start < duration) {
    }
    const unsigned late = static_cast<unsigned>(global_time());
    unsigned sum = late;
#pragma unroll
    for (int i = 0; i < Held; i++) sum = sum * late + held[i];
    if (never != nullptr) *never = sum;
    __syncthreads();
    if (threadIdx.x == 0) stamps[blockIdx.x] = Stamp{start, global_time(), clock_start, clock64(), smx_number(), cluster_rank()};
}

// The time, and the least step that the timer makes.
__global__ void read_timer(Nanoseconds *now, Nanoseconds *step) {
    *now = global_time();
    Nanoseconds least = ~Nanoseconds{0}, last = *now;
    for (int steps = 0; step != nullptr && steps < 64;) {
        const Nanoseconds next = global_time();
        if (next == last) continue;
        least = next - last < least ? next - last : least;
        last = next;
        steps++;
    }
    if (step != nullptr) *step = least;
}

// The same kernel with more and more registers.
struct Form {
    int held;
    const void *entry;
};
const Form forms[] = {{0, reinterpret_cast<const void *>(spin<0>)},     {16, reinterpret_cast<const void *>(spin<16>)},
                      {32, reinterpret_cast<const void *>(spin<32>)},   {64, reinterpret_cast<const void *>(spin<64>)},
                      {96, reinterpret_cast<const void *>(spin<96>)},   {128, reinterpret_cast<const void *>(spin<128>)},
                      {most_held, reinterpret_cast<const void *>(spin<most_held>)}};

// ---- The GPU

void check(cudaError_t error, const std::string &what) {
    if (error != cudaSuccess) fail(1, what + ": " + cudaGetErrorString(error));
}

// A kernel on its way.
struct Kernel : Shape {
    explicit Kernel(const Shape &asked) : Shape(asked) {}
    const Form *form = nullptr;
    std::uint64_t tb_regs = 0, tb_smem = 0;  // of a block, as they are allocated
    Stamp *stamps = nullptr;
    Nanoseconds at = 0;  // when it was launched
};

struct Gpu {
    std::string name;
    int major = 0, minor = 0;
    std::uint64_t smxs = 0, slots = 0, threads = 0, regs = 0, smem = 0, reserved = 0, step = 0;
};

std::uint64_t attribute(cudaDeviceAttr what, int device) {
    int value = 0;
    check(cudaDeviceGetAttribute(&value, what, device), "cudaDeviceGetAttribute");
    return static_cast<std::uint64_t>(value);
}

Gpu open(int device) {
    int count = 0;
    const cudaError_t error = cudaGetDeviceCount(&count);
    if (error != cudaSuccess) fail(1, std::string("no GPU: ") + cudaGetErrorString(error));
    if (count == 0) fail(1, "no GPU: the driver knows of none");
    if (device >= count) refuse("--device " + std::to_string(device) + ": there are " + std::to_string(count) + " GPUs, from 0");
    check(cudaSetDevice(device), "cudaSetDevice");
    cudaDeviceProp properties;
    check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
    Gpu gpu;
    gpu.name = properties.name;
    gpu.major = properties.major, gpu.minor = properties.minor;
    gpu.smxs = attribute(cudaDevAttrMultiProcessorCount, device);
    gpu.slots = attribute(cudaDevAttrMaxBlocksPerMultiprocessor, device);
    gpu.threads = attribute(cudaDevAttrMaxThreadsPerMultiProcessor, device);
    gpu.regs = attribute(cudaDevAttrMaxRegistersPerMultiprocessor, device);
    gpu.smem = attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, device);
    gpu.reserved = attribute(cudaDevAttrReservedSharedMemoryPerBlock, device);
    return gpu;
}

std::uint64_t rounded_up(std::uint64_t number, std::uint64_t to) { return (number + to - 1) / to * to; }

// Chooses the form of a kernel, and reckons what an SM gives a block of it: registers by warps in units of 256, for four warps at
// least; shared memory in units of 128 or 256 bytes, with what the system takes for itself.
void prepare(Kernel &kernel, const Gpu &gpu, std::size_t place, std::uint64_t most_smem) {
    const std::string name = "kernel " + std::to_string(place + 1);
    cudaFuncAttributes found;
    for (const Form &form : forms) {
        check(cudaFuncGetAttributes(&found, form.entry), name + ": cudaFuncGetAttributes");
        kernel.form = &form;
        if (static_cast<std::uint64_t>(found.numRegs) >= kernel.regs) break;
    }
    if (static_cast<std::uint64_t>(found.numRegs) < kernel.regs)
        refuse(name + ": regs=" + std::to_string(kernel.regs) + ", but no form takes more than " + std::to_string(found.numRegs));
    const void *entry = kernel.form->entry;
    // Kernels of one form have one limit.
    check(cudaFuncSetAttribute(entry, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(most_smem)),
          "smem=" + std::to_string(most_smem));
    check(cudaFuncSetAttribute(entry, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared),
          name + ": carve-out");
    const std::uint64_t warps = rounded_up((kernel.threads + 31) / 32, 4);
    kernel.tb_regs = warps * rounded_up(static_cast<std::uint64_t>(found.numRegs) * 32, 256);
    kernel.tb_smem = rounded_up(kernel.smem + found.sharedSizeBytes + gpu.reserved, gpu.major >= 8 ? 128 : 256);
    if (kernel.smem + found.sharedSizeBytes + gpu.reserved == 0) kernel.tb_smem = 0;
    int fits = 0;
    check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&fits, entry, static_cast<int>(kernel.threads), kernel.smem),
          name + ": cudaOccupancyMaxActiveBlocksPerMultiprocessor");
    if (fits == 0) refuse(name + ": an SM has no room for a block of it");
    std::uint64_t reckoned = std::min(gpu.slots, gpu.threads / rounded_up(kernel.threads, 32));
    reckoned = std::min(reckoned, gpu.regs / kernel.tb_regs);
    if (kernel.tb_smem > 0) reckoned = std::min(reckoned, gpu.smem / kernel.tb_smem);
    if (reckoned != static_cast<std::uint64_t>(fits))
        std::fprintf(stderr, "probe: %s: an SM takes %d of its blocks, but by what the log says of them %" PRIu64 "\n", name.c_str(), fits,
                     reckoned);
    if (kernel.cluster > 1) {
        if (!HAS_CLUSTERS) refuse(name + ": clusters need a probe that was built with CUDA 11.8 or later");
        if (gpu.major < 9) refuse(name + ": clusters need a GPU of compute capability 9.0 or higher, and this is " +
                                  std::to_string(gpu.major) + "." + std::to_string(gpu.minor));
    }
    check(cudaMalloc(&kernel.stamps, kernel.blocks * sizeof(Stamp)), name + ": cudaMalloc");
    check(cudaMemset(kernel.stamps, 0, kernel.blocks * sizeof(Stamp)), name + ": cudaMemset");
}

// The streams by number.
std::map<std::uint64_t, cudaStream_t> open_streams(const std::vector<Kernel> &kernels) {
    int least = 0, greatest = 0;
    check(cudaDeviceGetStreamPriorityRange(&least, &greatest), "cudaDeviceGetStreamPriorityRange");
    std::map<std::uint64_t, std::uint64_t> priorities;
    std::map<std::uint64_t, cudaStream_t> streams;
    for (const Kernel &kernel : kernels) {
        const auto known = priorities.find(kernel.stream);
        if (known != priorities.end()) {
            if (known->second != kernel.prio) refuse("stream=" + std::to_string(kernel.stream) + " has two priorities");
            continue;
        }
        // CUDA's number is the lower the more urgent, and it would clamp without a word.
        if (kernel.prio > static_cast<std::uint64_t>(least - greatest))
            refuse("prio=" + std::to_string(kernel.prio) + ": this GPU has priorities from 0 to " + std::to_string(least - greatest));
        priorities[kernel.stream] = kernel.prio;
        const int priority = least - static_cast<int>(kernel.prio);
        check(cudaStreamCreateWithPriority(&streams[kernel.stream], cudaStreamNonBlocking, priority), "cudaStreamCreateWithPriority");
    }
    return streams;
}

void launch(const Kernel &kernel, std::uint64_t blocks, Nanoseconds first, Nanoseconds others, cudaStream_t stream) {
    Stamp *stamps = kernel.stamps;
    unsigned *never = nullptr;
    void *arguments[] = {&stamps, &first, &others, &never};
    const dim3 grid(static_cast<unsigned>(blocks)), block(static_cast<unsigned>(kernel.threads));
    if (kernel.cluster == 1) {
        check(cudaLaunchKernel(kernel.form->entry, grid, block, arguments, kernel.smem, stream), "cudaLaunchKernel");
        return;
    }
#if HAS_CLUSTERS
    if (kernel.cluster > 8)
        check(cudaFuncSetAttribute(kernel.form->entry, cudaFuncAttributeNonPortableClusterSizeAllowed, 1), "large clusters");
    cudaLaunchAttribute cluster = {};
    cluster.id = cudaLaunchAttributeClusterDimension;
    cluster.val.clusterDim.x = static_cast<unsigned>(kernel.cluster);
    cluster.val.clusterDim.y = cluster.val.clusterDim.z = 1;
    cudaLaunchConfig_t config = {};
    config.gridDim = grid, config.blockDim = block, config.dynamicSmemBytes = kernel.smem, config.stream = stream;
    config.attrs = &cluster, config.numAttrs = 1;
    check(cudaLaunchKernelExC(&config, kernel.form->entry, arguments), "cudaLaunchKernelExC");
#endif
}

std::int64_t host_time() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

// The GPU's time less the host's, from the quickest of some exchanges.
std::int64_t offset_of_clocks(Gpu &gpu) {
    Nanoseconds *on_gpu = nullptr;
    check(cudaMalloc(&on_gpu, 2 * sizeof *on_gpu), "cudaMalloc");
    std::int64_t offset = 0, quickest = INT64_MAX;
    Nanoseconds found[2] = {0, 0};
    for (int round = 0; round < 20; round++) {
        Nanoseconds *step = round == 0 ? on_gpu + 1 : nullptr;
        void *arguments[] = {&on_gpu, &step};
        const std::int64_t before = host_time();
        const void *entry = reinterpret_cast<const void *>(read_timer);
        check(cudaLaunchKernel(entry, dim3(1), dim3(1), arguments, 0, nullptr), "cudaLaunchKernel");
        check(cudaDeviceSynchronize(), "reading the timer");
        const std::int64_t took = host_time() - before;
        check(cudaMemcpy(found, on_gpu, sizeof found, cudaMemcpyDeviceToHost), "cudaMemcpy");
        if (round > 0 && took < quickest) {
            quickest = took;
            offset = static_cast<std::int64_t>(found[0]) - (before + took / 2);
        }
    }
    gpu.step = found[1];
    check(cudaFree(on_gpu), "cudaFree");
    return offset;
}

void run(std::vector<Kernel> &kernels, Gpu &gpu) {
    std::uint64_t most_smem = 0;
    for (const Kernel &kernel : kernels) most_smem = std::max(most_smem, kernel.smem);
    for (std::size_t i = 0; i < kernels.size(); i++) prepare(kernels[i], gpu, i, most_smem);
    std::map<std::uint64_t, cudaStream_t> streams = open_streams(kernels);
    // Code comes to the GPU with the first launch, which would take the time of the second.
    for (const Kernel &kernel : kernels) launch(kernel, kernel.cluster, 0, 0, streams[kernel.stream]);
    check(cudaDeviceSynchronize(), "first launches");
    const std::int64_t offset = offset_of_clocks(gpu);
    for (Kernel &kernel : kernels) {
        const std::int64_t until = host_time() + static_cast<std::int64_t>(kernel.wait);
        while (host_time() < until) {
        }
        kernel.at = static_cast<Nanoseconds>(host_time() + offset);
        launch(kernel, kernel.blocks, kernel.first, kernel.spin, streams[kernel.stream]);
    }
    check(cudaDeviceSynchronize(), "the kernels");
    for (auto &stream : streams) check(cudaStreamDestroy(stream.second), "cudaStreamDestroy");
}

// ---- The log

std::vector<Event> events_of(std::vector<Kernel> &kernels, const Gpu &gpu) {
    std::vector<Event> events;
    for (std::size_t i = 0; i < kernels.size(); i++) {
        Kernel &kernel = kernels[i];
        std::vector<Stamp> stamps(kernel.blocks);
        check(cudaMemcpy(stamps.data(), kernel.stamps, kernel.blocks * sizeof(Stamp), cudaMemcpyDeviceToHost), "cudaMemcpy");
        check(cudaFree(kernel.stamps), "cudaFree");
        Nanoseconds last = 0;
        for (std::uint64_t tb = 0; tb < kernel.blocks; tb++) {
            const Stamp &stamp = stamps[tb];
            const std::string which = "block " + std::to_string(tb) + " of kernel " + std::to_string(i + 1);
            if (stamp.start == 0 || stamp.end < stamp.start) fail(1, which + " has left no times");
            if (stamp.smx >= gpu.smxs) fail(1, which + " ran on SM " + std::to_string(stamp.smx) + ", which is not there");
            events.push_back({stamp.start, Sent, i + 1, tb, stamp.smx, stamp.rank, 0});
            const std::uint64_t cycles = static_cast<std::uint64_t>(stamp.clock_end - stamp.clock_start);
            events.push_back({stamp.end, Ended, i + 1, tb, stamp.smx, 0, cycles});
            kernel.at = std::min(kernel.at, stamp.start);  // the host's clock is not as exact as that
            last = std::max(last, stamp.end);
        }
        events.push_back({last, Done, i + 1, 0, 0, 0, 0});
    }
    for (std::size_t i = kernels.size(); i-- > 0;) {
        if (i + 1 < kernels.size()) kernels[i].at = std::min(kernels[i].at, kernels[i + 1].at);
        events.push_back({kernels[i].at, Launched, i + 1, 0, 0, 0, 0});
    }
    std::sort(events.begin(), events.end());
    return events;
}

void head(Log &log, const Gpu &gpu) {
    log.header("dispatch", "hardware");
    log.header("smx", gpu.smxs);
    log.header("slots", gpu.slots);
    log.header("threads", gpu.threads);
    log.header("regs", gpu.regs);
    log.header("smem", gpu.smem);
    if (gpu.major >= 7) {
        std::string tpcs;
        for (std::uint64_t smx = 0; smx < gpu.smxs; smx++) tpcs += (smx == 0 ? "" : ",") + std::to_string(smx / 2);
        log.header("tpc", tpcs);
    }
    log.header("config", plain(gpu.name));
    log.header("compute", std::to_string(gpu.major) + "." + std::to_string(gpu.minor));
    log.header("unit", "ns");
    log.header("timer_step", gpu.step);
    log.header("attach", "-");
    log.line("# cycle kind uid tb smx slot");
}

std::string launched(const Kernel &kernel) {
    std::string keys = "tbs=" + std::to_string(kernel.blocks) + " threads=" + std::to_string(kernel.threads) + " name=spin" +
                       std::to_string(kernel.form->held) + " regs=" + std::to_string(kernel.tb_regs) +
                       " smem=" + std::to_string(kernel.tb_smem) + " stream=" + std::to_string(kernel.stream) +
                       " prio=" + std::to_string(kernel.prio);
    if (kernel.cluster > 1) keys += " cluster=" + std::to_string(kernel.cluster);
    return keys;
}

std::string log_of(std::vector<Kernel> &kernels, const Gpu &gpu) {
    const std::vector<Event> events = events_of(kernels, gpu);
    Log log;
    head(log, gpu);
    std::vector<Told> told;
    for (const Kernel &kernel : kernels) told.push_back({launched(kernel), kernel.cluster});
    tell(log, events, told, gpu.smxs);
    return log.finish();
}

void write(const std::string &text, const std::string &path) {
    std::FILE *file = path.empty() ? stdout : std::fopen(path.c_str(), "wb");
    if (file == nullptr) fail(1, "cannot write " + path);
    const bool is_written = std::fwrite(text.data(), 1, text.size(), file) == text.size() && std::fflush(file) == 0;
    if (!path.empty() && std::fclose(file) != 0) fail(1, "cannot write " + path);
    if (!is_written) fail(1, "cannot write " + (path.empty() ? "to standard output" : path));
}

}  // namespace

int main(int count, char **words) {
    const probe::Asked asked = probe::read(count, words);
    std::vector<Kernel> kernels(asked.kernels.begin(), asked.kernels.end());
    Gpu gpu = open(asked.device);
    run(kernels, gpu);
    write(log_of(kernels, gpu), asked.out);
    return 0;
}
