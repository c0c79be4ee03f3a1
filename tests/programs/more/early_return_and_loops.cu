#include <cstdio>

// Collatz: lanes need different numbers of steps, some return before, some leave by goto.
__global__ void steps(const unsigned* in, int* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned v = in[i];
    int count = 0;
    if (v == 0) {
        out[i] = -1;
        return;
    }
    do {
        if (v == 1) goto done;
        v = v % 2 ? 3 * v + 1 : v / 2;
        ++count;
    } while (count < 1000);
    count = -2;
done:
    out[i] = count;
}

int main() {
    const int n = 45;
    unsigned h[n], *in;
    int got[n], *out;
    for (int i = 0; i < n; ++i) h[i] = i;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof got);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    steps<<<2, 32>>>(in, out, n);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    if (got[0] != -1 || got[1] != 0 || got[27] != 111 || got[41] != 109 || got[32] != 5) return 1;
    puts("ok");
}
