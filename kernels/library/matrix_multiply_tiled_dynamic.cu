// The tiled product with its tiles in dynamic shared memory, sized by the third launch parameter:
// 2 * tile * tile floats.
//
// size n: 512, 1 to 46340, rows and columns of each matrix
// size tile: 16, one of 8 16 32, side of the tiles in shared memory: 8, 16 or 32
// array a: in, n * n, rows of n
// array b: in, n * n, rows of n
// array c: out, n * n, rows of n
// shared tile_a: tiles, 0
// shared tile_b: tiles, tile * tile
// branch inside_a: the thread's value of a's tile lies inside the matrix
// branch inside_b: the thread's value of b's tile lies inside the matrix
// branch inside: the thread has an element of the product
// block is: tile, tile; the tile's size
// dynamic shared: 8 * tile * tile
// work: n, n
// element: y * n + x if x < n and y < n
// written by: element % n, element / n
// moves: 12 * n * n
// computes: 2 * n * n * n
// steps: n
//
// scenario E3: shared-dynamic
// title: Tiles in dynamic shared memory
// look for: The third launch parameter sizes the tiles.
// block: 16, 16
// figure: memory
// compared with: matmul-tiled
__global__ void matrixMultiplyTiledDynamic(const float* a, const float* b, float* c, int n,
                                           int tile) {
    extern __shared__ float tiles[];
    float* tile_a = tiles;
    float* tile_b = tiles + tile * tile;
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * tile + ty;
    int col = blockIdx.x * tile + tx;
    float sum = 0.0f;
    #pragma unroll 1
    for (int phase = 0; phase < (n + tile - 1) / tile; ++phase) {  // step: phase
        float value_a = 0.0f;
        if (row < n && phase * tile + tx < n) {  // name: inside_a
            value_a = a[row * n + phase * tile + tx];
        }
        tile_a[ty * tile + tx] = value_a;
        float value_b = 0.0f;
        if (phase * tile + ty < n && col < n) {  // name: inside_b
            value_b = b[(phase * tile + ty) * n + col];
        }
        tile_b[ty * tile + tx] = value_b;
        __syncthreads();
        for (int k = 0; k < tile; ++k) {  // step: k
            sum += tile_a[ty * tile + k] * tile_b[k * tile + tx];
        }
        __syncthreads();
    }
    if (row < n && col < n) {  // name: inside
        c[row * n + col] = sum;
    }
}
