// Launches from the device, for GPGPU-Sim: threads of one grid launch grids of uneven sizes, of which each TB launches one more, LEVELS
// deep in all, and the host checks what each level wrote.
//
//   nested [LEVELS]     1
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call) \
    if (cudaError_t error = (call)) { std::fprintf(stderr, "%s: error %d\n", #call, int(error)); std::exit(1); }

// Writes its part of this level's `total` numbers; those of the next level lie behind them.
__global__ void child(int *out, int total, int from, int count, int levels) {
    int first = blockIdx.x * blockDim.x, i = first + threadIdx.x;
    if (i < count) out[from + i] = 3 * (from + i) + levels;
    if (levels > 1 && threadIdx.x == 0) child<<<1, blockDim.x>>>(out + total, total, from + first, min(count - first, int(blockDim.x)), levels - 1);
}

__global__ void parent(const int *start, int *out, int n, int levels) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int count = start[i + 1] - start[i];
    if (count > 0) child<<<(count + 63) / 64, 64>>>(out, start[n], start[i], count, levels);
}

int main(int argc, char **argv) {
    const int levels = argc > 1 ? std::atoi(argv[1]) : 1;
    if (levels < 1) return std::fprintf(stderr, "nested [LEVELS], at least 1\n"), 2;
    const int n = 24;
    std::vector<int> start(1, 0);
    for (int i = 0; i < n; i++) start.push_back(start[i] + i * 37 % 11 * 25);
    std::vector<int> want, got(levels * start[n]);
    for (int level = levels; level > 0; level--)
        for (int i = 0; i < start[n]; i++) want.push_back(3 * i + level);
    int *on_device, *out;
    CHECK(cudaMalloc(&on_device, start.size() * sizeof(int)));
    CHECK(cudaMalloc(&out, want.size() * sizeof(int)));
    CHECK(cudaMemcpy(on_device, start.data(), start.size() * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, want.size() * sizeof(int)));
    parent<<<2, n / 2>>>(on_device, out, n, levels);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(got.data(), out, got.size() * sizeof(int), cudaMemcpyDeviceToHost));
    size_t wrong = 0;
    for (size_t i = 0; i < want.size(); i++) wrong += got[i] != want[i];
    std::printf("checked: %zu of %zu wrong\n", wrong, want.size());
    return wrong != 0;
}
