#include <cstdio>

template <class F>
__device__ void forEach(int n, F f) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) f(i);
}

__global__ void squares(int* out, int n, int shift) {
    forEach(n, [=](int i) { out[i] = i * i + shift; });
    __syncthreads();
    auto half = [&](int i) { out[i] /= 2; };
    forEach(n, half);
}

int main() {
    const int n = 90;
    int got[n], *out;
    cudaMalloc(&out, sizeof got);
    squares<<<1, 32>>>(out, n, 4);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(out);
    for (int i = 0; i < n; ++i) {
        if (got[i] != (i * i + 4) / 2) return 1;
    }
    puts("ok");
}
