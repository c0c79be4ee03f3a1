// c = a + b for n x n matrices in row-major order. Threads along x walk along a row.
KERNEL matrixAddCoalesced(ARRAY(const float) a, ARRAY(const float) b, ARRAY(float) c, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (BRANCH(inside, row < n && col < n)) {
        c[row * n + col] = a[row * n + col] + b[row * n + col];
    }
}

// The same sum with row and column swapped: threads along x walk down a column.
KERNEL matrixAddSwapped(ARRAY(const float) a, ARRAY(const float) b, ARRAY(float) c, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (BRANCH(inside, row < n && col < n)) {
        c[row * n + col] = a[row * n + col] + b[row * n + col];
    }
}
