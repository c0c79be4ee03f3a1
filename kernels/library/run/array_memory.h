#pragma once

#include <cstdint>
#include <vector>

#include "core/library/kernel_file.h"
#include "core/scenario/scenario.h"

namespace warplens::library {

/// The arrays of one launch in the host's memory. Where values do not matter, inputs read as 0 and
/// what is stored is forgotten: then they cost no memory, however long they are.
class ArrayMemory final {
  public:
    struct Array final {
        std::uint64_t begin = 0;  ///< address of the first element
        std::uint64_t bytes = 0;
    };

    /// With `withValues` inputs hold `inputValue` (core/kernel/input_data.h) and outputs 0.
    /// Throws std::bad_alloc.
    ArrayMemory(const KernelFile& kernel, const Experiment& experiment, bool withValues);
    ArrayMemory(const ArrayMemory&) = delete;
    ArrayMemory& operator=(const ArrayMemory&) = delete;
    ~ArrayMemory();

    [[nodiscard]] const std::vector<Array>& arrays() const { return arrays_; }
    [[nodiscard]] bool hasValues() const { return !own_.empty(); }

  private:
    std::vector<Array> arrays_;
    std::vector<std::pair<void*, std::size_t>> own_;
};

}  // namespace warplens::library
