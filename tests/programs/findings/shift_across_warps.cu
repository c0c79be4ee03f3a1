// The last lane of a warp reads what the first one of the next warp writes: before or after it?
__global__ void shift(int* a, int n) {
    int i = threadIdx.x;
    if (i + 1 < n) a[i] = a[i + 1];  //= load a requests=4 sectors=19 //! global_race
}

// All have read before the first one writes.
__global__ void shiftInOrder(int* a, int n) {
    int i = threadIdx.x;
    int next = i + 1 < n ? a[i + 1] : 0;
    __syncthreads();
    if (i + 1 < n) a[i] = next;
}

int main() {
    int* a;
    cudaMalloc(&a, 128 * sizeof(int));
    cudaMemset(a, 0, 128 * sizeof(int));
    shift<<<1, 128>>>(a, 128);
    shiftInOrder<<<1, 128>>>(a, 128);
    cudaFree(a);
}
