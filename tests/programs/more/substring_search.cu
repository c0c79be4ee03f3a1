#include <cstdio>
#include <cstring>
#include <string>

__constant__ char pattern[8];

__global__ void search(const char* text, int length, int patternLength, int* first) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + patternLength > length) return;
    for (int k = 0; k < patternLength; ++k) {
        if (text[i + k] != pattern[k]) return;
    }
    atomicMin(first, i);
}

int main() {
    std::string text;
    for (int i = 0; i < 40; ++i) text += "warpwrap";
    text += "lane";
    text += text;
    const char* wanted = "lanewa";
    int length = (int)text.size(), none = length, got, *first;
    char* dt;
    cudaMalloc(&dt, length);
    cudaMalloc(&first, sizeof(int));
    cudaMemcpy(dt, text.data(), length, cudaMemcpyHostToDevice);
    cudaMemcpy(first, &none, sizeof none, cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(pattern, wanted, strlen(wanted));
    search<<<(length + 127) / 128, 128>>>(dt, length, (int)strlen(wanted), first);
    cudaMemcpy(&got, first, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(dt);
    cudaFree(first);
    if (got != (int)text.find(wanted)) return 1;
    puts("ok");
}
