#include <cmath>
#include <cstdio>
#include <vector>

// What is called brings branches of its own, all at the place of the `if` once it is compiled.
__global__ void choose(const int* v, float* o, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && v[i] % 2 == 0) o[i] = sqrtf(o[i]) * 3 + sinf(o[i]);  //= branch - divergent=8 compiledDivergent=8
    else if (i < n) {
        o[i] = 0;
        for (int k = 0; k < 5; ++k) o[i] += v[i] * k;
    }
}

int main() {
    const int n = 256;
    int* v;
    float* o;
    cudaMalloc(&v, n * sizeof(int));
    cudaMalloc(&o, n * sizeof(float));
    std::vector<int> numbers(n);
    for (int i = 0; i < n; ++i) numbers[i] = i;
    cudaMemcpy(v, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(o, 0, n * sizeof(float));
    choose<<<2, 128>>>(v, o, n);
    std::vector<float> got(n);
    cudaMemcpy(got.data(), o, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(v);
    cudaFree(o);
    for (int i = 0; i < n; ++i)
        if (got[i] != (i % 2 == 0 ? 0 : i * 10.0f)) return 1;
    std::printf("ok\n");
}
