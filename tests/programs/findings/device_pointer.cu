__global__ void fill(float* a) { a[threadIdx.x] = 1; }

int main() {
    float* a;
    cudaMalloc(&a, 32 * sizeof(float));
    a[3] = 2;  //! device_pointer
    fill<<<1, 32>>>(a);
    cudaFree(a);
}
