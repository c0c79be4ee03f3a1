// Mirrors each row: the first pixel becomes the last.
//
// size width: 1024, 1 to 16384, pixels of a row
// size height: 768, 1 to 16384, rows
// array pixels: in, width * height, rows of width
// array mirrored: out, width * height, rows of width
// branch inside: the thread has a pixel
// work: width, height
// element: y * width + x if x < width and y < height
// written by: element % width, element / width
// element is: pixel
// moves: 8 * width * height
//
// scenario B1: mirror
// title: A picture, mirrored
// look for: Neighbours in x take neighbouring pixels, from right to left.
// block: 32, 8
// figure: memory
// compared with: brighten-rows
__global__ void mirror(const float* pixels, float* mirrored, int width, int height) {
    int column = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column < width && row < height) {  // name: inside
        mirrored[row * width + column] = pixels[row * width + width - 1 - column];
    }
}
