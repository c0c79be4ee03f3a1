// The product with row and column swapped: threads along x take neighbouring rows of out.
//
// size rows: 3000, 1 to 2147483647, rows of the left matrix and of the product
// size inner: 4000, 1 to 2147483647, columns of the left matrix, rows of the right one
// size cols: 3000, 1 to 2147483647, columns of the right matrix and of the product
// array left: in, rows * inner, rows of inner
// array right: in, inner * cols, rows of cols
// array out: out, rows * cols, rows of cols
// branch inside: the thread has an element of the product
// work: rows, cols
// element: x * cols + y if x < rows and y < cols
// written by: element / cols, element % cols
// moves: 4 * (rows * inner + inner * cols + rows * cols)
// computes: 2 * rows * inner * cols
// steps: inner
//
// scenario C4: matmul-swapped
// title: Matrix multiplication, uncoalesced
// look for: row comes from threadIdx.x: neighbours in x each read a row of left of their own.
// block: 32, 32
// figure: memory
// compared with: matmul-coalesced
__global__ void matrixMultiplySwapped(const float* left, const float* right, float* out,
                                      int rows, int inner, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) {  // name: inside
        float sum = 0.0f;
        for (int i = 0; i < inner; ++i) {  // step: i
            sum += left[row * inner + i] * right[i * cols + col];
        }
        out[row * cols + col] = sum;
    }
}
