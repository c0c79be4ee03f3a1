#include "app/window/state/shortcuts.h"

#include <algorithm>

namespace warplens::window {
namespace {

// GLFW's numbers, written out so that the state needs no window library; window.cpp asserts them.
constexpr int keyEscape = 256;
constexpr int keyRight = 262;
constexpr int keyLeft = 263;
constexpr int keyDown = 264;
constexpr int keyUp = 265;
constexpr int keyPageUp = 266;
constexpr int keyPageDown = 267;
constexpr int keyF1 = 290;
constexpr int keyF5 = 294;
constexpr int keypadSubtract = 333;
constexpr int keypadAdd = 334;

/// One press: twice as large in two.
constexpr double keyZoom = 1.4142135623730951;
constexpr double keyPan = 0.2;  ///< of the sheet
constexpr float keyTurn = 5;    ///< degrees
constexpr float keyMove = 2;    ///< cubes of the solid, as they are seen at zoom 1

Command closer(const AppState& state, double factor) {
    if (state.view != BlockView::solid) return ZoomMap{factor};
    const SolidView& solid = state.solid;
    return FrameSolid{solid.zoom * static_cast<float>(factor), solid.panX, solid.panY};
}

/// In steps to the right and down over what is seen, which moves the other way.
Command moveOver(const AppState& state, int right, int down) {
    if (state.view != BlockView::solid) {
        return PanMap{-right * keyPan * state.map.sheet.width,
                      -down * keyPan * state.map.sheet.height};
    }
    const SolidView& solid = state.solid;
    const float step = keyMove / solid.zoom;
    return FrameSolid{solid.zoom, solid.panX - static_cast<float>(right) * step,
                      solid.panY - static_cast<float>(down) * step};
}

Command scenarioAfter(const AppState& state, int step) {
    const auto scenarios = allScenarios();
    const auto now = std::ranges::find(scenarios, state.edit.experiment.scenario, &Scenario::id);
    const auto count = static_cast<std::ptrdiff_t>(scenarios.size());
    const auto next = (now - scenarios.begin() + step + count) % count;
    return ChooseScenario{std::string(scenarios[static_cast<std::size_t>(next)].id)};
}

Command pageOn(const AppState& state, int pages) {
    if (state.mode == Mode::learn) return TurnPage{pages};
    return MoveStep{pages};
}

constexpr Shortcut shortcuts[] = {
    {{keyF5},
     "F5",
     "Measure this launch",
     true,
     [](const AppState&) { return Command(Measure{}); }},
    {{'M'}, "M", "Measure this launch", false, [](const AppState&) { return Command(Measure{}); }},
    {{'C'},
     "C",
     "Cancel the measurement",
     false,
     [](const AppState&) { return Command(CancelMeasure{}); }},
    {{'A'},
     "A",
     "Pin the shown result as A",
     false,
     [](const AppState&) { return Command(Pin{PinSlot::a}); }},
    {{'B'},
     "B",
     "Pin the shown result as B; while presenting a black screen",
     false,
     [](const AppState& state) {
         return state.mode == Mode::present ? Command(ToggleBlack{}) : Command(Pin{PinSlot::b});
     }},
    {{'X'},
     "X",
     "Swap x and y of the block",
     false,
     [](const AppState&) { return Command(SwapBlockAxes{}); }},
    {{'G'},
     "G",
     "Grid covers the problem, or stays as typed",
     false,
     [](const AppState& state) { return Command(SetGridCovers{!state.edit.gridCovers}); }},
    {{'N'},
     "N",
     "Next scenario",
     false,
     [](const AppState& state) { return scenarioAfter(state, 1); }},
    {{'N', false, true},
     "Shift+N",
     "Previous scenario",
     false,
     [](const AppState& state) { return scenarioAfter(state, -1); }},
    {{'V'},
     "V",
     "The scenario that shows the contrast",
     false,
     [](const AppState& state) {
         return Command(ChooseScenario{std::string(scenarioOf(state).comparedWith)});
     }},
    {{'W'},
     "W",
     "Hold the next warp",
     false,
     [](const AppState& state) {
         const std::uint32_t warps = warpCountPerBlock(state.shown.launch.block);
         const auto held = state.selection.warp;
         return Command(ToggleWarp{{held ? (held->value + 1) % warps : 0}});
     }},
    {{'='},
     "+  -",
     "Closer to the threads, further away",
     false,
     [](const AppState& state) { return closer(state, keyZoom); }},
    {{'=', false, true},
     "",
     "",
     false,
     [](const AppState& state) { return closer(state, keyZoom); }},
    {{keypadAdd}, "", "", false, [](const AppState& state) { return closer(state, keyZoom); }},
    {{'-'}, "", "", false, [](const AppState& state) { return closer(state, 1 / keyZoom); }},
    {{keypadSubtract},
     "",
     "",
     false,
     [](const AppState& state) { return closer(state, 1 / keyZoom); }},
    {{'F'},
     "F",
     "The chosen block, or the whole grid when that is what is seen",
     false,
     [](const AppState& state) {
         return Command(
             FitMap{state.map.follows == MapFollows::block ? MapFollows::grid : MapFollows::block});
     }},
    {{keyLeft, true, false},
     "Ctrl+arrows",
     "Move over the map, or round the solid",
     false,
     [](const AppState& state) { return moveOver(state, -1, 0); }},
    {{keyRight, true, false},
     "",
     "",
     false,
     [](const AppState& state) { return moveOver(state, 1, 0); }},
    {{keyUp, true, false},
     "",
     "",
     false,
     [](const AppState& state) { return moveOver(state, 0, -1); }},
    {{keyDown, true, false},
     "",
     "",
     false,
     [](const AppState& state) { return moveOver(state, 0, 1); }},
    {{'E'},
     "E",
     "What stands in the cells: warp, coordinates, rank, element",
     false,
     [](const AppState& state) {
         return Command(SetCellNumbers{
             static_cast<CellNumbers>((static_cast<int>(state.map.numbers) + 1) % 4)});
     }},
    {{'2'},
     "2  3",
     "The map; the chosen block as a solid",
     false,
     [](const AppState&) { return Command(SetBlockView{BlockView::flat}); }},
    {{'3'}, "", "", false, [](const AppState&) { return Command(SetBlockView{BlockView::solid}); }},
    {{'O'},
     "O",
     "The blocks that an SM holds at once, or the map",
     false,
     [](const AppState& state) {
         return Command(
             SetBlockView{state.view == BlockView::slots ? BlockView::flat : BlockView::slots});
     }},
    {{'4'},
     "4",
     "When and where the blocks ran on the GPU, or the map",
     false,
     [](const AppState& state) {
         return Command(
             SetBlockView{state.view == BlockView::times ? BlockView::flat : BlockView::times});
     }},
    {{'D'},
     "D",
     "The solid's warps apart, or together",
     false,
     [](const AppState& state) {
         return Command(SpreadWarps{state.solid.apart > 0 ? 0.0F : 1.0F});
     }},
    {{'R'},
     "R",
     "The solid as at the start",
     false,
     [](const AppState&) { return Command(ResetSolid{}); }},
    {{keyLeft, false, true},
     "Shift+arrows",
     "Turn and tilt the solid",
     false,
     [](const AppState&) {
         return Command(TurnSolid{-keyTurn, 0});
     }},
    {{keyRight, false, true},
     "",
     "",
     false,
     [](const AppState&) {
         return Command(TurnSolid{keyTurn, 0});
     }},
    {{keyUp, false, true},
     "",
     "",
     false,
     [](const AppState&) {
         return Command(TurnSolid{0, -keyTurn});
     }},
    {{keyDown, false, true},
     "",
     "",
     false,
     [](const AppState&) {
         return Command(TurnSolid{0, keyTurn});
     }},
    {{' '},
     "Space",
     "Play the steps of the warp or the lesson's picture, or pause",
     false,
     [](const AppState& state) {
         return state.mode == Mode::learn ? Command(PlayMotion{}) : Command(TogglePlay{});
     }},
    {{','},
     "<",
     "The warp's step before",
     false,
     [](const AppState&) { return Command(MoveStep{-1}); }},
    {{',', false, true}, "", "", false, [](const AppState&) { return Command(MoveStep{-1}); }},
    {{'.'},
     ">",
     "The warp's next step",
     false,
     [](const AppState&) { return Command(MoveStep{1}); }},
    {{'.', false, true}, "", "", false, [](const AppState&) { return Command(MoveStep{1}); }},
    {{'U'},
     "U",
     "The kernel's source with its costs, or the warp's memory",
     false,
     [](const AppState& state) {
         return Command(
             SetLowerTab{state.lowerTab == LowerTab::source ? LowerTab::memory : LowerTab::source});
     }},
    {{'L'},
     "L",
     "The lesson of what is shown",
     false,
     [](const AppState&) { return Command(ToggleLessons{}); }},
    {{'S'},
     "S",
     "Save a figure for a slide: PDF, SVG and PNG",
     false,
     [](const AppState&) { return Command(DrawFigure{FigureTarget::files}); }},
    {{'C', true, false},
     "Ctrl+C",
     "Copy the figure to the clipboard",
     false,
     [](const AppState&) { return Command(DrawFigure{FigureTarget::clipboard}); }},
    {{'O', true, false},
     "Ctrl+O",
     "Open a .cu file",
     false,
     [](const AppState& state) { return Command(AskForProgram{!state.program.asking}); }},
    {{'Z', true, false}, "Ctrl+Z", "Undo", false, [](const AppState&) { return Command(Undo{}); }},
    {{'Z', true, true},
     "Ctrl+Shift+Z",
     "Redo",
     false,
     [](const AppState&) { return Command(Redo{}); }},
    {{'Y', true, false}, "Ctrl+Y", "Redo", false, [](const AppState&) { return Command(Redo{}); }},
    {{'K'},
     "K",
     "Measured, sweep or roof at the right",
     false,
     [](const AppState& state) {
         const auto next = (static_cast<int>(state.rightTab) + 1) % 3;
         return Command(SetRightTab{static_cast<RightTab>(next)});
     }},
    {{'T'},
     "T",
     "Dark or light",
     false,
     [](const AppState& state) {
         return Command(
             SetTheme{state.theme == ThemeName::dark ? ThemeName::light : ThemeName::dark});
     }},
    {{'P'},
     "P",
     "Present: the picture alone, over the whole window",
     false,
     [](const AppState& state) {
         return Command(SetMode{state.mode == Mode::present ? Mode::explore : Mode::present});
     }},
    {{'H'},
     "H",
     "While presenting: light on what the pointer is at",
     false,
     [](const AppState&) { return Command(ToggleSpotlight{}); }},
    {{keyPageDown},
     "Page Down, Up",
     "The next step, or the lesson's next page; the one before",
     true,
     [](const AppState& state) { return pageOn(state, 1); }},
    {{keyPageUp}, "", "", true, [](const AppState& state) { return pageOn(state, -1); }},
    {{'P', false, true},
     "Shift+P",
     "Projector: light and large",
     false,
     [](const AppState&) { return Command(ToggleProjector{}); }},
    {{'=', true, false},
     "Ctrl++",
     "Larger text",
     true,
     [](const AppState& state) { return Command(SetTextScale{state.textScale * 1.1F}); }},
    {{'=', true, true},
     "",
     "",
     true,
     [](const AppState& state) { return Command(SetTextScale{state.textScale * 1.1F}); }},
    {{keypadAdd, true, false},
     "",
     "",
     true,
     [](const AppState& state) { return Command(SetTextScale{state.textScale * 1.1F}); }},
    {{'-', true, false},
     "Ctrl+-",
     "Smaller text",
     true,
     [](const AppState& state) { return Command(SetTextScale{state.textScale / 1.1F}); }},
    {{'0', true, false},
     "Ctrl+0",
     "Text at its normal size",
     true,
     [](const AppState&) { return Command(SetTextScale{1}); }},
    {{keyF1},
     "F1  ?",
     "This help",
     true,
     [](const AppState& state) { return Command(SetHelpOpen{!state.helpOpen}); }},
    {{'/', false, true},
     "",
     "",
     false,
     [](const AppState& state) { return Command(SetHelpOpen{!state.helpOpen}); }},
    {{keyEscape},
     "Esc",
     "Let the warp go; close what is open",
     false,
     [](const AppState&) { return Command(StepBack{}); }},
};

}  // namespace

std::span<const Shortcut> allShortcuts() {
    return shortcuts;
}

std::optional<Command> commandFor(const AppState& state, KeyPress press, bool typing) {
    for (const Shortcut& shortcut : shortcuts) {
        if (shortcut.press == press && (shortcut.whileTyping || !typing)) {
            return shortcut.command(state);
        }
    }
    return std::nullopt;
}

}  // namespace warplens::window
