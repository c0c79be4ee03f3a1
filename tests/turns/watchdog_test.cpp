#include <chrono>
#include <csignal>
#include <thread>

#include "kernels/turns/gpu_lock.h"
#include "tests/turns/turns_fixture.h"

namespace warplens {
namespace {

using namespace std::chrono_literals;
using tests::endOfWatched;
using WatchdogTest = tests::TurnsTest;

TEST_F(WatchdogTest, TellsThatAProcessStandsStillInItsTurn) {
    const int status = endOfWatched([&](const WatchedLine& line) {
        const auto turn = queue({.silence = 300ms}, &line).wait({}, {});
        ::raise(SIGSTOP);
    });
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    EXPECT_EQ(queue().count(), 0u);
}

TEST_F(WatchdogTest, TellsThatATurnHasNoEnd) {
    EXPECT_TRUE(WIFSIGNALED(endOfWatched([&](const WatchedLine& line) {
        const auto turn = queue({.silence = 2s, .longest = 300ms}, &line).wait({}, {});
        while (true) std::this_thread::sleep_for(1s);
    })));
}

TEST_F(WatchdogTest, LetsAProcessBeThatHasNoTurn) {
    EXPECT_EQ(WEXITSTATUS(endOfWatched([&](const WatchedLine& line) {
                  { const auto turn = queue({.silence = 100ms}, &line).wait({}, {}); }
                  std::this_thread::sleep_for(400ms);
                  ::_exit(7);
              })),
              7);
}

TEST_F(WatchdogTest, LetsAProcessBeThatTakesItsTime) {
    EXPECT_EQ(WEXITSTATUS(endOfWatched([&](const WatchedLine& line) {
                  const auto turn = queue({.silence = 1s}, &line).wait({}, {});
                  std::this_thread::sleep_for(2500ms);
                  ::_exit(7);
              })),
              7);
}

TEST_F(WatchdogTest, ThatIsGoneHarmsNobody) {
    const auto [line, end] = Watchdog::connections();
    ::close(end);
    const WatchedLine watched(line);
    { const auto turn = queue({.silence = 100ms}, &watched).wait({}, {}); }
    ::close(line);
    EXPECT_EQ(queue().count(), 0u);
}

}  // namespace
}  // namespace warplens
