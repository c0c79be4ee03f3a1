__global__ void smooth(float* a, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n) {
        a[i] = a[i - 1] + 1;  //! block_race //! global_race
    }
}

int main() {
    float* a;
    cudaMalloc(&a, 256 * sizeof(float));
    cudaMemset(a, 0, 256 * sizeof(float));
    smooth<<<4, 64>>>(a, 256);
    cudaFree(a);
}
