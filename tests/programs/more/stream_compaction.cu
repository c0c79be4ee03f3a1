#include <algorithm>
#include <cstdio>
#include <vector>

// Lanes that keep their number find their place by a ballot; one of them asks for room for all.
__global__ void positive(const int* in, int* out, int* kept, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int value = i < n ? in[i] : 0;
    unsigned keep = __ballot_sync(0xffffffffu, value > 0);
    int lane = threadIdx.x & 31;
    int begin = 0;
    if (lane == 0 && keep != 0) begin = atomicAdd(kept, __popc(keep));
    begin = __shfl_sync(0xffffffffu, begin, 0);
    if (value > 0) out[begin + __popc(keep & ((1u << lane) - 1))] = value;
}

int main() {
    const int n = 300;
    std::vector<int> h(n), want, got(n);
    for (int i = 0; i < n; ++i) {
        h[i] = i * 31 % 13 - 6;
        if (h[i] > 0) want.push_back(h[i]);
    }
    int *in, *out, *kept, count = 0;
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&out, n * sizeof(int));
    cudaMalloc(&kept, sizeof(int));
    cudaMemset(kept, 0, sizeof(int));
    cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    positive<<<(n + 127) / 128, 128>>>(in, out, kept, n);
    cudaMemcpy(&count, kept, sizeof count, cudaMemcpyDeviceToHost);
    if (count != (int)want.size()) return 1;
    got.resize(count);
    cudaMemcpy(got.data(), out, count * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    cudaFree(kept);
    std::sort(got.begin(), got.end());
    std::sort(want.begin(), want.end());
    if (got != want) return 1;
    puts("ok");
}
