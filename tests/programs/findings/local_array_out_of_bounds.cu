// The fifth element of four of a thread's own.
__global__ void window(int* out, const int* in, int n) {
    int last[4];
    int t = threadIdx.x;
    for (int i = 0; i <= n; ++i) {
        last[i] = in[t + i];  //! out_of_bounds
    }
    out[t] = last[t % n];
}

int main() {
    int *in, *out;
    cudaMalloc(&in, 64 * sizeof(int));
    cudaMalloc(&out, 32 * sizeof(int));
    cudaMemset(in, 0, 64 * sizeof(int));
    window<<<1, 32>>>(out, in, 4);
    cudaFree(in);
    cudaFree(out);
}
