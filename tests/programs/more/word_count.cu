#include <cctype>
#include <cstdio>
#include <string>

// A word begins where a letter follows none; the block's votes are added.
__global__ void words(const char* text, int length, int* count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    bool begins = false;
    if (i < length) {
        bool letter = text[i] != ' ';
        begins = letter && (i == 0 || text[i - 1] == ' ');
    }
    int inBlock = __syncthreads_count(begins);
    if (threadIdx.x == 0) atomicAdd(count, inBlock);
}

int main() {
    std::string text;
    int want = 0;
    for (int i = 0; i < 60; ++i, ++want)
        text += std::string(1 + i % 6, 'x') + (i % 4 ? " " : "   ");
    char* d;
    int *count, got;
    cudaMalloc(&d, text.size());
    cudaMalloc(&count, sizeof(int));
    cudaMemset(count, 0, sizeof(int));
    cudaMemcpy(d, text.data(), text.size(), cudaMemcpyHostToDevice);
    words<<<((int)text.size() + 63) / 64, 64>>>(d, (int)text.size(), count);
    cudaMemcpy(&got, count, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(d);
    cudaFree(count);
    if (got != want) return 1;
    puts("ok");
}
