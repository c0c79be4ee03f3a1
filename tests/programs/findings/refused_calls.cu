#include <cstdio>
#include <cstdlib>

__device__ int scale[2];

__global__ void twice(int* a) { a[threadIdx.x] *= 2 * scale[0]; }

int main() {
    const size_t bytes = 32 * sizeof(int);
    int* host = (int*)malloc(bytes);
    int one[2] = {1, 1};
    for (int i = 0; i < 32; ++i) host[i] = i;
    int *a, *b, *managed;
    cudaMalloc(&a, bytes);
    cudaMalloc(&b, bytes);
    cudaMallocManaged(&managed, bytes);
    cudaMemcpyToSymbol(scale, one, sizeof one);
    cudaMemcpy(a, host, bytes, cudaMemcpyDeviceToHost);      //! host_pointer: cudaMemcpyDeviceToHost from memory of the host
    cudaMemcpy(host, a, bytes, cudaMemcpyHostToDevice);      //! host_pointer: cudaMemcpyHostToDevice to memory of the host
    cudaMemcpy(b, a, bytes, cudaMemcpyHostToDevice);         //! device_pointer: cudaMemcpyHostToDevice from memory of the device
    cudaMemcpy(a, host, 2 * bytes, cudaMemcpyHostToDevice);  //! out_of_bounds: copies to a, bytes 0 to 255 of its 128
    cudaMemset(a - 1, 0, bytes);                             //! out_of_bounds: sets a, bytes -4 to 123 of its 128
    cudaMemset(host, 0, bytes);                              //! host_pointer: sets memory of the host
    if (cudaGetLastError() != cudaErrorInvalidValue) printf("no error\n");
    cudaMemcpy(a, host, bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(managed, a, bytes, cudaMemcpyDeviceToHost);
    cudaMemcpy(b, managed, bytes, cudaMemcpyHostToDevice);
    twice<<<1, 32>>>(a);
    twice<<<1, 32>>>(b);
    cudaMemcpy(host, a, bytes, cudaMemcpyDefault);
    if (cudaGetLastError() != cudaSuccess || host[9] != 18) printf("wrong\n");
    cudaFree(a);
    cudaFree(a);      //! use_after_free: frees a once more
    cudaFree(b + 1);  //! wild_pointer: frees an address inside of b
    cudaFree(b);
    cudaFree(managed);
    cudaFree(host);  //! host_pointer: frees memory that cudaMalloc did not give
    free(host);
}
