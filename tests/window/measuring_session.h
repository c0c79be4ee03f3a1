#pragma once

#include <chrono>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <thread>
#include <utility>

#include "app/window/measuring.h"
#include "app/window/state/apply.h"
#include "tests/support/temporary_folder.h"

namespace warplens::window {

/// A scenario as it opens, to be measured.
inline AppState stateOf(std::string_view scenario) {
    return initialState({initialExperiment(scenarioNamed(scenario)), true},
                        std::make_shared<RecordingLibrary>(), true);
}

enum class Plays : std::uint8_t { once, always };

/// A window without pictures, whose worker plays `part`, once before it answers or always.
class MeasuringSession final {
  public:
    explicit MeasuringSession(const std::string& part, AppState from = stateOf("matadd-coalesced"),
                              ProgramPreparer prepare = {}, Plays plays = Plays::once)
        : state(std::move(from)),
          measuring_({.command = WORKER_STUB " " + part +
                                 (plays == Plays::once ? " --once " + played_.string() : "")},
                     true, std::move(prepare)) {}

    AppState state;

    /// Presses Measure and lets frames go by until it has ended.
    void measure() {
        apply(state, Measure{});
        follow();
    }
    /// Lets frames go by until what is measured has ended.
    void follow() {
        ASSERT_NE(running(state), nullptr);
        for (int passed = 0; passed < 16000 && running(state) != nullptr; ++passed) frame();
        EXPECT_EQ(running(state), nullptr);
    }
    /// Lets frames go by until the worker has begun its part: one that is ended earlier has not
    /// played it, and plays it for the next request.
    void followUntilPlayed() {
        for (int passed = 0; passed < 16000 && !std::filesystem::exists(played_); ++passed) frame();
        ASSERT_TRUE(std::filesystem::exists(played_));
    }
    void frame() {
        for (const Command& command : measuring_.step(state)) apply(state, command);
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }

  private:
    tests::TemporaryFolder folder_;
    std::filesystem::path played_ = folder_.path() / "played";
    Measuring measuring_;
};

}  // namespace warplens::window
