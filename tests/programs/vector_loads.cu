#include <cstdio>

// Sixteen bytes a lane: four times the sectors of a request, a quarter of the requests.
__global__ void scale(const float4* in, float4* out, float by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float4 v = in[i];  //= load in requests=2 sectors=32
    v.x *= by;
    v.y *= by;
    v.z *= by;
    v.w *= by;
    out[i] = v;  //= store out requests=2 sectors=32
}

__global__ void pairs(const int2* in, int* sum) {
    int2 v = in[threadIdx.x];  //= load in requests=1 sectors=8
    sum[threadIdx.x] = v.x + v.y;
}

int main() {
    const int n = 256;
    float h[n], got[n], *in, *out;
    for (int i = 0; i < n; ++i) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    scale<<<1, n / 4>>>((const float4*)in, reinterpret_cast<float4*>(out), 3.0f);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    int p[64], sums[32], *dp, *ds;
    for (int i = 0; i < 64; ++i) p[i] = i;
    cudaMalloc(&dp, sizeof p);
    cudaMalloc(&ds, sizeof sums);
    cudaMemcpy(dp, p, sizeof p, cudaMemcpyHostToDevice);
    pairs<<<1, 32>>>((int2*)dp, ds);
    cudaMemcpy(sums, ds, sizeof sums, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    cudaFree(dp);
    cudaFree(ds);
    for (int i = 0; i < n; ++i) {
        if (got[i] != 3.0f * i) return 1;
    }
    for (int i = 0; i < 32; ++i) {
        if (sums[i] != 4 * i + 1) return 1;
    }
    puts("ok");
}
