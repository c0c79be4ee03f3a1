#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "app/window/state/program.h"

/// Commands about a person's own file.
namespace warplens::window {

/// Opens the field for the path of a person's own file, or closes it.
struct AskForProgram final {
    bool open = true;
};
/// Lets a person choose the file in the desktop's own dialog.
struct BrowseForProgram final {};
/// What was chosen there; an empty path where nothing was.
struct ProgramBrowsed final {
    std::string path{};
    std::string problem{};  ///< why there is no dialog, a sentence; empty where there was
};
/// Shows a person's own file instead of a built-in scenario; again where it is shown already. A
/// path that ends in .json is a measurement of the open file that was kept.
struct OpenProgram final {
    std::string path;
};
/// Opens the text of the open file for typing at its chosen line, or leaves it.
struct EditProgram final {
    bool open = true;
};
/// What stands there now.
struct TypeProgram final {
    std::string text;
};
struct UndoTyping final {};
struct RedoTyping final {};
/// Writes it into the file, unless another program has written there since.
struct SaveProgram final {};
/// Where it has: theirs instead of what stands in the window, or the other way round.
struct ResolveEdit final {
    bool theirs = false;
};
/// What stands in the file; `written` from here.
struct ProgramRead final {
    std::string path;
    std::string text;
    bool written = false;
};
/// Makes a file of its own kind to begin with, and opens it for typing.
struct NewProgram final {};
/// The same with a lesson's exercise; one that is there already goes on.
struct BeginExercise final {
    std::string lesson;
};
/// Opens the open file at its chosen line in the person's own editor.
struct EditOutside final {};
/// Back to the built-in scenarios.
struct CloseProgram final {};
/// Launches the open file's kernels with this instead of what is proposed; empty: as proposed.
struct WishForProgram final {
    ProposedValue wish;
};
/// Runs the open file, and others until the window is closed, although they cannot be held here.
struct RunUnconfined final {};
/// Ends the run under way: what was traced until then is shown.
struct StopProgram final {};
/// What is being done with the open file.
struct ProgramStage final {
    std::string path;
    std::string stage;
};
/// The text of the version of the open file that is to be traced.
struct ProgramText final {
    std::string path;
    std::shared_ptr<const std::vector<std::string>> lines;
};
/// A version of the file was traced, or could not be; ignored when another file is open by then.
struct ProgramTraced final {
    std::string path;
    std::shared_ptr<const ProgramVersion> version;
};
/// A kept measurement was read, or could not be; ignored when another one is awaited by then.
struct MeasurementRead final {
    std::string path;
    std::shared_ptr<const MeasuredProgram> program{};
    std::string problem{};  ///< why it could not be; empty where it was
};
/// Keeps what was measured of the open file in a file of the folder.
struct SaveMeasured final {};
/// Shows the chosen line's machine code, or its PTX.
struct ShowMachineCode final {
    bool machineCode = false;
};
/// The steps of a block were traced, or could not be; ignored when another one is wanted by then.
struct ProgramStepsTraced final {
    std::shared_ptr<const ProgramSteps> steps;
};
/// What was tried for a version of the file.
struct RemediesFound final {
    std::shared_ptr<const ProgramRemedies> remedies;
};
/// Writes a remedy into its file: one of those of the file as it is now.
struct ApplyRemedy final {
    std::size_t remedy = 0;
};
/// Makes the fewest sectors or wavefronts the goal of the chosen line, or is done with that.
struct ToggleLineGoal final {};
/// Takes back what was written last.
struct TakeRemedyBack final {};
/// A file was written, or could not be.
struct RemedyWritten final {
    std::uint32_t number = 0;
    RemedyWrite back{};     ///< what undoes it
    std::string problem{};  ///< why it was not; empty where it was
};
/// A kernel was compiled for the SM view, or could not be.
struct ResourcesCompiled final {
    std::shared_ptr<const CompiledPlace> compiled;
};
struct ChooseProgramLaunch final {
    std::uint32_t index = 0;
};
/// A line of the file, from 1, and a step of the warp in focus on it: the next one, if one is
/// shown.
struct ChooseProgramLine final {
    std::uint32_t line = 0;
};
/// Shows the line, the block and the warp of one of the trace's findings.
struct ShowFinding final {
    std::size_t finding = 0;
};

}  // namespace warplens::window
