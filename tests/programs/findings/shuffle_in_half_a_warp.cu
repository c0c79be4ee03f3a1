// The mask names 32 lanes, and 16 come.
__global__ void halves(int* out) {
    int t = threadIdx.x;
    int x = t;
    if (t < 16) {
        x += __shfl_down_sync(0xffffffff, x, 8);  //! barrier_mismatch
    }
    out[t] = x;
}

// The mask names those that come.
__global__ void halvesThatCome(int* out) {
    int t = threadIdx.x;
    int x = t;
    if (t < 16) {
        x += __shfl_down_sync(0x0000ffff, x, 8);
    }
    out[t] = x;
}

int main() {
    int* out;
    cudaMalloc(&out, 32 * sizeof(int));
    halves<<<1, 32>>>(out);
    halvesThatCome<<<1, 32>>>(out);
    cudaFree(out);
}
