// A warp adds up a row: its lanes take the values in turn, 32 at a time, and put their sums
// together with shuffles. Between two rows lie `gap` values that nobody needs.
//
// size rows: 4096, 1 to 1048576, rows to add up
// size length: 4084, 1 to 65536, values of a row
// size gap: 12, 0 to 65536, values between two rows
// array in: in, rows * (length + gap), rows of length + gap
// array sums: out, rows
// branch inside: there is a row for the warp
// branch first: the lane writes the row's sum
// block must be: blockDim.x % 32 == 0 and blockDim.y == 1 and blockDim.z == 1,
//   whole warps along x alone
// work: rows * 32
// element: x / 32 if x / 32 < rows and x % 32 == 0
// written by: element * 32
// element is: sum
// moves: 4 * rows * length + 4 * rows
// computes: rows * length
// steps: ceil_div(length, 32) + 5
//
// scenario C11: row-sum
// title: Row sum, a warp for each row
// look for: The lanes go along the row side by side.
// block: 256
// figure: memory
// compared with: row-sum-unrolled
__global__ void rowSum(const float* in, float* sums, int rows, int length, int gap) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int lane = threadIdx.x % 32;
    if (row < rows) {  // name: inside
        float sum = 0.0f;
        #pragma unroll 1
        for (int j = lane; j < length; j += 32) {  // step: j
            sum += in[row * (length + gap) + j];
        }
        for (int distance = 16; distance > 0; distance /= 2) {
            sum += __shfl_down_sync(0xffffffff, sum, distance);
        }
        if (lane == 0) {  // name: first
            sums[row] = sum;
        }
    }
}
