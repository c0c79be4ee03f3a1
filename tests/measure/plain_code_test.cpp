// The plain kernels carry no trace of the marks: their machine code is that of the same kernels
// written by hand, instruction for instruction.

#include <gtest/gtest.h>
#include <map>

#include "core/text/atomic_file.h"
#include "kernels/measure/code/cubin.h"

namespace warplens {
namespace {

struct Files {
    int capability;
    const char* plain;
    const char* byHand;
};

/// Functions by the part of their mangled name behind the namespace.
std::map<std::string, std::vector<SassInstruction>> byName(const char* file,
                                                           const std::string& space) {
    const std::string cubin = readFile(file);
    std::map<std::string, std::vector<SassInstruction>> result;
    for (SassFunction& function : functionsOf(cubin)) {
        const std::size_t at = function.name.find(space);
        if (at != std::string::npos) {
            result[function.name.substr(at + space.size())] = std::move(function.instructions);
        }
    }
    return result;
}

class PlainCodeTest : public testing::TestWithParam<Files> {};

TEST_P(PlainCodeTest, equalsTheHandWrittenTwins) {
    const auto plain = byName(GetParam().plain, "5plain");
    const auto byHand = byName(GetParam().byHand, "7by_hand");
    EXPECT_GE(byHand.size(), 12u);
    for (const auto& [name, instructions] : byHand) {
        ASSERT_TRUE(plain.contains(name)) << name;
        EXPECT_EQ(plain.at(name), instructions) << name << " on " << GetParam().capability;
    }
}

INSTANTIATE_TEST_SUITE_P(Capability, PlainCodeTest,
                         testing::Values(Files{75, WARPLENS_CUBIN_75, WARPLENS_HAND_CUBIN_75},
                                         Files{90, WARPLENS_CUBIN_90, WARPLENS_HAND_CUBIN_90},
                                         Files{120, WARPLENS_CUBIN_120, WARPLENS_HAND_CUBIN_120}));

}  // namespace
}  // namespace warplens
