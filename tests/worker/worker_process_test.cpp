#include "app/worker/worker_process.h"

#include <chrono>
#include <gtest/gtest.h>
#include <utility>

namespace warplens {
namespace {

using namespace std::chrono_literals;

/// `bytes` of text, no two pieces of which are alike.
std::string longText(std::size_t bytes) {
    std::string text;
    for (int number = 0; text.size() < bytes; ++number) text += std::to_string(number) + "\n";
    return text;
}

/// What `cat` gives back of it; empty where that takes more than a minute.
std::string sentThere(WorkerProcess& cat, const std::string& text) {
    const auto until = std::chrono::steady_clock::now() + 60s;
    cat.send(text);
    while (cat.output().size() < text.size()) {
        if (cat.outputEnded() || std::chrono::steady_clock::now() > until) return {};
        cat.exchange(100);
    }
    return std::exchange(cat.output(), {});
}

TEST(WorkerProcess, GetsInputThatIsLongerThanAPipeWholeAndInOrder) {
    WorkerProcess cat("exec cat");
    const std::string large = longText(64u << 20);
    EXPECT_TRUE(sentThere(cat, large) == large);
    EXPECT_EQ(sentThere(cat, "and more\n"), "and more\n");
    EXPECT_EQ(sentThere(cat, longText(100'000)), longText(100'000));
}

TEST(WorkerProcess, GetsWhatIsSentWhileEarlierInputIsOnItsWay) {
    WorkerProcess cat("sleep 0.2; exec cat");
    const std::string first = longText(1u << 20);
    cat.send(first);
    cat.exchange(0);
    cat.send("the end\n");
    while (!cat.output().ends_with("the end\n") && !cat.outputEnded()) cat.exchange(100);
    EXPECT_TRUE(cat.output() == first + "the end\n");
}

TEST(WorkerProcess, ThatReadsNothingAnyMoreCostsWhatWasSent) {
    WorkerProcess deaf("exec <&-; sleep 0.2; echo done");
    deaf.send(longText(1u << 20));
    while (!deaf.outputEnded()) deaf.exchange(100);
    EXPECT_EQ(deaf.output(), "done\n");
}

}  // namespace
}  // namespace warplens
