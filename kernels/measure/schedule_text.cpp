#include "kernels/measure/schedule_text.h"

#include <algorithm>
#include <optional>
#include <regex>
#include <vector>

#include "core/program/cuda_tokens.h"
#include "core/text/lines.h"

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

}  // namespace warplens
