#include "kernels/measure/device/l2_spoiler.h"

#include <array>

#include "kernels/measure/device/cuda_error.h"

namespace warplens {
namespace {

constexpr unsigned blocks = 1024;
constexpr unsigned threadsPerBlock = 256;

/// Reads `quads` values of 16 bytes from `data`, side by side; stores nothing unless they add up to
/// what zeros do not.
constexpr const char* readAllPtx = R"(
.version 7.0
.target sm_75
.address_size 64
.visible .entry warplensReadAll(.param .u64 data, .param .u64 quads)
{
    .reg .pred %past, %stores;
    .reg .b32 %block, %size, %thread, %blocks, %sum, %a, %b, %c, %d;
    .reg .b64 %at, %step, %end, %base, %address;
    ld.param.u64 %base, [data];
    ld.param.u64 %end, [quads];
    cvta.to.global.u64 %base, %base;
    mov.u32 %block, %ctaid.x;
    mov.u32 %size, %ntid.x;
    mov.u32 %thread, %tid.x;
    mov.u32 %blocks, %nctaid.x;
    mul.wide.u32 %at, %block, %size;
    cvt.u64.u32 %step, %thread;
    add.u64 %at, %at, %step;
    mul.wide.u32 %step, %blocks, %size;
    mov.u32 %sum, 0;
next:
    setp.ge.u64 %past, %at, %end;
    @%past bra done;
    shl.b64 %address, %at, 4;
    add.u64 %address, %address, %base;
    ld.global.v4.u32 {%a, %b, %c, %d}, [%address];
    or.b32 %sum, %sum, %a;
    or.b32 %sum, %sum, %b;
    or.b32 %sum, %sum, %c;
    or.b32 %sum, %sum, %d;
    add.u64 %at, %at, %step;
    bra next;
done:
    setp.ne.u32 %stores, %sum, 0;
    @%stores st.global.u32 [%base], %sum;
    ret;
}
)";

}  // namespace

L2Spoiler::L2Spoiler(std::uint64_t l2Bytes) : data_(bytesFor(l2Bytes)) {
    check(cudaMemset(data_.as<>(), 0, data_.bytes()), "cudaMemset");
    check(cudaLibraryLoadData(&library_, readAllPtx, nullptr, nullptr, 0, nullptr, nullptr, 0),
          "cudaLibraryLoadData");
    check(cudaLibraryGetKernel(&kernel_, library_, "warplensReadAll"), "cudaLibraryGetKernel");
}

L2Spoiler::~L2Spoiler() {
    if (library_ != nullptr) cudaLibraryUnload(library_);
}

void L2Spoiler::spoil() {
    void* data = data_.as<>();
    std::uint64_t quads = data_.bytes() / 16;
    std::array<void*, 2> arguments{&data, &quads};
    check(cudaLaunchKernel(reinterpret_cast<const void*>(kernel_), dim3(blocks),
                           dim3(threadsPerBlock), arguments.data(), 0, nullptr),
          "cudaLaunchKernel");
}

}  // namespace warplens
