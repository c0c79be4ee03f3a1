// Threads walk along rows of an array that lies in memory row by row.
//
// size width: 4096, 1 to 1048576, columns
// size height: 4096, 1 to 1048576, rows
// array in: in, width * height, rows of width
// array out: out, width * height, rows of width
// branch inside: the thread has an element of its own
// work: width, height
// element: y * width + x if x < width and y < height
// written by: element % width, element / width
// moves: 8 * width * height
//
// scenario B4: row-major
// title: Row-major array
// look for: Neighbours in x read neighbouring values.
// block: 32, 8
// figure: memory
// compared with: column-major
__global__ void walkRowMajor(const float* in, float* out, int width, int height) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < height && col < width) {  // name: inside
        out[row * width + col] = in[row * width + col];
    }
}
