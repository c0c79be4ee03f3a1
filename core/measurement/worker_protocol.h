#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "core/measurement/measurement.h"
#include "core/program/launch_inputs.h"
#include "core/program/program_measurement.h"
#include "core/program/program_sources.h"

namespace warplens {

/// What must be known of a request to hand it on, without reading it.
struct RequestHead final {
    std::uint64_t id = 0;
    std::string request;           ///< `measure`; empty of a line that is none
    std::uint64_t target = 0;      ///< of a cancel
    std::uint64_t frameBytes = 0;  ///< that follow the line
};

/// Of a line of the protocol (worker_protocol.h); empty for other text.
[[nodiscard]] RequestHead requestHead(std::string_view line);

// What `warplens` and `warplens-measure` say to each other: one JSON object a line, requests on
// the worker's standard input, events on its standard output. A request may be followed by a frame
// of bytes, as long as it says. Every line names its `schema`, whose number is the protocol's. The
// worker's first line is a Hello; every other event carries the id of the request it answers.

/// What a worker says of itself before it is asked anything.
struct Hello final {
    std::string version;  ///< of Warplens
    std::string host;     ///< the machine's name for itself; may be empty
    std::string job{};    ///< number of the Slurm job it runs in; empty outside one
    friend bool operator==(const Hello&, const Hello&) = default;
};

/// Which of a machine's devices: its number among those that the worker sees, in CUDA's order, or
/// its UUID or the beginning of it; empty for the first.
using DeviceChoice = std::string;

/// Ask for a device and for what can be measured on it. Answered by a Description.
struct DescribeRequest final {
    DeviceChoice device{};
    /// The Description has the chosen device's name alone, which needs no turn on it.
    bool name = false;
    friend bool operator==(const DescribeRequest&, const DescribeRequest&) = default;
};

/// Ask for a measurement. Answered by any number of Progress, then one Measurement or one Failure.
struct MeasureRequest final {
    Experiment experiment;
    bool counters = true;
    bool schedule = false;  ///< also record which SM ran which block, and when
    /// Of the kernel's source as the asker has it (kernelDigest); empty: any will do.
    std::string kernelDigest{};
    TimingRequest timing{};
    DeviceChoice device{};
    friend bool operator==(const MeasureRequest&, const MeasureRequest&) = default;
};

/// Ask for a measurement of one launch of a person's program. On the wire the launch's inputs
/// follow the line as a frame (launch_inputs.h) of `frame_bytes` bytes, at most
/// mostLaunchInputBytes. Answered by any number of Progress, then one ProgramMeasurement or one
/// Failure.
struct MeasureProgramRequest final {
    ProgramSources sources{};
    LaunchInputs inputs{};   ///< machine code among them, for the device's compute capability
    std::string compiler{};  ///< that made it: `nvcc 13.0`
    /// What the machine that runs PTX says of the same launch, as written and of this code; empty:
    /// nothing is compared.
    std::vector<ProgramLine> predicted{};
    std::vector<ProgramLine> compiled{};
    Interventions interventions{};
    std::vector<CompiledLine> code{};
    std::vector<std::string> notes{};  ///< what is to be told of it
    bool counters = true;
    bool lines = true;  ///< counts for each source line
    TimingRequest timing{};
    DeviceChoice device{};
    friend bool operator==(const MeasureProgramRequest&, const MeasureProgramRequest&) = default;
};

/// Ask what a kernel of a kernel file takes of an SM once it is compiled, which needs NVRTC and no
/// device. Answered by CompiledResources or a Failure.
struct CompileRequest final {
    std::string file{};
    std::string text{};
    std::string kernel{};             ///< name expression: `scan<true>`
    std::string computeCapability{};  ///< `9.0`
    friend bool operator==(const CompileRequest&, const CompileRequest&) = default;
};

/// A course's kernels (core/course/course.h), whose scenarios may be asked for from now on. The
/// first of all requests, where a course is open, and not answered.
struct CourseRequest final {
    std::string name;
    std::vector<ProgramFile> kernels{};
    friend bool operator==(const CourseRequest&, const CourseRequest&) = default;
};

/// Stop the request with this id as soon as possible; it then ends with a Failure `cancelled`.
struct CancelRequest final {
    std::uint64_t target = 0;
    friend bool operator==(const CancelRequest&, const CancelRequest&) = default;
};

struct WorkerRequest final {
    std::uint64_t id = 0;
    std::variant<DescribeRequest, MeasureRequest, MeasureProgramRequest, CompileRequest,
                 CourseRequest, CancelRequest>
        body;
    friend bool operator==(const WorkerRequest&, const WorkerRequest&) = default;
};

/// One of a machine's devices.
struct DeviceName final {
    std::string name;
    std::string uuid;
    std::string computeCapability{};  ///< `9.0`
    friend bool operator==(const DeviceName&, const DeviceName&) = default;
};

/// The device, or why there is none; the counters, or why they are locked.
struct Description final {
    std::optional<Device> device;
    std::string deviceReason;  ///< why there is no device
    bool countersAvailable = false;
    std::string countersReason;  ///< why the counters cannot be read, with the remedy
    std::string version;
    std::vector<DeviceName> devices{};  ///< all that the worker sees, by their numbers
    friend bool operator==(const Description&, const Description&) = default;
};

struct CompiledResources final {
    KernelResources resources;
    std::string computeCapability;  ///< `9.0`
    std::string compiler;           ///< `NVRTC 13.0`
    friend bool operator==(const CompiledResources&, const CompiledResources&) = default;
};

struct Progress final {
    std::string stage;    ///< `checking the result`
    double fraction = 0;  ///< 0 .. 1 of the whole measurement, never falling
    /// How many others are measured first on the same device: its turn has not come yet.
    std::optional<std::uint64_t> before{};
    friend bool operator==(const Progress&, const Progress&) = default;
};

enum class FailureKind : std::uint8_t {
    invalid,      ///< the request is wrong: exit code 2
    impossible,   ///< not possible on this machine: exit code 3
    wrongResult,  ///< the kernel's output differs from the host's
    cancelled,
    failed,  ///< anything else
};

constexpr std::array<std::string_view, 5> namesOf(FailureKind /*kind*/) {
    return {"invalid", "impossible", "wrong_result", "cancelled", "failed"};
}

struct Failure final {
    FailureKind kind = FailureKind::failed;
    std::string message;
    friend bool operator==(const Failure&, const Failure&) = default;
};

using CompileAnswer = std::variant<CompiledResources, Failure>;

struct WorkerEvent final {
    std::uint64_t id = 0;
    std::variant<Description, Progress, Measurement, ProgramMeasurement, CompiledResources, Failure,
                 Hello>
        body;
    friend bool operator==(const WorkerEvent&, const WorkerEvent&) = default;
};

void describe(Archive& v, WorkerRequest& request);
void describe(Archive& v, WorkerEvent& event);
void describe(Archive& v, Failure& failure);
void describe(Archive& v, ProgramFile& file);
void describe(Archive& v, DeviceName& device);
void describe(Archive& v, Description& description);

/// One line without its newline.
[[nodiscard]] std::string toJsonLine(const WorkerRequest& request);
[[nodiscard]] std::string toJsonLine(const WorkerEvent& event);

/// What goes over the wire: the line with its newline, and the frame where one follows.
[[nodiscard]] std::string toWire(const WorkerRequest& request);

/// Longer ones are neither written nor read.
inline constexpr std::size_t longestProtocolLine = 16u << 20;

/// Takes the bytes that follow a request's line, so many; 0 for most. At most mostLaunchInputBytes.
using TakeFrame = std::function<void(std::uint64_t)>;

/// Throw MalformedJson (json.h), for a line of another protocol too; a frame is taken before that,
/// or what follows would be taken for lines. The inputs of a MeasureProgramRequest are empty: its
/// frame has them.
[[nodiscard]] WorkerRequest requestFromJsonLine(std::string_view line,
                                                const TakeFrame& takeFrame = {});
[[nodiscard]] WorkerEvent eventFromJsonLine(std::string_view line);

/// Whether the line is an event, of whatever protocol: what a worker says, and not what its
/// connection has to say before, as a login banner.
[[nodiscard]] bool isEventLine(std::string_view line);

/// Why these words of a worker about itself cannot be followed by measurements that this program
/// understands: another protocol or another version; empty when they can. `line` is an event's.
[[nodiscard]] std::string strangerProblem(std::string_view line);

/// The time of `2026-11-21T09:30:00Z`; nothing for any other text and for a day that no calendar
/// has.
[[nodiscard]] std::optional<std::chrono::sys_seconds> timeFromUtc(const std::string& text);

/// Why a measurement that a worker sent at `now` cannot be believed, the first reason:
/// `wrongResult` where its own check says that the kernel's output differs; otherwise `failed`, for
/// a value out of its metric's range (metric.h) or at odds with another one, a time that does not
/// fit, or what no worker finds out, such as a prediction. Nothing where all of it may be.
[[nodiscard]] std::optional<Failure> implausibility(const Measurement& measurement,
                                                    std::chrono::sys_seconds now);

/// The same of a launch of a person's program. Results that differ from the host's are told by its
/// checks: they are no reason not to believe it.
[[nodiscard]] std::optional<Failure> implausibility(const ProgramMeasurement& measurement,
                                                    std::chrono::sys_seconds now);
/// Of one that was kept, by whatever version and whenever.
[[nodiscard]] std::optional<Failure> implausibility(const ProgramMeasurement& measurement);

}  // namespace warplens
