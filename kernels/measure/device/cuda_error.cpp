#include "kernels/measure/device/cuda_error.h"

#include <dlfcn.h>

namespace warplens {
namespace {

/// What the driver says of the error by one of its functions; empty where there is no driver, or it
/// does not know the error. Needs no driver that can be used.
std::string toldByDriver(const char* function, CUresult code) {
    static void* const library = dlopen("libcuda.so.1", RTLD_NOW);
    using Tell = CUresult (*)(CUresult, const char**);
    const auto tell =
        library == nullptr ? nullptr : reinterpret_cast<Tell>(dlsym(library, function));
    const char* text = nullptr;
    if (tell == nullptr || tell(code, &text) != CUDA_SUCCESS || text == nullptr) return {};
    return text;
}

}  // namespace

std::string nameOf(CUresult code) {
    const std::string name = toldByDriver("cuGetErrorName", code);
    return name.empty() ? "CUDA error " + std::to_string(code) : name;
}

CudaError::CudaError(CUresult code, const char* call, std::source_location where)
    : std::runtime_error(std::string(call) + ": " + toldByDriver("cuGetErrorString", code) + " (" +
                         nameOf(code) + ") at " + where.file_name() + ":" +
                         std::to_string(where.line())),
      code_(code) {}

}  // namespace warplens
