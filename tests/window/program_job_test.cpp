#include "app/window/program_job.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <thread>
#include <unistd.h>

#include "app/window/state/apply.h"
#include "app/window/state/program_changes.h"
#include "core/text/files.h"
#include "kernels/programs/sandbox.h"

namespace warplens::window {
namespace {

using namespace std::chrono_literals;

/// Steps the job until `holds`, for ten seconds at most.
bool comesTo(ProgramJob& job, AppState& state, const std::function<bool()>& holds) {
    for (int look = 0; look < 2000 && !holds(); ++look) {
        for (const Command& command : job.step(state)) apply(state, command);
        std::this_thread::sleep_for(5ms);
    }
    return holds();
}

// A program that never ends must not keep its window waiting.
TEST(ProgramJob, AStoppedRunShowsWhatWasTracedUntilThen) {
    const std::filesystem::path file = std::filesystem::temp_directory_path() /
                                       ("warplens-stop-" + std::to_string(getpid()) + ".cu");
    writeFileAtomically(file, "int main() { for (;;); }\n");
    ProgramJob job(
        [](const std::string&, const std::vector<ProposedValue>&, std::stop_token stop,
           const TracingProgress& tell) {
            tell.text({"being traced"});
            tell.stage("running");
            while (!stop.stop_requested()) std::this_thread::sleep_for(1ms);
            ProgramVersion version;
            version.lines = {"until then"};
            return version;
        },
        [] {});
    AppState state = initialState({initialExperiment(allScenarios().front()), true},
                                  std::make_shared<RecordingLibrary>(), false);
    apply(state, OpenProgram{file.string()});
    ASSERT_TRUE(comesTo(job, state, [&] { return state.program.stage == "running"; }));
    EXPECT_EQ(state.program.now, nullptr);
    EXPECT_EQ(shownText(state.program).lines, std::vector<std::string>{"being traced"});
    apply(state, StopProgram{});
    ASSERT_TRUE(comesTo(job, state, [&] { return state.program.now != nullptr; }));
    EXPECT_EQ(shownText(state.program).lines, std::vector<std::string>{"until then"});
    EXPECT_EQ(state.program.stage, "");
    apply(state, StopProgram{});
    EXPECT_FALSE(state.program.stopping) << "nothing runs that could be stopped";
    std::filesystem::remove(file);
}

// What is not held is not run before somebody has said so; then this file and the next ones are.
TEST(ProgramJob, RunsUnheldOnlyOnceSomebodyHasSaidSo) {
    const std::filesystem::path file = std::filesystem::temp_directory_path() /
                                       ("warplens-unheld-" + std::to_string(getpid()) + ".cu");
    writeFileAtomically(file, "int main() {}\n");
    ProgramJob job(
        [](const std::string&, const std::vector<ProposedValue>&, std::stop_token,
           const TracingProgress&) {
            ProgramVersion version;
            version.notConfined = !isUnconfinedAllowed();
            version.failure = version.notConfined ? "It was not run" : "";
            return version;
        },
        [] {});
    AppState state = initialState({initialExperiment(allScenarios().front()), true},
                                  std::make_shared<RecordingLibrary>(), false);
    apply(state, RunUnconfined{});
    EXPECT_FALSE(state.program.unconfined) << "nothing is open that it could be said of";
    apply(state, OpenProgram{file.string()});
    ASSERT_TRUE(comesTo(job, state, [&] { return state.program.now != nullptr; }));
    EXPECT_TRUE(state.program.now->notConfined);
    EXPECT_FALSE(isUnconfinedAllowed());
    apply(state, RunUnconfined{});
    EXPECT_EQ(state.program.stage, "compiling");
    ASSERT_TRUE(comesTo(job, state, [&] { return !state.program.now->notConfined; }));
    EXPECT_EQ(state.program.now->failure, "");
    apply(state, CloseProgram{});
    apply(state, OpenProgram{file.string()});
    ASSERT_TRUE(comesTo(job, state, [&] { return state.program.now != nullptr; }));
    EXPECT_FALSE(state.program.now->notConfined);
    std::filesystem::remove(file);
}

}  // namespace
}  // namespace warplens::window
