__global__ void shift(const int* in, int* out, int n) {
    int i = threadIdx.x;
    if (i < n)
        out[i] = in[i + 1];  //! out_of_bounds
}

int main() {
    int *in, *out;
    cudaMalloc(&in, 32 * sizeof(int));
    cudaMalloc(&out, 32 * sizeof(int));
    cudaMemset(in, 0, 32 * sizeof(int));
    shift<<<1, 32>>>(in, out, 32);
    cudaFree(in);
    cudaFree(out);
}
