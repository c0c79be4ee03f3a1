#include "kernels/trace/source/program_source.h"

#include <algorithm>

#include "tests/fuzz/fuzz.h"

using namespace warplens;

/// The text as a .cu file that is made C++.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text = fuzz::textOf(data, size);
    const std::string masked = source::maskedText(text);
    fuzz::promise(masked.size() == text.size(), "a masked text is as long");
    const source::RewrittenFile file = source::rewriteFile(text);
    const auto lines = [](std::string_view of) { return std::ranges::count(of, '\n'); };
    fuzz::promise(lines(masked) == lines(text), "a masked text has the same lines");
    fuzz::promise(lines(file.text) == lines(text), "a rewritten file has the same lines");
    for (const source::KernelSource& kernel : file.kernels) {
        fuzz::promise(!kernel.name.empty() && kernel.bodyBegin <= kernel.bodyEnd &&
                          kernel.bodyEnd <= text.size(),
                      "a kernel has a name, and its body lies in the file");
    }
    return 0;
}
