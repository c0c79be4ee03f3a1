// What the compiled code of every recorded launch asks for, run by the machine without a GPU,
// beside what the device's probe counted of it when the recordings were taken.
#include <gtest/gtest.h>
#include <iostream>
#include <map>

#include "app/recordings/library.h"
#include "core/text/format.h"
#include "kernels/device/compile.h"
#include "kernels/library/predict.h"
#include "kernels/measure/scenario_launch.h"

namespace warplens {
namespace {

TEST(CompiledCode, AsksForWhatTheProbeCountedInEveryRecording) {
    int recordings = 0;
    int values = 0;
    std::map<std::string, int> differing;
    for (const Recording& recording :
         recordingsWith(SOURCE_FOLDER "/assets/recordings/h100").recordings) {
        const Measurement& measured = recording.measurement;
        const Experiment& e = measured.experiment;
        if (measured.device.computeCapability != "9.0") continue;
        const Kernel& file = kernelOf(e);
        CompiledUnit unit;
        try {
            unit = compileKernelFile(file, file.instance(e.arguments), 90);
        } catch (const CompilerUnavailable& error) {
            GTEST_SKIP() << error.what();
        }
        if (unit.compiler() != "NVRTC 13.0") GTEST_SKIP() << unit.compiler();
        const LaunchReport compiled = predictCompiled(e, {}, unit.ptx);
        if (!compiled.exact) continue;
        ++recordings;
        for (const Value& value : measured.values) {
            if (value.source != Source::compiled) continue;
            const Value* const here = findValue(compiled.values, value.metric, Source::compiled,
                                                value.variant, value.subject);
            if (here == nullptr) continue;
            ++values;
            if (here->content == value.content) continue;
            ++differing[e.scenario + ' ' + value.subject + ' ' +
                        std::string(metricInfo(value.metric).id)];
        }
    }
    std::cout << recordings << " recordings, " << values << " values\n";
    for (const auto& [what, times] : differing) std::cout << what << ": " << times << '\n';
    EXPECT_TRUE(differing.empty());
    EXPECT_GT(recordings, 200);
}

}  // namespace
}  // namespace warplens
