#include <cstdio>
#include <cuda.h>
#include <cuda_runtime.h>

// PTX that the program loads by itself, and calls of the driver API beside those of the runtime
// API.
const char* const code = R"(
.version 8.0
.target sm_90
.address_size 64
.global .align 4 .u32 done;
.visible .entry triple(.param .u64 values, .param .u32 n)
{
    .reg .pred %p;
    .reg .b32 %r<6>;
    .reg .b64 %rd<3>;
    ld.param.u64 %rd0, [values];
    ld.param.u32 %r0, [n];
    mov.u32 %r1, %tid.x;
    setp.ge.u32 %p, %r1, %r0;
    @%p ret;
    mul.wide.u32 %rd1, %r1, 4;
    add.s64 %rd2, %rd0, %rd1;
    ld.global.u32 %r2, [%rd2];
    mul.lo.u32 %r3, %r2, 3;
    st.global.u32 [%rd2], %r3;
    atom.global.add.u32 %r4, [done], 1;
    ret;
}
)";

__global__ void addOne(unsigned* v) {
    v[threadIdx.x]++;  //= load v requests=2 sectors=8 //= store v requests=2 sectors=8
}

int main() {
    CUdevice device;
    CUcontext context, current;
    char name[64];
    int major, warp;
    if (cuInit(0) != CUDA_SUCCESS || cuDeviceGet(&device, 0) != CUDA_SUCCESS) return 1;
    cuDeviceGetName(name, sizeof name, device);
    cuDeviceComputeCapability(&major, &warp, device);
    cuDeviceGetAttribute(&warp, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device);
    if (major != 9 || warp != 32 || name[0] == 0) return 2;
    cuDevicePrimaryCtxRetain(&context, device);
    cuCtxSetCurrent(context);
    cuCtxGetCurrent(&current);
    if (current != context || cuDeviceGet(&device, 7) == CUDA_SUCCESS) return 3;

    CUmodule module, again;
    CUfunction triple;
    if (cuModuleLoadData(&module, code) != CUDA_SUCCESS) return 4;
    if (cuModuleLoadData(&again, code) != CUDA_SUCCESS) return 5;
    if (cuModuleGetFunction(&triple, module, "none") != CUDA_ERROR_NOT_FOUND) return 6;
    if (cuModuleGetFunction(&triple, module, "triple") != CUDA_SUCCESS) return 7;

    CUdeviceptr values;
    unsigned got[64], n = 64, done = 0;
    cuMemAlloc(&values, sizeof got);
    cuMemsetD32(values, 5, 64);
    void* arguments[] = {&values, &n};
    if (cuLaunchKernel(triple, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr) != CUDA_SUCCESS)
        return 8;
    addOne<<<1, 64>>>(reinterpret_cast<unsigned*>(values));
    struct {
        CUdeviceptr values;
        unsigned n;
    } packed{values, n};
    size_t bytes = 12;
    void* extra[] = {CU_LAUNCH_PARAM_BUFFER_POINTER, &packed, CU_LAUNCH_PARAM_BUFFER_SIZE, &bytes,
                     CU_LAUNCH_PARAM_END};
    if (cuLaunchKernel(triple, 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra) != CUDA_SUCCESS)
        return 9;
    cuCtxSynchronize();
    cuMemcpyDtoH(got, values, sizeof got);
    for (unsigned value : got)
        if (value != (5 * 3 + 1) * 3) return 10;
    CUdeviceptr counter;
    cuModuleGetGlobal(&counter, &bytes, module, "done");
    cuMemcpyDtoH(&done, counter, bytes);
    if (bytes != 4 || done != 128) return 11;
    cuMemFree(values);

    CUmemAllocationProp properties{}, same{};
    properties.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    properties.location.id = 3;
    size_t granularity;
    cuMemGetAllocationGranularity(&granularity, &properties, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
    CUmemGenericAllocationHandle memory;
    cuMemAddressReserve(&values, granularity, 0, 0, 0);
    cuMemCreate(&memory, granularity, &properties, 0);
    cuMemGetAllocationPropertiesFromHandle(&same, memory);
    if (same.location.id != 3 || cuMemMap(values, granularity, 0, memory, 0) != CUDA_SUCCESS)
        return 12;
    cuMemRelease(memory);
    cuMemsetD8(values, 1, granularity);
    cuMemcpyDtoH(got, values, sizeof got);
    if (got[63] != 0x01010101) return 13;
    cuMemUnmap(values, granularity);
    cuMemAddressFree(values, granularity);
    cuModuleUnload(module);
    std::printf("ok\n");
    return 0;
}
