#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/program/byte_frame.h"
#include "core/program/program_trace.h"

/// The bytes between a traced program and who started it: frames of a kind (4 bytes), a length (8
/// bytes) and that many bytes.
namespace warplens {

enum class TraceFrame : std::uint32_t {
    launch = 1,  ///< and return addresses of the host, where its place is to be looked up
    finding,     ///< likewise
    note,
    inputs,  ///< of a launch: its index, and launch_inputs.h's frame
    steps,
    array,    ///< its id, whether it is freed, and return addresses of the host where that is so
    result,   ///< bytes that the program gets back from the device
    written,  ///< the digest of an array that a launch wrote
    reached,  ///< how many bytes of global memory kernels accessed
};

/// What an array is called that only its place in the host's code can name.
[[nodiscard]] std::string unnamedArray(std::uint32_t id);
/// Of an array where it was freed and made, and where a launch is made: in the words of a finding,
/// which have it once it is known.
[[nodiscard]] std::string placesOfArray(std::uint32_t id);
[[nodiscard]] std::string placeOfLaunch(std::uint32_t index);

/// Names of environment variables that a traced program reads.
inline constexpr const char* traceEnvironment = "WARPLENS_TRACE";

void write(FrameWriter& out, const LaunchReport& launch);  ///< without its values
[[nodiscard]] LaunchReport readLaunch(FrameReader& in);
void write(FrameWriter& out, const Finding& finding);
[[nodiscard]] Finding readFinding(FrameReader& in);
/// Without the statements of its branches.
void write(FrameWriter& out, const BlockSteps& steps);
/// Whatever the bytes say: numbers of arrays, branches and places are of some that there are.
[[nodiscard]] BlockSteps readSteps(FrameReader& in);

/// Takes frames out of bytes as they come through a pipe.
class FrameStream final {
  public:
    explicit FrameStream(std::function<void(TraceFrame, FrameReader&)> onFrame)
        : onFrame_(std::move(onFrame)) {}

    void take(const char* bytes, std::size_t size);
    /// The bytes were no frames: nothing more is taken.
    [[nodiscard]] bool isBroken() const { return broken_; }

  private:
    std::function<void(TraceFrame, FrameReader&)> onFrame_;
    std::vector<std::byte> pending_;
    bool broken_ = false;
};

}  // namespace warplens
