// The worker's nvcc compiles the kernels from kernels/bodies, with words of its own for what it
// probes; what is predicted is the .cu file. Here both are held to say the same.

#include <algorithm>
#include <gtest/gtest.h>

#include "core/program/cuda_tokens.h"
#include "kernels/bodies/body_text.h"
#include "kernels/library/kernel_text.h"

namespace warplens {
namespace {

using Words = std::vector<std::string>;

Words wordsOf(std::string_view text) {
    Words words;
    for (const CudaToken& token : cudaTokens(text)) words.emplace_back(token.text);
    return words;
}

/// The operands of the call whose `(` stands at `at`, which is moved behind its `)`. The last one
/// takes the commas that are left.
std::vector<Words> takeOperands(const Words& words, std::size_t& at, std::size_t count) {
    std::vector<Words> operands(1);
    int depth = 0;
    for (++at; depth > 0 || words.at(at) != ")"; ++at) {
        if (words[at] == "(") ++depth;
        if (words[at] == ")") --depth;
        if (words[at] == "," && depth == 0 && operands.size() < count) {
            operands.emplace_back();
        } else {
            operands.back().push_back(words[at]);
        }
    }
    ++at;
    return operands;
}

/// What a body says on the device (kernels/measure/plain_dialect.cuh).
Words onTheDevice(const Words& words) {
    struct Word final {
        const char* name;
        std::size_t operands;
        const char* becomes;  ///< a digit stands for an operand
    };
    static const std::vector<Word> dialect{{"ARRAY", 1, "0 *"},
                                           {"BRANCH", 2, "1"},
                                           {"WHILE", 2, "while ( 1 )"},
                                           {"ROUND", 1, ""},
                                           {"ARRIVED", 1, ""},
                                           {"SHARED_1D", 3, "__shared__ 0 1 [ 2 ]"},
                                           {"SHARED_2D", 4, "__shared__ 0 1 [ 2 ] [ 3 ]"},
                                           {"DYNAMIC_SHARED", 2, "extern __shared__ 0 1 [ ]"},
                                           {"SHARED_PART", 4, "float * 1 = 2 + 3"}};
    Words made;
    for (std::size_t at = 0; at < words.size();) {
        if (words[at] == "KERNEL") {
            made.insert(made.end(), {"__global__", "void"});
            ++at;
            continue;
        }
        const auto word = std::ranges::find(dialect, words[at], &Word::name);
        if (word == dialect.end()) {
            made.push_back(words[at++]);
            continue;
        }
        ++at;
        const std::vector<Words> operands = takeOperands(words, at, word->operands);
        const std::string becomes = word->becomes;
        for (std::size_t i = 0; i < becomes.size();
             i = std::min(becomes.find(' ', i), becomes.size() - 1) + 1) {
            const std::string part = becomes.substr(i, becomes.find(' ', i) - i);
            if (part.size() == 1 && part[0] >= '0' && part[0] <= '9') {
                const Words inner =
                    onTheDevice(operands.at(static_cast<std::size_t>(part[0] - '0')));
                made.insert(made.end(), inner.begin(), inner.end());
            } else {
                made.push_back(part);
            }
        }
        if (becomes.empty()) ++at;  // its semicolon
        if (made.size() > 2 && made.back() == "0" && made[made.size() - 2] == "+") {
            made.resize(made.size() - 2);
        }
    }
    return made;
}

/// The kernel's own part of its body file.
Words bodyOf(const Kernel& kernel) {
    const std::string text(bodyText(kernel));
    std::size_t begin = text.find("KERNEL " + std::string(kernel.name) + '(');
    EXPECT_NE(begin, std::string::npos) << kernel.name;
    const std::size_t end = text.find("\n}\n", begin) + 3;
    const std::string above = "template <int TILE>\n";
    if (begin >= above.size() && text.compare(begin - above.size(), above.size(), above) == 0) {
        begin -= above.size();
    }
    return onTheDevice(wordsOf(std::string_view(text).substr(begin, end - begin)));
}

TEST(DeviceText, OfEveryKernelIsThatOfItsFile) {
    for (const Kernel& kernel : allKernels()) {
        if (bodyText(kernel).empty()) continue;  // what no nvcc compiles
        std::string code;
        for (const KernelLine& line : codeLines(kernel)) code += std::string(line.text) + '\n';
        EXPECT_EQ(bodyOf(kernel), wordsOf(code)) << kernel.name;
    }
}

}  // namespace
}  // namespace warplens
