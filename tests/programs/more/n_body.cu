#include <cmath>
#include <cstdio>
#include <vector>

const int tile = 32;

// All bodies pull at each; a tile of them at a time lies in shared memory.
__global__ void pulls(const float4* body, float3* pull, int n) {
    __shared__ float4 near[tile];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 me = body[i];
    float3 sum = make_float3(0, 0, 0);
    for (int t = 0; t < n / tile; ++t) {
        near[threadIdx.x] = body[t * tile + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < tile; ++k) {
            float4 o = near[k];
            float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
            float d2 = dx * dx + dy * dy + dz * dz + 0.01f;
            float s = o.w * rsqrtf(d2) / d2;
            sum.x += dx * s;
            sum.y += dy * s;
            sum.z += dz * s;
        }
        __syncthreads();
    }
    pull[i] = sum;
}

int main() {
    const int n = 64;
    std::vector<float4> h(n);
    std::vector<float3> got(n);
    for (int i = 0; i < n; ++i) h[i] = make_float4(i % 4, i / 4 % 4, i / 16, 1 + i % 2);
    float4* body;
    float3* pull;
    cudaMalloc(&body, n * sizeof(float4));
    cudaMalloc(&pull, n * sizeof(float3));
    cudaMemcpy(body, h.data(), n * sizeof(float4), cudaMemcpyHostToDevice);
    pulls<<<n / tile, tile>>>(body, pull, n);
    cudaMemcpy(got.data(), pull, n * sizeof(float3), cudaMemcpyDeviceToHost);
    cudaFree(body);
    cudaFree(pull);
    for (int i = 0; i < n; ++i) {
        double x = 0, y = 0, z = 0;
        for (int k = 0; k < n; ++k) {
            double dx = h[k].x - h[i].x, dy = h[k].y - h[i].y, dz = h[k].z - h[i].z;
            double d2 = dx * dx + dy * dy + dz * dz + 0.01;
            double s = h[k].w / (std::sqrt(d2) * d2);
            x += dx * s;
            y += dy * s;
            z += dz * s;
        }
        if (std::fabs(x - got[i].x) + std::fabs(y - got[i].y) + std::fabs(z - got[i].z) > 1e-3) {
            return 1;
        }
    }
    puts("ok");
}
