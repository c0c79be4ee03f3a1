// The odd and even arms as two questions without an else.
//
// size n: 64, 1 to 2147483647, threads with work, one value each
// array c: out, n
// branch inside: the thread has a value of its own
// branch even: the thread's index is even
// branch odd: the thread's index is odd, asked a second time
// work: n
// element: x if x < n
// written by: element
// moves: 4 * n
//
// scenario D3: branch-predicate
// title: Divergent branches: two ifs, no else
// look for: Even and odd threads, each with an if of its own.
// block: 64
// figure: branches
// compared with: branch-odd-even
__global__ void branchPredicate(float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {  // name: inside
        float x = 0.0f;
        float y = 0.0f;
        bool isEven = i % 2 == 0;
        if (isEven) {  // name: even
            x = 100.0f;
        }
        if (!isEven) {  // name: odd
            y = 200.0f;
        }
        c[i] = x + y;
    }
}
