// What one frame of the window costs at 1920x1080, drawn offscreen: the mapping must cost the same
// for 32 threads and for 2^31-1 blocks. Usage: bench_frame_cost [SCENARIO]

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <glad/gl.h>
#include <imgui.h>
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

Cost costOf(window::OffscreenSurface& surface, window::Ui& ui, const window::AppState& state) {
    std::vector<double> build;
    std::vector<double> whole;
    for (int frame = -5; frame < frames; ++frame) {  // Dear ImGui settles in the first ones
        ImGui::GetIO().DeltaTime = 1.0F / 60.0F;
        surface.bind();
        glFinish();
        const auto begin = Clock::now();
        (void)ui.draw(state, 1);
        const double built = millisecondsSince(begin);
        glFinish();
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
    std::printf("%-14s %-14s %10s %10s %10s\n", "block", "blocks", "build ms", "frame ms",
                "least ms");
    for (const Extents block : {Extents{32, 1, 1}, {32, 32, 1}, {1024, 1, 1}, {4, 2, 8}}) {
        for (const std::uint32_t blocks : {1u, 1u << 10, 1u << 20, 2147483647u}) {
            window::AppState& state = opening.state;
            state.edit.gridCovers = false;
            state.edit.experiment.launch = {.grid = {blocks, 1, 1}, .block = block};
            state.shown = state.edit.experiment;
            apply(state, window::WarpTraced{std::make_shared<const WarpTrace>(
                             traceWarp(window::warpInFocus(state)))});
            const Cost cost = costOf(surface, ui, state);
            std::printf("%-14s %-14u %10.2f %10.2f %10.2f\n", toString(block).c_str(), blocks,
                        cost.build, cost.whole, cost.least);
        }
    }
    return 0;
}
