#include <cstdio>
#include <vector>

struct Particle {
    float x, y;
    float vx, vy;
    int cell;
};

__global__ void move(Particle* particles, int* inCell, int n, float dt, int cellsAcross) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Particle* p = &particles[i];
    p->x += p->vx * dt;
    p->y += p->vy * dt;
    if (p->x < 0) p->x += cellsAcross;
    if (p->x >= cellsAcross) p->x -= cellsAcross;
    if (p->y < 0) p->y += cellsAcross;
    if (p->y >= cellsAcross) p->y -= cellsAcross;
    p->cell = (int)p->y * cellsAcross + (int)p->x;
    atomicAdd(&inCell[p->cell], 1);
}

int main() {
    const int n = 100, across = 8;
    std::vector<Particle> h(n);
    for (int i = 0; i < n; ++i)
        h[i] = {i % across + 0.5f, i / 13 % across + 0.5f, i % 3 - 1.0f, 1, -1};
    Particle* particles;
    int *inCell, got[across * across], want[across * across] = {};
    cudaMalloc(&particles, n * sizeof(Particle));
    cudaMalloc(&inCell, sizeof got);
    cudaMemset(inCell, 0, sizeof got);
    cudaMemcpy(particles, h.data(), n * sizeof(Particle), cudaMemcpyHostToDevice);
    move<<<2, 64>>>(particles, inCell, n, 1.0f, across);
    cudaMemcpy(h.data(), particles, n * sizeof(Particle), cudaMemcpyDeviceToHost);
    cudaMemcpy(got, inCell, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(particles);
    cudaFree(inCell);
    for (int i = 0; i < n; ++i) {
        int x = (i % across + i % 3 - 1 + across) % across, y = (i / 13 % across + 1) % across;
        if (h[i].cell != y * across + x) return 1;
        ++want[h[i].cell];
    }
    for (int c = 0; c < across * across; ++c) {
        if (got[c] != want[c]) return 1;
    }
    puts("ok");
}
