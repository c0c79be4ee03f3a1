#include <cstdio>

// The host reads managed memory while the kernel may still run.
__global__ void fill(int* a) {
    a[threadIdx.x] = 1;
}

int main() {
    int* a;
    cudaMallocManaged(&a, 64 * sizeof(int));
    fill<<<1, 64>>>(a);
    int early = a[0];  //! unsynchronised_read
    cudaDeviceSynchronize();
    int late = a[1];
    cudaFree(a);
    printf("%d %d\n", early, late);
}
