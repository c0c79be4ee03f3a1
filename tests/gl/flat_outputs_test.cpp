#include <algorithm>
#include <gtest/gtest.h>
#include <sstream>
#include <utility>

#include "app/window/gl/program.h"

#include "embedded/warplens_window.h"

namespace warplens::window {
namespace {

TEST(FlatOutputs, HandOverWhatTheFragmentShaderTakesUnderItsConditions) {
    EXPECT_EQ(flatOutputs("uniform int uOther;\n"
                          "flat in vec2 fPitch;        // cells\n"
                          "#if DETAIL == 1\n"
                          "flat in float fThreads;\n"
                          "#endif\n"
                          "in vec2 local;\n"),
              "uniform vec2 uPitch;\n"
              "flat out vec2 fPitch;\n"
              "#if DETAIL == 1\n"
              "uniform float uThreads;\n"
              "flat out float fThreads;\n"
              "#endif\n"
              "void handOver() {\n"
              "    fPitch = uPitch;\n"
              "#if DETAIL == 1\n"
              "    fThreads = uThreads;\n"
              "#endif\n"
              "}\n");
}

/// Components of `vec2`, `uvec3`, `float` …
int componentsOf(const std::string& type) {
    const char last = type.back();
    return last >= '2' && last <= '4' ? last - '0' : 1;
}

/// Components that a fragment shader takes from the vertex shader, of the branches of each
/// condition those of the one with the most.
int mostComponentsTaken(std::istream& source) {
    int here = 0;
    int most = 0;
    for (std::string line; std::getline(source, line);) {
        std::istringstream words(line);
        std::string word;
        words >> word;
        if (word == "flat") words >> word;
        if (word.starts_with("#if")) {
            here += mostComponentsTaken(source);
        } else if (word == "#elif" || word == "#else") {
            most = std::max(most, std::exchange(here, 0));
        } else if (word == "#endif") {
            return std::max(most, here);
        } else if (word == "in") {
            words >> word;
            here += componentsOf(word);
        }
    }
    return std::max(most, here);
}

int mostComponentsTaken(const std::string& text) {
    std::istringstream source(text);
    const int most = mostComponentsTaken(source);
    EXPECT_TRUE(source.eof()) << "an #endif too many";
    return most;
}

TEST(FlatOutputs, CountsOfBranchesTheLargest) {
    EXPECT_EQ(mostComponentsTaken("in vec2 local;\n"
                                  "#if A\n"
                                  "flat in ivec3 fA;\n"
                                  "#elif B\n"
                                  "flat in float fB;\n"
                                  "#if C\n"
                                  "flat in uvec4 fC;\n"
                                  "#endif\n"
                                  "#endif\n"
                                  "flat in int fD;\n"),
              2 + 5 + 1);
}

/// What OpenGL 3.3 promises, GL_MAX_VARYING_COMPONENTS at least; other drivers have more room.
TEST(FlatOutputs, FitWhatOpenGlPromises) {
    const int taken = mostComponentsTaken(std::string(embedded::embeddedFile("map.frag")));
    EXPECT_GT(taken, 10);
    EXPECT_LE(taken, 60);
}

}  // namespace
}  // namespace warplens::window
