// The kernels of kernels/bodies as they would be written without Warplens: no marks, no dialects.
// Their machine code is what the plain kernels' code is held against (plain_code_test.cpp).

namespace warplens::by_hand {

__global__ void writeWarpRank(int* warps) {
    unsigned threadsPerBlock = blockDim.x * blockDim.y * blockDim.z;
    unsigned thread =
        threadIdx.x + threadIdx.y * blockDim.x + threadIdx.z * blockDim.x * blockDim.y;
    unsigned block = blockIdx.x + blockIdx.y * gridDim.x + blockIdx.z * gridDim.x * gridDim.y;
    warps[block * threadsPerBlock + thread] = thread / 32;
}

__global__ void matrixAddCoalesced(const float* a, const float* b, float* c, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n && col < n) {
        c[row * n + col] = a[row * n + col] + b[row * n + col];
    }
}

__global__ void matrixAddSwapped(const float* a, const float* b, float* c, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < n && col < n) {
        c[row * n + col] = a[row * n + col] + b[row * n + col];
    }
}

__global__ void matrixMultiplyCoalesced(const float* left, const float* right, float* out, int rows,
                                        int inner, int cols) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < rows && col < cols) {
        float sum = 0.0f;
        for (int i = 0; i < inner; ++i) {
            sum += left[row * inner + i] * right[i * cols + col];
        }
        out[row * cols + col] = sum;
    }
}

__global__ void matrixMultiplySwapped(const float* left, const float* right, float* out, int rows,
                                      int inner, int cols) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < rows && col < cols) {
        float sum = 0.0f;
        for (int i = 0; i < inner; ++i) {
            sum += left[row * inner + i] * right[i * cols + col];
        }
        out[row * cols + col] = sum;
    }
}

__global__ void matrixMultiplyGlobal(const float* a, const float* b, float* c, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n && col < n) {
        float sum = 0.0f;
        for (int k = 0; k < n; ++k) {
            sum += a[row * n + k] * b[k * n + col];
        }
        c[row * n + col] = sum;
    }
}

template <int TILE>
__global__ void matrixMultiplyTiled(const float* a, const float* b, float* c, int n) {
    __shared__ float tile_a[TILE][TILE];
    __shared__ float tile_b[TILE][TILE];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * TILE + ty;
    int col = blockIdx.x * TILE + tx;
    float sum = 0.0f;
    #pragma unroll 1
    for (int phase = 0; phase < (n + TILE - 1) / TILE; ++phase) {
        float value_a = 0.0f;
        if (row < n && phase * TILE + tx < n) {
            value_a = a[row * n + phase * TILE + tx];
        }
        tile_a[ty][tx] = value_a;
        float value_b = 0.0f;
        if (phase * TILE + ty < n && col < n) {
            value_b = b[(phase * TILE + ty) * n + col];
        }
        tile_b[ty][tx] = value_b;
        __syncthreads();
        for (int k = 0; k < TILE; ++k) {
            sum += tile_a[ty][k] * tile_b[k][tx];
        }
        __syncthreads();
    }
    if (row < n && col < n) {
        c[row * n + col] = sum;
    }
}

__global__ void matrixMultiplyTiledDynamic(const float* a, const float* b, float* c, int n,
                                           int tile) {
    extern __shared__ float tiles[];
    float* tile_a = tiles + 0;
    float* tile_b = tiles + tile * tile;
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int row = blockIdx.y * tile + ty;
    int col = blockIdx.x * tile + tx;
    float sum = 0.0f;
    #pragma unroll 1
    for (int phase = 0; phase < (n + tile - 1) / tile; ++phase) {
        float value_a = 0.0f;
        if (row < n && phase * tile + tx < n) {
            value_a = a[row * n + phase * tile + tx];
        }
        tile_a[ty * tile + tx] = value_a;
        float value_b = 0.0f;
        if (phase * tile + ty < n && col < n) {
            value_b = b[(phase * tile + ty) * n + col];
        }
        tile_b[ty * tile + tx] = value_b;
        __syncthreads();
        for (int k = 0; k < tile; ++k) {
            sum += tile_a[ty * tile + k] * tile_b[k * tile + tx];
        }
        __syncthreads();
    }
    if (row < n && col < n) {
        c[row * n + col] = sum;
    }
}

__global__ void branchOddEven(float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = 0.0f;
        float y = 0.0f;
        if (i % 2 == 0) {
            x = 100.0f;
        } else {
            y = 200.0f;
        }
        c[i] = x + y;
    }
}

__global__ void branchByWarp(float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = 0.0f;
        float y = 0.0f;
        if ((i / 32) % 2 == 0) {
            x = 100.0f;
        } else {
            y = 200.0f;
        }
        c[i] = x + y;
    }
}

__global__ void branchPredicate(float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = 0.0f;
        float y = 0.0f;
        bool isEven = i % 2 == 0;
        if (isEven) {
            x = 100.0f;
        }
        if (!isEven) {
            y = 200.0f;
        }
        c[i] = x + y;
    }
}

__global__ void branchWarmUp(float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float x = 0.0f;
        float y = 0.0f;
        if ((i / 32) % 2 == 0) {
            x = 100.0f;
        } else {
            y = 200.0f;
        }
        c[i] = x + y;
    }
}

__global__ void branchLongArms(const float* in, float* out, int n, int shift, int repeats) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float value = in[i];
        if (((i >> shift) & 1) != 0) {
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

__global__ void branchLoopTrips(const float* in, float* out, int n, int trips) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        int left = i % trips;
        int at = i;
        float sum = 0.0f;
        #pragma unroll 1
        while (left > 0) {
            sum += in[at];
            at = at + 1 < n ? at + 1 : 0;
            --left;
        }
        out[i] = sum;
    }
}

__global__ void copyStrided(const float* in, float* out, int n, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[i * stride];
    }
}

__global__ void copyOffset(const float* in, float* out, int n, int offset) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[i + offset];
    }
}

__global__ void copyVector(const float4* in, float4* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[i];
    }
}

__global__ void scalePicture(const float* in, float* out, int width, int height) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < height && col < width) {
        out[row * width + col] = 2.0f * in[row * width + col];
    }
}

__global__ void walkRowMajor(const float* in, float* out, int width, int height) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < height && col < width) {
        out[row * width + col] = in[row * width + col];
    }
}

__global__ void walkColumnMajor(const float* in, float* out, int width, int height) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < height && col < width) {
        out[row * width + col] = in[col * height + row];
    }
}

__global__ void elementwise1D(const float* in, float* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float value = in[i];
        out[i] = value * value;
    }
}

__global__ void elementwise2D(const float* in, float* out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) {
        float value = in[y * width + x];
        out[y * width + x] = value * value;
    }
}

__global__ void elementwise3D(const float* in, float* out, int width, int height, int depth) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < width && y < height && z < depth) {
        float value = in[(z * height + y) * width + x];
        out[(z * height + y) * width + x] = value * value;
    }
}

__global__ void reduceInterleaved(const float* in, float* sums, int n) {
    __shared__ float values[1024];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    float value = 0.0f;
    if (i < n) {
        value = in[i];
    }
    values[t] = value;
    __syncthreads();
    for (int stride = 1; stride < (int)blockDim.x; stride *= 2) {
        if (t % (2 * stride) == 0) {
            values[t] += values[t + stride];
        }
        __syncthreads();
    }
    if (t == 0) {
        sums[blockIdx.x] = values[0];
    }
}

__global__ void reduceSequential(const float* in, float* sums, int n) {
    __shared__ float values[1024];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    float value = 0.0f;
    if (i < n) {
        value = in[i];
    }
    values[t] = value;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride) {
            values[t] += values[t + stride];
        }
        __syncthreads();
    }
    if (t == 0) {
        sums[blockIdx.x] = values[0];
    }
}

__global__ void transposeTile(const float* in, float* out, int n) {
    __shared__ float tile[32][32];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int col = blockIdx.x * 32 + tx;
    int row = blockIdx.y * 32 + ty;
    if (row < n && col < n) {
        tile[ty][tx] = in[row * n + col];
    }
    __syncthreads();
    int outCol = blockIdx.y * 32 + tx;
    int outRow = blockIdx.x * 32 + ty;
    if (outRow < n && outCol < n) {
        out[outRow * n + outCol] = tile[tx][ty];
    }
}

__global__ void transposeTilePadded(const float* in, float* out, int n) {
    __shared__ float tile[32][33];
    int tx = threadIdx.x;
    int ty = threadIdx.y;
    int col = blockIdx.x * 32 + tx;
    int row = blockIdx.y * 32 + ty;
    if (row < n && col < n) {
        tile[ty][tx] = in[row * n + col];
    }
    __syncthreads();
    int outCol = blockIdx.y * 32 + tx;
    int outRow = blockIdx.x * 32 + ty;
    if (outRow < n && outCol < n) {
        out[outRow * n + outCol] = tile[tx][ty];
    }
}

__global__ void arrayInLocalMemory(const float* in, float* out, int n, int shift) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float values[16];
        float value = in[i];
        for (int k = 0; k < 16; ++k) {
            values[k] = value;
            value = fmaf(value, 0.875f, 0.5f);
        }
        int start = (i + shift) % 16;
        float sum = 0.0f;
        for (int k = 0; k < 16; ++k) {
            sum = fmaf(sum, 0.75f, values[(start + k) % 16]);
        }
        out[i] = sum;
    }
}

__global__ void arrayInRegisters(const float* in, float* out, int n, int shift) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        float values[16];
        float value = in[i];
#pragma unroll
        for (int k = 0; k < 16; ++k) {
            values[k] = value;
            value = fmaf(value, 0.875f, 0.5f);
        }
        int start = (i + shift) % 16;
#pragma unroll
        for (int step = 1; step < 16; step *= 2) {
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
        for (int k = 0; k < 16; ++k) {
            sum = fmaf(sum, 0.75f, values[k]);
        }
        out[i] = sum;
    }
}

__global__ void sumInRounds(const float4* in, float* sums, int n, int work) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    int i = thread;
    float sum = 0.0f;
#pragma unroll 1
    while (i < n) {
        float4 value = in[i];
        sum += (value.x + value.y) + (value.z + value.w);
#pragma unroll 1
        for (int k = 0; k < work; ++k) {
            sum = fmaf(sum, 0.875f, 0.5f);
        }
        i += threads;
    }
    sums[thread] = sum;
}

template __global__ void matrixMultiplyTiled<8>(const float*, const float*, float*, int);
template __global__ void matrixMultiplyTiled<16>(const float*, const float*, float*, int);
template __global__ void matrixMultiplyTiled<32>(const float*, const float*, float*, int);

}  // namespace warplens::by_hand
