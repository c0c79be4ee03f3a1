#include <cstdio>

// Whole structs in shared memory come in pieces as large as their type is aligned, as those of global memory do.
struct Pair {
    double a, b;
};
struct Point {
    double x, y, z;
};
struct Pixel {
    unsigned char r, g, b;
};

__global__ void copied(Pair* pairs, Point* points, Pixel* pixels, float4* vectors, float3* triples) {
    __shared__ Pair pair[32];
    __shared__ Point point[32];
    __shared__ Pixel pixel[32];
    __shared__ float4 vector[32];
    __shared__ float3 triple[32];
    __shared__ float numbers[128];
    int t = threadIdx.x;
    pair[t] = pairs[t];       //= load pairs requests=2 //= shared_store pair requests=2
    point[t] = points[t];     //= load points requests=3 //= shared_store point requests=3
    pixel[t] = pixels[t];     //= load pixels requests=3 //= shared_store pixel requests=3
    vector[t] = vectors[t];   //= load vectors requests=1 //= shared_store vector requests=1
    triple[t] = triples[t];   //= load triples requests=3 //= shared_store triple requests=3
    // A vector of what is no struct is asked for at once.
    __syncthreads();
    reinterpret_cast<float4*>(numbers)[t] = vector[31 - t];  //= shared_store numbers requests=1
    __syncthreads();
    pairs[t] = pair[31 - t];    //= shared_load pair requests=2
    points[t] = point[31 - t];  //= shared_load point requests=3
    pixels[t] = pixel[31 - t];
    vectors[t] = reinterpret_cast<float4*>(numbers)[t];  //= shared_load numbers requests=1
    triples[t] = triple[31 - t];
}

int main() {
    Pair* pairs;
    Point* points;
    Pixel* pixels;
    float4* vectors;
    float3* triples;
    cudaMalloc(&pairs, 32 * sizeof(Pair));
    cudaMalloc(&points, 32 * sizeof(Point));
    cudaMalloc(&pixels, 32 * sizeof(Pixel));
    cudaMalloc(&vectors, 32 * sizeof(float4));
    cudaMalloc(&triples, 32 * sizeof(float3));
    Point host[32];
    for (int i = 0; i < 32; ++i) host[i] = {i * 1.0, i * 2.0, i * 3.0};
    cudaMemcpy(points, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemset(pairs, 0, 32 * sizeof(Pair));
    cudaMemset(pixels, 0, 32 * sizeof(Pixel));
    cudaMemset(vectors, 0, 32 * sizeof(float4));
    cudaMemset(triples, 0, 32 * sizeof(float3));
    copied<<<1, 32>>>(pairs, points, pixels, vectors, triples);
    cudaMemcpy(host, points, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(pairs);
    cudaFree(points);
    cudaFree(pixels);
    cudaFree(vectors);
    cudaFree(triples);
    for (int i = 0; i < 32; ++i) {
        if (host[i].z != 3.0 * (31 - i)) return 1;
    }
    puts("ok");
}
