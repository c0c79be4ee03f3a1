__global__ void divide(int* a, int n) {
    a[threadIdx.x] = 7 / n;  //! division_by_zero
}

int main() {
    int* a;
    cudaMalloc(&a, 32 * sizeof(int));
    divide<<<1, 32>>>(a, 0);
    cudaFree(a);
}
