// Each thread adds up 50 of the values. As it stands they
// are 50 neighbours, so that the lanes of a warp lie 200
// bytes apart: 32 sectors for each load. Make it 4: only
// which values a thread takes is to be changed.
__global__ void sums(const float* in, float* sum, int n) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    int each = n / threads;
    float total = 0;
    for (int i = 0; i < each; ++i) {
        // warplens: sectors_per_request <= 4
        total += in[thread * each + i];
    }
    sum[thread] = total;
}

// From here on nothing is changed.
#include <cstdio>
#include <vector>

int main() {
    const int threads = 1024, n = 50 * threads;
    std::vector<float> in(n), sum(threads);
    double expected = 0, total = 0;
    for (int i = 0; i < n; ++i) expected += in[i] = i % 17;
    float *values, *partial;
    cudaMalloc(&values, n * sizeof(float));
    cudaMalloc(&partial, threads * sizeof(float));
    cudaMemcpy(values, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    sums<<<threads / 128, 128>>>(values, partial, n);
    cudaMemcpy(sum.data(), partial, threads * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(values);
    cudaFree(partial);
    for (float one : sum) total += one;
    if (total == expected) return 0;
    std::fprintf(stderr, "the sums come to %g, not %g\n", total, expected);
    return 1;
}
