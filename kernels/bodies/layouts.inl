// Doubles every value of a picture of width x height. Blocks that reach over its edge have threads
// with nothing to do.
KERNEL scalePicture(ARRAY(const float) in, ARRAY(float) out, int width, int height) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (BRANCH(inside, row < height && col < width)) {
        out[row * width + col] = 2.0f * in[row * width + col];
    }
}

// Threads walk along rows of an array that lies in memory row by row.
KERNEL walkRowMajor(ARRAY(const float) in, ARRAY(float) out, int width, int height) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (BRANCH(inside, row < height && col < width)) {
        out[row * width + col] = in[row * width + col];
    }
}

// Threads walk along rows of an array that lies in memory column by column.
KERNEL walkColumnMajor(ARRAY(const float) in, ARRAY(float) out, int width, int height) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (BRANCH(inside, row < height && col < width)) {
        out[row * width + col] = in[col * height + row];
    }
}

// One thread for each value of a vector, a plane, a box.
KERNEL elementwise1D(ARRAY(const float) in, ARRAY(float) out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (BRANCH(inside, i < n)) {
        float value = in[i];
        out[i] = value * value;
    }
}

KERNEL elementwise2D(ARRAY(const float) in, ARRAY(float) out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (BRANCH(inside, x < width && y < height)) {
        float value = in[y * width + x];
        out[y * width + x] = value * value;
    }
}

KERNEL elementwise3D(ARRAY(const float) in, ARRAY(float) out, int width, int height, int depth) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (BRANCH(inside, x < width && y < height && z < depth)) {
        float value = in[(z * height + y) * width + x];
        out[(z * height + y) * width + x] = value * value;
    }
}
