// Transposes an n x n matrix by tiles of 32 x 32 in shared memory. Reading the tile by columns puts
// all lanes of a warp on one bank.
KERNEL transposeTile(ARRAY(const float) in, ARRAY(float) out, int n) {
    SHARED_2D(float, tile, 32, 32);
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int col = blockIdx.x * 32 + tx;
    int row = blockIdx.y * 32 + ty;
    if (BRANCH(loads, row < n && col < n)) {
        tile[ty][tx] = in[row * n + col];
    }
    __syncthreads();
    int outCol = blockIdx.y * 32 + tx;
    int outRow = blockIdx.x * 32 + ty;
    if (BRANCH(stores, outRow < n && outCol < n)) {
        out[outRow * n + outCol] = tile[tx][ty];
    }
}

// The same with one column of padding: neighbouring rows begin on different banks.
KERNEL transposeTilePadded(ARRAY(const float) in, ARRAY(float) out, int n) {
    SHARED_2D(float, tile, 32, 33);
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int col = blockIdx.x * 32 + tx;
    int row = blockIdx.y * 32 + ty;
    if (BRANCH(loads, row < n && col < n)) {
        tile[ty][tx] = in[row * n + col];
    }
    __syncthreads();
    int outCol = blockIdx.y * 32 + tx;
    int outRow = blockIdx.x * 32 + ty;
    if (BRANCH(stores, outRow < n && outCol < n)) {
        out[outRow * n + outCol] = tile[tx][ty];
    }
}
