#include <cstdio>

const int n = 24;

// Forward substitution by one block: one unknown after another, each thread keeps its own row.
__global__ void solve(const float* lower, const float* rhs, float* x) {
    __shared__ float known[n];
    int row = threadIdx.x;
    float rest = rhs[row];
    for (int k = 0; k < n; ++k) {
        if (row == k) known[k] = rest / lower[k * n + k];
        __syncthreads();
        if (row > k) rest -= lower[row * n + k] * known[k];
    }
    x[row] = known[row];
}

int main() {
    float lower[n * n] = {}, want[n], rhs[n], got[n];
    for (int i = 0; i < n; ++i) {
        want[i] = i % 5 - 2;
        rhs[i] = 0;
        for (int k = 0; k <= i; ++k) {
            lower[i * n + k] = k == i ? 2.0f : (i + k) % 3;
            rhs[i] += lower[i * n + k] * (k % 5 - 2);
        }
    }
    float *dl, *dr, *dx;
    cudaMalloc(&dl, sizeof lower);
    cudaMalloc(&dr, sizeof rhs);
    cudaMalloc(&dx, sizeof got);
    cudaMemcpy(dl, lower, sizeof lower, cudaMemcpyHostToDevice);
    cudaMemcpy(dr, rhs, sizeof rhs, cudaMemcpyHostToDevice);
    solve<<<1, n>>>(dl, dr, dx);
    cudaMemcpy(got, dx, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(dl);
    cudaFree(dr);
    cudaFree(dx);
    for (int i = 0; i < n; ++i) {
        if (got[i] != want[i]) return 1;
    }
    puts("ok");
}
