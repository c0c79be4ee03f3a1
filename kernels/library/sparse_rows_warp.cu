// A sparse matrix times a vector, one warp for each row: its lanes take the row's values side by
// side, and put their sums together with shuffles.
//
// size rows: 16384, 1 to 1048576, rows and columns
// size length: 32, 1 to 64, values of a row on the average
// array starts: in, rows + 1, filled with element * length + random(element, length) * min(element, 1)
// array columns: in, (rows + 1) * length, filled with random(element, rows)
// array values: in, (rows + 1) * length
// array x: in, rows
// array y: out, rows
// branch inside: there is a row for the warp
// branch more: the lane has a further value of the row
// branch first: the lane writes the row's sum
// block must be: blockDim.x % 32 == 0 and blockDim.y == 1 and blockDim.z == 1,
//   whole warps along x alone
// work: rows * 32
// element: x / 32 if x / 32 < rows and x % 32 == 0
// written by: element * 32
// moves: 8 * rows * length + 12 * rows
// computes: 2 * rows * length
// steps: ceil_div(2 * length, 32) + 5
//
// scenario C14: sparse-warp
// title: Sparse matrix (CSR), a warp for each row
// look for: The lanes of a warp read one row side by side.
// block: 256
// figure: memory
// compared with: sparse-thread
__global__ void sparseRowsWarp(const int* starts, const int* columns, const float* values,
                               const float* x, float* y, int rows) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int lane = threadIdx.x % 32;
    if (row < rows) {  // name: inside
        float sum = 0.0f;
        int end = starts[row + 1];
        #pragma unroll 1
        for (int k = starts[row] + lane; k < end; k += 32) {  // name: more
            sum += values[k] * x[columns[k]];
        }
        for (int distance = 16; distance > 0; distance /= 2) {
            sum += __shfl_down_sync(0xffffffff, sum, distance);
        }
        if (lane == 0) {  // name: first
            y[row] = sum;
        }
    }
}
