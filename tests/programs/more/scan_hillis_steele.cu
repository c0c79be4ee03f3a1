#include <cstdio>

const int n = 128;

// Two buffers in dynamic shared memory, exchanged at each step.
__global__ void scan(int* data) {
    extern __shared__ int temp[];
    int me = threadIdx.x, in = 0, out = 1;
    temp[me] = data[me];
    __syncthreads();
    for (int offset = 1; offset < n; offset *= 2) {
        if (me >= offset) {
            temp[out * n + me] = temp[in * n + me] + temp[in * n + me - offset];
        } else {
            temp[out * n + me] = temp[in * n + me];
        }
        __syncthreads();
        in = 1 - in;
        out = 1 - out;
    }
    data[me] = temp[in * n + me];
}

int main() {
    int h[n], *data;
    for (int i = 0; i < n; ++i) h[i] = i % 10;
    cudaMalloc(&data, sizeof h);
    cudaMemcpy(data, h, sizeof h, cudaMemcpyHostToDevice);
    scan<<<1, n, 2 * n * sizeof(int)>>>(data);
    int got[n];
    cudaMemcpy(got, data, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(data);
    for (int i = 0, sum = 0; i < n; ++i) {
        sum += h[i];
        if (got[i] != sum) return 1;
    }
    puts("ok");
}
