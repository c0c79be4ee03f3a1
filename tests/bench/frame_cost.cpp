// What one frame of the window costs at 1920x1080, drawn offscreen through EGL on the first GPU
// that offers OpenGL, else in software. Each line is written when it is known.
// Usage: bench_frame_cost [SCENARIO | FILE.cu]
// Alone: from 32 threads to 2^31 - 32, over the fitted block, close to it, over the whole grid; as
// cubes that are turned; each lesson's pictures that move, and its question. With a scenario,
// every screen of it; with a file, its screen.

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <glad/gl.h>
#include <imgui.h>
#include <string>
#include <utility>
#include <vector>

#include "app/lessons/library.h"
#include "app/platform/desktop/offscreen_surface.h"
#include "app/recordings/library.h"
#include "app/window/figure_job.h"
#include "app/window/jobs.h"
#include "app/window/opening.h"
#include "app/window/program_tracer.h"
#include "app/window/state/apply.h"
#include "app/window/state/learn_page.h"
#include "app/window/state/timeline.h"
#include "app/window/ui.h"

namespace {

using namespace warplens;
using Clock = std::chrono::steady_clock;

constexpr int width = 1920;
constexpr int height = 1080;
constexpr int frames = 60;

/// What the window shows of each launch.
enum class MapCase { block, between, grid };

const char* nameOf(MapCase view) {
    return view == MapCase::block ? "block" : view == MapCase::between ? "near" : "grid";
}

/// The same block in each, so that the pictures differ in nothing but the launch's size. The last
/// has as many threads as a kernel that indexes with int may have; one block more, and the window
/// draws the words of the refusal, too.
const std::array<std::pair<std::uint64_t, Launch>, 4> launches{{
    {32, {.grid = {1, 1, 1}, .block = {32, 1, 1}}},
    {1024, {.grid = {32, 1, 1}, .block = {32, 1, 1}}},
    {1u << 20, {.grid = {1u << 15, 1, 1}, .block = {32, 1, 1}}},
    {(1ull << 31) - 32, {.grid = {(1u << 26) - 1, 1, 1}, .block = {32, 1, 1}}},
}};

void look(window::AppState& state, MapCase view) {
    apply(state, window::Show{.map = view == MapCase::grid ? MapFollows::grid : MapFollows::block});
    // Threads of a few pixels: the most that the picture computes for a pixel.
    if (view == MapCase::between) apply(state, window::ZoomMap{0.2});
}

double millisecondsSince(Clock::time_point begin) {
    return 1e3 * std::chrono::duration<double>(Clock::now() - begin).count();
}

double processorMilliseconds() {
    return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

/// The frames of one state, milliseconds.
struct Cost final {
    std::vector<double> build;      ///< panels laid out and commands sent
    std::vector<double> whole;      ///< until the last pixel is drawn
    std::vector<double> processor;  ///< of all cores together: other programs change it little
    int vertices = 0;               ///< of Dear ImGui
    int draws = 0;
};

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

class Drawing final {
  public:
    Drawing(window::OffscreenSurface& surface, window::Ui& ui) : surface_(surface), ui_(ui) {}

    /// A frame that counts after one that does not: Dear ImGui settles in it.
    void add(Cost& cost, window::AppState& state) {
        draw(nullptr, state);
        draw(&cost, state);
    }
    /// Frame after frame of what `next` makes of the state before each, from 0 to 1.
    template <class Next>
    Cost series(window::AppState& state, int count, Next next) {
        Cost cost;
        for (int frame = -2; frame < count; ++frame) {
            next(state, std::max(0, frame) / (count - 1.0));
            draw(frame < 0 ? nullptr : &cost, state);
        }
        return cost;
    }

  private:
    void draw(Cost* cost, window::AppState& state) {
        ImGui::GetIO().DeltaTime = 1.0F / 60.0F;
        surface_.bind();
        // As by a hand: a picture that stays is not drawn again.
        if (state.view.picture == PictureKind::block3d) apply(state, window::TurnBlock3d{3, 0});
        glFinish();
        const double before = processorMilliseconds();
        const auto begin = Clock::now();
        const window::Commands commands = ui_.draw(state, 1);
        const double built = millisecondsSince(begin);
        glFinish();
        const double whole = millisecondsSince(begin);
        const double processor = processorMilliseconds() - before;
        // The map hears how much room it has.
        for (const window::Command& command : commands) apply(state, command);
        if (cost == nullptr) return;
        cost->build.push_back(built);
        cost->whole.push_back(whole);
        cost->processor.push_back(processor);
        const ImDrawData& drawn = *ImGui::GetDrawData();
        cost->vertices = drawn.TotalVtxCount;
        cost->draws = 0;
        for (int i = 0; i < drawn.CmdListsCount; ++i) {
            cost->draws += drawn.CmdLists[i]->CmdBuffer.Size;
        }
    }

    window::OffscreenSurface& surface_;
    window::Ui& ui_;
};

void printCost(const Cost& cost) {
    std::printf("%9.2f %9.2f %9.2f %9.2f %9d %6d\n", median(cost.build), median(cost.whole),
                std::ranges::min(cost.whole), std::ranges::min(cost.processor), cost.vertices,
                cost.draws);
}

constexpr const char* costHeadings = " build ms  frame ms  least ms    cpu ms  vertices  draws";

/// The lesson answered, at a page of it.
window::AppState atPage(const window::AppState& state, const Lesson& lesson, std::uint32_t page) {
    window::AppState at = state;
    apply(at, window::OpenLesson{lesson.id});
    if (const auto place = window::lessonPlace(at)) apply(at, window::tellNow(*place, {}));
    apply(at, window::RevealAnswer{});
    for (std::uint32_t turned = 0; turned < page; ++turned) apply(at, window::TurnPage{1});
    apply(at, window::WarpTraced{
                  std::make_shared<const WarpTrace>(traceWarp(window::warpInFocus(at)))});
    return at;
}

void moveOn(window::AppState& state, double share) {
    apply(state, window::SetMotionAt{share});
}
void stay(window::AppState&, double) {}

/// Of each page whose picture moves, the frames of the picture from its beginning to its end.
void drawMovingLessons(Drawing& drawing, const window::AppState& state) {
    std::printf("%-24s %-4s %s\n", "moving lesson", "page", costHeadings);
    double slowest = 0;
    for (const Lesson& lesson : builtInLessons().lessons) {
        for (std::uint32_t page = 0; page < window::pageCount(lesson); ++page) {
            window::AppState at = atPage(state, lesson, page);
            if (!window::learnPage(at).moves) continue;
            const Cost cost = drawing.series(at, 12, moveOn);
            std::printf("%-24s %-4u ", lesson.id.c_str(), page);
            printCost(cost);
            slowest = std::max(slowest, median(cost.whole));
        }
    }
    std::printf("the slowest of them takes %.2f ms\n", slowest);
}

/// Every screen of what is shown.
void drawScreens(Drawing& drawing, const window::AppState& state) {
    std::printf("%-30s %s\n", "screen", costHeadings);
    const auto row = [&](const std::string& name, window::AppState at, auto next) {
        const Cost cost = drawing.series(at, 20, next);
        std::printf("%-30s ", name.c_str());
        printCost(cost);
    };
    const auto explored = [&](const char* name, auto... commands) {
        window::AppState at = state;
        (apply(at, commands), ...);
        row(name, at, stay);
    };
    explored("explore");
    explored("explore, light", window::Show{.theme = Theme::light});
    // Turned in each frame.
    explored("cubes, turned", window::Show{.picture = PictureKind::block3d});
    explored("SM", window::Show{.picture = PictureKind::slots});
    explored("time", window::Show{.picture = PictureKind::times});
    explored("source", window::Show{.below = LowerTab::source});
    explored("sweep", window::Show{.tab = RightTab::sweep});
    explored("roof", window::Show{.tab = RightTab::roof});
    window::AppState stepped = state;
    row("steps played", stepped,
        [](window::AppState& at, double) { apply(at, window::MoveStep{1}); });
    window::AppState slide = state;
    apply(slide, window::SetMode{Mode::present});
    apply(slide, window::presentNow(window::presentPlace(slide, width, height), {}));
    row("presented", slide, stay);
    for (const Lesson& lesson : builtInLessons().lessons) {
        if (lesson.here().scenario != state.view.experiment.scenario) continue;
        window::AppState asked = state;
        apply(asked, window::OpenLesson{lesson.id});
        if (const auto place = window::lessonPlace(asked)) {
            apply(asked, window::tellNow(*place, {}));
        }
        row(lesson.id + ", asked", asked, stay);
        for (std::uint32_t page = 0; page < window::pageCount(lesson); ++page) {
            row(lesson.id + ", page " + std::to_string(page), atPage(state, lesson, page), moveOn);
        }
    }
}

void drawOwnFile(Drawing& drawing, window::AppState& state, const std::string& path) {
    apply(state, window::OpenProgram{path});
    auto version = std::make_shared<window::ProgramVersion>(
        window::traceVersion(path, state.program.wishes, {}, {}));
    std::printf("%s: %zu lines, %s\n%-30s %s\n", path.c_str(), version->lines.size(),
                version->failure.empty() ? "traced" : version->failure.c_str(), "screen",
                costHeadings);
    const auto last = static_cast<std::uint32_t>(version->lines.size());
    apply(state, window::ProgramTraced{path, std::move(version)});
    if (const auto place = window::wantedSteps(state)) {
        apply(state, window::traceStepsNow(*place, {}));
    }
    apply(state, window::WarpTraced{
                     std::make_shared<const WarpTrace>(traceWarp(window::warpInFocus(state)))});
    const auto row = [&](const char* name, auto next) {
        const Cost cost = drawing.series(state, 20, next);
        std::printf("%-30s ", name);
        printCost(cost);
    };
    row("own file", stay);
    row("own file, line after line", [&](window::AppState& at, double share) {
        apply(at, window::ChooseProgramLine{1 + static_cast<std::uint32_t>(share * (last - 1))});
    });
}

/// Traced and predicted, as a window soon has it.
void complete(window::AppState& state) {
    apply(state, window::predictBlockNow({state.view.experiment, state.view.block}, {}));
    apply(state, window::predictNow(state.view.experiment));
    apply(state, window::WarpTraced{
                     std::make_shared<const WarpTrace>(traceWarp(window::warpInFocus(state)))});
    apply(state, window::readSweeps());
    while (const auto point = window::nextRoofPrediction(state)) {
        apply(state, window::predictPointNow(*point, {}));
    }
}

}  // namespace

int main(int count, char** arguments) {
    const auto begin = Clock::now();
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const std::string asked = count > 1 ? arguments[1] : "";
    const bool file = asked.ends_with(".cu");
    const Scenario& scenario = scenarioNamed(asked.empty() || file ? "warp-grouping" : asked);
    window::OffscreenSurface surface({width, height});
    WindowOptions options;
    options.view.experiment = initialExperiment(scenario);
    options.library = builtInRecordings();
    window::Opening opening = window::openState(options);
    window::Ui ui;
    ImGui::GetIO().DisplaySize = {width, height};
    surface.bind();
    ImGui::GetIO().DeltaTime = 1.0F / 60.0F;
    (void)ui.draw(opening.state, 1);
    glFinish();
    std::printf("%s, %dx%d\n", reinterpret_cast<const char*>(glGetString(GL_RENDERER)), width,
                height);
    std::printf("first frame after %.0f ms\n", millisecondsSince(begin));
    std::vector<double> programs;
    for (bool more = true; more;) {
        surface.bind();
        const auto start = Clock::now();
        more = ui.prepareNext();
        glFinish();
        if (more) programs.push_back(millisecondsSince(start));
    }
    std::printf("%zu kinds of picture prepared, each in %.1f ms, %.1f at most\n\n", programs.size(),
                median(programs), std::ranges::max(programs));
    Drawing drawing(surface, ui);
    if (file) {
        drawOwnFile(drawing, opening.state, asked);
        return 0;
    }
    if (!asked.empty()) {
        complete(opening.state);
        drawScreens(drawing, opening.state);
        return 0;
    }
    std::printf("%-6s %-13s %-9s %-13s %s\n", "view", "threads", "block", "blocks", costHeadings);
    for (const MapCase view : {MapCase::block, MapCase::between, MapCase::grid}) {
        std::vector<window::AppState> states;
        for (const auto& [threads, launch] : launches) {
            window::AppState& state = states.emplace_back(opening.state);
            state.edit.gridCovers = false;
            state.edit.experiment.launch = launch;
            state.view.experiment = state.edit.experiment;
            apply(state, window::WarpTraced{std::make_shared<const WarpTrace>(
                             traceWarp(window::warpInFocus(state)))});
            look(state, view);
        }
        // In turns, so that whatever else slows the machine slows all of them.
        std::vector<Cost> costs(states.size());
        for (int frame = 0; frame < frames; ++frame) {
            for (std::size_t i = 0; i < states.size(); ++i) drawing.add(costs[i], states[i]);
        }
        for (std::size_t i = 0; i < states.size(); ++i) {
            const auto& [threads, launch] = launches.at(i);
            std::printf("%-6s %-13llu %-9s %-13llu ", nameOf(view),
                        static_cast<unsigned long long>(threads), toString(launch.block).c_str(),
                        static_cast<unsigned long long>(launch.grid.count()));
            printCost(costs[i]);
        }
        for (const std::size_t i : {0U, 1U}) {
            std::printf("%-6s 2^31 - 32 threads take %.2f times as long as %llu\n", nameOf(view),
                        median(costs.back().whole) / median(costs[i].whole),
                        static_cast<unsigned long long>(launches.at(i).first));
        }
        std::printf("\n");
    }
    std::printf("%-14s %-14s %s\n", "cubes", "warps apart", costHeadings);
    apply(opening.state, window::Show{.picture = PictureKind::block3d});
    for (const Extents block : {Extents{32, 32, 1}, {10, 10, 10}, {16, 8, 8}, {5, 7, 3}}) {
        for (const float apart : {0.0F, 1.0F}) {
            window::AppState& state = opening.state;
            apply(state, window::SpreadWarps{apart});
            state.edit.experiment.launch = {.grid = {}, .block = block};
            state.view.experiment = state.edit.experiment;
            const Cost cost = drawing.series(state, 20, stay);
            std::printf("%-14s %-14g ", toString(block).c_str(), static_cast<double>(apart));
            printCost(cost);
        }
    }
    std::printf("\n");
    apply(opening.state, window::Show{.picture = PictureKind::threads});
    drawMovingLessons(drawing, opening.state);
    return 0;
}
