#include <cstdio>

// All threads of one block count in one word: what is left depends on who writes last.
__global__ void counts(int* b) {
    b[0]++;  //= load b requests=2 sectors=2 //= store b requests=2 sectors=2 //! global_race
}

__global__ void countsOneByOne(int* c) {
    atomicAdd(&c[0], 1);
}

int main() {
    int *b, host;
    cudaMalloc(&b, sizeof(int));
    cudaMemset(b, 0, sizeof(int));
    counts<<<1, 64>>>(b);
    cudaMemset(b, 0, sizeof(int));
    countsOneByOne<<<1, 64>>>(b);
    cudaMemcpy(&host, b, sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(b);
    if (host != 64) return 1;
    puts("ok");
}
