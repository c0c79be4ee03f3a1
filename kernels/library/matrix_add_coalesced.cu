// c = a + b for n x n matrices in row-major order. Threads along x walk along a row.
//
// size n: 16384, 1 to 46340, rows and columns of each matrix
// array a: in, n * n, rows of n
// array b: in, n * n, rows of n
// array c: out, n * n, rows of n
// branch inside: the thread has an element of the matrix
// work: n, n
// element: y * n + x if x < n and y < n
// written by: element % n, element / n
// moves: 12 * n * n
// computes: n * n
//
// scenario C1: matadd-coalesced
// title: Matrix addition, coalesced
// look for: col comes from threadIdx.x: neighbours in x read neighbouring values.
// block: 16, 16
// figure: memory
// compared with: matadd-swapped
__global__ void matrixAddCoalesced(const float* a, const float* b, float* c, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n && col < n) {  // name: inside
        c[row * n + col] = a[row * n + col] + b[row * n + col];
    }
}
