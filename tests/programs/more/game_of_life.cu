#include <cstdio>
#include <cstring>

const int n = 32;

__global__ void generation(const bool* now, bool* next) {
    int x = threadIdx.x, y = blockIdx.x * blockDim.y + threadIdx.y;
    int alive = 0;
    for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
            if (dx == 0 && dy == 0) continue;
            alive += now[(y + dy + n) % n * n + (x + dx + n) % n];
        }
    }
    bool me = now[y * n + x];
    next[y * n + x] = alive == 3 || (me && alive == 2);
}

int main() {
    bool world[n * n] = {}, got[n * n];
    // A glider comes to the same shape, one further down and right, after four generations.
    const int glider[5][2] = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};
    for (auto& cell : glider) world[cell[1] * n + cell[0]] = true;
    bool *a, *b;
    cudaMalloc(&a, sizeof world);
    cudaMalloc(&b, sizeof world);
    cudaMemcpy(a, world, sizeof world, cudaMemcpyHostToDevice);
    for (int g = 0; g < 2; ++g) {
        generation<<<n / 8, dim3(n, 8)>>>(a, b);
        generation<<<n / 8, dim3(n, 8)>>>(b, a);
    }
    cudaMemcpy(got, a, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(a);
    cudaFree(b);
    bool want[n * n] = {};
    for (auto& cell : glider) want[(cell[1] + 1) * n + cell[0] + 1] = true;
    if (memcmp(got, want, sizeof want) != 0) return 1;
    puts("ok");
}
