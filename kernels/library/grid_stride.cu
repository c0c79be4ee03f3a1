// Each thread takes the value at its place in the grid and every one that lies a whole grid further: a
// grid-stride loop. A grid that fits the GPU serves a vector of any length. Unrolled, the lanes of a
// warp would leave the loop in different copies of it.
//
// size n: 16777216, 1 to 1073741824, values
// array in: in, n
// array out: out, n
// grid must be: gridDim.x * blockDim.x < 1073741824 and gridDim.y == 1 and gridDim.z == 1,
//   fewer than 2^30 threads, along x alone
// block must be: blockDim.y == 1 and blockDim.z == 1, threads along x alone
// element: x if x < n
// written by: element % (gridDim.x * blockDim.x)
// moves: 8 * n
//
// scenario B9: grid-stride
// title: Grid-stride loop
// look for: In every round neighbouring lanes read neighbouring values, a whole grid further on.
// block: 256
// grid: 1056
// figure: memory
// compared with: elementwise-1d
__global__ void gridStride(const float* in, float* out, int n) {
    int stride = gridDim.x * blockDim.x;
#pragma unroll 1
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {  // step: i
        float value = in[i];
        out[i] = value * value;
    }
}
