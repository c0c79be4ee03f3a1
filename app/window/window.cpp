#include "app/window/window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <imgui.h>
#include <ranges>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include "app/window/figure_job.h"
#include "app/window/frame_meter.h"
#include "app/window/gl/program.h"
#include "app/window/gl/window_surface.h"
#include "app/window/glfw_input.h"
#include "app/window/lesson_job.h"
#include "app/window/measuring.h"
#include "app/window/model_job.h"
#include "app/window/opening.h"
#include "app/window/prediction_job.h"
#include "app/window/present_job.h"
#include "app/window/program_files.h"
#include "app/window/program_job.h"
#include "app/window/program_tracer.h"
#include "app/window/settings_keeper.h"
#include "app/window/state/actions.h"
#include "app/window/state/apply.h"
#include "app/window/state/messages.h"
#include "app/window/state/program_editor.h"
#include "app/window/state/program_steps.h"
#include "app/window/state/scene.h"
#include "app/window/state/showing.h"
#include "app/window/state/timeline.h"
#include "app/window/state_file.h"
#include "app/window/sweep_jobs.h"
#include "app/window/ui.h"
#include "core/json/json.h"
#include "core/text/atomic_file.h"

namespace warplens {
namespace window {
namespace {

using Clock = std::chrono::steady_clock;

/// How long nothing has to happen before a program is compiled, seconds.
constexpr double betweenPrograms = 0.15;

/// How long to sleep for events, seconds.
double patience(const AppState& state, bool typing) {
    double most = running(state) != nullptr || state.places.asking ? 0.03 : 1;
    if (state.time.model.playing && showsModel(state)) most = 0.03;
    if (typing) most = std::min(most, 0.2);  // the caret blinks
    for (const auto next :
         {secondsToNextMotion(state), secondsToNextFade(state), secondsToNextStep(state)}) {
        if (next) most = std::clamp(*next, 0.001, most);
    }
    return most;
}

/// Keeps `text` in a new file of the folder, `name` before `ending`, or with the first number from
/// 2 on; returns what to say of it, `opens` being what opens it but for its name.
Command savedAsNew(const std::string& what, const std::string& name, const char* ending,
                   const std::string& text, const std::string& opens) {
    const std::filesystem::path path = newStem({}, name, {ending}).string() + ending;
    try {
        writeFileAtomically(path, text + '\n');
    } catch (const std::system_error& error) {
        return Report{MessageKind::error, what + " not saved: " + error.what()};
    }
    return Report{MessageKind::note, what + " saved: " + std::filesystem::absolute(path).string() +
                                         ". `" + opens + path.string() + "` opens it."};
}

Command sceneSaved(const AppState& state) {
    return savedAsNew("Scene", "warplens-" + state.view.experiment.scenario, ".scene.json",
                      sceneOf(state), "warplens --scene ");
}

Command measuredSaved(const ProgramState& program) {
    return savedAsNew("Measurement", std::filesystem::path(program.path).stem().string(),
                      "-measured.json",
                      toDocument(Document::programMeasurement, measuredOf(program)),
                      "warplens " + program.path + " --measured ");
}

/// What the state has for other programs, and what it wants of them.
Commands handOn(const AppState& state, GLFWwindow* window) {
    Commands commands;
    const Outbox& outbox = state.outbox;
    if (outbox == Outbox{}) return commands;
    if (!outbox.text.empty()) {
        glfwSetClipboardString(window, outbox.text.c_str());
        commands.emplace_back(Report{MessageKind::note, outbox.words});
    }
    append(commands, exchangeFiles(state));
    if (outbox.saves) commands.push_back(sceneSaved(state));
    if (outbox.savesMeasured) commands.push_back(measuredSaved(state.program));
    if (outbox.pastes) {
        const char* const text = glfwGetClipboardString(window);
        commands.emplace_back(OpenScene{text == nullptr ? "" : text});
    }
    commands.emplace_back(OutboxTaken{});
    return commands;
}

/// The C library of GNU gives every thread a heap of its own, and takes ever larger blocks from it.
/// What one thread makes and another lets go of, as traces and predictions are, leaves holes there
/// that a window which is open for hours would grow by.
void keepHeapsTogether() {
#ifdef __GLIBC__
    mallopt(M_ARENA_MAX, 2);
    mallopt(M_MMAP_THRESHOLD, 1 << 18);  // from here on a block goes back to the system when freed
    mallopt(M_TRIM_THRESHOLD, 1 << 20);
#endif
}

}  // namespace
}  // namespace window

int runWindow(const WindowOptions& options) {
    using namespace window;
    keepHeapsTogether();
    Opening opening = openState(options);
    AppState& state = opening.state;
    WindowSurface surface("Warplens", {opening.settings.width, opening.settings.height});
    Ui ui;
    GlfwInput input(surface.handle());
    Measuring measuring({.command = options.workerCommand, .deadline = options.deadline},
                        options.counters, prepareMeasurement, glfwPostEmptyEvent);
    NewestJob<Experiment> prediction(predictNow, glfwPostEmptyEvent);
    NewestJob<BlockPlace> blockPrediction(predictBlockNow, glfwPostEmptyEvent);
    NewestJob<WarpPlace> tracing(traceWarpNow, glfwPostEmptyEvent);
    NewestJob<LessonPlace> lessons(tellNow, glfwPostEmptyEvent);
    NewestJob<ModelPlace> modelling(modelNow, glfwPostEmptyEvent);
    LessonWatch lessonWatch(glfwPostEmptyEvent);
    NewestJob<PresentPlace> presenting(presentNow, glfwPostEmptyEvent);
    NewestJob<PresentPlace> previewing(previewNow, glfwPostEmptyEvent);
    NewestJob<FigureOrder> figures(drawFigureNow, glfwPostEmptyEvent);
    ProgramJob programs(traceVersion, glfwPostEmptyEvent);
    NewestJob<StepsPlace> programSteps(traceStepsNow, glfwPostEmptyEvent);
    NewestJob<std::uint32_t> browsing(browseNow, glfwPostEmptyEvent);
    NewestJob<CompilePlace> compiling(compileNow, glfwPostEmptyEvent);
    SweepJobs sweeps(sweepFileBeside(options.settingsFile), glfwPostEmptyEvent);
    SettingsKeeper settings(options.settingsFile, opening.settings, glfwPostEmptyEvent);
    StateFile stateFile;
    FrameMeter meter;
    ui.compileAtMost(1);
    bool prepared = false;  // every kind of picture
    const auto applyAll = [&](const Commands& commands) {
        for (const Command& command : commands) window::apply(state, command);
        if (!commands.empty()) input.wantFrames();
    };
    const auto follow = [&](auto& job) {
        if (auto command = job.take()) applyAll({*command});
    };
    const auto settingsNow = [&] {
        const PixelSize size = surface.designSize();
        return settingsOf(state, size.width, size.height);
    };

    Clock::time_point lastTick = Clock::now();
    const auto goesOn = [&] {
        return glfwWindowShouldClose(surface.handle()) == GLFW_FALSE &&
               (options.asksToEnd == nullptr || !options.asksToEnd());
    };
    while (goesOn()) {
        const double most = patience(state, ui.typing());
        const bool quiet = input.await(prepared ? most : std::min(most, betweenPrograms));
        meter.begin();
        const Clock::time_point now = Clock::now();
        const std::chrono::duration<double> passed = now - std::exchange(lastTick, now);
        window::apply(state, Tick{passed.count()});
        const bool typing = ui.typing();
        for (const KeyPress& key : input.beginFrame()) {
            // It presses the button that the keyboard has moved to.
            if (key.key == GLFW_KEY_SPACE && ImGui::GetIO().NavVisible) continue;
            if (key.key == GLFW_KEY_TAB && !key.control) ui.order().move(key.shift ? -1 : 1);
            // What one has come to by Tab takes digits before they are keys.
            if (!typing && !key.control && key.key >= '0' && key.key <= '9' &&
                ui.order().type(key.key)) {
                continue;
            }
            const bool enters = key.key == GLFW_KEY_ENTER || key.key == GLFW_KEY_KP_ENTER;
            if (enters && !state.palette.open) {
                ui.order().press();
                if (ImGui::GetIO().NavVisible) continue;
            }
            if (const auto command = commandFor(state, key, typing)) applyAll({*command});
        }
        applyAll(measuring.step(state));
        follow(figures);
        // One after the other: the next is the first when this one has been drawn.
        if (!state.figures.empty()) figures.want(state.figures.front());
        applyAll(sweeps.step(state));
        for (const std::string& path : input.takeDropped()) applyAll({OpenProgram{path}});
        applyAll(programs.step(state));
        applyAll(handOn(state, surface.handle()));
        applyAll(settings.step());
        follow(prediction);
        // The shown block first: it is done before the next frame.
        follow(blockPrediction);
        blockPrediction.want({state.view.experiment, state.view.block});
        prediction.want(state.view.experiment);
        follow(programSteps);
        if (const auto place = wantedSteps(state)) programSteps.want(*place);
        follow(browsing);
        if (state.browses != 0) browsing.want(state.browses);
        follow(compiling);
        if (const auto place = wantedCompilation(state)) compiling.want(*place);
        follow(tracing);
        if (const WarpPlace place = warpInFocus(state);
            !showsProgram(state) || place.program != nullptr) {
            tracing.want(place);
        }
        follow(modelling);
        if (showsModel(state)) {
            if (const auto place = modelPlace(state)) modelling.want(*place);
        }
        follow(lessonWatch);
        follow(lessons);
        if (const auto place = lessonPlace(state); place && state.view.mode == Mode::learn) {
            lessons.want(*place);
        }
        follow(previewing);
        if (state.figure.open) previewing.want(previewPlace(state));
        surface.fillScreen(state.view.mode == Mode::present);
        follow(presenting);
        if (state.view.mode == Mode::present) {
            const ImVec2 screen = ImGui::GetIO().DisplaySize;
            presenting.want(
                presentPlace(state, static_cast<int>(screen.x), static_cast<int>(screen.y)));
        }

        surface.bind();
        const Commands commands = ui.draw(state, surface.contentScale());
        for (const Command& command : commands) {
            // Pointing repeats every frame and needs no further ones.
            const bool pointing = command.is<PointAtThread>();
            const auto before = state.pointed;
            window::apply(state, command);
            if (!pointing || state.pointed != before) input.wantFrames();
        }
        if (!ui.complete()) input.wantFrames();
        if (stateFile.wanted()) surface.finish();
        meter.pause();
        surface.present();
        meter.resume();
        settings.keep(settingsNow());
        const auto anyBusy = [](const auto&... jobs) { return (jobs.busy() || ...); };
        const bool settled =
            !input.framesDue() && running(state) == nullptr &&
            !anyBusy(prediction, blockPrediction, tracing, sweeps, lessons, presenting, previewing,
                     modelling, programs, programSteps, compiling);
        // While nothing happens, so that no picture waits for its program when it is first wanted.
        if (!prepared && quiet && settled) {
            surface.bind();
            try {
                prepared = !ui.prepareNext();
            } catch (const ShaderError&) {
                prepared = true;  // it is said when that picture is wanted
            }
        }
        meter.end();
        stateFile.update(state, ui.rects(), ui.order().focused(), meter.times(), settled);
    }
    leaveEditor(state);
    for (const Command& command : handOn(state, surface.handle())) {
        // Nobody sees the window any more.
        if (const Report* const said = command.as<Report>()) {
            std::fprintf(stderr, "warplens: %s\n", said->text.c_str());
        }
    }
    settings.keep(settingsNow(), Clock::duration::zero());
    // The first is drawn while the others wait.
    for (const FigureOrder& order : state.figures | std::views::drop(1)) {
        (void)drawFigure(order, picturesFolder());
    }
    return 0;
}

}  // namespace warplens
