// However many blocks there are, they are to do all of the
// work: the grid is what suits a GPU, not what the data
// has. As it stands the kernel is right for 40 blocks only.
// Let each thread go on to further values.
__global__ void twice(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = 2 * in[i];
}

// From here on nothing is changed.
#include <cstdio>
#include <vector>

int main() {
    const int n = 10000;
    std::vector<float> in(n), out(n);
    for (int i = 0; i < n; ++i) in[i] = i;
    float *from, *to;
    cudaMalloc(&from, n * sizeof(float));
    cudaMalloc(&to, n * sizeof(float));
    cudaMemcpy(from, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    bool right = true;
    for (int blocks : {1, 7, 40, 132}) {
        cudaMemset(to, 0, n * sizeof(float));
        twice<<<blocks, 256>>>(from, to, n);
        cudaMemcpy(out.data(), to, n * sizeof(float), cudaMemcpyDeviceToHost);
        int wrong = 0;
        for (int i = 0; i < n; ++i) wrong += out[i] != 2 * in[i];
        if (wrong == 0) continue;
        std::fprintf(stderr, "with %d blocks %d values are not right\n", blocks, wrong);
        right = false;
    }
    cudaFree(from);
    cudaFree(to);
    return right ? 0 : 1;
}
