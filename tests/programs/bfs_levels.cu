#include <cstdio>
#include <queue>
#include <vector>

// A level of the search is a launch; the host asks whether there was anything new.
__global__ void expand(const int* begin, const int* to, const int* level, int* next, int now,
                       int* found, int nodes) {
    int node = blockIdx.x * blockDim.x + threadIdx.x;
    if (node >= nodes || level[node] != now) return;
    for (int e = begin[node]; e < begin[node + 1]; ++e) {
        if (atomicCAS(&next[to[e]], -1, now + 1) == -1) atomicExch(found, 1);
    }
}

int main() {
    const int nodes = 60;
    std::vector<int> begin{0}, to;
    for (int v = 0; v < nodes; ++v) {
        if (2 * v + 1 < nodes) to.push_back(2 * v + 1);
        if (v % 3 == 0) to.push_back((v + 11) % nodes);
        if (v > 0) to.push_back(v - 1);
        begin.push_back((int)to.size());
    }
    std::vector<int> level(nodes, -1), want = level, got(nodes);
    level[5] = want[5] = 0;
    std::queue<int> open;
    for (open.push(5); !open.empty(); open.pop()) {
        int v = open.front();
        for (int e = begin[v]; e < begin[v + 1]; ++e) {
            if (want[to[e]] != -1) continue;
            want[to[e]] = want[v] + 1;
            open.push(to[e]);
        }
    }
    int *dbegin, *dto, *dlevel, *dnext, *dfound;
    cudaMalloc(&dbegin, begin.size() * sizeof(int));
    cudaMalloc(&dto, to.size() * sizeof(int));
    cudaMalloc(&dlevel, nodes * sizeof(int));
    cudaMalloc(&dnext, nodes * sizeof(int));
    cudaMalloc(&dfound, sizeof(int));
    cudaMemcpy(dbegin, begin.data(), begin.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(dto, to.data(), to.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(dlevel, level.data(), nodes * sizeof(int), cudaMemcpyHostToDevice);
    for (int now = 0, found = 1; found; ++now) {
        cudaMemset(dfound, 0, sizeof(int));
        cudaMemcpy(dnext, dlevel, nodes * sizeof(int), cudaMemcpyDeviceToDevice);
        expand<<<2, 32>>>(dbegin, dto, dlevel, dnext, now, dfound, nodes);
        cudaMemcpy(dlevel, dnext, nodes * sizeof(int), cudaMemcpyDeviceToDevice);
        cudaMemcpy(&found, dfound, sizeof(int), cudaMemcpyDeviceToHost);
    }
    cudaMemcpy(got.data(), dlevel, nodes * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(dbegin);
    cudaFree(dto);
    cudaFree(dlevel);
    cudaFree(dnext);
    cudaFree(dfound);
    if (got != want) return 1;
    puts("ok");
}
