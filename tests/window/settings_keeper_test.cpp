#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "app/window/settings.h"
#include "core/text/files.h"
#include "tests/support/temporary_folder.h"

namespace warplens::window {
namespace {

using namespace std::chrono_literals;
using tests::TemporaryFolder;

Settings ofWidth(int width) {
    Settings settings;
    settings.width = width;
    return settings;
}

/// What the keeper says within ten seconds.
Commands heardFrom(SettingsKeeper& keeper) {
    for (int look = 0; look < 1000; ++look) {
        if (Commands said = keeper.step(); !said.empty()) return said;
        std::this_thread::sleep_for(10ms);
    }
    return {};
}

TEST(SettingsKeeper, ItsEndWaitsForTheLastWrite) {
    const TemporaryFolder folder;
    const auto file = folder.path() / "deep" / "settings.json";
    {
        SettingsKeeper keeper(file, Settings{}, [] {});
        for (int width = 1000; width <= 1050; ++width) keeper.keep(ofWidth(width), 0s);
    }
    EXPECT_EQ(readSettings(file).settings, ofWidth(1050));
}

TEST(SettingsKeeper, WritesNothingThatIsKeptAlready) {
    const TemporaryFolder folder;
    const auto file = folder.path() / "settings.json";
    {
        SettingsKeeper keeper(file, ofWidth(1000), [] {});
        keeper.keep(ofWidth(1000), 0s);
        keeper.keep(ofWidth(1001), 1h);
    }
    EXPECT_FALSE(std::filesystem::exists(file));
    SettingsKeeper({}, Settings{}, [] {}).keep(ofWidth(1000), 0s);
}

/// A lesson that was answered in another window is not lost when this one keeps what it knows.
TEST(SettingsKeeper, KeepsTheLessonsOfAnotherWindow) {
    const TemporaryFolder folder;
    const auto file = folder.path() / "settings.json";
    Settings begun;
    begun.progress["warps"] = {.furthest = 1, .answered = Answered::right, .known = true};
    writeSettings(file, begun);
    SettingsKeeper first(file, begun, [] {});
    SettingsKeeper second(file, begun, [] {});
    Settings ofSecond = begun;
    ofSecond.progress["access-stride"] = {
        .furthest = 2, .answered = Answered::right, .known = true};
    ofSecond.progress["warps"].exercise = true;
    second.keepNow(ofSecond);
    Settings ofFirst = begun;
    ofFirst.progress["occupancy"] = {.tries = 1};
    ofFirst.progress["warps"].tries = 3;
    first.keepNow(ofFirst);
    const LessonsProgress kept = readSettings(file).settings.progress;
    ASSERT_EQ(kept.size(), 3U);
    EXPECT_EQ(kept.at("access-stride"), ofSecond.progress["access-stride"]);
    EXPECT_EQ(kept.at("occupancy").tries, 1U);
    EXPECT_EQ(kept.at("warps").tries, 3U);
    EXPECT_TRUE(kept.at("warps").exercise);
}

TEST(SettingsKeeper, SaysOnceThatItCannotWrite) {
    const TemporaryFolder folder;
    writeFileAtomically(folder.path() / "file", "");
    SettingsKeeper keeper(folder.path() / "file" / "settings.json", Settings{}, [] {});
    keeper.keep(ofWidth(1000), 0s);
    const Commands said = heardFrom(keeper);
    ASSERT_EQ(said.size(), 1u);
    const auto* report = said[0].as<Report>();
    ASSERT_NE(report, nullptr);
    EXPECT_EQ(report->kind, MessageKind::warning);
    EXPECT_TRUE(report->text.starts_with("The settings cannot be kept: ")) << report->text;
    keeper.keep(ofWidth(1001), 0s);
    std::this_thread::sleep_for(50ms);
    EXPECT_TRUE(keeper.step().empty());
}

TEST(SettingsKeeper, ADiskThatDoesNotAnswerHoldsNobodyUp) {
    const TemporaryFolder folder;
    // A pipe is opened for writing only once somebody reads it.
    const auto file = folder.path() / "settings.json";
    ASSERT_EQ(::mkfifo(file.c_str(), 0600), 0);
    int reader = -1;
    {
        SettingsKeeper keeper(file, Settings{}, [] {});
        const auto start = std::chrono::steady_clock::now();
        for (int width = 1000; width < 1100; ++width) keeper.keep(ofWidth(width), 0s);
        EXPECT_LT(std::chrono::steady_clock::now() - start, 1s);
        EXPECT_TRUE(keeper.step().empty());
        reader = ::open(file.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC);  // lets it end
    }
    std::string written(1 << 16, '\0');
    const ssize_t size = ::read(reader, written.data(), written.size());
    ::close(reader);
    ASSERT_GT(size, 0);
    written.resize(static_cast<std::size_t>(size));
    EXPECT_TRUE(written.ends_with(toJson(ofWidth(1099)))) << "the newest is written at last";
}

}  // namespace
}  // namespace warplens::window
