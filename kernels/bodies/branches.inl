// Every warp holds even and odd threads, so every warp needs both arms.
KERNEL branchOddEven(ARRAY(float) c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (BRANCH(inside, i < n)) {
        float x = 0.0f;
        float y = 0.0f;
        if (BRANCH(even, i % 2 == 0)) {
            x = 100.0f;
        } else {
            y = 200.0f;
        }
        c[i] = x + y;
    }
}

// The same arms, given to whole warps in turn.
KERNEL branchByWarp(ARRAY(float) c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (BRANCH(inside, i < n)) {
        float x = 0.0f;
        float y = 0.0f;
        if (BRANCH(even_warp, (i / 32) % 2 == 0)) {
            x = 100.0f;
        } else {
            y = 200.0f;
        }
        c[i] = x + y;
    }
}

// The odd and even arms once more, as two questions without an else.
KERNEL branchPredicate(ARRAY(float) c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (BRANCH(inside, i < n)) {
        float x = 0.0f;
        float y = 0.0f;
        bool isEven = i % 2 == 0;
        if (BRANCH(even, isEven)) {
            x = 100.0f;
        }
        if (BRANCH(odd, !isEven)) {
            y = 200.0f;
        }
        c[i] = x + y;
    }
}

// What a profiler's first launch is spent on: the whole-warp branch, under a name of its own.
KERNEL branchWarmUp(ARRAY(float) c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (BRANCH(inside, i < n)) {
        float x = 0.0f;
        float y = 0.0f;
        if (BRANCH(even_warp, (i / 32) % 2 == 0)) {
            x = 100.0f;
        } else {
            y = 200.0f;
        }
        c[i] = x + y;
    }
}

// Arms of equal length, too long for the compiler to predicate. `shift` says how many neighbouring
// threads go the same way: 2^shift, so that at 5 every warp is of one mind.
KERNEL branchLongArms(ARRAY(const float) in, ARRAY(float) out, int n, int shift, int repeats) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (BRANCH(inside, i < n)) {
        float value = in[i];
        if (BRANCH(odd, ((i >> shift) & 1) != 0)) {
            #pragma unroll 1
            for (int r = 0; r < repeats; ++r) {
                #pragma unroll
                for (int k = 0; k < 8; ++k) value = fmaf(value, 0.875f, 0.5f + k);
            }
        } else {
            #pragma unroll 1
            for (int r = 0; r < repeats; ++r) {
                #pragma unroll
                for (int k = 0; k < 8; ++k) value = fmaf(value, 0.75f, 0.25f - k);
            }
        }
        out[i] = value;
    }
}

// Each thread goes round its loop a number of times of its own: the warp goes round as often as its
// busiest lane.
KERNEL branchLoopTrips(ARRAY(const float) in, ARRAY(float) out, int n, int trips) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (BRANCH(inside, i < n)) {
        int left = i % trips;
        int at = i;
        float sum = 0.0f;
        #pragma unroll 1
        WHILE(again, left > 0) {
            sum += in[at];
            at = at + 1 < n ? at + 1 : 0;
            --left;
        }
        out[i] = sum;
    }
}
