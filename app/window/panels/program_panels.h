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
    std::vector<std::string> offered;  ///< `.cu` files of the working directory, at most 200
};

/// In the top bar's place: the file, what is being done with it, and the way back.
[[nodiscard]] Commands drawProgramBar(const UiContext& ui, const AppState& state);

/// The field for a path, over everything else while it is asked for.
[[nodiscard]] Commands drawProgramField(const UiContext& ui, const AppState& state,
                                        ProgramField& field);

/// The launches, what is wrong in the file, and what changed against the version before.
[[nodiscard]] Commands drawProgramLaunches(const UiContext& ui, const AppState& state,
                                           TypedText& fields);

/// What the chosen launch is made with where no program launches its kernel, to be changed.
[[nodiscard]] Commands drawProgramWishes(const UiContext& ui, const ProgramState& program,
                                         TypedText& fields);

/// The chosen line in words and numbers, what was measured, and what the program itself printed.
[[nodiscard]] Commands drawProgramLine(const UiContext& ui, const AppState& state);

/// Of the chosen line, once its launch was measured: what source, compiled code and hardware say,
/// why they differ, and what the line was compiled to.
[[nodiscard]] Commands drawProgramJudges(const UiContext& ui, const ProgramState& program);

/// The chosen launch as it was measured, or what Measure would do.
[[nodiscard]] Commands drawProgramMeasured(const UiContext& ui, const AppState& state);

}  // namespace warplens::window
