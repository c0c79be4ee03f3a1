#include <charconv>
#include <cstdio>
#include <map>
#include <string>
#include <thread>
#include <vector>

// The host's code instantiates what the CUDA runtime that it is linked with instantiates, too.
__global__ void squares(int* out) {
    out[threadIdx.x] = threadIdx.x * threadIdx.x;  //= store out requests=1 sectors=4
}

int main() {
    std::vector<int> host(32);
    int* out;
    cudaMalloc(&out, 32 * sizeof(int));
    squares<<<1, 32>>>(out);
    cudaMemcpy(host.data(), out, 32 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(out);
    std::map<std::string, int> named;
    std::thread([&] {
        for (int i = 0; i < 32; ++i) named[std::to_string(static_cast<unsigned>(i))] = host[i];
    }).join();
    puts(named["31"] == 961 ? "ok" : "wrong");
    return named["31"] == 961 ? 0 : 1;
}
