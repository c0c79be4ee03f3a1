#include <cstdio>

__global__ void add(int* a, int by) { a[threadIdx.x] += by; }

int main() {
    int devices = 0, h[32], *a;
    cudaGetDeviceCount(&devices);
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMemPool_t pool;
    cudaDeviceGetDefaultMemPool(&pool, 0);
    unsigned long long threshold = 1 << 20;
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
    cudaMallocAsync(&a, sizeof h, stream);
    cudaMemsetAsync(a, 0, sizeof h, stream);
    add<<<1, 32, 0, stream>>>(a, 3);
    if (devices > 1) {
        // The other device reaches into the first one's memory.
        int can = 0;
        cudaDeviceCanAccessPeer(&can, 1, 0);
        cudaSetDevice(1);
        if (!can || cudaDeviceEnablePeerAccess(0, 0) != cudaSuccess) return 1;
        add<<<1, 32>>>(a, 4);
        cudaSetDevice(0);
    }
    if (cudaSetDevice(devices) == cudaSuccess) return 2;
    cudaGetLastError();
    cudaMemcpyAsync(h, a, sizeof h, cudaMemcpyDeviceToHost, stream);
    cudaFreeAsync(a, stream);
    cudaStreamSynchronize(stream);
    cudaStreamDestroy(stream);
    if (h[9] != (devices > 1 ? 7 : 3)) return 3;
    printf("ok, %d devices\n", devices);
}
