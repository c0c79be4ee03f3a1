__global__ void halves(int* a) {
    if (threadIdx.x % 2) {
        __syncthreads();  //! barrier_mismatch
        a[threadIdx.x] = 1;
    } else {
        __syncthreads();  //! barrier_mismatch
    }
}

int main() {
    int* a;
    cudaMalloc(&a, 32 * sizeof(int));
    halves<<<1, 32>>>(a);
    cudaFree(a);
}
