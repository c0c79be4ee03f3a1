// Threads walk along rows of an array that lies in memory column by column.
//
// size width: 4096, 1 to 1048576, columns
// size height: 4096, 1 to 1048576, rows
// array in: in, width * height
// array out: out, width * height, rows of width
// branch inside: the thread has an element of its own
// work: width, height
// element: y * width + x if x < width and y < height
// written by: element % width, element / width
// moves: 8 * width * height
//
// scenario B5: column-major
// title: Column-major array
// look for: Neighbours in x read values a whole column apart.
// block: 32, 8
// figure: memory
// compared with: row-major
__global__ void walkColumnMajor(const float* in, float* out, int width, int height) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < height && col < width) {  // name: inside
        out[row * width + col] = in[col * height + row];
    }
}
