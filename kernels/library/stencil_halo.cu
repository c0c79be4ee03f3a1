// The block brings its cells into shared memory, and with them the halo: the 2 * radius cells that
// its last threads need beyond the block's own.
//
// size n: 4194304, 1 to 2147483647, sums to write
// size radius: 4, 1 to 16, cells to each side
// array in: in, n + 2 * radius
// array out: out, n
// branch own: the thread brings a cell of the block's own
// branch halo: the thread brings a cell of the halo
// branch inside: the thread has a sum to write
// block must be: blockDim.x >= 2 * radius and blockDim.y == 1 and blockDim.z == 1,
//   along x alone, and no shorter than the halo, 2 * radius
// work: n
// element: x if x < n
// written by: element
// moves: 4 * (n + 2 * radius) + 4 * n
// computes: (2 * radius + 1) * n
// steps: 2 * radius + 1
//
// scenario E9: stencil-halo
// title: Stencil with a halo in shared memory
// look for: Each cell is brought once for the whole block; the first threads bring the halo, too.
// block: 256
// figure: memory
// compared with: stencil-global
__global__ void stencilHalo(const float* in, float* out, int n, int radius) {
    __shared__ float cells[1024 + 2 * 16];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    int last = n + 2 * radius;
    if (i < last) {  // name: own
        cells[t] = in[i];
    }
    if (t < 2 * radius && i + blockDim.x < last) {  // name: halo
        cells[t + blockDim.x] = in[i + blockDim.x];
    }
    __syncthreads();
    if (i < n) {  // name: inside
        float sum = 0.0f;
        for (int k = 0; k <= 2 * radius; ++k) {  // step: k
            sum += cells[t + k];
        }
        out[i] = sum;
    }
}
