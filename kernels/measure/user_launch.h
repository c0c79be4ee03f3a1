#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/program/launch_inputs.h"
#include "core/program/program_measurement.h"
#include "kernels/measure/device/loaded_code.h"

namespace warplens {

/// One launch of a user's program: its kernel and arrays, and what brings these back to what they
/// were before it.
class UserLaunch final : public DeviceLaunch {
  public:
    /// Allocates and fills, pointers set to where the arrays lie here; device variables are those
    /// of the loaded code. Throws InvalidRequest where the device has not the memory for it,
    /// CudaError. `inputs`, whose machine code is loaded, must outlive this.
    explicit UserLaunch(const LaunchInputs& inputs);

    void restore() override;
    [[nodiscard]] bool needsRestoring() const override;
    [[nodiscard]] std::uint64_t bytes() const override { return bytes_; }

    /// Reads every array back and compares it with the host's contents after the launch.
    [[nodiscard]] std::vector<ArrayCheck> compare() const;

  private:
    struct Place final {
        CUdeviceptr address = 0;  ///< 0: a variable that no kernel of the code uses
        DeviceBuffer array{};     ///< empty of variables
        DeviceBuffer before{};  ///< a copy of the contents before; empty: not changed, none needed
    };
    UserLaunch(LoadedCode loaded, const LaunchInputs& inputs);
    void place();
    [[nodiscard]] std::vector<std::byte> relocatedHere(const InputBytes& bytes) const;

    LoadedCode loaded_;
    const LaunchInputs& inputs_;
    std::vector<Place> places_;
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
