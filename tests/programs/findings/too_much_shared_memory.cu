// A tile that ptxas does not assemble, and one that leaves too little for what the launch asks for.
__global__ void large(float* a) {
    __shared__ float tile[16384];
    tile[threadIdx.x] = threadIdx.x;
    __syncthreads();
    a[threadIdx.x] = tile[255 - threadIdx.x];
}

__global__ void both(float* a) {
    __shared__ float tile[10240];
    extern __shared__ float more[];
    tile[threadIdx.x] = more[threadIdx.x] = threadIdx.x;
    __syncthreads();
    a[threadIdx.x] = tile[255 - threadIdx.x] + more[255 - threadIdx.x];
}

int main() {
    float* a;
    cudaMalloc(&a, 256 * sizeof(float));
    large<<<1, 256>>>(a);  //! launch_refused
    both<<<1, 256, 12288>>>(a);  //! launch_refused
    both<<<1, 256, 8192>>>(a);
    cudaFree(a);
}
