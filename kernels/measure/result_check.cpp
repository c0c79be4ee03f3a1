#include "kernels/measure/result_check.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>
#include <vector>

#include "core/text/format.h"
#include "kernels/library/host_result.h"
#include "kernels/measure/device/device_kernels.h"

namespace warplens {
namespace {

constexpr std::uint64_t mostRead = 1u << 16;  // of the words that are looked at in their order
constexpr std::uint64_t stretches = 64;
constexpr std::uint32_t poison = 0xffffffff;

double valueOf(std::uint32_t bits, ElementType type) {
    if (!infoOf(type).isFloating) return static_cast<std::int32_t>(bits);
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

/// The device's words at these places.
std::vector<std::uint32_t> gathered(const DeviceBuffer& array, std::span<const HostWord> words) {
    std::vector<std::uint64_t> places;
    places.reserve(words.size());
    for (const HostWord& word : words) places.push_back(word.place);
    std::vector<std::uint32_t> found(words.size());
    if (words.empty()) return found;
    const DeviceBuffer from(places.size() * sizeof(std::uint64_t));
    const DeviceBuffer to(found.size() * sizeof(std::uint32_t));
    from.write(places.data(), places.size());
    launchKernel(deviceKernel("gather"), {.grid = {1024}, .block = {256}}, array.address(),
                 from.address(), to.address(), std::uint64_t{places.size()});
    to.read(found.data(), found.size());
    return found;
}

/// What the host makes of the launch: kept, as a launch is often measured several times in turn.
const HostResult& hostResultKept(const Experiment& experiment) {
    static std::pair<Experiment, HostResult> last;
    if (last.first != experiment) last = {experiment, hostResultOf(experiment)};
    return last.second;
}

class Checker final {
  public:
    explicit Checker(const BoundKernel& bound)
        : bound_(bound),
          array_(bound.kernel().arrays[bound.outputArray()]),
          buffer_(bound.arrays()[bound.outputArray()]) {
        const auto& steps = bound.kernel().stepsPerElement;
        const std::uint64_t terms =
            steps.empty() ? 1 : steps(bound.experiment().arguments, bound.experiment().launch);
        // The device may multiply and add in one rounding: rounding grows at most with the steps.
        if (infoOf(array_.type).isFloating) {
            check_.tolerance = 0x1p-24 * static_cast<double>(terms + 1);
        }
        check_.elements = buffer_.bytes() / sizeof(std::uint32_t);
    }

    void compareWithHost() {
        if (!bound_.kernel().course.empty()) {
            check_.method = "not compared: a course's kernel has no code for this worker's host";
            return;
        }
        const HostResult& host = hostResultKept(bound_.experiment());
        const std::vector<std::uint32_t> found = gathered(buffer_, host.words);
        for (std::size_t i = 0; i < found.size(); ++i) compare(host.words[i], found[i]);
        check_.method =
            host.warps == 0 ? "not compared: every thread of so large a grid may add to any element"
            : host.warps == host.warpsOfGrid
                ? "every element"
                : "what " + groupedDigits(host.warps) + " warps write, spread evenly over the grid";
    }

    /// Elements that no thread reaches must still hold what poisonOutputs left, others not.
    void lookForStrayWrites() {
        if (bound_.loaded().addsToMemory() || bound_.kernel().writtenBy.empty()) return;
        if (byteCount(array_.type) < sizeof(std::uint32_t)) return;  // a word is several threads'
        const std::uint64_t pieces = check_.elements <= mostRead ? 1 : stretches;
        const std::uint64_t length = std::min(check_.elements, mostRead) / pieces;
        std::vector<std::uint32_t> stretch(length);
        for (std::uint64_t piece = 0; piece < pieces; ++piece) {
            // The first stretch begins at the first element, the last ends at the last.
            const std::uint64_t free = check_.elements - length;
            const std::uint64_t begin =
                pieces == 1
                    ? 0
                    : free / (pieces - 1) * piece + free % (pieces - 1) * piece / (pieces - 1);
            buffer_.read(stretch.data(), length, begin);
            for (std::uint64_t i = 0; i < length; ++i) look(begin + i, stretch[i]);
        }
    }
    [[nodiscard]] ResultCheck result() const { return check_; }

  private:
    void compare(const HostWord& host, std::uint32_t found) {
        ++check_.checked;
        const double expected = valueOf(host.bits, array_.type);
        const double magnitude = std::max(std::abs(expected), 1e-30);
        const double error = std::abs(valueOf(found, array_.type) - expected) / magnitude;
        // Written so that NaN fails.
        if (!(error <= check_.tolerance)) fail(host.place, found, std::to_string(expected));
        check_.largestError = std::max(check_.largestError, error);
    }

    void look(std::uint64_t place, std::uint32_t found) {
        const Experiment& experiment = bound_.experiment();
        const std::uint64_t element = place * sizeof found / byteCount(array_.type);
        if (reaches(bound_.kernel(), experiment.arguments, experiment.launch, element)) {
            if (found == poison) fail(place, found, "another: a thread writes it");
            return;
        }
        ++check_.checked;
        if (found != poison) fail(place, found, "untouched: no thread reaches it");
    }

    [[noreturn]] void fail(std::uint64_t place, std::uint32_t found,
                           const std::string& expected) const {
        throw WrongResult(std::string(bound_.kernel().name) + " computed a wrong result: " +
                          std::string(array_.name) + '[' + std::to_string(place) + "] is " +
                          std::to_string(valueOf(found, array_.type)) + ", the host expects " +
                          expected);
    }

    const BoundKernel& bound_;
    const KernelArray& array_;
    const DeviceBuffer& buffer_;
    ResultCheck check_;
};

}  // namespace

ResultCheck checkResult(const BoundKernel& bound) {
    Checker checker(bound);
    checker.compareWithHost();
    checker.lookForStrayWrites();
    return checker.result();
}

}  // namespace warplens
