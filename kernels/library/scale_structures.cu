// Points of four floats, stored one after the other: an array of structures. One of the four is
// read of each.
//
// size n: 4194304, 1 to 2147483647, points
// array points: in, n
// array out: out, n
// branch inside: there is a point for the thread
// work: n
// element: x if x < n
// written by: element
// element is: value
// moves: 8 * n
//
// scenario C9: points-structures
// title: Array of structures (AoS)
// look for: The values that neighbours need lie a whole structure apart.
// block: 256
// figure: memory
// compared with: points-arrays
__global__ void scaleStructures(const float4* points, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {  // name: inside
        out[i] = 2.0f * points[i].x;
    }
}
