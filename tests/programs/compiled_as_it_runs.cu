#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>
#include <nvrtc.h>
#include <string>

const char* const text = R"(
extern "C" __global__ void scale(float* values, float by, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) values[i] *= by;
}
)";

__global__ void clear(float* values) {
    values[threadIdx.x] = 1;  //= store values requests=2 sectors=8
}

// NVRTC compiles, as the program runs, the kernel that the driver API loads.
int main() {
    nvrtcProgram program;
    nvrtcCreateProgram(&program, text, "scale.cu", 0, nullptr, nullptr);
    const char* options[] = {"--gpu-architecture=compute_90", "-lineinfo"};
    if (nvrtcCompileProgram(program, 2, options) != NVRTC_SUCCESS) return 1;
    size_t bytes = 0;
    nvrtcGetPTXSize(program, &bytes);
    std::string ptx(bytes, 0);
    nvrtcGetPTX(program, &ptx[0]);
    nvrtcDestroyProgram(&program);

    CUmodule module;
    CUfunction scale;
    cuInit(0);
    if (cuModuleLoadDataEx(&module, ptx.c_str(), 0, nullptr, nullptr) != CUDA_SUCCESS) return 2;
    if (cuModuleGetFunction(&scale, module, "scale") != CUDA_SUCCESS) return 3;
    float *values, got[64], by = 2.5f;
    int n = 50;
    cudaMalloc(&values, sizeof got);
    clear<<<1, 64>>>(values);
    void* arguments[] = {&values, &by, &n};
    cuLaunchKernel(scale, 2, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr);
    cudaMemcpy(got, values, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(values);
    for (int i = 0; i < 64; ++i)
        if (got[i] != (i < n ? 2.5f : 1)) return 4;
    std::printf("ok\n");
    return 0;
}
