// Launches from the device, for GPGPU-Sim: threads of one grid launch grids of uneven sizes, and the host checks what those wrote.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call) \
    if (cudaError_t error = (call)) { std::fprintf(stderr, "%s: error %d\n", #call, int(error)); std::exit(1); }

__global__ void child(int *out, int from, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count) out[from + i] = 3 * i + from;
}

__global__ void parent(const int *start, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int count = start[i + 1] - start[i];
    if (count > 0) child<<<(count + 63) / 64, 64>>>(out, start[i], count);
}

int main() {
    const int n = 24;
    std::vector<int> start(1, 0);
    for (int i = 0; i < n; i++) start.push_back(start[i] + i * 37 % 11 * 25);
    std::vector<int> want(start[n]), got(start[n]);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < start[i + 1] - start[i]; k++) want[start[i] + k] = 3 * k + start[i];
    int *on_device, *out;
    CHECK(cudaMalloc(&on_device, start.size() * sizeof(int)));
    CHECK(cudaMalloc(&out, want.size() * sizeof(int)));
    CHECK(cudaMemcpy(on_device, start.data(), start.size() * sizeof(int), cudaMemcpyHostToDevice));
    CHECK(cudaMemset(out, 0, want.size() * sizeof(int)));
    parent<<<2, n / 2>>>(on_device, out, n);
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(got.data(), out, got.size() * sizeof(int), cudaMemcpyDeviceToHost));
    size_t wrong = 0;
    for (size_t i = 0; i < want.size(); i++) wrong += got[i] != want[i];
    std::printf("checked: %zu of %zu wrong\n", wrong, want.size());
    return wrong != 0;
}
