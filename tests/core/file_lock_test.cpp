#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

#include "core/text/files.h"
#include "tests/support/temporary_folder.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

TEST(FileLock, IsHeldByOneAndLeavesNothingBehind) {
    const tests::TemporaryFolder folder;
    const fs::path file = folder.path() / "kept.json";
    {
        const auto first = FileLock::of(file);
        ASSERT_TRUE(first);
        EXPECT_FALSE(FileLock::of(file));
        EXPECT_FALSE(FileLock::of(folder.path() / "." / "kept.json"));
        EXPECT_TRUE(FileLock::of(folder.path() / "other.json"));
    }
    EXPECT_TRUE(FileLock::of(file));
    EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST(FileLock, OfALinkIsThatOfItsFile) {
    const tests::TemporaryFolder folder;
    std::ofstream(folder.path() / "kept.json") << "{}";
    fs::create_symlink("kept.json", folder.path() / "link.json");
    const auto first = FileLock::of(folder.path() / "link.json");
    EXPECT_FALSE(FileLock::of(folder.path() / "kept.json"));
}

TEST(FileLock, OfAKilledProcessIsTakenOver) {
    const tests::TemporaryFolder folder;
    std::ofstream(folder.path() / "kept.json.lock") << "";
    EXPECT_TRUE(FileLock::of(folder.path() / "kept.json"));
}

TEST(FileLock, KeepsNobodyOffWhereNoneCanBeMade) {
    EXPECT_TRUE(FileLock::of("/proc/no-such-folder/kept.json"));
}

}  // namespace
}  // namespace warplens
