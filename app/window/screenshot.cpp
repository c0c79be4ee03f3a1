#include <imgui.h>

#include "app/figure/output/render.h"
#include "app/platform/desktop/offscreen_surface.h"
#include "app/window/figure_job.h"
#include "app/window/jobs.h"
#include "app/window/opening.h"
#include "app/window/program_tracer.h"
#include "app/window/state/apply.h"
#include "app/window/state/program_changes.h"
#include "app/window/state/scene.h"
#include "app/window/state/timeline.h"
#include "app/window/ui.h"
#include "app/window/window.h"
#include "core/text/files.h"
#include "kernels/programs/compiler.h"
#include "kernels/programs/sandbox.h"

namespace warplens {

using namespace window;

namespace {

/// That the program has the launch, and its block the warp and the step.
void requireThere(const WindowOptions& options, const AppState& state) {
    std::vector<LimitViolation> violations;
    const std::vector<LaunchReport>& launches = state.program.now->trace.launches;
    if (options.programLaunch && state.program.launch != *options.programLaunch) {
        violations.push_back({"--launch", std::to_string(*options.programLaunch),
                              launches.empty() ? std::string("a launch: the program has none")
                                               : "at most " + std::to_string(launches.size() - 1)});
    }
    const ProgramSteps* const steps = shownSteps(state);
    const std::uint32_t warp = options.view.warp.value_or(noWarp).value_or(WarpRank{}).value;
    const std::optional<std::uint64_t> step = options.view.step.value_or(noStep);
    if (steps != nullptr && steps->steps != nullptr) {
        const std::vector<WarpSteps>& warps = steps->steps->warps;
        if (warp >= warps.size()) {
            violations.push_back(
                {"--warp", std::to_string(warp), "at most " + std::to_string(warps.size() - 1)});
        } else if (step && *step >= warps[warp].steps.size()) {
            violations.push_back({"--step", std::to_string(*step + 1),
                                  "at most " + std::to_string(warps[warp].steps.size()) +
                                      ", the last of warp " + std::to_string(warp)});
        }
    }
    if (!violations.empty()) throw InvalidRequest(std::move(violations));
}

}  // namespace

void writeScreenshot(const WindowOptions& options, ScreenshotSize size,
                     const std::optional<Measurement>& fresh, const std::filesystem::path& path) {
    OffscreenSurface surface({size.width, size.height});
    WindowOptions opens = options;
    opens.view.mode.reset();  // a lesson is told before its picture is presented
    Opening opening = openState(opens);
    AppState& state = opening.state;
    if (fresh) state.results.push_back({*fresh, false});
    if (isDrawable(state.edit)) {
        apply(state, predictBlockNow({state.view.experiment, state.view.block}, {}));
        apply(state, predictNow(state.view.experiment));
        apply(state, predictCompiledNow(state.view.experiment));
    }

    if (state.program.isOpen()) {
        if (options.programLine) state.program.stays = true;
        do {
            auto version = std::make_shared<ProgramVersion>();
            *version = traceVersion(state.program.path, state.program.wishes, {}, {});
            apply(state, ProgramTraced{state.program.path, std::move(version)});
        } while (state.program.now == nullptr);  // at a header by now, whose the kernels are
        const ProgramVersion& traced = *state.program.now;
        if (traced.notConfined) throw NotConfined(Sandbox::ofThisMachine().notHeld());
        if (traced.noCompiler) throw NoCompiler(traced.failure);
        if (!traced.failure.empty()) throw CompileFailed(traced.failure);
        if (traced.trace.launches.empty() && traced.trace.findings.empty()) {
            throw std::runtime_error(state.program.path + ": " +
                                     whyWithout("a launch", traced.trace));
        }
        if (options.programLaunch) {
            apply(state, ChooseProgramLaunch{*options.programLaunch});
        }
        const std::uint32_t line = options.programLine.value_or(state.program.line);
        if (const auto place = wantedRemedies(state.program); place && line != 0)
            apply(state, findRemediesNow(*place, {}, line));
        for (auto place = wantedSteps(state), before = decltype(place)(); place != before;
             place = wantedSteps(state)) {
            before = place;
            apply(state, traceStepsNow(*place, {}));
        }
        requireThere(options, state);
        // Once more would be the next step in it.
        if (line != 0 && line != state.program.line) apply(state, ChooseProgramLine{line});
        state.program.pictured = options.view.picture.has_value() && !options.programLine;
        if (const auto place = wantedDifferences(state.program))
            apply(state, findDifferencesNow(*place, {}));
        if (options.view.warp) apply(state, Show{.warp = options.view.warp});
        if (options.view.step) {
            apply(state, traceWarpNow(warpInFocus(state)));
            apply(state, ChooseStep{**options.view.step});
        }
    }

    if (const auto place = lessonPlace(state); place && state.view.mode == Mode::learn) {
        apply(state, tellNow(*place, {}));
        if (!options.lessonGuess.empty()) {
            apply(state, GuessAnswer{options.lessonGuess});
            apply(state, HandIn{});
            if (options.lessonAnswered) openLessonAt(state, state.view.lesson, options.lessonPage);
        }
        apply(state, SetMotionAt{1});
    }
    apply(state, traceWarpNow(warpInFocus(state)));

    if (state.view.tab == RightTab::sweep) {
        apply(state, readSweeps());
        while (const auto point = nextSweepPrediction(state)) {
            apply(state, predictPointNow(*point, {}));
        }
    }

    if (const auto place = wantedCompilation(state)) apply(state, compileNow(*place, {}));
    if (showsModel(state)) {
        if (const auto place = modelPlace(state)) apply(state, modelNow(*place, {}));
    }

    while (const auto point = nextRoofPrediction(state)) {
        apply(state, predictPointNow(*point, {}));
    }

    apply(state, Show{.mode = options.view.mode});
    if (state.view.mode == Mode::present) {
        apply(state, presentNow(presentPlace(state, size.width, size.height), {}));
    }
    Ui ui;
    ImGui::GetIO().DisplaySize = {static_cast<float>(size.width), static_cast<float>(size.height)};
    const float scale = std::max(1.0F, std::min(static_cast<float>(size.width) / 1920.0F,
                                                static_cast<float>(size.height) / 1080.0F));
    // Dear ImGui knows the size of what it lays out only from the frame before.
    for (int frame = 0; frame < 3; ++frame) {
        ImGui::GetIO().DeltaTime = 1.0F / 60.0F;
        surface.bind();
        for (const Command& command : ui.draw(state, scale)) apply(state, command);
        surface.present();
        if (frame > 0) continue;
        // The first frame says how much room the map has.
        if (options.zoom != 1) apply(state, ZoomMap{options.zoom});
    }
    writeFileAtomically(path, figure::toPng(surface.readPixels(), {size.width, size.height}));
}

}  // namespace warplens
