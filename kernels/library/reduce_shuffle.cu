// Each block adds up its values, mostly without memory: in a warp, lanes hand their sums over with
// shuffles. Only the sums of the warps go through shared memory.
//
// size n: 16777216, 1 to 2147483647, values to add up
// array in: in, n
// array sums: out, gridDim.x
// branch inside: the thread has a value to load
// branch leads: the thread writes its warp's sum
// branch finishes: the thread adds up the sums of the warps
// branch first: the thread writes the block's sum
// block must be: blockDim.x % 32 == 0 and blockDim.y == 1 and blockDim.z == 1,
//   whole warps along x alone
// work: n
// element: blockIdx.x if threadIdx.x == 0
// written by: element * blockDim.x
// moves: 4 * (n + gridDim.x)
// steps: blockDim.x
//
// scenario D9: reduce-shuffle
// title: Reduction with warp shuffles
// look for: A warp needs no shared memory to add up what its lanes hold.
// block: 512
// figure: memory
// compared with: reduce-sequential
__global__ void reduceShuffle(const float* in, float* sums, int n) {
    __shared__ float partial[32];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    float value = 0.0f;
    if (i < n) {  // name: inside
        value = in[i];
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        value += __shfl_down_sync(0xffffffff, value, distance);
    }
    if (t % 32 == 0) {  // name: leads
        partial[t / 32] = value;
    }
    __syncthreads();
    if (t < 32) {  // name: finishes
        value = 0.0f;
        if (t < blockDim.x / 32) {
            value = partial[t];
        }
        for (int distance = 16; distance > 0; distance /= 2) {
            value += __shfl_down_sync(0xffffffff, value, distance);
        }
        if (t == 0) {  // name: first
            sums[blockIdx.x] = value;
        }
    }
}
