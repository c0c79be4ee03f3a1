#include "kernels/measure/device/l2_spoiler.h"

#include "kernels/measure/device/device_kernels.h"

namespace warplens {

L2Spoiler::L2Spoiler(std::uint64_t l2Bytes)
    : data_(bytesFor(l2Bytes)), kernel_(deviceKernel("readAll")) {
    data_.fill(0);
}

void L2Spoiler::spoil() {
    launchKernel(kernel_, {.grid = {1024}, .block = {256}}, data_.address(), data_.bytes() / 16);
}

}  // namespace warplens
