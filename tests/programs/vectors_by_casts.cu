#include <cstdio>

// Vectors in arrays of numbers: a copy is one request, though debug code moves it by parts. What is
// written as two accesses is two.
__global__ void pairs(const float* in, float* out) {
    const int i = threadIdx.x;
    const float2 v = ((const float2*)in)[i];  //= load in requests=1 sectors=8
    ((float2*)out)[i] = make_float2(v.x, v.y + 1);  //= store out requests=1 sectors=8
}

__global__ void fours(const float* in, float* out) {
    const int i = threadIdx.x;
    const float4 v = reinterpret_cast<const float4*>(in)[i];  //= load in requests=1 sectors=16
    reinterpret_cast<float4*>(out)[i] = make_float4(v.w, v.z, v.y, v.x);  //= store out requests=1 sectors=16
}

__global__ void numbers(const float* in, float* out) {
    const float* two = in + 2 * threadIdx.x;
    out[threadIdx.x] = two[1] + two[0];  //= load in requests=2 sectors=16
}

int main() {
    float h[128], got[128], *in, *out;
    for (int i = 0; i < 128; ++i) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    pairs<<<1, 32>>>(in, out);
    cudaMemcpy(got, out, sizeof h / 2, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; ++i) {
        if (got[i] != i + i % 2) return 1;
    }
    fours<<<1, 32>>>(in, out);
    cudaMemcpy(got, out, sizeof h, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 128; ++i) {
        if (got[i] != i / 4 * 4 + 3 - i % 4) return 1;
    }
    numbers<<<1, 32>>>(in, out);
    cudaMemcpy(got, out, sizeof h / 4, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; ++i) {
        if (got[i] != 4 * i + 1) return 1;
    }
    cudaFree(in);
    cudaFree(out);
    puts("ok");
}
