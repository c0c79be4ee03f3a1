#include <cstdio>

// A device may have it; the one that is imitated does not.
__global__ void nothing() {}

int main() {
    float* a = nullptr;
    const int error = cudaMalloc(&a, size_t{11} << 30);  //! not_supported: 11811160064 bytes
    nothing<<<1, 32>>>();
    cudaDeviceSynchronize();
    printf("%d\n", error);
}
