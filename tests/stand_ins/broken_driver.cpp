// A libcuda.so.1 that supports the CUDA version in STAND_IN_DRIVER_VERSION, 13000 for 13.0, and
// answers cuInit with the code in STAND_IN_INIT. It has nothing else.
#include <cstdlib>
#include <cuda.h>

// cuda.h makes cuGetProcAddress_v2 of it; this is the first version, with four parameters.
#undef cuGetProcAddress

namespace {

int numberIn(const char* variable) {
    const char* const text = std::getenv(variable);
    return text != nullptr ? std::atoi(text) : 0;
}

}  // namespace

extern "C" {

CUresult CUDAAPI cuDriverGetVersion(int* version) {
    *version = numberIn("STAND_IN_DRIVER_VERSION");
    return CUDA_SUCCESS;
}

CUresult CUDAAPI cuInit(unsigned int) {
    return static_cast<CUresult>(numberIn("STAND_IN_INIT"));
}

CUresult CUDAAPI cuGetProcAddress(const char*, void** function, int, cuuint64_t) {
    *function = nullptr;
    return CUDA_ERROR_NOT_FOUND;
}
}
