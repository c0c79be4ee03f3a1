#include <cstdio>

// Read, all wait, write, all wait: no two threads meet, although two lanes read each word.
__global__ void sums(int* out, const int* in) {
    __shared__ int s[64];
    int t = threadIdx.x;
    int x = in[t];
    s[t] = x;
    s[t + 32] = 0;
    __syncwarp();
    x += s[t + 16];  //= shared_load s requests=1 wavefronts=1
    __syncwarp();
    s[t] = x;
    __syncwarp();
    for (int step = 8; step > 0; step /= 2) {
        x += s[t + step];  //= shared_load s requests=4 wavefronts=4
        __syncwarp();
        s[t] = x;
        __syncwarp();
    }
    out[t] = x;
}

int main() {
    int *in, *out, host[32];
    for (int i = 0; i < 32; ++i) host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof host);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    sums<<<1, 32>>>(out, in);
    cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    if (host[0] != 496) return 1;
    puts("ok");
}
