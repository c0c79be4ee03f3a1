#include <cstdio>

__global__ void lanes(unsigned* a) {
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    a[threadIdx.x] = lane;  //= store a requests=2 sectors=8
}

int main() {
    unsigned* a;
    cudaMalloc(&a, 64 * sizeof(unsigned));
    lanes<<<1, 64>>>(a);
    unsigned got[64];
    cudaMemcpy(got, a, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(a);
    for (unsigned i = 0; i < 64; ++i) {
        if (got[i] != i % 32) return 1;
    }
    puts("ok");
}
