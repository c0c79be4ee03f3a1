#include "app/window/state/program_commands.h"

#include <filesystem>

#include "app/window/state/editing.h"
#include "app/window/state/lesson_view.h"
#include "app/window/state/measuring_status.h"
#include "app/window/state/program_changes.h"
#include "app/window/state/program_editor.h"
#include "app/window/state/scene.h"
#include "app/window/state/timeline.h"
#include "core/course/course.h"
#include "core/text/files.h"

namespace warplens::window {
namespace {

bool isFile(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(path, ignored);
}

constexpr std::size_t mostRecent = 12;

void remember(AppState& state, const std::string& path) {
    std::error_code error;
    const std::filesystem::path whole = std::filesystem::absolute(path, error);
    if (error || !isFile(path)) return;
    const std::string name = whole.lexically_normal().string();
    std::erase(state.recent, name);
    state.recent.insert(state.recent.begin(), name);
    if (state.recent.size() > mostRecent) state.recent.resize(mostRecent);
}

/// In the field where the path was typed, which stays as it is; else over the panels.
void refuseFile(AppState& state, const std::string& path, const std::string& why) {
    if (state.program.asking) {
        state.program.proposed = path;
        state.program.problem = why;
        return;
    }
    report(state, MessageKind::error,
           "Not opened: " + why +
               (state.program.isOpen() ? "; " + state.program.path + " stays open." : "."));
}

/// At A's line, where this launch has it, too.
void holdAgainstPinned(AppState& state) {
    if (const auto pinned = launchHeldAgainst(state)) chooseLineLike(state.program, *pinned);
}

/// Of the chosen line; empty where there is none.
std::string chosenText(const AppState& state) {
    const ProgramState& program = state.program;
    return program.now && program.line != 0 && program.line <= program.now->lines.size()
               ? program.now->lines[program.line - 1]
               : std::string();
}

/// As a file or a launch begins: neither another one's block nor how that was looked at.
void showFirstBlock(AppState& state) {
    state.view.block = {};
    state.view.map = MapFollows::block;
}

/// Of all files that were left, and of the open one, which is left now.
std::map<std::string, LeftProgram> leftPrograms(ProgramState& program) {
    if (program.isOpen())
        program.others[program.path] = {program.now ? program.now : program.then, program.before,
                                        program.goal, std::move(program.editor)};
    return std::move(program.others);
}

}  // namespace

void perform(AppState& state, const AskForProgram& command) {
    state.program.asking = command.open;
    state.program.problem.clear();
    if (!command.open) state.program.proposed.clear();
}

void perform(AppState& state, const ProgramBrowsed& command) {
    if (!command.problem.empty()) {
        state.program.asking = true;
        state.program.problem = command.problem;
    } else if (!command.path.empty()) {
        if (state.view.mode != Mode::explore) setMode(state, Mode::explore);
        perform(state, OpenProgram{command.path});
    }
}

void perform(AppState& state, const SaveProgram&) {
    const ProgramEditor& editor = state.program.editor;
    state.outbox.savesProgram = editor.open && !editor.theirs;
}

void perform(AppState& state, const NewProgram& command) {
    std::string path = command.path;
    if (path.empty() && !state.program.asking) {
        // With its folder, to be given another name.
        std::error_code none;
        state.program.asking = true;
        state.program.problem.clear();
        state.program.proposed =
            newStem(std::filesystem::current_path(none), "kernel", {".cu"}).string() + ".cu";
        return;
    }
    if (!path.empty() && !path.ends_with(".cu") && !path.ends_with(".cuh")) path += ".cu";
    if (isFile(path)) return refuseFile(state, path, path + " is there already: open it");
    state.outbox.newProgram.emplace();
    state.outbox.newPath = path;
}

void perform(AppState& state, const OpenProgram& command) {
    if (command.path.ends_with(".json")) return openKept(state, command.path);
    if (std::error_code ignored; std::filesystem::is_directory(command.path, ignored)) {
        refuseFile(state, command.path,
                   command.path + " is a folder" +
                       (looksLikeCourse(command.path)
                            ? "; `warplens " + command.path + "` opens it as a course"
                            : ""));
        return;
    }
    const bool again = command.path == state.program.path;
    const bool stays = again || !state.program.isOpen();
    if ((!stays || state.program.asking) && !isFile(command.path)) {
        refuseFile(state, command.path, "there is no file " + command.path);
        return;
    }
    remember(state, command.path);
    if (tellsLesson(state)) leaveLessons(state);
    std::optional<View> explored =
        state.program.isOpen() ? std::move(state.program.explored) : state.view;
    if (!again) {
        giveUpProgram(state);
        leaveEditor(state);
        forgetFileMessages(state);
        state.view.step.reset();  // of another file's warp
        showFirstBlock(state);
    }
    std::map<std::string, LeftProgram> others = leftPrograms(state.program);
    LeftProgram then = std::exchange(others[command.path], {});
    others.erase(command.path);
    state.program = {
        .path = command.path,
        .stays = state.program.now != nullptr &&
                 sameFile(state.program.now->trace.program, command.path),
        .before = std::move(then.before),
        .then = std::move(then.now),
        .others = std::move(others),
        .goal = std::move(then.goal),
        .stage = "compiling",
        .launch = command.launch,
        .opened = state.program.opened + 1,
        .wishes = again ? std::move(state.program.wishes) : std::vector<ProposedValue>(),
        .proposed = {},
        .editor = std::move(then.editor),
        .problem = {},
        .results = stays ? std::move(state.program.results) : std::vector<ProgramResult>(),
        .machineCode = state.program.machineCode,
        .pictured = again && state.program.pictured,
        .explored = std::move(explored),
        .unconfined = state.program.unconfined};
}

void perform(AppState& state, const CloseProgram&) {
    giveUpProgram(state);
    leaveEditor(state);
    forgetFileMessages(state);
    const std::optional<View> explored = std::move(state.program.explored);
    std::map<std::string, LeftProgram> others = leftPrograms(state.program);
    state.program = {.path = {},
                     .left = std::move(state.program.path),
                     .others = std::move(others),
                     .stage = {},
                     .opened = state.program.opened,
                     .proposed = {},
                     .editor = {},
                     .problem = {},
                     .unconfined = state.program.unconfined};
    if (explored) takeView(state, launchOf(*explored));
}

void perform(AppState& state, const RunUnconfined&) {
    if (!state.program.isOpen()) return;
    state.program.unconfined = true;
    state.program.stage = "compiling";
    ++state.program.opened;
}

void perform(AppState& state, const ProgramText& command) {
    if (command.path != state.program.path) return;
    state.program.text = command.lines;
    forgetFileMessages(state);
    if (command.lines && !mayTakeBack(state.program, *command.lines))
        state.program.takeBack.reset();
    state.outbox.readsProgram = state.program.editor.open;
    if (state.program.stage.empty()) state.program.stage = "compiling";
}

void perform(AppState& state, const ProgramTraced& command) {
    if (command.path != state.program.path || !command.version) return;
    const bool isFirst = state.program.now == nullptr;
    const std::string line = chosenText(state);
    takeVersion(state.program, command.version);
    // Of another line its step is chosen by what is told of it, of another kernel all that is
    // shown.
    if (!isFirst && command.version->failure.empty()) {
        if (line != chosenText(state)) state.view.step.reset();
        const LaunchReport* const launch = chosenLaunch(state.program);
        const auto& before = state.program.before;
        if (launch != nullptr &&
            (!before || std::ranges::find(before->trace.launches, launch->kernel,
                                          &LaunchReport::kernel) == before->trace.launches.end())) {
            state.view.warp.reset();
            showFirstBlock(state);
        }
    }
    followExercise(state);
    // A main alone has no numbers; whoever comes back from the header wants to see it.
    const bool mayMove = isFirst && showsProgram(state) && !state.program.stays &&
                         state.program.wishes.empty() && !state.program.editor.open;
    if (const std::string header = mayMove ? fileOfAllKernels(state.program) : ""; isFile(header))
        return perform(state, OpenProgram{header, state.program.launch});
    if (isFirst) holdAgainstPinned(state);
    if (!showsProgram(state)) return;
    showProgramLaunch(state);
    showFoundBlock(state);
}

void perform(AppState& state, const RemediesFound& command) {
    state.program.remedies = command.remedies;
    state.program.remedy = SIZE_MAX;
}

void perform(AppState& state, const ApplyRemedy& command) {
    const ProgramRemedies* const found = ofNow(state.program.remedies, state.program);
    if (found == nullptr || command.remedy >= found->tried.size()) return;
    const TriedRemedy& tried = found->tried[command.remedy];
    if (tried.diff.empty()) return;
    state.outbox.writesRemedy = RemedyWrite{tried.file, tried.text, {}};
    state.program.takeBack.reset();
}

void perform(AppState& state, const ToggleLineGoal&) {
    ProgramState& program = state.program;
    program.goal = program.goal ? std::nullopt : goalOfLine(program);
}

void perform(AppState& state, const RemedyWritten& command) {
    forgetFileMessages(state);
    const RemedyWrite& back = command.back;
    if (!command.isTakenBack) state.program.takeBack = back;
    report(state, MessageKind::note,
           command.isTakenBack ? "Taken back: " + back.file + " is as it was."
                               : back.file + " was written.");
}

void perform(AppState& state, const ChooseProgramLaunch& command) {
    if (command.index != state.program.launch) showFirstBlock(state);
    chooseLaunch(state.program, command.index);
    holdAgainstPinned(state);
    takeView(state, {.array = std::optional<std::size_t>(), .step = noStep});
    state.playback.playing = false;
    showProgramLaunch(state);
    showFoundBlock(state);
    showLine(state);
}

void perform(AppState& state, const ChooseProgramLine& command) {
    if (state.program.now && command.line <= state.program.now->lines.size()) {
        state.program.line = command.line;
        ++state.program.linesChosen;
        state.program.isLinePicked = !command.isOfCaret;
        state.program.remedy = command.remedy;
        state.program.pictured = false;
        state.program.costs = command.costs;
        state.program.finding = command.finding;
        if (command.costs || command.finding) state.view.step.reset();
        if (command.costs) {
            state.program.blocksTried = 0;
            state.view.warp.reset();
            showFirstBlock(state);
        }
        showStepOfLine(state);
    }
}

void perform(AppState& state, const ChooseBlock& command) {
    state.program.blocksTried = mostBlocksTried;
    takeView(state, {.block = command.block});
}

void perform(AppState& state, const ShowFinding& command) {
    if (!state.program.now) return;
    const std::vector<Finding>& findings = state.program.now->trace.findings;
    if (command.finding >= findings.size()) return;
    const Finding& finding = findings[command.finding];
    if (finding.launch) perform(state, ChooseProgramLaunch{*finding.launch});
    if (finding.block) {
        perform(state, ChooseBlock{*finding.block});
    } else if (finding.launch) {
        state.view.warp.reset();
        showFirstBlock(state);
    }
    if (finding.thread) {
        const Extents block = state.view.experiment.launch.block;
        const Index3 thread = *finding.thread;
        if (thread.x < block.x && thread.y < block.y && thread.z < block.z) {
            state.view.warp = warpRankInBlock(threadRankInBlock(thread, block));
        }
    }
    perform(state, ChooseProgramLine{.line = finding.place.line, .finding = command.finding});
}

}  // namespace warplens::window
