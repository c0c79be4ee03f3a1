#include <algorithm>
#include <cstdio>

// Where a number belongs is how many are smaller; all threads read the same element at a time.
__global__ void rankSort(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float me = in[i];
    int rank = 0;
    for (int k = 0; k < n; ++k) {
        float other = in[k];
        rank += other < me || (other == me && k < i);
    }
    out[rank] = me;
}

int main() {
    const int n = 100;
    float h[n], got[n], *in, *out;
    for (int i = 0; i < n; ++i) h[i] = i * 17 % 23;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    rankSort<<<4, 32>>>(in, out, n);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    std::sort(h, h + n);
    if (!std::equal(h, h + n, got)) return 1;
    puts("ok");
}
