// The figures as files, judged by other programs; and the committed ones, drawn anew.
#include "core/text/files.h"

#include <algorithm>
#include <cairo.h>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <memory>
#include <regex>
#include <sys/wait.h>

#include "app/fonts/fonts.h"
#include "core/scenario/scenario.h"
#include "core/text/encoding.h"
#include "tests/support/shell_output.h"
#include "tests/support/temporary_folder.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;
using tests::outputOf;
using tests::TemporaryFolder;

int shell(const std::string& line) {
    const int status = std::system(line.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

#define NEEDS(tool)                                                                   \
    if (shell("command -v " tool " >/dev/null 2>&1") != 0) {                          \
        GTEST_SKIP() << "NOT CHECKED: " tool " is not installed, which test.sh does"; \
    }

/// Draws into `folder`/`file`.
void draw(const TemporaryFolder& folder, const std::string& arguments, const std::string& file) {
    ASSERT_EQ(
        shell(WARPLENS_PROGRAM " figure " + arguments + " -o " + (folder.path() / file).string()),
        0)
        << arguments;
}

TEST(FigureFiles, EveryScenariosPdfIsOneThatQpdfAccepts) {
    NEEDS("qpdf");
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "f.pdf").string();
    for (const Scenario& scenario : allScenarios()) {
        draw(folder, std::string(scenario.id), "f.pdf");
        EXPECT_EQ(shell("qpdf --check " + file + " >/dev/null 2>&1"), 0) << scenario.id;
    }
}

TEST(FigureFiles, EveryScenariosSvgIsWellFormed) {
    NEEDS("xmllint");
    const TemporaryFolder folder;
    const std::string file = (folder.path() / "f.svg").string();
    for (const Scenario& scenario : allScenarios()) {
        draw(folder, std::string(scenario.id), "f.svg");
        EXPECT_EQ(shell("xmllint --noout " + file), 0) << scenario.id;
    }
}

TEST(FigureFiles, APdfHoldsItsWordsAsText) {
    NEEDS("pdftotext");
    const TemporaryFolder folder;
    draw(folder, "warp-grouping --grid 2,3 --block 5,7,3", "f.pdf");
    const std::string pdf = (folder.path() / "f.pdf").string();
    const std::string words = outputOf("pdftotext -layout " + pdf + " -");
    for (const char* expected :
         {"Threads into warps", "<<<dim3(2, 3), dim3(5, 7, 3)>>>",
          "105 threads are 4 warps, the last with 9 of 32 lanes", "threadIdx.z = 2",
          "rank = x + y·5 + z·35", "recorded on NVIDIA H200", "threads 96–104"}) {
        EXPECT_NE(words.find(expected), std::string::npos) << expected << " in\n" << words;
    }
}

TEST(FigureFiles, APdfEmbedsItsFonts) {
    NEEDS("pdffonts");
    const TemporaryFolder folder;
    draw(folder, "matmul-swapped", "f.pdf");
    const std::string fonts = outputOf("pdffonts " + (folder.path() / "f.pdf").string());
    for (const char* name : {"Inter-Regular", "Inter-SemiBold", "JetBrainsMono-Regular"}) {
        EXPECT_NE(fonts.find(name), std::string::npos) << fonts;
    }
    // The column "emb".
    EXPECT_EQ(fonts.find(" no  "), std::string::npos) << fonts;
}

TEST(FigureFiles, APdfHoldsNoDateOfToday) {
    NEEDS("pdfinfo");
    const TemporaryFolder folder;
    draw(folder, "matmul-swapped", "f.pdf");
    const std::string info = outputOf("pdfinfo -rawdates " + (folder.path() / "f.pdf").string());
    EXPECT_NE(info.find("20000101000000Z"), std::string::npos) << info;
    EXPECT_EQ(info.find("ModDate"), std::string::npos) << info;
}

/// The pixels of a PNG file.
class Image final {
  public:
    explicit Image(const fs::path& file)
        : surface_(cairo_image_surface_create_from_png(file.c_str()), cairo_surface_destroy) {}

    [[nodiscard]] bool isRead() const {
        return cairo_surface_status(surface_.get()) == CAIRO_STATUS_SUCCESS;
    }
    [[nodiscard]] int width() const { return cairo_image_surface_get_width(surface_.get()); }
    [[nodiscard]] int height() const { return cairo_image_surface_get_height(surface_.get()); }
    [[nodiscard]] int channel(int x, int y, int c) const {
        const int stride = cairo_image_surface_get_stride(surface_.get());
        return cairo_image_surface_get_data(surface_.get())[y * stride + 4 * x + c];
    }

  private:
    std::unique_ptr<cairo_surface_t, void (*)(cairo_surface_t*)> surface_;
};

// Of 255. Another version of the fonts' rasteriser may shade the edges of letters otherwise; a cell
// of another colour, a text elsewhere or a number changed is more.
constexpr int mostDifference = 128;
constexpr double mostMeanDifference = 0.15;

/// Draws what assets/figures holds.
void drawCommitted(const TemporaryFolder& folder) {
    const fs::path script = fs::path(SOURCE_FOLDER) / "assets" / "figures" / "draw.sh";
    ASSERT_EQ(
        shell(script.string() + " " WARPLENS_PROGRAM " " + folder.path().string() + " >/dev/null"),
        0);
}

/// Of the fonts of Debian 12, Inter 4.0 beta 7 and JetBrains Mono 2.242, which the committed
/// figures were drawn with. Later ones have other widths.
constexpr const char* fontsOfCommitted = "2eb5293d8a1e5aed";

std::string digestOfFonts() {
    std::string bytes;
    for (const auto face : {drawing::Face::words, drawing::Face::strong, drawing::Face::numbers}) {
        bytes += fontFile(face);
    }
    return digestOf(bytes);
}

/// What the texts of an SVG say, sorted: not where they stand, which is the fonts' affair.
std::vector<std::string> wordsOf(const fs::path& svg) {
    const std::string file = readFile(svg);
    static const std::regex text(">([^<>]+)</text>");
    std::vector<std::string> words;
    for (std::sregex_iterator found(file.begin(), file.end(), text), end; found != end; ++found) {
        words.push_back((*found)[1]);
    }
    std::ranges::sort(words);
    return words;
}

TEST(FigureFiles, TheCommittedFiguresSayWhatTheirScriptDraws) {
    const fs::path committed = fs::path(SOURCE_FOLDER) / "assets" / "figures";
    const TemporaryFolder folder;
    drawCommitted(folder);
    int compared = 0;
    for (const auto& entry : fs::directory_iterator(folder.path())) {
        const fs::path name = entry.path().filename();
        EXPECT_TRUE(fs::exists(committed / name)) << name << " is not committed";
        if (name.extension() != ".svg") continue;
        EXPECT_EQ(wordsOf(entry.path()), wordsOf(committed / name)) << name;
        ++compared;
    }
    EXPECT_GE(compared, 12);
}

TEST(FigureFiles, TheCommittedFiguresAreWhatTheirScriptDraws) {
    if (digestOfFonts() != fontsOfCommitted) {
        GTEST_SKIP() << "NOT COMPARED: the committed figures have fonts of other versions, "
                     << fontsOfCommitted << " instead of " << digestOfFonts();
    }
    const fs::path committed = fs::path(SOURCE_FOLDER) / "assets" / "figures";
    const TemporaryFolder folder;
    drawCommitted(folder);
    int compared = 0;
    for (const auto& entry : fs::directory_iterator(folder.path())) {
        const fs::path name = entry.path().filename();
        if (name.extension() != ".png") continue;
        const Image is(entry.path());
        const Image was(committed / name);
        ASSERT_TRUE(is.isRead() && was.isRead()) << name;
        ASSERT_EQ(is.width(), was.width()) << name;
        ASSERT_EQ(is.height(), was.height()) << name;
        int most = 0;
        double sum = 0;
        for (int y = 0; y < is.height(); ++y) {
            for (int x = 0; x < is.width(); ++x) {
                for (int c = 0; c < 3; ++c) {
                    const int difference = std::abs(is.channel(x, y, c) - was.channel(x, y, c));
                    most = std::max(most, difference);
                    sum += difference;
                }
            }
        }
        EXPECT_LE(most, mostDifference) << name;
        EXPECT_LE(sum / (3.0 * is.width() * is.height()), mostMeanDifference) << name;
        ++compared;
    }
    EXPECT_GE(compared, 12);
}

}  // namespace
}  // namespace warplens
