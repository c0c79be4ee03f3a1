__global__ void count(int* total, int* seen) {
    if (blockIdx.x == 0) {
        int old = *total, assumed;
        do {
            assumed = old;
            old = atomicCAS(total, assumed, assumed + 1);
        } while (old != assumed);
    }
    seen[blockIdx.x * blockDim.x + threadIdx.x] = *total;  //! block_race: load from total[0] //! global_race: load from total[0], which other threads change
}

int main() {
    int *total, *seen;
    cudaMalloc(&total, sizeof(int));
    cudaMalloc(&seen, 128 * sizeof(int));
    cudaMemset(total, 0, sizeof(int));
    count<<<2, 64>>>(total, seen);
    cudaFree(total);
    cudaFree(seen);
}
