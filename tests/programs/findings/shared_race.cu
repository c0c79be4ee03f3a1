__global__ void reverse(int* a) {
    __shared__ int s[64];
    int i = threadIdx.x;
    s[i] = a[i];       //! shared_race
    a[i] = s[63 - i];  //! shared_race //! uninitialised_shared
}

int main() {
    int* a;
    cudaMalloc(&a, 64 * sizeof(int));
    cudaMemset(a, 0, 64 * sizeof(int));
    reverse<<<1, 64>>>(a);
    cudaFree(a);
}
