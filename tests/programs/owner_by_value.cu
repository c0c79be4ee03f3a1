#include <cstdio>

// An object that owns memory, handed over by value: each thread has one of its own to change, and the
// host's copy frees the memory when the launch is done.
struct Counter {
    int* count;
    int step = 0;
    Counter() {
        cudaMalloc(&count, sizeof(int));
        cudaMemset(count, 0, sizeof(int));
    }
    ~Counter() { cudaFree(count); }
    __device__ int next() { return atomicAdd(count, ++step); }
};

__global__ void number(Counter counter, int* taken) {
    int mine = counter.next();
    taken[mine] = threadIdx.x;  //= store taken requests=4 sectors=16
}

int main() {
    int h[128], sum = 0, *taken;
    cudaMalloc(&taken, sizeof h);
    {
        Counter& counter = *new Counter;  // which is never destroyed
        number<<<2, 64>>>(counter, taken);
        cudaPointerAttributes late;
        if (cudaPointerGetAttributes(&late, counter.count) == cudaSuccess && late.type == cudaMemoryTypeDevice) return 1;
    }
    cudaGetLastError();
    cudaMemcpy(h, taken, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(taken);
    for (int i = 0; i < 128; ++i) sum += h[i];
    if (sum != 2 * 63 * 64 / 2) return 2;
    puts("ok");
}
