// The sum of a block's 512 values. As it stands every warp
// diverges in every iteration. Choose which threads work,
// and what they add, so that a warp diverges only once
// there is less than a warp of work: 5 iterations of 9.
__global__ void sumOfBlock(const float* in, float* out) {
    __shared__ float s[512];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    for (int stride = 1; stride < blockDim.x; stride *= 2) {
        // warplens: divergent <= 40
        if (t % (2 * stride) == 0) {
            s[t] += s[t + stride];
        }
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];  // warplens: allow(divergent-branch) one thread stores the sum
}

// From here on nothing is changed.
#include <cstdio>
#include <vector>

int main() {
    const int blocks = 8, n = blocks * 512;
    std::vector<float> in(n), out(blocks);
    for (int i = 0; i < n; ++i) in[i] = i % 13;
    float *values, *sums;
    cudaMalloc(&values, n * sizeof(float));
    cudaMalloc(&sums, blocks * sizeof(float));
    cudaMemcpy(values, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    sumOfBlock<<<blocks, 512>>>(values, sums);
    cudaMemcpy(out.data(), sums, blocks * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(values);
    cudaFree(sums);
    for (int block = 0; block < blocks; ++block) {
        float expected = 0;
        for (int i = 0; i < 512; ++i) expected += in[block * 512 + i];
        if (out[block] == expected) continue;
        std::fprintf(stderr, "the sum of block %d is %g, not %g\n", block, out[block], expected);
        return 1;
    }
}
