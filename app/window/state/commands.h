#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "app/drawing/warp_trace.h"
#include "app/window/state/app_state.h"
#include "app/window/state/lesson_view.h"
#include "app/window/state/program.h"
#include "core/measurement/worker_protocol.h"
#include "core/scenario/scenario.h"

/// What can happen to the state, a struct each: what is launched; what is looked at, from where,
/// and the steps of the warp in focus; measuring, predicting and sweeps; lessons; a person's own
/// file; the window itself, and what leaves it and comes in.
namespace warplens::window {

struct ChooseScenario final {
    std::string id;
};
struct SetBlock final {
    Extents block;
};
/// One of them, or both as one edit.
struct SetLaunch final {
    std::optional<Extents> grid{};
    std::optional<Extents> block{};
};
/// Moves the keyboard to the fields that hold the launch.
struct TypeLaunch final {};
/// The text of one number field (editing.h), whether typed, stepped or dragged to. A grid is
/// from then on fixed by hand.
struct EnterNumber final {
    std::string field;
    std::string text;
};
struct SetGridCovers final {
    bool covers = true;
};
struct SwapBlockAxes final {};
/// Ends a drag: the next edit of the same field is a step of its own for Undo.
struct FinishEdit final {};
struct Undo final {};
struct Redo final {};

/// Shows these parts of a view, as far as the launch has them: the whole block or grid from now on
/// through every change, a map that follows `nothing` as it is now.
using Show = ViewChange;

struct ChooseBlock final {
    Index3 block;
};
struct PointAtThread final {
    std::optional<Index3> thread;
};
/// Holds the thread of the shown block and its warp.
struct HoldThread final {
    Index3 thread;
};
/// Holds the warp, or lets it go when it is the one held.
struct ToggleWarp final {
    WarpRank warp;
};

/// The room the map has in the window.
struct SetMapArea final {
    MapArea area;
};
/// Larger by `factor`, or smaller; what is at `about` (pixels of the area, its middle where none
/// is given) stays there.
struct ZoomMap final {
    double factor = 1;
    std::optional<Point> about{};
};
/// What the map shows moves by so many pixels.
struct PanMap final {
    double right = 0;
    double down = 0;
};
/// Brings a block into the middle at the scale there is; a camera that follows something stays.
struct CentreMap final {
    Index3 block;
};

/// Turns the cubes about the vertical, and tilts them, by so many degrees.
struct TurnBlock3d final {
    float turn = 0;
    float tilt = 0;
};
/// Zooms (above 0, 1 fits) and moves the picture, in cubes to the right and down.
struct FrameBlock3d final {
    float zoom = 1;
    float panX = 0;
    float panY = 0;
};
/// Keeps the threads whose index along one axis (0 x, 1 y, 2 z) lies in the range.
struct SliceBlock3d final {
    std::size_t axis = 0;
    IndexRange kept;
};
/// Moves the warps of the block apart by so many cubes, or together again.
struct SpreadWarps final {
    float apart = 0;
};
/// Whole, together, and seen as at the start.
struct ResetBlock3d final {};
struct SetSmView final {
    SmView view;
};
/// Of the recorded time; the model's view stays.
struct SetTimeView final {
    TimeView view;
};
struct SetModelView final {
    ModelView view;
};
/// The model of an SM was run.
struct SmModelled final {
    std::shared_ptr<const ModelledSm> modelled;
};

/// Leaves the steps to one of the kernel's arrays (ShownStep), from the first on; or all.
struct ChooseArray final {
    std::optional<std::size_t> array;
    std::optional<std::uint64_t> step{};  ///< from that place in the trace on
};
/// Shows one of the steps there are to choose from, from 0.
struct ChooseStep final {
    std::uint64_t position = 0;
};
/// Shows the step so many further on, round from the last to the first.
struct MoveStep final {
    int steps = 1;
};
/// Lets the steps go by, or stops them.
struct TogglePlay final {};
/// 1, 4 or 16.
struct SetPlaySpeed final {
    double stepsPerSecond = 4;
};
struct WarpTraced final {
    std::shared_ptr<const WarpTrace> trace;
};

/// What the timed runs of the next measurement find in the L2.
struct SetCache final {
    CacheBefore cache = CacheBefore::warm;
};
struct Measure final {};
struct CancelMeasure final {};
/// What the worker said about measurement `number`; ignored when that one is no longer awaited.
struct WorkerSaid final {
    std::uint64_t number = 0;
    std::variant<Progress, Measurement, ProgramMeasurement, Failure> event;
};
/// Where to measure from now on, `ssh lab-gpu`; empty: this machine.
struct ChoosePlace final {
    std::string place{};
};
struct ForgetPlace final {
    std::string place;
};
/// What stands in the field for a new place.
struct TypePlace final {
    std::string text{};
};
/// Which of the place's GPUs; empty: the first.
struct ChooseDevice final {
    DeviceChoice device{};
};
/// Asks the place for the GPUs it has, and what it said.
struct AskForDevices final {};
struct DevicesListed final {
    std::uint64_t asked = 0;
    std::vector<DeviceName> devices{};
};
/// Where the worker runs, `on gpu07, job 4711`.
struct WhereaboutsSaid final {
    std::string words;
};
/// Measures the points of the shown sweep that are missing; CancelMeasure ends it.
struct MeasureSweep final {};
/// Shows the launch of one of the shown sweep's points.
struct ShowSweepPoint final {
    std::size_t point = 0;
};
/// Plots a quantity, by its id, in the first place or the second.
struct ChooseQuantity final {
    std::size_t place = 0;
    std::string id;
};
/// Of a page all recordings, and the sweep of the session before; or the sweeps that travel with
/// the program.
struct SweepsRead final {
    std::shared_ptr<const RecordingLibrary> recordings;
    std::optional<Sweep> last{};
    std::string problem{};  ///< why the latter could not be read, a sentence; empty where it could
};
struct Pin final {
    PinSlot slot = PinSlot::a;
};
struct ClearPins final {};

struct PredictionReady final {
    LaunchReport prediction;
};
/// What compiled code comes to in the launch; none where it cannot be run.
struct CompiledPredicted final {
    std::optional<LaunchReport> compiled;
};
struct PredictionFailed final {
    PredictionFailure failure;
};

/// The shown block's prediction; none where it cannot be traced, which PredictionFailed explains.
struct BlockPredicted final {
    std::optional<LaunchReport> prediction;
};

/// Opens the lesson of what is shown, or the list; from there back to exploring.
struct ToggleLessons final {
    bool keepsLaunch = false;  ///< exploring the lesson's launch
};
/// Opens a lesson at the page where one was; the list of them where it is not known or empty.
struct OpenLesson final {
    std::string id;
    bool ofLine = false;  ///< the chosen line of the open file is shown among its pictures
};
/// So many pages of the lesson on.
struct TurnPage final {
    int pages = 1;
};
/// What is typed at the lesson's question.
struct GuessAnswer final {
    std::string text;
};
/// Judges what is typed.
struct HandIn final {};
/// Judges one of the question's answers.
struct ChooseAnswer final {
    std::size_t choice = 0;
};
struct TakeHint final {};
/// Ends the question without a right answer.
struct RevealAnswer final {};
/// As if the lesson had never been opened.
struct RestartLesson final {
    std::string id;
};
/// Moves the size that the lesson lets one move.
struct SlideLesson final {
    std::int64_t value = 0;
};
/// The picture that moves, from 0 to 1; it stands there.
struct SetMotionAt final {
    double at = 0;
};
/// Lets it go on, from the beginning where it has ended; or stops it.
struct PlayMotion final {};
/// Whether pictures may move on their own.
struct AllowMotion final {
    bool allowed = true;
};
/// The lesson's two launches as A and B, measured where that is possible; or one of them alone.
struct CompareLaunches final {
    std::optional<PinSlot> only{};
    bool measures = false;  ///< both anew, though both are recorded
};
/// The course's lessons were read anew; what could not be stays as it was.
struct LessonsRead final {
    std::vector<std::string> problems;
    std::vector<std::string> kernels{};  ///< files that are others than when they were read
};
/// The program begins anew with what it was called with: a course with its kernels as they are now.
struct StartAgain final {};
struct LessonResolved final {
    std::shared_ptr<const ResolvedLesson> resolved;
    std::optional<LessonFailure> failure{};  ///< why there is none
};

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
    std::optional<std::uint32_t> launch{};  ///< to be chosen, by its index; nothing: the worst
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
struct NewProgram final {
    std::string path{};  ///< empty: `kernel.cu` in this folder, or the next that is free
};
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
/// In a window that has no room for both: the open file's source, or the picture of its launch.
struct PictureProgram final {
    bool pictured = true;
};
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
/// Why a version's compiled code differs from what is written.
struct DifferencesFound final {
    std::shared_ptr<const ProgramDifferences> differences;
};
/// Writes a remedy into its file: one of those of the file as it is now.
struct ApplyRemedy final {
    std::size_t remedy = 0;
};
/// Makes the fewest sectors or wavefronts the goal of the chosen line, or is done with that.
struct ToggleLineGoal final {};
/// Takes back what was written last.
struct TakeRemedyBack final {};
/// A file was written.
struct RemedyWritten final {
    RemedyWrite back{};  ///< what undoes it
    bool isTakenBack = false;
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
    std::size_t remedy = SIZE_MAX;  ///< of those tried, the one that its panel begins with
    /// The costliest access of this kind on it in place of the next step, whatever block and warp
    /// were shown.
    std::optional<AccessKind> costs{};
    std::optional<std::size_t> finding{};  ///< likewise what this one of the trace's is about
    bool isOfCaret = false;                ///< nobody chose it: the caret came there
};
/// Shows the line, the block and the warp of one of the trace's findings.
struct ShowFinding final {
    std::size_t finding = 0;
};

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
    int scroll = 0;  ///< by so many tenths of what can be seen of it, down
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
    progress,  ///< how far one has come in the lessons, as CSV
    exercise,  ///< the program of the lesson's exercise
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
    bool ofFile = false;  ///< of the open one, and gone with what it was about
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
    std::string problem{};  ///< why there is none
};
/// Order `number` is finished: where the figure is, or why there is none.
struct FigureDrawn final {
    std::uint64_t number = 0;
    MessageKind kind = MessageKind::note;
    std::string text;
};

}  // namespace warplens::window
