// Transposes an n x n matrix by tiles of 32 x 32 in shared memory. Reading the tile by columns
// puts all lanes of a warp on one bank.
//
// size n: 4096, 1 to 46340, rows and columns of the matrix
// array in: in, n * n, rows of n
// array out: out, n * n, rows of n
// branch loads: the thread's element of the tile lies inside the matrix
// branch stores: the thread's element of the transposed tile lies inside the matrix
// block is: 32, 32; the tile's size
// work: n, n
// element: (blockIdx.x * 32 + threadIdx.y) * n + blockIdx.y * 32 + threadIdx.x
//   if blockIdx.x * 32 + threadIdx.y < n and blockIdx.y * 32 + threadIdx.x < n
// written by: element / n / 32 * 32 + element % n % 32, element % n / 32 * 32 + element / n % 32
// moves: 8 * n * n
//
// scenario E4: shared-banks
// title: Bank conflicts: transpose
// look for: The tile is written by rows and read by columns: watch the banks.
// block: 32, 32
// figure: memory
// compared with: shared-banks-padded
__global__ void transposeTile(const float* in, float* out, int n) {
    __shared__ float tile[32][32];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int col = blockIdx.x * 32 + tx;
    int row = blockIdx.y * 32 + ty;
    if (row < n && col < n) {  // name: loads
        tile[ty][tx] = in[row * n + col];
    }
    __syncthreads();
    int outCol = blockIdx.y * 32 + tx;
    int outRow = blockIdx.x * 32 + ty;
    if (outRow < n && outCol < n) {  // name: stores
        out[outRow * n + outCol] = tile[tx][ty];
    }
}
