// Makes each pixel of a picture brighter: neighbours in x take neighbouring pixels of a row.
//
// size width: 1024, 1 to 16384, pixels of a row
// size height: 768, 1 to 16384, rows
// array pixels: in, width * height, rows of width
// array brighter: out, width * height, rows of width
// branch inside: the thread has a pixel
// work: width, height
// element: y * width + x if x < width and y < height
// written by: element % width, element / width
// element is: pixel
// moves: 8 * width * height
//
// scenario A1: brighten-rows
// title: A picture, brightened along its rows
// look for: Neighbours in x take neighbouring pixels.
// block: 32, 8
// figure: memory
// compared with: brighten-columns
__global__ void brightenRows(const float* pixels, float* brighter, int width, int height) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column < width && row < height) {  // name: inside
        brighter[row * width + column] = 1.2f * pixels[row * width + column];
    }
}
