// Atomics order nothing but one another: not what others load or store beside them.
__global__ void zeroed(const int* a, int* out) {
    __shared__ int counts[8];
    int t = threadIdx.x;
    if (t < 8) counts[t] = 0;
    atomicAdd(&counts[a[t] % 8], 1);  //! shared_race: atomic on shared counts[
    __syncthreads();
    if (t < 8) out[t] = counts[t];
}

// The warp's own atomics come behind its zeros, and those of other warps do not.
__global__ void zeroedByAWarp(const int* a, int* out) {
    __shared__ int counts[8];
    int t = threadIdx.x;
    if (t < 8) counts[t] = 0;
    __syncwarp();
    atomicAdd(&counts[a[t] % 8], 1);  //! shared_race: atomic on shared counts[
    __syncthreads();
    if (t < 8) out[t] = counts[t];
}

__global__ void counted(int* out) {
    __shared__ int count, own[64];
    int t = threadIdx.x;
    if (t == 0) count = 0;
    own[t] = 0;
    __syncthreads();
    atomicAdd(&count, 1);
    atomicAdd(&own[t], 1);
    out[t] = count + own[t];  //! shared_race: load from shared count[0], which other threads change by
}

// The value that it gives back is right.
__global__ void taken(int* out) {
    __shared__ int next;
    if (threadIdx.x == 0) next = 0;
    __syncthreads();
    out[atomicAdd(&next, 1)] = threadIdx.x;
}

// And so is one that an atomicCAS is tried with.
__global__ void largest(const float* in, int* out) {
    __shared__ int most;
    if (threadIdx.x == 0) most = 0;
    __syncthreads();
    int old = most;
    while (__int_as_float(old) < in[threadIdx.x]) {
        int seen = old;
        old = atomicCAS(&most, seen, __float_as_int(in[threadIdx.x]));
        if (old == seen) break;
    }
    __syncthreads();
    if (threadIdx.x == 0) *out = most;
}

__global__ void total(int* sum, int* out) {
    if (threadIdx.x == 0) {
        atomicAdd(sum, 1);
        out[blockIdx.x] = *sum;  //! block_race: load from sum[0], which another block writes
    }
}

// The last block to run has read the word itself.
__global__ void scaled(int* a) {
    a[1 + blockIdx.x * blockDim.x + threadIdx.x] = 0;
    int first = a[0];
    if (blockIdx.x == gridDim.x - 1 && threadIdx.x == 0) {
        a[0] = 2 * first;  //! block_race: store to a[0], which another block reads
    }
}

int main() {
    int *a, *out;
    cudaMalloc(&a, 256 * sizeof(int));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMemset(a, 0, 64 * sizeof(int));
    zeroed<<<1, 64>>>(a, out);
    zeroedByAWarp<<<1, 64>>>(a, out);
    counted<<<1, 64>>>(out);
    taken<<<1, 64>>>(out);
    largest<<<1, 64>>>((float*)a, out);
    total<<<4, 32>>>(a, out);
    scaled<<<4, 32>>>(a);
    cudaFree(a);
    cudaFree(out);
}
