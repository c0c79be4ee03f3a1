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

// The mask names five of the lanes, and all come.
__global__ void unnamed(int* out) {
    out[threadIdx.x] = __shfl_up_sync(0x1f, threadIdx.x, 1);  //! barrier_mismatch: 27 lanes come
}

int main() {
    int* out;
    cudaMalloc(&out, 32 * sizeof(int));
    halves<<<1, 32>>>(out);
    halvesThatCome<<<1, 32>>>(out);
    unnamed<<<1, 32>>>(out);
    cudaFree(out);
}
