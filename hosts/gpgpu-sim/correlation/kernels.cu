// The kernels that GPGPU-Sim and the reference GPU both execute, and a host program that runs one of them and checks its result on the CPU.
//
//     kernels vadd | bfs | bfs-scan | spmv | gemm | kmeans [SIZE] | reduce | stencil | chain | wave | streams
//
// Without a size GPGPU-Sim takes a minute or two at most. It counts elements, vertices, rows, columns or points, in multiples of 256; of
// `gemm` columns, in multiples of 16. Inputs are drawn, always the same. `bfs` and `spmv` use one graph of
// 8,192 vertices, which `kernels graph` prints as an edge list, for `gpusched run bfs --graph`.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <queue>
#include <set>
#include <utility>
#include <vector>

#define CHECK(call) \
    if (cudaError_t error = (call)) { std::fprintf(stderr, "%s: error %d\n", #call, int(error)); std::exit(1); }

__global__ void vadd(const float *a, const float *b, float *c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}

/// A level of a breadth-first search: a thread for each vertex of the frontier.
__global__ void bfs(const int *start, const int *edges, int *level, const int *frontier, int vertices, int *next, int *found, int depth) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= vertices) return;
    int vertex = frontier[i], end = start[vertex + 1];
    for (int e = start[vertex]; e < end; e++) {
        int to = edges[e];
        if (level[to] < 0 && atomicCAS(&level[to], -1, depth) == -1) next[atomicAdd(found, 1)] = to;
    }
}

/// The same without a list of the frontier: a thread for each vertex, which looks whether it is on it.
__global__ void bfs_scan(const int *start, const int *edges, int *level, int vertices, int *found, int depth) {
    int vertex = blockIdx.x * blockDim.x + threadIdx.x;
    if (vertex >= vertices || level[vertex] != depth - 1) return;
    int end = start[vertex + 1];
    for (int e = start[vertex]; e < end; e++) {
        int to = edges[e];
        if (level[to] < 0) level[to] = depth, *found = 1;
    }
}

/// A sparse matrix in rows (CSR) times a vector: a thread for each row.
__global__ void spmv(const int *start, const int *column, const float *value, const float *x, float *y, int rows) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    int end = start[row + 1];
    for (int e = start[row]; e < end; e++) sum += value[e] * x[column[e]];
    y[row] = sum;
}

const int TILE = 16;

/// A product of square matrices by tiles in shared memory.
__global__ void gemm(const float *a, const float *b, float *c, int n) {
    __shared__ float ta[TILE][TILE], tb[TILE][TILE];
    int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    float sum = 0;
    for (int t = 0; t < n; t += TILE) {
        ta[threadIdx.y][threadIdx.x] = a[y * n + t + threadIdx.x];
        tb[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + x];
        __syncthreads();
        for (int k = 0; k < TILE; k++) sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];
        __syncthreads();
    }
    c[y * n + x] = sum;
}

/// Sums of 256 numbers each, by halves in shared memory.
__global__ void reduce(const int *in, int *out) {
    __shared__ int part[256];
    int t = threadIdx.x;
    part[t] = in[blockIdx.x * 256 + t];
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = part[0];
}

/// The mean of a point and its four neighbours; the edge stays.
__global__ void stencil(const float *in, float *out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
    const float *at = in + y * width + x;
    out[y * width + x] = (at[0] + at[-1] + at[1] + at[-width] + at[width]) * 0.2f;
}

/// The nearest centre of each point, in so many dimensions: coordinates of all points lie together, dimension by dimension.
__global__ void nearest(const int *points, const int *centres, int *of, int n, int dimensions, int k) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int best = 0, least = 0x7fffffff;
    for (int c = 0; c < k; c++) {
        int distance = 0;
        for (int d = 0; d < dimensions; d++) {
            int difference = points[d * n + i] - centres[d * k + c];
            distance += difference * difference;
        }
        if (distance < least) least = distance, best = c;
    }
    of[i] = best;
}

/// TBs of a grid that need what their neighbours to the west and north have written: right only if they wait for each other.
__global__ void wave(int *cells) {
    int width = gridDim.x * blockDim.x, at = blockIdx.y * width + blockIdx.x * blockDim.x + threadIdx.x;
    int west = blockIdx.x ? cells[at - blockDim.x] : 1, north = blockIdx.y ? cells[at - width] : 1;
    cells[at] = (west + north + int(threadIdx.x)) & 0xffff;
}

/// Dependent instructions of one thread, which tell the latencies of a machine: 2,048 of integers (`what` 0), or 1,024 loads, each of the
/// address that the last one has loaded.
__global__ void chain(int *data, int what) {
    int value = data[threadIdx.x];
    if (what == 0)
#pragma unroll 1
        for (int i = 0; i < 128; i++) {
#pragma unroll
            for (int k = 0; k < 8; k++) value = (value ^ 77) + 3;
        }
    else
#pragma unroll 1
        for (int i = 0; i < 1024; i++) value = data[value];
    data[threadIdx.x] = value;
}

/// Numbers that are always the same.
struct Random {
    unsigned long long state = 88172645463325252ull;
    unsigned below(unsigned n) {
        state ^= state << 13, state ^= state >> 7, state ^= state << 17;
        return unsigned(state >> 33) % n;
    }
};

/// An array on the device with these contents.
template <class T> T *device(const std::vector<T> &host) {
    T *memory;
    CHECK(cudaMalloc(&memory, host.size() * sizeof(T)));
    CHECK(cudaMemcpy(memory, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
    return memory;
}

template <class T> std::vector<T> host(const T *memory, size_t n) {
    std::vector<T> copy(n);
    CHECK(cudaMemcpy(copy.data(), memory, n * sizeof(T), cudaMemcpyDeviceToHost));
    return copy;
}

/// Says whether all is as computed on the CPU; sums there are in the same order, but may be fused otherwise.
template <class T> int verdict(const std::vector<T> &got, const std::vector<T> &want) {
    size_t wrong = 0;
    for (size_t i = 0; i < want.size(); i++) {
        double difference = double(got[i]) - double(want[i]);
        wrong += difference > 1e-3 || difference < -1e-3;
    }
    std::printf("checked: %zu of %zu wrong\n", wrong, want.size());
    return wrong != 0;
}

std::vector<float> floats(Random &random, size_t n) {
    std::vector<float> all(n);
    for (float &one : all) one = random.below(1000) / 1000.0f;
    return all;
}

/// 8,192 vertices; each vertex draws 1 to 8 neighbours, two thirds of them among those with low numbers, so that few have very many.
struct Graph {
    std::vector<int> start, edges;

    explicit Graph(Random &random, int vertices) {
        std::set<std::pair<int, int>> arcs;
        for (int from = 1; from < vertices; from++)
            for (int k = random.below(8) + 1; k > 0; k--) {
                int below = random.below(3) ? random.below(from) + 1 : from, to = random.below(below);
                arcs.insert({from, to}), arcs.insert({to, from});
            }
        start.push_back(0);
        for (auto &arc : arcs) {
            while (int(start.size()) <= arc.first) start.push_back(edges.size());
            edges.push_back(arc.second);
        }
        while (int(start.size()) <= vertices) start.push_back(edges.size());
    }
    int vertices() const { return start.size() - 1; }
    int degree(int vertex) const { return start[vertex + 1] - start[vertex]; }
    int widest() const {
        int most = 0;
        for (int vertex = 0; vertex < vertices(); vertex++)
            if (degree(vertex) > degree(most)) most = vertex;
        return most;
    }
    std::vector<int> levels(int source) const {
        std::vector<int> level(vertices(), -1);
        std::queue<int> waiting({source});
        for (level[source] = 0; !waiting.empty(); waiting.pop())
            for (int from = waiting.front(), e = start[from]; e < start[from + 1]; e++)
                if (level[edges[e]] < 0) level[edges[e]] = level[from] + 1, waiting.push(edges[e]);
        return level;
    }
};

int run_vadd(Random &random, int n) {
    std::vector<float> a = floats(random, n), b = floats(random, n), want(n);
    for (int i = 0; i < n; i++) want[i] = a[i] + b[i];
    float *c = device(want);
    CHECK(cudaMemset(c, 0, n * sizeof(float)));
    vadd<<<n / 256, 256>>>(device(a), device(b), c, n);
    return verdict(host(c, n), want);
}

int run_bfs(Random &random, bool scan, int size) {
    Graph graph(random, size);
    const int source = graph.widest();
    std::vector<int> level(graph.vertices(), -1), one(graph.vertices(), source);
    level[source] = 0;
    int *start = device(graph.start), *edges = device(graph.edges), *levels = device(level);
    int *frontier = device(one), *next = device(one), *found = device(std::vector<int>(1));
    for (int depth = 1, vertices = 1; vertices > 0; depth++) {
        CHECK(cudaMemset(found, 0, sizeof(int)));
        if (scan)
            bfs_scan<<<graph.vertices() / 256, 256>>>(start, edges, levels, graph.vertices(), found, depth);
        else
            bfs<<<(vertices + 255) / 256, 256>>>(start, edges, levels, frontier, vertices, next, found, depth);
        vertices = host(found, 1)[0];
        std::swap(frontier, next);
    }
    return verdict(host(levels, graph.vertices()), graph.levels(source));
}

int run_spmv(Random &random, int size) {
    Graph graph(random, size);
    const int rows = graph.vertices();
    std::vector<float> value = floats(random, graph.edges.size()), x = floats(random, rows), want(rows);
    for (int row = 0; row < rows; row++)
        for (int e = graph.start[row]; e < graph.start[row + 1]; e++) want[row] += value[e] * x[graph.edges[e]];
    float *y = device(want);
    CHECK(cudaMemset(y, 0, rows * sizeof(float)));
    spmv<<<rows / 256, 256>>>(device(graph.start), device(graph.edges), device(value), device(x), y, rows);
    return verdict(host(y, rows), want);
}

int run_gemm(Random &random, int n) {
    std::vector<float> a = floats(random, n * n), b = floats(random, n * n), want(n * n);
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++)
            for (int k = 0; k < n; k++) want[y * n + x] += a[y * n + k] * b[k * n + x];
    float *c = device(want);
    CHECK(cudaMemset(c, 0, n * n * sizeof(float)));
    gemm<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(device(a), device(b), c, n);
    return verdict(host(c, n * n), want);
}

int run_reduce(Random &random) {
    const int n = 1 << 16;
    std::vector<int> in(n), want(n / 256);
    for (int i = 0; i < n; i++) want[i / 256] += in[i] = random.below(1000);
    int *out = device(std::vector<int>(n / 256));
    reduce<<<n / 256, 256>>>(device(in), out);
    return verdict(host(out, n / 256), want);
}

int run_stencil(Random &random) {
    const int side = 256;
    std::vector<float> in = floats(random, side * side), want(side * side);
    for (int y = 1; y < side - 1; y++)
        for (int x = 1; x < side - 1; x++) {
            const float *at = &in[y * side + x];
            want[y * side + x] = (at[0] + at[-1] + at[1] + at[-side] + at[side]) * 0.2f;
        }
    float *out = device(std::vector<float>(side * side));
    stencil<<<dim3(side / 32, side / 8), dim3(32, 8)>>>(device(in), out, side, side);
    return verdict(host(out, side * side), want);
}

int run_kmeans(Random &random, int n) {
    const int dimensions = 8, k = 8;
    std::vector<int> points(n * dimensions), centres(k * dimensions), want(n);
    for (int &one : points) one = random.below(1000);
    int *on_device = device(points), *of = device(want);
    std::vector<int> got;
    for (int c = 0; c < k; c++)
        for (int d = 0; d < dimensions; d++) centres[d * k + c] = points[d * n + c];
    for (int turn = 0; turn < 3; turn++) {
        nearest<<<n / 256, 256>>>(on_device, device(centres), of, n, dimensions, k);
        got = host(of, n);
        std::vector<long> sum(k * dimensions), members(k);
        for (int i = 0; i < n; i++) {
            long least = 1l << 60;
            for (int c = 0; c < k; c++) {
                long distance = 0;
                for (int d = 0; d < dimensions; d++) distance += long(points[d * n + i] - centres[d * k + c]) * (points[d * n + i] - centres[d * k + c]);
                if (distance < least) least = distance, want[i] = c;
            }
            members[want[i]]++;
            for (int d = 0; d < dimensions; d++) sum[d * k + want[i]] += points[d * n + i];
        }
        if (got != want) break;
        for (int c = 0; c < k; c++)
            for (int d = 0; members[c] && d < dimensions; d++) centres[d * k + c] = sum[d * k + c] / members[c];
    }
    return verdict(got, want);
}

int run_wave() {
    const int width = 12, height = 8, threads = 64;
    std::vector<int> want(width * height * threads);
    int *cells = device(want);
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++)
            for (int t = 0; t < threads; t++) {
                auto cell = [&](int x, int y) -> int & { return want[(y * width + x) * threads + t]; };
                cell(x, y) = ((x ? cell(x - 1, y) : 1) + (y ? cell(x, y - 1) : 1) + t) & 0xffff;
            }
    wave<<<dim3(width, height), threads>>>(cells);
    return verdict(host(cells, want.size()), want);
}

/// Four products of matrices, each in a stream of its own, so small that several fit the GPU.
int run_streams(Random &random) {
    const int n = 64, streams = 4;
    std::vector<float> a = floats(random, n * n), b = floats(random, n * n), want(streams * n * n);
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            for (int k = 0; k < n; k++) want[y * n + x] += a[y * n + k] * b[k * n + x];
            for (int s = 1; s < streams; s++) want[s * n * n + y * n + x] = want[y * n + x];
        }
    float *c = device(std::vector<float>(streams * n * n)), *left = device(a), *right = device(b);
    for (int s = 0; s < streams; s++) {
        cudaStream_t stream;
        CHECK(cudaStreamCreate(&stream));
        gemm<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE), 0, stream>>>(left, right, c + s * n * n, n);
    }
    CHECK(cudaDeviceSynchronize());
    return verdict(host(c, want.size()), want);
}

int run_chain(int what, int stride, int footprint) {
    std::vector<int> ring(footprint, 0);
    for (int i = 0; i < footprint; i++) ring[i] = what ? (i + stride) % footprint : i;
    int *data = device(ring);
    chain<<<1, 1>>>(data, what);
    return host(data, 1).empty();
}

int main(int argc, char **argv) {
    Random random;
    const char *name = argc > 1 ? argv[1] : "";
    auto number = [&](int i, int otherwise) { return argc > i ? std::atoi(argv[i]) : otherwise; };
    if (!std::strcmp(name, "graph")) {
        Graph graph(random, 8192);
        for (int from = 0; from < graph.vertices(); from++)
            for (int e = graph.start[from]; e < graph.start[from + 1]; e++) std::printf("%d %d\n", from, graph.edges[e]);
        return 0;
    }
    if (!std::strcmp(name, "vadd")) return run_vadd(random, number(2, 1 << 17));
    if (!std::strcmp(name, "bfs")) return run_bfs(random, false, number(2, 8192));
    if (!std::strcmp(name, "bfs-scan")) return run_bfs(random, true, number(2, 8192));
    if (!std::strcmp(name, "spmv")) return run_spmv(random, number(2, 8192));
    if (!std::strcmp(name, "gemm")) return run_gemm(random, number(2, 128));
    if (!std::strcmp(name, "reduce")) return run_reduce(random);
    if (!std::strcmp(name, "stencil")) return run_stencil(random);
    if (!std::strcmp(name, "kmeans")) return run_kmeans(random, number(2, 8192));
    if (!std::strcmp(name, "wave")) return run_wave();
    if (!std::strcmp(name, "streams")) return run_streams(random);
    if (!std::strcmp(name, "chain")) return run_chain(number(2, 0), number(3, 1), number(4, 32));
    std::fprintf(stderr, "usage: kernels vadd | bfs | bfs-scan | spmv | gemm | kmeans [SIZE] | reduce | stencil | wave | streams | chain [WHAT STRIDE WORDS] | graph\n");
    return 2;
}
