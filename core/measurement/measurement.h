#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "core/measurement/metric.h"
#include "core/measurement/timing.h"
#include "core/scenario/scenario.h"
#include "core/schedule/schedule.h"
#include "core/text/names.h"

namespace warplens {

/// What the compiler made of one marked branch.
enum class BranchForm : std::uint8_t {
    branch,      ///< a conditional branch instruction: warps can diverge at it
    exit,        ///< threads on the other side exit by a predicated EXIT
    predicated,  ///< no branch: both arms are issued, lanes take part or not by predicate or select
};

constexpr std::array<std::string_view, 3> namesOf(BranchForm /*form*/) {
    return {"branch", "exit", "predicated"};
}

/// One marked branch of the kernel as it was compiled and run.
struct CompiledBranch final {
    std::string branch;
    BranchForm form = BranchForm::branch;
    friend bool operator==(const CompiledBranch&, const CompiledBranch&) = default;
};

/// Why a number is not there.
struct Unavailable final {
    std::string reason;
    friend bool operator==(const Unavailable&, const Unavailable&) = default;
};

/// One number with where it comes from, or the reason it is missing. Its unit is the metric's.
struct Value final {
    Metric metric;
    std::string subject = "kernel";  ///< `kernel`, or the name of one array or branch
    Source source;
    Variant variant = Variant::none;
    std::variant<double, Unavailable> content;
    friend bool operator==(const Value&, const Value&) = default;

    [[nodiscard]] const double* number() const { return std::get_if<double>(&content); }
};

/// The device a measurement was taken on.
struct Device final {
    std::string name;
    std::string computeCapability;  ///< `9.0`
    std::string chip;               ///< as CUPTI names it, `GH100`; empty without CUPTI
    int multiprocessors = 0;
    std::uint64_t l2Bytes = 0;
    std::uint64_t memoryBytes = 0;
    std::string driver;  ///< CUDA version the driver supports, `13.0`
    std::string cuda;    ///< CUDA runtime version of the worker, `13.0`
    /// Device-to-device cudaMemcpy, bytes read plus bytes written over the median time; with the
    /// buffer's size several times the L2. Absent until it was measured.
    std::optional<double> copyRate;
    std::uint64_t copyRateBytes = 0;  ///< bytes moved by one such copy, read plus written
    int copyRateRuns = 0;
    /// Memory clock x bus width x 2 transfers, from the device's attributes; absent if unknown.
    std::optional<double> theoreticalPeak;
    /// FLOP/s of float multiply-adds, two operations each: chains in registers on every SM, median.
    /// Absent until it was measured.
    std::optional<double> fp32Rate{};
    int fp32RateRuns = 0;
    /// `GPU-8c9fcd5b-…`, as nvidia-smi names this one device; empty in recordings of format 1.
    std::string uuid{};
    friend bool operator==(const Device&, const Device&) = default;
};

/// How the counters were read.
struct Counting final {
    int passes = 0;  ///< replays of the kernel for one set of counters
    int repeats = 0;
    double seconds = 0;
    friend bool operator==(const Counting&, const Counting&) = default;
};

/// The comparison of the kernel's output with values computed on the host.
struct ResultCheck final {
    std::uint64_t checked = 0;  ///< elements compared one by one
    std::uint64_t elements = 0;
    double largestError = 0;  ///< relative to the largest expected magnitude
    double tolerance = 0;
    std::string method;  ///< `every element`, or how the sample was drawn
    friend bool operator==(const ResultCheck&, const ResultCheck&) = default;
};

/// What the compiled kernel takes of an SM, as the CUDA runtime tells it.
struct KernelResources final {
    std::uint32_t registersPerThread = 0;
    std::uint64_t staticSharedBytes = 0;    ///< of a block
    std::uint64_t localBytesPerThread = 0;  ///< local memory: what did not fit the registers
    friend bool operator==(const KernelResources&, const KernelResources&) = default;
};

/// What every measurement of a launch has, of a scenario's and of a program's.
struct LaunchMeasurement {
    Device device;
    std::string takenAt{};  ///< UTC, ISO 8601: `2026-11-21T09:30:00Z`
    std::string version{};  ///< of Warplens
    Timing timing;
    std::optional<Counting> counting{};  ///< absent where nothing was counted
    double totalSeconds = 0;             ///< from request to result, in the worker
    std::vector<std::string> notes{};    ///< what a reader must know to read the numbers
    std::vector<Value> values{};
    friend bool operator==(const LaunchMeasurement&, const LaunchMeasurement&) = default;
};

/// Of a scenario's launch.
struct Measurement final : LaunchMeasurement {
    Experiment experiment;
    /// Of the source of the kernel that ran (kernelDigest); empty in recordings of format 1.
    std::string kernelDigest{};
    ResultCheck check;
    /// What became of the kernel's marked branches in the code that ran; empty where it could not
    /// be read, which a note then says.
    std::vector<CompiledBranch> compiledBranches{};
    std::optional<KernelResources> resources{};  ///< absent in recordings made without them
    std::optional<Schedule> schedule{};          ///< absent unless it was asked for
    friend bool operator==(const Measurement&, const Measurement&) = default;
};

void describe(Archive& v, CompiledBranch& branch);
void describe(Archive& v, Value& value);
/// A member `source`. What the device's probe counted is of the source `compiled`, too, `by` the
/// probe; documents of former versions say `probed`.
void describeSource(Archive& v, Source& source);
void describe(Archive& v, Device& device);
void describe(Archive& v, Counting& counting);
void describe(Archive& v, ResultCheck& check);
void describe(Archive& v, KernelResources& resources);
/// Unknown scenarios and metrics are refused, with their names.
void describe(Archive& v, Measurement& measurement);
/// The members behind the experiment and the device, but for the schedule unless `withSchedule`.
void describeResults(Archive& v, Measurement& measurement, bool withSchedule);

/// The first value that fits, null when there is none.
[[nodiscard]] const Value* findValue(const std::vector<Value>& values, Metric metric, Source source,
                                     Variant variant = Variant::none,
                                     std::string_view subject = "kernel");

/// A measurement that does not change any more, and that several hold without copying it.
class SharedMeasurement final {
  public:
    // NOLINTNEXTLINE(google-explicit-constructor): it stands wherever a measurement does.
    SharedMeasurement(Measurement measurement)
        : shared_(std::make_shared<const Measurement>(std::move(measurement))) {}
    /// Never null; part of something larger that is shared, as std::shared_ptr can point to.
    explicit SharedMeasurement(std::shared_ptr<const Measurement> shared)
        : shared_(std::move(shared)) {}

    [[nodiscard]] const Measurement& operator*() const { return *shared_; }
    [[nodiscard]] const Measurement* operator->() const { return shared_.get(); }
    [[nodiscard]] const Measurement* get() const { return shared_.get(); }
    friend bool operator==(const SharedMeasurement& a, const SharedMeasurement& b) {
        return a.shared_ == b.shared_ || *a.shared_ == *b.shared_;
    }

  private:
    std::shared_ptr<const Measurement> shared_;
};

/// A number with its unit for people: `4.24 TB/s`, `2.90 µs`, `97.5 %`, `0.023 %`,
/// `5,628,000,000 sectors`, `4.000`. Decimal prefixes.
[[nodiscard]] std::string formatNumber(double value, Unit unit);

/// `formatNumber`, or the reason in words where there is no number.
[[nodiscard]] std::string formatValue(const Value& value);

/// The day of an ISO 8601 time: `2026-11-21`.
[[nodiscard]] std::string dayOf(const std::string& takenAt);
/// On which device and which day: `NVIDIA H200, 2026-11-21`.
[[nodiscard]] std::string takenOn(const Measurement& measurement);

}  // namespace warplens
