#include "kernels/library/build/kernel_source.h"

#include <stdexcept>
#include <vector>

#include "core/text/lines.h"
#include "kernels/trace/source/program_source.h"

namespace warplens::library {
namespace {

/// Which function stands for a name among the parameters of the template's instances: its type.
std::string parameterTypes(const source::KernelSource& kernel) {
    std::string types;
    for (const source::KernelParameter& parameter : kernel.parameters) {
        types += (types.empty() ? "" : ", ") + parameter.type;
    }
    return types;
}

}  // namespace

std::string hostSourceOf(const Kernel& kernel) {
    const source::RewrittenFile rewritten = source::rewriteFile(kernel.text);
    if (!rewritten.unsupported.empty()) {
        const source::UnsupportedUse& use = rewritten.unsupported.front();
        throw MalformedKernelFile(kernel.file, use.place.line, use.words);
    }
    const std::vector<std::string_view> rewrittenLines = splitLines(rewritten.text);
    std::vector<std::string> lines(rewrittenLines.begin(), rewrittenLines.end());
    for (const KernelLoop& loop : kernel.loops) {
        std::string& line = lines.at(loop.line - 1);
        const std::size_t brace = line.rfind('{', line.find("// "));
        if (brace == std::string::npos) {
            throw MalformedKernelFile(kernel.file, loop.line, "no { at the end of the loop's line");
        }
        line.insert(brace + 1, " WL_ROUND(" + loop.variable + ")");
    }
    for (const KernelLoop& loop : kernel.computing) {
        std::string& line = lines.at(loop.line - 1);
        line.insert(line.find_first_not_of(' '), "WL_COMPUTES ");
    }
    std::string text = "#line 1 \"" + kernel.file + "\"\n";
    for (const std::string& line : lines) text += line + '\n';
    if (!kernel.templateSize.empty()) {
        for (const std::string& instance : kernel.instances()) {
            text += "template __global__ void " + instance + '(' +
                    parameterTypes(rewritten.kernels.front()) + ");\n";
        }
    }
    return text;
}

}  // namespace warplens::library
