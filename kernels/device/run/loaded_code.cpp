#include "kernels/device/run/loaded_code.h"

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

std::string linkWithDriver(const std::string& ptx, const std::string& probe) {
    const Driver& driver = Driver::open();
    std::array<char, 8192> log{};
    std::array<CUjit_option, 2> options{CU_JIT_ERROR_LOG_BUFFER,
                                        CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    std::array<void*, 2> values{log.data(), reinterpret_cast<void*>(log.size())};
    CUlinkState link = nullptr;
    check(driver.linkCreate(2, options.data(), values.data(), &link), "cuLinkCreate");
    const auto add = [&](const std::string& part, const char* name) {
        return driver.linkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(part.c_str()),
                                  part.size() + 1, name, 0, nullptr, nullptr);
    };
    CUresult result = add(ptx, "program");
    if (result == CUDA_SUCCESS) result = add(probe, "probe");
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
