#include <cstdio>
#include <vector>

__global__ void sum(const int* in, int* sums) {
    extern __shared__ int part[];
    int t = threadIdx.x;
    part[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int s = 1; s < blockDim.x; s *= 2) {
        if (t % (2 * s) == 0)       //= branch - requests=48 divergent=44
            part[t] += part[t + s];
        __syncthreads();
    }
    if (t == 0) sums[blockIdx.x] = part[0];  //= store sums requests=4 sectors=4
}

int main() {
    const int n = 4 * 64;
    std::vector<int> h(n, 3);
    int *in, *sums, got[4];
    cudaMalloc(&in, n * sizeof(int));
    cudaMalloc(&sums, sizeof got);
    cudaMemcpy(in, h.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    sum<<<4, 64, 64 * sizeof(int)>>>(in, sums);
    cudaMemcpy(got, sums, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(sums);
    for (int g : got) {
        if (g != 64 * 3) return 1;
    }
    puts("ok");
}
