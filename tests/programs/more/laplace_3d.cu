#include <cstdio>
#include <vector>

__host__ __device__ inline int at(int x, int y, int z, int n) {
    return (z * n + y) * n + x;
}

__global__ void laplace(const int* in, int* out, int n) {
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
    int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    int z = blockIdx.z * blockDim.z + threadIdx.z + 1;
    if (x >= n - 1 || y >= n - 1 || z >= n - 1) return;
    out[at(x, y, z, n)] = in[at(x - 1, y, z, n)] + in[at(x + 1, y, z, n)] + in[at(x, y - 1, z, n)] +
                          in[at(x, y + 1, z, n)] + in[at(x, y, z - 1, n)] + in[at(x, y, z + 1, n)] -
                          6 * in[at(x, y, z, n)];
}

int main() {
    const int n = 12;
    std::vector<int> h(n * n * n), got(n * n * n);
    for (size_t i = 0; i < h.size(); ++i) h[i] = i * i % 31;
    int *in, *out;
    cudaMalloc(&in, h.size() * sizeof(int));
    cudaMalloc(&out, h.size() * sizeof(int));
    cudaMemset(out, 0, h.size() * sizeof(int));
    cudaMemcpy(in, h.data(), h.size() * sizeof(int), cudaMemcpyHostToDevice);
    laplace<<<dim3(2, 3, 2), dim3(8, 4, 6)>>>(in, out, n);
    cudaMemcpy(got.data(), out, h.size() * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    for (int z = 1; z < n - 1; ++z) {
        for (int y = 1; y < n - 1; ++y) {
            for (int x = 1; x < n - 1; ++x) {
                int want = -6 * h[at(x, y, z, n)];
                for (int d = -1; d <= 1; d += 2) {
                    want += h[at(x + d, y, z, n)] + h[at(x, y + d, z, n)] + h[at(x, y, z + d, n)];
                }
                if (got[at(x, y, z, n)] != want) return 1;
            }
        }
    }
    puts("ok");
}
