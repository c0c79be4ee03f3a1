#include <cstdio>

// Lane 30 leaves the kernel from within two ifs. The others meet again behind the outer one.
__global__ void chosen(int* out, const int* in) {
    int t = threadIdx.x;
    int x = in[t];
    if (t % 2 == 0) {
        if (x < 0) return;
        x *= in[t + 32];  //= load in requests=1 sectors=4
    } else {
        x += in[t + 64];  //= load in requests=1 sectors=4
    }
    out[t] = x;  //= store out requests=1 sectors=4
}

int main() {
    int *in, *out, host[96], results[32];
    for (int i = 0; i < 96; ++i) host[i] = i == 30 ? -1 : i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&out, sizeof results);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, sizeof results);
    chosen<<<1, 32>>>(out, in);
    cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    if (results[2] != 68 || results[3] != 70 || results[30] != 0) return 1;
    puts("ok");
}
