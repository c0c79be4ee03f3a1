#include <cstdio>
#include <cstring>

__global__ void fill(int* a, int value) { a[threadIdx.x] = value; }

// What is written over several lines stays so: what follows keeps its lines.
void fillTwice(int* a) {
    fill
        <<<1, 32>>>
        (a, 3);
    int value = 7;
    void* arguments[] = {&a, &value};
    cudaLaunchKernel((
                         const void*)fill,
                     dim3(1), dim3(32), arguments, 0, 0);
}

__device__ void copy(int* to, const int* from) {
    memcpy
        (to, from, sizeof *to);
}

__global__ void add(int* a, const int* b) {
    int one;
    copy(&one, b);
    a[threadIdx.x] += one;  //= load a requests=1 sectors=4 //= store a requests=1 sectors=4
}

int main() {
    int h[32], *a, *b;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&b, sizeof *b);
    cudaMemset(b, 0, sizeof *b);
    fillTwice(a);
    add<<<1, 32>>>(a, b);
    cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(a);
    cudaFree(b);
    for (int v : h) {
        if (v != 7) return 1;
    }
    puts("ok");
}
