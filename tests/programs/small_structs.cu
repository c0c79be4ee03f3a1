#include <cstdio>

// Structs of 2 to 8 bytes as results of calls and as arguments: each is one request.
struct Two {
    char a, b;
};
struct Six {
    short a, b, c;
};

__device__ Two two(int t) { return {char(t), 1}; }
__device__ Six six(int t) { return {short(t), 1, 2}; }
__device__ int sum(Two v) { return v.a + v.b; }
__device__ int sum(uchar4 v) { return v.x + v.y + v.z + v.w; }
__device__ float sum(float2 v) { return v.x + v.y; }
__device__ float2 kept[32];

__global__ void results(float2* out, int* sums) {
    __shared__ float2 pair[32];
    __shared__ uchar4 color[32];
    __shared__ short2 step[32];
    __shared__ Two two_s[32];
    __shared__ Six six_s[32];
    int t = threadIdx.x;
    pair[t] = make_float2(t, 1);  //= shared_store pair requests=1 wavefronts=2
    color[t] = make_uchar4(t, 1, 2, 3);  //= shared_store color requests=1 wavefronts=1
    step[t] = make_short2(t, 1);  //= shared_store step requests=1 wavefronts=1
    two_s[t] = two(t);  //= shared_store two_s requests=2 wavefronts=2
    six_s[t] = six(t);  //= shared_store six_s requests=3 wavefronts=6
    kept[t] = make_float2(t, 2);  //= store kept requests=1 sectors=8
    out[t] = make_float2(t, 3);  //= store out requests=1 sectors=8
    __syncthreads();
    float a = sum(pair[31 - t]);  //= shared_load pair requests=1 wavefronts=2
    int b = sum(color[31 - t]);  //= shared_load color requests=1 wavefronts=1
    int c = sum(two_s[31 - t]);  //= shared_load two_s requests=2 wavefronts=2
    float d = sum(kept[t]);  //= load kept requests=1 sectors=8
    sums[t] = int(a) + b + c + int(d) + step[31 - t].y + six_s[31 - t].c;  //= shared_load step requests=1 wavefronts=1 //= shared_load six_s requests=1 wavefronts=2
}

int main() {
    float2* out;
    int* sums;
    cudaMalloc(&out, 32 * sizeof(float2));
    cudaMalloc(&sums, 32 * sizeof(int));
    results<<<1, 32>>>(out, sums);
    int host[32];
    cudaMemcpy(host, sums, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(out);
    cudaFree(sums);
    for (int t = 0; t < 32; ++t) {
        const int other = 31 - t;
        if (host[t] != other + 1 + other + 6 + other + 1 + t + 2 + 1 + 2) return 1;
    }
    puts("ok");
}
