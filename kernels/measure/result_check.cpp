#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <tuple>
#include <utility>
#include <vector>

#include "core/launch/mapping.h"
#include "core/text/format.h"
#include "kernels/library/kernel_program.h"
#include "kernels/library/predict.h"
#include "kernels/measure/device/loaded_code.h"
#include "kernels/measure/scenario_launch.h"

namespace warplens {

namespace {

/// What one thread saw of itself, as device_kernels.cu writes it.
struct MappingRecord final {
    std::uint16_t lane = 0;
    std::uint16_t firstThread = 0;
};

/// The law: a thread's lane and its warp's first thread follow from its rank.
bool agrees(MappingRecord seen, ThreadRank rank) {
    return LaneIndex{seen.lane} == laneIndex(rank) &&
           ThreadRank{seen.firstThread} == firstThreadOfWarp(warpRankInBlock(rank));
}

constexpr std::uint64_t mostRecords = 1u << 22;

constexpr std::uint64_t mostLookedAt = 1u << 16;  // words, in their order
constexpr std::uint64_t mostStretches = 64;
constexpr std::uint64_t mostWhole = 1u << 20;  // words that are read in one piece
constexpr std::uint32_t poison = 0xffffffff;
constexpr std::uint64_t mostHostEvents = std::uint64_t{1} << 17;

double valueOf(std::uint32_t bits, ElementType type) {
    if (!infoOf(type).isFloating) return static_cast<std::int32_t>(bits);
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    return value;
}

/// Words of the output one after the other, and which of them the launch reaches.
struct Stretch final {
    std::uint64_t begin = 0;
    std::vector<bool> reached;
};

/// What the output must be, from the launch alone.
struct Expectation final {
    HostResult host;
    std::vector<Stretch> stretches;  ///< spread evenly from the first word to the last
};

std::vector<Stretch> stretchesOf(const ScenarioLaunch& bound, std::uint64_t words,
                                 std::uint64_t bytesPerElement) {
    const std::uint64_t pieces = words <= mostLookedAt ? 1 : mostStretches;
    const std::uint64_t length = std::min(words, mostLookedAt) / pieces;
    const std::uint64_t free = words - length;
    std::vector<Stretch> stretches;
    for (std::uint64_t piece = 0; piece < pieces; ++piece) {
        // The first stretch begins at the first word, the last ends at the last.
        Stretch stretch{.begin = pieces == 1 ? 0
                                             : free / (pieces - 1) * piece +
                                                   free % (pieces - 1) * piece / (pieces - 1),
                        .reached = std::vector<bool>(length)};
        for (std::uint64_t i = 0; i < length; ++i) {
            const std::uint64_t element =
                (stretch.begin + i) * sizeof(std::uint32_t) / bytesPerElement;
            stretch.reached[i] = reaches(bound.kernel(), bound.experiment().arguments,
                                         bound.experiment().launch, element);
        }
        stretches.push_back(std::move(stretch));
    }
    return stretches;
}

/// The output as the device left it.
class OutputWords final {
  public:
    explicit OutputWords(const DeviceBuffer& array) : array_(array) {
        if (count() > mostWhole) return;
        whole_.resize(count());
        array.read(whole_.data(), whole_.size());
    }

    [[nodiscard]] std::uint64_t count() const { return array_.bytes() / sizeof(std::uint32_t); }

    [[nodiscard]] std::vector<std::uint32_t> at(std::span<const HostWord> words) const {
        std::vector<std::uint32_t> found(words.size());
        if (!whole_.empty()) {
            std::ranges::transform(words, found.begin(),
                                   [&](const HostWord& word) { return whole_.at(word.place); });
        } else if (!words.empty()) {
            gather(words, found);
        }
        return found;
    }

    [[nodiscard]] std::vector<std::uint32_t> from(std::uint64_t begin, std::uint64_t length) const {
        if (!whole_.empty()) {
            const auto first = whole_.begin() + static_cast<std::ptrdiff_t>(begin);
            return {first, first + static_cast<std::ptrdiff_t>(length)};
        }
        std::vector<std::uint32_t> words(length);
        array_.read(words.data(), length, begin);
        return words;
    }

  private:
    void gather(std::span<const HostWord> words, std::vector<std::uint32_t>& found) const {
        std::vector<std::uint64_t> places(words.size());
        std::ranges::transform(words, places.begin(), &HostWord::place);
        const DeviceBuffer from(places.size() * sizeof(std::uint64_t));
        const DeviceBuffer to(found.size() * sizeof(std::uint32_t));
        from.write(places.data(), places.size());
        launchKernel(deviceKernel("gather"), {.grid = {1024}, .block = {256}}, array_.address(),
                     from.address(), to.address(), std::uint64_t{places.size()});
        to.read(found.data(), found.size());
    }

    const DeviceBuffer& array_;
    std::vector<std::uint32_t> whole_;  ///< all of them, where they are not many
};

class Checker final {
  public:
    explicit Checker(const ScenarioLaunch& bound)
        : bound_(bound),
          array_(bound.kernel().arrays[bound.outputArray()]),
          output_(bound.arrays()[bound.outputArray()]),
          expected_(expectation()) {
        const auto& steps = bound.kernel().stepsPerElement;
        const std::uint64_t terms =
            steps.empty() ? 1 : steps(bound.experiment().arguments, bound.experiment().launch);
        // The device may multiply and add in one rounding: rounding grows at most with the steps.
        if (infoOf(array_.type).isFloating) {
            check_.tolerance = 0x1p-24 * static_cast<double>(terms + 1);
        }
        check_.elements = output_.count();
    }

    void compareWithHost() {
        const HostResult& host = expected_.host;
        const std::vector<std::uint32_t> found = output_.at(host.words);
        for (std::size_t i = 0; i < found.size(); ++i) compare(host.words[i], found[i]);
        check_.method =
            host.warps == 0 ? "not compared: every thread of so large a grid may add to any element"
            : host.warps == host.warpsOfGrid
                ? "every element"
                : "what " + groupedDigits(host.warps) + " warps write, spread evenly over the grid";
    }

    /// Elements that no thread reaches must still hold what they were filled with, others not.
    void lookForStrayWrites() {
        for (const Stretch& stretch : expected_.stretches) {
            const std::vector<std::uint32_t> found =
                output_.from(stretch.begin, stretch.reached.size());
            for (std::uint64_t i = 0; i < found.size(); ++i) {
                look(stretch.begin + i, found[i], stretch.reached[i]);
            }
        }
    }
    [[nodiscard]] ResultCheck result() const { return check_; }

  private:
    /// Kept, as a launch is often measured several times in turn.
    const Expectation& expectation() const {
        static std::tuple<Experiment, std::string, Expectation> last;
        auto& [experiment, text, kept] = last;
        // A course's text may be another by the next time.
        if (experiment == bound_.experiment() && text == bound_.kernel().text) return kept;
        Expectation expected;
        const bool hasSource = library::hasPtx(bound_.kernel());
        expected.host = hostResultOf(bound_.experiment(), mostHostEvents,
                                     hasSource ? "" : bound_.loaded().compiled().ptx);
        // A word of narrow elements is several threads'.
        if (!bound_.loaded().addsToMemory() && !bound_.kernel().writtenBy.empty() &&
            byteCount(array_.type) >= sizeof(std::uint32_t)) {
            expected.stretches = stretchesOf(bound_, output_.count(), byteCount(array_.type));
        }
        last = {bound_.experiment(), bound_.kernel().text, std::move(expected)};
        return kept;
    }

    void compare(const HostWord& host, std::uint32_t found) {
        ++check_.checked;
        const double expected = valueOf(host.bits, array_.type);
        const double magnitude = std::max(std::abs(expected), 1e-30);
        const double error = std::abs(valueOf(found, array_.type) - expected) / magnitude;
        // Written so that NaN fails.
        if (!(error <= check_.tolerance)) fail(host.place, found, std::to_string(expected));
        check_.largestError = std::max(check_.largestError, error);
    }

    void look(std::uint64_t place, std::uint32_t found, bool reached) {
        if (reached) {
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

    const ScenarioLaunch& bound_;
    const KernelArray& array_;
    OutputWords output_;
    const Expectation& expected_;
    ResultCheck check_;
};

}  // namespace

MappingReadback readMappingBack(const Launch& launch) {
    const std::uint64_t room = std::min(launch.threadCount(), mostRecords);
    const DeviceBuffer records(room * sizeof(MappingRecord));
    const DeviceBuffer counts(2 * sizeof(std::uint64_t));
    records.fill(0xff);
    counts.fill(0);
    launchKernel(deviceKernel("reportMapping"), {.grid = launch.grid, .block = launch.block},
                 records.address(), room, counts.address(),
                 counts.address() + sizeof(std::uint64_t));

    std::array<std::uint64_t, 2> totals{};
    counts.read(totals.data(), totals.size());
    std::vector<MappingRecord> seen(room);
    records.read(seen.data(), seen.size());
    MappingReadback result{.threads = totals[0], .mismatches = totals[1], .readBack = room};
    const auto perBlock = static_cast<std::uint32_t>(launch.block.count());
    std::uint32_t rank = 0;
    for (const MappingRecord& record : seen) {
        result.mismatchesOnHost += !agrees(record, ThreadRank{rank});
        if (++rank == perBlock) rank = 0;
    }
    return result;
}

ResultCheck checkResult(const ScenarioLaunch& bound) {
    Checker checker(bound);
    checker.compareWithHost();
    checker.lookForStrayWrites();
    return checker.result();
}

}  // namespace warplens
