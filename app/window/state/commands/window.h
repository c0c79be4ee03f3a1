#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/window/state/app_state.h"

/// Commands about the window itself, and what leaves it and comes in.
namespace warplens::window {

struct SetMode final {
    Mode mode = Mode::explore;
};
/// The slide of what is shown.
struct Presented final {
    std::shared_ptr<const Slide> slide;
};
struct ToggleBlack final {};
struct ToggleSpotlight final {};
/// Nobody has to be told any more how to begin.
struct EndWelcome final {};
/// So much time has passed.
struct Tick final {
    double seconds = 0;
};
/// Light and large; a second time, back to dark and normal.
struct ToggleProjector final {};
struct SetHelpOpen final {
    bool open = true;
};
/// Opens the field that finds everything, or closes it.
struct OpenPalette final {
    bool open = true;
};
struct FilterPalette final {
    std::string typed;
};
/// The .cu files of the folder.
struct PaletteFiles final {
    std::vector<std::string> files;
};
/// So many entries down.
struct MovePalette final {
    int entries = 1;
};
/// Does what the chosen entry says, or the one at `place`, and closes the palette.
struct RunPalette final {
    std::optional<std::size_t> place{};
};
enum class CopiedText : std::uint8_t {
    scene,     ///< what is shown, as a line (scene.h)
    csv,       ///< the numbers of the open tab
    markdown,  ///< the same
};
struct CopyText final {
    CopiedText what = CopiedText::scene;
};
/// Shows the scene that is in the clipboard.
struct PasteScene final {};
/// Keeps the scene in a file of the folder.
struct SaveScene final {};
/// What was asked of other programs is on its way.
struct OutboxTaken final {};
struct OpenScene final {
    std::string text;
};
/// One level out: closes the palette, the help or the welcome, or ends presenting; else releases
/// the warp, else dismisses the newest message.
struct StepBack final {};
struct Report final {
    MessageKind kind = MessageKind::note;
    std::string text;
};
struct DismissMessage final {
    std::uint64_t id = 0;
};
/// Draws what is shown as a figure for a slide, unless mostFiguresDue wait already.
struct DrawFigure final {
    FigureTarget target = FigureTarget::files;
};
/// Opens the window that saves a figure, as what is shown then; or closes it.
struct OpenFigure final {
    bool open = true;
};
struct ChooseFigure final {
    FigureChoice choice;
};
/// The slide that the window shows as the figure to come.
struct FigurePreviewed final {
    std::shared_ptr<const Slide> slide;
};
/// Order `number` is finished: where the figure is, or why there is none.
struct FigureDrawn final {
    std::uint64_t number = 0;
    MessageKind kind = MessageKind::note;
    std::string text;
};

}  // namespace warplens::window
