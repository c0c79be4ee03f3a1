#include <cstdio>
#include <vector>

const int threads = 128;

// Each block sums its products in shared memory; the host adds the blocks' sums.
__global__ void dot(const int* a, const int* b, int* sums, int n) {
    __shared__ int cache[threads];
    int sum = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
        sum += a[i] * b[i];
    }
    cache[threadIdx.x] = sum;
    __syncthreads();
    for (int half = blockDim.x / 2; half != 0; half /= 2) {
        if (threadIdx.x < half) cache[threadIdx.x] += cache[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0) sums[blockIdx.x] = cache[0];
}

int main() {
    const int n = 1000, blocks = 3;
    std::vector<int> a(n), b(n), sums(blocks);
    int expected = 0;
    for (int i = 0; i < n; ++i) {
        a[i] = i % 13;
        b[i] = i % 7 - 3;
        expected += a[i] * b[i];
    }
    int *da, *db, *ds;
    cudaMalloc(&da, n * sizeof(int));
    cudaMalloc(&db, n * sizeof(int));
    cudaMalloc(&ds, blocks * sizeof(int));
    cudaMemcpy(da, a.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    dot<<<blocks, threads>>>(da, db, ds, n);
    cudaMemcpy(sums.data(), ds, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(da);
    cudaFree(db);
    cudaFree(ds);
    if (sums[0] + sums[1] + sums[2] != expected) return 1;
    puts("ok");
}
