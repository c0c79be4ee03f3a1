// The same points as a structure of arrays: each of the four floats has an array of its own, and
// the one that is needed is read alone.
//
// size n: 4194304, 1 to 2147483647, points
// array xs: in, n
// array out: out, n
// branch inside: there is a point for the thread
// work: n
// element: x if x < n
// written by: element
// element is: value
// moves: 8 * n
//
// scenario C10: points-arrays
// title: Structure of arrays (SoA)
// look for: The values that neighbours need lie side by side.
// block: 256
// figure: memory
// compared with: points-structures
__global__ void scaleArrays(const float* xs, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {  // name: inside
        out[i] = 2.0f * xs[i];
    }
}
