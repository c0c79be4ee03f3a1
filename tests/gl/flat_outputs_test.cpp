#include "app/window/gl/flat_outputs.h"

#include <gtest/gtest.h>

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

}  // namespace
}  // namespace warplens::window
