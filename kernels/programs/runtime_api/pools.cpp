// Memory pools, sharing between processes, and virtual memory: pools have no memory of their own
// here, and other processes are not served.
#include <cstring>

#include "kernels/programs/runtime_api/device.h"

using namespace warplens;
using namespace warplens::programs;
using cuda::Error;

namespace {

struct MemoryPool final {
    unsigned long long releaseThreshold = 0;
};
MemoryPool& defaultPool() {
    static MemoryPool pool;
    return pool;
}
constexpr int thresholdAttribute = 4;

}  // namespace

extern "C" {

Error cudaDeviceGetDefaultMemPool(void** pool, int) {
    return give(pool, &defaultPool());
}
Error cudaMemPoolCreate(void** pool, const void*) {
    return give(pool, new MemoryPool);
}
Error cudaMemPoolDestroy(void* pool) {
    if (pool != &defaultPool()) delete static_cast<MemoryPool*>(pool);
    return cuda::success;
}
Error cudaMemPoolSetAttribute(void* pool, int attribute, const void* value) {
    auto& known = *static_cast<MemoryPool*>(pool);
    if (attribute == thresholdAttribute)
        std::memcpy(&known.releaseThreshold, value, sizeof known.releaseThreshold);
    return cuda::success;
}
/// Of what is in use now nothing is known by pool.
Error cudaMemPoolGetAttribute(void* pool, int attribute, void* value) {
    const auto& known = *static_cast<MemoryPool*>(pool);
    if (attribute < thresholdAttribute) {
        const int flag = 1;
        std::memcpy(value, &flag, sizeof flag);
        return cuda::success;
    }
    const unsigned long long number = attribute == thresholdAttribute ? known.releaseThreshold : 0;
    std::memcpy(value, &number, sizeof number);
    return cuda::success;
}
Error cudaMemPoolGetAccess(int* flags, void*, const void*) {
    return give(flags, 3);  // to read and to write
}

}  // extern "C"
