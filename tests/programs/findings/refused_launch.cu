__global__ void fill(int* a) { a[threadIdx.x] = 1; }

int main() {
    int* a;
    cudaMalloc(&a, 4096 * sizeof(int));
    fill<<<1, 2048>>>(a);  //! launch_refused
    cudaFree(a);
}
