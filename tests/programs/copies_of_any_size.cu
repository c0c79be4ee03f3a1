#include <cstdio>
#include <cstring>

// Device code copies and fills bytes one by one: as many requests as the longest lane has bytes.
__device__ void tail(char* to, int from, int end) {
    std::memset(to + from, '.', end - from);  //= store out requests=7 sectors=28
}

__global__ void words(const char* in, const int* lengths, char* out) {
    int w = threadIdx.x;
    int n = lengths[w];
    memcpy(out + 32 * w, in + 32 * w, n);  //= load in requests=8 sectors=36 //= store out requests=8 sectors=36
    tail(out + 32 * w, n, 8);
}

int main() {
    const int count = 8;
    char h[32 * count], got[32 * count], *in, *out;
    int lengths[count], *d;
    for (int w = 0; w < count; ++w) lengths[w] = w + 1;
    for (int i = 0; i < 32 * count; ++i) h[i] = 'a' + i % 26;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMalloc(&d, sizeof lengths);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    cudaMemcpy(d, lengths, sizeof lengths, cudaMemcpyHostToDevice);
    words<<<1, count>>>(in, d, out);
    cudaMemcpy(got, out, sizeof h, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    cudaFree(d);
    for (int w = 0; w < count; ++w) {
        for (int i = 0; i < 8; ++i) {
            if (got[32 * w + i] != (i < lengths[w] ? h[32 * w + i] : '.')) return 1;
        }
    }
    puts("ok");
}
