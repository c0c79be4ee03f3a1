#include <algorithm>
#include <cstdio>

const int n = 64;

// One block: for each bit, those without it go to the front, in order.
__global__ void radixSort(unsigned* data, int bits) {
    __shared__ unsigned keys[n];
    __shared__ int before[n];
    int t = threadIdx.x;
    keys[t] = data[t];
    __syncthreads();
    for (int bit = 0; bit < bits; ++bit) {
        unsigned key = keys[t];
        int zero = !(key >> bit & 1u);
        before[t] = zero;
        __syncthreads();
        int zeros = __syncthreads_count(zero);
        int rank = 0;
        for (int k = 0; k < t; ++k) rank += before[k];
        int place = zero ? rank : zeros + t - rank;
        __syncthreads();
        keys[place] = key;
        __syncthreads();
    }
    data[t] = keys[t];
}

int main() {
    unsigned h[n], got[n], *data;
    for (int i = 0; i < n; ++i) h[i] = i * 97 % 61;
    cudaMalloc(&data, sizeof h);
    cudaMemcpy(data, h, sizeof h, cudaMemcpyHostToDevice);
    radixSort<<<1, n>>>(data, 6);
    cudaMemcpy(got, data, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(data);
    std::sort(h, h + n);
    if (!std::equal(h, h + n, got)) return 1;
    puts("ok");
}
