// Each thread writes the number of its warp within its block.
//
// array warps: out, blocks * threads
// element: block * threads + thread
// written by: element / threads % gridDim.x * blockDim.x + element % threads % blockDim.x,
//   element / threads / gridDim.x % gridDim.y * blockDim.y
//   + element % threads / blockDim.x % blockDim.y,
//   element / threads / gridDim.x / gridDim.y * blockDim.z
//   + element % threads / blockDim.x / blockDim.y
// moves: 4 * blocks * threads
//
// scenario A1: warp-grouping
// title: Threads into warps
// look for: All threads in one line, x counting up first, then y, then z: every 32 of it are a
//   warp.
// block: 32, 32
// grid: 1
//
// scenario A2: warp-grouping-128
// title: Block along one axis
// look for: Warps are cut from the line of threads, 32 at a time.
// block: 128
// grid: 1
// compared with: warp-grouping
//
// scenario A3: warp-grouping-2x2x2
// title: Small block along three axes
// look for: The line of threads goes through slice after slice, each row by row.
// block: 2, 2, 2
// grid: 1
// compared with: warp-grouping
//
// scenario A4: partial-warp
// title: Partial warp
// look for: Every warp has 32 lanes, whether there is a thread for each of them or not.
// block: 5, 7, 3
// grid: 1
// compared with: warp-grouping
__global__ void writeWarpRank(int* warps) {
    unsigned threadsPerBlock = blockDim.x * blockDim.y * blockDim.z;
    unsigned thread = threadIdx.x + threadIdx.y * blockDim.x +
                      threadIdx.z * blockDim.x * blockDim.y;
    unsigned block = blockIdx.x + blockIdx.y * gridDim.x + blockIdx.z * gridDim.x * gridDim.y;
    warps[block * threadsPerBlock + thread] = thread / 32;
}
