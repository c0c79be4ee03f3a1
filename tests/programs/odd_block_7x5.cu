#include <cstdio>

// Thirty-five threads: a full warp, and one of three lanes.
__global__ void ids(int* out, int width) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * width + x] = threadIdx.y * blockDim.x + threadIdx.x;  //= store out requests=8 lanes=140
}

int main() {
    const int width = 14, height = 10;
    int got[width * height], *out;
    cudaMalloc(&out, sizeof got);
    ids<<<dim3(2, 2), dim3(7, 5)>>>(out, width);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(out);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            if (got[y * width + x] != y % 5 * 7 + x % 7) return 1;
        }
    }
    puts("ok");
}
