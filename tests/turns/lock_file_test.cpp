#include <fstream>

#include "kernels/turns/gpu_lock.h"
#include "tests/turns/turns_fixture.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

class QueueFileTest : public tests::TurnsTest {
  protected:
    [[nodiscard]] std::string refusal() const {
        try {
            const LockFile opened("q", {folder});
            return {};
        } catch (const std::runtime_error& error) {
            return error.what();
        }
    }
    [[nodiscard]] std::string path() const { return (folder / "q").string(); }
    [[nodiscard]] std::string mine() const {
        return path() + ", which belongs to " + accountName(::getuid()) + ": ";
    }
};

TEST_F(QueueFileTest, isMadeForEverybodyWhateverTheUmask) {
    const mode_t before = ::umask(077);
    const LockFile made("q", {folder});
    ::umask(before);
    struct stat entry {};
    ASSERT_EQ(::stat(path().c_str(), &entry), 0);
    EXPECT_EQ(entry.st_mode & 0777, 0666u);
    EXPECT_TRUE(made.isCurrent());
    fs::remove(path());
    EXPECT_FALSE(made.isCurrent());
    const LockFile again("q", {folder});
    EXPECT_FALSE(made.isCurrent());
    EXPECT_TRUE(again.isCurrent());
}

TEST_F(QueueFileTest, isNoLink) {
    const fs::path victim = folder / "victim";
    std::ofstream(victim) << "precious";
    fs::create_symlink(victim, path());
    EXPECT_TRUE(refusal().starts_with(mine() + "cannot be opened")) << refusal();
    fs::remove(path());
    fs::create_symlink(folder / "not-there", path());
    EXPECT_TRUE(refusal().starts_with(mine() + "cannot be opened")) << refusal();
    EXPECT_FALSE(fs::exists(folder / "not-there"));
    fs::remove(path());
    fs::create_hard_link(victim, path());
    EXPECT_EQ(refusal(), mine() + "is no file of a queue");
    EXPECT_EQ(fs::file_size(victim), 8u);
}

TEST_F(QueueFileTest, isNothingButAPlainFile) {
    fs::create_directory(path());
    EXPECT_TRUE(refusal().starts_with(mine() + "cannot be opened")) << refusal();
    fs::remove(path());
    ASSERT_EQ(::mkfifo(path().c_str(), 0666), 0);
    EXPECT_EQ(refusal(), mine() + "is no file of a queue");
    fs::remove(path());
    std::ofstream(path()) << "x";
    fs::resize_file(path(), 2 << 20);
    EXPECT_EQ(refusal(), mine() + "is no file of a queue");
}

TEST_F(QueueFileTest, belongsToAFolderForEverybody) {
    const fs::path own = folder / "own";
    fs::create_directory(own);
    ::chmod(own.c_str(), 0755);
    EXPECT_THROW(LockFile("q", {own, folder / "missing"}), std::runtime_error);
    const LockFile second("q", {own, folder});
    EXPECT_EQ(second.path(), folder / "q");
}

TEST_F(QueueFileTest, thatAnotherKeepsShutIsNamedWithItsOwner) {
    if (::getuid() != 0) GTEST_SKIP() << "only root can play two accounts";
    std::ofstream(path()) << "";
    ::chmod(path().c_str(), 0600);
    const pid_t other = tests::inProcess([&] {
        if (::setuid(12345) != 0) ::_exit(3);
        ::_exit(refusal() ==
                        path() + ", which belongs to root: cannot be opened (Permission denied)"
                    ? 7
                    : 0);
    });
    EXPECT_EQ(WEXITSTATUS(tests::endOf(other)), 7);
}

TEST_F(QueueFileTest, ofOneAccountIsOpenToAnother) {
    if (::getuid() != 0) GTEST_SKIP() << "only root can play two accounts";
    const LockFile made("q", {folder});
    const pid_t other = tests::inProcess([&] {
        if (::setuid(12345) != 0) ::_exit(3);
        ::_exit(refusal().empty() ? 7 : 0);
    });
    EXPECT_EQ(WEXITSTATUS(tests::endOf(other)), 7);
}

}  // namespace
}  // namespace warplens
