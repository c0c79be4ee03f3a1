#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/launch/launch.h"
#include "core/measurement/measurement.h"
#include "core/program/program_trace.h"

namespace warplens {

/// One array after a launch on the device, beside what the host's run made of it.
struct ArrayCheck final {
    std::string array{};
    std::uint64_t equal = 0;   ///< elements equal bit by bit
    std::uint64_t within = 0;  ///< not equal, but within the tolerance
    std::uint64_t different = 0;
    std::uint64_t firstDifferent = 0;  ///< index; 0 where none is
    double largestError = 0;           ///< of those within, relative to the largest magnitude
    double tolerance = 0;              ///< 0: compared bit by bit
    bool reordered = false;  ///< some differ, but all are there: in the order that threads came in
    friend bool operator==(const ArrayCheck&, const ArrayCheck&) = default;
};

/// `out: 98 of 100 elements equal the host's, 1 within 0.0001 of the largest, 1 differ, first at
/// 7`.
[[nodiscard]] std::string inWords(const ArrayCheck& check);

/// What a source line became.
struct CompiledLine final {
    std::string file{};
    std::uint32_t line = 0;
    std::vector<std::string> ptx{};   ///< memory accesses and branches, in the order of the code
    std::vector<std::string> sass{};  ///< all instructions; empty where there is no disassembler
    friend bool operator==(const CompiledLine&, const CompiledLine&) = default;
};

/// Why compiled code asks for something else than its source.
enum class DifferenceCause : std::uint8_t {
    none,             ///< they agree
    unrolling,        ///< copies of a loop's body, in which lanes no longer meet
    mergedAccesses,   ///< neighbouring accesses became one of 64 or 128 bits
    removedAccesses,  ///< repeated or dead accesses became fewer
    movedLines,       ///< the compiler lays the accesses to another line, the sums are equal
    predication,      ///< an instruction is issued also where no lane takes it
    speculation,      ///< more lanes ask than need it, before a branch is decided
    copiedCode,       ///< lanes of a warp run copies of the code and do not meet
    schedule,         ///< the results depend on which threads come first
    libraryCode,      ///< what is called there asks by itself, in the library's files
    probe,            ///< the plain code does as the source says: lanes part at the probe's calls
    unexplained,
};
constexpr std::array<std::string_view, 12> namesOf(DifferenceCause /*cause*/) {
    return {"none",        "unrolling",    "merged_accesses", "removed_accesses",
            "moved_lines", "predication",  "speculation",     "copied_code",
            "schedule",    "library_code", "probe",           "unexplained"};
}

/// One line and kind on which the sources do not agree, summed over the line's columns.
struct LineDifference final {
    std::string file{};
    std::uint32_t line = 0;
    AccessKind kind = AccessKind::load;
    std::string quantity{};  ///< `requests`, `sectors` or `wavefronts`
    std::optional<std::uint64_t> predicted{};
    std::optional<std::uint64_t> compiled{};
    std::optional<std::uint64_t> counted{};
    DifferenceCause cause = DifferenceCause::unexplained;
    std::string words{};         ///< the cause, with the numbers
    std::string intervention{};  ///< what was changed to confirm it, and what came of that
    friend bool operator==(const LineDifference&, const LineDifference&) = default;
};

/// What the compiled code asks for after something was changed, by which a cause is confirmed.
struct ChangedLaunch final {
    std::string change;  ///< `with #pragma unroll 1 on the loops around the line`
    std::vector<ProgramLine> compiled{};
    friend bool operator==(const ChangedLaunch&, const ChangedLaunch&) = default;
};

/// What was changed to find causes; each only where it was called for.
struct Interventions final {
    std::optional<ChangedLaunch> notCalled{};  ///< calls gone where the source itself asks nothing
    std::optional<ChangedLaunch> notUnrolled{};
    std::optional<ChangedLaunch> lessOptimized{};
    std::optional<ChangedLaunch> isVolatile{};  ///< no access may be dropped, merged or moved
    friend bool operator==(const Interventions&, const Interventions&) = default;
};

/// One line of a kernel on which the compiled code asks for something else than the source.
struct TriedDifference final {
    std::string kernel;
    LineDifference difference;
    std::vector<std::string> ptx{};  ///< accesses of the line in the code as compiled
    friend bool operator==(const TriedDifference&, const TriedDifference&) = default;
};

/// Of a launch of a person's program.
struct ProgramMeasurement final : LaunchMeasurement {
    std::string kernel{};  ///< the instance, as `scan<true>`
    Launch launch;
    std::string compiler{};  ///< `nvcc 13.0`
    std::vector<ArrayCheck> checks{};
    KernelResources resources;
    std::vector<ProgramLine> lines{};  ///< compiled and counted, by file, line, kind
    std::string linesReason{};         ///< why there are no counted lines; empty where there are
    std::vector<LineDifference> differences{};
    /// How many of file, line, kind and quantity sources were compared on.
    std::uint64_t comparedLines = 0;
    std::vector<CompiledLine> code{};
    friend bool operator==(const ProgramMeasurement&, const ProgramMeasurement&) = default;
};

void describe(Archive& v, ArrayCheck& check);
void describe(Archive& v, LineDifference& difference);
void describe(Archive& v, Interventions& interventions);
void describe(Archive& v, TriedDifference& tried);
void describe(Archive& v, CompiledLine& line);
void describe(Archive& v, ProgramMeasurement& measurement);
/// The members behind the launch, without values and lines unless `withNumbers`.
void describeResults(Archive& v, ProgramMeasurement& measurement, bool withNumbers);

/// One launch of a program, as traced and as measured.
struct MeasuredLaunch final {
    LaunchReport predicted;
    ProgramMeasurement measured;  ///< its `kernel` is the launch's `instance`
    friend bool operator==(const MeasuredLaunch&, const MeasuredLaunch&) = default;
};

/// What `measure FILE.cu` found: printed, kept in a file, and read again beside the program.
struct MeasuredProgram final {
    std::string program;  ///< the file as it was named
    /// Of the program's text and of all that it was compiled and launched with (programDigest);
    /// empty where a version before this wrote it.
    std::string digest{};
    std::vector<MeasuredLaunch> launches{};
    std::vector<std::string> notes{};
    friend bool operator==(const MeasuredProgram&, const MeasuredProgram&) = default;
};

/// A launch says what `predict` says of it, the values and lines of all sources in one list each,
/// and what the measurement knows besides. Reading throws MalformedJson for a measurement that
/// cannot be (implausibility), too.
void describe(Archive& v, MeasuredLaunch& launch);
void describe(Archive& v, MeasuredProgram& program);

/// A file that holds one may be as large as this.
inline constexpr std::uint64_t mostKeptBytes = 16u << 20;

/// Reads a Document::programMeasurement. Throws MalformedJson, for another document and a newer
/// one, too.
[[nodiscard]] MeasuredProgram measuredProgramFromJson(std::string_view text);

/// The program under another name: its lines, differences and code are then of that file.
void rename(MeasuredProgram& program, const std::string& name);

}  // namespace warplens
