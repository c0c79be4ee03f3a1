#include "app/window/window.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <backends/imgui_impl_glfw.h>
#include <chrono>
#include <imgui.h>

#include "app/window/figure_job.h"
#include "app/window/gl/window_surface.h"
#include "app/window/measuring.h"
#include "app/window/opening.h"
#include "app/window/prediction_job.h"
#include "app/window/settings.h"
#include "app/window/state/shortcuts.h"
#include "app/window/state/timeline.h"
#include "app/window/state_file.h"
#include "app/window/sweep_jobs.h"
#include "app/window/ui.h"

namespace warplens {
namespace window {
namespace {

using Clock = std::chrono::steady_clock;

static_assert(GLFW_KEY_ESCAPE == 256 && GLFW_KEY_F1 == 290 && GLFW_KEY_F5 == 294 &&
                  GLFW_KEY_KP_ADD == 334 && GLFW_KEY_KP_SUBTRACT == 333 && GLFW_KEY_RIGHT == 262 &&
                  GLFW_KEY_LEFT == 263 && GLFW_KEY_DOWN == 264 && GLFW_KEY_UP == 265 &&
                  GLFW_KEY_SPACE == 32,
              "the key numbers of state/shortcuts.cpp are GLFW's");

/// Lane accesses traced exactly for a prediction in the window: about four seconds of one core,
/// beside the drawing.
constexpr std::uint64_t tracedInWindow = 400'000'000;

/// Dear ImGui settles sizes and hovers in the frames after an event.
constexpr int framesAfterEvent = 3;

/// Keys pressed since they were last taken, and whether anything happened at all.
struct Input final {
    std::vector<KeyPress> keys;
    int framesDue = framesAfterEvent;
};

Input& inputOf(GLFWwindow* window) {
    return *static_cast<Input*>(glfwGetWindowUserPointer(window));
}

void listen(GLFWwindow* window, Input& input) {
    glfwSetWindowUserPointer(window, &input);
    glfwSetKeyCallback(window, [](GLFWwindow* w, int key, int, int action, int mods) {
        inputOf(w).framesDue = framesAfterEvent;
        if (action == GLFW_RELEASE) return;
        inputOf(w).keys.push_back(
            {key, (mods & GLFW_MOD_CONTROL) != 0, (mods & GLFW_MOD_SHIFT) != 0});
    });
    glfwSetCharCallback(window,
                        [](GLFWwindow* w, unsigned) { inputOf(w).framesDue = framesAfterEvent; });
    glfwSetCursorPosCallback(
        window, [](GLFWwindow* w, double, double) { inputOf(w).framesDue = framesAfterEvent; });
    glfwSetMouseButtonCallback(
        window, [](GLFWwindow* w, int, int, int) { inputOf(w).framesDue = framesAfterEvent; });
    glfwSetScrollCallback(
        window, [](GLFWwindow* w, double, double) { inputOf(w).framesDue = framesAfterEvent; });
    glfwSetCursorEnterCallback(window,
                               [](GLFWwindow* w, int) { inputOf(w).framesDue = framesAfterEvent; });
    glfwSetWindowFocusCallback(window,
                               [](GLFWwindow* w, int) { inputOf(w).framesDue = framesAfterEvent; });
    glfwSetWindowRefreshCallback(window,
                                 [](GLFWwindow* w) { inputOf(w).framesDue = framesAfterEvent; });
    glfwSetFramebufferSizeCallback(
        window, [](GLFWwindow* w, int, int) { inputOf(w).framesDue = framesAfterEvent; });
}

/// ImGui's part of the GLFW window, ended before ImGui and the window are.
struct GlfwBackend final {
    explicit GlfwBackend(GLFWwindow* window) {
        ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
        // Keeps our callbacks and calls them before its own.
        ImGui_ImplGlfw_InitForOpenGL(window, true);
    }
    GlfwBackend(const GlfwBackend&) = delete;
    GlfwBackend& operator=(const GlfwBackend&) = delete;
    ~GlfwBackend() { ImGui_ImplGlfw_Shutdown(); }
};

/// Writes the settings when they changed, at most every few seconds; says once when it cannot.
class SettingsKeeper final {
  public:
    SettingsKeeper(std::filesystem::path file, Settings saved)
        : file_(std::move(file)), saved_(std::move(saved)) {}

    void keep(AppState& state, PixelSize size, bool now) {
        const Settings settings = settingsOf(state, size.width, size.height);
        if (file_.empty() || settings == saved_ ||
            (!now && Clock::now() - last_ < std::chrono::seconds(2))) {
            return;
        }
        last_ = Clock::now();
        try {
            writeSettings(file_, settings);
            saved_ = settings;
        } catch (const std::exception& error) {
            apply(state, Report{MessageKind::warning,
                                "The settings cannot be kept: " + std::string(error.what())});
            file_.clear();
        }
    }

  private:
    std::filesystem::path file_;
    Settings saved_;
    Clock::time_point last_ = Clock::now();
};

/// How long to sleep for events, seconds.
double patience(const AppState& state, const Input& input, bool typing) {
    if (input.framesDue > 0) return 0.001;
    if (running(state) != nullptr) return 0.03;
    if (const auto next = secondsToNextStep(state)) return std::clamp(*next, 0.001, 1.0);
    return typing ? 0.2 : 1.0;  // the caret blinks
}

}  // namespace
}  // namespace window

int runWindow(const WindowOptions& options) {
    using namespace window;
    Opening opening = openState(options);
    AppState& state = opening.state;
    WindowSurface surface("Warplens", {opening.settings.width, opening.settings.height});
    Input input;
    listen(surface.handle(), input);
    Ui ui;
    const GlfwBackend backend(surface.handle());
    Measuring measuring(options.workerCommand, options.counters);
    PredictionJob prediction(kernelPredictor(tracedInWindow), [] { glfwPostEmptyEvent(); });
    NewestJob<BlockPlace> blockPrediction(predictBlockNow, [] { glfwPostEmptyEvent(); });
    NewestJob<WarpPlace> tracing(
        [](const WarpPlace& place, const std::stop_token&) {
            return WarpTraced{std::make_shared<const WarpTrace>(traceWarp(place))};
        },
        [] { glfwPostEmptyEvent(); });
    FigureJob figures([] { glfwPostEmptyEvent(); });
    SweepJobs sweeps(sweepFileBeside(options.settingsFile), [] { glfwPostEmptyEvent(); });
    SettingsKeeper settings(options.settingsFile, opening.settings);
    StateFile stateFile;
    const auto applyAll = [&](const Commands& commands) {
        for (const Command& command : commands) window::apply(state, command);
        if (!commands.empty()) input.framesDue = framesAfterEvent;
    };

    Clock::time_point lastTick = Clock::now();
    while (glfwWindowShouldClose(surface.handle()) == GLFW_FALSE) {
        glfwWaitEventsTimeout(patience(state, input, ui.typing()));
        const Clock::time_point now = Clock::now();
        const std::chrono::duration<double> passed = now - std::exchange(lastTick, now);
        window::apply(state, Tick{passed.count()});
        for (const KeyPress& key : std::exchange(input.keys, {})) {
            // It presses the button that the keyboard has moved to.
            if (key.key == GLFW_KEY_SPACE && ImGui::GetIO().NavVisible) continue;
            if (const auto command = commandFor(state, key, ui.typing())) applyAll({*command});
        }
        applyAll(measuring.step(state));
        applyAll(figures.step(state));
        applyAll(sweeps.step(state));
        if (auto command = prediction.take()) applyAll({*command});
        // The shown block first: it is done before the next frame.
        if (auto command = blockPrediction.take()) applyAll({*command});
        blockPrediction.want({state.shown, state.selection.block});
        prediction.want(state.shown);
        if (auto command = tracing.take()) applyAll({*command});
        tracing.want(warpInFocus(state));

        surface.bind();
        ImGui_ImplGlfw_NewFrame();
        const Commands commands = ui.draw(state, surface.contentScale());
        if (input.framesDue > 0) --input.framesDue;
        for (const Command& command : commands) {
            // Pointing repeats every frame and needs no further ones.
            const bool pointing = std::holds_alternative<PointAtThread>(command);
            const auto before = state.selection.thread;
            window::apply(state, command);
            if (!pointing || state.selection.thread != before) input.framesDue = framesAfterEvent;
        }
        surface.present();
        stateFile.update(state, ui.rects(),
                         input.framesDue == 0 && running(state) == nullptr && !prediction.busy() &&
                             !blockPrediction.busy() && !tracing.busy() && !sweeps.busy());
        settings.keep(state, surface.windowSize(), false);
    }
    settings.keep(state, surface.windowSize(), true);
    return 0;
}

}  // namespace warplens
