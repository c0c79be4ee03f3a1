// Each thread goes round its loop a number of times of its own: the warp goes round as often as
// its busiest lane.
//
// size n: 1048576, 1 to 2147483647, values, one thread each
// size trips: 32, 1 to 65536, thread i goes round its loop i modulo this many times
// array in: in, n
// array out: out, n
// branch inside: the thread has a value of its own
// branch again: the thread goes round its loop once more
// work: n
// element: x if x < n
// written by: element
// moves: 8 * n
// steps: trips
//
// scenario D6: branch-loop-trips
// title: Divergent loop: unequal trip counts
// look for: A warp goes round as often as its busiest lane.
// block: 256
// figure: branches
// compared with: branch-long-arms
__global__ void branchLoopTrips(const float* in, float* out, int n, int trips) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {  // name: inside
        int left = i % trips;
        int at = i;
        float sum = 0.0f;
        #pragma unroll 1
        while (left > 0) {  // name: again
            sum += in[at];
            at = at + 1 < n ? at + 1 : 0;
            --left;
        }
        out[i] = sum;
    }
}
