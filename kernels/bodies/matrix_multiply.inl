// out (rows x cols) = left (rows x inner) * right (inner x cols), all in row-major order.
// Threads along x take neighbouring columns of `out`.
KERNEL matrixMultiplyCoalesced(ARRAY(const float) left, ARRAY(const float) right,
                               ARRAY(float) out, int rows, int inner, int cols) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (BRANCH(inside, row < rows && col < cols)) {
        float sum = 0.0f;
        for (int i = 0; i < inner; ++i) {
            ROUND(i);
            sum += left[row * inner + i] * right[i * cols + col];
        }
        out[row * cols + col] = sum;
    }
}

// The same product with row and column swapped: threads along x take neighbouring rows of `out`.
KERNEL matrixMultiplySwapped(ARRAY(const float) left, ARRAY(const float) right, ARRAY(float) out,
                             int rows, int inner, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (BRANCH(inside, row < rows && col < cols)) {
        float sum = 0.0f;
        for (int i = 0; i < inner; ++i) {
            ROUND(i);
            sum += left[row * inner + i] * right[i * cols + col];
        }
        out[row * cols + col] = sum;
    }
}

// Square product from global memory alone: every thread reads a whole row and a whole column.
KERNEL matrixMultiplyGlobal(ARRAY(const float) a, ARRAY(const float) b, ARRAY(float) c, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (BRANCH(inside, row < n && col < n)) {
        float sum = 0.0f;
        for (int k = 0; k < n; ++k) {
            ROUND(k);
            sum += a[row * n + k] * b[k * n + col];
        }
        c[row * n + col] = sum;
    }
}

// The same product by tiles: the block loads a TILE x TILE piece of each matrix into shared memory
// and uses every value TILE times. Launch with blocks of TILE x TILE threads.
template <int TILE>
KERNEL matrixMultiplyTiled(ARRAY(const float) a, ARRAY(const float) b, ARRAY(float) c, int n) {
    SHARED_2D(float, tile_a, TILE, TILE);
    SHARED_2D(float, tile_b, TILE, TILE);
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    #pragma unroll 1
    for (int phase = 0; phase < (n + TILE - 1) / TILE; ++phase) {
        ROUND(phase);
        float value_a = 0.0f;
        if (BRANCH(inside_a, row < n && phase * TILE + tx < n)) {
            value_a = a[row * n + phase * TILE + tx];
        }
        tile_a[ty][tx] = value_a;
        float value_b = 0.0f;
        if (BRANCH(inside_b, phase * TILE + ty < n && col < n)) {
            value_b = b[(phase * TILE + ty) * n + col];
        }
        tile_b[ty][tx] = value_b;
        __syncthreads();
        for (int k = 0; k < TILE; ++k) {
            ROUND(k);
            sum += tile_a[ty][k] * tile_b[k][tx];
        }
        __syncthreads();
    }
    if (BRANCH(inside, row < n && col < n)) {
        c[row * n + col] = sum;
    }
}

// The tiled product with its tiles in dynamic shared memory, sized by the third launch parameter:
// 2 * tile * tile floats.
KERNEL matrixMultiplyTiledDynamic(ARRAY(const float) a, ARRAY(const float) b, ARRAY(float) c, int n,
                                  int tile) {
    DYNAMIC_SHARED(float, tiles);
    SHARED_PART(float, tile_a, tiles, 0);
    SHARED_PART(float, tile_b, tiles, tile * tile);
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * tile + ty;
    int col = blockIdx.x * tile + tx;
    float sum = 0.0f;
    #pragma unroll 1
    for (int phase = 0; phase < (n + tile - 1) / tile; ++phase) {
        ROUND(phase);
        float value_a = 0.0f;
        if (BRANCH(inside_a, row < n && phase * tile + tx < n)) {
            value_a = a[row * n + phase * tile + tx];
        }
        tile_a[ty * tile + tx] = value_a;
        float value_b = 0.0f;
        if (BRANCH(inside_b, phase * tile + ty < n && col < n)) {
            value_b = b[(phase * tile + ty) * n + col];
        }
        tile_b[ty * tile + tx] = value_b;
        __syncthreads();
        for (int k = 0; k < tile; ++k) {
            ROUND(k);
            sum += tile_a[ty * tile + k] * tile_b[k * tile + tx];
        }
        __syncthreads();
    }
    if (BRANCH(inside, row < n && col < n)) {
        c[row * n + col] = sum;
    }
}
