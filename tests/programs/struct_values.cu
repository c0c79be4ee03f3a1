#include <cstdio>

struct Point {
    float x, y, z;
};

__device__ float length2(Point p) { return p.x * p.x + p.y * p.y + p.z * p.z; }

__global__ void lengths(const Point* points, float* out, float4* wide) {
    int i = threadIdx.x;
    out[i] = length2(points[i]);                  //= load points requests=3 sectors=36 //= store out requests=1 sectors=4
    wide[i] = make_float4(1.0f, 2.0f, 3.0f, i);   //= store wide requests=1 sectors=16
}

int main() {
    Point h[32], *points;
    float got[32], *out;
    float4 *wide, all[32];
    for (int i = 0; i < 32; ++i) h[i] = Point{(float)i, 0.0f, 1.0f};
    cudaMalloc(&points, sizeof h);
    cudaMalloc(&out, sizeof got);
    cudaMalloc(&wide, sizeof all);
    cudaMemcpy(points, h, sizeof h, cudaMemcpyHostToDevice);
    lengths<<<1, 32>>>(points, out, wide);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaMemcpy(all, wide, sizeof all, cudaMemcpyDeviceToHost);
    cudaFree(points);
    cudaFree(out);
    cudaFree(wide);
    for (int i = 0; i < 32; ++i) {
        if (got[i] != i * i + 1.0f || all[i].w != i) return 1;
    }
    puts("ok");
}
