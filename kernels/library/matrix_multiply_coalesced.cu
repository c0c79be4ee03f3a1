// out (rows x cols) = left (rows x inner) * right (inner x cols), all in row-major order. Threads
// along x take neighbouring columns of out.
//
// size rows: 3000, 1 to 2147483647, rows of the left matrix and of the product
// size inner: 4000, 1 to 2147483647, columns of the left matrix, rows of the right one
// size cols: 3000, 1 to 2147483647, columns of the right matrix and of the product
// array left: in, rows * inner, rows of inner
// array right: in, inner * cols, rows of cols
// array out: out, rows * cols, rows of cols
// branch inside: the thread has an element of the product
// work: cols, rows
// element: y * cols + x if y < rows and x < cols
// written by: element % cols, element / cols
// moves: 4 * (rows * inner + inner * cols + rows * cols)
// computes: 2 * rows * inner * cols
// steps: inner
//
// scenario C3: matmul-coalesced
// title: Matrix multiplication, coalesced
// look for: col comes from threadIdx.x: neighbours in x share a row of left and read neighbours of
//   right.
// block: 32, 32
// figure: memory
// compared with: matmul-swapped
__global__ void matrixMultiplyCoalesced(const float* left, const float* right, float* out,
                                        int rows, int inner, int cols) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows && col < cols) {  // name: inside
        float sum = 0.0f;
        for (int i = 0; i < inner; ++i) {  // step: i
            sum += left[row * inner + i] * right[i * cols + col];
        }
        out[row * cols + col] = sum;
    }
}
