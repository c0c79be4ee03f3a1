// An array whose index is known only at run time cannot stay in registers: it lies in local
// memory. Each thread adds up its 16 values with weights, beginning at a place of its own.
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
// scenario E6: local-array
// title: Array in local memory
// look for: What the compiler cannot index stays in local memory.
// block: 256
// compared with: register-array
__global__ void arrayInLocalMemory(const float* in, float* out, int n, int shift) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {  // name: inside
        float values[16];
        float value = in[i];
        for (int k = 0; k < 16; ++k) {  // only computes
            values[k] = value;
            value = fmaf(value, 0.875f, 0.5f);
        }
        int start = (i + shift) % 16;
        float sum = 0.0f;
        for (int k = 0; k < 16; ++k) {  // only computes
            sum = fmaf(sum, 0.75f, values[(start + k) % 16]);
        }
        out[i] = sum;
    }
}
