#include <cstdio>

// The host reads pinned memory while the copy into it may still run.
__global__ void fill(int* a) {
    a[threadIdx.x] = 1;
}

int main() {
    int *a, *host;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaMalloc(&a, 64 * sizeof(int));
    cudaMallocHost(&host, 64 * sizeof(int));
    fill<<<1, 64, 0, stream>>>(a);
    cudaMemcpyAsync(host, a, 64 * sizeof(int), cudaMemcpyDeviceToHost, stream);
    int early = host[0];  //! unsynchronised_read
    cudaStreamSynchronize(stream);
    int late = host[1];
    cudaFree(a);
    cudaFreeHost(host);
    cudaStreamDestroy(stream);
    printf("%d %d\n", early, late);
}
