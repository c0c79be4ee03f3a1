#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/program/program_measurement.h"
#include "core/program/program_sources.h"
#include "core/program/program_trace.h"

/// What a page of the window carries when it is exported: a scene, or a person's program with all
/// that was found of it, so that neither a compiler nor a GPU is needed to look at it.
namespace warplens {

/// What the warps of one block of a launch did: a trace frame (trace_frames.h) as text.
struct PageSteps final {
    std::uint32_t launch = 0;
    Index3 block;
    std::string frame;                    ///< base64
    std::vector<std::string> statements;  ///< of its branches
    friend bool operator==(const PageSteps&, const PageSteps&) = default;
};
[[nodiscard]] PageSteps pageStepsOf(const BlockSteps& steps);
/// Throws MalformedJson.
[[nodiscard]] BlockSteps blockStepsOf(const PageSteps& steps);

struct PageProgram final {
    std::vector<std::string> lines;         ///< of its file
    std::vector<std::uint32_t> statements;  ///< on which line each line's statement begins
    std::string digest;                     ///< what measurements belong to
    ProgramTrace trace;
    std::vector<PageSteps> steps{};
    std::optional<MeasuredProgram> measured{};
    friend bool operator==(const PageProgram&, const PageProgram&) = default;
};

/// A course: all that its folder holds, and the PTX of its kernels.
struct PageCourse final {
    std::string name;
    std::vector<ProgramFile> files;  ///< paths below the folder
    friend bool operator==(const PageCourse&, const PageCourse&) = default;
};

struct PageDocument final {
    std::string scene;  ///< empty where a program is shown
    std::optional<PageProgram> program;
    std::optional<PageCourse> course{};
    friend bool operator==(const PageDocument&, const PageDocument&) = default;
};

[[nodiscard]] std::string toPageJson(const PageDocument& page);

/// Bytes of a document that are written and read.
inline constexpr std::size_t mostPageBytes = 48u << 20;

/// Throws MalformedJson, for another document and a newer one, too.
[[nodiscard]] PageDocument pageDocumentFromJson(std::string_view text);

}  // namespace warplens
