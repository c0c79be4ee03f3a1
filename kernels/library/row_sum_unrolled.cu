// The loop over the row with two rounds in one, as compilers unroll it: a lane with an odd number
// of rounds does the odd one first. Such a lane is one round ahead of the others from then on.
//
// size rows: 4096, 1 to 1048576, rows to add up
// size length: 4084, 1 to 65536, values of a row
// size gap: 12, 0 to 65536, values between two rows
// array in: in, rows * (length + gap), rows of length + gap
// array sums: out, rows
// branch inside: there is a row for the warp
// branch odd: the lane has an odd number of rounds
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
// scenario C12: row-sum-unrolled
// title: Row sum, loop unrolled by two
// look for: Lanes with a round more than others are no longer beside them.
// block: 256
// figure: memory
// compared with: row-sum
__global__ void rowSumUnrolled(const float* in, float* sums, int rows, int length, int gap) {
    int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    int lane = threadIdx.x % 32;
    if (row < rows) {  // name: inside
        float sum = 0.0f;
        int rounds = (length - lane + 31) / 32;
        int j = lane;
        if (rounds % 2 == 1) {  // name: odd
            sum += in[row * (length + gap) + j];
            j += 32;
        }
        #pragma unroll 1
        for (; j < length; j += 64) {  // step: j
            sum += in[row * (length + gap) + j];
            sum += in[row * (length + gap) + j + 32];
        }
        for (int distance = 16; distance > 0; distance /= 2) {
            sum += __shfl_down_sync(0xffffffff, sum, distance);
        }
        if (lane == 0) {  // name: first
            sums[row] = sum;
        }
    }
}
