// Copies rows of values: each thread one value.
//
// size width: 1024, 1 to 16384, values of a row
// size height: 256, 1 to 16384, rows
// array in: in, width * height, rows of width
// array out: out, width * height, rows of width
// branch inside: the thread has a value
// work: width, height
// element: y * width + x if x < width and y < height
// written by: element % width, element / width
// element is: value
// moves: 8 * width * height
//
// scenario A1: copy
// title: A copy, row by row
// look for: Neighbouring threads take neighbouring values.
// block: 32, 8
// figure: memory
__global__ void copyRows(const float* in, float* out, int width, int height) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column < width && row < height) {  // name: inside
        out[row * width + column] = in[row * width + column];
    }
}
