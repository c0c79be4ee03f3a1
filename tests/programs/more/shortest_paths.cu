#include <algorithm>
#include <cstdio>
#include <vector>

struct Edge {
    int from, to, length;
};

__global__ void relax(const Edge* edges, int count, const int* from, int* to) {
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= count) return;
    Edge edge = edges[e];
    int before = from[edge.from];
    if (before != INT_MAX) atomicMin(&to[edge.to], before + edge.length);
}

int main() {
    const int nodes = 16;
    std::vector<Edge> edges;
    for (int v = 0; v < nodes; ++v) {
        edges.push_back({v, (v + 1) % nodes, 4});
        edges.push_back({v, (v * 3 + 2) % nodes, 7});
    }
    std::vector<int> want(nodes, INT_MAX), got(nodes);
    want[0] = 0;
    for (int round = 0; round < nodes; ++round) {
        for (const Edge& e : edges) {
            if (want[e.from] != INT_MAX) want[e.to] = std::min(want[e.to], want[e.from] + e.length);
        }
    }
    std::vector<int> start(nodes, INT_MAX);
    start[0] = 0;
    Edge* de;
    int *a, *b;
    cudaMalloc(&de, edges.size() * sizeof(Edge));
    cudaMalloc(&a, nodes * sizeof(int));
    cudaMalloc(&b, nodes * sizeof(int));
    cudaMemcpy(de, edges.data(), edges.size() * sizeof(Edge), cudaMemcpyHostToDevice);
    cudaMemcpy(a, start.data(), nodes * sizeof(int), cudaMemcpyHostToDevice);
    for (int round = 0; round < nodes; ++round) {
        cudaMemcpy(b, a, nodes * sizeof(int), cudaMemcpyDeviceToDevice);
        relax<<<1, 32>>>(de, (int)edges.size(), a, b);
        std::swap(a, b);
    }
    cudaMemcpy(got.data(), a, nodes * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(de);
    cudaFree(a);
    cudaFree(b);
    if (got != want) return 1;
    puts("ok");
}
