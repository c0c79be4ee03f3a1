
#include "app/lessons/library.h"
#include "app/window/state/action_keys.h"
#include "app/window/state/actions.h"
#include "app/window/state/lesson_view.h"

namespace warplens::window {
namespace {

using enum ActGroup;
using namespace keys;

/// One press: twice as large in two.
constexpr double keyZoom = 1.4142135623730951;
constexpr double keyPan = 0.2;  ///< of the area
constexpr float keyTurn = 5;    ///< degrees
constexpr float keyMove = 2;    ///< cubes, as they are seen at zoom 1

/// What a row of the table is asked of.
using In = const AppState&;

template <auto command>
Command fixed(const AppState&) {
    return command;
}

template <int turn, int tilt>
Command turned(const AppState&) {
    return TurnBlock3d{turn * keyTurn, tilt * keyTurn};
}

Command zoomed(const AppState& state, double factor) {
    if (state.view.picture != PictureKind::block3d) return ZoomMap{factor};
    const Block3dView& block3d = state.block3d;
    return FrameBlock3d{block3d.zoom * static_cast<float>(factor), block3d.panX, block3d.panY};
}
Command closer(const AppState& state) {
    return zoomed(state, keyZoom);
}
Command further(const AppState& state) {
    return zoomed(state, 1 / keyZoom);
}

/// In steps to the right and down over what is seen, which moves the other way.
template <int right, int down>
Command moveOver(const AppState& state) {
    if (state.view.picture != PictureKind::block3d) {
        return PanMap{-right * keyPan * state.map.area.width,
                      -down * keyPan * state.map.area.height};
    }
    const Block3dView& block3d = state.block3d;
    const float step = keyMove / block3d.zoom;
    return FrameBlock3d{block3d.zoom, block3d.panX - right * step, block3d.panY - down * step};
}

template <int step>
Command scenarioAfter(const AppState& state) {
    const auto scenarios = allScenarios();
    const auto now = std::ranges::find(scenarios, state.edit.experiment.scenario, &Scenario::id);
    const auto count = static_cast<std::ptrdiff_t>(scenarios.size());
    const auto next = (now - scenarios.begin() + step + count) % count;
    return ChooseScenario{std::string(scenarios[static_cast<std::size_t>(next)].id)};
}

/// The next lesson behind the last page.
Command pageOrLesson(const AppState& state) {
    const Lesson* const lesson = shownLesson(state);
    const Lesson* const next = lessonBeside(state.view.lesson, 1);
    const auto progress = state.lesson.progress.find(state.view.lesson);
    const bool isLast = lesson != nullptr && progress != state.lesson.progress.end() &&
                        progress->second.page + 1 == pageCount(*lesson);
    if (isLast && next != nullptr && !questionIsOpen(state)) return OpenLesson{next->id};
    return TurnPage{1};
}

Command nextWarp(const AppState& state) {
    const std::uint32_t warps = warpCountPerBlock(state.view.experiment.launch.block);
    const auto held = state.view.warp;
    return ToggleWarp{{held ? (held->value + 1) % warps : 0}};
}

/// In the order of their numbers, and round.
template <int step>
Command blockOn(const AppState& state) {
    const Extents grid = state.view.experiment.launch.grid;
    const std::uint64_t rank = blockRankInGrid(state.view.block, grid);
    const std::uint64_t last = grid.count() - 1;
    const std::uint64_t next =
        step > 0 ? (rank == last ? 0 : rank + 1) : (rank == 0 ? last : rank - 1);
    return ChooseBlock{blockIndexInGrid(next, grid)};
}
bool hasBlocks(const AppState& state) {
    return state.view.mode == Mode::explore && state.view.experiment.launch.grid.count() > 1;
}
/// So many to the right and down, to the grid's edge.
template <int right, int down>
Command blockBeside(const AppState& state) {
    const Extents grid = state.view.experiment.launch.grid;
    Index3 block = state.view.block;
    block.x = right < 0 ? block.x - std::min(1u, block.x) : std::min(block.x + right, grid.x - 1);
    block.y = down < 0 ? block.y - std::min(1u, block.y) : std::min(block.y + down, grid.y - 1);
    return ChooseBlock{block};
}

bool always(const AppState&) {
    return true;
}
/// A person's own file makes its launches itself, and no letter leaves it for a scenario, nor a
/// lesson that is presented.
bool editsLaunch(const AppState& state) {
    return !showsProgram(state) && !state.present.lesson;
}
/// With the sizes and the block that were chosen here, where it can be launched with them.
Command contrasting(const AppState& state) {
    const std::string other(scenarioOf(state).comparedWith);
    if (other.empty()) return ChooseScenario{};
    const Experiment& shown = state.view.experiment;
    const Experiment opened = initialExperiment(scenarioOf(state));
    const Experiment theirs = initialExperiment(scenarioNamed(other));
    ExperimentRequest request{.scenario = other};
    for (const auto& [name, value] : shown.arguments.entries()) {
        const bool isChosen =
            !opened.arguments.contains(name) || opened.arguments.at(name) != value;
        if (isChosen && theirs.arguments.contains(name)) request.set.set(name, value);
    }
    if (shown.launch.block != opened.launch.block) request.block = shown.launch.block;
    if (request.set.entries().empty() && !request.block) return ChooseScenario{other};
    try {
        return Show{.experiment = complete(request)};
    } catch (const InvalidRequest&) {
        return ChooseScenario{other};
    }
}
template <PictureKind picture>
Command pictured(const AppState& state) {
    if (picture == PictureKind::times && showsProgram(state)) {
        return Report{MessageKind::note,
                      "When the blocks of a file's own launch run is not recorded: Time is of the "
                      "scenarios. The model of an SM is there, too."};
    }
    const bool back = rowOf(picture).toggles && state.view.picture == picture;
    if (back && state.program.pictured) return PictureProgram{false};
    return Show{.picture = back ? PictureKind::threads : picture};
}
template <RightTab tab>
Command atTheRight(const AppState&) {
    return Show{.tab = tab};
}
Command otherBelow(const AppState& state) {
    if (showsProgram(state)) return PictureProgram{!state.program.pictured};
    return Show{.below =
                    state.view.below == LowerTab::source ? LowerTab::memory : LowerTab::source};
}
/// Where there is nothing to pin, pinning says so.
bool mayPinB(const AppState& state) {
    return state.view.mode != Mode::present && !showsProgram(state);
}
bool hasPins(const AppState& state) {
    return state.pinnedA.has_value() || state.pinnedB.has_value() ||
           state.pinnedProgram.has_value();
}
Command costliest(const AppState& state) {
    return ChooseProgramLaunch{worstLaunch(state.program)};
}
Command applyRemedy(const AppState& state) {
    return ApplyRemedy{editOfLine(state.program).value_or(SIZE_MAX)};
}
/// Other fields undo what is typed in them by themselves.
bool edits(const AppState& state) {
    return state.view.mode == Mode::explore && state.program.editor.open && !state.program.asking &&
           !state.palette.open;
}
Command nextTab(const AppState& state) {
    return Show{.tab = after(state.view.tab)};
}
bool presents(const AppState& state) {
    return state.view.mode == Mode::present;
}
/// A remote sends a point for the black screen; a slide has text of its own size.
bool explores(const AppState& state) {
    return !presents(state);
}
/// The button of a presenter's remote that starts the slides sends F5, too.
bool measures(const AppState& state) {
    return !presents(state) && mayMeasure(state);
}
bool hasFile(const AppState& state) {
    return state.program.isOpen();
}
/// What is presented may have no steps.
bool hasSteps(const AppState& state) {
    return !presents(state) || figureShowsStep(state);
}
/// A presenter's remote sends arrows, too. From a black screen they lead back.
template <int pages>
Command pageOn(const AppState& state) {
    if (pages > 0 && state.present.lesson && questionIsOpen(state)) return RevealAnswer{};
    if (tellsLesson(state)) return TurnPage{pages};
    const bool moves = state.present.black || presentsPair(state) || hasSteps(state);
    if (presents(state) && !moves)
        return Report{MessageKind::note, "This slide has no steps: nothing comes next."};
    return MoveStep{pages};
}

/// In a text they are the text's.
bool hasPages(const AppState& state) {
    return !edits(state);
}
Command backToFile(const AppState& state) {
    return OpenProgram{state.program.left};
}
Command larger(const AppState& state) {
    return Show{.textScale = state.view.textScale * 1.1F};
}
Command smaller(const AppState& state) {
    return Show{.textScale = state.view.textScale / 1.1F};
}
Command normalText(const AppState&) {
    return Show{.textScale = 1};
}

constexpr Action row(Act act, ActGroup group, std::string_view name, std::string_view label,
                     std::string_view does, std::array<KeyPress, 4> presses,
                     Command (*command)(const AppState&),
                     bool (*sensible)(const AppState&) = always, bool whileTyping = false) {
    return {act, group, name, label, does, presses, command, sensible, whileTyping, {}};
}

constexpr std::array launchActions{
    // Before those of the same keys: they work while the file is typed in.
    row(Act::saveProgram, file, "editor.save", "Save", "While editing a file: save it",
        {{{'S', true, false}}}, fixed<SaveProgram{}>, edits, true),
    row(Act::undoTyping, file, "editor.undo", "Undo", "While editing a file: undo, redo",
        {{{'Z', true, false}}}, fixed<UndoTyping{}>, edits, true),
    row(Act::redoTyping, file, "editor.redo", "Redo", "While editing a file: undo, redo",
        {{{'Z', true, true}, {'Y', true, false}}}, fixed<RedoTyping{}>, edits, true),
    row(Act::measure, launch, "measure", "Measure", "Run this launch on the GPU",
        {{{keyF5}, {'M', true, false}}}, fixed<Measure{}>, measures, true),
    row(Act::cancel, launch, "cancel", "Cancel", "Cancel the measurement", {{{keyF5, false, true}}},
        fixed<CancelMeasure{}>, [](In state) { return running(state) != nullptr; }),
    row(Act::swapAxes, launch, "swap", "Swap x / y", "Swap x and y of the block", {{{'X'}}},
        fixed<SwapBlockAxes{}>, editsLaunch),
    row(
        Act::gridCovers, launch, "grid.covers", "", "Grid covers the problem, or stays as typed",
        {{{'G'}}}, [](In state) -> Command { return SetGridCovers{!state.edit.gridCovers}; },
        editsLaunch),
    row(Act::undo, launch, "undo", "Undo", "Undo", {{{'Z', true, false}}}, fixed<Undo{}>,
        [](In state) { return editsLaunch(state) && !state.undo.empty(); }),
    row(Act::redo, launch, "redo", "Redo", "Redo", {{{'Z', true, true}, {'Y', true, false}}},
        fixed<Redo{}>, [](In state) { return editsLaunch(state) && !state.redo.empty(); }),
    row(Act::typeLaunch, launch, "launch.type", "", "Type block, grid and sizes", {{{'I'}}},
        fixed<TypeLaunch{}>, [](In state) { return state.view.mode == Mode::explore; }),
    row(Act::nextScenario, launch, "scenario.next", "", "Next scenario", {{{'N'}}},
        scenarioAfter<1>, editsLaunch),
    row(Act::scenarioBefore, launch, "scenario.before", "", "Previous scenario",
        {{{'N', false, true}}}, scenarioAfter<-1>, editsLaunch),
    row(Act::contrast, launch, "scenario.contrast", "", "The scenario that shows the contrast",
        {{{'V'}}}, contrasting,
        [](In state) { return editsLaunch(state) && !scenarioOf(state).comparedWith.empty(); }),
};

/// `view.3d`
template <PictureKind picture>
constexpr auto pictureName = [] {
    constexpr std::string_view before = "view.";
    std::array<char, before.size() + rowOf(picture).word.size()> name{};
    std::ranges::copy(rowOf(picture).word, std::ranges::copy(before, name.begin()).out);
    return name;
}();

template <PictureKind picture>
constexpr Action pictureAction() {
    constexpr const PictureRow& shown = rowOf(picture);
    constexpr auto& name = pictureName<picture>;
    Action action = row(Act::picture, view, {name.data(), name.size()}, shown.label, shown.does,
                        {{{shown.key}}}, pictured<picture>);
    action.picture = picture;
    return action;
}

/// One for each picture that the window draws.
constexpr auto pictureActions = []<std::size_t... i>(std::index_sequence<i...>) {
    constexpr auto count = std::ranges::count_if(pictures, isInWindow);
    std::array<Action, count> actions{};
    std::size_t at = 0;
    ((isInWindow(pictures[i]) ? void(actions.at(at++) = pictureAction<pictures[i].picture>())
                              : void()),
     ...);
    return actions;
}
(std::make_index_sequence<pictures.size()>{});

constexpr std::array otherActions{
    row(Act::cellNumbers, view, "cells", "",
        "What stands in the cells: warp, coordinates, rank, element", {{{'E'}}},
        [](In state) -> Command { return Show{.numbers = after(state.view.numbers)}; }),
    row(Act::fit, view, "map.fit", "",
        "The chosen block, or the whole grid when that is what is seen", {{{'F'}}},
        [](In state) -> Command {
            const bool isBlock = state.view.map == MapFollows::block;
            return Show{.map = isBlock ? MapFollows::grid : MapFollows::block};
        }),
    row(Act::closer, view, "map.closer", "+", "Closer to the threads",
        {{{'='}, {'=', false, true}, {keypadAdd}}}, closer),
    row(Act::further, view, "map.further", "–", "Further away from the threads",
        {{{'-'}, {keypadSubtract}}}, further),
    row(Act::moveLeft, view, "map.left", "", "Move over the map, or round the cubes",
        {{{keyLeft, true, false}}}, moveOver<-1, 0>),
    row(Act::moveRight, view, "map.right", "", "Move over the map, or round the cubes",
        {{{keyRight, true, false}}}, moveOver<1, 0>),
    row(Act::moveUp, view, "map.up", "", "Move over the map, or round the cubes",
        {{{keyUp, true, false}}}, moveOver<0, -1>),
    row(Act::moveDown, view, "map.down", "", "Move over the map, or round the cubes",
        {{{keyDown, true, false}}}, moveOver<0, 1>),
    row(Act::spread, view, "cubes.apart", "", "The cubes' warps apart, or together", {{{'D'}}},
        [](In state) -> Command { return SpreadWarps{state.block3d.apart > 0 ? 0.0F : 1.0F}; }),
    row(Act::resetBlock3d, view, "cubes.reset", "Reset",
        "The cubes whole, together, and seen as at the start", {{{'R'}}}, fixed<ResetBlock3d{}>),
    row(Act::turnLeft, view, "cubes.left", "", "Turn and tilt the cubes",
        {{{keyLeft, false, true}}}, turned<-1, 0>),
    row(Act::turnRight, view, "cubes.right", "", "Turn and tilt the cubes",
        {{{keyRight, false, true}}}, turned<1, 0>),
    row(Act::turnUp, view, "cubes.up", "", "Turn and tilt the cubes", {{{keyUp, false, true}}},
        turned<0, -1>),
    row(Act::turnDown, view, "cubes.down", "", "Turn and tilt the cubes",
        {{{keyDown, false, true}}}, turned<0, 1>),
    row(Act::nextWarp, warp, "warp.next", "", "Select the next warp", {{{'W'}}}, nextWarp),
    row(Act::nextBlock, warp, "block.next", "", "Select the next block of the grid", {{{'J'}}},
        blockOn<1>, hasBlocks),
    row(Act::blockBefore, warp, "block.before", "", "Select the block before",
        {{{'J', false, true}}}, blockOn<-1>, hasBlocks),
    row(Act::blockLeft, warp, "block.left", "",
        "When Tab has come to the map: the block beside, above or below", {{{keyLeft}}},
        blockBeside<-1, 0>, hasBlocks),
    row(Act::blockRight, warp, "block.right", "",
        "When Tab has come to the map: the block beside, above or below", {{{keyRight}}},
        blockBeside<1, 0>, hasBlocks),
    row(Act::blockUp, warp, "block.up", "",
        "When Tab has come to the map: the block beside, above or below", {{{keyUp}}},
        blockBeside<0, -1>, hasBlocks),
    row(Act::blockDown, warp, "block.down", "",
        "When Tab has come to the map: the block beside, above or below", {{{keyDown}}},
        blockBeside<0, 1>, hasBlocks),
    row(Act::slideSpace, teach, "present.space", "",
        "While presenting a lesson: what comes next, or its question's answer",
        {{{' '}, {keyEnter}, {keypadEnter}}}, pageOn<1>,
        [](In state) { return state.present.lesson; }),
    row(Act::play, warp, "play", "", "Play the steps of the warp or the lesson's picture, or pause",
        {{{' '}}},
        [](In state) -> Command {
            return state.view.mode == Mode::learn ? Command(PlayMotion{}) : Command(TogglePlay{});
        }),
    row(Act::stepBefore, warp, "step.before", "<", "The warp's step before",
        {{{','}, {',', false, true}}}, fixed<MoveStep{-1}>, hasSteps),
    row(Act::stepAfter, warp, "step.after", ">", "The warp's next step",
        {{{'.'}, {'.', false, true}}}, fixed<MoveStep{1}>, explores),
    row(Act::memory, warp, "tab.memory", "Memory", "What the warp's step accesses", {{}},
        [](In) -> Command { return Show{.below = LowerTab::memory}; }),
    row(Act::source, warp, "tab.source", "Source",
        "The source with its costs; again: memory or picture", {{{'U'}}}, otherBelow),
    row(Act::pinA, compare, "pin.a", "Pin A", "Pin the shown result as A, to compare others with",
        {{{'A'}}}, fixed<Pin{PinSlot::a}>,
        [](In state) { return !showsProgram(state) || chosenLaunch(state.program) != nullptr; }),
    row(Act::pinB, compare, "pin.b", "Pin B", "Pin the shown result as B", {{{'B'}}},
        fixed<Pin{PinSlot::b}>, mayPinB),
    row(Act::clearPins, compare, "pin.clear", "Clear", "Compare no longer", {{}},
        fixed<ClearPins{}>, hasPins),
    row(Act::nextTab, compare, "tab.next", "", "Measured, sweep or roof at the right", {{{'K'}}},
        nextTab),
    row(Act::measured, compare, "tab.measured", "Measured",
        "What this launch costs: predicted and measured", {{}}, atTheRight<RightTab::measured>),
    row(Act::sweep, compare, "tab.sweep", "Sweep", "This launch with one thing varied", {{}},
        atTheRight<RightTab::sweep>),
    row(Act::roof, compare, "tab.roof", "Roof", "Arithmetic against memory: the matrix products",
        {{}}, atTheRight<RightTab::roof>),
    row(Act::costliest, compare, "program.costliest", "Costliest line",
        "The costliest line of the open file, in its launch; what is wrong comes first", {{}},
        costliest,
        [](In state) { return showsProgram(state) && chosenLaunch(state.program) != nullptr; }),
    row(Act::applyRemedy, compare, "program.apply", "Apply",
        "Apply the remedy of the chosen line: the fix is written to the file", {{}}, applyRemedy,
        [](In state) { return showsProgram(state) && editOfLine(state.program).has_value(); }),
    row(Act::takeRemedyBack, compare, "program.take-back", "Take the change back",
        "Take the remedy that was applied back: its file is written as it was before",
        {{{'Z', true, false}}}, fixed<TakeRemedyBack{}>,
        [](In state) { return showsProgram(state) && state.program.takeBack && !edits(state); }),
    row(Act::lessons, teach, "lessons", "Lessons",
        "The lesson of what is shown; again: back to exploring", {{{'L'}}}, fixed<ToggleLessons{}>),
    row(Act::lessonList, teach, "lesson.list", "Lessons",
        "All lessons and courses, and how far you have come", {{}},
        [](In) -> Command { return OpenLesson{}; }),
    row(Act::pageOn, teach, "page.on", "", "The next step, or the lesson's next page",
        {{{keyPageDown}}}, pageOn<1>, hasPages, true),
    row(Act::pageEnter, teach, "page.enter", "", "In a lesson, after your answer: the next page",
        {{{keyEnter}, {keypadEnter}}}, pageOrLesson,
        [](In state) {
            return state.view.mode == Mode::learn && !state.view.lesson.empty() &&
                   !questionIsOpen(state);
        }),
    row(Act::pageBack, teach, "page.back", "", "The step or the page before", {{{keyPageUp}}},
        pageOn<-1>, hasPages, true),
    row(Act::motion, teach, "motion", "", "Pictures move on their own, or keep still", {{}},
        [](In state) -> Command { return AllowMotion{!state.motion}; }),
    row(Act::present, teach, "present", "Present",
        "The picture alone, or the lesson's pages, for the back row; Esc ends it", {{{'P'}}},
        [](In state) -> Command {
            return SetMode{state.view.mode == Mode::present ? Mode::explore : Mode::present};
        }),
    row(Act::slideOn, teach, "present.on", "", "While presenting: what comes next, as Page Down",
        {{{keyRight}, {keyDown}}}, pageOn<1>, presents),
    row(Act::slideBack, teach, "present.before", "", "While presenting: what was before",
        {{{keyLeft}, {keyUp}}}, pageOn<-1>, presents),
    row(Act::black, teach, "present.black", "", "While presenting: a black screen",
        {{{'B'}, {'.'}}}, fixed<ToggleBlack{}>, presents),
    row(Act::spotlight, teach, "present.spotlight", "",
        "While presenting: light on what the pointer is at", {{{'H'}}}, fixed<ToggleSpotlight{}>,
        presents),
    row(Act::figure, file, "figure", "Figure", "Save a figure for a slide: PDF, SVG and PNG",
        {{{'S'}}}, [](In state) -> Command { return OpenFigure{!state.figure.open}; }),
    row(Act::copyFigure, file, "figure.copy", "", "Copy the figure to the clipboard",
        {{{'C', true, false}}}, fixed<DrawFigure{FigureTarget::clipboard}>),
    row(Act::copyScene, file, "scene.copy", "", "Copy what is shown as one line of text, a scene",
        {{{'C', true, true}}}, fixed<CopyText{CopiedText::scene}>),
    row(Act::pasteScene, file, "scene.paste", "", "Show the scene that is in the clipboard",
        {{{'V', true, false}}}, fixed<PasteScene{}>),
    row(Act::saveScene, file, "scene.save", "", "Save what is shown as a file, a scene",
        {{{'S', true, false}}}, fixed<SaveScene{}>),
    row(Act::copyCsv, file, "table.csv", "", "Copy the table of the open tab as CSV", {{}},
        fixed<CopyText{CopiedText::csv}>),
    row(Act::copyMarkdown, file, "table.markdown", "", "Copy the table of the open tab as Markdown",
        {{}}, fixed<CopyText{CopiedText::markdown}>),
    row(Act::copyProgress, file, "progress.copy", "",
        "Copy my progress in the lessons as CSV, to hand in", {{}},
        fixed<CopyText{CopiedText::progress}>),
    row(Act::openFile, file, "program.ask", "Open a file", "Open a .cu file of your own",
        {{{'O', true, false}}},
        [](In state) -> Command { return AskForProgram{!state.program.asking}; }, always, true),
    row(Act::browse, file, "program.browse", "Browse", "Choose a file in the desktop's dialog",
        {{{'O', true, true}}}, fixed<BrowseForProgram{}>, always, true),
    row(Act::editProgram, file, "program.edit", "Edit", "Edit the open file here",
        {{{'E', true, false}}},
        [](In state) -> Command { return EditProgram{!state.program.editor.open}; }, hasFile, true),
    row(Act::editOutside, file, "program.outside", "My editor",
        "Open the file in your own editor, at the line", {{{'E', true, true}}},
        fixed<EditOutside{}>, hasFile, true),
    row(Act::newProgram, file, "program.new", "New file",
        "Begin a new .cu file: it asks for its name and folder", {{}},
        [](In) -> Command { return NewProgram{}; }),
    row(Act::closeFile, file, "program.close", "< Scenarios", "Back to the built-in scenarios",
        {{}}, fixed<CloseProgram{}>, hasFile),
    row(Act::backToFile, file, "program.back", "Back to the file",
        "Back to the file that was open before", {{}}, backToFile,
        [](In state) { return !state.program.left.empty(); }),
    row(Act::saveMeasured, file, "program.save", "Save measured",
        "Save what was measured of the open file, as measure --save does", {{}},
        fixed<SaveMeasured{}>,
        [](In state) { return showsProgram(state) && resultOfChosen(state.program) != nullptr; }),
    row(Act::startAgain, file, "start.again", "Start again",
        "Start again: the course with its kernels as they are saved now", {{}}, fixed<StartAgain{}>,
        [](In state) { return state.kernelsSaved; }),
    row(Act::theme, window, "theme", "", "Dark or light", {{{'T'}}},
        [](In state) -> Command {
            return Show{.theme = state.view.theme == Theme::dark ? Theme::light : Theme::dark};
        }),
    row(Act::projector, window, "projector", "Projector", "Projector: light and large",
        {{{'P', false, true}}}, fixed<ToggleProjector{}>),
    row(Act::larger, window, "text.larger", "A+", "Larger text",
        {{{'=', true, false}, {'=', true, true}, {keypadAdd, true, false}}}, larger, explores,
        true),
    row(Act::smaller, window, "text.smaller", "A–", "Smaller text",
        {{{'-', true, false}, {keypadSubtract, true, false}}}, smaller, explores, true),
    row(Act::normalText, window, "text.normal", "", "Text at its normal size",
        {{{'0', true, false}}}, normalText, explores, true),
    row(Act::palette, window, "palette", "Find", "Find a command, a scenario, a lesson or a file",
        {{{'K', true, false}, {'P', true, true}}},
        [](In state) -> Command { return OpenPalette{!state.palette.open}; }, always, true),
    row(Act::help, window, "help", "?", "Words, mouse and keys", {{{keyF1}, {'/', false, true}}},
        [](In state) -> Command { return SetHelpOpen{!state.helpOpen}; }, always, true),
    row(Act::back, window, "back", "", "Deselect the warp; close what is open", {{{keyEscape}}},
        fixed<StepBack{}>)};

constexpr auto actions = [] {
    std::array<Action, launchActions.size() + pictureActions.size() + otherActions.size()> all{};
    auto end = std::ranges::copy(launchActions, all.begin()).out;
    end = std::ranges::copy(pictureActions, end).out;
    std::ranges::copy(otherActions, end);
    return all;
}();

constexpr bool isInOrder() {
    auto next = std::size_t{0};
    for (std::size_t i = 0; i < actions.size(); ++i) {
        const bool again =
            i > 0 && actions.at(i).act == Act::picture && actions.at(i - 1).act == Act::picture;
        if (!again && static_cast<std::size_t>(actions.at(i).act) != next++) return false;
    }
    return next == static_cast<std::size_t>(Act::back) + 1;
}
static_assert(isInOrder(), "a row for each Act, in its order, and one for each picture");

}  // namespace

std::span<const Action> allActions() {
    return actions;
}

}  // namespace warplens::window
