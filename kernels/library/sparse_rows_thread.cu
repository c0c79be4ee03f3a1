// A sparse matrix times a vector, one thread for each row. The values of row r that are not 0 lie
// from starts[r] to starts[r + 1], each with the column that it is in.
//
// size rows: 16384, 1 to 1048576, rows and columns
// size length: 32, 1 to 64, values of a row on the average
// array starts: in, rows + 1, filled with element * length + random(element, length) * min(element, 1)
// array columns: in, (rows + 1) * length, filled with random(element, rows)
// array values: in, (rows + 1) * length
// array x: in, rows
// array y: out, rows
// branch inside: there is a row for the thread
// branch more: the row has a further value
// work: rows
// element: x if x < rows
// written by: element
// moves: 8 * rows * length + 12 * rows
// computes: 2 * rows * length
// steps: 2 * length
//
// scenario C13: sparse-thread
// title: Sparse matrix (CSR), a thread for each row
// look for: Neighbouring threads read rows of their own, which lie apart and end at different times.
// block: 256
// figure: memory
// compared with: sparse-warp
__global__ void sparseRowsThread(const int* starts, const int* columns, const float* values,
                                 const float* x, float* y, int rows) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows) {  // name: inside
        float sum = 0.0f;
        int end = starts[row + 1];
        #pragma unroll 1
        for (int k = starts[row]; k < end; ++k) {  // name: more
            sum += values[k] * x[columns[k]];
        }
        y[row] = sum;
    }
}
