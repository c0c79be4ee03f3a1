#include <cstdio>

// Lanes leave the loop one after another, some by break, and meet behind it.
__global__ void loops(const int* in, int* out) {
    int i = threadIdx.x;
    int sum = 0;
    for (int k = 0; k < i; ++k) {  //= branch - requests=17 divergent=17
        if (k == 16) break;
        sum += in[k];  //= load in requests=16 sectors=16
    }
    out[i] = sum;  //= store out requests=1 sectors=4
}

int main() {
    int h[32], got[32], *in, *out;
    for (int i = 0; i < 32; ++i) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    loops<<<1, 32>>>(in, out);
    cudaMemcpy(got, out, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    for (int i = 0; i < 32; ++i) {
        int m = i < 16 ? i : 16;
        if (got[i] != m * (m - 1) / 2) return 1;
    }
    puts("ok");
}
