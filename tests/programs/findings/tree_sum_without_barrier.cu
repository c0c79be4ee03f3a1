// A sum in global memory whose rounds do not wait for one another, in a block of several warps and in one warp.
__global__ void sumOfBlock(int* x) {
    int t = threadIdx.x;
    for (int half = 64; half > 0; half /= 2) {
        if (t < half) x[t] += x[t + half];  //! global_race
    }
}

__global__ void sumOfWarp(int* x) {
    int t = threadIdx.x;
    for (int half = 16; half > 0; half /= 2) {
        if (t < half) x[t] = x[t] + x[t + half];  //! global_race
    }
}

__global__ void sumInRounds(int* x) {
    int t = threadIdx.x;
    for (int half = 64; half > 0; half /= 2) {
        if (t < half) x[t] = x[t + half] + x[t];
        __syncthreads();
    }
}

int main() {
    int* x;
    cudaMalloc(&x, 128 * sizeof(int));
    cudaMemset(x, 0, 128 * sizeof(int));
    sumOfBlock<<<1, 128>>>(x);
    sumOfWarp<<<1, 32>>>(x);
    sumInRounds<<<1, 128>>>(x);
    cudaFree(x);
}
