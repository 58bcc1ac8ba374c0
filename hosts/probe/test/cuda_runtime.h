// As much of CUDA's runtime as the probe calls, and a GPU behind it that is none: five SMs, and a scheduler as Gilman and others found
// Pascal's to be. A block goes to the SM with most room for it, the lowest of equals, and a kernel's blocks go before those of the next.
// With it a C++ compiler alone builds the probe, and its log can be tested where no GPU is (`c++ -x c++ -I test probe.cu`).
//
// In the environment FAKE_GPUS is the number of GPUs, one if not set, and FAKE_MAJOR their compute capability, 6 if not set. From 9 on
// there are clusters; blocks of one go where they would without.

#pragma once

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CUDART_VERSION 11080
#define __device__
#define __global__

enum cudaError_t { cudaSuccess, cudaErrorInvalidValue, cudaErrorNoDevice };
enum cudaMemcpyKind { cudaMemcpyDeviceToHost };
enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize,
    cudaFuncAttributePreferredSharedMemoryCarveout,
    cudaFuncAttributeNonPortableClusterSizeAllowed
};
enum { cudaSharedmemCarveoutMaxShared = 100, cudaStreamNonBlocking = 1 };
enum cudaDeviceAttr {
    cudaDevAttrMultiProcessorCount,
    cudaDevAttrMaxBlocksPerMultiprocessor,
    cudaDevAttrMaxThreadsPerMultiProcessor,
    cudaDevAttrMaxRegistersPerMultiprocessor,
    cudaDevAttrMaxSharedMemoryPerMultiprocessor,
    cudaDevAttrReservedSharedMemoryPerBlock
};
struct cudaDeviceProp {
    char name[256];
    int major, minor;
};
struct cudaFuncAttributes {
    int numRegs;
    std::size_t sharedSizeBytes;
};
struct dim3 {
    unsigned x, y = 1, z = 1;
    dim3(unsigned x = 1) : x(x) {}
};
using cudaStream_t = std::uintptr_t *;
enum cudaLaunchAttributeID { cudaLaunchAttributeIgnore, cudaLaunchAttributeClusterDimension };
struct cudaLaunchAttribute {
    cudaLaunchAttributeID id;
    struct {
        struct {
            unsigned x, y, z;
        } clusterDim;
    } val;
};
struct cudaLaunchConfig_t {
    dim3 gridDim, blockDim;
    std::size_t dynamicSmemBytes;
    cudaStream_t stream;
    cudaLaunchAttribute *attrs;
    unsigned numAttrs;
};

static dim3 threadIdx(0), blockIdx(0);
inline long long clock64() { return 0; }
inline void __syncthreads() {}

namespace fake {

const unsigned smxs = 5, slots = 32, threads = 2048, registers = 65536, of_thread = 16;
const std::uint64_t gap = 64;  // nanoseconds between two blocks that are sent

struct Stamp {
    std::uint64_t start, end;
    long long clocks[2];
    unsigned smx, rank;
};

struct Running {
    std::uint64_t end;
    unsigned smx, threads;
};

struct Gpu {
    std::vector<Running> running;
    std::uint64_t now = 0;  // the last block that was sent
    unsigned free_threads[smxs], free_slots[smxs];
    Gpu() {
        for (unsigned s = 0; s < smxs; s++) free_threads[s] = threads, free_slots[s] = slots;
    }
};

inline Gpu &gpu() {
    static Gpu one;
    return one;
}

inline int from_environment(const char *name, int otherwise) {
    const char *set = std::getenv(name);
    return set == nullptr ? otherwise : std::atoi(set);
}

inline std::uint64_t time() {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count()) + 1000000;
}

// Those that have ended by now make room.
inline void end_until(std::uint64_t now) {
    std::vector<Running> left;
    for (const Running &one : gpu().running) {
        if (one.end > now) left.push_back(one);
        else gpu().free_threads[one.smx] += one.threads, gpu().free_slots[one.smx]++;
    }
    gpu().running = left;
}

// How many more blocks an SM could take: threads come in warps.
inline unsigned room(unsigned smx, unsigned block) {
    const unsigned padded = (block + 31) / 32 * 32, by_threads = gpu().free_threads[smx] / padded;
    return by_threads < gpu().free_slots[smx] ? by_threads : gpu().free_slots[smx];
}

inline void run(unsigned blocks, unsigned block, unsigned cluster, void **arguments) {
    Stamp *stamps = *static_cast<Stamp **>(arguments[0]);
    const std::uint64_t first = *static_cast<std::uint64_t *>(arguments[1]), others = *static_cast<std::uint64_t *>(arguments[2]);
    Gpu &g = gpu();
    if (g.now < time()) g.now = time();
    for (unsigned tb = 0; tb < blocks; tb++) {
        g.now += gap;
        unsigned best = 0;
        for (end_until(g.now);; g.now++, end_until(g.now)) {
            for (unsigned s = best = 0; s < smxs; s++)
                if (room(s, block) > room(best, block)) best = s;
            if (room(best, block) > 0) break;
        }
        const std::uint64_t end = g.now + (tb == 0 ? first : others);
        stamps[tb] = Stamp{g.now, end, {0, 0}, best, tb % cluster};
        const unsigned padded = (block + 31) / 32 * 32;
        g.running.push_back({end, best, padded});
        g.free_threads[best] -= padded, g.free_slots[best]--;
    }
}

}  // namespace fake

inline const char *cudaGetErrorString(cudaError_t error) {
    return error == cudaErrorNoDevice ? "no CUDA-capable device is detected" : "invalid argument";
}
inline cudaError_t cudaGetDeviceCount(int *count) {
    *count = fake::from_environment("FAKE_GPUS", 1);
    return *count > 0 ? cudaSuccess : cudaErrorNoDevice;
}
inline cudaError_t cudaSetDevice(int) { return cudaSuccess; }
inline cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int) {
    *properties = cudaDeviceProp{"No GPU", fake::from_environment("FAKE_MAJOR", 6), 0};
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr what, int) {
    const int values[] = {fake::smxs, fake::slots, fake::threads, fake::registers, 98304, 0};
    *value = values[what];
    return cudaSuccess;
}
inline cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *found, const void *) {
    *found = cudaFuncAttributes{static_cast<int>(fake::of_thread), 0};
    return cudaSuccess;
}
inline cudaError_t cudaFuncSetAttribute(const void *, cudaFuncAttribute, int) { return cudaSuccess; }
inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *fits, const void *, int block, std::size_t) {
    const unsigned by_threads = fake::threads / ((static_cast<unsigned>(block) + 31) / 32 * 32);
    *fits = static_cast<int>(by_threads < fake::slots ? by_threads : fake::slots);
    return cudaSuccess;
}
inline cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
    *least = 0, *greatest = 0;
    return cudaSuccess;
}
inline cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned, int) {
    static std::uintptr_t one;
    *stream = &one;
    return cudaSuccess;
}
inline cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }
inline cudaError_t cudaDeviceSynchronize() { return cudaSuccess; }
template <class T>
cudaError_t cudaMalloc(T **place, std::size_t bytes) {
    *place = static_cast<T *>(std::malloc(bytes));
    return cudaSuccess;
}
inline cudaError_t cudaFree(void *place) {
    std::free(place);
    return cudaSuccess;
}
inline cudaError_t cudaMemset(void *place, int value, std::size_t bytes) {
    std::memset(place, value, bytes);
    return cudaSuccess;
}
inline cudaError_t cudaMemcpy(void *to, const void *from, std::size_t bytes, cudaMemcpyKind) {
    std::memcpy(to, from, bytes);
    return cudaSuccess;
}
// What goes to the default stream reads the timer, all else spins.
inline cudaError_t cudaLaunchKernel(const void *, dim3 grid, dim3 block, void **arguments, std::size_t, cudaStream_t stream) {
    if (stream != nullptr) {
        fake::run(grid.x, block.x, 1, arguments);
        return cudaSuccess;
    }
    std::uint64_t *now = *static_cast<std::uint64_t **>(arguments[0]), *step = *static_cast<std::uint64_t **>(arguments[1]);
    *now = fake::time();
    if (step != nullptr) *step = 1;
    return cudaSuccess;
}
inline cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *, void **arguments) {
    fake::run(config->gridDim.x, config->blockDim.x, config->attrs->val.clusterDim.x, arguments);
    return cudaSuccess;
}
