#include <cstdio>

// Every variable of a declaration is the device's, however it is declared and named.
constexpr int n = 24;
__device__ float a[n][n], b[n][n], sums[n];
__device__ __align__(16) float4 wide[n];
__constant__ float scale = 2, shift[2] = {1, 3};
__device__ float twice(float x) { return 2 * x; }
__device__ float (*chosen)(float) = twice, other = 5;
__device__ struct Totals {
    int rows, calls;
} totals;
template <int N>
struct Row {
    float at[N];
};
__device__ Row<n> row, *rows[2];
__managed__ int ready = 0, *nothing = nullptr;

__global__ void fill() {
    int r = blockIdx.x, c = threadIdx.x;
    a[r][c] = r == c ? scale : 0.0f;  //= store a requests=24 sectors=72
    b[r][c] = chosen(r * n + c) + shift[0];  //= store b requests=24 sectors=72 //= load chosen requests=24 sectors=24
    if (r == 0) {
        wide[c] = make_float4(c, c, c, other);  //= store wide requests=1 sectors=12 //= load other requests=1 sectors=1
        row.at[c] = c;  //= store row requests=1 sectors=3
    }
    if (c == 0) atomicAdd(&totals.rows, 1);  //= atomic totals requests=24
}

__global__ void multiply() {
    int r = blockIdx.x, c = threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; ++k) sum += a[r][k] * b[k][c];  //= load a requests=576 sectors=576 //= load b requests=576 sectors=1728
    atomicAdd(&sums[r], sum);  //= atomic sums requests=24
    if (r == 0 && c == 0) {
        rows[1] = &row;  //= store rows requests=1 sectors=1
        ready = rows[1]->at[3] + wide[2].w;  //= store ready requests=1 sectors=1 //= load rows requests=1 sectors=1 //= load row requests=1 sectors=1 //= load wide requests=1 sectors=1
    }
}

int main() {
    fill<<<n, n>>>();
    multiply<<<n, n>>>();
    cudaDeviceSynchronize();
    float got[n];
    Totals counted;
    cudaMemcpyFromSymbol(got, sums, sizeof got);
    cudaMemcpyFromSymbol(&counted, totals, sizeof counted);
    for (int r = 0; r < n; ++r) {
        float want = 0;
        for (int c = 0; c < n; ++c) want += 2 * (2.0f * (r * n + c) + 1);
        if (got[r] != want) return 1;
    }
    if (counted.rows != n || ready != 8) return 2;
    puts("ok");
}
