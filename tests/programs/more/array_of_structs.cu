#include <cstdio>

struct Star {
    double mass;
    float x, y;
    char name[12];
    short kind;
};

// One member of 32 bytes is read: a sector for each lane.
__global__ void masses(const Star* stars, double* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = stars[i].mass * 2;  //= load stars requests=4 sectors=128 //= store out requests=4 sectors=32
}

int main() {
    const int n = 128;
    static Star h[n];
    double got[n], *out;
    for (int i = 0; i < n; ++i) h[i].mass = i * 0.5;
    Star* stars;
    cudaMalloc(&stars, sizeof h);
    cudaMalloc(&out, sizeof got);
    cudaMemcpy(stars, h, sizeof h, cudaMemcpyHostToDevice);
    masses<<<2, 64>>>(stars, out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(stars);
    cudaFree(out);
    for (int i = 0; i < n; ++i) {
        if (got[i] != i) return 1;
    }
    puts("ok");
}
