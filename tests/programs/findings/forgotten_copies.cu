#include <cstdio>

struct Pair {
    double value;
    int count;
};

__global__ void add(const float* a, const float* b, float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];  //! unwritten_memory: load from b[0], which nobody has written
}

__global__ void half(const float* c, float* out, Pair* pairs) {
    int i = threadIdx.x;
    out[i] = c[i];  //! not_reached: no thread reaches elements 100 to 199 of out
    pairs[i].value = c[i];
    pairs[i].count = i;
}

__global__ void allButTwo(float* some) {
    if (threadIdx.x != 60 && threadIdx.x != 70) some[threadIdx.x] = 1;  //! not_reached: 2 of the 100 elements copied from some, the first of them some[60]
}

__global__ void inner(float* rim) {
    if (threadIdx.x % 10 != 0 && threadIdx.x % 10 != 9) rim[threadIdx.x] = 1;
}

__global__ void bins(int* counts) {
    atomicAdd(&counts[threadIdx.x % 4], 1);  //! unwritten_memory: atomic on counts[0]
}

__global__ void sharedBins(int* counts) {
    __shared__ int local[4];
    atomicAdd(&local[threadIdx.x % 4], 1);  //! uninitialised_shared: atomic on shared local[0]
    __syncthreads();
    if (threadIdx.x < 4) counts[threadIdx.x] = local[threadIdx.x];
}

int main() {
    const int n = 100;
    static float host[2 * n];
    float *a, *b, *c, *out, *never, *some, *rim;
    int* counts;
    Pair* pairs;
    Pair hostPairs[n];
    cudaMalloc(&a, n * sizeof(float));
    cudaMalloc(&b, n * sizeof(float));
    cudaMalloc(&c, n * sizeof(float));
    cudaMalloc(&out, 2 * n * sizeof(float));
    cudaMalloc(&never, n * sizeof(float));
    cudaMalloc(&some, n * sizeof(float));
    cudaMalloc(&rim, n * sizeof(float));
    cudaMalloc(&pairs, n * sizeof(Pair));
    cudaMalloc(&counts, 4 * sizeof(int));
    cudaMemcpy(a, host, n * sizeof(float), cudaMemcpyHostToDevice);
    add<<<1, 128>>>(a, b, c, n);
    cudaMemcpy(host, c, n * sizeof(float), cudaMemcpyDeviceToHost);
    half<<<1, n>>>(c, out, pairs);
    cudaMemcpy(host, out, 2 * n * sizeof(float), cudaMemcpyDeviceToHost);  //! unwritten_memory: the last 100 of the 200 elements copied from out
    cudaMemcpy(hostPairs, pairs, sizeof hostPairs, cudaMemcpyDeviceToHost);
    cudaMemcpy(host, never, n * sizeof(float), cudaMemcpyDeviceToHost);  //! unwritten_memory: none of the 400 bytes copied from never
    allButTwo<<<1, n>>>(some);
    cudaMemcpy(host, some, n * sizeof(float), cudaMemcpyDeviceToHost);
    inner<<<1, n>>>(rim);
    cudaMemcpy(host, rim, n * sizeof(float), cudaMemcpyDeviceToHost);
    bins<<<1, 32>>>(counts);
    cudaMemset(counts, 0, 4 * sizeof(int));
    bins<<<1, 32>>>(counts);
    sharedBins<<<1, 32>>>(counts);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    cudaFree(out);
    cudaFree(never);
    cudaFree(some);
    cudaFree(rim);
    cudaFree(pairs);
    cudaFree(counts);
}
