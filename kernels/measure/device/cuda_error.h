#pragma once

#include <cuda_runtime_api.h>
#include <source_location>
#include <stdexcept>
#include <string>

namespace warplens {

/// A CUDA runtime call that failed.
class CudaError final : public std::runtime_error {
  public:
    CudaError(cudaError_t code, const char* call, std::source_location where)
        : std::runtime_error(std::string(call) + ": " + cudaGetErrorString(code) + " (" +
                             cudaGetErrorName(code) + ") at " + where.file_name() + ":" +
                             std::to_string(where.line())),
          code_(code) {}
    [[nodiscard]] cudaError_t code() const { return code_; }

  private:
    cudaError_t code_;
};

/// Throws CudaError unless `code` is cudaSuccess.
inline void check(cudaError_t code, const char* call,
                  std::source_location where = std::source_location::current()) {
    if (code != cudaSuccess) throw CudaError(code, call, where);
}

}  // namespace warplens
