/// What the window looks like, against pictures kept in references/: a quarter of the size each
/// way, within a tolerance that lets drivers round and letters sit otherwise, and no part be
/// missing: Mesa 22.3 of Debian 12 and 25.0 of Debian 13 both draw within it.
/// WARPLENS_UPDATE_REFERENCES=FOLDER in the environment writes them anew.
#include <algorithm>
#include <cairo.h>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <gtest/gtest.h>
#include <imgui.h>
#include <memory>

#include "app/drawing/warp_trace.h"
#include "app/recordings/library.h"
#include "app/window/figure_job.h"
#include "app/window/jobs.h"
#include "app/window/opening.h"
#include "app/window/program_tracer.h"
#include "app/window/state/apply.h"
#include "app/window/state/timeline.h"
#include "app/window/ui.h"
#include "kernels/programs/cuda_compiler.h"
#include "tests/gl/gl_fixture.h"
#include "tests/worker_stub/scripted_measurement.h"

namespace warplens::window {
namespace {

constexpr PixelSize size{1280, 720};
constexpr int shrunk = 4;  ///< pixels of the window for one of the reference, each way
constexpr int width = size.width / shrunk;
constexpr int height = size.height / shrunk;

// Of 255, over all channels of all pixels.
constexpr double mostMean = 2.5;
// A pixel is off where one of its channels differs by more than this.
constexpr int off = 40;
constexpr double mostOff = 0.02;  ///< of all pixels

using Picture = std::vector<unsigned char>;  ///< red, green, blue; row by row

struct Difference final {
    double mean = 0;
    double off = 0;
    [[nodiscard]] bool isSmall() const { return mean <= mostMean && off <= mostOff; }
};

Difference between(const Picture& a, const Picture& b) {
    double sum = 0;
    double many = 0;
    for (std::size_t pixel = 0; pixel < a.size(); pixel += 3) {
        int most = 0;
        for (std::size_t channel = pixel; channel < pixel + 3; ++channel) {
            const int apart = std::abs(int{a[channel]} - int{b[channel]});
            sum += apart;
            most = std::max(most, apart);
        }
        if (most > off) ++many;
    }
    return {sum / static_cast<double>(a.size()), many / (static_cast<double>(a.size()) / 3)};
}

/// The mean of each square of shrunk x shrunk pixels, from three bytes a pixel.
Picture smaller(const std::vector<unsigned char>& pixels) {
    Picture picture;
    picture.reserve(std::size_t{width} * height * 3);
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            for (int channel = 0; channel < 3; ++channel) {
                int sum = 0;
                for (int i = 0; i < shrunk * shrunk; ++i) {
                    const int row = y * shrunk + i / shrunk;
                    const int column = x * shrunk + i % shrunk;
                    sum += pixels.at(
                        static_cast<std::size_t>((row * size.width + column) * 3 + channel));
                }
                picture.push_back(static_cast<unsigned char>(sum / (shrunk * shrunk)));
            }
        }
    }
    return picture;
}

struct SurfaceEnd final {
    void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
};
using Surface = std::unique_ptr<cairo_surface_t, SurfaceEnd>;

void save(const Picture& picture, const std::filesystem::path& path) {
    const Surface surface(cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height));
    unsigned char* const bytes = cairo_image_surface_get_data(surface.get());
    const int stride = cairo_image_surface_get_stride(surface.get());
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            const unsigned char* const from = &picture[static_cast<std::size_t>(y * width + x) * 3];
            const std::uint32_t pixel = std::uint32_t{from[0]} << 16 | from[1] << 8 | from[2];
            std::memcpy(bytes + y * stride + 4 * x, &pixel, sizeof pixel);
        }
    }
    cairo_surface_mark_dirty(surface.get());
    ASSERT_EQ(cairo_surface_write_to_png(surface.get(), path.c_str()), CAIRO_STATUS_SUCCESS);
}

/// Empty where there is none.
Picture read(const std::filesystem::path& path) {
    const Surface surface(cairo_image_surface_create_from_png(path.c_str()));
    if (cairo_image_surface_get_width(surface.get()) != width ||
        cairo_image_surface_get_height(surface.get()) != height) {
        return {};
    }
    const unsigned char* const bytes = cairo_image_surface_get_data(surface.get());
    const int stride = cairo_image_surface_get_stride(surface.get());
    Picture picture;
    for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
            std::uint32_t pixel = 0;
            std::memcpy(&pixel, bytes + y * stride + 4 * x, sizeof pixel);
            for (const int shift : {16, 8, 0}) {
                picture.push_back(static_cast<unsigned char>(pixel >> shift & 255));
            }
        }
    }
    return picture;
}

struct Case final {
    const char* name;
    const char* scenario;
    std::function<void(AppState&)> set;
};

void lesson(AppState& state, const char* id, bool answered, int pages, double motion) {
    apply(state, OpenLesson{id});
    if (const auto place = lessonPlace(state)) apply(state, tellNow(*place, {}));
    if (answered) apply(state, RevealAnswer{});
    for (int page = 0; page < pages; ++page) apply(state, TurnPage{1});
    apply(state, SetMotionAt{motion});
}

void openFile(AppState& state, const char* path) {
    apply(state, OpenProgram{path});
    auto version =
        std::make_shared<ProgramVersion>(traceVersion(path, state.program.wishes, {}, {}));
    version->trace.compileSeconds = 0;
    version->trace.seconds = 1e-3;
    apply(state, ProgramTraced{path, std::move(version)});
    if (const auto place = wantedSteps(state)) apply(state, traceStepsNow(*place, {}));
}

void measured(AppState& state) {
    state.results.push_back({tests::scriptedMeasurement(state.view.experiment), false});
}

const std::vector<Case>& cases() {
    static const std::vector<Case> all{
        {"explore-dark", "matadd-swapped", [](AppState&) {}},
        {"explore-light", "matadd-swapped",
         [](AppState& s) { apply(s, Show{.theme = Theme::light}); }},
        {"explore-measured", "matadd-coalesced", measured},
        {"explore-large-text", "matadd-swapped",
         [](AppState& s) { apply(s, Show{.textScale = 1.5F}); }},
        {"compared", "matadd-coalesced",
         [](AppState& s) {
             measured(s);
             apply(s, Pin{PinSlot::a});
             apply(s, ChooseScenario{"matadd-swapped"});
             measured(s);
         }},
        {"limits", "matadd-swapped",
         [](AppState& s) {
             apply(s, EnterNumber{"block z", "65"});
         }},
        {"grid", "picture-76x62", [](AppState& s) { apply(s, Show{.map = MapFollows::grid}); }},
        {"source", "reduce-sequential",
         [](AppState& s) { apply(s, Show{.below = LowerTab::source}); }},
        {"banks", "shared-banks", [](AppState& s) { apply(s, ChooseArray{std::size_t{2}}); }},
        {"cubes-apart", "warp-grouping",
         [](AppState& s) {
             apply(s, Show{.theme = Theme::light});
             apply(s, SetBlock{{8, 4, 4}});
             apply(s, Show{.picture = PictureKind::block3d});
             apply(s, SpreadWarps{1});
         }},
        {"sm", "latency-hiding",
         [](AppState& s) { apply(s, Show{.picture = PictureKind::slots}); }},
        {"time", "latency-hiding",
         [](AppState& s) {
             s.library = std::make_shared<const RecordingLibrary>(builtInRecordings());
             apply(s, Show{.picture = PictureKind::times});
         }},
        {"roof", "matmul-tiled",
         [](AppState& s) {
             s.library = std::make_shared<const RecordingLibrary>(builtInRecordings());
             apply(s, Show{.theme = Theme::light});
             apply(s, Show{.tab = RightTab::roof});
             while (const auto point = nextRoofPrediction(s)) apply(s, predictPointNow(*point, {}));
         }},
        {"own-file", "warp-grouping",
         [](AppState& s) {
             openFile(s, OWN_FILE);
             apply(s, Show{.theme = Theme::light});
         }},
        {"sweep", "access-aligned", [](AppState& s) { apply(s, Show{.tab = RightTab::sweep}); }},
        {"lessons", "warp-grouping", [](AppState& s) { apply(s, OpenLesson{}); }},
        {"lesson-asks", "matadd-swapped",
         [](AppState& s) { lesson(s, "matadd-swapped", false, 0, 1); }},
        {"lesson-threads-line-up", "warp-grouping",
         [](AppState& s) {
             lesson(s, "warp-grouping", true, 0, 0.4);
             apply(s, Show{.theme = Theme::light});
         }},
        {"lesson-arms", "branch-long-arms",
         [](AppState& s) { lesson(s, "branch-long-arms", true, 2, 0.7); }},
        {"lesson-tiles", "matmul-tiled",
         [](AppState& s) { lesson(s, "matmul-tiled", true, 1, 0.5); }},
        {"present-dark", "matadd-swapped", [](AppState& s) { apply(s, SetMode{Mode::present}); }},
        {"present-light", "branch-long-arms",
         [](AppState& s) {
             apply(s, Show{.theme = Theme::light});
             apply(s, SetMode{Mode::present});
         }},
        {"palette", "matadd-swapped",
         [](AppState& s) {
             apply(s, OpenPalette{});
             apply(s, FilterPalette{"matrix"});
         }},
        {"welcome", "warp-grouping",
         [](AppState& s) {
             s.welcome = true;
             apply(s, Show{.theme = Theme::light});
         }},
    };
    return all;
}

class ReferencePictures : public GlTest {
  protected:
    ReferencePictures() : GlTest(size) {}

    void SetUp() override {
        GlTest::SetUp();
        if (surface_) ui_ = std::make_unique<Ui>();
    }

    [[nodiscard]] Picture draw(const Case& which) {
        AppState state = initialState({initialExperiment(scenarioNamed(which.scenario)), true},
                                      std::make_shared<RecordingLibrary>(), true);
        which.set(state);
        if (isDrawable(state.edit)) {
            apply(state, predictBlockNow({state.view.experiment, state.view.block}, {}));
            apply(state, predictNow(state.view.experiment));
        }
        // How long it took is no part of the picture.
        if (state.blockPrediction) state.blockPrediction->seconds = 1e-3;
        if (auto* prediction = std::get_if<LaunchReport>(&state.prediction)) {
            prediction->seconds = 1e-3;
        }
        apply(state, traceWarpNow(warpInFocus(state)));
        if (state.view.mode == Mode::present) {
            apply(state, presentNow(presentPlace(state, size.width, size.height), {}));
        }
        ImGui::GetIO().DisplaySize = {static_cast<float>(size.width),
                                      static_cast<float>(size.height)};
        ImGui::GetIO().MousePos = {-1, -1};
        // What lies over another part knows its size from the frame before.
        for (int frame = 0; frame < 3; ++frame) {
            ImGui::GetIO().DeltaTime = 1.0F / 60;
            surface_->bind();
            for (const Command& command : ui_->draw(state, 1)) apply(state, command);
            surface_->present();
        }
        return smaller(surface_->readPixels());
    }

    std::unique_ptr<Ui> ui_;
};

TEST_F(ReferencePictures, AreWhatTheWindowDraws) {
    const std::filesystem::path folder = REFERENCE_FOLDER;
    const char* const update = std::getenv("WARPLENS_UPDATE_REFERENCES");
    const bool hasCompiler = programs::findCudaCompiler().has_value();
    for (const Case& which : cases()) {
        if (!hasCompiler && which.name == std::string_view("own-file")) continue;
        const Picture picture = draw(which);
        const std::string file = std::string(which.name) + ".png";
        if (update != nullptr) {
            save(picture, std::filesystem::path(update) / file);
            continue;
        }
        const Picture reference = read(folder / file);
        ASSERT_EQ(reference.size(), picture.size()) << file << " is missing or of another size";
        const Difference difference = between(picture, reference);
        EXPECT_TRUE(difference.isSmall())
            << file << ": " << difference.mean << " of 255 off in the mean, "
            << 100 * difference.off << " % of the pixels by more than " << off;
        if (!difference.isSmall()) save(picture, "drawn-" + file);
    }
    if (!hasCompiler) GTEST_SKIP() << "own-file.png: no nvcc on this machine";
}

// The tolerance tells pictures apart that a person would.
TEST_F(ReferencePictures, DifferFromOneAnother) {
    std::vector<std::pair<std::string, Picture>> all;
    for (const Case& which : cases()) {
        all.emplace_back(which.name, read(std::filesystem::path(REFERENCE_FOLDER) /
                                          (std::string(which.name) + ".png")));
    }
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (std::size_t j = i + 1; j < all.size(); ++j) {
            ASSERT_FALSE(all[i].second.empty()) << all[i].first;
            ASSERT_EQ(all[i].second.size(), all[j].second.size()) << all[j].first;
            EXPECT_FALSE(between(all[i].second, all[j].second).isSmall())
                << all[i].first << " and " << all[j].first;
        }
    }
}

}  // namespace
}  // namespace warplens::window
