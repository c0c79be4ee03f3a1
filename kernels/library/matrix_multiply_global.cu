// Square product from global memory alone: every thread reads a whole row and a whole column.
//
// size n: 512, 1 to 46340, rows and columns of each matrix
// array a: in, n * n, rows of n
// array b: in, n * n, rows of n
// array c: out, n * n, rows of n
// branch inside: the thread has an element of the product
// work: n, n
// element: y * n + x if x < n and y < n
// written by: element % n, element / n
// moves: 12 * n * n
// computes: 2 * n * n * n
// steps: n
//
// scenario B2: matmul-1000
// title: Matrix multiplication: grid size
// look for: Threads that lie beyond an edge of the matrix have no element.
// block: 16, 16
// figure: coverage
// set n: 1000
// compared with: matmul-4x4
//
// scenario B3: matmul-4x4
// title: Matrix multiplication, small
// look for: Each thread computes one value of the result: step through its reads.
// block: 2, 2
// figure: coverage
// set n: 4
// compared with: matmul-1000
//
// scenario E1: matmul-global
// title: Matrix multiplication, global memory
// look for: Every thread reads its row of a and its column of b from global memory.
// block: 16, 16
// figure: memory
// compared with: matmul-tiled
__global__ void matrixMultiplyGlobal(const float* a, const float* b, float* c, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n && col < n) {  // name: inside
        float sum = 0.0f;
        for (int k = 0; k < n; ++k) {  // step: k
            sum += a[row * n + k] * b[k * n + col];
        }
        c[row * n + col] = sum;
    }
}
