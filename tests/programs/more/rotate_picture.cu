#include <cstdio>
#include <vector>

// A quarter turn: what is read in rows is written in columns.
__global__ void rotate(const short* in, short* out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) out[x * height + (height - 1 - y)] = in[y * width + x];
}

int main() {
    const int width = 50, height = 21;
    std::vector<short> h(width * height), got(h.size());
    for (size_t i = 0; i < h.size(); ++i) h[i] = (short)i;
    short *in, *out;
    cudaMalloc(&in, h.size() * sizeof(short));
    cudaMalloc(&out, h.size() * sizeof(short));
    cudaMemcpy(in, h.data(), h.size() * sizeof(short), cudaMemcpyHostToDevice);
    rotate<<<dim3(2, 3), dim3(32, 8)>>>(in, out, width, height);
    cudaMemcpy(got.data(), out, h.size() * sizeof(short), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            if (got[x * height + height - 1 - y] != h[y * width + x]) return 1;
        }
    }
    puts("ok");
}
