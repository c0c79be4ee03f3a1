#include "core/program/program_sources.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "tests/support/refusal.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

class ReadProgramSources : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = fs::temp_directory_path() / ("warplens_sources_" + std::to_string(::getpid()));
        fs::create_directories(folder_ / "include/deep");
    }
    void TearDown() override { fs::remove_all(folder_); }

    std::string write(const std::string& name, const std::string& text) {
        std::ofstream(folder_ / name) << text;
        return (folder_ / name).string();
    }

    fs::path folder_;
};

TEST_F(ReadProgramSources, FollowsOwnIncludesAndLeavesTheSystems) {
    const std::string unit =
        write("my.cu", "#include <vector>\n#include \"a.h\"\n#include <b.h>\n");
    write("a.h", "#include \"include/deep/c.h\"\n#include \"a.h\"\n");
    write("include/b.h", "#include \"deep/c.h\"\n");
    write("include/deep/c.h", "int c;\n");
    const ProgramSources sources = readProgramSources({unit}, {(folder_ / "include").string()});
    ASSERT_EQ(sources.units.size(), 1u);
    ASSERT_EQ(sources.headers.size(), 3u);
    EXPECT_EQ(sources.headers[0].includedAs, std::vector<std::string>{"a.h"});
    EXPECT_EQ(sources.headers[1].includedAs,
              (std::vector<std::string>{"include/deep/c.h", "deep/c.h"}));
    EXPECT_EQ(sources.headers[2].includedAs, std::vector<std::string>{"b.h"});
}

TEST_F(ReadProgramSources, NamesAFileThatCannotBeRead) {
    const std::string why = tests::refusal<std::runtime_error>(
        [&] { (void)readProgramSources({(folder_ / "none.cu").string()}, {}); });
    EXPECT_NE(why.find("none.cu"), std::string::npos);
}

TEST_F(ReadProgramSources, RefusesMoreThanItsLimitWithBothNumbers) {
    const std::string unit = write("big.cu", std::string(mostSourceBytes + 1, ' '));
    const std::string why =
        tests::refusal<std::runtime_error>([&] { (void)readProgramSources({unit}, {}); });
    EXPECT_NE(why.find(std::to_string(mostSourceBytes + 1)), std::string::npos);
    EXPECT_NE(why.find(std::to_string(mostSourceBytes)), std::string::npos);
}

}  // namespace
}  // namespace warplens
