#include "kernels/measure/device/loaded_code.h"

#include <array>

#include "kernels/device/compile/compile.h"

namespace warplens {

LoadedCode::LoadedCode(const std::string& cubin) {
    check(Driver::open().moduleLoadDataEx(&module_, cubin.data(), 0, nullptr, nullptr),
          "cuModuleLoadDataEx");
}

CUfunction LoadedCode::kernel(const std::string& symbol) const {
    CUfunction function = nullptr;
    check(Driver::open().moduleGetFunction(&function, module_, symbol.c_str()),
          "cuModuleGetFunction");
    return function;
}

LoadedCode::Variable LoadedCode::variable(const std::string& symbol) const {
    Variable found;
    const CUresult result =
        Driver::open().moduleGetGlobal(&found.address, &found.bytes, module_, symbol.c_str());
    if (result == CUDA_ERROR_NOT_FOUND) return {};
    check(result, "cuModuleGetGlobal");
    return found;
}

std::string linkWithDriver(const std::string& ptx, unsigned mostRegisters) {
    const Driver& driver = Driver::open();
    std::array<char, 8192> log{};
    std::array<CUjit_option, 3> options{CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                                        CU_JIT_MAX_REGISTERS};
    std::array<void*, 3> values{log.data(), reinterpret_cast<void*>(log.size()),
                                reinterpret_cast<void*>(std::uintptr_t{mostRegisters})};
    CUlinkState link = nullptr;
    check(driver.linkCreate(mostRegisters == 0 ? 2 : 3, options.data(), values.data(), &link),
          "cuLinkCreate");
    CUresult result = driver.linkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(ptx.c_str()),
                                         ptx.size() + 1, "program", 0, nullptr, nullptr);
    void* cubin = nullptr;
    std::size_t bytes = 0;
    if (result == CUDA_SUCCESS) result = driver.linkComplete(link, &cubin, &bytes);
    std::string linked;
    if (result == CUDA_SUCCESS) linked.assign(static_cast<const char*>(cubin), bytes);
    driver.linkDestroy(link);
    if (result != CUDA_SUCCESS && log[0] != '\0') throw CompileError(log.data());
    check(result, "cuLinkComplete");
    return linked;
}

}  // namespace warplens
