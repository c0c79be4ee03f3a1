#include <cstdio>
#include <cstring>

__global__ void twice(int* data, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] *= 2;
}

int main() {
    const int n = 400, parts = 4;
    int *host, *device;
    cudaHostAlloc((void**)&host, n * sizeof(int), cudaHostAllocDefault);
    cudaMalloc((void**)&device, n * sizeof(int));
    for (int i = 0; i < n; ++i) host[i] = i;
    cudaStream_t streams[parts];
    cudaEvent_t begin, end;
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    cudaEventRecord(begin, 0);
    for (int p = 0; p < parts; ++p) {
        cudaStreamCreate(&streams[p]);
        int *h = host + p * n / parts, *d = device + p * n / parts;
        size_t bytes = n / parts * sizeof(int);
        cudaMemcpyAsync(d, h, bytes, cudaMemcpyHostToDevice, streams[p]);
        twice<<<2, 64, 0, streams[p]>>>(d, n / parts);
        cudaMemcpyAsync(h, d, bytes, cudaMemcpyDeviceToHost, streams[p]);
    }
    cudaEventRecord(end);
    cudaEventSynchronize(end);
    cudaDeviceSynchronize();
    float milliseconds = -1;
    cudaEventElapsedTime(&milliseconds, begin, end);
    bool right = milliseconds >= 0;
    for (int i = 0; i < n; ++i) right = right && host[i] == 2 * i;
    for (cudaStream_t stream : streams) cudaStreamDestroy(stream);
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    cudaFreeHost(host);
    cudaFree(device);
    if (!right) return 1;
    puts("ok");
}
