#include <cstdio>

// Lanes that come to a statement from several parts of its condition meet there.
__global__ void pick(const int* in, int* out) {
    int i = threadIdx.x;
    if (i % 2 == 0 || i % 3 == 0 || i == 7) {
        out[i] = in[i];  //= load in requests=1 sectors=4 //= store out requests=1 sectors=4
    } else {
        out[i] = -in[i];  //= load in requests=1 sectors=4 //= store out requests=1 sectors=4
    }
    if (i > 3 && i % 2 == 0) {
        out[i] += 100;  //= load out requests=1 sectors=4
    } else {
        out[i] += 1000;  //= load out requests=1 sectors=4
    }
    int n = 0;
    while (n < 2 || (i % 2 == 1 && n < 4)) {
        out[i] += in[n];  //= load in requests=4 sectors=4
        ++n;
    }
}

int main() {
    int h[32], got[32], *in, *out;
    for (int i = 0; i < 32; ++i) h[i] = i + 1;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    pick<<<1, 32>>>(in, out);
    cudaMemcpy(got, out, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    for (int i = 0; i < 32; ++i) {
        int want = i % 2 == 0 || i % 3 == 0 || i == 7 ? h[i] : -h[i];
        want += i > 3 && i % 2 == 0 ? 100 : 1000;
        want += i % 2 == 1 ? 1 + 2 + 3 + 4 : 1 + 2;
        if (got[i] != want) return 1;
    }
    puts("ok");
}
