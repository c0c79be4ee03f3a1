// One thread for each value of a plane.
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
// scenario B7: elementwise-2d
// title: Elementwise kernel on a plane
// look for: Rows of the block lie on rows of the plane.
// block: 32, 8
// compared with: elementwise-3d
__global__ void elementwise2D(const float* in, float* out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {  // name: inside
        float value = in[y * width + x];
        out[y * width + x] = value * value;
    }
}
