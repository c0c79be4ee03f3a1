#pragma once

#include <span>
#include <string>

#include "app/window/panels/cards.h"
#include "app/window/panels/map_panel.h"
#include "app/window/panels/number_fields.h"
#include "app/window/panels/widgets.h"
#include "app/window/state/app_state.h"
#include "app/window/state/command.h"
#include "app/window/state/palette.h"

/// The panels of the window. Each draws the state of its context and issues what the person did.
namespace warplens::window {

/// Scenario, Measure and its progress, pins, swap, undo, theme, text size, help.
void drawTopBar(const UiContext& ui, std::string& filter);

/// One of a bar's buttons, so many pixels behind the one before it.
struct BarButton final {
    Act act;
    float before = 0;
    bool chosen = false;
    const char* label = nullptr;  ///< where the action has none of its own
};
/// From the cursor to `right`, both from the window's left edge; what there is no room for is
/// behind a last button, More.
void drawBarButtons(const UiContext& ui, std::span<const BarButton> offered, float right);

/// The button, or how far the measurement is, and Cancel.
void drawMeasureControls(const UiContext& ui);

/// Failures and notes over the other panels, each with a way to dismiss it; they push nothing
/// aside, but for a lesson's, and fade, but for failures. Draws nothing without messages.
void drawNotices(const UiContext& ui);
/// What they take at the lower edge; 0 without messages.
[[nodiscard]] float noticesHeight(const UiContext& ui);

/// Grid, block, problem size, what they give, and every limit they break.
void drawLaunchPanel(const UiContext& ui, TypedText& typed);

/// The chosen block's threads coloured by warp, the grid it stands in, and its warps by lanes.
void drawMappingPanel(const UiContext& ui, MappingCanvas& canvas);

/// The held or pointed-at thread in numbers, and what its warp asks of global memory.
void drawWarpPanel(const UiContext& ui);

/// Block, thread, the rule with the thread's numbers filled in, and the element that it writes in a
/// built-in kernel.
void drawThreadFacts(const UiContext& ui, Index3 block, Index3 thread);

/// The picture of the step shown, or of what is known without it.
void drawWarpStep(const UiContext& ui, ImVec2 at, ImVec2 end);

/// What was measured of the shown launch, the sweep around it, or the roof above it: one of them,
/// behind its tab.
void drawRightColumn(const UiContext& ui, TypedText& typed);

/// What is varied, how far its points are predicted and measured, and their plots; a click on a
/// point shows its launch.
void drawSweepPanel(const UiContext& ui, TypedText& typed);

/// The roof of the device with the products under it, and their ratios; a click on a point or its
/// row shows its launch.
void drawRoofPanel(const UiContext& ui);

/// The slots of one SM under the launch's blocks, and what keeps a further block out.
void drawSmPanel(const UiContext& ui, TypedText& typed);

/// When and where the launch's blocks ran on the GPU, and when its warps waited.
void drawTimePanel(const UiContext& ui);

/// One SM, its schedulers and warps, cycle by cycle, as the model has them.
void drawModel(const UiContext& ui);

/// One quiet line: where the numbers come from, and what the colours mean.
void drawStatusBar(const UiContext& ui, bool narrow);

/// The picture over the whole screen, for the back row: its letters are at least 2.5 % of the
/// height, whatever the text size.
void drawPresentScreen(const UiContext& ui, Backgrounds& backgrounds);

/// What the palette's window keeps from frame to frame.
struct PaletteField final {
    bool open = false;
    std::size_t seen = 0;  ///< the entry that was scrolled to
};

/// The field with what it finds, where it is open.
void drawPalette(const UiContext& ui, PaletteField& field);

/// The .cu files of the folder that the program runs in, sorted; at most 200.
[[nodiscard]] std::vector<std::string> programsHere();

/// What to begin with, for who has not used the window before.
void drawWelcome(const UiContext& ui);

/// Mouse, keys and words, over everything else while it is open.
void drawHelp(const UiContext& ui);

/// The window that saves a figure, with the slide to come; `wasOpen` is kept from frame to frame.
void drawFigureWindow(const UiContext& ui, bool& wasOpen);

/// A small button that says where is measured, and the menu behind it: the places there are, one to
/// type, and the GPUs of the one that is chosen.
void drawPlacesMenu(const UiContext& ui);

/// A row of controls from the cursor to `right`, or below from `left` on where that is too narrow:
/// whose steps of the warp in focus are shown, and which of them. Where room is short the arrays
/// stand in a list and the speed is left out.
void drawStepControls(const UiContext& ui, float left, float right);

/// The kernel's source from `at` to `end` with what each line costs, the line of the step that is
/// shown lit. A click on a line shows the held warp's next step there.
void drawSource(const UiContext& ui, ImVec2 at, ImVec2 end, bool costs = true);

/// The open file with what each line asks for in the chosen launch.
void drawProgramSource(const UiContext& ui);

}  // namespace warplens::window
