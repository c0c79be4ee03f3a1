#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "core/launch/launch.h"

namespace warplens {

/// A pointer within bytes: where it lies, and the byte it points to.
struct PointerRelocation final {
    std::uint64_t offset = 0;      ///< of the 8 bytes of the pointer, in the bytes that hold it
    std::uint32_t array = 0;       ///< index into LaunchInputs::arrays
    std::uint64_t byteOffset = 0;  ///< in that array; may be its size (one past the end)
    friend bool operator==(const PointerRelocation&, const PointerRelocation&) = default;
};

/// Bytes, some of which are pointers into arrays. The pointers' own bytes are zero.
struct InputBytes final {
    std::vector<std::byte> bytes;
    std::vector<PointerRelocation> pointers;  ///< by offset, none overlaps another
    friend bool operator==(const InputBytes&, const InputBytes&) = default;
};

/// One array in the device's memory as one launch saw it.
struct InputArray final {
    std::string name;  ///< as in the kernel: the parameter's, else the host's or the symbol's
    std::uint32_t elementBytes = 1;
    std::string symbol;  ///< of a __device__ or __constant__ variable its name in the code
    InputBytes before;   ///< contents before the launch
    InputBytes after;    ///< contents after it, as the trace on the host computed them
    friend bool operator==(const InputArray&, const InputArray&) = default;
};

/// One parameter of a kernel, by its place in LaunchInputs::parameters.
struct InputParameter final {
    std::string name;
    std::uint32_t offset = 0;  ///< a multiple of the type's alignment
    std::uint32_t bytes = 0;
    friend bool operator==(const InputParameter&, const InputParameter&) = default;
};

/// All that one launch of a program needs to be run again elsewhere, and what came of it here.
struct LaunchInputs final {
    std::string kernel;  ///< the instance, as `scan<true, float>`
    std::string symbol;  ///< its name in the code
    /// PTX of the optimised program: of the modules that are linked with the kernel's, its own
    /// first; empty once there is machine code.
    std::vector<std::string> ptx;
    std::string cubin;  ///< machine code of it for one compute capability; empty until assembled
    Launch launch;
    bool cooperative = false;
    /// The parameters laid out as the members of a struct, each at its alignment: what
    /// cuLaunchKernel takes as CU_LAUNCH_PARAM_BUFFER_POINTER once the pointers are filled in.
    InputBytes parameters;
    std::vector<InputParameter> parameterList;
    std::vector<InputArray> arrays;
    friend bool operator==(const LaunchInputs&, const LaunchInputs&) = default;
};

/// The bytes with their pointers filled in: `addressOf` gives where each array lies.
template <class AddressOf>
[[nodiscard]] std::vector<std::byte> relocated(const InputBytes& bytes,
                                               const AddressOf& addressOf) {
    std::vector<std::byte> found = bytes.bytes;
    for (const PointerRelocation& pointer : bytes.pointers) {
        const std::uint64_t address = addressOf(pointer.array) + pointer.byteOffset;
        std::memcpy(found.data() + pointer.offset, &address, sizeof address);
    }
    return found;
}

/// Most bytes that one framed LaunchInputs may take.
inline constexpr std::uint64_t mostLaunchInputBytes = std::uint64_t{512} << 20;

/// Bytes of the frame, header included.
[[nodiscard]] std::uint64_t framedBytes(const LaunchInputs& inputs);

/// The framed binary form: `WLIN`, a version, the length of what follows (all little-endian), then
/// the members in their order. Throws InvalidRequest where it would be over mostLaunchInputBytes.
[[nodiscard]] std::vector<std::byte> toFrame(const LaunchInputs& inputs);

/// The reverse. Throws MalformedFrame (byte_frame.h) for anything that is no such frame: a
/// wrong magic or version, a length that is not that of the bytes, over mostLaunchInputBytes, a
/// pointer out of its bytes or into an array that is not there.
[[nodiscard]] LaunchInputs launchInputsFromFrame(std::span<const std::byte> frame);

/// What is said about the launch of a kernel that no program launches.
enum class ProposedKind : std::uint8_t {
    block,
    grid,
    number,    ///< a parameter
    elements,  ///< of the array that a pointer gets: `n*n`
    fill,      ///< of the same: `random`, `ramp`, a number, or `@FILE`
};

/// One of them: as it was taken for a launch, or as a person wants it.
struct ProposedValue final {
    std::string kernel{};  ///< without namespaces; empty for a wish, which is for all that have it
    ProposedKind kind = ProposedKind::number;
    std::string name{};   ///< of the parameter; empty for block and grid
    std::string value{};  ///< empty: what fits the rest
    friend bool operator==(const ProposedValue&, const ProposedValue&) = default;
};

}  // namespace warplens
