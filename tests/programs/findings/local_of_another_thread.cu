// The address of a thread's own variable means another one, or nothing, to any other thread.
__global__ void lent(int* out) {
    __shared__ int* lender;
    int own = threadIdx.x + 100;
    if (threadIdx.x == 0) lender = &own;
    __syncthreads();
    out[threadIdx.x] = *lender;  //! wild_pointer
    __syncthreads();
    out[threadIdx.x] += own;
}

int main() {
    int* out;
    cudaMalloc(&out, 32 * sizeof(int));
    lent<<<1, 32>>>(out);
    cudaFree(out);
}
