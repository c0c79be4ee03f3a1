#include <cstdio>

__global__ void fibonacci(unsigned long long* out, int n) {
    unsigned long long a = 0, b = 1;
    for (int i = 0; i < n; ++i) {
        out[i] = a;  //= store out requests=50 sectors=50 lanes=50
        unsigned long long c = a + b;
        a = b;
        b = c;
    }
}

int main() {
    const int n = 50;
    unsigned long long got[n], *out;
    cudaMalloc(&out, sizeof got);
    fibonacci<<<1, 1>>>(out, n);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(out);
    if (got[49] != 7778742049ull || got[10] != 55) return 1;
    puts("ok");
}
