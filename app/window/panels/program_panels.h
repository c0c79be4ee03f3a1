#pragma once

#include <array>
#include <string>
#include <vector>

#include "app/window/panels/widgets.h"
#include "app/window/state/command.h"

/// The panels of a person's own file.
namespace warplens::window {

/// The field for a path, and the files offered below it.
struct ProgramField final {
    std::array<char, 4096> path{};
    bool open = false;
    std::vector<std::string> offered;  ///< `.cu` files of the working directory, at most 200
};

/// What is being typed into one of the fields for launches that are proposed.
struct WishFields final {
    std::string active;  ///< the field that has the keyboard; empty: none
    std::array<char, 256> typed{};
};

/// Percent of the fetched bytes that are used from which on it is good.
inline constexpr double goodShare = 75;
[[nodiscard]] Rgb colorOfShare(const Colors& colors, double percent);

/// In the top bar's place: the file, what is being done with it, and the way back.
[[nodiscard]] Commands drawProgramBar(const UiContext& ui, const AppState& state);

/// The field for a path, over everything else while it is asked for.
[[nodiscard]] Commands drawProgramField(const UiContext& ui, const AppState& state,
                                        ProgramField& field);

/// The launches, what is wrong in the file, and what changed against the version before.
[[nodiscard]] Commands drawProgramLaunches(const UiContext& ui, const AppState& state,
                                           WishFields& fields);

/// What the chosen launch is made with where no program launches its kernel, to be changed.
[[nodiscard]] Commands drawProgramWishes(const UiContext& ui, const ProgramState& program,
                                         WishFields& fields);

/// The file with what each line asks for in the chosen launch.
[[nodiscard]] Commands drawProgramSource(const UiContext& ui, const AppState& state);

/// The chosen line in words and numbers, what was measured, and what the program itself printed.
[[nodiscard]] Commands drawProgramLine(const UiContext& ui, const AppState& state);

/// Of the chosen line, once its launch was measured: what source, compiled code and hardware say,
/// why they differ, and what the line was compiled to.
[[nodiscard]] Commands drawProgramJudges(const UiContext& ui, const ProgramState& program);

/// The chosen launch as it was measured, or what Measure would do.
[[nodiscard]] Commands drawProgramMeasured(const UiContext& ui, const AppState& state);

}  // namespace warplens::window
