#include "kernels/turns/gpu_lock.h"

#include <atomic>
#include <chrono>
#include <csignal>
#include <mutex>
#include <thread>
#include <vector>

#include "tests/turns/turns_fixture.h"

namespace warplens {
namespace {

using namespace std::chrono_literals;
using tests::endOf;
using tests::inProcess;
using TurnQueueTest = tests::TurnsTest;

void waitUntil(const std::function<bool()>& holds) {
    const auto until = LockClock::now() + 20s;
    while (!holds()) {
        ASSERT_LT(LockClock::now(), until) << "it never happened";
        std::this_thread::sleep_for(1ms);
    }
}

/// A process that has its turn and keeps it until it is killed; stands still if asked to.
pid_t holder(const GpuQueue& queue, bool stops, std::size_t behind = 0) {
    const pid_t id = inProcess([&] {
        const auto turn = queue.wait({}, {});
        if (stops) ::raise(SIGSTOP);
        while (true) std::this_thread::sleep_for(1s);
    });
    waitUntil([&] { return queue.count() > behind; });
    if (stops) {
        int status = 0;
        ::waitpid(id, &status, WUNTRACED);
    }
    return id;
}

TEST_F(TurnQueueTest, GivesTheTurnAtOnceWhereNobodyIsBefore) {
    const GpuQueue turns = queue();
    {
        const auto turn = turns.wait([](const PlaceInQueue&) { FAIL(); }, {});
        ASSERT_TRUE(turn);
        EXPECT_EQ(turn->outOfOrder(), "");
        EXPECT_FALSE(turn->isAwaited());
        EXPECT_FALSE(turn->wasPassedOver());
        EXPECT_EQ(turns.count(), 1u);
    }
    EXPECT_EQ(turns.count(), 0u);
}

TEST_F(TurnQueueTest, KeepsTheOrderOfAsking) {
    const GpuQueue turns = queue();
    std::mutex mutex;
    std::vector<int> order;
    std::vector<std::jthread> threads;
    {
        const auto first = turns.wait({}, {});
        for (int i = 0; i < 12; ++i) {
            threads.emplace_back([&, i] {
                const auto turn = turns.wait({}, {});
                const std::lock_guard lock(mutex);
                order.push_back(i);
            });
            waitUntil([&] { return turns.count() == static_cast<std::size_t>(i) + 2; });
        }
        EXPECT_TRUE(first->isAwaited());
    }
    threads.clear();
    EXPECT_EQ(order, (std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
    EXPECT_EQ(turns.count(), 0u);
}

TEST_F(TurnQueueTest, TellsThePlaceAndHowLongItTakes) {
    const GpuQueue turns = queue();
    for (int i = 0; i < 2; ++i) {
        const auto turn = turns.wait({}, {});
        std::this_thread::sleep_for(200ms);
    }
    std::stop_source enough;
    std::optional<PlaceInQueue> told;
    const auto holds = turns.wait({}, {});
    std::jthread second([&] { (void)turns.wait({}, enough.get_token()); });
    waitUntil([&] { return turns.count() == 2; });
    std::jthread third([&] {
        (void)turns.wait(
            [&](const PlaceInQueue& place) {
                if (!told) told = place;
                enough.request_stop();
            },
            enough.get_token());
    });
    third.join();
    ASSERT_TRUE(told);
    EXPECT_EQ(told->before, 2u);
    ASSERT_TRUE(told->about);
    EXPECT_GT(*told->about, 150ms);
    EXPECT_LT(*told->about, 3s);
    EXPECT_EQ(inWords({3, 1500ms}), "3 before you, about 2 s");
    EXPECT_EQ(inWords({1, {}}), "1 before you");
}

TEST_F(TurnQueueTest, IsLeftAtOnceWhenCancelled) {
    const GpuQueue turns = queue();
    const auto holds = turns.wait({}, {});
    std::stop_source stop;
    std::atomic<bool> got = true;
    std::jthread waiting([&] { got = turns.wait({}, stop.get_token()).has_value(); });
    waitUntil([&] { return turns.count() == 2; });
    const auto asked = LockClock::now();
    stop.request_stop();
    waiting.join();
    EXPECT_LT(LockClock::now() - asked, 100ms);
    EXPECT_FALSE(got);
    EXPECT_EQ(turns.count(), 1u);
}

TEST_F(TurnQueueTest, GoesOnAtOnceWhenTheHolderIsKilled) {
    const GpuQueue turns = queue();
    const pid_t killed = holder(turns, false);
    ::kill(killed, SIGKILL);
    endOf(killed);
    const auto asked = LockClock::now();
    const auto turn = turns.wait({}, {});
    EXPECT_LT(LockClock::now() - asked, 200ms);
    EXPECT_TRUE(turn->passedOver().empty());
}

TEST_F(TurnQueueTest, PassesOverAHolderThatStandsStill) {
    const GpuQueue turns = queue({.silence = 300ms});
    const pid_t still = holder(turns, true);
    for (int client = 0; client < 2; ++client) {
        const auto asked = LockClock::now();
        const auto turn = turns.wait({}, {});
        // The first waits out the silence; those who come later need not.
        EXPECT_LT(LockClock::now() - asked, client == 0 ? 2s : 200ms);
        ASSERT_EQ(turn->passedOver().size(), 1u);
        EXPECT_EQ(turn->passedOver().front(),
                  "process " + std::to_string(still) + " of " + accountName(::getuid()));
    }
    ::kill(still, SIGKILL);
    endOf(still);
    EXPECT_EQ(turns.count(), 0u);
}

TEST_F(TurnQueueTest, PassesOverWhoStandsStillWhileWaiting) {
    const GpuQueue turns = queue({.silence = 300ms});
    auto holds = turns.wait({}, {});
    const pid_t still = holder(turns, false, 1);
    ::kill(still, SIGSTOP);
    std::atomic<bool> began = false;
    std::jthread third([&] {
        const auto turn = turns.wait({}, {});
        began = true;
    });
    waitUntil([&] { return turns.count() == 3; });
    EXPECT_FALSE(began);
    holds.reset();
    waitUntil([&] { return began.load(); });
    ::kill(still, SIGKILL);
    endOf(still);
}

TEST_F(TurnQueueTest, PassesOverATurnThatHasHung) {
    const GpuQueue turns = queue({.silence = 2s, .longest = 400ms});
    const auto hung = turns.wait({}, {});
    const auto next = turns.wait({}, {});
    EXPECT_EQ(next->passedOver().size(), 1u);
}

TEST_F(TurnQueueTest, PassesOverAPlaceThatNobodySpeaksFor) {
    const GpuQueue turns = queue({.silence = 300ms});
    const LockFile file("warplens-turns-GPU-1", {folder});
    ASSERT_TRUE(ByteLocks(file.descriptor()).take(20));
    const auto turn = turns.wait({}, {});
    EXPECT_EQ(turn->passedOver(), (std::vector<std::string>{"somebody"}));
}

TEST_F(TurnQueueTest, KnowsThatItWasPassedOver) {
    const GpuQueue turns = queue({.silence = 200ms});
    const pid_t still = inProcess([&] {
        const auto turn = turns.wait({}, {});
        ::raise(SIGSTOP);
        ::_exit(turn->wasPassedOver() ? 7 : 0);
    });
    int status = 0;
    ::waitpid(still, &status, WUNTRACED);
    std::this_thread::sleep_for(400ms);
    ::kill(still, SIGCONT);
    EXPECT_EQ(WEXITSTATUS(endOf(still)), 7);
}

TEST_F(TurnQueueTest, DoesNotWaitForWhoKeepsTheEntryShut) {
    const LockFile file("warplens-turns-GPU-1", {folder});
    ASSERT_TRUE(ByteLocks(file.descriptor()).take(0));
    const auto turn = queue({.entry = 100ms}).wait({}, {});
    ASSERT_TRUE(turn);
    EXPECT_EQ(turn->outOfOrder(), "its entry stays locked");
}

TEST_F(TurnQueueTest, GivesLeaveWhereThereIsNoMoreRoom) {
    const LockFile file("warplens-turns-GPU-1", {folder});
    ASSERT_TRUE(ByteLocks(file.descriptor()).take(std::int64_t{1} << 62));
    const auto turn = queue().wait({}, {});
    EXPECT_EQ(turn->outOfOrder(), file.path().string() + " gives no place");
}

TEST_F(TurnQueueTest, BearsNonsenseInItsFile) {
    const GpuQueue turns = queue();
    { const auto turn = turns.wait({}, {}); }
    std::FILE* const out = std::fopen(file().c_str(), "r+");
    for (int i = 0; i < 140'000; ++i) std::fputc(i % 3 == 0 ? 0xff : 0x7f, out);
    std::fclose(out);
    const auto first = turns.wait({}, {});
    std::stop_source stop;
    std::optional<PlaceInQueue> told;
    (void)turns.wait(
        [&](const PlaceInQueue& place) {
            told = place;
            stop.request_stop();
        },
        stop.get_token());
    EXPECT_EQ(told, (PlaceInQueue{1, {}}));
}

TEST_F(TurnQueueTest, MovesToTheFileThatNewcomersFind) {
    const GpuQueue turns = queue({.silence = 400ms});
    auto old = turns.wait({}, {});
    std::atomic<bool> began = false;
    std::jthread waiting([&] {
        const auto turn = turns.wait({}, {});
        began = true;
        while (turns.count() < 2) std::this_thread::sleep_for(1ms);
    });
    waitUntil([&] { return turns.count() == 2; });
    std::filesystem::remove(file());  // as systemd does with what a user left who logs out
    waitUntil([&] { return began.load(); });
    const auto newcomer = turns.wait({}, {});
    EXPECT_TRUE(newcomer->passedOver().empty());
}

TEST_F(TurnQueueTest, RemembersForAllThatTheCountersWereBusy) {
    const GpuQueue turns = queue();
    {
        const auto turn = turns.wait({}, {});
        EXPECT_FALSE(turn->countersWereBusy());
        turn->noteCounters(true);
    }
    const auto turn = turns.wait({}, {});
    EXPECT_TRUE(turn->countersWereBusy());
    turn->noteCounters(false);
    EXPECT_FALSE(turn->countersWereBusy());
}

}  // namespace
}  // namespace warplens
