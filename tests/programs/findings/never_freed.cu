__global__ void fill(int* a) { a[threadIdx.x] = 1; }

int main() {
    int* a;
    cudaMalloc(&a, 32 * sizeof(int));  //! never_freed
    fill<<<1, 32>>>(a);
}
