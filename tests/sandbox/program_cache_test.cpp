#include "kernels/programs/program_cache.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

#include "core/text/files.h"
#include "tests/support/temporary_folder.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

/// A cache below a folder that goes with the test.
class Cache : public testing::Test {
  protected:
    void SetUp() override {
        if (const char* before = std::getenv("XDG_CACHE_HOME")) before_ = before;
        setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
    }
    void TearDown() override {
        if (before_.empty()) {
            unsetenv("XDG_CACHE_HOME");
        } else {
            setenv("XDG_CACHE_HOME", before_.c_str(), 1);
        }
    }
    [[nodiscard]] fs::path write(const std::string& name, const std::string& text) const {
        writeFileAtomically(folder.path() / name, text);
        return folder.path() / name;
    }
    /// A program of that text, made of these files a minute ago.
    fs::path keep(const std::string& text, const ProgramInputs& inputs = {}) const {
        return ProgramCache("programs")
            .keep("key", write("made", text), inputs, std::chrono::system_clock::now() + 1min);
    }
    [[nodiscard]] static bool isFound() { return ProgramCache("programs").find("key").has_value(); }

    tests::TemporaryFolder folder;

  private:
    std::string before_;
};

TEST_F(Cache, FindsWhatWasKept) {
    EXPECT_FALSE(isFound());
    const fs::path kept = keep("a program");
    EXPECT_EQ(ProgramCache("programs").find("key"), kept);
    EXPECT_EQ(readFile(kept), "a program");
}

TEST_F(Cache, TakesNoProgramThatIsEmptyDamagedOrALink) {
    const fs::path kept = keep("a program");
    for (const char* text : {"", "a pro", "another p", "a program and more"}) {
        writeFileAtomically(kept, text);
        EXPECT_FALSE(isFound()) << text;
    }
    writeFileAtomically(kept, "a program");
    EXPECT_TRUE(isFound());
    const fs::path other = write("other", "a program");
    fs::remove(kept);
    fs::create_symlink(other, kept);
    EXPECT_FALSE(isFound());
    (void)keep("a program");
    fs::remove(kept.string() + ".from");
    EXPECT_FALSE(isFound()) << "nothing says what it was made from";
}

TEST_F(Cache, TakesNoProgramOfAnotherOwner) {
    if (getuid() != 0) GTEST_SKIP() << "only root can give a file away";
    const fs::path kept = keep("a program");
    ASSERT_EQ(chown(kept.c_str(), 12345, 12345), 0);
    EXPECT_FALSE(isFound());
}

TEST_F(Cache, TakesNoProgramWhoseFilesAreOthersByNow) {
    const fs::path header = write("header.h", "int a;");
    (void)keep("a program", {.read = {header}});
    EXPECT_TRUE(isFound());
    // Of the same size; written anew with the same text it is the same.
    writeFileAtomically(header, "int b;");
    EXPECT_FALSE(isFound());
    writeFileAtomically(header, "int a;");
    EXPECT_TRUE(isFound());
    fs::remove(header);
    EXPECT_FALSE(isFound());
}

TEST_F(Cache, TakesNoProgramOnceAFileIsThereThatWasNot) {
    const fs::path header = folder.path() / "perhaps.h";
    (void)keep("a program", {.absent = {header}});
    EXPECT_TRUE(isFound());
    (void)write("perhaps.h", "");
    EXPECT_FALSE(isFound());
}

TEST_F(Cache, TakesNoProgramWhoseFileWasChangedWhileItWasMade) {
    const fs::path header = write("header.h", "int a;");
    const auto begun = std::chrono::system_clock::now() - 1s;
    (void)ProgramCache("programs").keep("key", write("made", "x"), {.read = {header}}, begun);
    EXPECT_FALSE(isFound());
}

TEST_F(Cache, IsThisUsersAlone) {
    struct stat facts {};
    ASSERT_EQ(stat(programCache().c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode & 0777, 0700U);
    ASSERT_EQ(chmod(programCache().c_str(), 0777), 0);
    ASSERT_EQ(stat(programCache().c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode & 0777, 0700U);
}

TEST_F(Cache, IsRefusedWhereItsFolderIsALinkOrAnothers) {
    const fs::path usual = programCache();
    fs::remove_all(usual);
    fs::create_directory(folder.path() / "other");
    fs::create_directory_symlink(folder.path() / "other", usual);
    EXPECT_THROW((void)programCache(), std::runtime_error);
    if (getuid() != 0) return;
    fs::remove(usual);
    fs::create_directory(usual);
    ASSERT_EQ(chown(usual.c_str(), 12345, 12345), 0);
    EXPECT_THROW((void)programCache(), std::runtime_error);
}

TEST_F(Cache, IsRefusedWhereItIsAnothersAndThereIsNoHome) {
    if (getuid() != 0) GTEST_SKIP() << "only root can give a folder away";
    unsetenv("XDG_CACHE_HOME");
    const std::string home = std::getenv("HOME");
    unsetenv("HOME");
    setenv("TMPDIR", folder.path().c_str(), 1);
    const fs::path cache = folder.path() / "warplens-0";
    EXPECT_EQ(programCache(), cache);
    ASSERT_EQ(chown(cache.c_str(), 12345, 12345), 0);
    EXPECT_THROW((void)programCache(), std::runtime_error);
    unsetenv("TMPDIR");
    setenv("HOME", home.c_str(), 1);
}

TEST_F(Cache, KeepsNoMoreThanThereIsRoomFor) {
    const fs::path programs = folder.path() / "many";
    fs::create_directories(programs);
    const auto now = fs::file_time_type::clock::now();
    for (int i = 0; i < 300; ++i) {
        const fs::path file = programs / std::to_string(i);
        writeFileAtomically(file, "x");
        fs::last_write_time(file, now - std::chrono::seconds(i));
    }
    pruneCache(programs);
    EXPECT_EQ(std::distance(fs::directory_iterator(programs), {}), 200);
    EXPECT_TRUE(fs::exists(programs / "0"));
    // Of a GiB together, whatever they take on the disk.
    for (int i = 0; i < 3; ++i) {
        const fs::path file = programs / std::to_string(i);
        fs::resize_file(file, 400u << 20);
        fs::last_write_time(file, now - std::chrono::seconds(i));
    }
    pruneCache(programs);
    EXPECT_TRUE(fs::exists(programs / "1"));
    EXPECT_FALSE(fs::exists(programs / "2"));
}

TEST_F(Cache, LosesBuildsWhoseProcessIsGoneAndNoOthers) {
    const fs::path work = folder.path() / "warplens" / "work";
    fs::create_directories(work / "build-left" / "deep");
    const TemporaryFolder held(work);
    const auto before = fs::file_time_type::clock::now() - 1min;
    fs::last_write_time(work / "build-left", before);
    fs::last_write_time(held.path(), before);
    (void)programCache();
    EXPECT_FALSE(fs::exists(work / "build-left"));
    EXPECT_TRUE(fs::exists(held.path()));
}

TEST_F(Cache, ReadsWhatACompilerSaysItHasRead) {
    const fs::path listing = write("a.d",
                                   "a.s: f0.cpp /usr/include/stdio.h \\\n /with\\ blank/a.h \\\n "
                                   "/with$$dollar.h /with\\#hash.h\n");
    const std::vector<fs::path> expected{"/usr/include/stdio.h", "/with blank/a.h",
                                         "/with$dollar.h", "/with#hash.h"};
    EXPECT_EQ(readDependencies(listing), expected);
}

}  // namespace
}  // namespace warplens
