// The same sum as of the array in local memory, with every index known to the compiler: the values
// are turned to their places by choosing between two registers, in steps of 1, 2, 4 and 8.
//
// size n: 1048576, 1 to 2147483647, values, one thread each
// size shift: 1, 0 to 1048576, thread i begins at value (i + shift) modulo 16 of its array
// array in: in, n
// array out: out, n
// branch inside: the thread has a value of its own
// work: n
// element: x if x < n
// written by: element
// moves: 8 * n
// steps: 32
//
// scenario E7: register-array
// title: Array in registers
// look for: With every index known the array needs no memory at all.
// block: 256
// compared with: local-array
__global__ void arrayInRegisters(const float* in, float* out, int n, int shift) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {  // name: inside
        float values[16];
        float value = in[i];
        #pragma unroll
        for (int k = 0; k < 16; ++k) {  // only computes
            values[k] = value;
            value = fmaf(value, 0.875f, 0.5f);
        }
        int start = (i + shift) % 16;
        #pragma unroll
        for (int step = 1; step < 16; step *= 2) {  // only computes
            float turned[16];
            #pragma unroll
            for (int k = 0; k < 16; ++k) {
                turned[k] = (start & step) != 0 ? values[(k + step) % 16] : values[k];
            }
            #pragma unroll
            for (int k = 0; k < 16; ++k) {
                values[k] = turned[k];
            }
        }
        float sum = 0.0f;
        #pragma unroll
        for (int k = 0; k < 16; ++k) {  // only computes
            sum = fmaf(sum, 0.75f, values[k]);
        }
        out[i] = sum;
    }
}
