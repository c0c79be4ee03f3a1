#include <cstdio>

// As CUDA's guide has it for devices without one: what is loaded first may be old, the comparison
// finds out.
__device__ double addTo(double* address, double value) {
    auto* bits = (unsigned long long*)address;
    unsigned long long old = *bits, assumed;  //= load total requests=6 sectors=6
    do {
        assumed = old;
        old = atomicCAS(bits, assumed,
                        __double_as_longlong(value + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__global__ void sum(const double* in, double* total) {
    addTo(total, in[blockIdx.x * blockDim.x + threadIdx.x]);  //= load in requests=6 sectors=48
}

int main() {
    const int n = 192;
    double h[n], got, want = 0, *in, *total;
    for (int i = 0; i < n; ++i) want += h[i] = i * 37 % 101;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&total, sizeof got);
    cudaMemset(total, 0, sizeof got);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    sum<<<2, 96>>>(in, total);
    cudaMemcpy(&got, total, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(total);
    if (got != want) return 1;
    puts("ok");
}
