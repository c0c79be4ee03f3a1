// The same picture, with the axes exchanged: neighbours in x take pixels of neighbouring rows.
//
// size width: 1024, 1 to 16384, pixels of a row
// size height: 768, 1 to 16384, rows
// array pixels: in, width * height, rows of width
// array brighter: out, width * height, rows of width
// branch inside: the thread has a pixel
// work: height, width
// element: x * width + y if x < height and y < width
// written by: element / width, element % width
// element is: pixel
// moves: 8 * width * height
//
// scenario A2: brighten-columns
// title: A picture, brightened down its columns
// look for: Neighbours in x take pixels a whole row apart.
// block: 32, 8
// figure: memory
// compared with: brighten-rows
__global__ void brightenColumns(const float* pixels, float* brighter, int width, int height) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int column = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < height && column < width) {  // name: inside
        brighter[row * width + column] = 1.2f * pixels[row * width + column];
    }
}
