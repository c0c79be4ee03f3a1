#include <cstdio>
#include <vector>

__global__ void blur(const unsigned char* in, unsigned char* out, int width, int height,
                     int radius) {
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    if (col < width && row < height) {
        int sum = 0, pixels = 0;
        for (int dr = -radius; dr <= radius; ++dr) {
            for (int dc = -radius; dc <= radius; ++dc) {
                int r = row + dr, c = col + dc;
                if (r >= 0 && r < height && c >= 0 && c < width) {
                    sum += in[r * width + c];
                    ++pixels;
                }
            }
        }
        out[row * width + col] = (unsigned char)(sum / pixels);
    }
}

int main() {
    const int width = 30, height = 17, radius = 1;
    std::vector<unsigned char> h(width * height), got(h.size());
    for (size_t i = 0; i < h.size(); ++i) h[i] = i * 13 % 200;
    unsigned char *in, *out;
    cudaMalloc(&in, h.size());
    cudaMalloc(&out, h.size());
    cudaMemcpy(in, h.data(), h.size(), cudaMemcpyHostToDevice);
    blur<<<dim3(2, 2), dim3(16, 16)>>>(in, out, width, height, radius);
    cudaMemcpy(got.data(), out, h.size(), cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    for (int row = 0; row < height; ++row) {
        for (int col = 0; col < width; ++col) {
            int sum = 0, pixels = 0;
            for (int r = row - radius; r <= row + radius; ++r) {
                for (int c = col - radius; c <= col + radius; ++c) {
                    if (r < 0 || r >= height || c < 0 || c >= width) continue;
                    sum += h[r * width + c];
                    ++pixels;
                }
            }
            if (got[row * width + col] != sum / pixels) return 1;
        }
    }
    puts("ok");
}
