#include <gtest/gtest.h>

#include "app/window/window.h"
#include "core/text/files.h"
#include "tests/gl/gl_fixture.h"
#include "tests/support/temporary_folder.h"

namespace warplens {
namespace {

using tests::TemporaryFolder;

class ScreenshotGl : public window::GlTest {
  protected:
    ScreenshotGl() : GlTest({8, 8}) {}
    void SetUp() override {
        GlTest::SetUp();
        surface_.reset();  // a screenshot makes its own
    }

    [[nodiscard]] std::string shot(const WindowOptions& options, ScreenshotSize size,
                                   const std::optional<Measurement>& fresh = {}) const {
        const auto file = folder_.path() / "shot.png";
        writeScreenshot(options, size, fresh, file);
        return readFile(file, 64u << 20);
    }

    TemporaryFolder folder_;
};

/// A number of the PNG's header, which is big endian.
std::uint32_t headerNumber(const std::string& png, std::size_t at) {
    std::uint32_t number = 0;
    for (std::size_t i = 0; i < 4; ++i) {
        number = number << 8 | static_cast<unsigned char>(png.at(at + i));
    }
    return number;
}

TEST_F(ScreenshotGl, IsAPngOfTheSizeAskedFor) {
    for (const ScreenshotSize size : {ScreenshotSize{640, 360}, {1920, 1080}, {3840, 2160}}) {
        const std::string png = shot({}, size);
        ASSERT_GT(png.size(), 10'000u);
        EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1a\n");
        EXPECT_EQ(headerNumber(png, 16), static_cast<std::uint32_t>(size.width));
        EXPECT_EQ(headerNumber(png, 20), static_cast<std::uint32_t>(size.height));
    }
}

TEST_F(ScreenshotGl, AnImpossibleSizeIsRefused) {
    EXPECT_THROW((void)shot({}, {0, 10}), WindowUnavailable);
    EXPECT_THROW((void)shot({}, {1'000'000, 10}), WindowUnavailable);
}

TEST_F(ScreenshotGl, APathThatCannotBeWrittenIsAnError) {
    EXPECT_THROW(writeScreenshot({}, {640, 480}, {}, folder_.path() / "no" / "such" / "a.png"),
                 std::system_error);
}

}  // namespace
}  // namespace warplens
