#include <cstdio>

// Eight groups of lanes leave the loop one after the other, and lane 31 the kernel. Those that are left
// meet again behind the loop.
__global__ void counted(int* out, const int* in) {
    int t = threadIdx.x;
    int sum = 0;
    for (int i = 0; i <= t % 8; ++i) {
        if (in[t] < 0) return;  //= load in requests=8 sectors=31
        sum += i;
    }
    out[t] = sum;  //= store out requests=1 sectors=4
}

// The same with break, which is no other work.
__global__ void broken(int* out, const int* in) {
    int t = threadIdx.x;
    int sum = 0;
    for (int i = 0; i <= t % 8; ++i) {
        if (in[t] < 0) break;
        sum += i;
    }
    out[t] = sum + 1;  //= store out requests=1 sectors=4
}

int main() {
    int *in, *out, host[32];
    for (int i = 0; i < 32; ++i) host[i] = i == 31 ? -1 : i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof host);
    counted<<<1, 32>>>(out, in);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    if (host[7] != 28 || host[31] != 0) return 1;
    broken<<<1, 32>>>(out, in);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    if (host[7] != 29 || host[31] != 1) return 1;
    cudaFree(in);
    cudaFree(out);
    puts("ok");
}
