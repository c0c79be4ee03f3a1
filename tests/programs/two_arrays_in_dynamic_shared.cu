#include <cstdio>

// One piece of dynamic shared memory, cut in two: keys and values.
__global__ void reverseBoth(int* keys, double* values, int n) {
    extern __shared__ double room[];
    double* v = room;
    int* k = (int*)&room[n];
    int t = threadIdx.x;
    v[t] = values[t];
    k[t] = keys[t];
    __syncthreads();
    values[t] = v[n - 1 - t];
    keys[t] = k[n - 1 - t];
}

int main() {
    const int n = 48;
    int keys[n], *dk;
    double values[n], *dv;
    for (int i = 0; i < n; ++i) {
        keys[i] = i;
        values[i] = 0.25 * i;
    }
    cudaMalloc(&dk, sizeof keys);
    cudaMalloc(&dv, sizeof values);
    cudaMemcpy(dk, keys, sizeof keys, cudaMemcpyHostToDevice);
    cudaMemcpy(dv, values, sizeof values, cudaMemcpyHostToDevice);
    reverseBoth<<<1, n, n*(sizeof(double) + sizeof(int))>>>(dk, dv, n);
    cudaMemcpy(keys, dk, sizeof keys, cudaMemcpyDeviceToHost);
    cudaMemcpy(values, dv, sizeof values, cudaMemcpyDeviceToHost);
    cudaFree(dk);
    cudaFree(dv);
    for (int i = 0; i < n; ++i) {
        if (keys[i] != n - 1 - i || values[i] != 0.25 * (n - 1 - i)) return 1;
    }
    puts("ok");
}
