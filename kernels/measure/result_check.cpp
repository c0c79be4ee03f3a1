#include "kernels/measure/result_check.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "core/text/format.h"
#include "kernels/bodies/reference.h"

namespace warplens {
namespace {

constexpr std::uint64_t mostSteps = 1u << 22;
constexpr std::uint64_t stretches = 64;

/// An output element as it lies in memory.
struct Stored {
    std::uint32_t bits;
    [[nodiscard]] bool poisoned() const { return bits == 0xffffffffu; }
    [[nodiscard]] double as(ElementType type) const {
        if (type == ElementType::int32) return static_cast<std::int32_t>(bits);
        float value = 0;
        std::memcpy(&value, &bits, sizeof value);
        return value;
    }
};

class Checker final {
  public:
    explicit Checker(const BoundKernel& bound)
        : bound_(bound), array_(bound.kernel().arrays[bound.outputArray()]) {}

    void compare(std::uint64_t element, Stored stored) {
        const Experiment& experiment = bound_.experiment();
        ++check_.checked;
        const std::uint64_t written = element * sizeof(Stored) / byteCount(array_.type);
        if (!reaches(bound_.kernel(), experiment.arguments, experiment.launch, written)) {
            if (!stored.poisoned()) fail(element, stored, "untouched: no thread reaches it");
            return;
        }
        const Reference expected = referenceOf(bound_.kernel(), experiment, element);
        const double magnitude = std::max(std::abs(expected.value), 1e-30);
        const double error = std::abs(stored.as(array_.type) - expected.value) / magnitude;
        // Written so that NaN fails.
        if (!(error <= expected.tolerance)) fail(element, stored, std::to_string(expected.value));
        check_.largestError = std::max(check_.largestError, error);
        check_.tolerance = std::max(check_.tolerance, expected.tolerance);
    }
    [[nodiscard]] ResultCheck& result() { return check_; }

  private:
    [[noreturn]] void fail(std::uint64_t element, Stored stored, const std::string& expected) {
        throw WrongResult(std::string(bound_.kernel().name) + " computed a wrong result: " +
                          std::string(array_.name) + '[' + std::to_string(element) + "] is " +
                          std::to_string(stored.as(array_.type)) + ", the host expects " +
                          expected);
    }
    const BoundKernel& bound_;
    const KernelArray& array_;
    ResultCheck check_;
};

}  // namespace

ResultCheck checkResult(const BoundKernel& bound) {
    const std::size_t output = bound.outputArray();
    // A float4 is checked as four floats.
    const std::uint64_t elements = bound.arrays()[output].bytes() / sizeof(Stored);
    const std::uint64_t cost = referenceCost(bound.kernel(), bound.experiment());
    const std::uint64_t wanted =
        std::clamp<std::uint64_t>(mostSteps / cost, std::min(elements, stretches * 4), elements);
    const std::uint64_t pieces = wanted == elements ? 1 : stretches;
    const std::uint64_t length = wanted / pieces;

    Checker checker(bound);
    std::vector<Stored> stretch(length);
    for (std::uint64_t piece = 0; piece < pieces; ++piece) {
        // The first stretch begins at the first element, the last ends at the last.
        const std::uint64_t begin =
            pieces == 1 ? 0
                        : (elements - length) / (pieces - 1) * piece +
                              (elements - length) % (pieces - 1) * piece / (pieces - 1);
        check(cudaMemcpy(stretch.data(), bound.arrays()[output].as<Stored>() + begin,
                         length * sizeof(Stored), cudaMemcpyDeviceToHost),
              "cudaMemcpy");
        for (std::uint64_t i = 0; i < length; ++i) checker.compare(begin + i, stretch[i]);
    }
    checker.result().elements = elements;
    checker.result().method = pieces == 1 ? "every element"
                                          : std::to_string(pieces) + " stretches of " +
                                                groupedDigits(length) +
                                                " elements, spread evenly from first to last";
    return checker.result();
}

}  // namespace warplens
