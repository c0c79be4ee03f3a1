#pragma once

#include <string>
#include <vector>

#include "app/window/panels/number_fields.h"
#include "app/window/panels/widgets.h"
#include "app/window/state/command.h"

/// The panels of a person's own file.
namespace warplens::window {

/// The field for a path, and the files offered below it.
struct ProgramField final {
    std::string path{};
    bool open = false;
    bool isNew = false;                  ///< it asks for the name of a file to begin
    bool focus = false;                  ///< the keyboard is to come back to it
    std::string listed{};                ///< what `offered` answers to
    std::vector<std::string> offered{};  ///< what can be opened, and folders, with a slash
    std::size_t rows = 0;                ///< most of them that were seen at once
};

/// What the editor keeps from frame to frame.
struct EditorField final {
    std::string text{};
    bool open = false;
    int focus = 0;  ///< frames in which it is still to be given the keyboard
    ImGuiID id = 0;
    int length = 0;          ///< of the text, in the frame before
    int cursor = 0;          ///< bytes before it
    std::uint32_t line = 0;  ///< to come to, from 1; 0: none
    bool changed = false;    ///< and not saved, in the frame before
    float height = 0;        ///< pixels of it, the last time that it was drawn
};
/// The open file for typing, in the place of its source.
void drawProgramEditor(const UiContext& ui, EditorField& field);

/// How much room an open file has.
struct ProgramRoom final {
    bool narrow = false;  ///< for two columns alone
    bool low = false;     ///< none for a picture below the line
    [[nodiscard]] bool isSmall() const { return narrow || low; }
};
[[nodiscard]] ProgramRoom programRoom(const Look& look);

/// In the top bar's place: the file, what is being done with it, and the way back.
void drawProgramBar(const UiContext& ui);

/// The field for a path, over everything else while it is asked for.
void drawProgramField(const UiContext& ui, ProgramField& field);

/// The launches, what is wrong in the file, and what changed against the version before.
void drawProgramLaunches(const UiContext& ui, TypedText& fields);

/// What the chosen launch is made with where no program launches its kernel, to be changed.
void drawProgramWishes(const UiContext& ui, const ProgramState& program, TypedText& fields);

/// The chosen line in words and numbers, what was measured, and what the program itself printed;
/// returns how many pixels from the panel's top the line's remedy ends, 0 where there is none.
float drawProgramLine(const UiContext& ui);

/// Of the chosen line, once its launch was measured: what source, compiled code and hardware say,
/// why they differ, and what the line was compiled to.
/// Whether something is wrong, which is put right before what it costs is of interest.
[[nodiscard]] bool hasFaults(const ProgramState& program);
void drawProgramComparison(const UiContext& ui, const ProgramState& program);

/// The chosen launch as it was measured, or what Measure would do.
void drawProgramMeasured(const UiContext& ui);

}  // namespace warplens::window
