// All threads of one block add to one word.
__global__ void total(float* total, const float* x, int n) {
    int i = threadIdx.x;
    if (i < n) *total += x[i];  //! global_race
}

int main() {
    float *sum, *x;
    cudaMalloc(&sum, sizeof(float));
    cudaMalloc(&x, 100 * sizeof(float));
    cudaMemset(sum, 0, sizeof(float));
    cudaMemset(x, 0, 100 * sizeof(float));
    total<<<1, 128>>>(sum, x, 100);
    cudaFree(sum);
    cudaFree(x);
}
