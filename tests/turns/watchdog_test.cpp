#include "kernels/turns/watchdog.h"

#include <chrono>
#include <csignal>
#include <thread>

#include "tests/turns/turns_fixture.h"

namespace warplens {
namespace {

using namespace std::chrono_literals;
using tests::endOf;
using tests::inProcess;
using WatchdogTest = tests::TurnsTest;

TEST_F(WatchdogTest, killsAProcessThatStandsStillInItsTurn) {
    const pid_t still = inProcess([&] {
        Watchdog watchdog;
        const auto turn = queue({.silence = 300ms}, &watchdog).wait({}, {});
        ::raise(SIGSTOP);
    });
    const int status = endOf(still);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
    EXPECT_EQ(queue().count(), 0u);
}

TEST_F(WatchdogTest, killsAProcessWhoseTurnHasNoEnd) {
    const pid_t hung = inProcess([&] {
        Watchdog watchdog;
        const auto turn = queue({.silence = 2s, .longestTurn = 300ms}, &watchdog).wait({}, {});
        while (true) std::this_thread::sleep_for(1s);
    });
    EXPECT_TRUE(WIFSIGNALED(endOf(hung)));
}

TEST_F(WatchdogTest, letsAProcessBeThatHasNoTurn) {
    const pid_t idle = inProcess([&] {
        Watchdog watchdog;
        { const auto turn = queue({.silence = 100ms}, &watchdog).wait({}, {}); }
        std::this_thread::sleep_for(400ms);
        ::_exit(7);
    });
    EXPECT_EQ(WEXITSTATUS(endOf(idle)), 7);
}

TEST_F(WatchdogTest, letsAProcessBeThatTakesItsTime) {
    const pid_t busy = inProcess([&] {
        Watchdog watchdog;
        const auto turn = queue({.silence = 1s}, &watchdog).wait({}, {});
        std::this_thread::sleep_for(2500ms);
        ::_exit(7);
    });
    EXPECT_EQ(WEXITSTATUS(endOf(busy)), 7);
}

TEST_F(WatchdogTest, endsWithItsProcessHoweverThatEnds) {
    const auto goneSoon = [](pid_t id) {
        const auto until = std::chrono::steady_clock::now() + 10s;
        while (::kill(id, 0) == 0 && std::chrono::steady_clock::now() < until) {
            std::this_thread::sleep_for(5ms);
        }
        return ::kill(id, 0) != 0;
    };
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    const pid_t killed = inProcess([&] {
        Watchdog watchdog;
        const int id = watchdog.processId();
        (void)!::write(ends[1], &id, sizeof id);
        while (true) std::this_thread::sleep_for(1s);
    });
    int id = 0;
    ASSERT_EQ(::read(ends[0], &id, sizeof id), static_cast<ssize_t>(sizeof id));
    ASSERT_GT(id, 0);
    ::kill(killed, SIGKILL);
    endOf(killed);
    // Nobody may have taken up the orphan yet: a zombie still answers, as on a system without init.
    const bool zombie = std::filesystem::exists("/proc/" + std::to_string(id)) &&
                        !std::filesystem::exists("/proc/" + std::to_string(id) + "/exe");
    EXPECT_TRUE(zombie || goneSoon(id));
    int own = 0;
    {
        const Watchdog watchdog;
        own = watchdog.processId();
    }
    EXPECT_NE(::kill(own, 0), 0);
}

TEST_F(WatchdogTest, thatWasKilledHarmsNobody) {
    const pid_t process = inProcess([&] {
        Watchdog watchdog;
        ::kill(watchdog.processId(), SIGKILL);
        std::this_thread::sleep_for(50ms);
        { const auto turn = queue({.silence = 100ms}, &watchdog).wait({}, {}); }
        ::_exit(7);
    });
    EXPECT_EQ(WEXITSTATUS(endOf(process)), 7);
}

}  // namespace
}  // namespace warplens
