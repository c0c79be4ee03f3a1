// out (rows x cols) = left (rows x inner) * right (inner x cols), all in row-major order.
// Threads along x take neighbouring columns of `out`.
KERNEL matrixMultiplyCoalesced(ARRAY(const float) left, ARRAY(const float) right,
                               ARRAY(float) out, int rows, int inner, int cols) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (BRANCH(inside, row < rows && col < cols)) {
        float sum = 0.0f;
        for (int i = 0; i < inner; ++i) {
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
            sum += left[row * inner + i] * right[i * cols + col];
        }
        out[row * cols + col] = sum;
    }
}
