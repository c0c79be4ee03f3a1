// One thread for each value of a vector.
//
// size n: 16777216, 1 to 2147483647, values
// array in: in, n
// array out: out, n
// branch inside: the thread has an element of its own
// work: n
// element: x if x < n
// written by: element
// moves: 8 * n
//
// scenario B6: elementwise-1d
// title: Elementwise kernel on a vector
// look for: One axis is enough: x alone numbers the values.
// block: 256
// compared with: elementwise-2d
__global__ void elementwise1D(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {  // name: inside
        float value = in[i];
        out[i] = value * value;
    }
}
