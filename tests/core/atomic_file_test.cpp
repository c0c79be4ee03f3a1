#include <array>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <gtest/gtest.h>
#include <iterator>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <vector>

#include "core/text/encoding.h"
#include "core/text/files.h"
#include "tests/support/refusal.h"
#include "tests/support/temporary_folder.h"

namespace warplens {
namespace {

std::size_t filesIn(const std::filesystem::path& folder) {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder),
                                                  std::filesystem::directory_iterator()));
}

/// What a killed writer of the file left so long ago, however long its name is.
std::filesystem::path leftoverOf(const std::filesystem::path& file, std::chrono::minutes age) {
    const std::string name = file.filename().string();
    std::filesystem::path left =
        file.parent_path() / ((name.size() > 200 ? digestOf(name) : name) + ".writing-1-0");
    std::ofstream(left) << "half";
    std::filesystem::last_write_time(left, std::filesystem::file_time_type::clock::now() - age);
    return left;
}

/// While it lives no file of this process can grow beyond `bytes`: the disk is full.
class FullDisk final {
  public:
    explicit FullDisk(rlim_t bytes) {
        ::getrlimit(RLIMIT_FSIZE, &before_);
        const rlimit small{bytes, before_.rlim_max};
        ::setrlimit(RLIMIT_FSIZE, &small);
        handler_ = std::signal(SIGXFSZ, SIG_IGN);
    }
    FullDisk(const FullDisk&) = delete;
    FullDisk& operator=(const FullDisk&) = delete;
    ~FullDisk() {
        std::signal(SIGXFSZ, handler_);
        ::setrlimit(RLIMIT_FSIZE, &before_);
    }

  private:
    rlimit before_{};
    void (*handler_)(int) = nullptr;
};

TEST(WriteFileAtomically, ReplacesTheOldContent) {
    const tests::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "file";
    writeFileAtomically(file, "old");
    writeFileAtomically(file, "new");
    EXPECT_EQ(readFile(file), "new");
    EXPECT_EQ(filesIn(folder.path()), 1u);
}

TEST(WriteFileAtomically, WritesTheTargetOfALink) {
    const tests::TemporaryFolder folder;
    writeFileAtomically(folder.path() / "target", "old");
    std::filesystem::create_symlink("target", folder.path() / "link");
    writeFileAtomically(folder.path() / "link", "new");
    EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "link"));
    EXPECT_EQ(readFile(folder.path() / "target"), "new");
    EXPECT_EQ(filesIn(folder.path()), 2u);
}

TEST(WriteFileAtomically, WritesWhereALinkLeadsThatLeadsNowhereYet) {
    const tests::TemporaryFolder folder;
    std::filesystem::create_directory(folder.path() / "else");
    std::filesystem::create_symlink("second", folder.path() / "link");
    std::filesystem::create_symlink("else/target", folder.path() / "second");
    writeFileAtomically(folder.path() / "link", "new");
    EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "link"));
    EXPECT_TRUE(std::filesystem::is_symlink(folder.path() / "second"));
    EXPECT_EQ(readFile(folder.path() / "else" / "target"), "new");
    std::filesystem::create_symlink("round", folder.path() / "round");
    EXPECT_THROW(writeFileAtomically(folder.path() / "round", "x"), std::system_error);
}

::mode_t modeOf(const std::filesystem::path& file) {
    struct stat status {};
    EXPECT_EQ(::stat(file.c_str(), &status), 0);
    return status.st_mode & 07777;
}

TEST(WriteFileAtomically, KeepsTheModeAndGivesANewFileThatOfTheMask) {
    const tests::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "file";
    const ::mode_t mask = ::umask(002);
    writeFileAtomically(file, "old");
    ::umask(mask);
    EXPECT_EQ(modeOf(file), 0664U);
    ASSERT_EQ(::chmod(file.c_str(), 0600), 0);
    writeFileAtomically(file, "new");
    EXPECT_EQ(modeOf(file), 0600U);
    EXPECT_EQ(readFile(file), "new");
}

TEST(WriteFileAtomically, WritesAFileUnderAllItsNames) {
    const tests::TemporaryFolder folder;
    writeFileAtomically(folder.path() / "one", "a long old text");
    std::filesystem::create_hard_link(folder.path() / "one", folder.path() / "other");
    writeFileAtomically(folder.path() / "one", "new");
    EXPECT_EQ(readFile(folder.path() / "other"), "new");
    EXPECT_EQ(std::filesystem::hard_link_count(folder.path() / "one"), 2u);
    {
        const FullDisk full(4096);
        EXPECT_THROW(writeFileAtomically(folder.path() / "one", std::string(100'000, 'x')),
                     std::system_error);
    }
    EXPECT_EQ(readFile(folder.path() / "other"), "new") << "there was no room for the new text";
    EXPECT_EQ(filesIn(folder.path()), 2u);
}

TEST(WriteFileAtomically, TakesTheLongestNameThereIs) {
    const tests::TemporaryFolder folder;
    for (const std::size_t length : {200U, 201U, 255U}) {
        const std::filesystem::path file = folder.path() / std::string(length, 'n');
        (void)leftoverOf(file, std::chrono::minutes(61));
        writeFileAtomically(file, "old");
        writeFileAtomically(file, "new");
        EXPECT_EQ(readFile(file), "new") << length;
    }
    EXPECT_EQ(filesIn(folder.path()), 3u);
    EXPECT_THROW(writeFileAtomically(folder.path() / std::string(256, 'n'), "x"),
                 std::system_error);
}

/// Runs `act` in a process of its own as somebody who is not root. Its exit code.
int codeAsNobody(const std::function<int()>& act) {
    const pid_t child = ::fork();
    if (child == 0) {
        if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) ::_exit(99);
        ::_exit(act());
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(WriteFileAtomically, WritesAWritableFileInAFolderThatIsNot) {
    const tests::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "file";
    const std::filesystem::path closed = folder.path() / "closed";
    writeFileAtomically(file, "old");
    writeFileAtomically(closed, "old");
    ASSERT_EQ(::chmod(file.c_str(), 0666), 0);
    ASSERT_EQ(::chmod(closed.c_str(), 0444), 0);
    ASSERT_EQ(::chmod(folder.path().c_str(), 0555), 0);
    const auto write = [](const std::filesystem::path& path) {
        return codeAsNobody([&] {
            try {
                writeFileAtomically(path, "new");
                return 0;
            } catch (const std::system_error& error) {
                return error.code().value() == EACCES ? 1 : 2;
            }
        });
    };
    EXPECT_EQ(write(file), 0);
    EXPECT_EQ(write(closed), 1);
    EXPECT_EQ(write(folder.path() / "none"), 1);
    ASSERT_EQ(::chmod(folder.path().c_str(), 0777), 0);
    EXPECT_EQ(write(closed), 1) << "it may not be written, though it could be replaced";
    EXPECT_EQ(readFile(file), "new");
    EXPECT_EQ(readFile(closed), "old");
    EXPECT_EQ(filesIn(folder.path()), 2u);
}

TEST(WriteFileAtomically, IsFinishedBeforeTheProcessEnds) {
    const tests::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "file";
    writeFileAtomically(file, "old");
    for (int turn = 0; turn < 20; ++turn) {
        const pid_t writer = ::fork();
        if (writer == 0) {
            ::signal(SIGHUP, SIG_DFL);  // which nohup has ignored
            while (true) writeFileAtomically(file, std::string(1 << 20, 'x'));
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(3 + turn));
        ::kill(writer, turn % 2 == 0 ? SIGTERM : SIGHUP);
        int status = 0;
        ::waitpid(writer, &status, 0);
        EXPECT_TRUE(WIFSIGNALED(status));
        EXPECT_EQ(filesIn(folder.path()), 1u);
    }
}

TEST(WriteFileAtomically, NeverReplacesADeviceOrPipe) {
    const tests::TemporaryFolder folder;
    const std::filesystem::path pipe = folder.path() / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
    writeFileAtomically(pipe, "new");
    std::array<char, 8> read{};
    EXPECT_EQ(::read(reader, read.data(), read.size()), 3);
    ::close(reader);
    EXPECT_STREQ(read.data(), "new");
    EXPECT_TRUE(std::filesystem::is_fifo(pipe));
    EXPECT_EQ(filesIn(folder.path()), 1u);
}

TEST(WriteFileAtomically, LeavesTheOldContentWhenTheDiskIsFull) {
    const tests::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "file";
    writeFileAtomically(file, "old");
    {
        const FullDisk full(4096);
        EXPECT_THROW(writeFileAtomically(file, std::string(100'000, 'x')), std::system_error);
    }
    EXPECT_EQ(readFile(file), "old");
    EXPECT_EQ(filesIn(folder.path()), 1u);
}

TEST(WriteFileAtomically, NamesAPathItCannotWrite) {
    const tests::TemporaryFolder folder;
    const std::string why = tests::refusal<std::system_error>(
        [&] { writeFileAtomically(folder.path() / "none" / "file", "x"); });
    EXPECT_NE(why.find("none/file"), std::string::npos);
}

TEST(WriteFileAtomically, DoesNotReplaceAFolder) {
    const tests::TemporaryFolder folder;
    std::filesystem::create_directory(folder.path() / "taken");
    EXPECT_THROW(writeFileAtomically(folder.path() / "taken", "x"), std::system_error);
    EXPECT_EQ(filesIn(folder.path()), 1u);
}

TEST(WriteFileAtomically, RemovesWhatAWriterKilledLongAgoLeft) {
    const tests::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "file";
    const auto old = leftoverOf(file, std::chrono::minutes(61));
    const auto ofAnother = leftoverOf(folder.path() / "other", std::chrono::minutes(61));
    const std::filesystem::path own = old.string() + "-notes.txt";
    std::filesystem::copy_file(old, own);
    std::filesystem::last_write_time(own, std::filesystem::last_write_time(old));
    writeFileAtomically(file, "new");
    EXPECT_EQ(readFile(file), "new");
    EXPECT_FALSE(std::filesystem::exists(old));
    EXPECT_TRUE(std::filesystem::exists(ofAnother));
    EXPECT_TRUE(std::filesystem::exists(own)) << "somebody's own";
    const auto young = leftoverOf(file, std::chrono::minutes(59));
    writeFileAtomically(file, "newer");
    EXPECT_TRUE(std::filesystem::exists(young)) << "its writer may be at it";
}

TEST(WriteFileAtomically, HoldsOneWholeTextHoweverManyWriteAtATime) {
    const tests::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "file";
    {
        std::vector<std::jthread> writers;
        for (char letter = 'a'; letter < 'e'; ++letter) {
            writers.emplace_back([&file, letter] {
                for (int turn = 0; turn < 25; ++turn) {
                    writeFileAtomically(file, std::string(100'000, letter));
                }
            });
        }
    }
    const std::string text = readFile(file);
    EXPECT_EQ(text, std::string(100'000, text.at(0)));
    EXPECT_EQ(filesIn(folder.path()), 1u);
}

TEST(ReadFile, RefusesAMissingFileAFolderAndTooMuch) {
    const tests::TemporaryFolder folder;
    EXPECT_THROW((void)readFile(folder.path() / "none"), std::system_error);
    EXPECT_THROW((void)readFile(folder.path()), std::system_error);
    writeFileAtomically(folder.path() / "file", "12345");
    EXPECT_EQ(readFile(folder.path() / "file", 5), "12345");
    EXPECT_THROW((void)readFile(folder.path() / "file", 4), std::system_error);
}

TEST(NewStem, IsTakenWithNoneOfTheEndings) {
    const tests::TemporaryFolder folder;
    const auto name = [&] { return newStem(folder.path(), "a/b", {".pdf", ".png"}); };
    EXPECT_EQ(name(), folder.path() / "a-b");
    writeFileAtomically(folder.path() / "a-b.png", "");
    EXPECT_EQ(name(), folder.path() / "a-b-2");
    writeFileAtomically(folder.path() / "a-b-2.pdf", "");
    EXPECT_EQ(name(), folder.path() / "a-b-3");
}

TEST(ReadFile, WaitsForNoPipe) {
    const tests::TemporaryFolder folder;
    const std::filesystem::path pipe = folder.path() / "pipe";
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    for (const std::filesystem::path& path : {pipe, std::filesystem::path("/dev/zero")}) {
        const std::string why = tests::refusal<std::system_error>([&] { (void)readFile(path); });
        EXPECT_TRUE(why.starts_with("a pipe or device, no file: ")) << why;
    }
}

}  // namespace
}  // namespace warplens
