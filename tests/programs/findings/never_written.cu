__global__ void guess(int* a) {
    __shared__ int s[32];
    a[threadIdx.x] = s[threadIdx.x];  //! uninitialised_shared
}

int main() {
    int* a;
    cudaMalloc(&a, 32 * sizeof(int));
    guess<<<1, 32>>>(a);
    cudaFree(a);
}
