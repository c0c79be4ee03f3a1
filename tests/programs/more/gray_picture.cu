#include <cstdio>
#include <vector>

// Three bytes a pixel in, one out.
__global__ void gray(const uchar3* in, unsigned char* out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    uchar3 p = in[y * width + x];
    out[y * width + x] = (unsigned char)((p.x * 77 + p.y * 151 + p.z * 28) >> 8);
}

int main() {
    const int width = 45, height = 20;
    std::vector<uchar3> h(width * height);
    std::vector<unsigned char> got(h.size());
    for (size_t i = 0; i < h.size(); ++i) {
        h[i] = make_uchar3(i % 256, i * 3 % 256, i * 7 % 256);
    }
    uchar3* in;
    unsigned char* out;
    cudaMalloc(&in, h.size() * sizeof(uchar3));
    cudaMalloc(&out, h.size());
    cudaMemcpy(in, h.data(), h.size() * sizeof(uchar3), cudaMemcpyHostToDevice);
    dim3 block(32, 8);
    gray<<<dim3((width + 31) / 32, (height + 7) / 8), block>>>(in, out, width, height);
    cudaMemcpy(got.data(), out, h.size(), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    for (size_t i = 0; i < h.size(); ++i) {
        if (got[i] != (h[i].x * 77 + h[i].y * 151 + h[i].z * 28) >> 8) return 1;
    }
    puts("ok");
}
