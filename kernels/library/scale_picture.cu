// Doubles every value of a picture of width x height. Blocks that reach over its edge have threads
// with nothing to do.
//
// size width: 76, 1 to 1048576, columns of the picture
// size height: 62, 1 to 1048576, rows of the picture
// array in: in, width * height, rows of width
// array out: out, width * height, rows of width
// branch inside: the thread has an element of its own
// work: width, height
// element is: pixel
// element: y * width + x if x < width and y < height
// written by: element % width, element / width
// moves: 8 * width * height
//
// scenario B1: picture-76x62
// title: Boundary check on a picture
// look for: Threads that lie beyond an edge of the picture have no pixel.
// block: 16, 16
// figure: coverage
__global__ void scalePicture(const float* in, float* out, int width, int height) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < height && col < width) {  // name: inside
        out[row * width + col] = 2.0f * in[row * width + col];
    }
}
