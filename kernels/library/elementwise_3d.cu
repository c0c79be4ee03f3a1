// One thread for each value of a box.
//
// size width: 256, 1 to 1048576, extent along x, the fastest
// size height: 256, 1 to 1048576, extent along y
// size depth: 256, 1 to 1048576, extent along z
// array in: in, width * height * depth
// array out: out, width * height * depth
// branch inside: the thread has an element of its own
// work: width, height, depth
// element: (z * height + y) * width + x if x < width and y < height and z < depth
// written by: element % width, element / width % height, element / width / height
// moves: 8 * width * height * depth
//
// scenario B8: elementwise-3d
// title: Elementwise kernel on a box
// look for: A narrow block breaks its warps over many rows of the box.
// block: 8, 8, 4
// compared with: elementwise-1d
__global__ void elementwise3D(const float* in, float* out, int width, int height, int depth) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < width && y < height && z < depth) {  // name: inside
        float value = in[(z * height + y) * width + x];
        out[(z * height + y) * width + x] = value * value;
    }
}
