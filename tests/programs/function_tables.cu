#include <cstdio>

// Functions that only a variable of the device names are the device's, too.
__device__ float near(const float* a) {
    return a[threadIdx.x];  //= load a requests=1 sectors=4
}
__device__ float far(const float* a) {
    return a[2 * threadIdx.x];  //= load a requests=3 sectors=24
}
typedef float (*Choice)(const float*);
__device__ Choice choices[2] = {near, far};
__constant__ Choice one = far;

__global__ void add(const float* a, float* b) {
    int i = threadIdx.x;
    b[i] = choices[1](a) + one(a) + choices[i % 2](a);  //= load choices requests=2 sectors=2 //= store b requests=1 sectors=4
}

int main() {
    float in[64], got[32], *a, *b;
    for (int i = 0; i < 64; ++i) in[i] = i;
    cudaMalloc(&a, sizeof in);
    cudaMalloc(&b, sizeof got);
    cudaMemcpy(a, in, sizeof in, cudaMemcpyHostToDevice);
    add<<<1, 32>>>(a, b);
    cudaMemcpy(got, b, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(a);
    cudaFree(b);
    for (int i = 0; i < 32; ++i) {
        if (got[i] != 4 * i + (i % 2 ? 2 * i : i)) return 1;
    }
    puts("ok");
}
