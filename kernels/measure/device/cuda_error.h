#pragma once

#include <cuda.h>
#include <source_location>
#include <stdexcept>
#include <string>

namespace warplens {

/// `CUDA_ERROR_ILLEGAL_ADDRESS`; `CUDA error 1234` where no driver tells its name.
[[nodiscard]] std::string nameOf(CUresult code);

/// A call of the CUDA driver that failed.
class CudaError final : public std::runtime_error {
  public:
    CudaError(CUresult code, const char* call, std::source_location where);
    [[nodiscard]] CUresult code() const { return code_; }

  private:
    CUresult code_;
};

/// Throws CudaError unless `code` is a success.
inline void check(CUresult code, const char* call,
                  std::source_location where = std::source_location::current()) {
    if (code != CUDA_SUCCESS) throw CudaError(code, call, where);
}

}  // namespace warplens
