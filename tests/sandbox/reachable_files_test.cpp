#include "kernels/programs/reachable_files.h"

#include <algorithm>
#include <cstdlib>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "core/text/files.h"
#include "tests/support/temporary_folder.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

bool has(const std::vector<fs::path>& paths, const fs::path& path) {
    return std::ranges::find(paths, path) != paths.end();
}

class Reachable : public testing::Test {
  protected:
    void SetUp() override {
        setenv("HOME", home.c_str(), 1);
        fs::create_directories(home);
    }
    [[nodiscard]] static fs::path write(const fs::path& path, const std::string& text) {
        fs::create_directories(path.parent_path());
        writeFileAtomically(path, text);
        return path;
    }
    tests::TemporaryFolder folder;
    fs::path home = folder.path() / "home";
};

TEST_F(Reachable, IsTheFolderOfAProjectAndNoneThatHoldsMore) {
    for (const char* mixed : {"/", "/tmp", "/var/tmp", "/dev/shm", "/home/someone", "/etc/x"}) {
        EXPECT_FALSE(isProjectFolder(mixed)) << mixed;
    }
    EXPECT_FALSE(isProjectFolder(home));
    EXPECT_FALSE(isProjectFolder(home / "Downloads"));
    EXPECT_FALSE(isProjectFolder(home / ".ssh"));
    EXPECT_FALSE(isProjectFolder(home / ".config" / "some"));
    EXPECT_FALSE(isProjectFolder(folder.path())) << "the home folder is in it";
    EXPECT_TRUE(isProjectFolder(home / "project"));
    EXPECT_TRUE(isProjectFolder(home / "Downloads" / "project"));
}

TEST_F(Reachable, IsAFileAloneAndWhatItIncludesWhereItsFolderHoldsMore) {
    const fs::path file = write(home / "a.cu",
                                "#include \"one.h\"\n#define H \"two.h\"\n#include H\n"
                                "#define TEXT(x) #x\n# include TEXT(three.h)\n"
                                "#if __has_include(<four.h>)\n#endif\n// \"private.h\"\n"
                                "#include \"secret.key\"\n");
    const fs::path one = write(home / "one.h", "#include \"sub/nested.cuh\"\n");
    const fs::path nested = write(home / "sub" / "nested.cuh", "");
    const fs::path two = write(home / "two.h", "");
    const fs::path three = write(home / "three.h", "");
    (void)write(home / "private.h", "");
    (void)write(home / "secret.key", "");
    const ReachableFiles found = reachableFiles({file}, {});
    EXPECT_TRUE(found.folders.empty());
    for (const fs::path& path : {file, one, nested, two, three}) {
        EXPECT_TRUE(has(found.files, path)) << path;
    }
    EXPECT_EQ(found.files.size(), 5u) << "nothing that is only named like one, or in a comment";
    EXPECT_TRUE(has(found.absent, home / "four.h"));
}

TEST_F(Reachable, IsNothingPrivateThroughALinkInAProject) {
    const fs::path secret = write(home / "id_key", "secret");
    const fs::path project = home / "project";
    const fs::path file = write(project / "a.cu", "#include \"link.h\"\n#include \"real.h\"\n");
    const fs::path real = write(home / "other" / "real.h", "");
    fs::create_symlink(secret, project / "link.h");
    fs::create_symlink(real, project / "real.h");
    const ReachableFiles found = reachableFiles({file}, {});
    EXPECT_EQ(found.folders, std::vector<fs::path>{project});
    EXPECT_FALSE(mayInclude(project / "link.h", found.folders));
    EXPECT_TRUE(mayInclude(project / "real.h", found.folders));
    EXPECT_FALSE(has(found.files, project / "link.h"));
}

TEST_F(Reachable, NamesWhatNobodyCanReadToItsEnd) {
    const fs::path project = home / "project";
    const fs::path file = write(project / "a.cu", "");
    ASSERT_EQ(mkfifo((project / "pipe.h").c_str(), 0600), 0);
    EXPECT_EQ(reachableFiles({file}, {}).special, std::vector<fs::path>{project / "pipe.h"});
}

TEST_F(Reachable, IsAFolderOfHeadersThatWasNamed) {
    const fs::path file = write(home / "a.cu", "#include <x.h>\n");
    const fs::path include = home / "include";
    (void)write(include / "x.h", "");
    EXPECT_EQ(reachableFiles({file}, {include.string()}).folders, std::vector<fs::path>{include});
    EXPECT_TRUE(reachableFiles({file}, {home.string()}).folders.empty());
}

}  // namespace
}  // namespace warplens
