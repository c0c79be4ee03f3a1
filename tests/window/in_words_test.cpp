#include "app/window/state/in_words.h"

#include <gtest/gtest.h>

#include "app/lessons/library.h"
#include "app/window/jobs.h"
#include "app/window/state/apply.h"

namespace warplens::window {
namespace {

AppState exploring() {
    return initialState({initialExperiment(scenarioNamed("warp-grouping")), true},
                        std::make_shared<RecordingLibrary>(builtInRecordings()), false);
}

TEST(InWords, AnOwnFileHasItsFindingsItsLaunchesAndTheCostsOfTheShownOnesLines) {
    AppState state = exploring();
    EXPECT_EQ(programInWords(state), "");
    auto version = std::make_shared<ProgramVersion>();
    version->lines = {"__global__ void f(float* a) {", "  a[2 * threadIdx.x] = 0;", "}"};
    Finding& finding = version->trace.findings.emplace_back();
    finding.words = "store to a[8], which has 8 elements";
    finding.place = {"own.cu", 2, 3};
    for (std::uint32_t index = 0; index < 2; ++index) {
        LaunchReport& launch = version->trace.launches.emplace_back();
        launch.index = index;
        launch.kernel = index == 0 ? "f" : "g";
        launch.launch = {{2, 1, 1}, {64, 1, 1}, 0};
        ProgramLine& line = launch.lines.emplace_back();
        line.place = {"own.cu", 2, 3};
        line.kind = AccessKind::store;
        line.array = "a";
        line.requests = 4;
        line.sectors = index == 0 ? 64 : 32;
        line.idealSectors = 16;
    }
    apply(state, OpenProgram{"own.cu"});
    apply(state, ProgramTraced{"own.cu", version});
    EXPECT_EQ(programInWords(state),
              "own.cu\n"
              "Found at line 2, out-of-bounds: store to a[8], which has 8 elements.\n"
              "Launch f<<<2, 64>>>, shown.\n"
              "Line 2, a[2 * threadIdx.x] = 0;: store a: 64 sectors where 16 would do.\n"
              "Launch g<<<2, 64>>>.\n");
}

TEST(InWords, ALessonHasItsQuestionAndItsAnswerOnlyOnceThatIsShown) {
    AppState state = exploring();
    EXPECT_EQ(lessonInWords(state), "");
    apply(state, OpenLesson{"matadd-swapped"});
    apply(state, tellNow(*lessonPlace(state), {}));
    const ResolvedLesson& lesson = *shownResolved(state);
    const std::string before = lessonInWords(state);
    EXPECT_TRUE(before.starts_with(lesson.lesson.title + "\nPage 1 of ")) << before;
    EXPECT_NE(before.find("Predict first: " + lesson.lesson.question.ask), std::string::npos);
    EXPECT_EQ(before.find('`'), std::string::npos) << "look has some";
    EXPECT_EQ(before.find(lesson.lesson.question.because), std::string::npos);
    apply(state, RevealAnswer{});
    std::string because = lesson.lesson.question.because;
    std::erase(because, '`');
    EXPECT_NE(lessonInWords(state).find(because), std::string::npos) << lessonInWords(state);
}

}  // namespace
}  // namespace warplens::window
