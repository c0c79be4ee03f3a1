#include "clang_cuda.h"

struct alignas(16) Body {
    float x, y, z, mass;
};

__device__ int depth(int n) {
    return n < 2 ? n : depth(n - 1) + depth(n - 2);
}

// Distances to the first body times Fibonacci numbers, of doubles and of floats.
__global__ void bodies(const Body* in, double* out, int n) {
    const int i = blockX * threadsX + threadX;
    if (i >= n) return;
    const Body me = in[i], first = in[0];
    const float dx = me.x - first.x, dy = me.y - first.y, dz = me.z - first.z;
    double sum = 0;
    for (int k = 0; k < 4; ++k) sum += __nvvm_sqrt_rn_d(double(dx * dx + dy * dy) + dz * dz) * (k + 1);
    out[i] = sum * depth(i % 7) + me.mass;
}
