#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace warplens {

class Archive;

/// One thing that is wrong with a request: what, its value, and what is allowed.
struct LimitViolation final {
    std::string name;   ///< `block z`, `threads per block`, `n`
    std::string value;  ///< as given: `65`, `'abc'`
    std::string limit;  ///< `at most 64`, `at least 1`
    friend bool operator==(const LimitViolation&, const LimitViolation&) = default;
};

void describe(Archive& v, LimitViolation& violation);

/// `block z = 65: at most 64`.
[[nodiscard]] inline std::string toString(const LimitViolation& violation) {
    return violation.name + " = " + violation.value + ": " + violation.limit;
}

/// All violations joined by "; ".
[[nodiscard]] inline std::string toString(const std::vector<LimitViolation>& violations) {
    std::string text;
    for (const LimitViolation& violation : violations)
        text += (text.empty() ? "" : "; ") + toString(violation);
    return text;
}

/// Thrown where a request arrives that cannot be carried out as asked (exit code 2).
class InvalidRequest final : public std::runtime_error {
  public:
    explicit InvalidRequest(std::vector<LimitViolation> violations)
        : std::runtime_error(toString(violations)), violations_(std::move(violations)) {}
    [[nodiscard]] const std::vector<LimitViolation>& violations() const { return violations_; }

  private:
    std::vector<LimitViolation> violations_;
};

class Archive;

/// Position of a thread in its block, or of a block in its grid: CUDA's threadIdx and blockIdx.
struct Index3 final {
    std::uint32_t x = 0;
    std::uint32_t y = 0;
    std::uint32_t z = 0;
    friend constexpr bool operator==(const Index3&, const Index3&) = default;
};

/// Size of a block in threads or of a grid in blocks: CUDA's dim3. Any value can be held;
/// `validate` (launch.h) says whether CUDA would accept it.
struct Extents final {
    std::uint32_t x = 1;
    std::uint32_t y = 1;
    std::uint32_t z = 1;
    friend constexpr bool operator==(const Extents&, const Extents&) = default;

    /// x*y*z, exact up to 2^64-1 and that value beyond it.
    [[nodiscard]] constexpr std::uint64_t count() const {
        const std::uint64_t plane = std::uint64_t{x} * y;
        if (plane != 0 && z > UINT64_MAX / plane) return UINT64_MAX;
        return plane * z;
    }
};

/// Reads `16`, `16,16`, `16x16x2`; missing extents are 1. Anything else (signs, blanks, letters, a
/// fourth extent, a value over 2^32-1) is a violation that names `name` and quotes the text. Zero
/// is read: it is `validate` that refuses it, with the other broken limits.
[[nodiscard]] std::variant<Extents, LimitViolation> parseExtents(std::string_view name,
                                                                 std::string_view text);

/// Three numbers in a list.
void describeValue(Archive& v, Index3& index);
void describeValue(Archive& v, Extents& extents);

/// `(3,5,1)`.
[[nodiscard]] std::string toString(Index3 index);

/// `16,16,1` as CUDA prints a dim3, without trailing ones: `16,16`, `5,7,3`, `1`.
[[nodiscard]] std::string toString(Extents extents);

/// What stands between <<< and >>>.
struct Launch final {
    Extents grid;
    Extents block;
    std::uint32_t dynamicSharedBytes = 0;
    friend constexpr bool operator==(const Launch&, const Launch&) = default;

    /// Threads of the whole grid, exact up to 2^64-1 and that value beyond it.
    [[nodiscard]] constexpr std::uint64_t threadCount() const {
        const std::uint64_t perBlock = block.count();
        const std::uint64_t blocks = grid.count();
        if (perBlock != 0 && blocks > UINT64_MAX / perBlock) return UINT64_MAX;
        return blocks * perBlock;
    }
};

void describe(Archive& v, Launch& launch);

/// What a device accepts. The defaults hold for every compute capability from 3.0 on
/// (CUDA Programming Guide, "Compute Capabilities", technical specifications).
struct LaunchLimits final {
    Extents grid{2147483647u, 65535u, 65535u};
    Extents block{1024u, 1024u, 64u};
    std::uint32_t threadsPerBlock = 1024;
    std::uint32_t dynamicSharedBytes = 48 * 1024;
    friend constexpr bool operator==(const LaunchLimits&, const LaunchLimits&) = default;
};

/// Every broken limit, in the order grid x y z, block x y z, threads per block, shared memory;
/// empty when CUDA would accept the launch.
[[nodiscard]] std::vector<LimitViolation> validate(const Launch& launch,
                                                   const LaunchLimits& limits = {});

/// `<<<dim3(32, 32), dim3(16, 16)>>>` as it would stand in CUDA C++.
[[nodiscard]] std::string toLaunchSyntax(const Launch& launch);

}  // namespace warplens
