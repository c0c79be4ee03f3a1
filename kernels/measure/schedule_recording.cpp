#include <algorithm>
#include <optional>
#include <regex>

#include "core/launch/mapping.h"
#include "core/program/cuda_tokens.h"
#include "core/text/encoding.h"
#include "kernels/measure/device/loaded_code.h"
#include "kernels/measure/scenario_launch.h"

#include "embedded/warplens_measure.h"

namespace warplens {
namespace {

/// The variable on a line that an input's element is read into, and the place after its statement.
struct ReadValue final {
    std::string variable;
    std::size_t after = 0;
};

std::optional<ReadValue> readValueOn(const std::string& line, const Kernel& file) {
    static const std::regex statement(R"(^\s*(?:const\s+)?\w+\s+(\w+)\s*=\s*(\w+)\[[^;]*\];)");
    std::smatch match;
    if (!std::regex_search(line, match, statement)) return std::nullopt;
    const bool isInput = std::ranges::any_of(file.arrays, [&](const KernelArray& array) {
        return array.role == ArrayRole::input && array.name == match[2];
    });
    if (!isInput) return std::nullopt;
    return ReadValue{match[1], static_cast<std::size_t>(match[0].length())};
}

/// The stamps of one loop, where it waits for one value in each round.
void stampLoop(std::vector<std::string>& lines, const KernelLoop& loop, const Kernel& file) {
    std::optional<std::size_t> reading;
    for (std::size_t i = loop.line; i + 1 < loop.lastLine; ++i) {
        if (!readValueOn(lines[i], file)) continue;
        if (reading) return;
        reading = i;
    }
    std::string& head = lines[loop.line - 1];
    const std::size_t brace = head.rfind('{', head.find("//"));
    if (!reading || brace == std::string::npos) return;
    const ReadValue value = *readValueOn(lines[*reading], file);
    lines[*reading].insert(value.after, " warplens_schedule::arrived(" + value.variable + ");");
    head.insert(brace + 1, " warplens_schedule::asked();");
}

/// `const float* in, float* out, int n`, as the kernel's text has it.
std::string parametersIn(const Kernel& file) {
    const std::vector<CudaToken> tokens = cudaTokens(file.text);
    const auto name = std::ranges::find(tokens, file.name, &CudaToken::text);
    const auto open =
        std::find_if(name, tokens.end(), [](const CudaToken& token) { return token.is("("); });
    const auto close =
        std::find_if(open, tokens.end(), [](const CudaToken& token) { return token.is(")"); });
    return file.text.substr(open->end, close->begin - open->end);
}

// What such a kernel writes, as schedule_stamps.cu has it.

/// One warp: which SM, from when to when.
struct WarpRecord final {
    std::uint32_t sm = 0;
    std::uint32_t stamps = 0;
    std::uint64_t begin = 0;  ///< nanoseconds of the device's global timer
    std::uint64_t end = 0;
    std::uint64_t beginCycle = 0;
    std::uint64_t endCycle = 0;
};

/// A stamp is the SM's cycle count, shifted left by one to make room for what was stamped.
constexpr std::uint64_t stampAsked = 0;
constexpr std::uint64_t stampAnswered = 1;

/// What the host hands to it, by device addresses: room for the first warps of the grid.
struct ScheduleRecords final {
    std::uint64_t warps = 0;
    std::uint64_t room = 0;
    std::uint64_t stamps = 0;  ///< Schedule::mostStamps for each warp
    std::uint64_t stampRoom = 0;
};

constexpr std::uint64_t mostStampedWarps = 1 << 16;  // 32 MiB of stamps

/// One launch's records, of the first blocks of its grid.
class Recording final {
  public:
    explicit Recording(const Launch& launch)
        : warpsPerBlock_(warpCountPerBlock(launch.block)),
          blocks_(std::min<std::uint64_t>(launch.grid.count(), Schedule::mostBlocks)),
          warps_(blocks_ * warpsPerBlock_ * sizeof(WarpRecord)),
          stamped_(std::min(blocks_ * warpsPerBlock_, mostStampedWarps)),
          stamps_(stamped_ * Schedule::mostStamps * sizeof(std::uint64_t)) {}

    [[nodiscard]] ScheduleRecords room() const {
        return {warps_.address(), blocks_ * warpsPerBlock_, stamps_.address(), stamped_};
    }
    void readBack() {
        records_.resize(blocks_ * warpsPerBlock_);
        warps_.read(records_.data(), records_.size());
    }

    [[nodiscard]] std::vector<BlockRun> blocks() const;
    [[nodiscard]] std::uint64_t clockStep() const;
    [[nodiscard]] std::uint32_t smOf(std::uint64_t block) const {
        return records_[block * warpsPerBlock_].sm;
    }
    [[nodiscard]] std::vector<WarpRun> warpsOf(std::uint32_t sm) const;

  private:
    [[nodiscard]] std::vector<std::uint64_t> waitsOf(std::uint64_t record,
                                                     std::uint64_t first) const;

    std::uint64_t warpsPerBlock_;
    std::uint64_t blocks_;
    DeviceBuffer warps_;
    std::uint64_t stamped_;
    DeviceBuffer stamps_;
    std::vector<WarpRecord> records_;
};

std::vector<BlockRun> Recording::blocks() const {
    const std::uint64_t first = std::ranges::min(records_, {}, &WarpRecord::begin).begin;
    std::vector<BlockRun> runs;
    for (std::uint64_t block = 0; block < blocks_; ++block) {
        const std::span warps(records_.data() + block * warpsPerBlock_, warpsPerBlock_);
        runs.push_back({warps.front().sm,
                        std::ranges::min(warps, {}, &WarpRecord::begin).begin - first,
                        std::ranges::max(warps, {}, &WarpRecord::end).end - first});
    }
    return runs;
}

/// The least by which two of the times read differ.
std::uint64_t Recording::clockStep() const {
    std::vector<std::uint64_t> times;
    for (const WarpRecord& record : records_) {
        times.push_back(record.begin);
        times.push_back(record.end);
    }
    std::ranges::sort(times);
    std::uint64_t step = 0;
    for (std::size_t i = 1; i < times.size(); ++i) {
        const std::uint64_t difference = times[i] - times[i - 1];
        if (difference != 0 && (step == 0 || difference < step)) step = difference;
    }
    return step;
}

std::vector<WarpRun> Recording::warpsOf(std::uint32_t sm) const {
    std::vector<std::uint64_t> mine;
    for (std::uint64_t i = 0; i < records_.size(); ++i) {
        if (records_[i].sm == sm) mine.push_back(i);
    }
    std::ranges::stable_sort(mine, {}, [&](std::uint64_t i) { return records_[i].beginCycle; });
    if (mine.size() > Schedule::mostWarps) mine.resize(Schedule::mostWarps);
    std::vector<WarpRun> runs;
    for (const std::uint64_t i : mine) {
        const std::uint64_t first = records_[mine.front()].beginCycle;
        runs.push_back({i / warpsPerBlock_, static_cast<std::uint32_t>(i % warpsPerBlock_),
                        records_[i].beginCycle - first, records_[i].endCycle - first,
                        waitsOf(i, first)});
    }
    return runs;
}

/// Pairs of asked and answered; a round that marks no answer leaves none.
std::vector<std::uint64_t> Recording::waitsOf(std::uint64_t record, std::uint64_t first) const {
    std::vector<std::uint64_t> stamps(records_[record].stamps);
    if (stamps.empty()) return stamps;
    stamps_.read(stamps.data(), stamps.size(), record * Schedule::mostStamps);
    std::vector<std::uint64_t> waits;
    for (std::size_t i = 0; i + 1 < stamps.size(); ++i) {
        if ((stamps[i] & 1) == stampAsked && (stamps[i + 1] & 1) == stampAnswered) {
            waits.push_back((stamps[i] >> 1) - first);
            waits.push_back((stamps[i + 1] >> 1) - first);
        }
    }
    return waits;
}

static_assert(Schedule::mostStamps == 64, "as in schedule_stamps.cu");

}  // namespace

std::string scheduleText(const Kernel& file, const std::string& instance) {
    const std::vector<std::string_view> fileLines = splitLines(file.text);
    std::vector<std::string> lines(fileLines.begin(), fileLines.end());
    for (const KernelLoop& loop : file.loops) stampLoop(lines, loop, file);
    std::string text = std::string(measure_texts::embeddedFile("schedule_stamps.cu")) +
                       "#line 1 \"" + file.file + "\"\n";
    for (std::string& line : lines) {
        const std::size_t mark = line.find("__global__");
        const bool isCode = mark != std::string::npos && mark < line.find("//");
        text +=
            (isCode ? line.replace(mark, 10, "static __device__ __forceinline__") : line) + '\n';
    }
    std::string arguments;
    for (const CallParameter& parameter : file.parameters) {
        arguments += (arguments.empty() ? "" : ", ") + parameter.name;
    }
    return text + "extern \"C\" __global__ void " + scheduledKernelName +
           "(warplens_schedule::Records records" + (arguments.empty() ? "" : ", ") +
           parametersIn(file) + ") {\n    warplens_schedule::scheduled(records, [&] { " + instance +
           '(' + arguments + "); });\n}\n";
}

CompiledUnit compileScheduleText(const Kernel& file, const std::string& instance,
                                 int computeCapability) {
    return compileDeviceCode(file.file, scheduleText(file, instance), {},
                             {.computeCapability = computeCapability});
}

Schedule recordSchedule(const Launch& launch, std::uint32_t multiprocessors,
                        const std::function<void(std::span<const std::byte>)>& run) {
    const auto runInto = [&](Recording& recording) {
        const ScheduleRecords room = recording.room();
        run(std::as_bytes(std::span(&room, 1)));
        recording.readBack();
    };
    // The first launch also warms up: the second is the one shown.
    Recording before(launch);
    runInto(before);
    Recording shown(launch);
    runInto(shown);
    Schedule schedule{.launchedBlocks = launch.grid.count(),
                      .multiprocessors = multiprocessors,
                      .blocks = shown.blocks(),
                      .movedBlocks = 0,
                      .clockStep = shown.clockStep(),
                      .followedSm = shown.smOf(0),
                      .warps = shown.warpsOf(shown.smOf(0))};
    for (std::uint64_t block = 0; block < schedule.blocks.size(); ++block) {
        schedule.movedBlocks += shown.smOf(block) != before.smOf(block);
    }
    return schedule;
}

}  // namespace warplens
