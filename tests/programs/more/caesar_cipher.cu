#include <cstdio>
#include <string>

__device__ char turned(char c, int by) {
    if (c >= 'a' && c <= 'z') return 'a' + (c - 'a' + by) % 26;
    if (c >= 'A' && c <= 'Z') return 'A' + (c - 'A' + by) % 26;
    return c;
}

__global__ void cipher(char* text, int length, int by) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < length) text[i] = turned(text[i], by);
}

int main() {
    std::string text =
        "Thirty-two threads walk into a warp. All of them leave together, or they wait.";
    std::string got(text.size(), ' ');
    char* d;
    cudaMalloc(&d, text.size());
    cudaMemcpy(d, text.data(), text.size(), cudaMemcpyHostToDevice);
    cipher<<<3, 32>>>(d, (int)text.size(), 13);
    cipher<<<3, 32>>>(d, (int)text.size(), 13);
    cudaMemcpy(&got[0], d, text.size(), cudaMemcpyDeviceToHost);
    cudaFree(d);
    if (got != text) return 1;
    puts("ok");
}
