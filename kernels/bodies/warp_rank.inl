// Each thread writes the number of its warp within its block.
KERNEL writeWarpRank(ARRAY(int) warps) {
    unsigned threadsPerBlock = blockDim.x * blockDim.y * blockDim.z;
    unsigned thread = threadIdx.x + threadIdx.y * blockDim.x + threadIdx.z * blockDim.x * blockDim.y;
    unsigned block = blockIdx.x + blockIdx.y * gridDim.x + blockIdx.z * gridDim.x * gridDim.y;
    warps[block * threadsPerBlock + thread] = thread / 32;
}
