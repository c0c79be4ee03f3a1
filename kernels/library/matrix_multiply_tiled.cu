// The product by tiles: the block loads a TILE x TILE piece of each matrix into shared memory and
// uses every value TILE times. Launch with blocks of TILE x TILE threads.
//
// size n: 512, 1 to 46340, rows and columns of each matrix
// size tile: 16, one of 8 16 32, side of the tiles in shared memory: 8, 16 or 32
// template TILE: tile
// array a: in, n * n, rows of n
// array b: in, n * n, rows of n
// array c: out, n * n, rows of n
// branch inside_a: the thread's value of a's tile lies inside the matrix
// branch inside_b: the thread's value of b's tile lies inside the matrix
// branch inside: the thread has an element of the product
// block is: tile, tile; the tile's size
// work: n, n
// element: y * n + x if x < n and y < n
// written by: element % n, element / n
// moves: 12 * n * n
// computes: 2 * n * n * n
// steps: n
//
// scenario E2: matmul-tiled
// title: Matrix multiplication, tiled
// look for: A block brings tiles into shared memory and takes its products from there.
// block: 16, 16
// figure: memory
// compared with: matmul-global
template <int TILE>
__global__ void matrixMultiplyTiled(const float* a, const float* b, float* c, int n) {
    __shared__ float tile_a[TILE][TILE];
    __shared__ float tile_b[TILE][TILE];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    #pragma unroll 1
    for (int phase = 0; phase < (n + TILE - 1) / TILE; ++phase) {  // step: phase
        float value_a = 0.0f;
        if (row < n && phase * TILE + tx < n) {  // name: inside_a
            value_a = a[row * n + phase * TILE + tx];
        }
        tile_a[ty][tx] = value_a;
        float value_b = 0.0f;
        if (phase * TILE + ty < n && col < n) {  // name: inside_b
            value_b = b[(phase * TILE + ty) * n + col];
        }
        tile_b[ty][tx] = value_b;
        __syncthreads();
        for (int k = 0; k < TILE; ++k) {  // step: k
            sum += tile_a[ty][k] * tile_b[k][tx];
        }
        __syncthreads();
    }
    if (row < n && col < n) {  // name: inside
        c[row * n + col] = sum;
    }
}
