#include <cstdio>
#include <vector>

// Two columns of threads, one tile: read along rows, written along rows.
__global__ void transpose(const float* in, float* out, int n) {
    __shared__ float tile[32][32];
    int x = blockIdx.x * 32 + threadIdx.x;
    int y = blockIdx.y * 32 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x];  //= shared_store tile requests=128 wavefronts=128
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    out[y * n + x] = tile[threadIdx.x][threadIdx.y];  //= shared_load tile requests=128 wavefronts=4096 //= store out requests=128 sectors=512
}

int main() {
    const int n = 64;
    std::vector<float> h(n * n), t(n * n);
    for (int i = 0; i < n * n; ++i) h[i] = i;
    float *in, *out;
    cudaMalloc(&in, n * n * sizeof(float));
    cudaMalloc(&out, n * n * sizeof(float));
    cudaMemcpy(in, h.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
    transpose<<<dim3(2, 2), dim3(32, 32)>>>(in, out, n);
    cudaMemcpy(t.data(), out, n * n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    for (int r = 0; r < n; ++r) {
        for (int c = 0; c < n; ++c) {
            if (t[r * n + c] != h[c * n + r]) return 1;
        }
    }
    puts("ok");
}
