// The window as it was when somebody last looked at it: tests/gl/reference_pictures holds a small
// picture of each scene. After a change that is meant, look at the new ones and keep them:
//
//   WARPLENS_KEEP_PICTURES=tests/gl/reference_pictures build/dev/bin/gl_tests
//       --gtest_filter='*ReferencePicture*'
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <map>

#include "app/recordings/library.h"
#include "app/window/png.h"
#include "app/window/screenshot.h"
#include "core/text/atomic_file.h"
#include "tests/gl/gl_fixture.h"
#include "tests/gl/picture.h"
#include "tests/support/temporary_folder.h"
#include "tests/worker_stub/scripted_measurement.h"

namespace warplens {
namespace {

using tests::Difference;
using tests::Picture;

constexpr ScreenshotSize drawnAt{1280, 720};
constexpr int smallerBy = 4;

/// Fonts, Dear ImGui and Mesa differ a little from release to release. What a version of the window
/// moves, adds or leaves out is many times more.
constexpr Difference most{.mean = 2.0, .farPercent = 0.6};

bool isWithin(const Difference& difference) {
    return difference.mean <= most.mean && difference.farPercent <= most.farPercent;
}

std::string inWords(const Difference& difference) {
    return "mean " + std::to_string(difference.mean) + " of at most " + std::to_string(most.mean) +
           ", far apart " + std::to_string(difference.farPercent) + " % of at most " +
           std::to_string(most.farPercent) + " %";
}

struct Scene final {
    const char* name;
    const char* scenario;
    std::function<void(WindowOptions&)> asks = [](WindowOptions&) {};
    bool measured = false;  ///< with the scripted measurement, which no recording changes
    friend void PrintTo(const Scene& scene, std::ostream* out) { *out << scene.name; }
};

void setLaunch(WindowOptions& options, Extents grid, Extents block) {
    options.experiment = complete(
        {.scenario = options.experiment->scenario, .grid = grid, .block = block, .set = {}});
}

const std::vector<Scene>& scenes() {
    using Options = WindowOptions&;
    static const std::vector<Scene> all{
        {"sum-dark", "matadd-coalesced"},
        {"sum-swapped-light", "matadd-swapped", [](Options o) { o.theme = "light"; }},
        {"sum-measured", "matadd-swapped", [](Options o) { o.theme = "light"; }, true},
        {"odd-block", "warp-grouping",
         [](Options o) {
             setLaunch(o, {2, 3}, {5, 7, 3});
         }},
        {"one-thread-wide", "warp-grouping",
         [](Options o) {
             setLaunch(o, {1}, {1, 1, 64});
         }},
        {"solid", "warp-grouping",
         [](Options o) {
             setLaunch(o, {1}, {8, 8, 4});
             o.view = "3d";
         }},
        {"solid-light", "warp-grouping-2x2x2",
         [](Options o) {
             o.view = "3d";
             o.theme = "light";
         }},
        {"slots-of-an-sm", "matmul-tiled", [](Options o) { o.view = "sm"; }},
        {"when-blocks-ran", "block-placement",
         [](Options o) {
             o.view = "time";
             o.library = builtInRecordings();
         }},
        {"whole-grid", "picture-76x62", [](Options o) { o.wholeGrid = true; }},
        {"edge-of-the-problem", "picture-76x62", [](Options o) { o.zoom = 0.4; }},
        {"lane-close-by", "matadd-coalesced", [](Options o) { o.zoom = 6; }},
        {"warp-held", "matadd-swapped", [](Options o) { o.warp = WarpRank{3}; }},
        {"step-of-a-warp", "matmul-coalesced",
         [](Options o) {
             o.warp = WarpRank{1};
             o.step = 5;
         }},
        {"shared-banks", "shared-banks", [](Options o) { o.step = 2; }},
        {"strided", "access-stride", [](Options o) { o.warp = WarpRank{0}; }},
        {"branch", "branch-odd-even", [](Options o) { o.step = 1; }},
        {"reduction", "reduce-interleaved", [](Options o) { o.step = 9; }},
        {"source", "matadd-swapped", [](Options o) { o.below = "source"; }},
        {"source-measured", "branch-odd-even",
         [](Options o) {
             o.below = "source";
             o.theme = "light";
         },
         true},
        {"sweep", "access-stride",
         [](Options o) {
             o.tab = "sweep";
             o.over = "stride=1..4";
         }},
        {"roof", "matmul-global", [](Options o) { o.tab = "roof"; }},
        {"lesson", "matadd-swapped", [](Options o) { o.lesson = "matadd-swapped"; }},
        {"lesson-answered", "warp-grouping",
         [](Options o) {
             o.lesson = "warp-grouping";
             o.lessonAnswered = true;
             o.theme = "light";
         }},
        {"large-text", "matadd-coalesced",
         [](Options o) {
             o.textScale = 1.5F;
             o.theme = "light";
         }},
        {"limits-broken", "warp-grouping",
         [](Options o) {
             o.experiment->launch.block = {33, 33, 65};
         }},
    };
    return all;
}

std::filesystem::path keptFile(const std::string& name) {
    return std::filesystem::path(REFERENCE_PICTURES) / (name + ".png");
}

class ReferencePicture : public window::GlTest, public testing::WithParamInterface<Scene> {
  protected:
    ReferencePicture() : GlTest({8, 8}) {}
    void SetUp() override {
        GlTest::SetUp();
        surface_.reset();  // a screenshot makes its own
    }
};

Picture drawn(const Scene& scene) {
    WindowOptions options;
    options.experiment = initialExperiment(scenarioNamed(scene.scenario));
    options.workerCommand = "unused";
    options.theme = "dark";
    scene.asks(options);
    std::optional<Measurement> fresh;
    if (scene.measured) fresh = tests::scriptedMeasurement(*options.experiment);
    const tests::TemporaryFolder folder;
    const auto file = folder.path() / "picture.png";
    writeScreenshot(options, drawnAt, fresh, file);
    return tests::smaller(tests::readPicture(file), smallerBy);
}

void keep(const std::filesystem::path& file, const Picture& picture) {
    std::filesystem::create_directories(file.parent_path());
    writeFileAtomically(file, window::toPng(picture.pixels, picture.width, picture.height));
}

TEST_P(ReferencePicture, ShowsTheWindowAsItWas) {
    const Scene& scene = GetParam();
    const Picture now = drawn(scene);
    if (const char* folder = std::getenv("WARPLENS_KEEP_PICTURES")) {
        keep(std::filesystem::path(folder) / (std::string(scene.name) + ".png"), now);
        GTEST_SKIP() << "kept anew, nothing compared";
    }
    const Difference difference =
        tests::differenceOf(now, tests::readPicture(keptFile(scene.name)));
    const auto seen = std::filesystem::path(NEW_PICTURES) / (std::string(scene.name) + ".png");
    if (!isWithin(difference)) keep(seen, now);
    EXPECT_TRUE(isWithin(difference)) << inWords(difference) << "; the new one is " << seen;
}

INSTANTIATE_TEST_SUITE_P(Window, ReferencePicture, testing::ValuesIn(scenes()),
                         [](const auto& tested) {
                             std::string name = tested.param.name;
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

/// Otherwise the comparison would let through what it is there to find.
TEST(ReferencePictures, AreFurtherFromOneAnotherThanAPictureMayBeFromItsOwn) {
    std::map<std::string, Picture> kept;
    for (const Scene& scene : scenes()) {
        kept[scene.name] = tests::readPicture(keptFile(scene.name));
    }
    for (const auto& [a, pictureOfA] : kept) {
        for (const auto& [b, pictureOfB] : kept) {
            if (a >= b) continue;
            const Difference difference = tests::differenceOf(pictureOfA, pictureOfB);
            EXPECT_FALSE(isWithin(difference)) << a << " and " << b << ": " << inWords(difference);
        }
    }
}

TEST(ReferencePictures, AreAllOfAScene) {
    for (const auto& entry : std::filesystem::directory_iterator(REFERENCE_PICTURES)) {
        const std::string name = entry.path().stem();
        EXPECT_TRUE(std::ranges::any_of(scenes(), [&](const Scene& scene) {
            return name == scene.name;
        })) << entry.path();
    }
}

}  // namespace
}  // namespace warplens
