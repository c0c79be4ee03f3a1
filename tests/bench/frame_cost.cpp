// What one frame of the window costs at 1920x1080, drawn offscreen through EGL on the first GPU
// that offers OpenGL, else in software: from 32 threads to 2^31, over the fitted block, close to
// it, over the whole grid, and as a solid that is turned. Usage: bench_frame_cost [SCENARIO]

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <glad/gl.h>
#include <imgui.h>
#include <utility>
#include <vector>

#include "app/window/gl/offscreen_surface.h"
#include "app/window/opening.h"
#include "app/window/state/command.h"
#include "app/window/ui.h"

namespace {

using namespace warplens;
using Clock = std::chrono::steady_clock;

constexpr int width = 1920;
constexpr int height = 1080;
constexpr int frames = 60;

/// What the window shows of each launch.
enum class View { block, between, grid };

const char* nameOf(View view) {
    return view == View::block ? "block" : view == View::between ? "near" : "grid";
}

/// The same block in each, so that the pictures differ in nothing but the launch's size.
const std::array<std::pair<std::uint64_t, Launch>, 4> launches{{
    {32, {.grid = {1, 1, 1}, .block = {32, 1, 1}}},
    {1024, {.grid = {32, 1, 1}, .block = {32, 1, 1}}},
    {1u << 20, {.grid = {1u << 15, 1, 1}, .block = {32, 1, 1}}},
    {1ull << 31, {.grid = {1u << 26, 1, 1}, .block = {32, 1, 1}}},
}};

void look(window::AppState& state, View view) {
    using window::MapFollows;
    apply(state, window::FitMap{view == View::grid ? MapFollows::grid : MapFollows::block});
    // Threads of a few pixels: the most that the picture computes for a pixel.
    if (view == View::between) apply(state, window::ZoomMap{0.2});
}

double millisecondsSince(Clock::time_point begin) {
    return 1e3 * std::chrono::duration<double>(Clock::now() - begin).count();
}

struct Cost final {
    double build = 0;  ///< panels laid out and commands sent, median
    double whole = 0;  ///< until the last pixel is drawn, median
    double least = 0;
};

double median(std::vector<double>& values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

/// A solid is turned from frame to frame, as by a hand: a picture that stays is not drawn again.
Cost costOf(window::OffscreenSurface& surface, window::Ui& ui, window::AppState& state) {
    std::vector<double> build;
    std::vector<double> whole;
    for (int frame = -5; frame < frames; ++frame) {  // Dear ImGui settles in the first ones
        ImGui::GetIO().DeltaTime = 1.0F / 60.0F;
        surface.bind();
        if (state.view == window::BlockView::solid) apply(state, window::TurnSolid{3, 0});
        glFinish();
        const auto begin = Clock::now();
        const window::Commands commands = ui.draw(state, 1);
        const double built = millisecondsSince(begin);
        glFinish();
        // The map hears how much room it has.
        for (const window::Command& command : commands) apply(state, command);
        if (frame < 0) continue;
        build.push_back(built);
        whole.push_back(millisecondsSince(begin));
    }
    Cost cost;
    cost.build = median(build);
    cost.whole = median(whole);
    cost.least = whole.front();
    return cost;
}

}  // namespace

int main(int count, char** arguments) {
    const auto begin = Clock::now();
    const Scenario& scenario = scenarioNamed(count > 1 ? arguments[1] : "warp-grouping");
    window::OffscreenSurface surface({width, height});
    WindowOptions options;
    options.experiment = initialExperiment(scenario);
    window::Opening opening = window::openState(options);
    window::Ui ui;
    ImGui::GetIO().DisplaySize = {width, height};
    surface.bind();
    ImGui::GetIO().DeltaTime = 1.0F / 60.0F;
    (void)ui.draw(opening.state, 1);
    glFinish();
    std::printf("%s, %dx%d\n", reinterpret_cast<const char*>(glGetString(GL_RENDERER)), width,
                height);
    std::printf("first frame after %.0f ms\n\n", millisecondsSince(begin));
    std::printf("%-6s %-13s %-9s %-13s %9s %9s %9s\n", "view", "threads", "block", "blocks",
                "build ms", "frame ms", "least ms");
    for (const View view : {View::block, View::between, View::grid}) {
        std::vector<double> times;
        for (const auto& [threads, launch] : launches) {
            window::AppState& state = opening.state;
            state.edit.gridCovers = false;
            state.edit.experiment.launch = launch;
            state.shown = state.edit.experiment;
            apply(state, window::WarpTraced{std::make_shared<const WarpTrace>(
                             traceWarp(window::warpInFocus(state)))});
            look(state, view);
            const Cost cost = costOf(surface, ui, state);
            times.push_back(cost.whole);
            std::printf("%-6s %-13llu %-9s %-13llu %9.2f %9.2f %9.2f\n", nameOf(view),
                        static_cast<unsigned long long>(threads), toString(launch.block).c_str(),
                        static_cast<unsigned long long>(launch.grid.count()), cost.build,
                        cost.whole, cost.least);
        }
        std::printf("%-6s the largest launch takes %.2f times as long as the smallest\n\n",
                    nameOf(view), times.back() / times.front());
    }
    std::printf("\n%-14s %-14s %10s %10s %10s\n", "solid", "warps apart", "build ms", "frame ms",
                "least ms");
    apply(opening.state, window::SetBlockView{window::BlockView::solid});
    for (const Extents block : {Extents{32, 32, 1}, {10, 10, 10}, {16, 8, 8}, {5, 7, 3}}) {
        for (const float apart : {0.0F, 1.0F}) {
            window::AppState& state = opening.state;
            apply(state, window::SpreadWarps{apart});
            state.edit.experiment.launch = {.grid = {}, .block = block};
            state.shown = state.edit.experiment;
            const Cost cost = costOf(surface, ui, state);
            std::printf("%-14s %-14g %10.2f %10.2f %10.2f\n", toString(block).c_str(),
                        static_cast<double>(apart), cost.build, cost.whole, cost.least);
        }
    }
    return 0;
}
