#include <cstdio>
#include <vector>

__global__ void reduce(const long long* in, long long* out, int n) {
    __shared__ long long s[64];
    int i = blockIdx.x * 64 + threadIdx.x;
    s[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    for (int k = 32; k > 0; k >>= 1) {
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

int main() {
    const int n = 3000;
    std::vector<long long> h(n);
    long long want = 0, got;
    for (int i = 0; i < n; ++i) want += h[i] = 1000000007LL * i;
    long long *a, *b;
    cudaMalloc(&a, n * sizeof(long long));
    cudaMalloc(&b, n * sizeof(long long));
    cudaMemcpy(a, h.data(), n * sizeof(long long), cudaMemcpyHostToDevice);
    int left = n;
    while (left > 1) {
        int blocks = (left + 63) / 64;
        reduce<<<blocks, 64>>>(a, b, left);
        long long* keep = a;
        a = b;
        b = keep;
        left = blocks;
    }
    cudaMemcpy(&got, a, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(a);
    cudaFree(b);
    if (got != want) return 1;
    puts("ok");
}
