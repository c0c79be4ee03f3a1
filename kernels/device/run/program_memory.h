#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/program/launch_inputs.h"
#include "core/program/program_measurement.h"
#include "kernels/measure/device/loaded_code.h"

namespace warplens {

/// The arrays of one launch in the device's memory, and what brings them back to what they were
/// before it.
class ProgramMemory final {
  public:
    /// Allocates and fills, pointers set to where the arrays lie here. Device variables belong to
    /// loaded code: `bind` fills those. Throws InvalidRequest where the device has not the memory
    /// for it, CudaError. `inputs` must outlive this.
    explicit ProgramMemory(const LaunchInputs& inputs);
    ProgramMemory(const ProgramMemory&) = delete;
    ProgramMemory& operator=(const ProgramMemory&) = delete;
    ~ProgramMemory();

    /// From now on the launch's device variables are those of `code`, under the names that the
    /// compiler gave them; sets all arrays to their contents before the launch. `symbolOf` gives
    /// the symbol of a variable's name expression.
    void bind(const LoadedCode& code, const std::map<std::string, std::string>& symbolOf);

    /// Queues copies that bring every array that the launch changes back to its contents before.
    /// Nothing where it changes none.
    void restore();
    /// Arrays that the launch changes, by the host's account of it.
    [[nodiscard]] std::size_t changedArrays() const { return changed_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

    /// The kernel's parameters, ready for the launch.
    [[nodiscard]] std::vector<std::byte> parameters() const;

    /// Reads every array back and compares it with the host's contents after the launch.
    [[nodiscard]] std::vector<ArrayCheck> compare() const;

  private:
    struct Place final {
        CUdeviceptr address = 0;
        CUdeviceptr before = 0;  ///< a copy of the contents before, 0: not changed, none needed
        bool owned = false;
    };

    [[nodiscard]] std::vector<std::byte> relocated(const InputBytes& bytes) const;
    void fill(std::size_t array);

    const LaunchInputs& inputs_;
    std::vector<Place> places_;
    std::size_t changed_ = 0;
    std::uint64_t bytes_ = 0;
};

/// Compares two arrays of elements of `elementBytes`. Elements that differ in their bits are equal
/// within the tolerance where both read as floating-point numbers of that size (float, double;
/// neither far below what programs compute with) and differ by at most `floatTolerance` or
/// `doubleTolerance` of the largest expected magnitude.
[[nodiscard]] ArrayCheck compareArrays(const std::string& name, std::uint32_t elementBytes,
                                       std::span<const std::byte> expected,
                                       std::span<const std::byte> found);
inline constexpr double floatTolerance = 1e-4;
inline constexpr double doubleTolerance = 1e-10;

}  // namespace warplens
