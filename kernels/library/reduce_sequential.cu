// Each block adds up its values in shared memory. Stride halves: the threads that work stay side
// by side, whole warps fall idle.
//
// size n: 16777216, 1 to 2147483647, values to add up
// array in: in, n
// array sums: out, gridDim.x
// branch inside: the thread has a value to load
// branch works: the thread adds two values at this stride
// branch first: the thread writes the block's sum
// block must be: blockDim.y == 1 and blockDim.z == 1 and is_power_of_two(blockDim.x),
//   a power of two along x alone, this reduction halves it
// work: n
// element: blockIdx.x if threadIdx.x == 0
// written by: element * blockDim.x
// moves: 4 * (n + gridDim.x)
// steps: blockDim.x
//
// scenario D8: reduce-sequential
// title: Reduction, sequential addressing
// look for: The threads that work stay side by side, fewer in each round.
// block: 512
// figure: reduction
// compared with: reduce-interleaved
__global__ void reduceSequential(const float* in, float* sums, int n) {
    __shared__ float values[1024];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    float value = 0.0f;
    if (i < n) {  // name: inside
        value = in[i];
    }
    values[t] = value;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {  // step: stride
        if (t < stride) {  // name: works
            values[t] += values[t + stride];
        }
        __syncthreads();
    }
    if (t == 0) {  // name: first
        sums[blockIdx.x] = values[0];
    }
}
