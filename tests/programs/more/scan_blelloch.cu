#include <cstdio>

#define N 256

// Up the tree and down again, two elements a thread; the strides meet the same banks.
__global__ void exclusiveScan(const int* in, int* out) {
    __shared__ int tree[N];
    int t = threadIdx.x;
    tree[2 * t] = in[2 * t];
    tree[2 * t + 1] = in[2 * t + 1];
    int offset = 1;
    for (int d = N >> 1; d > 0; d >>= 1) {
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1;
            int b = offset * (2 * t + 2) - 1;
            tree[b] += tree[a];
        }
        offset *= 2;
    }
    if (t == 0) tree[N - 1] = 0;
    for (int d = 1; d < N; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (t < d) {
            int a = offset * (2 * t + 1) - 1;
            int b = offset * (2 * t + 2) - 1;
            int keep = tree[a];
            tree[a] = tree[b];
            tree[b] += keep;
        }
    }
    __syncthreads();
    out[2 * t] = tree[2 * t];
    out[2 * t + 1] = tree[2 * t + 1];
}

int main() {
    int h[N], got[N], *in, *out;
    for (int i = 0; i < N; ++i) h[i] = (i * 37) % 11;
    cudaMalloc(&in, sizeof h);
    cudaMalloc(&out, sizeof h);
    cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
    exclusiveScan<<<1, N / 2>>>(in, out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    for (int i = 0, sum = 0; i < N; ++i) {
        if (got[i] != sum) return 1;
        sum += h[i];
    }
    puts("ok");
}
