#include "app/window/session.h"

#include <cstdio>
#include <imgui.h>
#include <ranges>

#include "app/window/gl/program.h"
#include "app/window/program_tracer.h"
#include "app/window/state/action_keys.h"
#include "app/window/state/actions.h"
#include "app/window/state/apply.h"
#include "app/window/state/editing.h"
#include "app/window/state/in_words.h"
#include "app/window/state/program_editor.h"
#include "app/window/state/scene.h"
#include "app/window/state/timeline.h"
#include "core/json/json.h"
#include "core/text/files.h"

namespace warplens::window {
namespace {

using Clock = std::chrono::steady_clock;

/// How long nothing has to happen before a program is compiled, seconds.
constexpr double betweenPrograms = 0.15;

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
Commands handOn(const AppState& state, Display& display) {
    Commands commands;
    const Outbox& outbox = state.outbox;
    if (outbox == Outbox{}) return commands;
    if (!outbox.text.empty()) {
        display.setClipboard(outbox.text);
        commands.emplace_back(Report{MessageKind::note, outbox.words});
    }
    append(commands, exchangeFiles(state));
    if (outbox.saves) commands.push_back(sceneSaved(state));
    if (outbox.savesMeasured) commands.push_back(measuredSaved(state.program));
    if (outbox.pastes) {
        commands.emplace_back(OpenScene{display.clipboard()});
    }
    commands.emplace_back(OutboxTaken{});
    return commands;
}

}  // namespace

Session::Session(const WindowOptions& options, Opening opening, Display& display)
    : display_(display),
      asksToEnd_(options.asksToEnd),
      opening_(std::move(opening)),
      measuring_({.command = options.workerCommand, .deadline = options.deadline}, options.counters,
                 prepareMeasurement, wakeDisplay),
      prediction_(predictNow, wakeDisplay),
      compiled_(predictCompiledNow, wakeDisplay),
      blockPrediction_(predictBlockNow, wakeDisplay),
      tracing_(traceWarpNow, wakeDisplay),
      lessons_(tellNow, wakeDisplay),
      modelling_(modelNow, wakeDisplay),
      lessonWatch_(wakeDisplay),
      presenting_(presentNow, wakeDisplay),
      previewing_(previewNow, wakeDisplay),
      figures_(drawFigureNow, wakeDisplay),
      programs_(traceVersion, wakeDisplay),
      programSteps_(traceStepsNow, wakeDisplay),
      remedies_([](const RemedyPlace& place,
                   const std::stop_token& stop) { return findRemediesNow(place, stop); },
                wakeDisplay),
      differences_(findDifferencesNow, wakeDisplay),
      browsing_(browseNow, wakeDisplay),
      compiling_(compileNow, wakeDisplay),
      sweeps_(sweepFileBeside(options.settingsFile), wakeDisplay),
      settings_(options.settingsFile, opening_.settings, wakeDisplay) {
    ui_.compileAtMost(1);
}

Session::~Session() {
    leaveEditor(state_);
    for (const Command& command : handOn(state_, display_)) {
        // Nobody sees the window any more.
        if (const Report* const said = command.as<Report>()) {
            std::fprintf(stderr, "warplens: %s\n", said->text.c_str());
        }
    }
    settings_.keep(settingsNow(), Clock::duration::zero());
    // The first is drawn while the others wait.
    for (const FigureOrder& order : state_.figures | std::views::drop(1)) {
        (void)drawFigure(order, picturesFolder());
    }
}

double Session::patience() const {
    if (input_->framesDue()) return 0;
    double most = running(state_) != nullptr || state_.places.asking ? 0.03 : 1;
    if (state_.time.model.playing && showsModel(state_)) most = 0.03;
    if (ui_.typing()) most = std::min(most, 0.2);  // the caret blinks
    for (const auto next :
         {secondsToNextMotion(state_), secondsToNextFade(state_), secondsToNextStep(state_)}) {
        // Less than where nothing is to come: a page rests only then.
        if (next) most = std::clamp(*next, 0.001, std::min(most, 0.99));
    }
    return prepared_ ? most : std::min(most, betweenPrograms);
}

void Session::applyAll(const Commands& commands) {
    for (const Command& command : commands) window::apply(state_, command);
    if (!commands.empty()) input_->wantFrames();
}

template <class Job>
void Session::follow(Job& job) {
    if (auto command = job.take()) applyAll({*command});
}

Settings Session::settingsNow() const {
    const PixelSize size = display_.designSize();
    return settingsOf(state_, size.width, size.height);
}

void Session::press(const std::vector<KeyPress>& presses) {
    const bool typing = ui_.typing();
    for (const KeyPress& key : presses) {
        // It presses the button that the keyboard has moved to.
        if (key.key == ' ' && ImGui::GetIO().NavVisible && !state_.helpOpen) continue;
        if (key.key == keys::keyTab && !key.control) ui_.order().move(key.shift ? -1 : 1);
        // What one has come to by Tab takes digits before they are keys.
        if (!typing && !key.control && key.key >= '0' && key.key <= '9' &&
            ui_.order().type(key.key)) {
            continue;
        }
        const bool enters = key.key == keys::keyEnter || key.key == keys::keypadEnter;
        if (enters && !state_.palette.open) {
            ui_.order().press();
            if (ImGui::GetIO().NavVisible) continue;
        }
        // What arrows move is what has the focus, but for a presenter's remote.
        const bool isArrow =
            key.key >= keys::keyRight && key.key <= keys::keyUp && !key.control && !key.shift;
        if (isArrow && state_.view.mode == Mode::explore && !state_.palette.open &&
            !state_.helpOpen && ui_.order().focused() != "map")
            continue;
        if (const auto command = commandFor(state_, key, typing)) applyAll({*command});
    }
}

/// Takes what came of them, and has them do what the state asks for now.
void Session::startJobs() {
    applyAll(measuring_.step(state_));
    follow(figures_);
    // One after the other: the next is the first when this one has been drawn.
    if (!state_.figures.empty()) figures_.want(state_.figures.front());
    applyAll(sweeps_.step(state_));
    for (const std::string& path : input_->takeDropped()) applyAll({OpenProgram{path}});
    applyAll(programs_.step(state_));
    applyAll(handOn(state_, display_));
    applyAll(settings_.step());
    follow(prediction_);
    // The shown block first: it is done before the next frame.
    follow(blockPrediction_);
    blockPrediction_.want({state_.view.experiment, state_.view.block});
    prediction_.want(state_.view.experiment);
    follow(compiled_);
    if (shownPrediction(state_) != nullptr) compiled_.want(state_.view.experiment);
    follow(programSteps_);
    if (const auto place = wantedSteps(state_)) programSteps_.want(*place);
    // What is saved next is another version: what is tried of this one ends.
    follow(remedies_);
    if (const auto place = wantedRemedies(state_.program)) remedies_.want(*place);
    follow(differences_);
    if (const auto place = wantedDifferences(state_.program)) differences_.want(*place);
    follow(browsing_);
    if (state_.browses != 0) browsing_.want(state_.browses);
    follow(compiling_);
    if (const auto place = wantedCompilation(state_)) compiling_.want(*place);
    follow(tracing_);
    if (const WarpPlace place = warpInFocus(state_);
        !showsProgram(state_) || place.program != nullptr) {
        tracing_.want(place);
    }
    follow(modelling_);
    if (showsModel(state_)) {
        if (const auto place = modelPlace(state_)) modelling_.want(*place);
    }
    follow(lessonWatch_);
    follow(lessons_);
    if (tellsLesson(state_)) {
        if (const auto place = lessonPlace(state_)) lessons_.want(*place);
    }
    follow(previewing_);
    if (state_.figure.open) previewing_.want(previewPlace(state_));
    display_.fillScreen(state_.view.mode == Mode::present);
    follow(presenting_);
    if (state_.view.mode == Mode::present) {
        if (!std::exchange(hasPresented_, true) && !presentsPair(state_))
            report(state_, MessageKind::note, "Esc ends presenting.");
        const ImVec2 screen = ImGui::GetIO().DisplaySize;
        presenting_.want(
            presentPlace(state_, static_cast<int>(screen.x), static_cast<int>(screen.y)));
    }
}

std::string Session::description() const {
    const std::string beside = lessonInWords(state_) + programInWords(state_);
    const FigureOrder order = figureOf(state_);
    // A file of which nothing is known has no launch, and behind a list no launch is shown.
    const bool hasLaunch = tellsLesson(state_)
                               ? shownLesson(state_) != nullptr && !questionIsOpen(state_)
                               : !showsProgram(state_) || order.program;
    if (!hasLaunch) return beside;
    return beside + (beside.empty() ? "" : "\n") + describeFigure(order);
}

void Session::draw() {
    display_.bind();
    const Commands commands = ui_.draw(state_, display_.contentScale());
    for (const Command& command : commands) {
        // Pointing repeats every frame and needs no further ones.
        const bool pointing = command.is<PointAtThread>();
        const auto before = state_.pointed;
        window::apply(state_, command);
        if (!pointing || state_.pointed != before) input_->wantFrames();
    }
    if (!ui_.complete()) input_->wantFrames();
    if (stateFile_.wanted()) display_.finish();
    meter_.pause();
    display_.present();
    meter_.resume();
}

bool Session::isSettled() const {
    const auto anyBusy = [](const auto&... jobs) { return (jobs.busy() || ...); };
    return !input_->framesDue() && running(state_) == nullptr &&
           !anyBusy(prediction_, compiled_, blockPrediction_, tracing_, sweeps_, lessons_,
                    modelling_, presenting_, previewing_, programs_, programSteps_, compiling_,
                    remedies_, differences_);
}

bool Session::frame() {
    if (display_.isClosed() || state_.startsAgain || (asksToEnd_ != nullptr && asksToEnd_()))
        return false;
    const bool quiet = input_->await(patience());
    meter_.begin();
    const Clock::time_point now = Clock::now();
    const std::chrono::duration<double> passed = now - std::exchange(lastTick_, now);
    window::apply(state_, Tick{passed.count()});
    press(input_->beginFrame());
    startJobs();
    draw();
    settings_.keep(settingsNow());
    const bool settled = isSettled();
    // While nothing happens, so that no picture waits for its program when it is first wanted.
    if (!prepared_ && quiet && settled) {
        display_.bind();
        try {
            prepared_ = !ui_.prepareNext();
        } catch (const ShaderError&) {
            prepared_ = true;  // it is said when that picture is wanted
        }
    }
    meter_.end();
    stateFile_.update(state_, ui_.rects(), ui_.order().focused(), meter_.times(), settled);
    return true;
}

}  // namespace warplens::window
