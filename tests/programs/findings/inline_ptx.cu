__global__ void lanes(unsigned* a) {
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));  //!- not_supported
    a[threadIdx.x] = lane;
}

int main() {
    unsigned* a;
    cudaMalloc(&a, 32 * sizeof(unsigned));
    lanes<<<1, 32>>>(a);
    cudaFree(a);
}
