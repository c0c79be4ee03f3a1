// Arms of equal length, too long for the compiler to predicate. `shift` says how many neighbouring
// threads go the same way: 2^shift, so that at 5 every warp is of one mind.
//
// size n: 1048576, 1 to 2147483647, values, one thread each
// size shift: 0, 0 to 5, threads change arm every 2^shift: 0 every thread, 5 every warp
// size repeats: 64, 1 to 1048576, rounds of eight multiply-adds in the arm taken
// array in: in, n
// array out: out, n
// branch inside: the thread has a value of its own
// branch odd: its group of 2^shift threads has an odd number
// work: n
// element: x if x < n
// written by: element
// moves: 8 * n
// computes: 16 * repeats * n
// steps: 8 * repeats
//
// scenario D5: branch-long-arms
// title: Divergent branch with long paths
// look for: Each arm is a loop; shift says how many neighbours take the same one.
// block: 256
// figure: branches
// compared with: branch-by-warp
__global__ void branchLongArms(const float* in, float* out, int n, int shift, int repeats) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {  // name: inside
        float value = in[i];
        if (((i >> shift) & 1) != 0) {  // name: odd
            #pragma unroll 1
            for (int r = 0; r < repeats; ++r) {  // only computes
                #pragma unroll
                for (int k = 0; k < 8; ++k) value = fmaf(value, 0.875f, 0.5f + k);
            }
        } else {
            #pragma unroll 1
            for (int r = 0; r < repeats; ++r) {  // only computes
                #pragma unroll
                for (int k = 0; k < 8; ++k) value = fmaf(value, 0.75f, 0.25f - k);
            }
        }
        out[i] = value;
    }
}
