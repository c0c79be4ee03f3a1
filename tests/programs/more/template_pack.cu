#include <cstdio>

__device__ int added() {
    return 0;
}
template <class First, class... Rest>
__device__ int added(First first, Rest... rest) {
    return first + added(rest...);
}

template <class... Pointers>
__global__ void sums(int* out, Pointers... in) {
    int i = threadIdx.x;
    out[i] = added(in[i]...);
}

int main() {
    const int n = 40;
    int h[n], got[n], *a, *b, *out;
    short s[n], *c;
    for (int i = 0; i < n; ++i) {
        h[i] = i;
        s[i] = (short)(10 * i);
    }
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&b, sizeof h);
    cudaMalloc(&c, sizeof s);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(a, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpy(b, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpy(c, s, sizeof s, cudaMemcpyHostToDevice);
    sums<<<1, n>>>(out, (const int*)a, (const int*)b, (const short*)c);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    cudaFree(out);
    for (int i = 0; i < n; ++i) {
        if (got[i] != 12 * i) return 1;
    }
    puts("ok");
}
