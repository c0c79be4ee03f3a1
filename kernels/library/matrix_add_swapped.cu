// The matrix sum with row and column swapped: threads along x walk down a column.
//
// size n: 16384, 1 to 46340, rows and columns of each matrix
// array a: in, n * n, rows of n
// array b: in, n * n, rows of n
// array c: out, n * n, rows of n
// branch inside: the thread has an element of the matrix
// work: n, n
// element: x * n + y if x < n and y < n
// written by: element / n, element % n
// moves: 12 * n * n
// computes: n * n
//
// scenario C2: matadd-swapped
// title: Matrix addition, uncoalesced
// look for: row comes from threadIdx.x: neighbours in x read values a whole row apart.
// block: 16, 16
// figure: memory
// compared with: matadd-coalesced
__global__ void matrixAddSwapped(const float* a, const float* b, float* c, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < n && col < n) {  // name: inside
        c[row * n + col] = a[row * n + col] + b[row * n + col];
    }
}
